"""The reference of a game's operations as HTML, from its specification."""

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

LONGEST_LINE = 100
"""Of JSON, in characters."""


def reference_of(document: Mapping[str, Any]) -> str:
    """Every operation by its tag: what it takes, answers and refuses, with an example; and the types of all that."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(coded=coded, indented=indented)
    by_tag: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag[operation["tags"][0]].append(operation_of(path, method.upper(), operation))
    types = document["components"]["schemas"]
    page = environment.get_template("reference.html")
    return page.render(tags=document["tags"], operations=by_tag, types=types)


def operation_of(path: str, method: str, operation: Mapping[str, Any]) -> dict[str, Any]:
    """An operation as the page shows it: what it takes, what it answers and refuses, an example of both."""
    takes_type, takes = first_content(operation.get("requestBody", {}))
    answers = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
    answers_type, answer = first_content(next(iter(answers.values())))
    return {
        "id": operation["operationId"],
        "path": path,
        "method": method,
        "summary": operation["summary"],
        "description": operation.get("description"),
        "parameters": [one for one in operation.get("parameters", ()) if "name" in one],
        "takes": takes.get("schema"),
        "takes_type": takes_type,
        "example": first_example(takes),
        "answers": answer.get("schema"),
        "answers_type": answers_type,
        "answered": first_example(answer),
        "refuses": {
            status: one["description"] for status, one in operation["responses"].items() if status not in answers
        },
    }


def first_content(body: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any]]:
    """The media type of a body that is named first, and what is said of it."""
    content: Mapping[str, Mapping[str, Any]] = body.get("content", {})
    return next(iter(content.items()), (None, {}))


def first_example(content: Mapping[str, Any]) -> Any:
    return next((one["value"] for one in content.get("examples", {}).values()), None)


def coded(text: str) -> Markup:
    """A text of the specification: what stands in backticks is code."""
    parts = str(escape(text)).split("`")
    coded_parts = (f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
    return Markup("".join(coded_parts))


def indented(value: Any) -> str:
    """A JSON value as people read it; what is short stands in one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= LONGEST_LINE or not value or not isinstance(value, dict | list):
        return line
    if isinstance(value, dict):
        members = [f"{json.dumps(name)}: {indented(member)}" for name, member in value.items()]
        return "{\n" + indent(",\n".join(members), "  ") + "\n}"
    return "[\n" + indent(",\n".join(map(indented, value)), "  ") + "\n]"
