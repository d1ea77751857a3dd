"""Keys: read in both forms, never printed, never overwritten, apart by purpose."""

from __future__ import annotations

import base64
import datetime as dt
import os
import stat
from hashlib import blake2b
from pathlib import Path

import pytest

from dpdeid.cohort.cohort import Cohort, check_key, parse_key, read_key, write_key
from dpdeid.cohort.vault import Vault
from dpdeid.errors import CohortError, SecretKeyError
from dpdeid.testing import other_key
from tests.conftest import KEY, OTHER_KEY


def test_a_key_is_read_raw_or_in_hex() -> None:
    assert parse_key(KEY, "x") == KEY
    assert parse_key(KEY.hex().encode() + b"\n", "x") == KEY
    assert parse_key(KEY.hex().upper().encode(), "x") == KEY


@pytest.mark.parametrize("data", [b"", b"secret", b"ab" * 31, bytes(31)])
def test_a_short_key_names_its_source_and_not_its_content(data: bytes) -> None:
    with pytest.raises(SecretKeyError, match=r"my\.key") as caught:
        parse_key(data, "my.key")
    assert "secret" not in str(caught.value)


GUESSED = [
    bytes(32),
    b"\x01" * 64,
    bytes([3, 9]) * 16,
    bytes(range(32)),
    bytes(range(100, 36, -2)),
    b"correct horse battery staple, as everybody knows",
    b"le chat de la voisine dort sur le toit bleu",
]


@pytest.mark.parametrize("data", [*GUESSED, *(key.hex().encode() for key in GUESSED)])
def test_a_key_that_nobody_drew_is_refused(data: bytes) -> None:
    with pytest.raises(SecretKeyError, match=r"my\.key: these bytes are not random") as caught:
        parse_key(data, "my.key")
    assert "horse" not in str(caught.value)


@pytest.mark.parametrize("key", GUESSED)
def test_a_cohort_and_a_vault_refuse_it_too(key: bytes) -> None:
    told = []
    for name, make in {
        "the key": lambda: Cohort(key),
        "the ledger key": lambda: Cohort(KEY, ledger_key=key),
        "the key of the vault": lambda: Vault(None, key),
    }.items():
        with pytest.raises(SecretKeyError, match=f"^{name}: these bytes are not random") as caught:
            make()
        told.append(str(caught.value))
    assert not any("horse" in one or key.hex() in one for one in told)


@pytest.mark.parametrize("key", [KEY, KEY.hex().encode(), blake2b(b"a").digest()])
def test_a_key_that_nobody_guesses_is_taken(key: bytes) -> None:
    assert Cohort(key, ledger_key=OTHER_KEY).key == key


def test_keys_that_are_drawn_are_taken() -> None:
    assert len({other_key(number) for number in range(2_000)} | {KEY}) == 2_001
    for number in range(2_000):
        check_key(other_key(number), "x")


def test_random_bytes_in_base_64_are_a_key() -> None:
    data = base64.b64encode(blake2b(b"a key", digest_size=32).digest())
    assert parse_key(data, "x") == data


def test_keys_that_begin_alike_are_two_keys() -> None:
    """BLAKE2 takes 64 bytes: the rest was not looked at."""
    one, other = (Cohort(KEY + KEY + bytes([last])) for last in (1, 2))
    assert one.fingerprint != other.fingerprint
    assert one.released_id("a") != other.released_id("a")
    draws = {c.streams("patient", "p").stream("x").randbelow(1 << 64) for c in (one, other)}
    assert len(draws) == 2


def test_long_ledger_keys_that_begin_alike_are_two() -> None:
    one, other = (Cohort(KEY, ledger_key=OTHER_KEY * 2 + bytes([last])) for last in (1, 2))
    assert one.unit("patient", "p") != other.unit("patient", "p")


def test_the_key_of_the_cohort_is_no_ledger_key() -> None:
    with pytest.raises(SecretKeyError, match="the ledger key is the cohort's key"):
        Cohort(KEY, ledger_key=KEY)


def test_a_new_key_is_private_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "cohort.key"
    write_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    key = read_key(path)
    assert len(key) == 32
    with pytest.raises(SecretKeyError, match="never overwritten"):
        write_key(path)
    assert read_key(path) == key


def test_two_new_keys_differ(tmp_path: Path) -> None:
    keys = []
    for name in "ab":
        write_key(tmp_path / name)
        keys.append(read_key(tmp_path / name))
    assert keys[0] != keys[1]


@pytest.mark.parametrize("missing", ["nowhere/key", "."])
def test_an_unreadable_key_file_is_named(missing: str, tmp_path: Path) -> None:
    with pytest.raises(SecretKeyError, match="key file"):
        read_key(tmp_path / missing)
    with pytest.raises(SecretKeyError, match=r"key file|exists"):
        write_key(tmp_path / missing)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o602, 0o777])
def test_a_key_that_others_may_open_is_refused(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "key"
    write_key(path)
    key = read_key(path)
    path.chmod(mode)
    with pytest.raises(SecretKeyError, match=f"chmod 600 {path}") as caught:
        read_key(path)
    assert key.hex() not in str(caught.value)
    path.chmod(0o400)
    assert read_key(path) == key


def test_purposes_do_not_share_tags() -> None:
    cohort = Cohort(KEY)
    tags = {
        cohort.released_id("7"),
        cohort.unit("note", "7"),
        cohort.unit("patient", "7"),
        cohort.fingerprint,
    }
    assert len(tags) == 4
    assert cohort.released_id("7") == Cohort(KEY, dt.date(2030, 1, 1)).released_id("7")
    assert cohort.released_id("7") != Cohort(OTHER_KEY).released_id("7")


def test_a_cohort_shows_no_key() -> None:
    assert KEY.hex() not in repr(Cohort(KEY))
    assert repr(KEY) not in repr(Cohort(KEY))
    assert KEY.hex() not in repr(Cohort(KEY).streams("note", "u"))


@pytest.mark.parametrize("e0", ["2026-12-31", dt.datetime(2026, 12, 31), 3])  # noqa: DTZ001
def test_a_reference_date_is_a_day(e0: dt.date) -> None:
    with pytest.raises(CohortError, match="e0 is a"):
        Cohort(KEY, e0)


def test_a_fresh_cohort_cannot_be_linked() -> None:
    assert not Cohort.fresh().linkable
    assert Cohort.fresh().fingerprint != Cohort.fresh().fingerprint
