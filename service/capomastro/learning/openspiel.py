"""OpenSpiel: every title as a Python game, `python_capomastro_palazzo(players=3)`. Needs `open-spiel`.

An action of a player is the id of a symbol, an outcome of chance the id of the component that it reveals. Importing
this module registers the games.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from capomastro.documents.json_text import encode
from capomastro.engine.game import MAXIMUM_PLY, AnyGame
from capomastro.engine.hands import Hand
from capomastro.games import all_games
from capomastro.learning.alphabet import alphabet_of
from capomastro.learning.environments import LONGEST, last_of
from capomastro.learning.moments import Moment, moment_at
from capomastro.learning.observations import Sight, Vector, observer_of

CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)
MOST_SYMBOLS = 200
"""More than any move is spelled with: no hand has as many cards."""
PRIVATE_PARTS = {"seats/0/hand/closed", "spelled"}
"""The parts of an observation that nobody but the observer sees."""


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

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (str(self),)

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
        definition = game.definition
        self.is_told = False
        """Whether actions are only written into the history: what they lead to is known."""
        self._go_to(moment_at(definition, definition.start(game.players, game.options, None)))

    def _go_to(self, moment: Moment) -> None:
        self.moment = moment
        self.player = moment.seat if moment.seat is not None else CHANCE if moment.due else TERMINAL

    def current_player(self) -> int:
        """The seat that decides, or chance, or nobody."""
        return self.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.moment.choices if player == self.player else []

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """1 for each legal action. OpenSpiel would make it by asking for them: 3 µs instead of 0.4 (2026-11-27)."""
        if player not in (None, self.player) or self.moment.seat is None:
            mask: list[int] = super().legal_actions_mask(*() if player is None else (player,))
            return mask
        mask = [0] * alphabet_of(self.moment.game).size
        for choice in self.moment.choices:
            mask[choice] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The components that can be revealed, with exact probabilities as far as floats go."""
        weights = self.moment.outcomes.weights
        ids, total = alphabet_of(self.moment.game).values, sum(weights.values())
        return sorted([(ids[component], weight / total) for component, weight in weights.items() if weight])

    def _apply_action(self, action: int) -> None:
        if self.is_told:
            return
        if self.player == CHANCE:
            self._go_to(self.moment.revealing(alphabet_of(self.moment.game).symbols[action]))
        else:
            self._go_to(self.moment.then(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return alphabet_of(self.moment.game).symbols[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.moment.due is None

    def returns(self) -> list[float]:
        """What the game is worth to each player: 1 for the only winner, and 0 in all."""
        return [*self.moment.returns]

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> "CapomastroState":
        """A state in which the player has seen the same, with what they have not seen dealt anew, also in its history.

        What another player has spelled of a move is left out.
        """
        resampled: CapomastroState = self.get_game().new_initial_state()
        moment = self.moment.resampled(player, str(probability_sampler()))
        resampled.is_told = True
        for seat, action in moment.actions:
            resampled.player = CHANCE if seat is None else seat
            resampled.apply_action(action)
        resampled.is_told = False
        resampled._go_to(moment)
        return resampled

    def __str__(self) -> str:
        """The state as JSON, and the symbols of the move in progress."""
        symbols = alphabet_of(self.moment.game).symbols
        return " ".join([encode(self.moment.state).decode(), *(symbols[choice] for choice in self.moment.spelled)])


class CapomastroObserver:
    """What a player knows: the state as they see it, or with perfect recall all that they have seen.

    What is public alone is what a spectator knows, what is private alone what nobody else does.
    """

    def __init__(self, game: CapomastroGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations, such as {params}")
        self.perfect_recall, self.is_public = iig_obs_type.perfect_recall, iig_obs_type.public_info
        self.is_private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not (self.is_public or self.is_private):
            raise ValueError("there is nothing to observe that is neither public nor private to a single player")
        self.observer = observer_of(game.definition, game.players)
        self.sights = [Sight(self.observer, seat if self.is_private else None) for seat in range(game.players)]
        self.tensor: Vector = np.zeros(LONGEST if self.perfect_recall else self.observer.size, np.float32)
        if self.perfect_recall:
            self.dict = {"record": self.tensor}
        else:
            self.dict = {name: self.tensor[part] for name, part in self.observer.slices().items()}

    def set_from(self, state: CapomastroState, player: int) -> None:
        """Fills the tensor: with perfect recall, the ids of what was seen, plus 1, the rest 0."""
        if self.perfect_recall:
            self.tensor[:] = last_of(self.recalled(state, player))
            return
        self.sights[player].write(state.moment.state, self.spelled(state, player), self.tensor)
        if not self.is_public:
            for name in self.dict.keys() - PRIVATE_PARTS:
                self.dict[name][:] = 0

    def string_from(self, state: CapomastroState, player: int) -> str:
        """What a player knows, as text."""
        symbols = self.observer.alphabet.symbols
        if self.perfect_recall:
            return " ".join([f"seat {player}:", *(symbols[choice] for choice in self.recalled(state, player))])
        view = self.observer.game.view(state.moment.state, player if self.is_private else None)
        seen = [encode(view).decode()] if self.is_public else getattr(view.seats[player], "hand", Hand()).closed
        spelled = (symbols[choice] for choice in self.spelled(state, player))
        return " ".join([f"seat {player}:", *seen, *spelled])

    def recalled(self, state: CapomastroState, player: int) -> list[int]:
        """The ids of what was seen, from the beginning of the game."""
        return state.moment.seen_by(player if self.is_private else None, alone=not self.is_public)

    def spelled(self, state: CapomastroState, player: int) -> tuple[int, ...]:
        """What a player has spelled of their move so far, which nobody else sees."""
        return state.moment.spelled if self.is_private and player == state.player else ()


def restored(name: str) -> CapomastroGame:
    """A game from what it is pickled as; found in this module, so that the titles are registered."""
    game: CapomastroGame = pyspiel.load_game(name)
    return game


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
