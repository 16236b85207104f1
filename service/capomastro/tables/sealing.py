"""Sealing: AES-256-SIV (RFC 5297), which needs no nonce, so every instance seals the same table identically."""

import re
from typing import Final

try:
    from cryptography.exceptions import InvalidTag
except ModuleNotFoundError:  # then there are no keys to unseal with
    InvalidTag = ValueError  # type: ignore[assignment, misc]

from capomastro.tables.base64url import from_base64url, to_base64url
from capomastro.tables.keys import KeyRing, SealingKey

FORMAT: Final = 1
SEALED = re.compile(rf"({FORMAT}\.([0-9a-f]{{8}}))\.([A-Za-z0-9_-]+)\Z")
"""The header, which is authenticated too, the id of the key within it, and the ciphertext."""


class NotSealedHere(Exception):
    """No key of the ring sealed this text with these associated data; `kid` is the key that the text names."""

    def __init__(self, kid: str | None = None) -> None:
        super().__init__()
        self.kid = kid


def head_of_seal(key: SealingKey) -> str:
    return f"{FORMAT}.{key.kid}"


def sealed(key: SealingKey, plaintext: bytes, associated_data: bytes) -> str:
    """`1.<kid>.<base64url>`; unsealing needs the same `associated_data`."""
    begin = head_of_seal(key)
    return f"{begin}.{to_base64url(key.cipher.encrypt(plaintext, [begin.encode(), associated_data]))}"


def unsealed(ring: KeyRing, text: str, associated_data: bytes) -> bytes:
    """The plaintext.

    Raises:
        NotSealedHere: if the key is unknown, the text was altered, or the associated data differ.
    """
    parts = SEALED.match(text)
    if parts is None:
        raise NotSealedHere
    begin, kid, body = parts.groups()
    key = ring.by_id.get(kid)
    if key is None:
        raise NotSealedHere(kid)
    try:
        return key.cipher.decrypt(from_base64url(body), [begin.encode(), associated_data])
    except (InvalidTag, ValueError):
        raise NotSealedHere from None
