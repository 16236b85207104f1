"""Everything impossible in a state: too many of a component, or a position that no game can reach.

One check per fault, named by the id of its rule, whose refusal describes the fault.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from capomastro.engine import audits
from capomastro.engine.audits import SetupStep, seats_untouched, shortage_findings, untouched_findings
from capomastro.engine.decisions import GameOver, type_of
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.campanile import stages
from capomastro.games.campanile.components import (
    DISPLAY_SIZE,
    FIRST_INTERMEZZO,
    FLOORS,
    HAND_SIZE,
    LAST_CARDS,
    SIZES,
    STYLES,
    VALUES,
    cards_after_dealing,
    copies,
)
from capomastro.games.campanile.courses import turns_of_seat
from capomastro.games.campanile.decisions import cannot_move, cannot_place
from capomastro.games.campanile.deck import drawn_cards, intermezzo_place, unseen_cards
from capomastro.games.campanile.rows import marker_findings, markers_by_seat, row_findings
from capomastro.games.campanile.scoring import intermezzo, tokens_won
from capomastro.games.campanile.state import Options, SettledOptions, State, Tower
from capomastro.games.campanile.tokens import tokens_possible


def findings(state: State) -> Iterator[Refusal]:
    """All findings; none for a possible state."""
    players = len(state.seats)
    if refusal := refuse_options(players, state.options):
        yield refusal.below("/options")
    if state.active_seat >= players:
        yield refuse("campanile.turn.seats", "/active_seat", seat=state.active_seat, players=players)
    unseen = unseen_cards(state)
    left = sum(unseen.values()) - sum([seat.hand.unknown_size for seat in state.seats])
    towers = facts_of(tuple(state.towers.values()), players)
    yield from card_findings(state, unseen, left)
    if not towers.are_sound or towers.without_cards:
        yield from tower_findings(state)
        yield from marker_findings(towers.markers, "/towers")
    if isinstance(state.stage, (stages.DealCard, stages.RevealSetupCard)):
        yield from setup_findings(state)
    else:
        yield from turn_findings(state, towers.turns, towers.markers)
        yield from raising_findings(state, towers)
    yield from intermezzo_findings(state, left)


@lru_cache(maxsize=256)
def refuse_options(players: int, options: Options | SettledOptions) -> Refusal | None:
    """Why these options do not fit the number of players."""
    if options.move_medium_marker and players != 2:
        return refuse("campanile.variant.two-players", "/move_medium_marker", players=players)
    after = options.intermezzo_after
    highest = cards_after_dealing(players) - LAST_CARDS
    if isinstance(after, int) and not FIRST_INTERMEZZO <= after <= highest:
        return refuse(
            "campanile.setup.intermezzo", "/intermezzo_after", after=after, lowest=FIRST_INTERMEZZO, highest=highest
        )
    return None


def card_findings(state: State, unseen: dict[str, int], left: int) -> Iterator[Refusal]:
    """Each style occurs as often as in the box."""
    if min(unseen.values()) < 0:
        box = dict.fromkeys(STYLES, copies(len(state.seats)))
        yield from shortage_findings("campanile.components.tower-cards", unseen, box)
    if left < 0:
        yield refuse("campanile.components.deck", "", cards=-left)


class Raisings(NamedTuple):
    """What the heights of the towers say of the turns.

    `fewest`, `most`: how many cards can have added three floors; `extra`: floors beyond one per card.
    """

    fewest: int
    most: int
    extra: int


class TowerFacts(NamedTuple):
    """What follows from the towers alone, which stay the same for many moves."""

    turns: int
    """The number of cards in them."""
    markers: list[list[str]]
    """The markers of each player."""
    raisings: Raisings | None
    """None if a height is impossible."""
    are_sound: bool
    """Whether heights, rows and numbers of markers are possible."""
    without_cards: bool
    """Whether there are markers under one without cards: possible while its style is in sight."""


@lru_cache(maxsize=4096)
def facts_of(towers: tuple[Tower, ...], players: int) -> TowerFacts:
    """The facts about the towers; remembered."""
    markers = markers_by_seat([tower.rows for tower in towers], players)
    raisings = raisings_of(towers)
    rows_are_sound = not any(any(row_findings(tower.rows, players, "")) for tower in towers)
    return TowerFacts(
        sum([tower.cards for tower in towers]),
        markers,
        raisings,
        raisings is not None and rows_are_sound and not any(marker_findings(markers, "")),
        any(tower.rows and not tower.cards for tower in towers),
    )


def raisings_of(towers: Sequence[Tower]) -> Raisings | None:
    """A tower of c cards and h floors had at least h - 2c and at most (h - c) / 2 raises by three."""
    fewest = most = extra = 0
    for tower in towers:
        above = tower.height - tower.cards
        if not 0 <= above <= (max(FLOORS) - 1) * tower.cards:
            return None
        fewest += max(0, above - tower.cards)
        most += above // 2
        extra += above
    return Raisings(fewest, most, extra)


def tower_findings(state: State) -> Iterator[Refusal]:
    """Each tower separately."""
    players = len(state.seats)
    for style in STYLES:
        tower = state.towers[style]
        if not tower.cards <= tower.height <= max(FLOORS) * tower.cards:
            yield refuse("campanile.tower.floors", f"/towers/{style}/height", height=tower.height, cards=tower.cards)
        yield from row_findings(tower.rows, players, f"/towers/{style}/rows")
        seen = tower.cards or style in state.display or any(style in seat.hand.open for seat in state.seats)
        if tower.rows and not seen:
            yield refuse("campanile.marker.never-displayed", f"/towers/{style}/rows", tower=style)


# --- set-up ----------------------------------------------------------------------------------------------------------


BEGINNING: Mapping[str, Any] = {"active_seat": 0, "intermezzo_seen": False}
BEGINNING_OF_TOWER: Mapping[str, Any] = {"cards": 0, "height": 0, "rows": ()}
"""What the set-up does not change."""


def setup_findings(state: State) -> Iterator[Refusal]:
    """During the set-up, cards are dealt and turned up in order, one per move; nothing else changes."""
    dealt = [seat.hand.size for seat in state.seats]
    steps = (
        SetupStep("/seats", (stages.DealCard,), HAND_SIZE * len(dealt), dealt, [HAND_SIZE] * len(dealt)),
        SetupStep("/display", (stages.RevealSetupCard,), DISPLAY_SIZE, [len(state.display)]),
    )
    yield from audits.setup_findings(state, steps, stages.PlayCard)
    towers = [(f"/towers/{style}", state.towers[style], BEGINNING_OF_TOWER) for style in STYLES]
    parts = (("", state, BEGINNING), *seats_untouched(state, {"tokens": ()}), *towers)
    yield from untouched_findings("campanile.setup.untouched", parts)


# --- turns -----------------------------------------------------------------------------------------------------------


def turn_findings(state: State, turns: int, markers: list[list[str]]) -> Iterator[Refusal]:
    """Whose turn it is, and how many cards and markers everybody can have, after `turns` turns were begun."""
    stage, players = state.stage, len(state.seats)
    ended = turns if isinstance(stage, stages.PlayCard) else turns - 1
    if ended < 0:
        yield refuse("campanile.turn.begun", "/towers", decision=type_of(type(stage)))
        return
    active, placing = ended % players, isinstance(stage, stages.PlaceMarker)
    if state.active_seat != active and state.active_seat < players:
        yield refuse("campanile.turn.order", "/active_seat", seat=state.active_seat, expected=active, turns=ended)
    taking = placing or isinstance(stage, stages.TakeCard)
    for index, seat in enumerate(state.seats):
        begun = turns_of_seat(index, turns, players)
        short = taking and index == active
        size, known = seat.hand.size, len(seat.hand.open)
        if size != HAND_SIZE - short:
            yield refuse("campanile.hand.size", f"/seats/{index}/hand", cards=size, expected=HAND_SIZE - short)
        taken = begun - short
        if known > taken:
            yield refuse("campanile.hand.open", f"/seats/{index}/hand/open", known=known, taken=taken)
        placed, chances = len(markers[index]), begun - (placing and index == active)
        if placed > chances:
            yield refuse("campanile.marker.one-a-turn", "/towers", seat=index, placed=placed, turns=chances)
    face_up = DISPLAY_SIZE - isinstance(stage, stages.RefillDisplay | GameOver)
    if len(state.display) != face_up:
        yield refuse("campanile.take.three", "/display", cards=len(state.display), expected=face_up)
    yield from ply_findings(state, ended)
    if isinstance(stage, stages.PlaceMarker) and (refusal := cannot_place(state)) and cannot_move(state):
        yield Refusal(refusal.rule, refusal.numbers, "/stage")


MOVES_SO_FAR = {
    stages.PlayCard: (0, 0),
    stages.PlaceMarker: (1, 1),
    stages.TakeCard: (1, 2),
    stages.RefillDisplay: (2, 3),
    GameOver: (3, 4),
}
"""The minimum and maximum number of moves in a turn before each of its stages: B can be skipped."""


def ply_findings(state: State, ended: int) -> Iterator[Refusal]:
    """Every turn has three or four moves, plus one that reveals the Intermezzo."""
    setup = HAND_SIZE * len(state.seats) + DISPLAY_SIZE + state.intermezzo_seen
    whole_turn = MOVES_SO_FAR[GameOver]
    begun = MOVES_SO_FAR[type(state.stage)]
    fewest, most = (setup + ended * whole + part for whole, part in zip(whole_turn, begun, strict=True))
    if not fewest <= state.ply <= most:
        yield refuse("campanile.turn.ply", "/ply", ply=state.ply, fewest=fewest, most=most)


def raising_findings(state: State, towers: TowerFacts) -> Iterator[Refusal]:
    """Every marker needs a turn that added as many floors as its value.

    The floors added by each card are not recorded; but from bounds of the raises by three follow those by one and two.
    """
    if towers.raisings is None:
        return
    fewest, most, extra = towers.raisings
    everybodys = [marker for mine in towers.markers for marker in mine]
    needed = {size: everybodys.count(size) for size in VALUES}
    if isinstance(state.stage, stages.PlaceMarker):
        needed[SIZES[state.stage.floors]] += 1
    # with t raises by three there were extra - 2t by two, and turns - extra + t by one
    at_least = max(fewest, needed["large"], needed["small"] - towers.turns + extra)
    at_most = min(most, (extra - needed["medium"]) // 2)
    if at_least > at_most:
        floors = sum([tower.height for tower in state.towers.values()])
        yield refuse("campanile.marker.raisings", "/towers", cards=towers.turns, floors=floors, **needed)


# --- the Intermezzo and the Finito -----------------------------------------------------------------------------------


def intermezzo_findings(state: State, left: int) -> Iterator[Refusal]:
    """The Intermezzo comes at its place and gives tokens that its flags allow; the Finito comes among the last eleven.

    If the Intermezzo has just been revealed, nothing has changed since, and the tokens are known exactly.
    """
    drawn = drawn_cards(state, left)
    at_once = isinstance(state.stage, stages.RefillDisplay | GameOver)  # no card need have been turned up after it
    lowest, highest = intermezzo_place(state)
    if drawn < lowest + (not at_once) if state.intermezzo_seen else drawn > highest:
        yield refuse(
            "campanile.deck.intermezzo-place",
            "/intermezzo_seen",
            intermezzo_seen=state.intermezzo_seen,
            drawn=drawn,
            lowest=lowest,
            highest=highest,
        )
    if isinstance(state.stage, GameOver):
        if not state.intermezzo_seen:
            yield refuse("campanile.deck.intermezzo-first", "/stage")
        if left > LAST_CARDS:
            yield refuse("campanile.deck.finito-last", "/stage", left=left, most=LAST_CARDS)
    tokens = tuple([seat.tokens for seat in state.seats])
    if state.intermezzo_seen and at_once and drawn == lowest:
        scoring = intermezzo(len(tokens), state.options.tower_order, state.towers)
        if not all(mine == tokens_won(scoring, seat) for seat, mine in enumerate(tokens)):
            yield refuse("campanile.scoring.tokens-now", "/seats", tokens=tokens)
    elif any(tokens):
        yield from token_findings(state, tokens)


def token_findings(state: State, tokens: tuple[tuple[int, ...], ...]) -> Iterator[Refusal]:
    """Tokens that an earlier Intermezzo cannot have given."""
    if not state.intermezzo_seen:
        yield refuse("campanile.scoring.tokens-early", "/seats", tokens=tokens)
        return
    turns = turns_before_intermezzo(state)
    begun = [turns_of_seat(seat, turns, len(tokens)) for seat in range(len(tokens))]
    for seat, (mine, most) in enumerate(zip(tokens, begun, strict=True)):
        if len(mine) > most:
            yield refuse(
                "campanile.scoring.tokens-turns", f"/seats/{seat}/tokens", seat=seat, there=len(mine), turns=most
            )
            return
    if not tokens_possible(tokens, [state.towers[style].rows for style in STYLES], state.options.move_medium_marker):
        yield refuse("campanile.scoring.tokens", "/seats", tokens=tokens)


def turns_before_intermezzo(state: State) -> int:
    """The number of turns before the Intermezzo; a maximum, if its position was unknown.

    Three cards were turned up before the first turn, and one in every turn except the one that revealed the Intermezzo.
    """
    _, latest = intermezzo_place(state)
    return latest - DISPLAY_SIZE + 1
