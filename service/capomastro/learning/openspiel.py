"""OpenSpiel: every title as a Python game, `python_capomastro_palazzo(players=3)`. Needs `open-spiel`.

An action of a player is the id of a symbol, an outcome of chance the id of the component that it reveals. Importing
this module registers the games.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from capomastro.documents.json_text import encode
from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision, Move
from capomastro.engine.game import MAXIMUM_PLY, AnyGame
from capomastro.engine.samples import Sampler
from capomastro.engine.steps import play_step
from capomastro.games import all_games
from capomastro.learning.alphabet import alphabet_of
from capomastro.learning.environments import LONGEST, course
from capomastro.learning.observations import Vector, observer_of
from capomastro.learning.rewards import rewards
from capomastro.learning.spelling import Prefix, empty_prefix

MOST_SYMBOLS = 200
"""More than any move is spelled with: no hand has as many cards."""


class Kept:
    """A value that copies of a state share, as it never changes."""

    def __init__(self, state: Any, prefix: Prefix | None = None) -> None:
        self.state, self.prefix = state, prefix

    def __deepcopy__(self, memo: dict[int, Any]) -> "Kept":
        return self


class CapomastroGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A title for a number of players."""

    def __init__(self, definition: AnyGame, params: dict[str, Any] | None = None) -> None:
        players = int((params or {}).get("players", definition.players[0]))
        if players not in definition.players:
            raise ValueError(f"{definition.id} is not for {players} players")
        alphabet = alphabet_of(definition)
        info = pyspiel.GameInfo(
            num_distinct_actions=alphabet.size,
            max_chance_outcomes=alphabet.size,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAXIMUM_PLY * MOST_SYMBOLS,
        )
        super().__init__(type_of_game(definition), info, params or {})
        self.definition, self.players = definition, players
        self.options = definition.options_type()

    def new_initial_state(self) -> "CapomastroState":
        """The state before anything has been dealt."""
        return CapomastroState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "CapomastroObserver":
        """An observer of what a player knows: now, or with perfect recall."""
        return CapomastroObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class CapomastroState(pyspiel.State):  # type: ignore[misc]
    """A state of a game, at a decision of chance or in the middle of a move."""

    def __init__(self, game: CapomastroGame) -> None:
        super().__init__(game)
        self.kept_game = Kept(game.definition)
        start = game.definition.start(game.players, game.options, None)
        self.kept = Kept(start)
        self.spelled: tuple[int, ...] = ()
        self.seen: tuple[tuple[tuple[int, ...], tuple[int, ...], int | None], ...] = ()
        """Every move: its spelling, that of what others saw, and who alone saw the whole."""
        self._begin(start)

    @property
    def definition(self) -> AnyGame:
        definition: AnyGame = self.kept_game.state
        return definition

    @property
    def state(self) -> Any:
        return self.kept.state

    def _begin(self, state: Any) -> None:
        """A decision begins."""
        due = referee.decision(self.definition, state)
        actor = {"seat": due.seat, "chance": pyspiel.PlayerId.CHANCE, "none": pyspiel.PlayerId.TERMINAL}[due.actor]
        self.player = int(actor)
        self.spelled = ()
        self.kept = Kept(state, empty_prefix(self.definition, state) if due.actor == "seat" else None)

    def current_player(self) -> int:
        """The seat that decides, or chance, or nobody."""
        return self.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.kept.prefix.choices if self.kept.prefix and player == self.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The components that can be revealed, with exact probabilities as far as floats go."""
        outcomes = self._chance().rule.outcomes(self.state)
        values = alphabet_of(self.definition).values
        return sorted(
            (values[component], weight / outcomes.total) for component, weight in outcomes.weights.items() if weight
        )

    def _chance(self) -> ChanceDecision[Any]:
        decision = self.definition.decision_at[type(self.state.stage)]
        assert isinstance(decision, ChanceDecision)
        return decision

    def _apply_action(self, action: int) -> None:
        if self.player == pyspiel.PlayerId.CHANCE:
            self._play(self._chance().rule.move(alphabet_of(self.definition).symbols[action]))
            return
        assert self.kept.prefix is not None
        following = self.kept.prefix.then(int(action))
        if isinstance(following, Move):
            self._play(following)
        else:
            self.kept, self.spelled = Kept(self.state, following), (*self.spelled, int(action))

    def _play(self, move: Move) -> None:
        """Plays a whole move."""
        step = play_step(self.definition, self.state, move)
        alphabet = alphabet_of(self.definition)
        others = referee.as_seen(move, step.witness, None)
        self.seen = (*self.seen, (alphabet.spelling(move), alphabet.spelling(others), step.witness))
        self._begin(step.after)

    def _action_to_string(self, player: int, action: int) -> str:
        return alphabet_of(self.definition).symbols[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.player == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """What the game is worth to each player: 1 for the only winner, and 0 in all."""
        players = len(self.state.seats)
        if not self.is_terminal():
            return [0.0] * players
        return [*rewards(self.definition.result(self.state).winners or (), players)]

    def information_state(self, player: int) -> list[int]:
        """The ids of all that a player has seen, move by move, and of their own move in progress."""
        ids = [choice for whole, others, witness in self.seen for choice in (whole if player == witness else others)]
        return [*ids, *(self.spelled if player == self.player else ())]

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> "CapomastroState":
        """The same with hidden cards dealt anew; the outcomes of hidden deals in its history stay as they are."""
        sampler = Sampler(self.definition, self.state, player)
        (state,) = sampler.samples(str(probability_sampler()), 1)
        resampled: CapomastroState = self.clone()
        resampled.kept = Kept(state, self.kept.prefix)
        if self.kept.prefix is not None and player != self.player:
            resampled._begin(state)
        return resampled

    def __str__(self) -> str:
        """The state as JSON, and the symbols of the move in progress."""
        symbols = alphabet_of(self.definition).symbols
        return " ".join([encode(self.state).decode(), *(symbols[choice] for choice in self.spelled)])


class CapomastroObserver:
    """What a player knows: the state as they see it, or with perfect recall all that they have seen."""

    def __init__(self, game: CapomastroGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations, such as {params}")
        self.perfect_recall = iig_obs_type.perfect_recall
        self.is_private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.observer = observer_of(game.definition, game.players)
        self.tensor: Vector = np.zeros(LONGEST if self.perfect_recall else self.observer.size, np.float32)
        if self.perfect_recall:
            self.dict = {"record": self.tensor}
        else:
            self.dict = {name: self.tensor[part] for name, part in self.observer.slices().items()}

    def set_from(self, state: CapomastroState, player: int) -> None:
        """Fills the tensor: with perfect recall, the ids of what was seen, plus 1, the rest 0."""
        if self.perfect_recall:
            self.tensor[:] = course(state.information_state(player))
        else:
            spelled = state.spelled if player == state.current_player() else ()
            self.tensor[:] = self.observer.observation(state.state, player if self.is_private else None, spelled)

    def string_from(self, state: CapomastroState, player: int) -> str:
        """What a player knows, as text."""
        symbols = self.observer.alphabet.symbols
        if self.perfect_recall:
            return " ".join([f"seat {player}:", *(symbols[choice] for choice in state.information_state(player))])
        view = self.observer.game.view(state.state, player if self.is_private else None)
        spelled = state.spelled if player == state.current_player() else ()
        return " ".join([f"seat {player}:", encode(view).decode(), *(symbols[choice] for choice in spelled)])


def name_of(definition: AnyGame) -> str:
    """The name under which OpenSpiel knows a title."""
    return f"python_capomastro_{definition.id.replace('-', '_')}"


def type_of_game(definition: AnyGame) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a title."""
    return pyspiel.GameType(
        short_name=name_of(definition),
        long_name=f"capomastro: {definition.id}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=definition.players[-1],
        min_num_players=definition.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": definition.players[0]},
    )


def register(definition: AnyGame) -> None:
    """Makes a title known to `pyspiel.load_game`."""

    class Title(CapomastroGame):
        """The title, as OpenSpiel makes it: of parameters alone."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(definition, params)

    pyspiel.register_game(type_of_game(definition), Title)


for _definition in all_games().values():
    register(_definition)
