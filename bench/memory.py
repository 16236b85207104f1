"""The memory that each POST takes at its worst: `python -m bench.memory`.

Sends every resource with a body the shapes of `tests/support/memory.py`, as large as it reads, and the costliest
requests that the campaigns have found. Each is answered by a process of its own, forked from one that is idle; what
counts is by how much that grew at most. Prints the table of docs/operating.md, in MiB.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.campaigns.asking import Request
from tests.campaigns.kept import SLOW, kept
from tests.campaigns.worst import SLOWEST, worst
from tests.support.memory import growth, shapes

from bench.siege import long_replay
from capomastro.api.application import Application, create_app
from capomastro.api.declarations import Resource
from capomastro.api.resources import RESOURCES
from capomastro.settings import Settings

GAME = "palazzo"
LARGE = ("table", "record", "state", "scoresheet", "options")
"""Members that may be large; a resource has the first that it takes."""
SETTINGS = Settings(log_level="ERROR")


def bodies(resource: Resource) -> Iterator[tuple[str, Request]]:
    """What is sent to a resource, and what it is called."""
    large = resource.record or resource.accepts_notation or resource.streamed
    most = SETTINGS.maximum_record_bytes if large else SETTINGS.maximum_state_bytes
    path = resource.path.format(game=GAME)
    if resource.envelope is None:
        for name, make in shapes("record", most - 1).items():
            yield f"lines: {name}", Request("POST", path, make() + b"\n", "", {"Content-Type": "application/x-ndjson"})
    else:
        member = next(name for name in LARGE if name in resource.envelope.fields)
        for name, make in shapes(member, most).items():
            yield name, Request("POST", path, make(), "", {"Content-Type": "application/json"})
    if path.endswith(f"{GAME}/replays"):
        yield "a long record", Request("POST", path, long_replay(), "", {"Content-Type": "application/json"})


def collected() -> list[tuple[str, Request]]:
    """The costliest requests that the campaigns know."""
    named = dict(worst())
    return [*((name, named[name]()) for name in SLOWEST), *kept(SLOW).items()]


def main() -> None:
    app = create_app(SETTINGS)
    for request in dict(collected()).values():  # an idle process has answered before
        app.test_client().open(request.path, method="POST", data=request.body, headers=dict(request.headers)).get_data()
    known = collected()
    print("| resource | costliest body | bytes | answer | MiB |")
    print("|---|---|---|---|---|")
    for resource in RESOURCES:
        if resource.method == "POST":
            found = [one for one in known if template_of(one[1]) == resource.path]
            most = max(measured(app, name, request) for name, request in (*bodies(resource), *found))
            grown, name, size, status = most
            path = resource.path.removeprefix("/v1")
            print(f"| `{path}` | {name} | {size:,} | {status} | {grown / 2**20:.1f} |", flush=True)


def template_of(request: Request) -> str:
    """The path of a resource that a request is for."""
    parts = request.path.split("/")
    return "/".join([*parts[:3], "{game}", *parts[4:]] if parts[2] == "games" else parts)


def measured(app: Application, name: str, request: Request) -> tuple[int, str, int, int]:
    """By how many bytes a process grew, what it answered, and how."""
    status, grown = growth(app, request.path, request.body, request.query, **dict(request.headers))
    return grown, name, len(request.body), status


if __name__ == "__main__":
    main()
