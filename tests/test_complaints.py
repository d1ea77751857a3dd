"""Complaints from outside: every case is well formed, what falls short is seen, and a public report
runs as its verdict says.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from dpdeid.document import Deidentified, Document, Mention, Span, Surrogate
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import complaints
from detection import policy_of

TEXT = "Mme Durand (DURAND), poids 72 kg, score de Rankin 2, vit à Brest."
CASE: dict[str, Any] = {
    "id": "case-01",
    "text": TEXT,
    "stay": ["poids 72 kg", "Rankin 2"],
    "go": ["Brest"],
    "go_at": [["Durand", "Mme Durand"]],
    "as": {"Brest": "CITY"},
    "same": [["Durand", "DURAND"]],
}
RIGHT = {"Durand": "Leroy", "DURAND": "LEROY", "Brest": "Dinan"}
LABELS = {"Brest": Label.CITY}

REPORTED: dict[str, Any] = {
    "id": "report-01",
    "report": "owner/some-tool#12",
    "kind": "intervals",
    "verdict": "holds",
    "date": dt.date(2026, 11, 29),
    "text": "Mme Durand et M. Leroy, vus le 28/12/2021 et le 3 janvier 2022.",
    "go": ["Durand", "Leroy"],
    "apart": [["Durand", "Leroy"]],
    "like": {"le 28/12/2021": r"le \d\d/\d\d/\d{4}"},
    "gap": [["28/12/2021", "3 janvier 2022", 2]],
}
REPORTED_AS = {key: REPORTED[key] for key in complaints.REPORT}
AS_ASKED = {
    "Durand": "Petit",
    "Leroy": "Morel",
    "28/12/2021": "04/03/2019",
    "3 janvier 2022": "12 mars 2019",
}


def short(changes: dict[str, str], case: dict[str, Any] = CASE) -> list[tuple[str, str, str]]:
    """What falls short in a case where these words are replaced, each where it first stands."""
    outcome = complaints.judged(case, replacing(changes))
    return [(fall.how, fall.what, fall.became) for fall in outcome.short]


def replacing(changes: dict[str, str]) -> Callable[[Document], Deidentified]:
    def engine(doc: Document) -> Deidentified:
        given = []
        for old in sorted(changes, key=doc.text.index):
            start = doc.text.index(old)
            span = Span(start, start + len(old), LABELS.get(old, Label.LAST_NAME), 1.0)
            given.append(Surrogate(Mention(0, span, old), changes[old], "none"))
        return Deidentified(doc.id, doc.text, surrogates=tuple(given))

    return engine


def test_nothing_falls_short_of_what_is_right() -> None:
    assert short(RIGHT) == []


@pytest.mark.parametrize(
    ("changes", "falls"),
    [
        ({"Rankin": "Moreau"}, [("stay", "Rankin 2", "Moreau")]),
        ({"72": "172"}, [("stay", "poids 72 kg", "172")]),
        ({"DURAND": "MOREAU"}, [("same", "Durand / DURAND", "leroy / moreau")]),
        ({"Durand": "Durand"}, [("go", "Durand", "Durand"), ("same", "Durand / DURAND", "")]),
        ({"Brest": "Brest"}, [("go", "Brest", "Brest")]),
    ],
)
def test_what_falls_short_is_seen(
    changes: dict[str, str], falls: list[tuple[str, str, str]]
) -> None:
    found = short(RIGHT | changes)
    assert [fall[:2] for fall in found] == [fall[:2] for fall in falls]
    assert all(fall[2] in told[2] for fall, told in zip(falls, found, strict=True))


@pytest.mark.parametrize(
    ("changes", "falls"),
    [
        ({}, []),
        ({"Leroy": "Petit"}, [("apart", "Durand / Leroy")]),
        ({"28/12/2021": "4/3/2019"}, [("like", "le 28/12/2021")]),
        ({"3 janvier 2022": "17 mars 2019"}, [("gap", "28/12/2021 / 3 janvier 2022")]),
        ({"3 janvier 2022": "6 mars 2019"}, [("gap", "28/12/2021 / 3 janvier 2022")]),
        ({"3 janvier 2022": "26 février 2019"}, [("gap", "28/12/2021 / 3 janvier 2022")]),
        ({"3 janvier 2022": "en mars"}, [("gap", "28/12/2021 / 3 janvier 2022")]),
    ],
)
def test_people_apart_forms_and_gaps(changes: dict[str, str], falls: list[tuple[str, str]]) -> None:
    assert [fall[:2] for fall in short(AS_ASKED | changes, REPORTED)] == falls


def test_what_is_not_found_goes_under_no_label() -> None:
    left = {old: new for old, new in RIGHT.items() if old != "Brest"}
    assert short(left) == [("go", "Brest", "Brest"), ("as", "Brest", "not found")]
    one = complaints.judged(CASE | {"as": {"Durand": "CITY"}}, replacing(RIGHT)).short
    assert [(fall.how, fall.became) for fall in one] == [("as", "LAST_NAME")]


@pytest.mark.parametrize("held", [False, True])
def test_every_case_is_well_formed(held: bool) -> None:
    assert len(complaints.families(held=held)) > 20
    for family in complaints.families(held=held):
        assert len(complaints.cases(family, held=held)) >= 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"stay": ["Zorglub"]},
        {"go": ["Brest", ""]},
        {"stay": ["Brest"]},
        {"stay_at": [["2", "2"]]},
        {"go_at": [["Zorglub", "Mme Durand"]]},
        {"as": {"Brest": "TOWN"}},
        {"as": {"Zorglub": "CITY"}},
        {"same": [["Durand", "Zorglub"]]},
        {"kept": []},
        {"stay": [], "go": [], "go_at": []},
        {"like": {"Zorglub": "x"}},
        {"apart": [["Durand", "Zorglub"]]},
        {"gap": [["Durand", "Brest", 2]]},
        {"report": "some-tool#12"},
        *(
            REPORTED_AS | {"report": name}
            for name in ("some-tool", "some-tool#0", "#12", "a/b/c#1")
        ),
        REPORTED_AS | {"verdict": "unsure"},
        REPORTED_AS | {"kind": ""},
        REPORTED_AS | {"date": "29 November"},
    ],
)
def test_a_case_that_is_not_is_refused_without_its_words(
    wrong: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(complaints, "HERE", tmp_path)
    (tmp_path / "one.yaml").write_text(yaml.safe_dump([CASE]), encoding="utf-8")
    assert complaints.cases("one") == [CASE]
    (tmp_path / "one.yaml").write_text(yaml.safe_dump([REPORTED]), encoding="utf-8")
    assert complaints.cases("one") == [REPORTED]
    (tmp_path / "one.yaml").write_text(yaml.safe_dump([CASE | wrong]), encoding="utf-8")
    with pytest.raises(ValueError, match=r"^case-01: ") as error:
        complaints.cases("one")
    assert not any(word in str(error.value) for word in ("Zorglub", "Durand", "Brest"))


def test_two_cases_of_one_id_and_a_file_that_is_no_yaml_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(complaints, "HERE", tmp_path)
    (tmp_path / "two.yaml").write_text(yaml.safe_dump([CASE, CASE]), encoding="utf-8")
    with pytest.raises(ValueError, match="two cases have one id"):
        complaints.cases("two")
    (tmp_path / "none.yaml").write_text("- id: [Durand\n  text: Brest: x", encoding="utf-8")
    with pytest.raises(yaml.YAMLError) as error:
        complaints.cases("none")
    assert "Durand" not in str(error.value)


def test_public_reports_run_as_their_verdicts_say() -> None:
    """A row that held and no longer does is broken; one that holds now wants a new verdict."""
    engine = Deidentifier(policy_of("dp"), key=complaints.KEY)
    rows = [
        case
        for family in complaints.families()
        for case in complaints.cases(family)
        if "report" in case
    ]
    differs = [
        f"{case['id']} ({case['report']}): {case['verdict']} → {now}"
        for case in rows
        if case["verdict"] != (now := complaints.judged(case, engine).verdict)
    ]
    assert len(rows) >= 50
    assert differs == []
