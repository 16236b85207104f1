"""Compares keys, secrets, base64url and sealing with the vectors of the protocol and with a second implementation."""

import hmac
from hashlib import sha256
from random import Random

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from capomastro.settings import SettingError, Settings
from capomastro.tables import sealing
from capomastro.tables.base64url import from_base64url, to_base64url
from capomastro.tables.keys import InvalidKey, KeyRing, configured_keys, new_master
from capomastro.tables.shares import SECRET, digest, fits, lock_of, new_secret, seed_of, share_of
from tests.tables.players import MASTERS
from tests.tables.second import expanded, siv

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
SECRETS = ("A" * 43, "B" * 42 + "A")


# --- keys and secrets ------------------------------------------------------------------------------------------------


def test_keys_are_derived_as_the_protocol_defines() -> None:
    key = KeyRing([MASTERS[0]]).sealing
    assert key.kid == "0515aa10"
    assert expanded(bytes(range(32)), b"capomastro/tables/1/kid", 4).hex() == key.kid
    seal = expanded(bytes(range(32)), b"capomastro/tables/1/seal", 64)
    assert seal.hex().startswith("fdc1cf393a3340cf")
    assert siv(seal, b"text", [b"bound"]) == key.cipher.encrypt(b"text", [b"bound"])
    root = expanded(bytes(range(32)), b"capomastro/tables/1/root", 32)
    assert key.root_of("id") == hmac.new(root, b"id", sha256).hexdigest()


def test_secrets_shares_locks_and_seeds() -> None:
    assert [lock_of(secret)[:8] for secret in SECRETS] == ["a72e8abc", "38814fbf"]
    assert share_of(SECRETS[0]) == sha256(SECRETS[0].encode()).hexdigest()
    assert fits(share_of(SECRETS[0]), lock_of(SECRETS[0]))
    assert not fits(share_of(SECRETS[0]), lock_of(SECRETS[1]))
    assert seed_of("root", ["one", "two"]) == digest("root/one/two")
    assert len({new_secret() for _ in range(100)}) == 100
    assert SECRET.match(new_secret())
    assert not SECRET.match(new_secret() + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A" * 42,
        "A" * 44,
        MASTERS[0] + "=",
        MASTERS[0][:-1] + "9",  # an unused bit is set
        "+" + MASTERS[0][1:],
        " " + MASTERS[0],
        MASTERS[0] + "\n",
        "é" * 43,
    ],
)
def test_invalid_keys_are_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(InvalidKey) as refused:
        KeyRing([text])
    assert len(text) < 10 or text.strip() not in str(refused.value)


def test_a_ring_has_keys_and_none_twice() -> None:
    assert [*KeyRing(MASTERS).by_id] == [KeyRing([one]).sealing.kid for one in MASTERS]
    assert KeyRing(MASTERS).sealing.kid == "0515aa10"
    for masters in ([], [MASTERS[0], MASTERS[1], MASTERS[0]]):
        with pytest.raises(InvalidKey):
            KeyRing(masters)
    assert MASTERS[0] not in repr(KeyRing(MASTERS))
    assert KeyRing([new_master()]).sealing.kid != KeyRing([new_master()]).sealing.kid


def test_keys_come_from_a_setting_or_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "keys"
    file.write_text(f"{MASTERS[1]}\n{MASTERS[0]}\n")
    assert configured_keys(Settings()) is None
    assert configured_keys(Settings(sealing_keys=" ")) is None
    one = configured_keys(Settings(sealing_keys=f"{MASTERS[1]} {MASTERS[0]}"))
    other = configured_keys(Settings(sealing_keys_file=str(file)))
    assert one is not None
    assert other is not None
    assert [*one.by_id] == [*other.by_id]
    assert one.sealing.kid == KeyRing([MASTERS[1]]).sealing.kid


@pytest.mark.parametrize("text", [MASTERS[0] + "x", f"{MASTERS[0]} {MASTERS[0]}", "secret-of-mine"])
def test_a_wrong_setting_is_named_and_not_repeated(tmp_path, text: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "keys"
    file.write_text(text)
    for settings in (Settings(sealing_keys=text), Settings(sealing_keys_file=str(file))):
        with pytest.raises(SettingError) as refused:
            configured_keys(settings)
        assert "CAPOMASTRO_SEALING_KEYS" in str(refused.value)
        assert not any(word in str(refused.value) for word in text.split())
    for settings in (
        Settings(sealing_keys=text, sealing_keys_file=str(file)),
        Settings(sealing_keys_file=str(tmp_path / "none")),
    ):
        with pytest.raises(SettingError, match="CAPOMASTRO_SEALING_KEYS_FILE"):
            configured_keys(settings)


def test_settings_do_not_show_keys() -> None:
    assert MASTERS[0] not in repr(Settings(sealing_keys=MASTERS[0]))


# --- base64url -------------------------------------------------------------------------------------------------------


def test_base64url_has_one_text_for_each_value() -> None:
    random = Random(1)
    for length in range(70):
        value = random.randbytes(length)
        assert from_base64url(to_base64url(value)) == value
    text = to_base64url(random.randbytes(64))
    read = 0
    for index in range(len(text)):
        for other in ALPHABET:
            altered = text[:index] + other + text[index + 1 :]
            try:
                assert to_base64url(from_base64url(altered)) == altered
                read += 1
            except ValueError:
                pass
    assert read < len(text) * 64, "some of the last characters leave bits unused"


@pytest.mark.parametrize("text", ["A", "AA=", "AA==", "AB", "A A", "AA\n", "+A", "/A", "AAAAA", "é", "ＡA", "AA\x00A"])
def test_sloppy_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever kind it is
        from_base64url(text)


# --- AES-SIV ---------------------------------------------------------------------------------------------------------


def test_the_cipher_is_that_of_rfc_5297() -> None:
    """The example of its appendix A.1, whose key is half as long."""
    key = bytes.fromhex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    bound = bytes.fromhex("101112131415161718191a1b1c1d1e1f2021222324252627")
    plaintext = bytes.fromhex("112233445566778899aabbccddee")
    sealed = "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c"
    assert siv(key, plaintext, [bound]).hex() == sealed
    assert AESSIV(key).encrypt(plaintext, [bound]).hex() == sealed
    random = Random(2)
    for _ in range(300):
        key = random.randbytes(64)
        plaintext = random.randbytes(random.choice((1, 15, 16, 17, 31, 32, 512, 768)))
        associated = [random.randbytes(random.randrange(40)) for _ in range(random.randrange(4))]
        assert AESSIV(key).encrypt(plaintext, associated) == siv(key, plaintext, associated)


def test_sealed_text_opens_only_unaltered() -> None:
    ring, other = KeyRing([MASTERS[0], MASTERS[1]]), KeyRing([MASTERS[2]])
    text = sealing.sealed(ring.sealing, b"hidden", b"bound")
    assert text.startswith("1.0515aa10.")
    assert text == sealing.sealed(KeyRing([MASTERS[0]]).sealing, b"hidden", b"bound"), "no nonce"
    assert sealing.unsealed(ring, text, b"bound") == b"hidden"
    assert sealing.unsealed(KeyRing([MASTERS[1], MASTERS[0]]), text, b"bound") == b"hidden"
    head, kid, body = text.split(".")
    mine = ring.by_id
    second = next(one for one in mine if one != kid)
    for altered in (
        f"2.{kid}.{body}",
        f"01.{kid}.{body}",
        f"{head}.{second}.{body}",
        f"{head}.{kid.upper()}.{body}",
        f"{head}.{kid}.{body}=",
        f"{head}.{kid}.{body}\n",
        f"{head}.{kid}.{body[:-1]}",
        f"{head}.{kid}.",
        f"{head}.{kid}",
        "",
    ):
        with pytest.raises(sealing.NotSealedHere) as refused:
            sealing.unsealed(ring, altered, b"bound")
        assert refused.value.kid is None
    with pytest.raises(sealing.NotSealedHere):
        sealing.unsealed(ring, text, b"other")
    with pytest.raises(sealing.NotSealedHere) as refused:
        sealing.unsealed(other, text, b"bound")
    assert refused.value.kid == kid
