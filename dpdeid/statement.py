"""What a policy guarantees, against whom, and what it does not: in sentences, with its own numbers.

Every number comes from what the strategies state and charge; nothing here computes a loss. Where no
ε is proved, the sentence says what is done instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, Final

from dpdeid.labels import Label
from dpdeid.policy import Policy
from dpdeid.privacy.budget import Allowance
from dpdeid.privacy.losses import Amount, EpsilonPerDay, EpsilonPerKm, Loss, NoGuarantee
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.timeline import Metric, Strict
from dpdeid.protocols import Guarantee, Strategy
from dpdeid.substitute.dates import Dates

MONTH, YEAR = 30, 365
_PSEUDONYMS: Final = {"people", "identifiers", "addresses", "contacts"}


def statement(
    policy: Policy, *, unit: str | None = None, durations: int | None = None
) -> tuple[str, ...]:
    """The statement of a policy.

    Args:
        unit: what one unit was, after a run; by default what the policy says before one.
        durations: how many durations a run kept.
    """
    bounded = [s for s in policy.strategies if any(map(_is_bounded, s.guarantees()))]
    lines = [f"Unit: {unit or _unit(policy)}, one cohort."]
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
    return (*lines, _not_protected(policy, durations), "Losses add over cohorts.")


def _unit(policy: Policy) -> str:
    whole = "one patient (one note, if no patient id was given)"
    return whole if policy.unit == "patient" else "one note"


def _is_bounded(guarantee: Guarantee) -> bool:
    return not isinstance(guarantee.loss, NoGuarantee)


def _bound(policy: Policy, strategies: Sequence[Strategy]) -> Iterator[str]:
    """The statement about two records, and how large L can become."""
    noised = [words for strategy in strategies for words in _noised(strategy)]
    attacker = (
        "Against anyone without the cohort key (assuming the keyed generator is indistinguishable "
        "from random)"
        if policy.randomness == "keyed"
        else "Against anyone (assuming the generator of each record, whose key is kept nowhere, is "
        "indistinguishable from random)"
    )
    terms = [term for strategy in strategies for term in _terms(strategy)]
    yield (
        f"{attacker}: take any two records with the same skeleton and the same keyed identifiers, "
        f"differing only in {_listed(noised)}. For every output, its probabilities under the two "
        f"differ by a factor of at most exp(L), L = {' + '.join(terms)}."
    )
    for strategy in strategies:
        yield from _remarks(strategy)
        if origin := policy.origin(strategy):
            yield f"The loss of {strategy.name} is what {origin} states: nothing here proves it."
    if policy.by_counts:
        yield (
            "The budget is shared by how often each kind of value occurs in the note: the numbers "
            "above are the most that a single value can cost."
        )
    allowance = Allowance.of(g for strategy in strategies for g in strategy.guarantees())
    worst = "; ".join(map(str, allowance.worst))
    yield f"At most, by unit: {worst}. Different units are different losses and are not added."
    yield from (
        f"No worst case, because nothing caps its draws: {n}." for n in allowance.open_ended
    )


def _listed(words: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(words))
    return " and ".join(filter(None, (", ".join(distinct[:-1]), distinct[-1])))


def _noised(strategy: Strategy) -> tuple[str, ...]:
    if isinstance(strategy, Dates):
        return ("noised dates", "births")
    if strategy.name == "places":
        return ("places",)
    return tuple(f"values of {label}" for label in strategy.labels)


def _terms(strategy: Strategy) -> Iterator[str]:
    """The parts of L that a strategy gives."""
    mode = strategy.timeline if isinstance(strategy, Dates) else None
    if isinstance(mode, Metric):
        yield (
            f"{figure(mode.epsilon_per_day)} × (sum, over at most {mode.cap} noised dates and note "
            "dates, of the days by which the gap of each to its anchor differs)"
        )
        yield (
            f"{figure(mode.birth_epsilon_per_day)} × (sum, over at most {mode.birth_cap} persons, "
            "of the days by which the gap of birth to e0 differs)"
        )
        return
    if isinstance(mode, Strict):
        yield (
            f"{figure(mode.epsilon)} × (the number, at most {mode.cap}, of dates, note dates, "
            "range lengths and births after the first that differ)"
        )
        yield f"{figure(mode.birth_epsilon)} (if the first birth differs)"
        return
    for guarantee in strategy.guarantees():
        if guarantee.cap != 0 and isinstance(guarantee.loss, Amount):
            yield _term(guarantee, guarantee.loss, strategy.name == "places")


def _term(guarantee: Guarantee, loss: Loss, of_places: bool) -> str:
    what = "places" if of_places else f"values of {', '.join(guarantee.labels)}"
    most = "all" if guarantee.cap is None else f"at most {guarantee.cap}"
    note = f": {guarantee.note}" if guarantee.note else ""
    match loss:
        case EpsilonPerKm():
            over = f"(sum, over {most} {what}, of the kilometres between them{note})"
        case EpsilonPerDay():
            over = f"(sum, over {most} {what}, of the days between them{note})"
        case _:
            over = f"(the number, {most}, of {what} that differ{note})"
    return f"{figure(loss.amount)} × {over}" if isinstance(loss, Amount) else over


def _remarks(strategy: Strategy) -> Iterator[str]:
    """What kind of guarantee it is, in words that cannot be misread."""
    mode = strategy.timeline if isinstance(strategy, Dates) else None
    if isinstance(mode, Metric):
        if mode.shift_days:
            yield (
                "If the two records differ only by moving all dates (births excepted) by the same "
                "d days, the probability of any set of outputs also differs by at most "
                f"d/{2 * mode.shift_days + 1}."
            )
        intervals = figure(mode.epsilon_per_day * mode.cap * MONTH)
        births = figure(mode.birth_epsilon_per_day * YEAR)
        yield (
            "This is not ε-differential privacy: values far apart can be told apart "
            f"({mode.cap} intervals changed by {MONTH} days each: L = {intervals}; one birth "
            f"changed by a year: L = {births})."
        )
    elif isinstance(mode, Strict):
        total = figure(mode.epsilon * mode.cap + mode.birth_epsilon)
        yield (
            "For dates, births and ages this is ε-local differential privacy given the skeleton "
            f"and the keyed identifiers: at most ε = {total} together, however far they move."
        )
    per_km = [g for g in strategy.guarantees() if isinstance(g.loss, EpsilonPerKm)]
    if per_km:
        yield "For places this is not ε-differential privacy: places far apart can be told apart."


def _not_protected(policy: Policy, durations: int | None) -> str:
    """What no policy protects, and what this one does not."""
    kept = [s for s in policy.strategies if s.name == "keep"]
    labels = [label for strategy in kept for label in strategy.labels]
    parts = ["the remaining text"]
    if others := [label for label in labels if label is not Label.DURATION]:
        parts.append(f"kept values ({', '.join(others)})")
    if any(s.name == "times" for s in policy.strategies):
        parts.append("hours")
    if Label.DURATION in labels:
        told = "the ledger counts them" if durations is None else f"{durations} of them"
        parts.append(f"durations kept ({told})")
    dates = [s.timeline for s in policy.strategies if isinstance(s, Dates)]
    hidden = any(isinstance(one, Metric | Strict) and not one.ordered for one in dates)
    parts.append("count, equalities" if hidden else "order, count, equalities")
    sentence = f"Not protected: {', '.join(parts)}"
    if any(s.name in _PSEUDONYMS for s in policy.strategies):
        sentence += (
            "; names, identifiers and addresses are replaced by keyed pseudonyms without an ε"
        )
    return f"{sentence}; any span the detector missed ({measured_recall()})."


def measured_recall() -> str:
    """The detectors' recall as measured, with its source; or that it was not."""
    file = files("dpdeid") / "measured.json"
    if not file.is_file():
        return "measured recall: not measured"
    report: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    told = [
        f"{name.removesuffix('/odd')}: {100 * scores['direct']['redacted']:.1f} % of the tokens of "
        f"direct and {100 * scores['quasi']['redacted']:.1f} % of indirect identifiers"
        for name, scores in report.items()
        if name.endswith("/odd")
    ]
    return (
        f"measured recall of the detectors of {report['policy']}, by benchmarks/detection.py on "
        f"held-out notes: {'; '.join(told)}"
    )
