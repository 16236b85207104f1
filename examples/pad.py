"""A score pad for Palazzo: what each player has so far, and what a scoresheet still lacks.

Run: python pad.py http://localhost:8000 table.json …
"""

import sys
from pathlib import Path

import msgspec

from capomastro_client import Capomastro, Problem
from capomastro_client.models import PalazzoScore, PalazzoScoresheet


def read(file: str) -> PalazzoScoresheet:
    """What is on the table, as somebody has entered it; `unfinished` while they are at it."""
    return msgspec.json.decode(Path(file).read_bytes(), type=PalazzoScoresheet)


def show(score: PalazzoScore) -> None:
    """Prints the points by seat with their lines, then what is missing."""
    for player in score.result.players if score.result else ():
        print(f"seat {player.seat}: {player.total} points")
        for line in player.lines:
            print(f"  {line.points:4} {line.rule}")
    for finding in score.missing or ():
        print(f"missing: {finding.message}")


def main(address: str, *files: str) -> None:
    with Capomastro(address) as capomastro:
        for file in files:
            try:
                show(capomastro.palazzo.score_game(scoresheet=read(file)))
            except Problem as problem:
                for error in problem.errors:
                    print(f"{error.pointer}: {error.message}")


if __name__ == "__main__":
    main(*sys.argv[1:])
