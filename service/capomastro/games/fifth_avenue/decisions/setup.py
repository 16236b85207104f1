"""Set-up: businesses, cards, first buildings."""

from functools import lru_cache
from math import factorial

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.dealing import dealt, next_to_be_dealt
from capomastro.engine.decisions import (
    ChanceDecision,
    ChanceRule,
    ListedSource,
    MappedMoves,
    MoveRule,
    Moves,
    Played,
    SeatDecision,
    Stage,
    stage_of,
)
from capomastro.engine.multisets import plus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.seats import replaced
from capomastro.games.fifth_avenue import events, moves, stages
from capomastro.games.fifth_avenue.components import (
    COLOURLESS,
    COLOURS,
    DEALT_PILES,
    DISTRICTS,
    FIRST_BUILDINGS,
    GROUPS,
    HAND_SIZE,
    MAXIMUM_PER_COLOUR,
)
from capomastro.games.fifth_avenue.lots import EMPTY, Lot, has_building, places_for_first_building
from capomastro.games.fifth_avenue.piles import first_without_top, next_cards, next_tops, top_revealed
from capomastro.games.fifth_avenue.state import State
from capomastro.games.fifth_avenue.supplies import group_to_fill, next_businesses

# --- businesses ------------------------------------------------------------------------------------------------------


class DrawStartingBusinessRule(ChanceRule[State, moves.DrawBusiness]):
    """A tile for every district, which has a fixed lot on the board with six lots."""

    rules = ("fifth-avenue.setup.starting-business", "fifth-avenue.setup.starting-lot", "fifth-avenue.setup.order")
    refuses = "fifth-avenue.draw.business"

    def outcomes(self, state: State) -> Outcomes:
        return next_businesses(state)

    def play(self, state: State, move: moves.DrawBusiness) -> Played[State]:
        if state.options.six_lots:
            return business_laid(state, move.business, COLOURLESS)
        drawn = replace(state, stage=stages.DrawStartingLot(move.business))
        return drawn, [events.BusinessDrawn(move.business, district=next_district(state))]


def next_district(state: State) -> str:
    """The first district without a starting business: each has one, in their order."""
    return DISTRICTS[len(state.districts.businesses)]


def business_laid(state: State, business: str, lot: str) -> Played[State]:
    name = next_district(state)
    laid_out = replace(
        state,
        districts=state.districts.with_lot(name, lot, Lot((business,))),
        stage=stages.DrawRowBusiness() if name == DISTRICTS[-1] else stages.DrawStartingBusiness(),
    )
    return laid_out, [events.StartingBusinessLaid(business, name, lot)]


@lru_cache(maxsize=4096)
def completions(used: tuple[int, ...], every_colour: bool) -> int:
    """The number of ways to fill the rest of the seven districts, given how often the colours have been used.

    No colour occurs more than twice; `every_colour`: each occurs at least once.
    """
    left = len(DISTRICTS) - sum(used)

    def arrangements(index: int, places: int) -> int:
        if index == len(used):
            return factorial(left) if not places else 0
        fewest = max(0, 1 - used[index]) if every_colour else 0
        return sum(
            arrangements(index + 1, places - more) // factorial(more)
            for more in range(fewest, min(MAXIMUM_PER_COLOUR - used[index], places) + 1)
        )

    return arrangements(0, left)


def colours_used(state: State) -> tuple[int, ...]:
    """The number of starting businesses on lots of each colour."""
    used = [colour for _, lots in state.districts.open for colour in lots.facts.with_business]
    return tuple([used.count(colour) for colour in COLOURS])


@lru_cache(maxsize=4096)
def lot_weights(used: tuple[int, ...]) -> dict[str, int]:
    """For every colour that may still be used, the number of arrangements of the rest, in ascending order."""
    following = {
        colour: (*used[:index], used[index] + 1, *used[index + 1 :])
        for index, colour in enumerate(COLOURS)
        if used[index] < MAXIMUM_PER_COLOUR
    }
    weights = {colour: completions(after, every_colour=True) for colour, after in sorted(following.items())}
    if any(weights.values()):
        return weights
    return {colour: completions(after, every_colour=False) for colour, after in sorted(following.items())}


class DrawStartingLotRule(ChanceRule[State, moves.DrawLot]):
    """Its lot: no colour is used more than twice; our own draws use every colour."""

    rules = ("fifth-avenue.setup.starting-lot", "fifth-avenue.setup.order")
    refuses = "fifth-avenue.setup.lot-colours"

    def outcomes(self, state: State) -> Outcomes:
        return Outcomes(lot_weights(colours_used(state)))

    def play(self, state: State, move: moves.DrawLot) -> Played[State]:
        return business_laid(state, stage_of(state, stages.DrawStartingLot).business, move.lot)


class DrawRowBusinessRule(ChanceRule[State, moves.DrawBusiness]):
    """Twenty tiles are laid out group by group."""

    rules = ("fifth-avenue.setup.row-groups", "fifth-avenue.setup.order")
    refuses = "fifth-avenue.draw.business"

    def outcomes(self, state: State) -> Outcomes:
        return next_businesses(state)

    def play(self, state: State, move: moves.DrawBusiness) -> Played[State]:
        group = group_to_fill(state)
        tiles = plus(state.row[group], (move.business,))
        full = group == GROUPS - 1 and len(tiles) == state.options.row_groups[group]
        laid_out = replace(
            state, row=replaced(state.row, group, tiles), stage=stages.DealCard() if full else state.stage
        )
        return laid_out, [events.BusinessDrawn(move.business, group=group)]


# --- cards -----------------------------------------------------------------------------------------------------------


class DealCardRule(ChanceRule[State, moves.DealCard]):
    """Every seat in turn gets one card of each colour and four black ones."""

    rules = (
        "fifth-avenue.setup.hand",
        "fifth-avenue.setup.order",
        "fifth-avenue.setup.secret",
        "fifth-avenue.cards.secret",
    )
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_cards(state, next_pile(state))

    def sole_witness(self, state: State) -> int:
        return next_to_be_dealt(state, HAND_SIZE)

    def play(self, state: State, move: moves.DealCard) -> Played[State]:
        seat, pile = self.sole_witness(state), next_pile(state)
        return dealt(state, seat, move.card, pile, HAND_SIZE, stages.RevealFirstTop), [events.CardDealt(seat, pile)]


def next_pile(state: State) -> str:
    """The pile of the next card dealt."""
    return DEALT_PILES[state.seats[next_to_be_dealt(state, HAND_SIZE)].hand.size]


class RevealTopsRule(ChanceRule[State, moves.RevealCard]):
    """The next card of the first coloured pile without a visible one; the stage `following` comes after the last."""

    refuses = "fifth-avenue.draw.card"
    following: Stage

    def outcomes(self, state: State) -> Outcomes:
        return next_tops(state)

    def play(self, state: State, move: moves.RevealCard) -> Played[State]:
        revealed = top_revealed(state, move.card)
        if first_without_top(revealed) is None:
            revealed = replace(revealed, stage=self.following)
        return revealed, [events.CardRevealed(move.card)]


class RevealFirstTopRule(RevealTopsRule):
    """The top card of each coloured pile is turned up."""

    rules = ("fifth-avenue.setup.order", "fifth-avenue.cards.top")
    following = stages.PlaceFirstBuilding()


# --- first buildings -------------------------------------------------------------------------------------------------


def first_buildings(state: State) -> int:
    """The number of first buildings placed, each on a different lot."""
    return sum([len(lots.facts.built) for _, lots in state.districts.open])


def order_of_builders(players: int) -> list[int]:
    """Seat 0, then counter-clockwise; the second buildings in reverse order."""
    order = [-steps % players for steps in range(players)]
    return order + order[::-1]


def first_builder(state: State) -> int:
    """The seat that places the next of the first buildings."""
    return order_of_builders(len(state.seats))[first_buildings(state)]


def refuse_no_lot(state: State, district: str, lot: str) -> Refusal | None:
    """A refusal if the lot does not exist: its district is closed, or it is on the other side of the board."""
    lots = state.districts[district]
    if lots is None:
        return refuse("fifth-avenue.stop.closed", "/district", district=district)
    if lot not in lots.facts.lots:
        return refuse("fifth-avenue.map.lots", "/lot", lot=lot)
    return None


class PlaceFirstBuildingRule(MoveRule[State, moves.PlaceFirstBuilding]):
    """Places a building on an empty lot; the second one goes in another district."""

    rules = ("fifth-avenue.setup.first-buildings", "fifth-avenue.setup.order")

    def refusal(self, state: State, move: moves.PlaceFirstBuilding) -> Refusal | None:
        if refusal := refuse_no_lot(state, move.district, move.lot):
            return refusal
        lots = state.districts.known_open(move.district)
        if lots[move.lot] != EMPTY:
            return refuse("fifth-avenue.setup.free-lot", "/lot", lot=move.lot, district=move.district)
        if has_building(lots, move.seat):
            return refuse("fifth-avenue.setup.other-district", "/district", district=move.district)
        return None

    def offered(self, state: State) -> Moves:
        """Found district by district, which is faster than judging every lot of the board."""
        seat = first_builder(state)
        places = ListedSource(places_for_first_building(state.districts, seat))
        return MappedMoves(places, lambda at: moves.PlaceFirstBuilding(seat, at[0], at[1]))

    def play(self, state: State, move: moves.PlaceFirstBuilding) -> Played[State]:
        placed = replace(
            state, districts=state.districts.with_lot(move.district, move.lot, Lot(owner=move.seat, buildings=1))
        )
        if first_buildings(placed) == FIRST_BUILDINGS * len(state.seats):
            placed = replace(placed, stage=stages.ChooseOption())
        return placed, [events.Built(move.seat, move.district, move.lot, 1)]


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS = (
    ChanceDecision(stages.DrawStartingBusiness, DrawStartingBusinessRule()),
    ChanceDecision(stages.DrawStartingLot, DrawStartingLotRule()),
    ChanceDecision(stages.DrawRowBusiness, DrawRowBusinessRule()),
    ChanceDecision(stages.DealCard, DealCardRule()),
    ChanceDecision(stages.RevealFirstTop, RevealFirstTopRule()),
    SeatDecision(stages.PlaceFirstBuilding, (PlaceFirstBuildingRule(),), first_builder),
)
