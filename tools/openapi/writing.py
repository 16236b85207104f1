"""Writes the contract as text: without anchors, long texts as blocks, and in one line what fits into one."""

from typing import Any

import yaml

WIDTH = 120
INDENT = 2
DEEPEST = 2
"""How many objects may be within each other in one line."""


class Line(dict[str, Any]):
    """An object that is written in one line."""


class Words(list[Any]):
    """An array that is written in few lines."""


class Writer(yaml.SafeDumper):
    """A YAML writer for contracts."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def write_text(writer: Writer, value: str) -> yaml.ScalarNode:
    return writer.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


def write_line(writer: Writer, value: Line) -> yaml.MappingNode:
    return writer.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


def write_words(writer: Writer, value: Words) -> yaml.SequenceNode:
    return writer.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)


Writer.add_representer(str, write_text)
Writer.add_representer(Line, write_line)
Writer.add_representer(Words, write_words)


def laid_out(node: Any, indent: int = 0) -> Any:
    """A node with whatever is short in one line; `indent`: how far its members are indented."""
    if isinstance(node, list):
        if not any(isinstance(item, list | dict) for item in node):
            return Words(node)
        return [laid_out(item, indent + INDENT) for item in node]
    if not isinstance(node, dict):
        return node
    found = {}
    for name, member in node.items():
        room = WIDTH - indent - len(name) - len(": ")
        fits = isinstance(member, dict) and depth(member) <= DEEPEST and length(member) <= room
        found[name] = line(member) if fits else laid_out(member, indent + INDENT)
    return found


def depth(node: Any) -> int:
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return max(map(depth, inner), default=0) + isinstance(node, dict)


def line(node: Any) -> Any:
    if isinstance(node, dict):
        return Line({name: line(member) for name, member in node.items()})
    return Words(map(line, node)) if isinstance(node, list) else node


def length(node: Any) -> int:
    """The length of a node in one line; more than any line if that is not possible."""
    written = yaml.dump(line(node), Dumper=Writer, sort_keys=False, allow_unicode=True, width=10_000)
    return len(written) - 1 if written.count("\n") == 1 else WIDTH + 1


def as_yaml(document: Any) -> str:
    text: str = yaml.dump(laid_out(document), Dumper=Writer, sort_keys=False, allow_unicode=True, width=WIDTH)
    return text
