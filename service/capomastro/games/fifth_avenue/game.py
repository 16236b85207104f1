"""Fifth Avenue for the engine: the implementation of `GameDefinition`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import asdict

from capomastro.engine.events import Event, GameOver, events_in
from capomastro.engine.game import GameDefinition, Modules
from capomastro.engine.hands import Hand
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal
from capomastro.engine.results import ranked
from capomastro.games.fifth_avenue import audit, derived, events, picture, plan, reference, scoresheet, stages, supplies
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue.decisions import DECISIONS
from capomastro.games.fifth_avenue.lots import EMPTY, District, Districts
from capomastro.games.fifth_avenue.scoring import TIE_RULES, Result, scores, tiles_for_scoring
from capomastro.games.fifth_avenue.state import Options, Pile, Seat, State

MAXIMUM_POINTS = 900_000
"""The points from which a game cannot be continued, so that numbers always fit into documents."""


class FifthAvenue(GameDefinition[State]):
    """Build next to Manhattan's best businesses; the twelfth business or the second building stop ends the game."""

    id = "fifth-avenue"
    title = "Fifth Avenue"
    players: Annotated[range, "fifth-avenue.components.players"] = box.PLAYERS
    rules_version = 1
    state_type = State
    options_type = Options
    scoresheet_type = scoresheet.Scoresheet
    derived_type = derived.Derived
    result_type = Result
    reference_type = reference.FifthAvenueReference
    events = events_in(events)
    decisions = DECISIONS
    pile_of = staticmethod(box.pile_of)
    modules = Modules(audit, derived, scoresheet, plan, picture, reference)

    def components(self) -> Mapping[str, Mapping[str, int]]:
        return {
            "cards": box.CARDS,
            "businesses": box.BUSINESS_TILES,
            "buildings_of_each_colour": {"building": box.BUILDINGS},
            "commissioners": dict.fromkeys(box.COMMISSIONERS, 1),
            "building_stops": {"building-stop": box.STOPS},
        }

    def option_findings(self, players: int, options: Options) -> Iterable[Refusal]:
        return audit.option_findings(options)

    def start(self, players: int, options: Options, names: tuple[str, ...] | None) -> State:
        lots = (EMPTY,) * len(box.LOTS_OF_BOARD[options.six_lots])
        return State(
            **self.header(names),
            options=options,
            stage=stages.DrawStartingBusiness(),
            seats=(Seat(Hand(), box.FIRST_RESERVE, 0, 0, 0),) * players,
            districts=Districts(*(District(*lots),) * len(box.DISTRICTS)),
            commissioners=dict.fromkeys(box.COMMISSIONERS, box.CITY_HALL),
            markers=dict.fromkeys(box.COMMISSIONERS, ()),
            row=((),) * box.GROUPS,
            under_central_park=(),
            removed_businesses=(),
            piles=dict.fromkeys(box.COLOURS, Pile(None, ())),
            black_discards=(),
            dummy_removed=0 if players == 2 else None,
        )

    def can_be_continued(self, state: State) -> bool:
        """Districts can be scored repeatedly: points are unlimited, except in documents."""
        return super().can_be_continued(state) and max([seat.score for seat in state.seats]) < MAXIMUM_POINTS

    def face_down(self, state: State, pile: str) -> FaceDownPile:
        return supplies.face_down_pile(state, pile)

    def final_events(self, state: State) -> Sequence[Event]:
        scored = [
            events.FinalScored(seat=score.seat, **asdict(line))
            for score in scores(state, tiles_for_scoring(state))
            for line in score.lines
            if line.rule != "fifth-avenue.end.track"
        ]
        return [*scored, GameOver("fifth-avenue.end.winner")]

    def result(self, state: State) -> Result:
        return ranked(scores(state, tiles_for_scoring(state)), TIE_RULES)

    def points_now(self, state: State) -> Sequence[int]:
        """Central Park counts as if no business had been drawn for it, as long as that is open."""
        is_open = state.park_tiles is None and len(state.under_central_park) > box.PARK_TILES
        return [score.total for score in scores(state, () if is_open else tiles_for_scoring(state))]

    def drawn_for_scoring(self, state: State) -> Mapping[str, Any]:
        return {"tiles": tiles_for_scoring(state)}


GAME = FifthAvenue()
