"""Writes the specification as text: without anchors, long texts as blocks, examples in few lines."""

from typing import Any

import yaml


class Example(dict[str, Any]):
    """An object that is written in few lines."""


class Flow(list[Any]):
    """An array that is written in few lines."""


def flowing(value: Any) -> Any:
    """A value all of whose parts are written in few lines."""
    if isinstance(value, dict):
        return Example({name: flowing(member) for name, member in value.items()})
    return Flow(map(flowing, value)) if isinstance(value, list) else value


class Writer(yaml.SafeDumper):
    """A YAML writer for specifications."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def write_text(writer: Writer, value: str) -> yaml.ScalarNode:
    return writer.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


def write_object(writer: Writer, value: Example) -> yaml.MappingNode:
    return writer.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


def write_array(writer: Writer, value: Flow) -> yaml.SequenceNode:
    return writer.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)


Writer.add_representer(str, write_text)
Writer.add_representer(Example, write_object)
Writer.add_representer(Flow, write_array)


def as_yaml(document: Any) -> str:
    text: str = yaml.dump(document, Dumper=Writer, sort_keys=False, allow_unicode=True, width=120)
    return text
