"""What a policy guarantees and what it does not, in sentences; what it may spend and what a run
has spent, as rows and as data.

Nothing here computes a loss; it shows what mechanisms state and what charges hold. An ε stands only
beside a mechanism that guarantees it, in the unit in which it is guaranteed. Where none is proved,
the sentence says what is done instead.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any, Final

from dpdeid.assurance.leakage import MEANING, leakages
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.privacy.leakage import table_of
from dpdeid.privacy.ledger import Allowance, Wording
from dpdeid.privacy.losses import (
    Amount,
    EpsilonPerDay,
    EpsilonPerKm,
    EpsilonPerStep,
    Loss,
    NoGuarantee,
)
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.skeleton import ALWAYS, Shown
from dpdeid.protocols import Detector, Guarantee, Propagator, Stating, Strategy

_UNMEASURED: Final = (
    "measured recall: not measured for these detectors together; `dpdeid evaluate detection` does "
    "it on your own notes"
)
_UNITS: Final[Mapping[type, str]] = {
    EpsilonPerKm: "kilometres",
    EpsilonPerDay: "days",
    EpsilonPerStep: "steps",
}
_PSEUDONYMS: Final = {"people", "identifiers", "addresses", "contacts"}


def statement(
    policy: Policy, *, unit: str | None = None, durations: int | None = None
) -> tuple[str, ...]:
    """The statement of a policy.

    Args:
        unit: what one unit was, after a run; by default what the policy says before one.
        durations: how many durations a run kept.
    """
    bounded = [
        strategy
        for strategy in policy.strategies
        if any(isinstance(one.loss, Amount) for one in strategy.guarantees())
    ]
    whole = "one patient (one note, if no patient id was given)"
    before = whole if policy.unit == "patient" else "one note"
    lines = [f"Unit: {unit or before}, one cohort."]
    lines += _bound(policy, bounded) if bounded else ["Nothing here is differentially private."]
    reasons: dict[str, list[str]] = {}
    for strategy in policy.strategies:
        for guarantee in strategy.guarantees():
            if isinstance(guarantee.loss, NoGuarantee):
                labels = reasons.setdefault(guarantee.loss.reason, [])
                labels += (label for label in guarantee.labels if label not in labels)
        if (origin := policy.origin(strategy)) and not strategy.guarantees():
            reasons[f"replaced by {strategy.name} of {origin}, which states none"] = [
                *strategy.labels
            ]
    lines += (f"No guarantee for {', '.join(of)}: {reason}." for reason, of in reasons.items())
    lines += ("Not protected is the skeleton of a record, all that is public of it:",)
    lines += (f"- {part}" for part in skeleton(policy, durations))
    return (*lines, _not_protected(policy), "Losses add over cohorts.")


def _bound(policy: Policy, strategies: Sequence[Strategy]) -> Iterator[str]:
    """The statement about two records, and how large L can become."""
    wordings = [_wording(strategy) for strategy in strategies]
    noised = [words for wording in wordings for words in wording.differing]
    attacker = (
        "Against anyone without the cohort key (assuming the keyed generator is indistinguishable "
        "from random)"
        if policy.randomness == "keyed"
        else "Against anyone who has not both the cohort's vault and its key (assuming the "
        "generator of each record, whose own key is kept nowhere, is indistinguishable from random)"
    )
    terms = [term for wording in wordings for term in wording.terms]
    yield (
        f"{attacker}: take any two records with the same skeleton and the same keyed identifiers, "
        f"differing only in {_listed(noised)}. For every output, its probabilities under the two "
        f"differ by a factor of at most exp(L), L = {' + '.join(terms)}."
    )
    for strategy, wording in zip(strategies, wordings, strict=True):
        yield from wording.remarks
        if any(isinstance(g.loss, EpsilonPerKm) for g in strategy.guarantees()):
            yield (
                "For places this is not ε-differential privacy: places far apart can be told apart."
            )
        if origin := policy.origin(strategy):
            yield f"The loss of {strategy.name} is what {origin} states: nothing here proves it."
    if policy.by_counts:
        yield (
            "The budget is shared by how often each kind of value occurs in the note: the numbers "
            "above are the most that a single value can cost."
        )
    allowance = Allowance.of(g for strategy in strategies for g in strategy.guarantees())
    worst = "; ".join(map(str, allowance.worst))
    yield (
        f"At most, by unit and run: {worst}. Different units are different losses and are not "
        "added. Later runs of the same patients add to it, unless a cohort keeps the account."
    )
    yield from (
        f"No worst case, because nothing caps its draws: {n}." for n in allowance.open_ended
    )


def _listed(words: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(words))
    return " and ".join(filter(None, (", ".join(distinct[:-1]), *distinct[-1:])))


def _wording(strategy: Strategy) -> Wording:
    """How a strategy words its part, or how it reads if it words none."""
    given = strategy.wording() if isinstance(strategy, Stating) else Wording()
    values = tuple(f"values of {label}" for label in strategy.labels)
    terms = given.terms or tuple(_terms(strategy, _listed(given.differing)))
    return replace(given, differing=given.differing or values, terms=terms)


def _terms(strategy: Strategy, what: str) -> Iterator[str]:
    """The parts of L that the guarantees of a strategy give."""
    for guarantee in strategy.guarantees():
        if guarantee.cap != 0 and isinstance(guarantee.loss, Amount):
            of = what or f"values of {', '.join(guarantee.labels)}"
            yield f"{figure(guarantee.loss.amount)} × {_differing(guarantee, of)}"


def _differing(guarantee: Guarantee, what: str) -> str:
    most = "all" if guarantee.cap is None else f"at most {guarantee.cap}"
    note = f": {guarantee.note}" if guarantee.note else ""
    if unit := _UNITS.get(type(guarantee.loss)):
        one = "of the " * (guarantee.cap == 1)
        return f"(sum, over {most} {one}{what}, of the {unit} between them{note})"
    return f"(the number, {most}, of {what} that differ{note})"


def skeleton(policy: Policy, durations: int | None = None) -> Iterator[str]:
    """What of the skeleton a release shows under a policy, all of it, a sentence each."""
    wordings = [s.wording() for s in policy.strategies if isinstance(s, Stating)]
    shown = {*ALWAYS, *(part for wording in wordings for part in wording.shows)}
    kept = [label for s in policy.strategies if s.name == "keep" for label in s.labels]
    told = [label.value for label in kept if label is not Label.DURATION]
    if Label.DURATION in kept:
        count = "the ledger counts them" if durations is None else f"{durations} of them"
        told.append(f"durations ({count})")
    for part in Shown:
        if part is Shown.KEPT:
            yield f"{part}: {', '.join(told) or 'none'}"
        elif part in shown:
            yield part


def _not_protected(policy: Policy) -> str:
    """What no policy protects beside the skeleton."""
    keyed = any(s.name in _PSEUDONYMS for s in policy.strategies)
    names = "names, identifiers and addresses: they are keyed pseudonyms without an ε; " * keyed
    return f"Nor protected: {names}any span the detector missed ({measured_recall(policy)})."


def measured_recall(policy: Policy) -> str:
    """What the detectors of a policy were measured to find, with its source, if they were."""
    if not (measured := recall_of(policy)):
        return _UNMEASURED
    told = [
        f"{name}: {100 * scores['direct']['redacted']:.1f} % of the tokens of direct and "
        f"{100 * scores['quasi']['redacted']:.1f} % of indirect identifiers"
        for name, scores in measured.items()
    ]
    return (
        "measured recall of these detectors, by benchmarks/detection.py on held-out notes: "
        + "; ".join(told)
    )


def recall_of(policy: Policy) -> Mapping[str, Mapping[str, Any]]:
    """Set of notes → what the detectors of a policy were measured to find in it; empty if they were
    not measured together.

    A detector with options, or one that another package brought, is another one than was measured.
    """
    file = files("dpdeid") / "measured.json"
    finders: tuple[Detector | Propagator, ...] = (*policy.detectors, *policy.propagators)
    if not file.is_file() or not all(map(_as_shipped, finders)):
        return {}
    report: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    own = sorted(one.name for one in finders), _merge_of(policy)
    rows: Iterator[Mapping[str, Any]] = iter(report["recall"])
    same = (one["notes"] for one in rows if own == (sorted(one["finders"]), one["merge"]))
    return next(same, {})


def _merge_of(policy: Policy) -> str:
    """The merge rule by its name, with the options that are not the shipped ones."""
    merge: object = policy.merge
    name = type(merge).__name__.lower()
    return name if merge == type(merge)() else f"{name} {merge}"


def _as_shipped(finder: object) -> bool:
    """Whether a detector has no options but the shipped ones."""
    try:
        return finder == type(finder)()
    except TypeError:  # it needs one: a folder, a model
        return False


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
    """What the ledger file of a run says before its charges: replaced and kept counts, and the bits
    that a draw of each mechanism tells, the first of a unit and any further one.

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
        "leakage": {"meaning": MEANING, "bits": table_of(leakages(policy))},
        "failed_rows": failed,
        "left_out_rows": left_out,
        "mentions": counts,
    }
