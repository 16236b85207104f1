"""Which layer may import which, read from the source."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import capomastro
from capomastro.games import all_games

PACKAGE = Path(capomastro.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
HTTP = {"flask", "werkzeug", "marshmallow", "gunicorn", "flask_swagger_ui", "http", "wsgiref", "socket"}
CLUSTER = {"dask", "distributed", "fsspec"}
"""What comes with an optional extra: nothing else may need it."""

TERMINAL = {"click", "tqdm"}
GAMES_BY_LOOKING = {("games",), ("games", "all_games")}
DOCUMENT_LIBRARIES = {"jsonschema", "jsonschema_rs", "referencing", "yaml", "json"}
OWN = "capomastro"


def parts_of(path: Path) -> tuple[str, ...]:
    """The module of a file, such as ("games", "palazzo", "state")."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


class Source(NamedTuple):
    """What is looked for in a module; of its syntax tree nothing is kept."""

    imports: tuple[str, ...]
    """Every module it imports, and every name it imports from one, with dots: both may be modules."""
    texts: tuple[str, ...]
    """Every text in its code, docstrings left out."""
    identifiers: tuple[str, ...]


@cache
def source_of(path: Path) -> Source:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    imports: list[str] = []
    texts: list[str] = []
    identifiers: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            imports += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            assert node.module is not None
            imports += (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            texts.append(node.value)
        elif isinstance(node, ast.Name | ast.Attribute):
            identifiers.append(node.id if isinstance(node, ast.Name) else node.attr)
    return Source(tuple(imports), tuple(texts), tuple(identifiers))


def imports_of(path: Path) -> tuple[str, ...]:
    return source_of(path).imports


def inner(name: str) -> tuple[str, ...]:
    """An import from this package, without its name; () for any other."""
    parts = tuple(name.split("."))
    return parts[1:] if parts[0] == OWN else ()


def modules(layer: str) -> list[Path]:
    return [path for path in MODULES if parts_of(path)[:1] == (layer,)]


def shown(path: Path) -> str:
    return ".".join(parts_of(path))


@pytest.mark.parametrize("path", modules("drawing"), ids=shown)
def test_drawing_knows_nothing_else(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | TERMINAL | DOCUMENT_LIBRARIES | {"msgspec"}, name
        assert not inner(name) or inner(name)[0] == "drawing", name


@pytest.mark.parametrize("path", modules("engine"), ids=shown)
def test_the_engine_knows_nothing_else_and_of_drawing_only_what_a_game_returns(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | DOCUMENT_LIBRARIES, name
        known = ("drawing", "engine") if path.stem == "game" else ("engine",)
        assert not inner(name) or inner(name)[0] in known, name


@pytest.mark.parametrize("path", modules("games"), ids=shown)
def test_a_game_knows_the_engine_and_itself_and_how_to_draw(path: Path) -> None:
    own = parts_of(path)[:2]
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | DOCUMENT_LIBRARIES, name
        to = inner(name)
        draws = path.stem == "game" or "picture" in parts_of(path)
        assert not to or to[0] == "engine" or (to[:2] == own and len(own) == 2) or (to[0] == "drawing" and draws), name


@pytest.mark.parametrize("path", modules("games"), ids=shown)
def test_no_rule_of_a_game_knows_its_picture(path: Path) -> None:
    if path.stem == "game" or "picture" in parts_of(path):
        return
    assert not any("picture" in inner(name) for name in imports_of(path))


@pytest.mark.parametrize("path", modules("documents"), ids=shown)
def test_documents_know_no_http_and_no_game(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP, name
        assert not inner(name) or inner(name)[0] in ("documents", "engine"), name


@pytest.mark.parametrize("path", [*modules("batch"), PACKAGE / "archive.py"], ids=shown)
def test_archives_know_documents_and_how_to_judge_them(path: Path) -> None:
    for name in imports_of(path):
        top = name.split(".")[0]
        assert top not in HTTP | TERMINAL, name
        assert top not in CLUSTER or path.stem == "cluster" or (path.stem, top) == ("files", "fsspec"), name
        known = ("adjudicator", "answers", "archive", "batch", "documents", "engine", "settings")
        assert not inner(name) or inner(name)[0] in known or inner(name) in GAMES_BY_LOOKING, name


@pytest.mark.parametrize("path", modules("adjudicator"), ids=shown)
def test_the_adjudicator_knows_no_http(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP, name
        known = ("adjudicator", "answers", "documents", "drawing", "engine", "games")
        assert not inner(name) or inner(name)[0] in known, name
        assert inner(name)[:1] != ("games",) or inner(name) in GAMES_BY_LOOKING, name


@pytest.mark.parametrize("path", modules("tables"), ids=shown)
def test_tables_know_how_to_adjudicate_and_no_http(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | TERMINAL | CLUSTER, name
        known = ("adjudicator", "answers", "documents", "engine", "settings", "tables")
        assert not inner(name) or inner(name)[0] in known or inner(name) in GAMES_BY_LOOKING, name


@pytest.mark.parametrize("path", [path for path in MODULES if parts_of(path)[:1] != ("tables",)], ids=shown)
def test_only_tables_know_cryptography(path: Path) -> None:
    assert not any(name.split(".")[0] == "cryptography" for name in imports_of(path))


def test_the_catalogue_knows_where_things_are_served_and_no_http() -> None:
    for name in imports_of(PACKAGE / "catalogue.py"):
        assert name.split(".")[0] not in HTTP, name
        known = ("addresses", "adjudicator", "answers", "documents", "engine")
        assert not inner(name) or inner(name)[0] in known or inner(name) in GAMES_BY_LOOKING, name


def test_answers_know_the_engine_only() -> None:
    for name in imports_of(PACKAGE / "answers.py"):
        assert name.split(".")[0] not in HTTP | DOCUMENT_LIBRARIES, name
        assert not inner(name) or inner(name)[0] == "engine", name


@pytest.mark.parametrize("path", modules("pages"), ids=shown)
def test_pages_know_the_service_only_by_what_they_fetch(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | DOCUMENT_LIBRARIES - {"json"}, name
        assert not inner(name), name


@pytest.mark.parametrize("module", ["addresses", "settings"])
def test_addresses_and_settings_know_nothing_else(module: str) -> None:
    for name in imports_of(PACKAGE / f"{module}.py"):
        assert name.split(".")[0] not in HTTP | DOCUMENT_LIBRARIES, name
        assert not inner(name), name


@pytest.mark.parametrize("path", modules("layout"), ids=shown)
def test_layouts_know_documents_and_no_terminal(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | TERMINAL, name
        assert not inner(name) or inner(name)[0] in ("documents", "engine", "layout"), name


@pytest.mark.parametrize("path", modules("library"), ids=shown)
def test_the_library_needs_neither_http_nor_a_terminal(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | TERMINAL | CLUSTER, name
        known = ("adjudicator", "answers", "documents", "engine", "games", "layout", "library")
        without_keys = inner(name)[:2] == ("tables", "history")
        assert not inner(name) or without_keys or inner(name)[0] in known, name
        assert inner(name)[:1] != ("games",) or inner(name) in GAMES_BY_LOOKING, name


@pytest.mark.parametrize("path", [path for path in MODULES if parts_of(path)[:1] != ("library",)], ids=shown)
def test_the_library_is_for_others(path: Path) -> None:
    """Nothing in the package uses it; it is there for those who import the package."""
    if parts_of(path):
        assert not any(inner(name)[:1] == ("library",) for name in imports_of(path))


@pytest.mark.parametrize("path", modules("api"), ids=shown)
def test_http_finds_games_by_looking(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in TERMINAL | CLUSTER, name
        assert inner(name)[:1] not in (("batch",), ("cli",)), name
        assert inner(name)[:1] != ("games",) or inner(name) in GAMES_BY_LOOKING, name


@pytest.mark.parametrize("path", modules("cli"), ids=shown)
def test_the_command_line_asks_as_http_does_and_only_starts_its_server(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in HTTP | CLUSTER, name
        assert inner(name)[:1] != ("api",) or inner(name)[:2] == ("api", "server"), name
        assert inner(name)[:1] != ("games",) or inner(name) in GAMES_BY_LOOKING, name


@pytest.mark.parametrize("path", [path for path in MODULES if parts_of(path)[:1] != ("api",)], ids=shown)
def test_only_http_knows_addresses_besides_the_catalogue(path: Path) -> None:
    """An address begins with the version of the API."""
    if path.stem in ("addresses", "catalogue") or parts_of(path) == ("cli", "service"):
        return  # the last asks a running service, as any client does
    assert not any(inner(name)[:1] == ("addresses",) for name in imports_of(path))
    assert not any(re.search(r"/v\d+\b", text) for text in source_of(path).texts)


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if parts_of(path)[:1] != ("games",)],
    ids=shown,
)
def test_no_game_is_named(path: Path) -> None:
    """Not even in a text, so that a new game needs no change there. Docstrings and comments do not count."""
    names = {game.id for game in all_games().values()} | {
        type(game).__module__.split(".")[-2] for game in all_games().values()
    }
    for text in source_of(path).texts:
        assert not any(name in text.lower() for name in names), (path, text)
    for identifier in source_of(path).identifiers:
        assert not any(name in identifier.lower() for name in names), (path, identifier)


def test_every_package_is_checked() -> None:
    layers = {parts[0] for path in MODULES if (parts := parts_of(path)) and (PACKAGE / parts[0]).is_dir()}
    assert layers == {
        "adjudicator",
        "api",
        "batch",
        "cli",
        "documents",
        "drawing",
        "engine",
        "games",
        "layout",
        "library",
        "pages",
        "tables",
    }
    folders = {parts_of(path)[1] for path in modules("games") if len(parts_of(path)) > 1}
    assert {type(game).__module__.split(".")[-2] for game in all_games().values()} <= folders
