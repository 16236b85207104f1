"""Every decision of Campanile, in the order of the rulebook: legal moves, refusals, effects."""

from collections.abc import Sequence

from msgspec.structs import replace

from capomastro.engine.cards import DealHandsRule
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.events import Effect
from capomastro.engine.hands import gain_open, lose
from capomastro.engine.multisets import kinds, minus, plus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.rules import BareRule, ChanceRule, SureRule
from capomastro.engine.seats import next_seat, with_seat
from capomastro.engine.stages import GameOver, stage_of
from capomastro.games.campanile import components as box
from capomastro.games.campanile import events, moves, stages
from capomastro.games.campanile.deck import deck, next_cards, why_not_in_hand, why_not_next
from capomastro.games.campanile.rows import has_marker, markers_left, with_marker, with_rows, without_marker
from capomastro.games.campanile.scoring import intermezzo, tokens_won
from capomastro.games.campanile.state import Seat, State, Tower

# --- set-up ----------------------------------------------------------------------------------------------------------


class DealCardRule(DealHandsRule[State, moves.DealCard]):
    """Three secret cards to seat 0, then three to seat 1, and so on."""

    rules = ("campanile.setup.order", "campanile.setup.step")
    refuses = "campanile.components.tower-cards"
    hand_size = box.HAND_SIZE
    following = stages.RevealSetupCard()

    def outcomes(self, state: State) -> Outcomes:
        return deck(state).next_cards()

    def refusal(self, state: State, move: moves.DealCard) -> Refusal | None:
        if move.card is not None and deck(state).unseen.get(move.card, 0) < 1:
            return refuse(self.refuses, "/card", component=move.card, box=box.copies(len(state.seats)))
        return None


class RevealCardRule(ChanceRule[State, moves.RevealCard]):
    """The next card of the deck: a tower card, the Intermezzo at its place, after it the Finito among the last ten."""

    refuses = "campanile.components.tower-cards"

    def outcomes(self, state: State) -> Outcomes:
        return next_cards(state)

    def refusal(self, state: State, move: moves.RevealCard) -> Refusal | None:
        return why_not_next(state, move.card)


class RevealSetupCardRule(RevealCardRule):
    """Three cards are the first display."""

    rules = ("campanile.setup.order", "campanile.setup.step")

    def play(self, state: State, move: moves.RevealCard) -> Effect[State]:
        display = plus(state.display, (move.card,))
        stage = stages.PlayCard() if len(display) == box.DISPLAY_SIZE else state.stage
        return replace(state, display=display, stage=stage), [events.CardRevealed(move.card)]


# --- A: play a tower card --------------------------------------------------------------------------------------------


class PlayCardRule(SureRule[State, moves.PlayCard]):
    """A card from the hand is played on the tower of its style and adds 1, 2 or 3 floors; every known card is legal."""

    rules = ("campanile.turn.steps", "campanile.tower.floors", "campanile.tower.never-lower")

    def candidates(self, state: State) -> Sequence[moves.PlayCard]:
        seat = state.active_seat
        return [
            moves.PlayCard(seat, card, floors) for card in kinds(state.seats[seat].hand.known) for floors in box.FLOORS
        ]

    def refusal(self, state: State, move: moves.PlayCard) -> Refusal | None:
        return why_not_in_hand(state, move.seat, move.card, "/card")

    def play(self, state: State, move: moves.PlayCard) -> Effect[State]:
        before = state.towers[move.card]
        tower = Tower(before.height + move.floors, before.cards + 1, before.rows)
        raised = replace(
            state,
            seats=with_seat(state, move.seat, hand=lose(state.seats[move.seat].hand, (move.card,))),
            towers={**state.towers, move.card: tower},
            stage=stages.PlaceMarker(move.floors),
        )
        happened = events.TowerRaised(move.seat, move.card, move.floors, tower.height)
        if why_not_place(raised) and why_not_move(raised):
            return replace(raised, stage=stages.TakeCard()), [happened]
        return raised, [happened]


# --- B: place an influence marker, or go without ---------------------------------------------------------------------


def why_not_place(state: State) -> Refusal | None:
    """A marker of the value of the floors just added must be left."""
    size = box.SIZES[stage_of(state, stages.PlaceMarker).floors]
    if markers_left(state, state.active_seat, size) < 1:
        return refuse("campanile.marker.reserve", "/type", size=size, owned=box.MARKERS[size], seat=state.active_seat)
    return None


def why_not_move(state: State) -> Refusal | None:
    """A medium marker must be able to move to a tower in the display, as the variant has it."""
    if refusal := why_not_variant(state):
        return refusal
    if not possible_marker_moves(state):
        return refuse("campanile.variant.nothing-to-move", "/type", seat=state.active_seat, display=state.display)
    return None


def why_not_variant(state: State) -> Refusal | None:
    """Markers move only in the variant, and only after exactly two floors."""
    if not state.options.move_medium_marker:
        return refuse("campanile.variant.off", "/type")
    floors = stage_of(state, stages.PlaceMarker).floors
    if floors != box.VALUES[box.MEDIUM]:
        return refuse("campanile.variant.two-floors", "/type", floors=floors)
    return None


def possible_marker_moves(state: State) -> list[moves.MoveMarker]:
    """From every tower with one of the player's medium markers to every other tower in the display."""
    seat = state.active_seat
    sources = [style for style in box.STYLES if has_marker(state.towers[style].rows, seat, box.MEDIUM)]
    destinations = kinds(state.display)
    return [moves.MoveMarker(seat, source, tower) for source in sources for tower in destinations if tower != source]


def why_not_displayed(state: State, tower: str, pointer: str) -> Refusal | None:
    """A marker can only go under a tower whose style is in the display."""
    if tower not in state.display:
        return refuse("campanile.marker.display", pointer, tower=tower, display=state.display)
    return None


class PlaceMarkerRule(SureRule[State, moves.PlaceMarker]):
    """Places a marker whose value equals the floors just added, under any tower in the display."""

    rules = ("campanile.marker.one-a-turn", "campanile.marker.value", "campanile.marker.stays")

    def why_unavailable(self, state: State) -> Refusal | None:
        return why_not_place(state)

    def candidates(self, state: State) -> Sequence[moves.PlaceMarker]:
        return [moves.PlaceMarker(state.active_seat, tower) for tower in kinds(state.display)]

    def refusal(self, state: State, move: moves.PlaceMarker) -> Refusal | None:
        return why_not_displayed(state, move.tower, "/tower")

    def play(self, state: State, move: moves.PlaceMarker) -> Effect[State]:
        size = box.SIZES[stage_of(state, stages.PlaceMarker).floors]
        rows = with_marker(state.towers[move.tower].rows, move.seat, size)
        placed = replace(state, towers=with_rows(state.towers, move.tower, rows), stage=stages.TakeCard())
        return placed, [events.MarkerPlaced(move.seat, move.tower, size)]


class MoveMarkerRule(SureRule[State, moves.MoveMarker]):
    """Variant for two players: after adding two floors, the player may move a medium marker into the display."""

    rules = ("campanile.variant.reserve",)

    def why_unavailable(self, state: State) -> Refusal | None:
        return why_not_move(state)

    def candidates(self, state: State) -> Sequence[moves.MoveMarker]:
        return possible_marker_moves(state)

    def refusal(self, state: State, move: moves.MoveMarker) -> Refusal | None:
        # checked first: without the variant, it does not matter which marker was meant
        if refusal := why_not_variant(state):
            return refusal
        if not has_marker(state.towers[move.source].rows, move.seat, box.MEDIUM):
            return refuse("campanile.variant.source", "/source", tower=move.source, seat=move.seat)
        if move.destination == move.source:
            return refuse("campanile.variant.another-tower", "/destination", tower=move.source)
        return why_not_displayed(state, move.destination, "/destination")

    def play(self, state: State, move: moves.MoveMarker) -> Effect[State]:
        left = without_marker(state.towers[move.source].rows, move.seat, box.MEDIUM)
        joined = with_marker(state.towers[move.destination].rows, move.seat, box.MEDIUM)
        towers = with_rows(with_rows(state.towers, move.source, left), move.destination, joined)
        moved = events.MarkerMoved(move.seat, move.source, move.destination, box.MEDIUM)
        return replace(state, towers=towers, stage=stages.TakeCard()), [moved]


class NoMarkerRule(BareRule[State, moves.NoMarker]):
    """Placing a marker is never compulsory."""

    rules = ("campanile.marker.optional",)

    def play(self, state: State, move: moves.NoMarker) -> Effect[State]:
        return replace(state, stage=stages.TakeCard()), [events.NoMarker(move.seat)]


# --- C: take a card of the display -----------------------------------------------------------------------------------


class TakeCardRule(SureRule[State, moves.TakeCard]):
    """The player takes one of the three cards in the display."""

    rules = ("campanile.hand.size", "campanile.hand.open")

    def candidates(self, state: State) -> Sequence[moves.TakeCard]:
        return [moves.TakeCard(state.active_seat, card) for card in kinds(state.display)]

    def refusal(self, state: State, move: moves.TakeCard) -> Refusal | None:
        if move.card not in state.display:
            return refuse("campanile.take.display", "/card", card=move.card, display=state.display)
        return None

    def play(self, state: State, move: moves.TakeCard) -> Effect[State]:
        taken = replace(
            state,
            seats=with_seat(state, move.seat, hand=gain_open(state.seats[move.seat].hand, (move.card,))),
            display=minus(state.display, (move.card,)),
            stage=stages.RefillDisplay(),
        )
        return taken, [events.CardsTaken(move.seat, (move.card,))]


class RefillDisplayRule(RevealCardRule):
    """A tower card ends the turn; the Intermezzo is scored, and another card follows; the Finito ends the game."""

    rules = ("campanile.take.three", "campanile.turn.order", "campanile.end.finito")

    def play(self, state: State, move: moves.RevealCard) -> Effect[State]:
        revealed = events.CardRevealed(move.card)
        if move.card == box.FINITO:  # the final scoring follows in `Campanile.final_events`
            return replace(state, stage=GameOver()), [revealed]
        if move.card == box.INTERMEZZO:
            scoring = intermezzo(len(state.seats), state.options.tower_order, state.towers)
            seats = tuple(Seat(seat.hand, tokens_won(scoring, index)) for index, seat in enumerate(state.seats))
            # the stage stays: a tower card has yet to fill the display
            return replace(state, seats=seats, intermezzo_seen=True), [revealed, *events.of_scoring(scoring)]
        following = replace(
            state,
            display=plus(state.display, (move.card,)),
            active_seat=next_seat(state, state.active_seat),
            stage=stages.PlayCard(),
        )
        return following, [revealed]


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS: tuple[SeatDecision[State] | ChanceDecision[State], ...] = (
    ChanceDecision(stages.DealCard, DealCardRule()),
    ChanceDecision(stages.RevealSetupCard, RevealSetupCardRule()),
    SeatDecision(stages.PlayCard, (PlayCardRule(),)),
    SeatDecision(stages.PlaceMarker, (PlaceMarkerRule(), MoveMarkerRule(), NoMarkerRule())),
    SeatDecision(stages.TakeCard, (TakeCardRule(),)),
    ChanceDecision(stages.RefillDisplay, RefillDisplayRule()),
)
