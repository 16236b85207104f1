"""Compares the vectors of the conformance kit with a second implementation of the page they belong to."""

import hmac
import json
from hashlib import sha256
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from capomastro.adjudicator.loading import load_record
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.games import all_games
from capomastro.tables.documents import opened_table
from capomastro.tables.draws import deviations_from_table, draws_in, faults
from capomastro.tables.history import extends
from capomastro.tables.keys import KeyRing
from tests.support import table_vectors
from tests.support.documents import as_document
from tests.tables import second
from tests.tables.players import MASTERS
from tests.tables.verifying import verify

RING = KeyRing(MASTERS[:2])


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (table_vectors.FOLDER / name).read_text("utf-8").split("\n")[:-1]]


@pytest.mark.parametrize("name", table_vectors.FILES)
def test_the_vectors_are_up_to_date(name: str) -> None:
    """If a change of rules has made them wrong: make generated."""
    assert (table_vectors.FOLDER / name).read_text("utf-8") == table_vectors.text_of(name)


def test_keys() -> None:
    for vector in lines("keys.ndjson"):
        master = second.decoded(vector["master"])
        assert master is not None
        for name, length in (("kid", 4), ("seal", 64), ("root", 32)):
            assert second.expanded(master, f"capomastro/tables/1/{name}".encode(), length).hex() == vector[name]


def test_secrets() -> None:
    for vector in lines("secrets.ndjson"):
        assert second.digest(vector["secret"]) == vector["share"]
        assert second.digest(vector["share"]) == vector["lock"]


def test_base64url() -> None:
    for vector in lines("base64url.ndjson"):
        found = second.decoded(vector["text"])
        assert (found if found is None else found.hex()) == vector["bytes"]


def test_ciphers() -> None:
    opening = 0
    for vector in lines("aes-siv.ndjson"):
        bound = [bytes.fromhex(part) for part in vector["associated"]]
        key, sealed = bytes.fromhex(vector["key"]), bytes.fromhex(vector["sealed"])
        plaintext = second.opened(key, sealed, bound)
        assert (plaintext if plaintext is None else plaintext.hex()) == vector["plaintext"], vector["name"]
        try:
            assert AESSIV(key).decrypt(sealed, bound) == plaintext, vector["name"]
        except InvalidTag:
            assert plaintext is None, vector["name"]
        if plaintext is not None:
            opening += 1
            assert second.siv(key, plaintext, bound) == AESSIV(key).encrypt(plaintext, bound) == sealed, vector["name"]
    assert opening == len(lines("aes-siv.ndjson")) - 18


def test_tables() -> None:
    keys = {vector["kid"]: vector for vector in lines("keys.ndjson")}
    names = set()
    for vector in lines("tables.ndjson"):
        table = vector["table"]
        names.add(vector["name"].rpartition("-")[2])
        clear = {name: member for name, member in table.items() if name != "sealed"}
        assert vector["canonical_creation"] == second.canonical(table["creation"])
        assert table["id"] == second.digest(second.canonical(table["creation"]))
        assert vector["associated"] == second.digest(second.canonical(clear))
        head, kid, text = table["sealed"].split(".")
        sealed = second.decoded(text)
        assert sealed is not None
        seal = bytes.fromhex(keys[kid]["seal"])
        plaintext = second.opened(seal, sealed, [f"{head}.{kid}".encode(), bytes.fromhex(vector["associated"])])
        assert plaintext == vector["plaintext"].encode()
        hidden = json.loads(vector["plaintext"])
        assert vector["plaintext"].rstrip(" ") == second.canonical(hidden)
        unknown = sum(sum(seat["hand"]["unknown"].values()) for seat in table["state"]["seats"] if "hand" in seat)
        assert len(vector["plaintext"]) == 256 * -(-(512 + 16 * unknown) // 256)
        assert table["commitment"] == second.digest(hidden["root"])
        assert [second.digest(share) for share in hidden["shares"]] == table["creation"]["locks"][
            : len(hidden["shares"])
        ]
        first = next(iter(keys.values()))
        root = hmac.new(bytes.fromhex(first["root"]), table["id"].encode(), sha256).hexdigest()
        assert hidden["root"] == root, "rotation gives no second deal"
        if vector["seed"] is not None:
            assert vector["seed"] == second.digest("/".join([root, *hidden["shares"]]))
    assert names == {"join", "draw", "move", "rotated", "opening"}


def test_foreign_tables() -> None:
    first = lines("tables.ndjson")[0]["table"]
    game = all_games()[first["creation"]["game"]]
    opened_table(game, RING, first)
    for vector in lines("foreign.ndjson"):
        with pytest.raises(Problem) as refused:
            opened_table(game, RING, {**first, vector["member"]: vector["value"]})
        assert refused.value.id == "foreign-table", vector["name"]


def test_forks() -> None:
    found = {vector["name"]: vector for vector in lines("forks.ndjson")}
    for name, vector in found.items():
        one, other = vector["tables"]
        assert extends(one, other) == second.extends(one, other) == (vector["fork"] is None), name
        assert [extends(one, other), extends(other, one)] == vector["extends"], name
        assert second.extends(other, one) == (name == "same"), name
        assert second.fork(one, other) == vector["fork"], name
    assert found["seat"]["fork"]["by"] == "seat"
    assert found["draw"]["fork"]["by"] == "chance"
    assert found["other-commitment"]["fork"] == "different games"


def test_opened_games() -> None:
    """By the second implementation, with the draws by the example, and by the service."""
    fair = set()
    for vector in lines("opened.ndjson"):
        given, table, fault = vector["opened"], vector["table"], vector["fault"]
        game = all_games()[table["creation"]["game"]]
        promises = second.deviations_from_table(given, table)
        assert promises == ([] if fault in (None, "draw") else [fault]), vector["name"]
        if fault != "id":  # which the service itself has sealed
            assert bool(deviations_from_table(game, given, table)) == bool(promises), vector["name"]
        start, moves = load_record(game, given["record"], under_current_rules=False, at="/record")
        if fault in (None, "draw"):
            assert bool(faults(game, given["record"], given["seed"])) == (fault == "draw")
            weights = [as_document(draw) for draw in draws_in(game, start, moves)]
            assert bool([*verify(given, table, weights)]) == (fault == "draw")
        fair |= {game.id} if fault is None else set()
    assert fair == {*all_games()}


def test_the_canonical_form_is_that_of_rfc_8785() -> None:
    """For all that a table can have; the two orders differ only for names outside the Basic Multilingual Plane."""
    values = [
        "".join(map(chr, range(0x250))),
        "\u2028\u2029\ufeff\uffff",
        "\U0001f3db",
        {"b": 1, "a": [], "ä": {}, "Z": None},
    ]
    for value in (*values, {"names": list(table_vectors.NAMES)}, [0, -1, 2**53 - 1, True, False, None]):
        assert json_text.canonical(value).decode() == second.canonical(value)
