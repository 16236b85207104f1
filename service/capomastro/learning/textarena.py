"""TextArena: every title for players that read and write. Needs `textarena`.

A player reads the table as `str(position)` shows it and the legal moves, and answers with a move in text notation, in
square brackets: `[buy brick-2-1 payment=red-7]`. Importing this module registers the titles: "Capomastro-palazzo".
"""

import re
from collections.abc import Mapping
from secrets import randbits
from typing import Any

import textarena as ta

from capomastro.documents.problems import Problem
from capomastro.learning.rewards import rewards
from capomastro.library.games import all_games
from capomastro.library.games import game as title_of
from capomastro.library.positions import set_up
from capomastro.library.refusals import IllegalMove

MOST_LISTED = 30
"""Of more legal moves the first are listed, and how many there are."""
MOST_ERRORS = 3
"""After so many illegal moves in a row a player has lost."""


class CapomastroEnv(ta.Env):  # type: ignore[misc]  # it has no types
    """A title; the reward is 1 for the only winner, and 0 in all."""

    def __init__(self, game: str, options: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.title, self.options = title_of(game), options

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begins a new game; the seed draws all its chance, a new one if there is none."""
        self.seed = randbits(63) if seed is None else seed
        self.position = set_up(self.title.id, num_players, seed=self.seed, options=self.options)
        self.errors = 0
        self.state = ta.State(num_players=num_players, seed=seed)
        self.state.standard_resets(player_prompt_function=self.prompt, role_mapping={})
        self._show()

    def prompt(self, player_id: int, game_state: Any) -> str:
        """What a player is told at the beginning."""
        return (
            f"This is {self.title.title}; you are seat {player_id}. Answer with a legal move in square brackets. "
            f"{MOST_ERRORS} illegal moves in a row lose the game."
        )

    def _show(self) -> None:
        """Shows the table to the player who decides."""
        seat = self.position.decision.seat
        assert seat is not None
        self.state.current_player_id = seat
        moves = self.position.legal_moves
        listed = [f"[{written(self.title.notation(move))}]" for move in moves[:MOST_LISTED]]
        more = f"… and {moves.total - MOST_LISTED} more" if moves.total > MOST_LISTED else ""
        message = "\n".join([str(self.position.seen_by(seat)), "", "Legal moves:", *listed, *filter(None, [more])])
        self.state.add_observation(message, ta.ObservationType.GAME_BOARD, to_id=seat)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """The move of the player who decides; what is illegal is told with the rule that it breaks.

        After the end nothing changes any more.
        """
        if self.state.done:
            return True, {}
        seat = self.state.current_player_id
        found = re.findall(r"\[([^\[\]]+)\]", action)
        move = found[-1].strip() if found else ""  # without one, it is told how moves are written
        if move and not move[0].isdigit():
            move = f"{seat} {move}"
        try:
            played = self.position.play(move, seed=self.seed, seat=seat)
        except (IllegalMove, Problem) as refused:
            self._refuse(seat, str(refused))
        else:
            self.errors, self.position = 0, played
            self.state.game_info[seat]["turn_count"] += 1
            for player in range(self.position.players):
                told = "\n".join(played.seen_by(player).in_words())
                self.state.add_observation(told, ta.ObservationType.GAME_ACTION_DESCRIPTION, to_id=player)
            if played.is_over:
                self._end()
            else:
                self._show()
        done, info = self.state.step()
        return bool(done), dict(info)

    def _refuse(self, seat: int, reason: str) -> None:
        """Tells a player why their move is illegal; the last time, they have lost."""
        self.errors += 1
        if self.errors < MOST_ERRORS:
            self.state.add_observation(reason, ta.ObservationType.GAME_ADMIN, to_id=seat)
            return
        others = self.position.players - 1
        self.state.rewards = {player: -1.0 if player == seat else 1 / others for player in range(others + 1)}
        self.state.game_info[seat]["invalid_move"] = True
        self.state.done = True

    def _end(self) -> None:
        """The rewards."""
        result = self.position.result
        assert result is not None
        self.state.rewards = dict(enumerate(rewards(result.winners or (), self.position.players)))
        self.state.done = True


def written(notation: str) -> str:
    """A move in text notation without its seat."""
    return notation.partition(" ")[2]


for _title in all_games():
    ta.register(id=f"Capomastro-{_title.id}", entry_point=CapomastroEnv, game=_title.id)
