"""Every decision of Fifth Avenue: `setup`, `turn`, `auctions`, `end`, in the order of the rulebook.

Each has legal moves, refusals and effects; `phases` determines the next step of a turn.
"""

from capomastro.engine.decisions import ChanceDecision, SeatDecision, active_seat, seat_in_stage
from capomastro.games.fifth_avenue.decisions.auctions import (
    BidRule,
    BuildRule,
    OrderStopRule,
    PassRule,
    TurnDummyCardRule,
)
from capomastro.games.fifth_avenue.decisions.end import DrawParkTileRule
from capomastro.games.fifth_avenue.decisions.setup import (
    DealCardRule,
    DrawRowBusinessRule,
    DrawStartingBusinessRule,
    DrawStartingLotRule,
    PlaceFirstBuildingRule,
    RevealFirstTopRule,
    first_builder,
)
from capomastro.games.fifth_avenue.decisions.turn import (
    DrawBlackCardRule,
    MoveCommissionerRule,
    PlaceBusinessRule,
    RevealTopRule,
    ScoreDistrictRule,
    TakeBlackCardRule,
    TakeBuildingsRule,
    TakeCardsRule,
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
    ChanceDecision(DrawStartingBusiness, DrawStartingBusinessRule()),
    ChanceDecision(DrawStartingLot, DrawStartingLotRule()),
    ChanceDecision(DrawRowBusiness, DrawRowBusinessRule()),
    ChanceDecision(DealCard, DealCardRule()),
    ChanceDecision(RevealFirstTop, RevealFirstTopRule()),
    SeatDecision(PlaceFirstBuilding, first_builder, (PlaceFirstBuildingRule(),)),
    SeatDecision(
        ChooseOption, active_seat, (TakeBuildingsRule(), PlaceBusinessRule(), TakeBlackCardRule(), ScoreDistrictRule())
    ),
    ChanceDecision(DrawBlackCard, DrawBlackCardRule()),
    SeatDecision(TakeCards, active_seat, (TakeCardsRule(),)),
    ChanceDecision(RevealTop, RevealTopRule()),
    SeatDecision(MoveCommissioner, active_seat, (MoveCommissionerRule(),)),
    SeatDecision(BidOrPass, seat_in_stage, (BidRule(), PassRule())),
    ChanceDecision(TurnDummyCard, TurnDummyCardRule()),
    SeatDecision(BuildOrStop, seat_in_stage, (BuildRule(), OrderStopRule())),
    ChanceDecision(DrawParkTile, DrawParkTileRule()),
)
