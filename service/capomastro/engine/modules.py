"""The functions that `Game` expects in a game's modules.

A module fits a protocol if it has these functions (PEP 544), which mypy checks where a game names its modules.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

from capomastro.drawing import Brief, Table
from capomastro.engine.decisions import Move
from capomastro.engine.refusals import Refusal
from capomastro.engine.scoresheets import Judgement

St_contra = TypeVar("St_contra", contravariant=True)


class AuditModule(Protocol[St_contra]):
    """`audit.py`."""

    def findings(self, state: St_contra, /) -> Iterable[Refusal]:
        """Everything impossible: too many of a component, impossible positions. Pointers are into the state."""


class ScoresheetModule(Protocol):
    """`scoresheet.py`."""

    def judge(self, sheet: Any, /) -> Judgement:
        """What is impossible on the scoresheet, and what it lacks for a finished game."""


class PlanModule(Protocol[St_contra]):
    """`plan.py`."""

    def wants(self, state: St_contra, move: Move, /) -> float:
        """How much the planning player wants a legal move of the deciding seat, compared with that seat's other moves.

        `state` is what that seat may know.
        """


class PictureModule(Protocol[St_contra]):
    """`picture.py`."""

    def table(self, state: St_contra, brief: Brief, /) -> Table:
        """The table as a picture."""

    def table_of_scoresheet(self, sheet: Any, brief: Brief, /) -> Table:
        """The players' parts of a scoresheet as a picture."""

    def changes(self, state: St_contra, played: Sequence[Move], /) -> Iterable[tuple[str, str]]:
        """Places and tokens to ring: the components that the last moves moved, as far as the final `state` shows."""
