"""Judges scoresheets like states: refuses everything impossible at once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from capomastro.engine.refusals import Refusal, refuse


class Judgement(msgspec.Struct, frozen=True):
    """The findings on a scoresheet.

    `impossible`: faults that no further entry can cure. `missing`: what a finished game needs and the sheet lacks; on
    an unfinished sheet this is not a fault.
    """

    impossible: tuple[Refusal, ...] = ()
    missing: tuple[Refusal, ...] = ()

    def refusals(self, unfinished: bool) -> tuple[Refusal, ...]:
        """The reasons to refuse the sheet."""
        return self.impossible if unfinished else (*self.impossible, *self.missing)


def judgement(
    impossible: Iterable[Refusal], missing: Iterable[Refusal] = (), contradictions: Iterable[Refusal] = ()
) -> Judgement:
    """Shorthand for `Judgement`, without duplicates.

    `contradictions` are what a finished game refutes. They are looked for only if nothing else is wrong.
    """
    impossible, missing = each_once(impossible), each_once(missing)
    if not impossible and not missing:
        missing = each_once(contradictions)
    return Judgement(tuple(impossible), tuple(missing))


def each_once(findings: Iterable[Refusal]) -> list[Refusal]:
    """The findings in order, without duplicates at the same place."""
    kept: list[Refusal] = []
    for finding in findings:
        if finding not in kept:
            kept.append(finding)
    return kept


def missing_of_seats(seats: Sequence[Any], demanded_by: Mapping[str, str]) -> Iterator[Refusal]:
    """What has not been typed in of the players; `demanded_by`: for each entry the rule that demands it."""
    for index, seat in enumerate(seats):
        for entry, rule in demanded_by.items():
            if getattr(seat, entry) is None:
                yield refuse(rule, f"/seats/{index}/{entry}", seat=index)
