"""Builds what generators and the service need from the contract, with answers of the service as examples."""

from collections.abc import Iterator, Sequence
from re import sub

import yaml
from tools.openapi.examples import with_examples
from tools.openapi.expansion import expanded, titles_of, without_examples
from tools.openapi.files import CONTRACT

from capomastro.documents import json_text
from capomastro.documents.files import openapi_name


def built_files() -> Iterator[tuple[str, bytes]]:
    """Every file: its name and its content. The service, which answers the examples, needs those without."""
    text = CONTRACT.read_text("utf-8")
    yield "openapi.yaml", with_addresses(text).encode()
    read = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    titles = titles_of(read)
    choices: dict[str | None, Sequence[str]] = {**{game: [game] for game in titles}, None: list(titles)}
    documents = {game: expanded(read, games) for game, games in choices.items()}
    for game, document in documents.items():
        yield openapi_name(game, examples=False), json_text.encode(without_examples(document)) + b"\n"
    for game, document in documents.items():
        yield openapi_name(game, examples=True), json_text.encode(with_examples(document, choices[game])) + b"\n"


def with_addresses(contract: str) -> str:
    """The contract as it is served: its references are paths of the service."""
    own = sub(r"\bschemas/common/([a-z-]+)\.json", r"/v1/schemas/\1", contract)
    return sub(r"\bschemas/([a-z-]+)/([a-z-]+)\.json", r"/v1/games/\1/schemas/\2", own)
