"""What a policy promises before any note is seen, and what a run has spent: in words and as data.

Nothing here computes a loss; it prints what mechanisms state and what charges hold. An ε stands
only beside a mechanism that guarantees it, in the unit in which it is guaranteed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy import Policy
from dpdeid.privacy.budget import Allowance
from dpdeid.privacy.ledger import Ledger
from dpdeid.privacy.losses import Epsilon, NoGuarantee
from dpdeid.protocols import Guarantee

NOT_PROTECTED = (
    "Not protected, under any policy: whatever a detector misses; the text outside the spans; "
    "the number, order and equality of the replaced values; values that are kept."
)


def label_rows(policy: Policy) -> list[tuple[str, str, str, str, str]]:
    """One row a mechanism: labels, strategy, mechanism, loss of one draw, cap on draws."""
    rows = []
    for strategy in policy.strategies:
        if not strategy.guarantees():
            rows.append((", ".join(strategy.labels), strategy.name, "nothing is drawn", "–", "–"))
        for guarantee in strategy.guarantees():
            cap = {None: "no cap", 0: "in the above"}.get(guarantee.cap, str(guarantee.cap))
            unbounded = isinstance(guarantee.loss, NoGuarantee)
            rows.append(
                (
                    ", ".join(guarantee.labels),
                    strategy.name,
                    guarantee.mechanism,
                    str(guarantee.loss),
                    "–" if unbounded else cap,
                )
            )
    served = {label for strategy in policy.strategies for label in strategy.labels}
    if rest := [label for label in Label if label not in served]:
        rows.append((", ".join(rest), policy.default.name, "nothing is drawn", "–", "–"))
    return rows


def statement(policy: Policy) -> tuple[str, ...]:
    """What the policy guarantees and what it does not, in sentences."""
    guarantees = [g for strategy in policy.strategies for g in strategy.guarantees()]
    bounded = [g for g in guarantees if not isinstance(g.loss, NoGuarantee)]
    lines = (
        list(_bound(policy, bounded)) if bounded else ["Nothing here is differentially private."]
    )
    reasons: dict[str, list[str]] = {}
    for guarantee in guarantees:
        if isinstance(guarantee.loss, NoGuarantee):
            reasons.setdefault(guarantee.loss.reason, []).extend(guarantee.labels)
    lines += (f"No guarantee for {', '.join(of)}: {reason}." for reason, of in reasons.items())
    return (*lines, NOT_PROTECTED)


def _counted(cap: int | None) -> str:
    if cap is None:
        return "every distinct value"
    return "one value" if cap == 1 else f"at most {cap} values"


def _bound(policy: Policy, guarantees: Sequence[Guarantee]) -> Iterator[str]:
    """What mechanisms with a loss promise together."""
    patient = "one patient (one note, where no patient id is given)"
    unit = "one note" if policy.unit == "note" else patient
    yield (
        f"Unit: {unit}, in one cohort. Two records that read the same but for the values below "
        "give any output with probabilities that differ by a factor of at most exp(L), for anyone "
        "without the cohort's key. L is the sum of"
    )
    for guarantee in guarantees:
        if guarantee.cap == 0:
            continue
        over = (
            "every distinct value" if guarantee.cap is None else f"at most {guarantee.cap} values"
        )
        note = f" ({guarantee.note})" if guarantee.note else ""
        yield f"  {guarantee.loss}, over {over} of {', '.join(guarantee.labels)}{note}"
    allowance = Allowance.of(guarantees)
    worst = "; ".join(map(str, allowance.worst))
    yield (
        f"At most, by unit: {worst}. Different units are different losses "
        "and are not added. Losses add over cohorts."
    )
    yield from (
        f"No worst case, because nothing caps its draws: {name}." for name in allowance.open_ended
    )
    if any(not isinstance(g.loss, Epsilon) for g in guarantees):
        yield (
            "A loss per day or per kilometre is not ε-differential privacy: values close together "
            "cannot be told apart well, values far apart can."
        )


def ledger_report(
    deidentifier: Deidentifier,
    ledger: Ledger,
    strategies: Counter[tuple[str, str]],
    failed: int,
) -> Mapping[str, Any]:
    """The ledger file of a run: totals by unit, replaced and kept counts, every charge.

    `strategies` counts mentions by (label, strategy). No value and no caller's id is in it.
    """
    policy = deidentifier.policy
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
        "statement": list(statement(policy)),
        "failed_rows": failed,
        "mentions": counts,
        "totals": {unit: [x.to_json() for x in ledger.total(unit)] for unit in ledger.units},
        "charges": ledger.rows(),
    }
