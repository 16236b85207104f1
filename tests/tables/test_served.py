"""The service as it runs: several processes with one key that was made before they forked."""

import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from capomastro.tables.shares import lock_of
from tests.support.serving import warmly_served
from tests.tables.players import MASTERS

SECRETS = ("A" * 43, "B" * 42 + "A")


def answer_to(address: str, question: str, body: dict[str, Any]) -> Any:
    request = Request(f"{address}/v1/games/carrara/{question}", json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)


def test_a_key_made_at_the_start_is_that_of_all_processes(tmp_path: Path) -> None:
    creation = {"players": 2, "locks": [lock_of(secret) for secret in SECRETS]}
    with warmly_served(tmp_path, CAPOMASTRO_WORKERS="3") as (address, _):
        tables = {json.dumps(answer_to(address, "tables", creation)) for _ in range(30)}
        assert len(tables) == 1, "every process seals the same"
        table = json.loads(tables.pop())["table"]
        for _ in range(30):
            assert answer_to(address, "tables/views", {"table": table, "seat": None})["state"] == table["state"]


def test_tables_outlive_a_service_with_keys_and_none_without(tmp_path: Path) -> None:
    creation = {"players": 2, "locks": [lock_of(secret) for secret in SECRETS]}
    (tmp_path / "keys").write_text("\n".join(MASTERS[:2]))
    with warmly_served(tmp_path, CAPOMASTRO_SEALING_KEYS_FILE=str(tmp_path / "keys")) as (address, _):
        table = answer_to(address, "tables", creation)["table"]
    with warmly_served(tmp_path, CAPOMASTRO_SEALING_KEYS=f"{MASTERS[1]} {MASTERS[0]}") as (address, _):
        join = {"table": table, "seat": 0, "secret": SECRETS[0], "moves": []}
        joined = answer_to(address, "tables/transitions", join)["table"]
        assert joined["sealed"].split(".")[1] != table["sealed"].split(".")[1]
        assert joined["commitment"] == table["commitment"]
    with warmly_served(tmp_path) as (address, _), pytest.raises(HTTPError) as refused:
        answer_to(address, "tables/views", {"table": table, "seat": None})
    assert json.load(refused.value)["type"] == "/v1/problems/foreign-table"
