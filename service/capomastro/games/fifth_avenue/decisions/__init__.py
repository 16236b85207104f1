"""Every decision of Fifth Avenue: `setup`, `turn`, `auctions`, `end`, in the order of the rulebook.

Each holds what is offered, what is refused, what happens; `phases` says which step of a turn follows.
"""

from capomastro.engine.decisions import ChanceDecision, SeatDecision, active_seat, seat_in_stage
from capomastro.games.fifth_avenue.decisions.auctions import Bid, Build, DummyCard, OrderStop, Pass
from capomastro.games.fifth_avenue.decisions.end import ParkTile
from capomastro.games.fifth_avenue.decisions.setup import (
    Deal,
    FirstBuilding,
    FirstTop,
    RowBusiness,
    StartingBusiness,
    StartingLot,
    first_builder,
)
from capomastro.games.fifth_avenue.decisions.turn import (
    Commissioner,
    DrawBlack,
    NewTop,
    PlaceBusiness,
    ScoreDistrict,
    TakeBlackCard,
    TakeBuildings,
    TakeTwoCards,
)
from capomastro.games.fifth_avenue.state import (
    BidOrPass,
    BuildOrStop,
    ChooseOption,
    DealCard,
    DrawBlackCard,
    DrawParkTile,
    DrawRowBusiness,
    DrawStartingBusiness,
    DrawStartingLot,
    MoveCommissioner,
    PlaceFirstBuilding,
    RevealFirstTop,
    RevealTop,
    State,
    TakeCards,
    TurnDummyCard,
)

DECISIONS: tuple[SeatDecision[State] | ChanceDecision[State], ...] = (
    ChanceDecision(DrawStartingBusiness, StartingBusiness()),
    ChanceDecision(DrawStartingLot, StartingLot()),
    ChanceDecision(DrawRowBusiness, RowBusiness()),
    ChanceDecision(DealCard, Deal()),
    ChanceDecision(RevealFirstTop, FirstTop()),
    SeatDecision(PlaceFirstBuilding, first_builder, (FirstBuilding(),)),
    SeatDecision(ChooseOption, active_seat, (TakeBuildings(), PlaceBusiness(), TakeBlackCard(), ScoreDistrict())),
    ChanceDecision(DrawBlackCard, DrawBlack()),
    SeatDecision(TakeCards, active_seat, (TakeTwoCards(),)),
    ChanceDecision(RevealTop, NewTop()),
    SeatDecision(MoveCommissioner, active_seat, (Commissioner(),)),
    SeatDecision(BidOrPass, seat_in_stage, (Bid(), Pass())),
    ChanceDecision(TurnDummyCard, DummyCard()),
    SeatDecision(BuildOrStop, seat_in_stage, (Build(), OrderStop())),
    ChanceDecision(DrawParkTile, ParkTile()),
)
