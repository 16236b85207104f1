"""Learning environments (docs/learning.md): action ids, masks and tensors, and adapters for PettingZoo and others.

Needs the extra `learning`; nothing of this is imported by the rest of the package. `environments` and `observations`
need numpy, action ids nothing.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from capomastro.learning.alphabet import Alphabet, alphabet_of
from capomastro.learning.spelling import Prefix, empty_prefix

if TYPE_CHECKING:
    from capomastro.learning.pettingzoo import CapomastroEnv

__all__ = [
    "Alphabet",
    "Prefix",
    "alphabet_of",
    "empty_prefix",
    "pettingzoo_env",
]


def pettingzoo_env(
    game: str, players: int, options: Mapping[str, Any] | None = None, render_mode: str | None = None
) -> "CapomastroEnv":
    """A game as an `AECEnv` of PettingZoo; `render_mode`: "ansi" (text), "human" (written), "svg".

    Raises:
        ModuleNotFoundError: if PettingZoo is not installed.
        Problem: `not-found` or `options`.
        ValueError: if there is no such way to render.
    """
    from capomastro.learning.pettingzoo import CapomastroEnv  # noqa: PLC0415

    return CapomastroEnv(game, players, options, render_mode)
