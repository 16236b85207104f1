"""Base64url without padding (RFC 4648, section 5), decoded strictly: every value has exactly one encoding.

The standard library ignores characters outside the alphabet and unused bits, so it would accept one in five altered
texts as if they were unchanged.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode


def to_base64url(value: bytes) -> str:
    """The only text that `decoded` accepts for `value`."""
    return urlsafe_b64encode(value).rstrip(b"=").decode("ascii")


def from_base64url(text: str) -> bytes:
    """The bytes that a text encodes.

    Raises:
        ValueError: if the text is not exactly what `encoded` returns for some value.
    """
    value = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if to_base64url(value) != text:
        raise ValueError("not base64url as it is written here")
    return value
