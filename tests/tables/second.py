"""A second implementation of docs/tables.md, from that page alone and without any code of the service."""

import hmac
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from cryptography.hazmat.primitives.cmac import CMAC

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def expanded(master: bytes, info: bytes, length: int) -> bytes:
    """HKDF (RFC 5869) with an empty salt, implemented again."""
    secret = hmac.new(bytes(32), master, sha256).digest()
    block, found, number = b"", b"", 1
    while len(found) < length:
        block = hmac.new(secret, block + info + bytes([number]), sha256).digest()
        found, number = found + block, number + 1
    return found[:length]


def doubled(block: bytes) -> bytes:
    number = int.from_bytes(block, "big") << 1
    return ((number ^ 0x87 if number >> 128 else number) & (1 << 128) - 1).to_bytes(16, "big")


def exclusive_or(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def cmac(key: bytes, text: bytes) -> bytes:
    code = CMAC(AES(key))
    code.update(text)
    return code.finalize()


def siv(key: bytes, plaintext: bytes, associated: list[bytes]) -> bytes:
    """AES-SIV (RFC 5297), implemented again from CMAC and CTR."""
    one, two = key[: len(key) // 2], key[len(key) // 2 :]
    tag = cmac(one, bytes(16))
    for part in associated:
        tag = exclusive_or(doubled(tag), cmac(one, part))
    if len(plaintext) >= 16:
        last = plaintext[:-16] + exclusive_or(plaintext[-16:], tag)
    else:
        last = exclusive_or(doubled(tag), (plaintext + b"\x80").ljust(16, b"\x00"))
    tag = cmac(one, last)
    begin = (int.from_bytes(tag, "big") & ~(1 << 63 | 1 << 31)).to_bytes(16, "big")
    encryptor = Cipher(AES(two), CTR(begin)).encryptor()
    return tag + encryptor.update(plaintext) + encryptor.finalize()


def opened(key: bytes, sealed: bytes, associated: list[bytes]) -> bytes | None:
    """The plaintext; None if the sealed text is not genuine."""
    if len(sealed) < 16:
        return None
    tag = int.from_bytes(sealed[:16], "big")
    begin = (tag & ~(1 << 63 | 1 << 31)).to_bytes(16, "big")
    decryptor = Cipher(AES(key[len(key) // 2 :]), CTR(begin)).decryptor()
    plaintext = decryptor.update(sealed[16:]) + decryptor.finalize()
    return plaintext if siv(key, plaintext, associated) == sealed else None


def decoded(text: str) -> bytes | None:
    """Strict base64url, bit by bit."""
    if any(character not in ALPHABET for character in text) or len(text) % 4 == 1:
        return None
    bits = "".join(f"{ALPHABET.index(character):06b}" for character in text)
    whole, rest = bits[: len(bits) // 8 * 8], bits[len(bits) // 8 * 8 :]
    return None if "1" in rest else bytes(int(whole[at : at + 8], 2) for at in range(0, len(whole), 8))


ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def canonical(value: Any) -> str:
    """RFC 8785, for the values that tables have: names sorted by their UTF-16 code units."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(escaped(character) for character in value) + '"'
    words = {True: "true", False: "false", None: "null"}
    return str(value) if type(value) is int else words[value]


def escaped(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    return f"\\u{ord(character):04x}" if character < " " else character


# --- two tables of one game ------------------------------------------------------------------------------------------


def are_of_one_game(one: Any, other: Any) -> bool:
    return all(one[member] == other[member] for member in ("creation", "id", "commitment"))


def how_many_joined(table: Any) -> Any:
    return table["waiting"]["seats"][0] if table["waiting"]["for"] == "join" else table["creation"]["players"]


def extends(kept: Any, new: Any) -> bool:
    return (
        are_of_one_game(kept, new)
        and how_many_joined(kept) <= how_many_joined(new)
        and new["record"][: len(kept["record"])] == kept["record"]
    )


def fork(one: Any, other: Any) -> Any:
    """Where two tables of one game diverge, in the form of the vectors."""
    if not are_of_one_game(one, other):
        return "different games"
    lines = [table["record"].split("\n") for table in (one, other)]
    for number in range(min(map(len, lines)) - 1):
        if lines[0][number] != lines[1][number]:
            first = lines[0][number].split(" ")[0]
            who = {"by": "seat", "seat": int(first)} if first in "0123456789" else {"by": "chance"}
            return {"line": number, **who}
    return None


# --- a finished game -------------------------------------------------------------------------------------------------


def deviations_from_table(opened: Any, table: Any) -> list[str]:
    """The steps of "Checking a finished game" that fail, except those about draws and rules."""
    creation, record, shares = table["creation"], opened["record"], opened["shares"]
    agreed = ("game", "schema_version", "rules_version", "players", "options", "names")
    steps = {
        "id": table["id"] == digest(canonical(creation)),
        "root": digest(opened["root"]) == table["commitment"],
        "shares": len(shares) == len(creation["locks"]),
        "share": all(digest(share) == lock for share, lock in zip(shares, creation["locks"], strict=False)),
        "names": all(record.get(name) == creation.get(name) for name in agreed),
        "record": all(is_line(*both) for both in zip(table["record"].split("\n"), record["moves"], strict=False)),
    }
    # the seed is made of root and shares: if one of them is wrong, so is it
    fine = steps["root"] and steps["shares"] and steps["share"]
    steps["seed"] = not fine or opened["seed"] == digest("/".join([opened["root"], *shares]))
    return [step for step, holds in steps.items() if not holds]


def is_line(line: str, move: Any) -> bool:
    """Whether a line of a table's record can be this move: seat, type, and of a draw the component, unless unseen."""
    words = line.split(" ")
    if not line:
        return True
    if "seat" in move:
        return words[:2] == [str(move["seat"]), move["type"]]
    (component,) = (value for name, value in move.items() if name != "type")
    return words in ([move["type"], component], [move["type"], "?"])
