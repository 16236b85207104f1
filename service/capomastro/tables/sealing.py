"""Sealing: AES-256-SIV (RFC 5297), which needs no nonce, so that the same table is sealed the same everywhere."""

import re
from typing import Final

from cryptography.exceptions import InvalidTag

from capomastro.tables.base64url import decoded, encoded
from capomastro.tables.keys import KeyRing, SealingKey

FORMAT: Final = 1
SEALED = re.compile(rf"({FORMAT}\.([0-9a-f]{{8}}))\.([A-Za-z0-9_-]+)\Z")
"""The head that is bound to what it stands before, the id of the key in it, and what is sealed."""


class NotSealedHere(Exception):
    """A text is not what any key of the ring has sealed with these associated data; `kid` is the key it names."""

    def __init__(self, kid: str | None = None) -> None:
        super().__init__()
        self.kid = kid


def head(key: SealingKey) -> str:
    return f"{FORMAT}.{key.kid}"


def sealed(key: SealingKey, plaintext: bytes, associated: bytes) -> str:
    """`1.<kid>.<base64url>`; `associated` has to be there again when it is opened."""
    begin = head(key)
    return f"{begin}.{encoded(key.cipher.encrypt(plaintext, [begin.encode(), associated]))}"


def unsealed(ring: KeyRing, text: str, associated: bytes) -> bytes:
    """The plaintext.

    Raises:
        NotSealedHere: of an unknown key, altered, or sealed with other associated data.
    """
    parts = SEALED.match(text)
    if parts is None:
        raise NotSealedHere
    begin, kid, body = parts.groups()
    key = ring.by_id.get(kid)
    if key is None:
        raise NotSealedHere(kid)
    try:
        return key.cipher.decrypt(decoded(body), [begin.encode(), associated])
    except (InvalidTag, ValueError):
        raise NotSealedHere from None
