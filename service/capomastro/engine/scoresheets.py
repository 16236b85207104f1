"""Judges scoresheets like states: refuses everything impossible at once."""

from collections.abc import Iterable

import msgspec

from capomastro.engine.refusals import Refusal


class Judgement(msgspec.Struct, frozen=True):
    """The findings on a scoresheet.

    `impossible`: faults that no further entry can cure. `missing`: what a finished game needs and the sheet lacks; on
    an unfinished sheet this is not a fault. `undecided`: rules whose check took too many steps.
    """

    impossible: tuple[Refusal, ...] = ()
    missing: tuple[Refusal, ...] = ()
    undecided: tuple[str, ...] = ()

    def refusals(self, unfinished: bool) -> tuple[Refusal, ...]:
        """The reasons to refuse the sheet."""
        return self.impossible if unfinished else (*self.impossible, *self.missing)


def judgement(
    impossible: Iterable[Refusal], missing: Iterable[Refusal] = (), undecided: Iterable[str] = ()
) -> Judgement:
    """Shorthand for `Judgement`, without duplicates."""
    return Judgement(tuple(each_once(impossible)), tuple(each_once(missing)), tuple(dict.fromkeys(undecided)))


def each_once(findings: Iterable[Refusal]) -> list[Refusal]:
    """The findings in order, without duplicates at the same place."""
    kept: list[Refusal] = []
    for finding in findings:
        if finding not in kept:
            kept.append(finding)
    return kept
