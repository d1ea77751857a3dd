"""The built-in policies: every label has its cell, every promise its mechanism."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path

import pytest

from dpdeid.assurance.report import label_rows, statement
from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.merge.published import Union
from dpdeid.errors import PolicyError
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy, load_policy, names, parse_policy, policy_text
from dpdeid.privacy.ledger import Allowance
from dpdeid.privacy.losses import (
    Epsilon,
    EpsilonPerKm,
    EpsilonPerStep,
    NoGuarantee,
)
from dpdeid.substitute.without_draws import Keep, Redact

BUILT_IN = (
    "aphp", "chuv", "dp", "dp-strict", "fasdim", "hnfc", "hnfc-strict", "redact", "safe-harbor",
)  # fmt: skip

# LABELS: what each policy does with each label.
KEPT = "DURATION COUNTRY NATIONALITY PROFESSION MARITAL_STATUS KINSHIP"
MATRIX = {
    "dp": {
        "dates": "DATE BIRTH_DATE AGE", "times": "TIME", "places": "CITY ZIP",
        "people": "LAST_NAME FIRST_NAME", "addresses": "STREET HOSPITAL ORGANIZATION",
        "contacts": "PHONE FAX EMAIL URL IP ROOM",
        "identifiers": "PATIENT_ID VISIT_ID ORDER_ID SSN PROVIDER_ID OTHER_ID",
        "keep": f"{KEPT} UNIT",
    },
    "hnfc": {
        "dates": "DATE BIRTH_DATE AGE", "places": "CITY ZIP", "people": "LAST_NAME FIRST_NAME",
        "addresses": "STREET HOSPITAL UNIT ORGANIZATION", "contacts": "PHONE FAX EMAIL URL IP ROOM",
        "identifiers": "PATIENT_ID VISIT_ID ORDER_ID SSN PROVIDER_ID OTHER_ID",
        "keep": f"{KEPT} TIME",
    },
    "aphp": {
        "dates": "DATE BIRTH_DATE AGE", "places": "CITY ZIP", "people": "LAST_NAME FIRST_NAME",
        "addresses": "STREET ORGANIZATION", "contacts": "PHONE FAX EMAIL URL IP",
        "identifiers": "PATIENT_ID VISIT_ID ORDER_ID SSN PROVIDER_ID OTHER_ID",
        "keep": f"{KEPT} UNIT TIME HOSPITAL ROOM",
    },
    "safe-harbor": {
        "generalise": "DATE BIRTH_DATE AGE CITY ZIP",
        "keep": f"{KEPT} TIME",
        "redact": "LAST_NAME FIRST_NAME STREET HOSPITAL UNIT ROOM ORGANIZATION PHONE FAX EMAIL URL "
        "IP PATIENT_ID VISIT_ID ORDER_ID SSN PROVIDER_ID OTHER_ID",
    },
    "redact": {"keep": "DURATION", "redact": " ".join(set(Label) - {Label.DURATION})},
    "chuv": {"keep": "DURATION", "redact": " ".join(set(Label) - {Label.DURATION})},
    "fasdim": {"redact": " ".join(Label)},
}  # fmt: skip
MATRIX |= dict.fromkeys(("dp-strict", "hnfc-strict"), MATRIX["dp"])


def test_the_built_in_policies() -> None:
    assert names() == BUILT_IN


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_cell_of_the_matrix_exists(name: str) -> None:
    policy = load_policy(name)
    served = {label: policy.strategy_for(label).name for label in Label}
    expected = {Label(x): s for s, row in MATRIX[name].items() for x in row.split()}
    assert served == expected


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_policy_pickles_and_says_what_it_is(name: str) -> None:
    policy = load_policy(name)
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert policy.name == name
    assert policy.description
    assert len(policy.sha256) == 64


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_label_stands_in_the_printed_table(name: str) -> None:
    printed = [x for row in label_rows(load_policy(name)) for x in row[0].split(", ")]
    assert set(printed) == set(Label)


@pytest.mark.parametrize("name", ["aphp", "fasdim", "hnfc", "redact", "chuv", "safe-harbor"])
def test_no_epsilon_on_dates_where_nothing_guarantees_it(name: str) -> None:
    """hnfc states losses for places only: its dates depend on the data's own categories."""
    policy = load_policy(name)
    guarantees = [g for s in policy.strategies for g in s.guarantees()]
    for guarantee in guarantees:
        if not isinstance(guarantee.loss, NoGuarantee):
            assert name == "hnfc"
            assert set(guarantee.labels) == {Label.CITY, Label.ZIP}
    text = " ".join(statement(policy))
    if name != "hnfc":
        assert "ε =" not in text
        assert "Nothing here is differentially private" in text


def test_the_worst_case_of_dp_is_typed_by_unit() -> None:
    guarantees = [g for s in load_policy("dp").strategies for g in s.guarantees()]
    allowance = Allowance.of(guarantees)
    kinds = {Epsilon, EpsilonPerKm, EpsilonPerStep}
    assert {type(loss) for loss in allowance.worst} == kinds
    assert allowance.open_ended == ()
    assert "is not ε-differential privacy" in " ".join(statement(load_policy("dp")))


def test_dates_and_births_of_dp_are_charged_by_the_step() -> None:
    strategy = load_policy("dp").strategy_for(Label.DATE)
    for label, draws in ((Label.DATE, 200), (Label.AGE, 40)):
        stated = [g for g in strategy.guarantees() if label in g.labels]
        assert Allowance.of(stated).worst == (EpsilonPerStep(Fraction(draws, 32)),)
    mechanisms = {g.mechanism.partition("(")[0] for g in strategy.guarantees()}
    assert mechanisms == {"proportional-noise"}


@pytest.mark.parametrize(
    ("curve", "message"),
    [
        ("[0.36, 0.6]", "3 values are expected here"),
        ("[0.36, 0, 0]", "stay: least must be > 0"),
        ("[-1, 0.6, 0]", "stay: share must be > 0"),
        ("[0.36, 0.6, -1]", "stay: after"),
    ],
)
def test_a_curve_that_is_none_is_told_with_its_line(curve: str, message: str) -> None:
    text = policy_text("dp")
    assert "stay: [0.36, 0.6, 0]" in text
    with pytest.raises(PolicyError, match=rf"line \d+: .*{message}"):
        parse_policy(text.replace("stay: [0.36, 0.6, 0]", f"stay: {curve}"))


@pytest.mark.parametrize(("name", "total"), [("dp-strict", 12), ("hnfc-strict", 6)])
def test_the_worst_case_of_the_strict_policies_is_one_epsilon_for_dates(
    name: str, total: int
) -> None:
    dates = load_policy(name).strategy_for(Label.DATE).guarantees()
    allowance = Allowance.of(dates)
    assert allowance.worst == (Epsilon(Fraction(total)),)
    assert allowance.open_ended == ()
    mechanisms = {g.mechanism.partition("(")[0] for g in dates}
    assert ("bounded-laplace" in mechanisms) == (name == "hnfc-strict")


MINIMAL = """
name: mine
unit: note
detectors: [patterns]
merge: union
strategies:
  - redact: {labels: [DATE]}
default: redact
"""


def test_a_minimal_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(MINIMAL)
    policy = load_policy(path)
    assert policy.strategies == (Redact((Label.DATE,)),)
    assert policy.merge == Union()
    assert load_policy(str(path)) == policy


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("DATE", "DATES", 7, "unknown label 'DATES'; allowed: LAST_NAME"),
        ("patterns", "regex", 4, "unknown detector 'regex'; allowed: crf, fasdim, flair, lookup"),
        ("- redact", "- hide", 7, "unknown strategy 'hide'; allowed: addresses"),
        ("labels:", "label:", 7, "unknown key 'label'; allowed: labels, form"),
        (
            "merge: union",
            "merge: vote",
            5,
            "unknown merge rule 'vote'; allowed: by_category, decision, route, tags, union",
        ),
        ("unit: note", "unit: ward", 3, "'ward' is not one of note, patient"),
        ("unit: note", "unit: note\ncolour: red", 4, "unknown key 'colour'; allowed: name"),
        ("unit: note\n", "", 2, "missing: unit"),
        ("detectors: [patterns]", "detectors: []", 4, "no detector: nothing would be found"),
        ("default: redact", "default: people", 8, "unknown default 'people'; allowed: redact"),
        ("default: redact", "default: {keep: {labels: []}}", 8, "unknown default 'keep'"),
        ("default: redact", "default: redact\nname: x", 9, "the key 'name' stands twice"),
    ],
)
def test_mistakes_are_told_with_their_line(old: str, new: str, line: int, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        parse_policy(MINIMAL.replace(old, new, 1), "mine.yaml")
    assert f"mine.yaml, line {line}: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("dp-strict", "dates: 1}", "dates: 1/2, plases: 1/2}", "no strategy 'plases'"),
        ("dp-strict", "share/7.5", "share/7", r"dates may lose ε = 12\.5715, more than its part"),
        ("hnfc-strict", "birth_epsilon: share/6", "birth_epsilon: share/5", r"\(ε = 6\)"),
    ],
)
def test_no_strategy_may_lose_more_than_its_part_of_the_budget(
    name: str, old: str, new: str, message: str
) -> None:
    text = policy_text(name)
    line = next(n for n, words in enumerate(text.splitlines(), 1) if words.startswith("budget"))
    assert old in text
    with pytest.raises(PolicyError, match=f"line {line}: .*{message}"):
        parse_policy(text.replace(old, new))


@pytest.mark.parametrize(
    ("text", "message"), [("", "empty"), ("a: [", "not valid YAML"), ("- a", "mapping")]
)
def test_files_that_are_no_policy(text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        parse_policy(text)


def test_an_unknown_policy_names_the_known_ones() -> None:
    with pytest.raises(PolicyError, match="aphp, chuv, dp"):
        load_policy("dpp")


def build(*strategies: object) -> Policy:
    return Policy("p", "note", (), Union(), strategies, Redact())  # type: ignore[arg-type]


def test_a_label_is_served_once() -> None:
    with pytest.raises(PolicyError, match="DATE is served by keep and by redact"):
        build(Keep((Label.DATE,)), Redact((Label.DATE,)))


def test_a_strategy_stands_after_what_it_needs() -> None:
    class Later(Redact):
        name = "later"  # type: ignore[misc]
        needs = ("keep",)  # type: ignore[misc]

    with pytest.raises(PolicyError, match="later must stand after keep"):
        build(Later((Label.DATE,)), Keep((Label.CITY,)))
    build(Keep((Label.CITY,)), Later((Label.DATE,)))
    build(Later((Label.DATE,)))


def test_what_a_mechanism_computes_is_no_option(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(policy_text("dp").replace("{epsilon_per_km: 0.05,", "{costs: 1,"))
    with pytest.raises(PolicyError, match="unknown key 'costs'"):
        load_policy(path)


def test_found_by_other_detectors_it_is_else_the_same() -> None:
    policy = load_policy("dp")
    own = policy.found_by(*policy.detectors[:2])
    assert own.detectors == policy.detectors[:2]
    assert (own.merge, own.strategies) == (policy.merge, policy.strategies)
    assert policy.found_by(*policy.detectors, merge=Union()).merge == Union()


def test_a_decision_takes_its_options() -> None:
    assert load_policy("dp").merge == Decision()
    for options, merge in (
        ("{point: cautious}", Decision("cautious")),
        ("{miss: 0.05}", Decision(miss=Fraction(1, 20))),
    ):
        text = MINIMAL.replace("merge: union", f"merge: {{decision: {options}}}")
        assert parse_policy(text).merge == merge
    for wrong, told in (
        ("{point: brave}", "point must be one of cautious, balanced, keep-medicine"),
        ("{miss: 1.5}", r"miss lies in \[0, 1\]"),
        ("{miss: -0.1}", r"miss lies in \[0, 1\]"),
        ("{risk: 0.2}", "unknown key 'risk'"),
    ):
        text = MINIMAL.replace("merge: union", f"merge: {{decision: {wrong}}}")
        with pytest.raises(PolicyError, match=rf"line 5: .*{told}"):
            parse_policy(text)
    with pytest.raises(PolicyError, match="line 9: unknown key 'net'"):
        parse_policy(f"{MINIMAL}net: {{risk: 0.125}}\n")
