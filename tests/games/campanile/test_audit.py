"""The audit finds changes that the box or the table contradicts, and all of them at once."""

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from capomastro.documents.wordings import sentence
from capomastro.games.campanile import stages
from capomastro.games.campanile.components import STYLES, cards_after_dealing
from capomastro.games.campanile.deck import deck
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.state import Seat, State, Tower
from capomastro.games.campanile.tokens import Row
from tests.games.campanile.table import options, table, towers
from tests.games.campanile.variants import VARIANTS
from tests.support.playouts import positions
from tests.support.setups import fits

Damage = Callable[[State, Random], State]


def with_tower(state: State, style: str, tower: Tower) -> State:
    return replace(state, towers={**state.towers, style: tower})


def with_seat(state: State, index: int, seat: Seat) -> State:
    return replace(state, seats=(*state.seats[:index], seat, *state.seats[index + 1 :]))


def card_in_display(state: State, random: Random) -> State:
    return replace(state, display=tuple(sorted((*state.display, random.choice(STYLES)))))


def card_in_hand(state: State, random: Random) -> State:
    seat = random.randrange(len(state.seats))
    hand = state.seats[seat].hand
    closed = tuple(sorted((*hand.closed, random.choice(STYLES))))
    return with_seat(state, seat, replace(state.seats[seat], hand=replace(hand, closed=closed)))


def unknown_card_in_hand(state: State, random: Random) -> State:
    seat = random.randrange(len(state.seats))
    hand = state.seats[seat].hand
    return with_seat(state, seat, replace(state.seats[seat], hand=replace(hand, unknown={"deck": 1})))


def too_high(state: State, random: Random) -> State:
    style = random.choice(STYLES)
    tower = state.towers[style]
    return with_tower(state, style, replace(tower, height=3 * tower.cards + 1))


def ten_markers(state: State, random: Random) -> State:
    style = random.choice(STYLES)
    return with_tower(state, style, replace(state.towers[style], rows=(Row(0, ("small",) * 6),)))


def stranger(state: State, random: Random) -> State:
    style = random.choice(STYLES)
    rows = (*state.towers[style].rows, Row(len(state.seats), ("small",)))
    return with_tower(state, style, replace(state.towers[style], rows=rows))


def empty_row(state: State, random: Random) -> State:
    style = random.choice(STYLES)
    return with_tower(state, style, replace(state.towers[style], rows=(*state.towers[style].rows, Row(0, ()))))


def impossible_token(state: State, random: Random) -> State:
    seat = random.randrange(len(state.seats))
    tokens = tuple(sorted((*state.seats[seat].tokens, random.choice((5, 6)))))
    return with_seat(state, seat, replace(state.seats[seat], tokens=tokens))


def many_tokens(state: State, random: Random) -> State:
    seat = random.randrange(len(state.seats))
    return with_seat(state, seat, replace(state.seats[seat], tokens=(1, 2, 3, 4, 4)))


def intermezzo_misplaced(state: State, random: Random) -> State:
    """As if the Intermezzo had come too early, or not at all; the ply is corrected."""
    seen = not state.intermezzo_seen
    return replace(state, intermezzo_seen=seen, ply=state.ply + (1 if seen else -1))


def full_box_in_tower(state: State, random: Random) -> State:
    number = 13 if len(state.seats) > 2 else 7
    return with_tower(state, random.choice(STYLES), Tower(2 * number, number, ()))


DAMAGES: list[Damage] = [
    card_in_display,
    card_in_hand,
    unknown_card_in_hand,
    too_high,
    ten_markers,
    stranger,
    empty_row,
    impossible_token,
    many_tokens,
    full_box_in_tower,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damaged_states_are_detected(damage: Damage) -> None:
    for players in GAME.players:
        for chosen in ({}, *VARIANTS):
            if not fits(GAME, players, chosen):
                continue
            random = Random(players)
            for state in random.sample(list(positions(GAME, players, chosen, "audit")), 40):
                damaged = damage(state, random)
                findings = GAME.audit(damaged)
                assert findings, damaged
                assert all(sentence(GAME, finding) for finding in findings)


@pytest.mark.parametrize("players", GAME.players)
def test_a_misplaced_intermezzo_is_found_if_its_place_is_known(players: int) -> None:
    random = Random(0)
    for state in positions(GAME, players, {}, "intermezzo"):
        if cards_after_dealing(players) - deck(state).size == state.options.intermezzo_after:
            continue  # it may have shown just now, or be next
        rules = {finding.rule for finding in GAME.audit(intermezzo_misplaced(state, random))}
        assert rules & {"campanile.deck.intermezzo-place", "campanile.setup.untouched"}, state


def test_all_findings_are_reported_at_once() -> None:
    state = table(
        stage=stages.PlaceMarker(2),
        hands=["aaa", "aabb"],
        display="aacd",
        options=options(after=15, variant=True),
        towers=towers(a="2/1", b="1/2", c="5/2 3S 0 1SS 1S"),
        tokens=[(6,), ()],
        active_seat=1,
        ply=2,
    )
    rules = {finding.rule.removeprefix("campanile.") for finding in GAME.audit(state)}
    assert rules == {
        "setup.intermezzo",
        "components.tower-cards",
        "tower.floors",
        "turn.seats",
        "row.empty",
        "row.one-each",
        "hand.size",
        "take.three",
        "scoring.tokens-early",
    }
