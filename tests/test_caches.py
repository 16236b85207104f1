"""What the rules and the pictures keep is counted: a cache pays rent, or goes.

A cache depends on its arguments. What takes none depends on the box or on types alone: it is a table.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import capomastro

PACKAGE = Path(capomastro.__file__).parent
ROOMS = ("engine", "games", "drawing")
MOST = 20
CACHING = {"cache", "lru_cache", "cached_property"}
MEASURED = re.compile(r"Cached:.*\d.*\(\d{4}-\d{2}-\d{2}\)", re.DOTALL)
"""What the docstring of a cache says: what it buys, as a figure, and when that was measured."""


class Function(NamedTuple):
    place: str
    node: ast.FunctionDef

    @property
    def arguments(self) -> int:
        arguments = self.node.args
        return len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])

    @property
    def docstring(self) -> str:
        return ast.get_docstring(self.node) or ""


def sources(*rooms: str) -> Iterator[tuple[str, ast.Module]]:
    for room in rooms:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            yield str(file.relative_to(PACKAGE)), ast.parse(file.read_text("utf-8"))


def functions(*rooms: str) -> Iterator[Function]:
    for name, tree in sources(*rooms):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                yield Function(f"{name}: {node.name}", node)


def name_of(node: ast.expr) -> str:
    """The last part of what is called or named."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def caches() -> list[Function]:
    """Every function whose results are kept by their arguments."""
    found = [one for one in functions(*ROOMS) if CACHING & {name_of(each) for each in one.node.decorator_list}]
    return [one for one in found if one.arguments]


def test_there_are_at_most_twenty() -> None:
    found = [one.place for one in caches()]
    assert len(found) <= MOST, found


def test_a_cache_says_what_it_buys() -> None:
    assert [one.place for one in caches() if not MEASURED.search(one.docstring)] == []


def test_nothing_else_keeps_results() -> None:
    """Caches are made by decorators alone, where they are seen, and nothing goes around one."""
    for name, tree in sources(*ROOMS):
        decorators = {id(each) for node in ast.walk(tree) for each in getattr(node, "decorator_list", ())}
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in decorators]
        assert not [node.lineno for node in calls if name_of(node) in CACHING], name
    for file in PACKAGE.rglob("*.py"):
        assert ".__wrapped__" not in file.read_text("utf-8"), file


def test_an_overridden_list_says_what_it_counts() -> None:
    overridden = [one for one in functions("games") if one.node.name == "offered"]
    assert overridden
    for function in overridden:
        assert re.search(r"\b[Cc]ount", function.docstring), function.place
        assert re.search(r"\d|thousand|million", function.docstring), f"{function.place} has no figure"
