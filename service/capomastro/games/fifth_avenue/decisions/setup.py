"""Set-up: businesses, cards, first buildings."""

from collections.abc import Iterable
from itertools import product

from msgspec.structs import astuple, replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.dealing import dealt, next_to_be_dealt
from capomastro.engine.decisions import ChanceDecision, ChanceRule, Played, SeatDecision, Stage, SureRule, stage_of
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
from capomastro.games.fifth_avenue.lots import (
    EMPTY,
    Lot,
    business_lots,
    businesses_on,
    empty_lots,
    has_building,
    lots_in,
)
from capomastro.games.fifth_avenue.state import State
from capomastro.games.fifth_avenue.supplies import (
    group_to_fill,
    next_businesses,
    next_cards,
    pile_to_reveal,
    reveal_top,
)

# --- businesses ------------------------------------------------------------------------------------------------------


class DrawStartingBusinessRule(ChanceRule[State, moves.DrawBusiness]):
    """A tile for every district, which has a fixed lot on the board with six lots."""

    rules = ("fifth-avenue.setup.starting-business", "fifth-avenue.setup.starting-lot", "fifth-avenue.setup.order")
    refuses = "fifth-avenue.draw.business"

    def outcomes(self, state: State) -> Outcomes:
        return next_businesses(state)

    def play(self, state: State, move: moves.DrawBusiness) -> Played[State]:
        if state.options.six_lots:
            return lay_business(state, move.business, COLOURLESS)
        drawn = replace(state, stage=stages.DrawStartingLot(move.business))
        return drawn, [events.BusinessDrawn(move.business, district=next_district(state))]


def next_district(state: State) -> str:
    """The first district without a starting business: each has one, in their order."""
    return DISTRICTS[len(businesses_on(state.districts))]


def lay_business(state: State, business: str, lot: str) -> Played[State]:
    name = next_district(state)
    laid_out = replace(
        state,
        districts=state.districts.with_lot(name, lot, Lot((business,))),
        stage=stages.DrawRowBusiness() if name == DISTRICTS[-1] else stages.DrawStartingBusiness(),
    )
    return laid_out, [events.StartingBusinessLaid(business, name, lot)]


Used = tuple[int, ...]
"""How many starting businesses are on lots of each colour, in the order of the colours."""


def colours_used(state: State) -> Used:
    """The number of starting businesses on lots of each colour."""
    used = [colour for _, district in state.districts.open for colour in business_lots(district)]
    return tuple([used.count(colour) for colour in COLOURS])


def with_one_more(used: Used) -> dict[str, Used]:
    """`used` after one more starting business, by the colour of its lot, in ascending order."""
    after = {
        colour: (*used[:index], used[index] + 1, *used[index + 1 :])
        for index, colour in enumerate(COLOURS)
        if used[index] < MAXIMUM_PER_COLOUR
    }
    return dict(sorted(after.items()))


def count_completions(fewest: int) -> dict[Used, int]:
    """The ways to fill the rest of the seven districts: no colour more than twice, each at least `fewest` times."""
    completions: dict[Used, int] = {}
    for used in sorted(product(range(MAXIMUM_PER_COLOUR + 1), repeat=len(COLOURS)), key=sum, reverse=True):
        if sum(used) < len(DISTRICTS):
            completions[used] = sum([completions[after] for after in with_one_more(used).values()])
        else:
            completions[used] = int(sum(used) == len(DISTRICTS) and min(used) >= fewest)
    return completions


WITH_EVERY_COLOUR = count_completions(fewest=1)
WITH_ANY_COLOURS = count_completions(fewest=0)


def lot_weights(used: Used) -> dict[str, int]:
    """For every colour that may still be used, the arrangements of the rest: those with every colour, if possible."""
    completions = WITH_EVERY_COLOUR if WITH_EVERY_COLOUR[used] else WITH_ANY_COLOURS
    return {colour: completions[after] for colour, after in with_one_more(used).items()}


class DrawStartingLotRule(ChanceRule[State, moves.DrawLot]):
    """Its lot: no colour is used more than twice; our own draws use every colour."""

    rules = ("fifth-avenue.setup.starting-lot", "fifth-avenue.setup.order")
    refuses = "fifth-avenue.setup.lot-colours"

    def outcomes(self, state: State) -> Outcomes:
        return Outcomes(lot_weights(colours_used(state)))

    def play(self, state: State, move: moves.DrawLot) -> Played[State]:
        return lay_business(state, stage_of(state, stages.DrawStartingLot).business, move.lot)


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
        pile = pile_to_reveal(state)
        assert pile is not None
        return pile.next_cards()

    def play(self, state: State, move: moves.RevealCard) -> Played[State]:
        revealed = reveal_top(state, move.card)
        if pile_to_reveal(revealed) is None:
            revealed = replace(revealed, stage=self.following)
        return revealed, [events.CardRevealed(move.card)]


class RevealFirstTopRule(RevealTopsRule):
    """The top card of each coloured pile is turned up."""

    rules = ("fifth-avenue.setup.order", "fifth-avenue.cards.top")
    following = stages.PlaceFirstBuilding()


# --- first buildings -------------------------------------------------------------------------------------------------


def first_buildings(state: State) -> int:
    """The number of first buildings placed."""
    return sum([lot.buildings for lot in lots_in(*astuple(state.districts))])


def order_of_builders(players: int) -> list[int]:
    """Seat 0, then counter-clockwise; the second buildings in reverse order."""
    order = [-steps % players for steps in range(players)]
    return order + order[::-1]


def first_builder(state: State) -> int:
    """The seat that places the next of the first buildings."""
    return order_of_builders(len(state.seats))[first_buildings(state)]


def why_not_on_lot(state: State, name: str, colour: str) -> Refusal | None:
    """Why there is no such lot: its district is closed, or it is on the other side of the board."""
    district = state.districts[name]
    if district is None:
        return refuse("fifth-avenue.stop.closed", "/district", district=name)
    if colour not in dict(district.lots):
        return refuse("fifth-avenue.map.lots", "/lot", lot=colour)
    return None


class PlaceFirstBuildingRule(SureRule[State, moves.PlaceFirstBuilding]):
    """Places a building on an empty lot; the second one goes in another district."""

    rules = ("fifth-avenue.setup.first-buildings", "fifth-avenue.setup.order")

    def candidates(self, state: State) -> Iterable[moves.PlaceFirstBuilding]:
        seat = first_builder(state)
        return [
            moves.PlaceFirstBuilding(seat, name, colour)
            for name, district in state.districts.open
            if not has_building(district, seat)
            for colour in empty_lots(district)
        ]

    def refusal(self, state: State, move: moves.PlaceFirstBuilding) -> Refusal | None:
        if refusal := why_not_on_lot(state, move.district, move.lot):
            return refusal
        district = state.districts.known_open(move.district)
        if district[move.lot] != EMPTY:
            return refuse("fifth-avenue.setup.free-lot", "/lot", lot=move.lot, district=move.district)
        if has_building(district, move.seat):
            return refuse("fifth-avenue.setup.other-district", "/district", district=move.district)
        return None

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
