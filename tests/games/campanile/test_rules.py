"""One test for every rule that audits and scoresheets check, named after it, on both sides of the limit.

`refusals.py` has a case for every rule that refuses.
"""

from itertools import permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.documents.wordings import sentence
from capomastro.engine.refusals import Refusal
from capomastro.engine.stages import GameOver
from capomastro.games.campanile import moves, stages
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.scoresheet import Scoresheet
from capomastro.games.campanile.state import Options, State
from tests.games.campanile.refusals import MIDDLE, with_tokens
from tests.games.campanile.table import (
    audited,
    beginning,
    hand,
    options,
    played,
    refilling,
    refusal,
    scoresheet,
    table,
    towers,
)
from tests.support.playouts import start
from tests.support.shapes import shape_of

# --- asking ----------------------------------------------------------------------------------------------------------


def assert_refused(refused: Refusal | None, rule: str, pointer: str, *words: str) -> None:
    """Expects a refusal by that rule, about that place, in a sentence that contains `words`."""
    assert refused is not None
    assert (refused.rule, refused.pointer) == (rule, pointer)
    text = sentence(GAME, refused)
    assert all(word in text for word in words), text


def finds(state: State, rule: str, pointer: str, *words: str) -> None:
    """Expects that the audit finds exactly this rule broken."""
    findings = audited(state)
    assert [finding.rule for finding in findings] == [rule], findings
    assert_refused(findings[0], rule, pointer, *words)


OF_WHOLE_TABLES = ("campanile.end.turns", "campanile.deck.intermezzo-turns")
"""Findings of every sheet here, because it has only what a test is about."""


def sheet_findings(sheet: Scoresheet) -> list[Refusal]:
    """The findings on a sheet, except that so few floors are not a finished game."""
    return [finding for finding in GAME.faults_of_scoresheet(sheet) if finding.rule not in OF_WHOLE_TABLES]


def sheet_finds(sheet: Scoresheet, rule: str, pointer: str, *words: str) -> None:
    findings = sheet_findings(sheet)
    assert [finding.rule for finding in findings] == [rule], findings
    assert_refused(findings[0], rule, pointer, *words)


def middle() -> State:
    """Two players after two turns each, a possible state."""
    assert not audited(MIDDLE)
    return MIDDLE


# --- the box ---------------------------------------------------------------------------------------------------------


def test_components_tower_cards() -> None:
    finds(beginning(hands=["aaa", "aaa"], display="acd"), "campanile.components.tower-cards", "", "a", "6")
    twice = audited(beginning(hands=["aaa", "aaa"], display="abb", towers=towers(b="5/5")))
    assert [finding.values["component"] for finding in twice if finding.rule == "campanile.components.tower-cards"] == [
        "a",
        "b",
    ]


def test_components_deck() -> None:
    full = towers(a="6/6", b="6/6", c="6/6", d="6/6")
    rules = [finding.rule for finding in audited(beginning(hands=["eee", hand(unknown=3)], display="ccd", towers=full))]
    assert "campanile.components.deck" in rules
    state = table(
        hands=[hand(unknown=3), hand(unknown=3)], display="eee", towers=towers(a="6/6", b="6/6", c="6/6", d="6/6")
    )
    found = [finding for finding in audited(state) if finding.rule == "campanile.components.deck"]
    assert_refused(found[0], "campanile.components.deck", "", "3")


def test_components_markers() -> None:
    state = replace(middle(), towers={**middle().towers, "c": towers(c="2/1 0LL")["c"]})
    found = [finding for finding in audited(state) if finding.rule == "campanile.components.markers"]
    assert_refused(found[0], "campanile.components.markers", "/towers", "seat 0", "2 large", "owns 1")
    sheet_finds(
        scoresheet(2, {"a": "18 0MM", "b": "9 0MM"}, [(), ()]),
        "campanile.components.markers",
        "/towers",
        "4 medium",
        "owns 3",
    )


# --- set-up ----------------------------------------------------------------------------------------------------------


def set_up(**fields: Any) -> State:
    """During the set-up; the ply matches the dealt and revealed cards."""
    state = table(**{"stage": stages.DealCard(), "display": "", **fields})
    return replace(state, ply=sum(seat.hand.size for seat in state.seats) + len(state.display))


def test_setup_order() -> None:
    assert not audited(start(GAME, 2))
    finds(set_up(hands=["", "abc"]), "campanile.setup.order", "/seats")


def test_setup_ply() -> None:
    finds(replace(start(GAME, 2), ply=1), "campanile.setup.ply", "/ply", "1 move")


def test_setup_step() -> None:
    finds(set_up(hands=["abc", "abc"]), "campanile.setup.step", "/stage", "turn up a card of the set-up", "deal a card")
    finds(set_up(hands=["abc", "ab"], stage=stages.RevealSetupCard()), "campanile.setup.step", "/stage")
    finds(set_up(stage=stages.RevealSetupCard(), display="abc"), "campanile.setup.step", "/stage", "play a card")


def test_setup_early() -> None:
    finds(set_up(hands=["abc", "ab"], display="c"), "campanile.setup.early", "/display", "deal a card")


def test_setup_untouched() -> None:
    finds(set_up(hands=[hand(opened="abc"), "ab"]), "campanile.setup.untouched", "/seats/0/hand/open")
    finds(set_up(hands=["abc", "ab"], active_seat=1), "campanile.setup.untouched", "/active_seat")
    beginning = start(GAME, 2)
    found = audited(replace(beginning, intermezzo_seen=True))
    assert_refused(found[0], "campanile.setup.untouched", "/intermezzo_seen")
    found = audited(replace(beginning, seats=(replace(beginning.seats[0], tokens=(4,)), beginning.seats[1])))
    assert_refused(found[0], "campanile.setup.untouched", "/seats/0/tokens")
    for tower, member in (("1/1", "cards"), ("1/1", "height"), ("0/0 0S", "rows")):
        found = audited(set_up(hands=["abc", "ab"], towers=towers(c=tower)))
        assert any(finding.pointer == f"/towers/c/{member}" for finding in found), found


def test_setup_tower_order() -> None:
    """The schema accepts only orders of the five towers, so the referee never sees anything else."""
    accepted = [
        order
        for order in map("".join, product("abcde", repeat=5))
        if shape_of("campanile", "options").accepts({"tower_order": list(order)})
    ]
    assert accepted == ["".join(order) for order in permutations("abcde")]
    assert not shape_of("campanile", "options").accepts({"tower_order": list("abcd")})
    for order in permutations("abcde"):
        assert GAME.why_not_options(3, Options(tower_order=order)) is None


@pytest.mark.parametrize(("players", "highest"), [(2, 14), (3, 41), (4, 38), (5, 35)])
def test_setup_intermezzo(players: int, highest: int) -> None:
    for after in (3, highest, None):
        assert GAME.why_not_options(players, Options(intermezzo_after=after)) is None
    for after in (2, highest + 1):
        refused = GAME.why_not_options(players, Options(intermezzo_after=after))
        assert_refused(refused, "campanile.setup.intermezzo", "/intermezzo_after", str(after), f"3 to {highest}")
    finds(beginning(options=options(after=15)), "campanile.setup.intermezzo", "/options/intermezzo_after", "15")


# --- the deck --------------------------------------------------------------------------------------------------------


def test_the_intermezzo_can_come_at_any_time_if_its_place_is_unknown() -> None:
    unknown = refilling(options=options(after=None))
    assert refusal(unknown, moves.RevealCard("intermezzo")) is None
    assert refusal(unknown, moves.RevealCard("d")) is None


def test_deck_intermezzo_place() -> None:
    finds(
        replace(middle(), intermezzo_seen=True, ply=middle().ply + 1),
        "campanile.deck.intermezzo-place",
        "/intermezzo_seen",
    )
    late = replace(middle(), options=options(after=5))
    finds(
        late, "campanile.deck.intermezzo-place", "/intermezzo_seen", "has not shown after 7", "after 5 at the earliest"
    )
    at_once = refilling(options=options(after=3), intermezzo_seen=True, ply=12)
    assert not audited(at_once)
    unknown = replace(middle(), options=options(after=None), intermezzo_seen=True, ply=middle().ply + 1)
    assert not audited(unknown)


def test_deck_intermezzo_first() -> None:
    found = audited(refilling(stage=GameOver(), ply=12))
    assert_refused(found[0], "campanile.deck.intermezzo-first", "/stage")


def test_deck_finito_last() -> None:
    found = audited(refilling(stage=GameOver(), ply=12))
    assert_refused(found[1], "campanile.deck.finito-last", "/stage", "21", "10")


# --- turns -----------------------------------------------------------------------------------------------------------


def test_turn_seats() -> None:
    finds(beginning(active_seat=2), "campanile.turn.seats", "/active_seat", "seat 2", "2 players")
    state = replace(middle(), towers={**middle().towers, "e": towers(e="0 4S")["e"]})
    finds(state, "campanile.turn.seats", "/towers/e/rows/0/seat", "seat 4")
    sheet_finds(scoresheet(2, {"a": "3 2S"}, [(), ()]), "campanile.turn.seats", "/towers/a/rows/0/seat", "seat 2")
    sheet_finds(scoresheet(2, {"a": "3"}, [(), (), ()]), "campanile.turn.seats", "/intermezzo/by_seat/2", "seat 2")


# --- hands -----------------------------------------------------------------------------------------------------------


def test_hand_size() -> None:
    finds(beginning(hands=["aa", "bcc"]), "campanile.hand.size", "/seats/0/hand", "2 cards instead of 3")
    state = played(middle(), moves.PlayCard(0, "b", 1))
    assert not audited(state)
    full = replace(state, seats=middle().seats)
    assert "campanile.hand.size" in {finding.rule for finding in audited(full)}


# --- A ---------------------------------------------------------------------------------------------------------------


def test_tower_floors() -> None:
    for text in ("7/2", "1/2"):
        state = replace(middle(), towers={**middle().towers, "a": towers(a=text)["a"]})
        finds(state, "campanile.tower.floors", "/towers/a/height", "2 cards", f"{text[0]} floor")


def test_tower_height() -> None:
    sheet_finds(scoresheet(2, {"a": "19"}, [(), ()]), "campanile.tower.height", "/towers/a/height", "19", "18")
    assert not sheet_findings(scoresheet(3, {"a": "36"}, [(), (), ()]))
    sheet_finds(scoresheet(3, {"a": "37"}, [(), (), ()]), "campanile.tower.height", "/towers/a/height", "37", "36")


def test_tower_never_lower() -> None:
    sheet = scoresheet(3, {"a": "4", "b": "9"}, {"a": "5", "b": "3"})
    sheet_finds(sheet, "campanile.tower.never-lower", "/towers/a/height", "4", "5")


# --- B ---------------------------------------------------------------------------------------------------------------


def test_marker_reserve() -> None:
    state = beginning(stage=stages.PlaceMarker(3), hands=["ab", "bcc"], towers=towers(a="6/2", c="3/1 0L"))
    found = [finding for finding in audited(state) if finding.rule == "campanile.marker.reserve"]
    assert_refused(found[0], "campanile.marker.reserve", "/stage", "seat 0")


def test_marker_value() -> None:
    sheet_finds(scoresheet(2, {"a": "4 0L 1M"}, [(), ()]), "campanile.marker.value", "/towers", "5", "4")
    assert not sheet_findings(scoresheet(2, {"a": "5 0L 1M"}, [(), ()]))
    # between the two scorings as well
    sheet_finds(scoresheet(2, {"a": "9 0L 1M"}, {"a": "8"}), "campanile.marker.value", "/towers", "5", "1")


def test_marker_stays() -> None:
    lost = scoresheet(3, {"a": "6 0S 1M"}, {"a": "5 0SM 1M"})
    sheet_finds(lost, "campanile.marker.stays", "/towers/a/rows", "seat 0", "medium")
    gone = scoresheet(3, {"a": "6 1M", "b": "3 0S"}, {"a": "5 0S 1M"})
    sheet_finds(gone, "campanile.marker.stays", "/towers/a/rows", "seat 0", "small")
    # with the variant two players may have moved medium markers, but never lose one
    moved = scoresheet(2, {"a": "6 1M", "b": "3 0M"}, {"a": "5 0M 1M"}, move_medium_marker=True)
    assert not sheet_findings(moved)
    small = scoresheet(2, {"a": "6 1M", "b": "3 0S"}, {"a": "5 0S 1M"}, move_medium_marker=True)
    sheet_finds(small, "campanile.marker.stays", "/towers/a/rows", "seat 0", "small")
    fewer = scoresheet(2, {"a": "6 1M"}, {"a": "5 0M 1M"}, move_medium_marker=True)
    sheet_finds(fewer, "campanile.marker.stays", "/towers", "seat 0", "medium")


def test_row_rank() -> None:
    turned = scoresheet(3, {"a": "6 1S 0MS"}, {"a": "5 0M 1S"})
    sheet_finds(turned, "campanile.row.rank", "/towers/a/rows", "seat 1", "seat 0")
    pushed_in = scoresheet(3, {"a": "9 2S 0M 1S"}, {"a": "5 0M 1S"})
    rules = [(finding.rule, finding.values["seat"]) for finding in sheet_findings(pushed_in)]
    assert rules == [("campanile.row.rank", 0), ("campanile.row.rank", 1)]
    # with the variant a row of medium markers may have been emptied and begun anew, others not
    emptied = scoresheet(2, {"a": "7 1S 0M"}, {"a": "5 0M 1S"}, move_medium_marker=True)
    assert not sheet_findings(emptied)
    held = scoresheet(2, {"a": "7 1S 0MS"}, {"a": "5 0MS 1S"}, move_medium_marker=True)
    sheet_finds(held, "campanile.row.rank", "/towers/a/rows", "seat 0")


def test_row_one_each() -> None:
    state = replace(middle(), towers={**middle().towers, "c": towers(c="2/1 0S 0S")["c"], "d": towers()["d"]})
    rules = {finding.rule: finding for finding in audited(state)}
    assert_refused(rules["campanile.row.one-each"], "campanile.row.one-each", "/towers/c/rows/1/seat", "seat 0")
    sheet_finds(scoresheet(2, {"a": "3 0S 0S"}, [(), ()]), "campanile.row.one-each", "/towers/a/rows/1/seat")


def test_row_empty() -> None:
    state = replace(middle(), towers={**middle().towers, "c": towers(c="2/1 0L 1")["c"]})
    finds(state, "campanile.row.empty", "/towers/c/rows/1/markers", "seat 1")
    sheet_finds(scoresheet(2, {"a": "3 0"}, [(), ()]), "campanile.row.empty", "/towers/a/rows/0/markers")


# --- the variant -----------------------------------------------------------------------------------------------------


def test_variant_two_players() -> None:
    for players in (3, 4, 5):
        refused = GAME.why_not_options(players, Options(move_medium_marker=True))
        assert_refused(refused, "campanile.variant.two-players", "/move_medium_marker", str(players))
    assert GAME.why_not_options(2, Options(move_medium_marker=True)) is None
    state = table(hands=["aab", "bcc", "dde"], options=options(after=12, variant=True))
    finds(state, "campanile.variant.two-players", "/options/move_medium_marker")
    sheet = scoresheet(3, {"a": "3"}, [(), (), ()], move_medium_marker=True)
    sheet_finds(sheet, "campanile.variant.two-players", "/move_medium_marker")


# --- C ---------------------------------------------------------------------------------------------------------------


def test_take_three() -> None:
    finds(beginning(display="cd"), "campanile.take.three", "/display", "2 cards instead of 3")
    finds(refilling(display="cde"), "campanile.take.three", "/display", "3 cards instead of 2")


# --- scoring ---------------------------------------------------------------------------------------------------------


def test_scoring_tokens() -> None:
    # two players: 4/2, 3/2, 2/1, 1
    late = replace(middle(), options=options(after=5), intermezzo_seen=True)
    tokens: tuple[int, ...]
    for tokens in ((2, 4), (1, 3, 4), (2, 2), (1, 2, 3, 4)):
        assert not audited(with_tokens(late, *tokens)), tokens
        assert not sheet_findings(scoresheet(2, {"a": "9"}, [tokens, ()])), tokens
    for tokens in (
        (5,),  # no flag has a 5
        (4, 4),  # only one has a 4
        (2, 2, 2, 4),  # only three have a 2 or more, and each gives a player one token
        (1, 1, 2, 2, 2),  # there are only four flags
    ):
        finds(with_tokens(late, *tokens), "campanile.scoring.tokens", "/seats", "seat 0")
        sheet = scoresheet(2, {"a": "9"}, [tokens, ()])
        sheet_finds(sheet, "campanile.scoring.tokens", "/intermezzo/by_seat", "seat 0")
    # together
    together = scoresheet(2, {"a": "9"}, [(4,), (4,)])
    sheet_finds(together, "campanile.scoring.tokens", "/intermezzo/by_seat", "seat 1: 4")


def test_scoring_tokens_early() -> None:
    finds(with_tokens(middle(), 4), "campanile.scoring.tokens-early", "/seats", "seat 0: 4")
