"""What a policy may spend and what a run has spent, as rows and as data.

Nothing here computes a loss; it shows what mechanisms state and what charges hold. An ε stands only
beside a mechanism that guarantees it, in the unit in which it is guaranteed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy import Policy
from dpdeid.privacy.losses import Loss, NoGuarantee
from dpdeid.statement import statement


def label_rows(policy: Policy) -> list[tuple[str, str, str, str, str]]:
    """One row a mechanism: labels, strategy, mechanism, loss of one draw, cap on draws."""
    rows = []
    for strategy in policy.strategies:
        origin = policy.origin(strategy)
        if not strategy.guarantees():
            told = ("nothing is drawn", "–")
            if origin:
                told = (f"that of {origin}", "no guarantee (it states none)")
            rows.append((", ".join(strategy.labels), strategy.name, *told, "–"))
        for guarantee in strategy.guarantees():
            cap = {None: "no cap", 0: "in the above"}.get(guarantee.cap, str(guarantee.cap))
            unbounded = isinstance(guarantee.loss, NoGuarantee)
            rows.append(
                (
                    ", ".join(guarantee.labels),
                    strategy.name,
                    guarantee.mechanism,
                    _told(guarantee.loss, origin),
                    "–" if unbounded else cap,
                )
            )
    served = {label for strategy in policy.strategies for label in strategy.labels}
    if rest := [label for label in Label if label not in served]:
        rows.append((", ".join(rest), policy.default.name, "nothing is drawn", "–", "–"))
    return rows


def _told(loss: Loss, origin: str) -> str:
    """A loss; where it is another package's word, that is said."""
    if not origin or isinstance(loss, NoGuarantee):
        return str(loss)
    return f"{loss} (as stated by {origin}, proved by nothing here)"


def ledger_report(
    deidentifier: Deidentifier,
    strategies: Counter[tuple[str, str]],
    failed: int,
    patients: tuple[int, int] | None = None,
    left_out: int = 0,
) -> Mapping[str, Any]:
    """What the ledger file of a run says before its charges: replaced and kept counts.

    No value and no caller's id is in it.

    Args:
        strategies: mentions by (label, strategy).
        failed: rows without a result.
        patients: how many notes were released, and how many of them had a patient id, if known.
        left_out: rows of patients who object or were forgotten.
    """
    policy = deidentifier.policy
    unit = None
    if policy.unit == "patient" and patients is not None:
        notes, known = patients
        if known in (0, notes):
            unit = "one patient" if known else "one note (no patient id was given)"
    durations = strategies[(Label.DURATION, "keep")]
    counts: dict[str, dict[str, int]] = {}
    for (label, strategy), count in sorted(strategies.items()):
        counts.setdefault(label, {})[strategy] = count
    return {
        "policy": policy.name,
        "policy_sha256": policy.sha256,
        "cohort": deidentifier.cohort.fingerprint,
        "ledger_key": deidentifier.cohort.ledger_fingerprint,
        "e0": deidentifier.cohort.e0.isoformat(),
        "unit": policy.unit,
        "statement": list(statement(policy, unit=unit, durations=durations)),
        "failed_rows": failed,
        "left_out_rows": left_out,
        "mentions": counts,
    }
