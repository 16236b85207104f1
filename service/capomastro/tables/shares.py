"""What each player contributes to a game, and the seed derived from it.

Players show their `secret` only to the service. Its hash, the `share`, is sealed into the table and published at the
end; the hash of the share, the `lock`, is public from the beginning. So shares can be checked against locks when the
game is over, and nobody has to reveal a secret.
"""

import re
import secrets
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest

from capomastro.tables.base64url import to_base64url

SECRET = re.compile(r"[A-Za-z0-9_-]{43}\Z")
"""A secret: 32 random bytes as base64url. It is hashed as text, so any 43 of these characters are valid."""
LOCK = re.compile(r"[0-9a-f]{64}\Z")


def new_secret() -> str:
    """A new random secret."""
    return to_base64url(secrets.token_bytes(32))


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal digits; H in docs/tables.md."""
    return sha256(text.encode()).hexdigest()


def share_of(secret: str) -> str:
    return digest(secret)


def lock_of(secret: str) -> str:
    """What a player publishes before the game begins."""
    return digest(share_of(secret))


def fits(share: str, lock: str) -> bool:
    """Whether a share belongs to a lock, compared in constant time."""
    return compare_digest(digest(share), lock)


def seed_of(root: str, shares: Sequence[str]) -> str:
    """The seed of a game that all seats have joined."""
    return digest("/".join((root, *shares)))
