"""The section of changed medicine says the figures of the files, where they have them."""

from __future__ import annotations

import pytest

from dpdeid.evaluate.medicine.changes import Change, How, NoteChanges
from dpdeid.evaluate.medicine.figures import figures
from dpdeid.evaluate.medicine.kinds import Kind
from dpdeid.evaluate.report import measured
from dpdeid.evaluate.report.measured import changed
from dpdeid.evaluate.report.page import LANGS, words
from tests.evaluate.report import making

FOUND = figures(
    [NoteChanges(500, (Change(0, 4, Kind.DRUG, How.SILENT, 0, "Zyxwv"),)), NoteChanges(500)]
)


@pytest.mark.parametrize("lang", LANGS)
def test_the_sums_come_first_then_the_kinds_that_changed(lang: str) -> None:
    said = words(lang)
    section = changed({"dp": {**making.utility(), "changed": FOUND}}, said)
    assert section is not None
    rows = section.table.data()
    assert [row["kind"] for row in rows] == [
        said(f"changed {k}") for k in ("medicine", "all", "drug")
    ]
    assert {row["per_10k"] for row in rows} == {10.0}
    assert {row["changed_silent"] for row in rows} == {1}
    assert "Zyxwv" not in str(section)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_its_words(lang: str, kind: Kind) -> None:
    assert words(lang)(f"changed {kind.value}")


def test_without_gold_there_is_no_section_and_the_page_says_what_codes_hide() -> None:
    utility = {"dp": making.utility()}
    assert changed(utility, words("en")) is None
    kept = measured.kept(utility, words("en"))
    assert kept is not None
    assert any("--gold" in said for said in kept.said)
