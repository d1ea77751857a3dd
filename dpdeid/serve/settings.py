"""What a service is told when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dpdeid.cohort.cohort import new_token
from dpdeid.errors import UsageError

VARIABLE: Final = "DPDEID_TOKEN"
LEAST_TOKEN: Final = 16
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client may ask.

    Args:
        characters: of a note, at most.
        notes: of a batch, at most.
        per_minute: requests of one address; 0 is no limit.
        waiting: requests that wait for a worker, at most; the next are told to come back.
    """

    characters: int = 100_000
    notes: int = 100
    per_minute: int = 1_200
    waiting: int = 200

    @property
    def bytes(self) -> int:
        """Of the body of a request: a batch whose notes are of a tenth of the longest each, as
        JSON may escape it.
        """
        return 65_536 + 6 * self.characters * max(1, self.notes // 10)


@dataclass(frozen=True, slots=True)
class Reviewing:
    """The notes that people read on the page, and where their answers go.

    Args:
        source: as of `dpdeid review`.
        policy: what detection leaves is what this one leaves.
        share, sample, seed: what is asked; None is that of the answers, or the usual one.
        lists: FASDIM's, into which answers may go; None has none.
    """

    source: str
    answers: Path
    policy: str = "dp"
    share: float | None = None
    sample: int | None = None
    seed: int | None = None
    lists: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a service is told.

    Args:
        token: what a client shows (`Authorization: Bearer …`).
        hosts: names under which it may be asked, without the port; others are refused, or any page
            on the Internet could have a browser ask it.
        workers: processes that find and replace.
        lang: of the pages, where a reader chose none and the browser does not say.
        reviewing: None shows no review.
        reports: a folder of what `dpdeid evaluate … --json` and `dpdeid monitor --json` wrote; None
            shows none.
    """

    token: str = field(repr=False)
    hosts: tuple[str, ...] = LOOPBACK
    limits: Limits = Limits()
    workers: int = 1
    lang: str = "fr"
    reviewing: Reviewing | None = None
    reports: Path | None = None


def token_of(environment: Mapping[str, str]) -> tuple[str, bool]:
    """The token that the environment has, or a new one; and whether it is new.

    Raises:
        UsageError: it is too short to be a secret, or no header could carry it.
    """
    given = environment.get(VARIABLE)
    if given is None:
        return new_token(), True
    if len(given) < LEAST_TOKEN or not given.isascii() or not given.isprintable() or " " in given:
        raise UsageError(
            f"{VARIABLE} has fewer than {LEAST_TOKEN} characters, or some that no header may hold"
        )
    return given, False
