"""No answer repeats a secret, wherever it was in a request about a table."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from capomastro.api.application import create_app
from capomastro.documents import json_text
from capomastro.settings import Settings
from tests.tables.players import MASTERS

SECRET = "kEEp-tHis_tO-yourself" * 2 + "x"
LOCKS = ["ab" * 32, "cd" * 32]
RESOURCES = ("tables", "tables/views", "tables/transitions", "tables/records")
BODY = {"table": {}, "seat": 0, "secret": SECRET, "moves": []}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings(log_level="CRITICAL", sealing_keys=MASTERS[0])).test_client()


def answer(
    client: FlaskClient, resource: str, content: bytes | str, query: str = "", **headers: str
) -> tuple[str, str]:
    """The problem of a refusal, and the text of head and body."""
    path = f"/v1/games/palazzo/{resource}{query}"
    found = client.post(path, data=content, content_type="application/json", headers=headers)
    assert found.status_code >= 400
    return found.get_json()["type"].rpartition("/")[2], f"{found.headers}{found.get_data(as_text=True)}"


def repeats(response: str) -> bool:
    """Whether the text contains six consecutive characters of the secret."""
    return any(SECRET[start : start + 6] in response for start in range(len(SECRET) - 5))


MALFORMED = (
    '{"table": {}, "%s": 1, "%s": 2}',
    '{"table": {"%s": 1, "%s": 2}}',
    '{"secret": "%s" "%s"}',
    '{"secret": %s, %s}',
    '{"secret": "\\ud800%s%s"}',
    '{"secret": "%s", "%s": 1.5}',
)


@pytest.mark.parametrize("resource", RESOURCES)
def test_echoes_of_bodies_that_are_not_json(client: FlaskClient, resource: str) -> None:
    for text in MALFORMED:
        problem, response = answer(client, resource, text % (SECRET, SECRET))
        assert problem == "malformed-json", text
        assert not repeats(response), text


@pytest.mark.parametrize("resource", RESOURCES)
@pytest.mark.parametrize("query", [f"?{SECRET}", f"?{SECRET}=1", f"?secret={SECRET}", f"?a={SECRET}&a={SECRET}"])
def test_parameters(client: FlaskClient, resource: str, query: str) -> None:
    problem, response = answer(client, resource, json_text.encode(BODY), query)
    assert problem == "envelope"
    assert not repeats(response)


def test_parameters_are_refused_in_a_sentence(client: FlaskClient) -> None:
    _, response = answer(client, "tables/views", json_text.encode(BODY), "?a=1")
    assert "The query parameters are invalid; the body was not checked." in response


def test_headers(client: FlaskClient) -> None:
    for header in ("Accept", "Accept_Language", "Content_Encoding"):
        _, response = answer(client, "tables/views", json_text.encode(BODY), **{header: SECRET})
        assert not repeats(response)


CREATIONS: tuple[dict[str, Any], ...] = (
    {"options": {SECRET: 1}},
    {"options": {"builder": SECRET}},
    {"options": {"stack_sizes": [SECRET]}},
    {"options": SECRET},
    {"names": [SECRET, 1]},
    {"names": SECRET},
    {"locks": [SECRET, SECRET]},
    {"locks": {SECRET: SECRET}},
    {"draws": SECRET},
    {"nonce": SECRET * 2},
    {"nonce": [SECRET]},
    {"players": SECRET},
    {SECRET: SECRET},
)


@pytest.mark.parametrize("changed", CREATIONS, ids=str)
def test_creations(client: FlaskClient, changed: dict[str, Any]) -> None:
    _, response = answer(client, "tables", json_text.encode({"players": 2, "locks": LOCKS, **changed}))
    assert not repeats(response)


MIXED_UP: tuple[dict[str, Any], ...] = (
    {"table": SECRET},
    {"table": [SECRET]},
    {"seat": SECRET},
    {"seat": [SECRET]},
    {"secret": [SECRET]},
    {"secret": SECRET + SECRET},
    {"moves": SECRET},
    {"moves": [SECRET]},
    {"legal_moves": SECRET},
    {SECRET: 1},
    {SECRET[:20]: {SECRET: 1}},
)


@pytest.mark.parametrize("resource", RESOURCES[1:])
@pytest.mark.parametrize("changed", MIXED_UP, ids=str)
def test_members(client: FlaskClient, resource: str, changed: dict[str, Any]) -> None:
    _, response = answer(client, resource, json_text.encode({**BODY, **changed}))
    assert not repeats(response)
