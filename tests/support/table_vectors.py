"""The vectors of sealed tables: with them another service can be written from docs/tables.md alone.

Made by this code, and held against a second implementation in the tests.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.tables.base64url import encoded
from capomastro.tables.documents import associated
from capomastro.tables.history import DifferentGames, fork
from capomastro.tables.keys import ROOT_BYTES, SEAL_BYTES, KeyRing, derived
from capomastro.tables.sealing import unsealed
from capomastro.tables.shares import digest, lock_of, seed_of, share_of
from tests.support.conformance import CONFORMANCE
from tests.support.documents import as_document
from tests.tables.players import MASTERS, Played, by_hand, play

FOLDER = CONFORMANCE / "tables"
SECRETS = tuple(letter * 42 + "A" for letter in "ABCDE")
NAMES = ("Zoë", "Καπομάστρο", "李", "🏛", 'a\tb\u0007"\\/\u2028')
"""Outside ASCII, outside the Basic Multilingual Plane, and all that JSON has to escape, or only likes to."""

Vectors = list[dict[str, Any]]


def keys() -> Vectors:
    """Masters and what is derived of them."""
    random = Random("keys")
    masters = [*MASTERS, *(encoded(random.randbytes(32)) for _ in range(3))]
    return [key_vector(master) for master in masters]


def key_vector(master: str) -> dict[str, Any]:
    from capomastro.tables.keys import master_in

    bytes_ = master_in(master)
    return {
        "master": master,
        "kid": KeyRing([master]).sealing.kid,
        "seal": derived(bytes_, "seal", SEAL_BYTES).hex(),
        "root": derived(bytes_, "root", ROOT_BYTES).hex(),
    }


def secrets() -> Vectors:
    return [{"secret": one, "share": share_of(one), "lock": lock_of(one)} for one in SECRETS]


def base64url() -> Vectors:
    """Texts with their values in hexadecimal; null where a strict reader finds none."""
    good = [{"text": encoded(bytes(range(length))), "bytes": bytes(range(length)).hex()} for length in range(6)]
    bad = ("A", "AAAAA", "AB", "AAB", "AA=", "AA==", "A A", "AA\n", "+A", "/w", "é", "A.A", "AA\u0000")
    return [*good, *({"text": text, "bytes": None} for text in bad)]


def ciphers() -> Vectors:
    """AES-256-SIV: plaintexts around a block, with and without associated data."""
    random = Random("AES-SIV")
    found = []
    for length in (1, 15, 16, 17, 31, 32, 33, 64):
        for parts in ((), (0,), (5,), (12, 32), (1, 0, 40)):
            key, plaintext = random.randbytes(64), random.randbytes(length)
            bound = [random.randbytes(part) for part in parts]
            sealed = AESSIV(key).encrypt(plaintext, bound)
            found.append(
                {
                    "key": key.hex(),
                    "associated": [part.hex() for part in bound],
                    "plaintext": plaintext.hex(),
                    "sealed": sealed.hex(),
                }
            )
    return found


# --- tables ----------------------------------------------------------------------------------------------------------


def games() -> Iterator[tuple[AnyGame, Played]]:
    """A game of every game, with as many as can play and odd names; keys are rotated in the middle."""
    for game in all_games().values():
        players = game.players[-1]
        rings = [KeyRing(MASTERS[:1]), KeyRing(MASTERS[:2]), KeyRing([MASTERS[1], MASTERS[0]])]
        asks = [by_hand(game, ring) for ring in rings]
        names = NAMES[:players]
        yield game, play(game, lambda step, asks=asks: asks[min(step // 40, 2)], "vectors", players, names=names)  # type: ignore[misc]


def tables() -> Iterator[dict[str, Any]]:
    """A table of every game for each it can wait for, and what is in it."""
    for game, done in games():
        shown: dict[str, dict[str, Any]] = {}
        for table in done.tables:
            name = table["waiting"]["for"]
            if name == "move" and table["state"]["ply"] > done.tables[-1]["state"]["ply"] // 2:
                name = "move-rotated"
            shown.setdefault(name, table)
        for name, table in shown.items():
            yield {"name": f"{game.id}-{name}", **table_vector(table)}


def table_vector(table: dict[str, Any]) -> dict[str, Any]:
    """A table, and everything on the way to what is sealed in it."""
    ring = KeyRing(MASTERS[:2])
    clear = {name: member for name, member in table.items() if name != "sealed"}
    bound = associated(clear)
    plaintext = unsealed(ring, table["sealed"], bound)
    hidden = json_text.decode(plaintext)
    creation = json_text.canonical(table["creation"]).decode()
    seed = seed_of(hidden["root"], hidden["shares"]) if len(hidden["shares"]) == table["creation"]["players"] else None
    return {
        "canonical_creation": creation,
        "associated": bound.hex(),
        "plaintext": plaintext.decode("ascii"),
        "seed": seed,
        "table": table,
    }


def foreign() -> Iterator[dict[str, Any]]:
    """Changes to the first table above that no service may take: the member, and its value."""
    first = next(tables())["table"]
    sealed = first["sealed"]
    body = sealed.rpartition(".")[2]
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".index(body[-1])
    unused = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[last ^ 1]
    changes: dict[str, tuple[str, Any]] = {
        "altered-id": ("id", "0" * 64),
        "altered-commitment": ("commitment", digest("0")),
        "altered-record": ("record", first["record"] + "0 pass\n"),
        "altered-waiting": ("waiting", {**first["waiting"], "seats": [1]}),
        "altered-creation": ("creation", {**first["creation"], "nonce": "another"}),
        "altered-state": ("state", {**first["state"], "ply": 1}),
        "unknown-member": ("further", None),
        "cut": ("sealed", sealed[:-4]),
        "padded": ("sealed", sealed + "="),
        "unused-bit": ("sealed", sealed[:-1] + unused),
        "line-feed": ("sealed", sealed + "\n"),
        "other-key": ("sealed", sealed.replace(sealed.split(".")[1], "00000000")),
        "upper-case-kid": ("sealed", sealed.replace(sealed.split(".")[1], sealed.split(".")[1].upper())),
        "other-format": ("sealed", "2" + sealed[1:]),
        "no-text": ("sealed", None),
    }
    for name, (member, value) in changes.items():
        yield {"name": name, "member": member, "value": value}


def forks() -> Iterator[dict[str, Any]]:
    """Two tables of one game each: whether one goes on from the other, and if not, who played twice."""
    game = all_games()["palazzo"]
    ask = by_hand(game, KeyRing(MASTERS[:1]))
    done = play(game, lambda _: ask, "forks", 2)
    at = next(index for index, table in enumerate(done.tables) if table["waiting"]["for"] == "move" and index > 8)
    before = done.tables[at]
    (seat,) = before["waiting"]["seats"]
    asks = {"table": before, "seat": seat, "secret": done.players[seat].secret}
    moves = json_text.decode(ask("tables/views", {**asks, "legal_moves": 100}))["legal_moves"]["moves"]
    chosen = (moves[0], moves[-1])
    branches = [json_text.decode(ask("tables/transitions", {**asks, "moves": [move]}))["table"] for move in chosen]
    first, *rest = before["record"].splitlines()
    other_draw = {**before, "record": "".join(f"{line}\n" for line in (first + "0", *rest))}
    pairs = {
        "prefix": (before, branches[0]),
        "seat": (branches[0], branches[1]),
        "draw": (before, other_draw),
        "joining": (done.tables[1], done.tables[2]),
        "other-commitment": (before, {**branches[0], "commitment": digest("0")}),
    }
    for name, (one, other) in pairs.items():
        try:
            found = as_document(fork(one, other))
        except DifferentGames:
            found = "different games"
        yield {"name": name, "tables": [slim(one), slim(other)], "fork": found}


def slim(table: dict[str, Any]) -> dict[str, Any]:
    """What of a table matters to forks."""
    return {name: table[name] for name in ("creation", "id", "commitment", "waiting", "record")}


FILES: dict[str, Any] = {
    "keys.ndjson": keys,
    "secrets.ndjson": secrets,
    "base64url.ndjson": base64url,
    "aes-siv.ndjson": ciphers,
    "tables.ndjson": tables,
    "foreign.ndjson": foreign,
    "forks.ndjson": forks,
}
"""Every file, and what makes its lines."""


def text_of(name: str) -> str:
    return "".join(json_text.encode(line).decode() + "\n" for line in FILES[name]())
