"""Keys: who holds one sits on a seat of a table. None is stored: all follow from one secret of the tables."""

import base64
import hmac
import re
import secrets
from typing import NamedTuple

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
"""The digits of base 32, in small letters: nothing in a key has to be quoted in a file name, a URI or a shell."""

TABLE = re.compile(f"[{ALPHABET}]{{6}}")
KEY = re.compile(rf"(?P<table>{TABLE.pattern})-(?P<seat>[0-9])-(?P<proof>[{ALPHABET}]{{13}})")
"""A key: table, seat, and 65 bits that only the secret explains."""


class Chair(NamedTuple):
    """A seat of a table."""

    table: str
    seat: int


def new_secret() -> bytes:
    return secrets.token_bytes(32)


def new_table() -> str:
    """A name for a table, which may be taken already."""
    return "".join(secrets.choice(ALPHABET) for _ in range(6))


class Keys:
    """What follows from a secret: the keys of all seats, and the seeds of all tables."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def key(self, chair: Chair) -> str:
        """The key of a seat of a table."""
        proof = base64.b32encode(self._derived(f"key {chair.table} {chair.seat}")).decode().lower()
        return f"{chair.table}-{chair.seat}-{proof[:13]}"

    def chair(self, key: str) -> Chair | None:
        """The seat that a key is for; None if it is not a key of these tables."""
        found = KEY.fullmatch(key)
        if found is None:
            return None
        chair = Chair(found["table"], int(found["seat"]))
        return chair if hmac.compare_digest(self.key(chair), key) else None

    def seed(self, table: str) -> str:
        """The seed that makes all draws of a table; after a restart the same ones."""
        return self._derived(f"seed {table}").hex()

    def _derived(self, purpose: str) -> bytes:
        return hmac.digest(self._secret, purpose.encode(), "sha256")
