"""The vectors of sealed tables, for writing another implementation from docs/tables.md alone.

They are made by this code; the tests compare them with a second implementation.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.tables.base64url import to_base64url
from capomastro.tables.documents import associated_data
from capomastro.tables.history import DifferentGames, extends, fork
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
    """Master keys and the keys derived from them."""
    random = Random("keys")
    masters = [*MASTERS, *(to_base64url(random.randbytes(32)) for _ in range(3))]
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
    """Texts with their values in hexadecimal; null for texts that a strict reader refuses."""
    good = [{"text": to_base64url(bytes(range(length))), "bytes": bytes(range(length)).hex()} for length in range(6)]
    bad = ("A", "AAAAA", "AB", "AAB", "AA=", "AA==", "A A", "AA\n", "+A", "/w", "é", "A.A", "AA\u0000")
    return [*good, *({"text": text, "bytes": None} for text in bad)]


PUBLISHED: Vectors = [
    {
        "name": "RFC 5297, A.1",
        "key": "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "associated": ["101112131415161718191a1b1c1d1e1f2021222324252627"],
        "plaintext": "112233445566778899aabbccddee",
        "sealed": "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c",
    },
    {
        "name": "RFC 5297, A.2",
        "key": "7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f",
        "associated": [
            "00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100",
            "102030405060708090a0",
            "09f911029d74e35bd84156c5635688c0",
        ],
        "plaintext": "7468697320697320736f6d6520706c61696e7465787420746f20656e6372797074207573696e67205349562d414553",
        "sealed": "7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829"
        "ea64ad544a272e9c485b62a3fd5c0d",
    },
]
"""The examples of the standard; their keys are half as long as those of tables."""


def ciphers() -> Vectors:
    """AES-SIV: the examples of the standard; plaintexts around a block and as long as those of tables, with and without
    associated data; and what does not open, with null for a plaintext."""
    random = Random("AES-SIV")
    found = [*PUBLISHED]
    for length in (1, 15, 16, 17, 31, 32, 33, 64, 512):
        for parts in ((), (0,), (5,), (12, 32), (1, 0, 40)):
            key, plaintext = random.randbytes(64), random.randbytes(length)
            bound = [random.randbytes(part) for part in parts]
            sealed = AESSIV(key).encrypt(plaintext, bound)
            found.append(
                {
                    "name": f"{length} bytes, associated {', '.join(map(str, parts)) or 'none'}",
                    "key": key.hex(),
                    "associated": [part.hex() for part in bound],
                    "plaintext": plaintext.hex(),
                    "sealed": sealed.hex(),
                }
            )
    return [*found, *spoilt(found[-2])]


def spoilt(vector: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Forgeries of a vector: a bit of each part flipped, parts shorter or longer, associated strings changed."""
    sealed, key, (first, second) = vector["sealed"], vector["key"], vector["associated"]
    changes: dict[str, dict[str, Any]] = {
        "first bit of the IV": {"sealed": turned(sealed, 0)},
        "bit 31 of the IV, which the counter leaves out": {"sealed": turned(sealed, 8)},
        "bit 63 of the IV, which the counter leaves out": {"sealed": turned(sealed, 12)},
        "last bit of the IV": {"sealed": turned(sealed, 15, 1)},
        "first byte of the ciphertext": {"sealed": turned(sealed, 16)},
        "last byte of the ciphertext": {"sealed": turned(sealed, len(sealed) // 2 - 1)},
        "cut": {"sealed": sealed[:-2]},
        "longer": {"sealed": sealed + "00"},
        "without the IV": {"sealed": sealed[32:]},
        "shorter than an IV": {"sealed": sealed[:30]},
        "empty": {"sealed": ""},
        "half of the key for the IV": {"key": turned(key, 0)},
        "half of the key for the counter": {"key": turned(key, len(key) // 2 - 1)},
        "halves of the key the other way round": {"key": key[64:] + key[:64]},
        "strings the other way round": {"associated": [second, first]},
        "strings in one": {"associated": [first + second]},
        "one string less": {"associated": [first]},
        "an empty string more": {"associated": [first, second, ""]},
    }
    for name, change in changes.items():
        yield {**vector, "name": f"not sealed: {name}", "plaintext": None, **change}


def turned(text: str, byte: int, mask: int = 0x80) -> str:
    """Bytes in hexadecimal, with one bit flipped."""
    value = bytearray.fromhex(text)
    value[byte] ^= mask
    return value.hex()


# --- tables ----------------------------------------------------------------------------------------------------------


def games() -> Iterator[tuple[AnyGame, Played]]:
    """A game of every title, with the most players and odd names; keys are rotated in the middle."""
    for game in all_games().values():
        players = game.players[-1]
        rings = [KeyRing(MASTERS[:1]), KeyRing(MASTERS[:2]), KeyRing([MASTERS[1], MASTERS[0]])]
        asks = [by_hand(game, ring) for ring in rings]
        names = NAMES[:players]
        yield game, play(game, lambda step, asks=asks: asks[min(step // 40, 2)], "vectors", players, names=names)  # type: ignore[misc]


def tables() -> Iterator[dict[str, Any]]:
    """For every title, a table for each kind of thing it can wait for, with its contents."""
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
    """A table, and every intermediate value of its sealing."""
    ring = KeyRing(MASTERS[:2])
    clear = {name: member for name, member in table.items() if name != "sealed"}
    bound = associated_data(clear)
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
    """Changes to the first of `tables` that no service may accept: the member, and its value."""
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
    """Pairs of tables of one game: whether one continues the other, and if not, who played twice."""
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
        "joined": (done.tables[2], done.tables[3]),
        "same": (before, before),
        "opening": (done.tables[-2], done.tables[-1]),
        "other-creation": (before, {**branches[0], "creation": {**before["creation"], "nonce": "another"}}),
        "other-id": (before, {**branches[0], "id": digest("0")}),
        "other-commitment": (before, {**branches[0], "commitment": digest("0")}),
    }
    for name, (one, other) in pairs.items():
        try:
            found = as_document(fork(one, other))
        except DifferentGames:
            found = "different games"
        both = [extends(one, other), extends(other, one)]
        yield {"name": name, "tables": [slim(one), slim(other)], "fork": found, "extends": both}


def opened() -> Iterator[dict[str, Any]]:
    """A finished, fair game of each title as it was opened; then the first of them with one fault each."""
    games_opened = [(game.id, as_opened(done)) for game, done in games()]
    for name, fair in games_opened:
        yield {"name": name, "fault": None, **fair}
    name, fair = games_opened[0]
    first = fair["opened"]
    moves = first["record"]["moves"]
    changes: dict[str, dict[str, Any]] = {
        "root": {"opened": {**first, "root": digest("another")}},
        "share": {"opened": {**first, "shares": [*first["shares"][1:], first["shares"][0]]}},
        "shares": {"opened": {**first, "shares": first["shares"][:-1]}},
        "seed": {"opened": {**first, "seed": digest("another")}},
        "draw": {"opened": {**first, "record": {**first["record"], "moves": with_other_draws(moves)}}},
        "id": {"table": {**fair["table"], "id": digest("another")}},
        "names": {"opened": {**first, "record": {**first["record"], "names": [*first["record"]["names"][1:], "x"]}}},
        "record": {"table": {**fair["table"], "record": "0 pass\n" + fair["table"]["record"]}},
    }
    for fault, change in changes.items():
        yield {"name": f"{name}, {fault}", "fault": fault, **fair, **change}


def as_opened(done: Played) -> dict[str, Any]:
    """The opened game, and a table from the middle of it, as far as they matter."""
    return {"opened": done.opened, "table": slim(done.tables[len(done.tables) // 2])}


def with_other_draws(moves: list[Any]) -> list[Any]:
    """The moves with the first two different draws exchanged, if only draws precede them."""
    other = next(index for index, move in enumerate(moves) if move["type"] == moves[0]["type"] and move != moves[0])
    assert not any("seat" in move for move in moves[:other])
    return [moves[other], *moves[1:other], moves[0], *moves[other + 1 :]]


def slim(table: dict[str, Any]) -> dict[str, Any]:
    """The members of a table that matter for forks."""
    return {name: table[name] for name in ("creation", "id", "commitment", "waiting", "record")}


FILES: dict[str, Any] = {
    "keys.ndjson": keys,
    "secrets.ndjson": secrets,
    "base64url.ndjson": base64url,
    "aes-siv.ndjson": ciphers,
    "tables.ndjson": tables,
    "foreign.ndjson": foreign,
    "forks.ndjson": forks,
    "opened.ndjson": opened,
}
"""Every file, and what makes its lines."""


def text_of(name: str) -> str:
    return "".join(json_text.encode(line).decode() + "\n" for line in FILES[name]())
