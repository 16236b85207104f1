"""Summaries of archives: verdicts counted."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from capomastro.archive import OTHER_VERSION, UNUSABLE, Tally
from capomastro.batch.judging import KeptVerdict, read_verdict

MAXIMUM_FAILURES = 20
"""Maximum number of failures reported one by one."""


class Summary:
    """Counts verdicts, and keeps the first failures: records that are wrong or cannot be judged."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.failures: list[KeptVerdict] = []
        self.wrong = self.unusable = 0
        self.lenient = self.repaired = self.confirmed = 0
        """Illegal records with a repair; of these, those followed to the end; of those, those whose claim matches."""
        self.ignored = 0
        """Files in directories that are not records, judging by their names."""

    @property
    def records(self) -> int:
        return sum(self.tally.verdicts.values())

    def count(self, verdict: KeptVerdict) -> None:
        self.tally.count(verdict)
        unusable = verdict.verdict in (UNUSABLE, OTHER_VERSION)
        wrong = not unusable and (not verdict.legal or verdict.claimed_result_matches is False)
        self.unusable += unusable
        self.wrong += wrong
        if verdict.lenient is not UNSET:
            self.lenient += 1
            self.repaired += verdict.lenient.followed_to_the_end
            self.confirmed += verdict.lenient.followed_to_the_end and verdict.lenient.claimed_result_matches is True
        if (unusable or wrong) and len(self.failures) < MAXIMUM_FAILURES:
            self.failures.append(verdict)

    def count_lines(self, lines: Iterable[bytes]) -> None:
        """Counts verdicts as they stand in a file."""
        for line in lines:
            self.count(read_verdict(line))

    def add(self, other: "Summary") -> None:
        """Adds the counts of another part of the archive, without its failures."""
        self.tally.verdicts += other.tally.verdicts
        self.tally.rules += other.tally.rules
        self.wrong += other.wrong
        self.unusable += other.unusable
        self.lenient += other.lenient
        self.repaired += other.repaired
        self.confirmed += other.confirmed

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
        }

    def verdicts(self) -> Iterable[tuple[tuple[str, str], int]]:
        return sorted(self.tally.verdicts.items())

    def rules(self) -> list[tuple[str, int]]:
        """The broken rules with the number of records, most frequent first."""
        return sorted(self.tally.rules.items(), key=lambda item: (-item[1], item[0]))
