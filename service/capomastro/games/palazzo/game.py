"""Palazzo for the engine: the implementation of `GameDefinition`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from msgspec.structs import asdict

from capomastro.engine.events import Event, GameOver, events_in
from capomastro.engine.game import GameDefinition, Modules
from capomastro.engine.hands import Hand
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal, implements
from capomastro.engine.results import ranked
from capomastro.games.palazzo import audit, derived, events, picture, plan, reference, scoresheet, stages, supplies
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo.decisions import DECISIONS
from capomastro.games.palazzo.scoring import TIE_RULES, Result, points_of_palaces, scores
from capomastro.games.palazzo.state import Options, Seat, State


class Palazzo(GameDefinition[State]):
    """Build palaces from tiles bought or won at auction; the fifth rider ends the game."""

    id = "palazzo"
    title = "Palazzo"
    players: Annotated[range, "palazzo.components.players"] = box.PLAYERS
    rules_version = 1
    state_type = State
    options_type = Options
    scoresheet_type = scoresheet.Scoresheet
    derived_type = derived.Derived
    result_type = Result
    reference_type = reference.PalazzoReference
    events = events_in(events)
    decisions = DECISIONS
    modules = Modules(audit, derived, scoresheet, plan, picture, reference)

    def components(self) -> Mapping[str, Mapping[str, int]]:
        return {
            "tiles": box.TILES,
            "riders": {box.RIDER: box.RIDERS},
            "money": box.MONEY,
            "opening_bid": {"certificate-3": 1},
            "board": {"quarry": box.QUARRIES, "master-builder": 1},
        }

    def option_findings(self, players: int, options: Options) -> Iterable[Refusal]:
        return audit.option_findings(options)

    @implements("palazzo.setup.first-player")
    def start(self, players: int, options: Options, names: tuple[str, ...] | None) -> State:
        return State(
            **self.header(names),
            options=options,
            stage=stages.DrawSetupTile(),
            seats=(Seat(Hand(), ()),) * players,
            builder=options.builder,
            quarries=((),) * box.QUARRIES,  # type: ignore[arg-type]
            supply=(),
            riders=0,
            removed=(),
            discards=(),
        )

    def face_down(self, state: State, pile: str) -> FaceDownPile:
        return supplies.deck(state)

    def final_events(self, state: State) -> Sequence[Event]:
        scored = [events.PalaceScored(score.seat, **asdict(line)) for score in scores(state) for line in score.lines]
        return [*scored, GameOver("palazzo.end.fifth-rider")]

    def result(self, state: State) -> Result:
        return ranked(scores(state), TIE_RULES)

    def points_now(self, state: State) -> Sequence[int]:
        return points_of_palaces(state)


GAME = Palazzo()
