"""Everything that is measured, in about four minutes: `make bench`, or `python -m bench --only moves`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping

from bench import archives, one_move, pictures, random_games, replays, server, tables, texts, worst_states
from bench.interleave import Report, argument_parser, publish
from bench.reference_unit import Seconds

BENCHES: Mapping[str, tuple[Callable[[int, Seconds], list[Report]], float]] = {
    "games": (random_games.reports, 1.0),
    "moves": (one_move.reports, 0.7),
    "server": (server.reports, 2.0),
    "pictures": (pictures.reports, 1.0),
    "replays": (replays.reports, 0.7),
    "tables": (tables.reports, 0.5),
    "texts": (texts.reports, 0.3),
    "archives": (archives.reports, 1.0),
    "worst": (worst_states.reports, 0.5),
}
"""What measures it, and the length of its turns as a multiple of --seconds."""


def main() -> None:
    """Measure, one bench after the other, and print all tables."""
    parser = argument_parser(__doc__, rounds=7)
    parser.add_argument("--only", action="append", choices=list(BENCHES), help="only this bench (can be repeated)")
    arguments = parser.parse_args()
    reports: list[Report] = []
    for name in arguments.only or BENCHES:
        measure, share = BENCHES[name]
        began = time.perf_counter()
        reports += measure(arguments.rounds, arguments.seconds * share)
        print(f"{name}: measured in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    publish(reports, as_json=arguments.json)


if __name__ == "__main__":
    main()
