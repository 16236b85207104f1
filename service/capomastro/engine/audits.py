"""Checks shared by the audits of several games. An audit has one check per fault, named by the id of the rule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from capomastro.engine.moves import type_of
from capomastro.engine.multisets import left_of
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.stages import Stage


def component_findings(rule: str, shown: Iterable[str], box: Mapping[str, int], pointer: str = "") -> Iterator[Refusal]:
    """Each kind of component that is shown more often than the box has it, in ascending order."""
    return shortage_findings(rule, left_of(box, shown), box, pointer)


def shortage_findings(
    rule: str, left: Mapping[str, int], box: Mapping[str, int], pointer: str = ""
) -> Iterator[Refusal]:
    """The same, computed from what is `left` of the box."""
    if min(left.values()) < 0:
        for component in sorted([kind for kind, number in left.items() if number < 0]):
            yield refuse(rule, pointer, component=component, box=box[component])


def rule_of(state: Any, name: str) -> str:
    """The id of a rule that the engine enforces in every game, such as "setup.ply"."""
    return f"{state.game}.{name}"


def why_no_seat(state: Any, mentioned: Mapping[str, int | None] | None = None) -> Refusal | None:
    """The first seat that does not exist: the active one, or one `mentioned` at a pointer (None mentions nobody)."""
    players = len(state.seats)
    for pointer, seat in {"/active_seat": state.active_seat, **(mentioned or {})}.items():
        if seat is not None and seat >= players:
            return refuse(rule_of(state, "turn.seats"), pointer, seat=seat, players=players)
    return None


# --- the set-up ------------------------------------------------------------------------------------------------------


class SetupStep(NamedTuple):
    """A step of the set-up: the part of the state that it fills, its stages, and how many components it lays out.

    `counts`: the number of them in each place; `sizes`: the number that each place gets, if the places are filled one
    after another.
    """

    pointer: str
    stages: tuple[type[Stage], ...]
    total: int
    counts: Sequence[int]
    sizes: Sequence[int] | None = None


def dealing(state: Any, stage: type[Stage], size: int) -> SetupStep:
    """The step in which each seat in turn is dealt a hand of `size` cards."""
    hands = [seat.hand.size for seat in state.seats]
    return SetupStep("/seats", (stage,), size * len(hands), hands, [size] * len(hands))


def setup_findings(
    state: Any, steps: Sequence[SetupStep], following: type[Stage], further_moves: int = 0
) -> Iterator[Refusal]:
    """During the set-up, components are laid out step by step, one per move; then comes the stage `following`.

    `further_moves` have laid out nothing.
    """
    laid_out = [sum(step.counts) for step in steps]
    plies = sum(laid_out) + further_moves
    if state.ply != plies:
        yield refuse(rule_of(state, "setup.ply"), "/ply", ply=state.ply, setup=plies)
    now = next((number for number, step in enumerate(steps) if laid_out[number] < step.total), len(steps))
    expected = steps[now].stages if now < len(steps) else (following,)
    if not isinstance(state.stage, expected):
        stage = type_of(type(state.stage))
        yield refuse(rule_of(state, "setup.step"), "/stage", decision=stage, expected_decision=type_of(expected[0]))
    for later, number in zip(steps[now + 1 :], laid_out[now + 1 :], strict=True):
        if number:
            yield refuse(rule_of(state, "setup.early"), later.pointer, decision=type_of(expected[0]))
    for step in steps:
        if step.sizes is not None and not filled_in_order(step.counts, step.sizes):
            yield refuse(rule_of(state, "setup.order"), step.pointer)


def changed(part: Any, beginning: Mapping[str, Any]) -> Iterator[str]:
    """Yields pointers, relative to `part`, to its members that differ from `beginning`."""
    for name, value in beginning.items():
        if getattr(part, name) != value:
            yield f"/{name}"


def untouched_findings(rule: str, parts: Iterable[tuple[str, Any, Mapping[str, Any]]]) -> Iterator[Refusal]:
    """The members that the set-up does not change, and that differ: of parts of a state, each with its pointer."""
    for pointer, part, beginning in parts:
        for member in changed(part, beginning):
            yield refuse(rule, pointer + member)


def seats_untouched(state: Any, beginning: Mapping[str, Any]) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """The seats as parts for `untouched_findings`: each as at the `beginning`, its hand without open cards."""
    for index, seat in enumerate(state.seats):
        yield f"/seats/{index}", seat, beginning
        yield f"/seats/{index}/hand", seat.hand, {"open": ()}


def filled_in_order(counts: Sequence[int], sizes: Iterable[int]) -> bool:
    """Whether places were filled one after another: `counts` are the numbers in each, `sizes` their capacities."""
    left = sum(counts)
    for number, size in zip(counts, sizes, strict=True):
        if number != min(size, left):
            return False
        left -= number
    return True
