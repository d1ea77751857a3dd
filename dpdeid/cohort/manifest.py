"""The folder of a cohort: what it was made with, its key, and what it has spent.

    DIR/manifest.json   public: what must stay the same for every note that is released together
    DIR/policy.yaml     public: the policy, as it stood when the cohort was made
    DIR/key             secret, mode 0600; destroyed when the cohort is closed
    DIR/charges.jsonl   private: every bounded charge, see `dpdeid.cohort.account`; runs that share
                        the cohort write charges.1-of-2.jsonl …
    DIR/vault.sqlite    private, encrypted under the key: what was released of every patient, see
                        `dpdeid.cohort.vault`; deleted when the cohort is closed

A note that comes later must be drawn by the same policy, lists and scheme, or two surrogates of one
value appear and the fresh draw is paid again: what differs is refused, with both names.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from dpdeid import gazetteers
from dpdeid.cohort import account, durable, shards
from dpdeid.cohort.account import Account
from dpdeid.cohort.cohort import (
    Cohort,
    destroy_key,
    fingerprint,
    horizon,
    own_ledger_key,
    read_key,
    write_key,
)
from dpdeid.cohort.shards import Shard
from dpdeid.cohort.vault import VAULT, Vault
from dpdeid.detect.merge.published import voices
from dpdeid.errors import CohortError
from dpdeid.policy.policy import Policy, load_policy, policy_file, policy_text
from dpdeid.privacy.ledger import Ledger
from dpdeid.protocols import Detector, Learned, Merge

VERSION: Final = 1
SCHEME: Final = 13
"""Counts up whenever the same key, policy and lists begin to give other surrogates. 11: what kept
words tell of dates ties them; a town is of the kind that they ask for. 13: first names cut short,
surnames of women and men of one family, numbers of relatives, seconds.
"""

MANIFEST, POLICY, KEY = "manifest.json", "policy.yaml", "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a cohort was made with. Public: nothing in it helps to invert a surrogate.

    Args:
        policy, policy_sha256: the name of the policy and the hash of its text.
        policy_folder: where its relative paths start: where it lay when the cohort was made.
        gazetteers: the fingerprint of the lists.
        models: trained detector (the second of a kind is "crf#2") → the fingerprint of its model.
        plugins: strategy of another package → that package and its version.
        scheme: the version of the way from a key to a surrogate.
        e0: the reference date, ISO.
        key, ledger_key: fingerprints.
        created, closed: days, ISO; closed is None while the key exists.
    """

    policy: str
    policy_sha256: str
    gazetteers: str
    e0: str
    key: str
    ledger_key: str
    created: str
    models: Mapping[str, str] = field(default_factory=dict)
    plugins: Mapping[str, str] = field(default_factory=dict)
    policy_folder: str = ""
    closed: str | None = None
    scheme: int = SCHEME
    version: int = VERSION

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """The manifest in a text.

        Raises:
            CohortError: not a manifest, or one of another version.
        """
        try:
            manifest = cls(**json.loads(text))
            dt.date.fromisoformat(manifest.e0)
        except (TypeError, ValueError):
            raise CohortError(f"{source} is not a cohort manifest") from None
        if manifest.version != VERSION:
            raise CohortError(f"{source} has version {manifest.version}, this is {VERSION}")
        return manifest

    def check(self, policy: Policy) -> None:
        """Refuses what would draw otherwise than the cohort did.

        Raises:
            CohortError: names what the manifest has and what is here.
        """
        policies = (self.policy, self.policy_sha256), (policy.name, policy.sha256)
        pairs = (
            ("policy", *(f"{name} ({sha[:12]})" for name, sha in policies)),
            ("gazetteers", self.gazetteers[:12], gazetteers.fingerprint()[:12]),
            *_pairs("{} model", self.models, models(policy)),
            *_pairs("the strategy {} of", self.plugins, policy.plugins),
            ("surrogate scheme", str(self.scheme), str(SCHEME)),
        )
        for what, before, now in pairs:
            if before != now:
                raise CohortError(
                    f"the cohort was made with {what} {before}, not with {now}: notes released "
                    "together must be drawn in one way (make a new cohort)"
                )


def models(policy: Policy) -> dict[str, str]:
    """Trained detector of a policy → the fingerprint of its model.

    Raises:
        ModelError: a model is missing or its card is damaged.
    """
    found = {}
    parts: dict[str, Detector | Merge] = {**voices(policy.detectors), "merge": policy.merge}
    for name, detector in parts.items():
        if isinstance(detector, Learned):
            files = json.dumps(dict(detector.model_files()), sort_keys=True)
            found[name] = sha256(files.encode()).hexdigest()[:16]
    return found


def _pairs(
    what: str, before: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    for name in sorted({*before, *now}):
        yield what.format(name), before.get(name, "none"), now.get(name, "none")


def create(
    directory: Path,
    policy: str = "dp",
    *,
    e0: dt.date | None = None,
    ledger_key_file: Path | None = None,
) -> Manifest:
    """A new cohort with a random key; the folder may exist, a cohort in it may not.

    Args:
        e0: the last day that a note may be of; fixed from now on. Default: that of the policy, else
            `dpdeid.cohort.cohort.horizon` of today.

    Raises:
        CohortError: the folder holds a cohort already, or cannot be written.
        UsageError: the policy or the ledger key is refused.
    """
    loaded = load_policy(policy)
    ledger_key = None if ledger_key_file is None else read_key(ledger_key_file)
    if (directory / MANIFEST).exists():
        raise CohortError(f"{directory} holds a cohort already; every cohort has its own folder")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        write_key(directory / KEY)
        _write(directory / POLICY, policy_text(policy))
        cohort = Cohort(read_key(directory / KEY), ledger_key=ledger_key)
        made = _today()
        manifest = Manifest(
            policy=loaded.name,
            policy_sha256=loaded.sha256,
            policy_folder=str(file.parent.resolve()) if (file := policy_file(policy)) else "",
            gazetteers=gazetteers.fingerprint(),
            e0=(e0 or loaded.e0 or horizon(dt.date.fromisoformat(made))).isoformat(),
            key=cohort.fingerprint,
            ledger_key=cohort.ledger_fingerprint,
            models=models(loaded),
            plugins=loaded.plugins,
            created=made,
        )
        with Vault(directory / VAULT, cohort.key):
            _write(directory / MANIFEST, manifest.to_json())
    except OSError as error:
        raise CohortError(f"cannot write the cohort {directory}: {error.strerror}") from None
    return manifest


def read(directory: Path) -> Manifest:
    """The manifest of a cohort.

    Raises:
        CohortError: there is none, or it is not one.
    """
    path = directory / MANIFEST
    try:
        return Manifest.from_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError):
        raise CohortError(
            f"{directory} holds no cohort (dpdeid cohort new {directory} makes one)"
        ) from None


def close(directory: Path) -> Manifest:
    """Destroys the key and the vault of a cohort; its manifest says since when.

    Raises:
        CohortError: there is no cohort, or it is closed.
        SecretKeyError: the key cannot be destroyed; the cohort stays open.
    """
    manifest = _open(directory)
    destroy_key(directory / KEY)
    (directory / VAULT).unlink(missing_ok=True)
    closed = replace(manifest, closed=_today())
    _write(directory / MANIFEST, closed.to_json())
    return closed


@dataclass(frozen=True, slots=True)
class Opened:
    """An open cohort: its policy, its keys and what it has spent."""

    policy: Policy
    cohort: Cohort
    spent: Ledger


def open_cohort(
    directory: Path, policy: str | None = None, ledger_key_file: Path | None = None
) -> Opened:
    """The cohort of a folder, checked against its manifest.

    Args:
        policy: must be the cohort's own; None takes that.

    Raises:
        CohortError: the cohort is closed, or something differs from its manifest; names both.
        UsageError: the policy or a key is refused.
    """
    manifest = _open(directory)
    if policy is None:
        loaded = load_policy(directory / POLICY, Path(manifest.policy_folder))
    else:
        loaded = load_policy(policy)
    manifest.check(loaded)
    ledger_key = None if ledger_key_file is None else read_key(ledger_key_file)
    cohort = Cohort(
        read_key(directory / KEY), dt.date.fromisoformat(manifest.e0), ledger_key=ledger_key
    )
    _check_key("key", manifest.key, cohort.fingerprint)
    _check_key("ledger key", manifest.ledger_key, cohort.ledger_fingerprint)
    return Opened(loaded, cohort, account.read(directory).ledger)


def vault(directory: Path, *, look: bool = False) -> Vault:
    """The vault of an open cohort.

    Args:
        look: only to read.

    Raises:
        CohortError: there is no such cohort, or its vault is missing or damaged.
        SecretKeyError: its key cannot be read.
    """
    _open(directory)
    if not (directory / VAULT).exists():
        raise CohortError(
            f"{directory / VAULT} is missing: without it notes would not fit what was released "
            "before (put it back, or make a new cohort)"
        )
    return Vault(directory / VAULT, read_key(directory / KEY), look=look)


def own_files(directory: Path | None) -> tuple[Path, ...]:
    """What makes up a cohort, none if there is none: no command may write there by another way."""
    if directory is None:
        return ()
    charges = shards.files(directory / account.CHARGES)
    return (*(directory / name for name in (KEY, MANIFEST, POLICY, VAULT)), *charges)


@contextmanager
def committing(directory: Path, shard: Shard | None = None) -> Iterator[Account]:
    """The account of a cohort, until the block ends; nobody else has it, but for other parts of it
    than `shard`.

    Enter it before `open_cohort`, so that all that other runs spent is read.

    Raises:
        CohortError: there is no open cohort, another run has it, or it cannot be written.
    """
    _open(directory)
    with account.committing(directory, shard) as held:
        yield held


def unit_key(directory: Path, ledger_key_file: Path | None = None) -> bytes | None:
    """The key that tags patients in the account of a cohort; None if it was destroyed with it.

    Neither policy nor lists are looked at: whoever is to be forgotten does not depend on them.

    Raises:
        CohortError: there is no cohort, or this is not its ledger key; names both.
        SecretKeyError: a key cannot be read.
    """
    manifest = read(directory)
    if ledger_key_file is not None:
        key = read_key(ledger_key_file)
    elif manifest.closed is None:
        key = own_ledger_key(read_key(directory / KEY))
    else:
        return None
    _check_key("ledger key", manifest.ledger_key, fingerprint(key))
    return key


def has_own_ledger_key(directory: Path) -> bool:
    """Whether the units of an open cohort are tagged under a key that ends with it."""
    manifest = _open(directory)
    return Cohort(read_key(directory / KEY)).ledger_fingerprint == manifest.ledger_key


def _check_key(what: str, before: str, now: str) -> None:
    if before != now:
        raise CohortError(
            f"the cohort was made with {what} {before}, not with {now} (fingerprints)"
        )


def _open(directory: Path) -> Manifest:
    manifest = read(directory)
    if manifest.closed is not None:
        raise CohortError(f"the cohort {directory} is closed since {manifest.closed}")
    return manifest


def _write(path: Path, text: str) -> None:
    with durable.beside(path, private=False) as file:
        file.write(text.encode())


def _today() -> str:
    return dt.datetime.now(dt.UTC).date().isoformat()
