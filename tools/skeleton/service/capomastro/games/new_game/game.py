"""New Game as the engine sees it."""

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict

from capomastro.engine.events import Event, GameOver, events_in
from capomastro.engine.game import GameDefinition, Modules
from capomastro.engine.results import ranked
from capomastro.games.new_game import audit, derived, events, picture, plan, scoresheet, stages
from capomastro.games.new_game.components import PLAYERS, TOKENS
from capomastro.games.new_game.decisions import DECISIONS
from capomastro.games.new_game.scoring import TIE_RULES, Result, scores
from capomastro.games.new_game.state import Options, Seat, State


class NewGame(GameDefinition[State]):
    """FILL IN: what the game is about and how it ends, in one sentence."""

    id = "new-game"
    title = "New Game"
    players = PLAYERS
    rules_version = 1
    state_type = State
    options_type = Options
    scoresheet_type = scoresheet.Scoresheet
    derived_type = derived.Derived
    result_type = Result
    events = events_in(events)
    decisions = DECISIONS
    modules = Modules(audit, derived, scoresheet, plan, picture)

    def components(self) -> Mapping[str, Mapping[str, int]]:
        return {"tokens": TOKENS}

    def start(self, players: int, options: Options, names: tuple[str, ...] | None) -> State:
        return State(
            **self.header(names),
            options=options,
            stage=stages.ChooseAction(),
            seats=(Seat(()),) * players,
        )

    def final_events(self, state: State) -> Sequence[Event]:
        scored = [events.TokenScored(score.seat, **asdict(line)) for score in scores(state) for line in score.lines]
        return [*scored, GameOver("new-game.end.one-turn")]

    def result(self, state: State) -> Result:
        return ranked(scores(state), TIE_RULES)

    def points_now(self, state: State) -> Sequence[int]:
        return [score.total for score in scores(state)]


# FILL IN, last of all: GAME = NewGame()
# Then the game is discovered, and the tests of all games include it.
