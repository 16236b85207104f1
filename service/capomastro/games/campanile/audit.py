"""Everything impossible in a state: more components than in the box, or a stage that contradicts the table.

One check per fault, named by the id of its rule, whose refusal describes the fault. Whether a game can lead to the
position is not asked: a state without findings can be played on to the end.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from capomastro.engine import audits
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.stages import GameOver
from capomastro.games.campanile import components as box
from capomastro.games.campanile import stages
from capomastro.games.campanile.decisions import why_not_move, why_not_place
from capomastro.games.campanile.deck import deck, drawn_count, intermezzo_range
from capomastro.games.campanile.rows import marker_findings, markers_by_seat, row_findings
from capomastro.games.campanile.scoring import why_not_given
from capomastro.games.campanile.state import Options, SettledOptions, State


def findings(state: State) -> Iterator[Refusal]:
    """All findings; none for a possible state."""
    if refusal := audits.why_no_seat(state):
        yield refusal
    pile = deck(state)
    yield from card_findings(state, pile)
    yield from tower_findings(state)
    if isinstance(state.stage, stages.DealCard | stages.RevealSetupCard):
        yield from setup_findings(state)
    else:
        yield from turn_findings(state)
    yield from intermezzo_findings(state, pile.size)


def option_findings(players: int, options: Options | SettledOptions) -> Iterator[Refusal]:
    """Why these options do not fit the number of players."""
    if options.move_medium_marker and players != 2:
        yield refuse("campanile.variant.two-players", "/move_medium_marker", players=players)
        return
    after = options.intermezzo_after
    highest = box.cards_after_dealing(players) - box.LAST_CARDS
    if isinstance(after, int) and not box.FIRST_INTERMEZZO <= after <= highest:
        yield refuse(
            "campanile.setup.intermezzo", "/intermezzo_after", after=after, lowest=box.FIRST_INTERMEZZO, highest=highest
        )


def card_findings(state: State, pile: FaceDownPile) -> Iterator[Refusal]:
    """Each style occurs as often as in the box, and no hand has more unknown cards than are left."""
    whole_box = dict.fromkeys(box.STYLES, box.copies(len(state.seats)))
    yield from audits.shortage_findings("campanile.components.tower-cards", pile.unseen, whole_box)
    if pile.size < 0:
        yield refuse("campanile.components.deck", "", cards=-pile.size)


def tower_findings(state: State) -> Iterator[Refusal]:
    """Every card has raised its tower by one to three floors; rows and markers belong to players who have them."""
    players = len(state.seats)
    for style in box.STYLES:
        tower = state.towers[style]
        if not tower.cards <= tower.height <= max(box.FLOORS) * tower.cards:
            yield refuse("campanile.tower.floors", f"/towers/{style}/height", height=tower.height, cards=tower.cards)
        yield from row_findings(tower.rows, players, f"/towers/{style}/rows")
    yield from marker_findings(markers_by_seat([tower.rows for tower in state.towers.values()], players), "/towers")


BEGINNING: Mapping[str, Any] = {"active_seat": 0, "intermezzo_seen": False}
BEGINNING_OF_TOWER: Mapping[str, Any] = {"cards": 0, "height": 0, "rows": ()}
"""What the set-up does not change."""


def setup_findings(state: State) -> Iterator[Refusal]:
    """During the set-up, cards are dealt and turned up in order, one per move; nothing else changes."""
    steps = (
        audits.dealing(state, stages.DealCard, box.HAND_SIZE),
        audits.SetupStep("/display", (stages.RevealSetupCard,), box.DISPLAY_SIZE, [len(state.display)]),
    )
    yield from audits.setup_findings(state, steps, stages.PlayCard)
    towers = [(f"/towers/{style}", state.towers[style], BEGINNING_OF_TOWER) for style in box.STYLES]
    parts = (("", state, BEGINNING), *audits.seats_untouched(state, {"tokens": ()}), *towers)
    yield from audits.untouched_findings("campanile.setup.untouched", parts)


def turn_findings(state: State) -> Iterator[Refusal]:
    """The active player has a card less between playing and taking, the display between taking and refilling."""
    stage = state.stage
    for index, seat in enumerate(state.seats):
        cards = seat.hand.size
        expected = box.HAND_SIZE - (
            index == state.active_seat and isinstance(stage, stages.PlaceMarker | stages.TakeCard)
        )
        if cards != expected:
            yield refuse("campanile.hand.size", f"/seats/{index}/hand", cards=cards, expected=expected)
    face_up = box.DISPLAY_SIZE - isinstance(stage, stages.RefillDisplay | GameOver)
    if len(state.display) != face_up:
        yield refuse("campanile.take.three", "/display", cards=len(state.display), expected=face_up)
    # nobody is asked about a marker if none can be placed or moved
    if isinstance(stage, stages.PlaceMarker) and (refusal := why_not_place(state)) and why_not_move(state):
        yield Refusal(refusal.rule, refusal.values, "/stage")


def intermezzo_findings(state: State, left: int) -> Iterator[Refusal]:
    """The Intermezzo has shown if its place is passed, and has given the tokens; the Finito comes after it.

    `left`: the tower cards in the deck.
    """
    seen, drawn, (lowest, highest) = state.intermezzo_seen, drawn_count(state, left), intermezzo_range(state)
    if drawn < lowest if seen else drawn > highest:
        place = {"drawn": drawn, "lowest": lowest, "highest": highest}
        yield refuse("campanile.deck.intermezzo-place", "/intermezzo_seen", intermezzo_seen=seen, **place)
    if isinstance(state.stage, GameOver):
        if not seen:
            yield refuse("campanile.deck.intermezzo-first", "/stage")
        if left > box.LAST_CARDS:
            yield refuse("campanile.deck.finito-last", "/stage", left=left, most=box.LAST_CARDS)
    tokens = tuple([seat.tokens for seat in state.seats])
    if not seen:
        if any(tokens):
            yield refuse("campanile.scoring.tokens-early", "/seats", tokens=tokens)
    elif because := why_not_given(len(tokens), tokens):
        yield Refusal("campanile.scoring.tokens", {"tokens": tokens}, "/seats", because)
