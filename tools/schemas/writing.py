"""Lays a schema out as text: what fits into a line stands in one."""

from json import dumps
from typing import Any

WIDTH = 120


def as_text(schema: Any) -> str:
    return laid_out(schema, "") + "\n"


def laid_out(value: Any, indent: str, before: int = 0) -> str:
    """A value as JSON; `before` characters of its first line are taken."""
    short = in_a_line(value)
    if len(indent) + before + len(short) < WIDTH or not isinstance(value, dict | list) or not value:
        return short
    deeper = indent + "  "
    if isinstance(value, dict):
        members = [f"{dumps(name)}: " for name in value]
        parts = [name + laid_out(value[key], deeper, len(name)) for name, key in zip(members, value, strict=True)]
        return "{\n" + ",\n".join(deeper + part for part in parts) + f"\n{indent}}}"
    if all(isinstance(item, str | int) for item in value):
        return f"[\n{filled(value, deeper)}\n{indent}]"
    return "[\n" + ",\n".join(deeper + laid_out(item, deeper) for item in value) + f"\n{indent}]"


def in_a_line(value: Any) -> str:
    if isinstance(value, dict) and value:
        return "{ " + ", ".join(f"{dumps(name)}: {in_a_line(member)}" for name, member in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_a_line, value)) + "]"
    return dumps(value, ensure_ascii=False)


def filled(items: list[Any], indent: str) -> str:
    """Short items, as many in a line as fit."""
    lines = [indent]
    for index, item in enumerate(items):
        text = in_a_line(item) + ("," if index < len(items) - 1 else "")
        if lines[-1] != indent and len(lines[-1]) + 1 + len(text) > WIDTH:
            lines.append(indent)
        lines[-1] += text if lines[-1] == indent else " " + text
    return "\n".join(lines)
