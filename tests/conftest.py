"""Hypothesis profiles, and values that many tests share."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dpdeid.engine import Deidentifier
from dpdeid.testing import KEY, other_key

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# Where CI is set, examples are the same each time: it judges what was changed, not what was drawn.
settings.register_profile("dev", max_examples=50, derandomize="CI" in os.environ, **_COMMON)
settings.register_profile("ci", max_examples=200, derandomize=True, **_COMMON)
settings.register_profile("nightly", max_examples=5000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

OTHER_KEY = other_key(1)
RULES = """
name: rules
unit: note
detectors: [patterns]
merge: union
strategies: []
default: {redact: {form: label}}
"""
"""A policy that loads no tagger."""


def altered_gzip(data: bytes) -> bytes:
    """Packed data with a byte changed after its head: no block of deflate begins so."""
    packed = bytearray(gzip.compress(data, mtime=0))
    packed[10] ^= 0xFF
    return bytes(packed)


@pytest.fixture(scope="session", autouse=True)
def english() -> Iterator[None]:
    """Commands of a test speak English, whatever the machine speaks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPDEID_LANG", "en")
        yield


@pytest.fixture
def key() -> bytes:
    return KEY


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The key in the file that pages of docs read, in the folder in which the test runs."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "secret.key"
    path.write_text(KEY.hex(), encoding="ascii")
    path.chmod(0o600)
    return path


@pytest.fixture(scope="session")
def deidentifiers() -> dict[str, Deidentifier]:
    """One de-identifier for each built-in policy, under the same key."""
    from dpdeid.policy.policy import names

    return {name: Deidentifier(name, key=KEY) for name in names()}


@pytest.fixture(scope="session")
def flair_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny flair tagger; skips where flair is absent."""
    pytest.importorskip("flair", reason="needs the extra flair")
    from tests.training import tiny

    return tiny.flair_tagger(tmp_path_factory.mktemp("flair") / "tiny")
