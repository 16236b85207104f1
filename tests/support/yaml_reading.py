"""Reads YAML with libyaml, if PyYAML was built with it: without, the specification takes two seconds of CPU."""

from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str | bytes) -> Any:
    """The first document in a text."""
    return yaml.load(text, LOADER)
