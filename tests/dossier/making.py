"""Annexes of the shipped policies, with evaluations as the commands write them and without."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import Any

from dpdeid.dossier.figures import Measured
from dpdeid.dossier.parts import annex
from dpdeid.dossier.tree import Annex, Missing
from dpdeid.evaluate.report.inputs import Evaluations
from dpdeid.policy.policy import load_policy, parse_policy, policy_text
from tests.evaluate.report import making

DAY = dt.date(2026, 11, 28)
NONE = Evaluations({}, {}, {}, {})
POLICIES = ("dp", "dp-strict", "aphp", "hnfc", "redact")


def rate(share: float, low: float, high: float) -> dict[str, Any]:
    return {"hits": 0, "trials": 240, "share": share, "low": low, "high": high}


def attack(policy: str = "dp") -> dict[str, Any]:
    """A simulated attack: three dates find 1.7 %, with their towns 14.2 %."""
    counts = {"records": 300, "with_intervals": 300, "date_sets": 300}
    return {
        "policy": policy,
        "policy_sha256": load_policy(policy).sha256,
        "setting": "stays",
        "records": 300,
        "uniqueness": {
            "before": {**counts, "interval_sequences": 300},
            "after": {**counts, "interval_sequences": 297},
        },
        "linkage": [
            {"records": 300, "known": known, "towns": towns, "attacker": "x", "bound": None,
             "found": rate(*found)}
            for known, towns, found in (
                (1, False, (0.004, 0.0001, 0.02)),
                (3, False, (0.017, 0.004, 0.043)),
                (3, True, (0.142, 0.1, 0.193)),
            )
        ],
    }  # fmt: skip


def effort() -> dict[str, Any]:
    steps = [{"share": 0.0, "words": 0, "fully_redacted": 0.925},
             {"share": 0.02, "words": 148, "fully_redacted": 0.975}]  # fmt: skip
    return {"notes": 40, "words": 7417, "steps": steps}


def evaluations(policy: str = "dp") -> Evaluations:
    """One file of each kind, called "site"."""
    return Evaluations(
        {"site": making.detection()},
        {"site": making.utility()},
        {"site": attack(policy)},
        {"site": making.robustness()},
        {"site": effort()},
    )


@cache
def made(policy: str = "dp", lang: str = "fr", is_measured: bool = False) -> Annex:
    found = evaluations(policy) if is_measured else NONE
    return annex(Measured(load_policy(policy), found), lang, day=DAY)


@cache
def by_chance(policy: str = "dp", lang: str = "fr") -> Annex:
    """That of a policy whose records are drawn from no key."""
    drawn = parse_policy(policy_text(policy) + "randomness: system\n")
    return annex(Measured(drawn, NONE), lang, day=DAY)


def part(of: Annex, key: str) -> str:
    """All that one part says."""
    (one,) = [part for part in of.parts if part.key == key]
    alone = Annex(of.lang, "", "", "", of.blank, (one,))
    return "\n".join(alone.texts())


def missing(of: Annex) -> list[str]:
    return [b.text for part in of.parts for b in part.blocks if isinstance(b, Missing)]
