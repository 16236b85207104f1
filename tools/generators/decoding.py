"""Decodes every example of an answer with the classes of datamodel-code-generator; run by generators."""

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from json import loads
from pathlib import Path
from typing import Any

import msgspec


def models(file: Path) -> Any:
    """The generated module."""
    specification = spec_from_file_location("models", file)
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    sys.modules["models"] = module  # the module's names are looked up there
    specification.loader.exec_module(module)
    return module


def answers(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The name of the schema of every JSON answer, with an example."""
    for methods in document["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                for media_type, media in answer.get("content", {}).items():
                    name = media["schema"].get("$ref", "").rpartition("/")[2]
                    if name and media_type in ("application/json", "application/problem+json"):
                        yield from ((name, example["value"]) for example in media.get("examples", {}).values())


def main(file: Path, specification: Path) -> int:
    """Decodes all examples; returns 1 if one cannot be decoded or changes when encoded again."""
    made = models(file)
    decoded = wrong = 0
    for name, example in answers(loads(specification.read_bytes())):
        try:
            value = msgspec.convert(example, getattr(made, name))
            again = msgspec.to_builtins(value)
        except (TypeError, msgspec.ValidationError) as error:
            sys.stdout.write(f"error: {name}: {error}\n")
            wrong += 1
            continue
        decoded += 1
        if not isinstance(again, dict):
            sys.stdout.write(f"error: {name} is encoded as {type(again).__name__}\n")
            wrong += 1
    sys.stdout.write(f"{decoded} examples decoded\n")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
