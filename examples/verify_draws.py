"""Checks every draw of a finished game at a sealed table (docs/tables.md). Shares no line with the service.

    capomastro replay opened.json --draws > draws.ndjson
    python3 verify_draws.py opened.json table.json draws.ndjson

`opened.json` is the answer of tables/records, `table.json` any table of the game, which its players kept. A line of
`draws.ndjson` has what could be drawn at a ply, with weights. If you doubt them, make them from the record with an
engine of your own: conformance/README.md has the table of draws.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path


def digest(text):
    return sha256(text.encode()).hexdigest()


def draw(weights, seed, ply):
    """The component that the seed draws at a ply."""
    total, attempt = sum(weights.values()), 0
    while (number := int(digest(f"{seed}/{ply}/{attempt}"), 16)) >= 2**256 - 2**256 % total:
        attempt += 1
    tickets = [component for component in sorted(weights) for _ in range(weights[component])]
    return tickets[number % total]


def faults(opened, table, draws):
    root, shares, seed, moves = opened["root"], opened["shares"], opened["seed"], opened["record"]["moves"]
    if digest(root) != table["commitment"]:
        yield "the root is not the one that was committed to"
    if [digest(share) for share in shares] != table["creation"]["locks"]:
        yield "the shares do not fit the locks"
    if seed != digest("/".join([root, *shares])):
        yield "the seed does not follow from the root and the shares"
    if [one["ply"] for one in draws] != [ply for ply, move in enumerate(moves) if "seat" not in move]:
        yield "not every draw of the record is there"
    for one in draws:
        if one["drawn"] not in moves[one["ply"]].values():
            yield f"the record has another draw at ply {one['ply']}"
        if draw(one["weights"], seed, one["ply"]) != one["drawn"]:
            yield f"the seed draws something else at ply {one['ply']}"


if __name__ == "__main__":
    opened, table, draws = (Path(name).read_bytes() for name in sys.argv[1:4])
    found = list(faults(json.loads(opened), json.loads(table), list(map(json.loads, draws.rstrip().split(b"\n")))))
    print("\n".join(found) or "Every draw is that of the seed.")
    sys.exit(bool(found))
