"""The keys of a service, derived from master keys: the first one seals, all can open."""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

try:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    CAN_SEAL = True
except ModuleNotFoundError:  # it has no wheel for WebAssembly
    CAN_SEAL = False

from capomastro.settings import SettingError, Settings
from capomastro.tables.base64url import from_base64url, to_base64url

MASTER_BYTES = 32
PURPOSE = "capomastro/tables/1/"
KID_BYTES, SEAL_BYTES, ROOT_BYTES = 4, 64, 32


class InvalidKey(ValueError):
    """Master keys are invalid; `fault` is the key of the message in `settings.FAULTS`. No key is ever repeated."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


def new_master() -> str:
    """A new random master key."""
    return to_base64url(secrets.token_bytes(MASTER_BYTES))


class SealingKey:
    """What is derived from one master key: its public id, the cipher that seals, and the key that makes roots."""

    def __init__(self, master: bytes) -> None:
        self.kid = derived(master, "kid", KID_BYTES).hex()
        self.cipher = AESSIV(derived(master, "seal", SEAL_BYTES))
        self._root = derived(master, "root", ROOT_BYTES)

    def root_of(self, table_id: str) -> str:
        """The root of a table created with this key, in hexadecimal digits."""
        return hmac.new(self._root, table_id.encode(), sha256).hexdigest()

    def __repr__(self) -> str:
        return f"SealingKey({self.kid})"


def derived(master: bytes, purpose: str, length: int) -> bytes:
    """HKDF (RFC 5869) with SHA-256 and an empty salt."""
    return HKDF(SHA256(), length, salt=None, info=(PURPOSE + purpose).encode()).derive(master)


class KeyRing:
    """The keys of a service by id: the first one seals, all can open."""

    def __init__(self, masters: Iterable[str]) -> None:
        """Derives the keys from master keys as text.

        Raises:
            NoKey: if a text is not a key, a key is repeated, or there are none.
        """
        keys = [SealingKey(master_in(text)) for text in masters]
        self.by_id: Mapping[str, SealingKey] = {key.kid: key for key in keys}
        if not keys:
            raise InvalidKey("no-key")
        if len(self.by_id) < len(keys):
            raise InvalidKey("key-twice")
        self.sealing = keys[0]

    def __repr__(self) -> str:
        return f"KeyRing({', '.join(self.by_id)})"


def master_in(text: str) -> bytes:
    """Decodes a master key.

    Raises:
        InvalidKey: if the text is not a master key.
    """
    try:
        master = from_base64url(text)
    except ValueError:
        master = b""
    if len(master) != MASTER_BYTES:
        raise InvalidKey("malformed-key")
    return master


def configured_keys(settings: Settings) -> KeyRing | None:
    """The keys that the settings give a service; None if they give none.

    Raises:
        SettingError: names the variable, and never repeats its value.
    """
    text, variable = settings.sealing_keys, "CAPOMASTRO_SEALING_KEYS"
    if settings.sealing_keys_file:
        variable = "CAPOMASTRO_SEALING_KEYS_FILE"
        if text.split():
            raise SettingError("keys-beside-file", variable=variable)
        try:
            text = Path(settings.sealing_keys_file).read_text("ascii")
        except OSError as error:
            raise SettingError("keys-unreadable", variable=variable, reason=error.strerror) from error
        except UnicodeDecodeError:
            raise SettingError("keys-not-text", variable=variable) from None
    elif not text.split():
        return None
    try:
        return KeyRing(text.split())
    except InvalidKey as error:
        raise SettingError(error.fault, variable=variable, bytes=MASTER_BYTES) from None
