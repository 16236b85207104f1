"""The Palaces of Carrara for the engine: the implementation of `GameDefinition`."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec.structs import asdict

from capomastro.engine.events import Event, GameOver, events_in
from capomastro.engine.game import GameDefinition, Modules
from capomastro.engine.moves import Move
from capomastro.engine.refusals import Refusal, implements
from capomastro.engine.results import ranked
from capomastro.games.carrara import audit, derived, events, moves, picture, plan, reference, scoresheet, stages
from capomastro.games.carrara import components as box
from capomastro.games.carrara.decisions import DECISIONS, why_not_announce
from capomastro.games.carrara.scoring import TIE_RULES, Result, additions, scores
from capomastro.games.carrara.state import Options, State

MAXIMUM_COINS = 900_000
"""The coins from which a game cannot be continued, so that numbers always fit into documents."""


class Carrara(GameDefinition[State]):
    """Buy marble from a wheel, build in six cities, score types and cities; three objectives met allow ending it."""

    id = "carrara"
    title = "The Palaces of Carrara"
    players: Annotated[range, "carrara.components.players"] = box.PLAYERS
    rules_version = 1
    state_type = State
    options_type = Options
    scoresheet_type = scoresheet.Scoresheet
    derived_type = derived.Derived
    result_type = Result
    reference_type = reference.CarraraReference
    events = events_in(events)
    decisions = DECISIONS
    modules = Modules(audit, derived, scoresheet, plan, picture, reference)

    def components(self) -> Mapping[str, Mapping[str, int]]:
        return {
            "blocks": box.BLOCKS,
            "buildings": box.BUILDINGS,
            "objects": box.OBJECTS,
            "wheel": {"section": len(box.SECTIONS)},
            "cities": dict.fromkeys(box.CITIES, 1),
            "markers": {"scoring-marker": box.MARKERS * len(box.STARTING_BLOCKS)},
        }

    @implements("carrara.setup.start", "carrara.setup.first-player", "carrara.setup.public")
    def start(self, players: int, options: Options, names: tuple[str, ...] | None) -> State:
        return State(
            **self.header(names),
            options=options,
            stage=stages.RevealSetupBuilding(),
            seats=audit.starting_seats(players),
            wheel=audit.STARTING_WHEEL,
            face_up=(),
            objects_for_sale=tuple(box.OBJECTS),
        )

    def can_be_continued(self, state: State) -> bool:
        """A player who can do nothing takes two coins every turn: coins are unlimited, except in documents."""
        return super().can_be_continued(state) and max([seat.coins for seat in state.seats]) < MAXIMUM_COINS

    def why_not_out_of_turn(self, state: State, move: Move) -> Refusal | None:
        """For an announcement out of turn: what forbids it to that seat anyway, which is given before the turn."""
        if isinstance(move, moves.AnnounceEnd) and move.seat < len(state.seats):
            return why_not_announce(state, move.seat)
        return None

    def final_events(self, state: State) -> Sequence[Event]:
        trigger = "carrara.end.last-building" if state.announced_by is None else "carrara.end.announcement"
        added = [(seat, line) for seat, lines in enumerate(additions(state)) for line in lines]
        return [*(events.FinalScored(seat, **asdict(line)) for seat, line in added), GameOver(trigger)]

    def result(self, state: State) -> Result:
        return ranked(scores(state), TIE_RULES)

    def points_now(self, state: State) -> Sequence[int]:
        return [score.total for score in scores(state)]


GAME = Carrara()
