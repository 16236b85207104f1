"""What became of an archive, in figures."""

from collections.abc import Iterable
from typing import Any

from capomastro.adjudicator import Answer
from capomastro.archive import OTHER_VERSION, UNUSABLE, Tally

MOST_NOTED = 20
"""So many records that are not right are told one by one."""


class Summary:
    """Counts verdicts, and keeps the first ones on records that are not right."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.noted: list[Answer] = []
        self.wrong = self.unusable = 0

    @property
    def records(self) -> int:
        return sum(self.tally.verdicts.values())

    def count(self, verdict: Answer) -> None:
        self.tally.count(verdict)
        unusable = verdict["verdict"] in (UNUSABLE, OTHER_VERSION)
        wrong = not unusable and (not verdict["legal"] or verdict.get("claimed_result_matches") is False)
        self.unusable += unusable
        self.wrong += wrong
        if (unusable or wrong) and len(self.noted) < MOST_NOTED:
            self.noted.append(verdict)

    def add(self, other: "Summary") -> None:
        """Adds the figures of another part of the archive; what was noted there is left out."""
        self.tally.verdicts += other.tally.verdicts
        self.tally.rules += other.tally.rules
        self.wrong += other.wrong
        self.unusable += other.unusable

    def games(self) -> list[str]:
        """The games that occur; "" stands for records that are of none."""
        return sorted({game for game, _ in self.tally.verdicts}, key=lambda game: (not game, game))

    def document(self) -> dict[str, Any]:
        """The figures as JSON."""
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
        """The rules that were broken, the most frequent first."""
        return sorted(self.tally.rules.items(), key=lambda item: (-item[1], item[0]))
