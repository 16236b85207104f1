"""All comparisons of schemas: with types, with tables of the box and the code, with documents in use.

Together they cover every keyword; one that is not covered counts as a difference.
"""

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, NamedTuple

from msgspec.inspect import Type, type_info
from tools.schemas.documents import written

from capomastro.answers import VerdictOnLine
from capomastro.documents.shapes import COMMON
from capomastro.engine.decisions import Decision
from capomastro.engine.game import AnyGame
from capomastro.engine.results import ClaimedLine, Result, ScoreLine
from capomastro.games import all_games
from tests.support.drift import box_differences, table_differences, type_differences, use_differences
from tests.support.in_use import OF_A_GAME, OF_NO_GAME, seen_in
from tests.support.schema_reading import Schemas
from tests.support.schemas import schema_files

FOLDERS = tuple(folder for folder in (*all_games(), COMMON) if f"{folder}/state.json" not in written())
"""Those whose schemas are written by hand."""


class Typed(NamedTuple):
    """A document whose schema has a type; `closed` if clients send it."""

    place: str
    type: Type
    closed: bool


@cache
def typed(folder: str) -> list[Typed]:
    """The documents of a folder that have types."""
    if folder == COMMON:
        kinds: list[tuple[str, Any, bool]] = [
            ("result", Result[ScoreLine], False),
            ("decision", Decision, False),
            ("claimed-line", ClaimedLine, False),
            ("verdict-on-line", VerdictOnLine, False),
        ]
    else:
        kinds = kinds_of(all_games()[folder])
    return [Typed(f"{folder}/{name}.json#", type_info(kind), closed) for name, kind, closed in kinds]


def kinds_of(game: AnyGame) -> list[tuple[str, Any, bool]]:
    return [
        ("state", game.state_type, True),
        ("options", game.options_type, True),
        ("scoresheet", game.scoresheet_type, True),
        ("move", game.moves, True),
        ("event", game.events, False),
        ("derived", game.derived_type, False),
        ("result", game.result_type, False),
    ]


def differences(schemas: Schemas, folders: Collection[str] = FOLDERS) -> Iterator[str]:
    """All differences between the schemas in these folders and the rest of the project."""
    for folder in folders:
        yield from table_differences(folder, schemas)
        for place, kind, closed in typed(folder):
            yield from (
                f"{place}{difference}" for difference in type_differences(kind, schemas.node(place), "", closed)
            )
        if folder == COMMON:
            yield from differences_in_use(folder, OF_NO_GAME, schemas)
        else:
            yield from box_differences(folder, all_games()[folder].components(), schemas)
            yield from differences_in_use(folder, OF_A_GAME, schemas)
    if set(folders) == set(FOLDERS):
        yield from (f"{place} is compared with nothing" for place in sorted(schemas.left_over()))


def differences_in_use(folder: str, names: Collection[str], schemas: Schemas) -> Iterator[str]:
    return use_differences(seen_in(folder), {name: schemas.node(f"{folder}/{name}.json#") for name in names}, folder)


# --- with one file changed -------------------------------------------------------------------------------------------


@cache
def files_read(folder: str) -> frozenset[str]:
    """The files that the comparisons of a folder read."""
    schemas = Schemas(schema_files())
    assert not list(differences(schemas, [folder]))
    return frozenset(place.file for place in schemas.compared)


def differences_with(file: str, schema: Any) -> Iterator[str]:
    """The differences if a file is changed, from the comparisons that read it."""
    schemas = Schemas({**schema_files(), file: schema})
    own = file.partition("/")[0]
    for folder in sorted(FOLDERS, key=lambda one: one != own):
        if file in files_read(folder):
            yield from differences(schemas, [folder])
    yield from (f"{place} is compared with nothing" for place in schemas.left_over() if place.file == file)
