"""PettingZoo: a game as an `AECEnv`. Needs `pettingzoo`."""

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from capomastro.learning.environments import Environment

RENDER_MODES = ("ansi", "human", "svg")


class CapomastroEnv(AECEnv):  # type: ignore[misc]  # it has no types
    """The seats are the agents `seat_0`, `seat_1`, …; an action is the id of a symbol (docs/learning.md).

    The reward comes at the end: 1 for the only winner, 0 in all.
    """

    metadata = {"render_modes": [*RENDER_MODES], "name": "capomastro", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, game: str, players: int, options: Mapping[str, Any] | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"there is no render_mode {render_mode}, only {', '.join(RENDER_MODES)}")
        self.environment = Environment(game, players, options)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"capomastro_{game.replace('-', '_')}_v1"}
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        size, symbols = self.environment.observer.size, self.environment.alphabet.size
        space = {
            "observation": spaces.Box(0, np.inf, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (symbols,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(space) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(symbols) for agent in self.possible_agents}
        self.generator = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; a seed draws all chance of it and of those after it."""
        if seed is not None:
            self.generator = np.random.default_rng(seed)
        self.environment.reset(int(self.generator.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.environment.seat or 0]
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know, and what it may choose: nothing if another is to decide."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.environment.observation(seat), "action_mask": self.environment.mask(seat)}

    def step(self, action: int | None) -> None:
        """The agent that decides chooses a symbol.

        Raises:
            ValueError: if the mask forbids it.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.environment.step(int(action))  # type: ignore[arg-type]
        if self.environment.is_over:
            self.rewards = dict(zip(self.possible_agents, self.environment.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.environment.seat or 0]
        self._accumulate_rewards()
        self._deads_step_first()
        self._show()

    def render(self) -> str | None:
        """The table: as text, or as a picture in SVG; for "human", it is written to standard output."""
        if self.render_mode is None:
            return None
        position = self.environment.position
        if self.render_mode == "human":
            sys.stdout.write(f"{position}\n")
            return None
        return position.picture() if self.render_mode == "svg" else str(position)

    def _show(self) -> None:
        """Shows the table after every step to those who watch."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is nothing to close."""
