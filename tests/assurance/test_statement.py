"""The statement: what is proved, against whom, with the policy's own numbers, and what is not."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from dpdeid.assurance import report as module
from dpdeid.assurance.forecast import timeline_of
from dpdeid.assurance.report import measured_recall, statement
from dpdeid.policy.policy import load_policy, names, parse_policy, policy_text
from dpdeid.privacy.skeleton import PLACES, Shown
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Metric


def said(name: str, *changes: tuple[str, str]) -> str:
    text = policy_text(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return " ".join(statement(parse_policy(text)))


def test_the_sentence_of_dp() -> None:
    text = said("dp")
    for part in (
        "Unit: one patient (one note, if no patient id was given), one cohort.",
        "Against anyone without the cohort key (assuming the keyed generator is indistinguishable "
        "from random): take any two records with the same skeleton and the same keyed identifiers, "
        "differing only in noised dates, births, clock times and places. For every output, its "
        "probabilities under the two differ by a factor of at most exp(L), L = 1/32 × (sum, "
        "over at most 200 noised dates and note dates, of the steps of the table of its role "
        "by which the gap of "
        "each, to its neighbour or what else it is counted from, differs) + 1/32 × (sum, over at "
        "most 40 persons, of the steps by which the gap of birth to the first note, or to its own, "
        "differs) + 1/32 × (sum, over at most 200 clock times, of the steps of the table of its "
        "role by which its minutes from midnight, or its gap to its neighbour, differ) + 0.05 × "
        "(sum, over at most 1 of the places, of the kilometres between them)",
        "If the two records have a date that is printed fully, and differ only by moving all dates "
        "and all births by the same d days, the probability of any set of outputs also differs by "
        "at most d/3651.",
        "first date: 20 days; stay: 36 % of the gap, at least 0.6 days; read: 18 % of the gap, at "
        "least 1 days; before: 62 % of what is over 14 days, at least 4 days; ahead: 25 % of the "
        "gap, at least 2 days; birth: 36 % of the age, at least 0.6 and at most 200 days; aged: "
        "16 % of the gap, at least 7 and at most 700 days; rough: 60 % of the gap, at least 30 and "
        "at most 700 days",
        "This is not ε-differential privacy: values far apart can be told apart.",
        "Nor protected: names, identifiers and addresses: they are keyed pseudonyms without an ε; "
        "any span the detector missed (measured recall",
        "At most, by unit and run: ε = 0.1415; ε = 0.05 per km; ε = 13.75 per step. Different "
        "units are different losses and are not added. Later runs of the same patients add to it, "
        "unless a cohort keeps the account.",
        "Losses add over cohorts.",
    ):
        assert part in text


def test_its_examples_are_those_of_the_tables() -> None:
    """Never below their true value, and close to it."""
    text = said("dp")
    mode = timeline_of(load_policy("dp"))
    assert isinstance(mode, Metric)
    for gaps, what in (
        (
            [(Role.STAY, 3, 4), (Role.AHEAD, 28, 27)],
            "a stay of 3 or 4 days, 28 or 27 before a visit",
        ),
        ([(Role.AHEAD, 28, 42)], "an appointment in 28 or 42 days"),
        ([(Role.READ, 14, 21)], "14 or 21 days to a date without its year"),
        ([(Role.BEFORE, 365, 730)], "1 or 2 years before"),
        ([(Role.BIRTH, 3, 30)], "an age of 3 or 30 days"),
        ([(Role.BIRTH, 50 * 365, 51 * 365)], "an age of 50 or 51 years"),
    ):
        (told,) = re.findall(rf"{what}: L = ([\d.]+\d)", text)
        true = sum(mode.noise(role).loss(one, other) for role, one, other in gaps)
        assert 0 <= Fraction(told) - true < Fraction(1, 100)
    assert "A date between two others changes two gaps when it moves, and both count." in text


def test_its_numbers_are_the_policy_s() -> None:
    text = said(
        "dp",
        ("epsilon_per_day: 0.05", "epsilon_per_day: 0.04"),
        ("cap: 200", "cap: 7"),
        ("birth_cap: 40", "birth_cap: 5"),
        ("shift_days: 3650", "shift_days: 100"),
        ("ahead: [0.25, 2, 0]", "ahead: [0.5, 3, 10]"),
    )
    assert "1/32 × (sum, over at most 7 noised dates" in text
    assert "at most d/101" in text
    assert "first date: 25 days;" in text
    assert "ahead: 50 % of what is over 10 days, at least 3 days;" in text
    assert "ε = 6.625 per step" in text  # 7 dates, 5 births and 200 clock times
    without = said("dp", ("shift_days: 3650", "shift_days: 0"))
    assert "moving all dates" not in without


def test_dp_strict_counts_gaps_that_differ_and_not_dates() -> None:
    """A date that moves alone changes two gaps of a chain: those on both its sides."""
    text = said("dp-strict")
    assert (
        "L = 1.6 × (the number, at most 5, of noised dates and note dates whose gap to their "
        "neighbour differs, and of births after the first that do) + 4 (if the first birth differs)"
    ) in text


@pytest.mark.parametrize(("name", "total"), [("dp-strict", 12), ("hnfc-strict", 6)])
def test_the_strict_policies_name_one_epsilon_for_dates_and_another_unit_for_places(
    name: str, total: int
) -> None:
    text = said(name)
    assert f"at most ε = {total} together, however far they move" in text
    assert "For places this is not ε-differential privacy" in text
    assert "noised dates, births, clock times and places" in text


def test_the_published_design_is_printed_for_what_it_is() -> None:
    text = said("hnfc")
    assert "only given its category, the order and the number of dates" in text
    assert "differing only in places" in text
    assert "Unit: one note, one cohort." in text


@pytest.mark.parametrize("name", ["aphp", "fasdim", "redact", "chuv", "safe-harbor"])
def test_without_a_bound_no_epsilon_is_printed(name: str) -> None:
    text = said(name)
    assert "Nothing here is differentially private." in text
    assert "exp(L)" not in text
    assert "ε =" not in text


@pytest.mark.parametrize("name", names())
def test_every_policy_says_what_it_does_not_protect(name: str) -> None:
    text = " ".join(statement(load_policy(name)))
    assert "Not protected is the skeleton of a record, all that is public of it:" in text
    assert f"- {Shown.TEXT}" in text
    assert "any span the detector missed (measured recall" in text
    assert ("keyed pseudonyms" in text) == (name not in ("redact", "chuv", "fasdim", "safe-harbor"))


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("dp", set()),
        ("dp-strict", set()),
        ("aphp", {Shown.TIMES}),
        ("redact", {Shown.ROLES, Shown.TIMES, Shown.BIRTHS, *PLACES}),
    ],
)
def test_it_lists_all_of_the_skeleton_that_a_policy_shows(name: str, without: set[Shown]) -> None:
    told = [line.removeprefix("- ") for line in statement(load_policy(name)) if line[:2] == "- "]
    assert len(told) == len(Shown) - len(without)
    for part in Shown:
        assert any(line.startswith(part) for line in told) == (part not in without)


def test_after_a_run_it_counts_what_was_kept() -> None:
    text = " ".join(statement(load_policy("dp"), unit="one patient", durations=17))
    assert "Unit: one patient, one cohort." in text
    assert "durations (17 of them)" in text


def test_system_randomness_names_another_attacker() -> None:
    text = " ".join(statement(parse_policy(policy_text("dp") + "randomness: system\n")))
    assert "Against anyone without the cohort key" not in text
    assert "Against anyone who has not both the cohort's vault and its key (" in text


def test_recall_comes_with_its_source_or_is_not_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "benchmarks/detection.py" in measured_recall(load_policy("dp"))
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    assert "not measured" in measured_recall(load_policy("dp"))


@pytest.mark.parametrize(
    ("detectors", "direct"),
    [
        ("[metadata, patterns, lookup, lookup_places, crf, transformer]", "99.4 %"),
        ("[lookup_places, lookup, patterns, metadata]", "95.4 %"),  # the order changes nothing
        ("[patterns]", None),
        ("[metadata, patterns, lookup, lookup_places, crf]", None),
        (
            "[metadata, patterns, lookup, lookup_places, {crf: {recall_first: true}}, transformer]",
            None,
        ),
    ],
)
def test_recall_is_that_of_the_policys_own_detectors(detectors: str, direct: str | None) -> None:
    text = re.sub("(?m)^detectors: .*$", f"detectors: {detectors}", policy_text("dp"))
    told = measured_recall(parse_policy(text))
    assert (f"gold_dev: {direct}" in told) == (direct is not None)
    assert ("not measured" in told) == (direct is None)


def test_recall_is_that_of_the_policys_own_merge_rule() -> None:
    assert "gold_dev: 99.4 %" in measured_recall(load_policy("dp"))
    for merge in (
        "union",
        "{decision: {point: cautious}}",
        "{decision: {miss: 0.3}}",
        "{by_category: {categories: [RUE], tagger: crf}}",
    ):
        other = re.sub("(?m)^merge: .*$", f"merge: {merge}", policy_text("dp"))
        assert "not measured" in measured_recall(parse_policy(other))
