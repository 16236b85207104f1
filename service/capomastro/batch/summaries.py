"""Summaries of archives: verdicts counted."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from capomastro.archive import Tally
from capomastro.batch.findings import FaultKind, Findings
from capomastro.batch.judging import UNFIT, KeptVerdict, read_verdict

UNFINISHED = "unfinished"


class Summary:
    """Counts verdicts, and lets `findings` keep the records that are wrong or cannot be judged.

    `must_be_finished`: records of games that are not over are wrong.
    """

    def __init__(self, findings: Findings, must_be_finished: bool = False) -> None:
        self.findings = findings
        self.must_be_finished = must_be_finished
        self.tally = Tally()
        self.wrong = self.unusable = 0
        self.lenient = self.repaired = self.confirmed = 0
        """Illegal records with a repair; of these, those followed to the end; of those, those whose claim matches."""
        self.ignored = 0
        """Files in directories that are not records, judging by their names."""

    @property
    def records(self) -> int:
        return sum(self.tally.verdicts.values())

    def count(self, verdict: KeptVerdict, part: int = 0) -> None:
        """Counts the next verdict of a part of the archive."""
        unusable = verdict.verdict in UNFIT
        wrong = not unusable and (
            not verdict.legal
            or verdict.claimed_result_matches is False
            or (self.must_be_finished and verdict.verdict == UNFINISHED)
        )
        self.findings.add(part, self.records, verdict, unusable or wrong)
        self.tally.count(verdict)
        self.unusable += unusable
        self.wrong += wrong
        if verdict.lenient is not UNSET:
            self.lenient += 1
            self.repaired += verdict.lenient.followed_to_the_end
            self.confirmed += verdict.lenient.followed_to_the_end and verdict.lenient.claimed_result_matches is True

    def count_lines(self, lines: Iterable[bytes], part: int = 0) -> None:
        """Counts verdicts as they stand in a file."""
        for line in lines:
            self.count(read_verdict(line), part)

    def games(self) -> list[str]:
        """The games that occur; "" stands for records of unknown games."""
        return sorted({game for game, _ in self.tally.verdicts}, key=lambda game: (not game, game))

    def document(self) -> dict[str, Any]:
        """The counts as JSON."""
        return {
            "records": self.records,
            "games": [
                {
                    "game": game or None,
                    "verdicts": {verdict: number for (of, verdict), number in self.verdicts() if of == game},
                }
                for game in self.games()
            ],
            "rules_broken": [{"rule": rule, "records": number} for rule, number in self.rules()],
            "faults": [kind_document(kind) for kind in self.findings.kinds()],
            "repeated": self.findings.count_repeated(),
        }

    def verdicts(self) -> Iterable[tuple[tuple[str, str], int]]:
        return sorted(self.tally.verdicts.items())

    def rules(self) -> list[tuple[str, int]]:
        """The broken rules with the number of records, most frequent first."""
        return sorted(self.tally.rules.items(), key=lambda item: (-item[1], item[0]))


def kind_document(kind: FaultKind) -> dict[str, Any]:
    """A kind of faults as JSON."""
    reason = {"problem" if kind.verdict in UNFIT else "rule": kind.reason} if kind.reason else {}
    return {"verdict": kind.verdict, **reason, "records": kind.records}
