"""The sentences of types: the docstrings of classes, and those under fields and under names of types."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import cleandoc, getsource
from itertools import pairwise
from typing import Any


def sentence(text: str | None) -> str | None:
    """A docstring as one line."""
    return " ".join(cleandoc(text).split()) if text else None


def of_class(kind: type) -> str | None:
    return sentence(vars(kind).get("__doc__"))


def of_fields(kind: type) -> Mapping[str, str]:
    """The sentence of each field that has one, where the class or one above it declares it."""
    found: dict[str, str] = {}
    for above in reversed(kind.__mro__):
        if above.__module__.startswith("capomastro."):
            found |= sentences_in(above.__module__).get(above.__name__, {})
    return found


def of_names(module: str) -> Mapping[str, str]:
    """The sentence of each name that a module gives to a type."""
    return sentences_in(module)[""]


@cache
def sentences_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """The docstrings under assignments, by class (of the module itself: "") and name."""
    tree = ast.parse(getsource(import_module(module)))
    classes = {node.name: dict(under_names(node.body)) for node in tree.body if isinstance(node, ast.ClassDef)}
    return {"": dict(under_names(tree.body)), **classes}


def under_names(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement, following in pairwise(body):
        target: Any = getattr(statement, "target", None) or next(iter(getattr(statement, "targets", ())), None)
        if isinstance(target, ast.Name) and isinstance(following, ast.Expr):
            text = getattr(following.value, "value", None)
            if isinstance(text, str):
                yield target.id, sentence(text) or ""
