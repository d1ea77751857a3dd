"""The sections say the figures of the evaluations, no other and no fewer."""

from __future__ import annotations

import math
import re

import pytest

from dpdeid.evaluate.report import measured
from dpdeid.evaluate.report.page import LANGS, page, words
from dpdeid.labels import Label
from tests.evaluate.report import making
from tests.evaluate.report.reading import drawn


@pytest.mark.parametrize("lang", LANGS)
def test_every_label_has_its_row(lang: str) -> None:
    data = making.detection()
    section = measured.found("gold", data, words(lang))
    rows = {row["label"]: row for row in section.table.data()}
    assert len(rows) == len(data["labels"]) + 2
    for label, figures in data["labels"].items():
        assert rows[label]["redacted_share"] == figures["redacted"]
        assert rows[label]["left"] == figures.get("leaked", 0)
    direct = rows[words(lang)("direct")]
    assert direct["redacted_share"] == data["direct"]["redacted"]
    assert [direct["low_share"], direct["high_share"]] == data["intervals"]["direct"]["redacted"]


def test_every_label_has_a_word_of_the_language() -> None:
    french, english = words("fr"), words("en")
    for label in Label:
        assert french(f"label {label}") != label
        assert english(f"label {label}") != label
    section = measured.found("gold", making.detection(), french)
    page_text = page([section], french, title="t", foot=())
    assert "nom de famille" in page_text
    assert not [label for label in Label if re.search(rf">{label}<", page_text) and "_" in label]
    assert section.table.data()[2]["label"] in set(Label)  # the JSON has the program's names


def test_the_paragraph_says_the_two_figures_of_ap_hp() -> None:
    data, english = making.detection(), words("en")
    (text,) = measured.found("gold", data, english).said
    for key in ("redacted", "fully_redacted"):
        assert english.share(data["direct"][key]) in text


def test_without_bootstrap_there_is_no_interval() -> None:
    section = measured.found("gold", making.detection(resamples=0), words("en"))
    assert not [e for e in drawn(section.chart).iter() if e.get("class") == "interval"]
    assert all(row["low_share"] is None for row in section.table.data())


def test_types_come_with_their_notes_after_all_of_them() -> None:
    data = making.detection()
    section = measured.types("gold", data, words("en"))
    assert section is not None
    rows = section.table.data()
    assert [row["type"] for row in rows] == ["all types", "type 0", "type 1"]
    assert rows[0]["notes"] == sum(int(row["notes"] or 0) for row in rows[1:])
    assert rows[1]["fully_redacted_share"] == data["types"]["type 0"]["direct"]["fully_redacted"]


def test_without_types_there_is_no_section() -> None:
    data = {key: of for key, of in making.detection().items() if key != "types"}
    assert measured.types("gold", data, words("en")) is None


def test_kept_codes_by_comparison() -> None:
    section = measured.kept({"aphp": making.utility(), "dp": making.utility()}, words("fr"))
    assert section is not None
    rows = section.table.data()
    assert [(row["compared"], row["kept_share"]) for row in rows[:3]] == [
        ("aphp", 0.95), ("aphp", 0.9), ("aphp", None),
    ]  # fmt: skip
    assert measured.kept({}, words("fr")) is None


def test_codes_that_follow_from_dates_come_last() -> None:
    data = {**making.utility(), "timed": making.utility()}
    section = measured.kept({"dp": data}, words("en"))
    assert section is not None
    assert [row["compared"] for row in section.table.data()] == ["dp"] * 3 + ["dp, by dates"] * 3


def test_the_histogram_has_its_bins_and_its_line() -> None:
    section = measured.jaccard("aphp", making.utility(), words("fr"))
    rows = section.table.data()
    assert [row["notes"] for row in rows] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 9]
    assert rows[0]["cumulative_share"] == 1
    assert rows[9]["bin"] == "0,9–1,0"
    assert "90,0 %" in section.said[0]


def test_a_figure_that_is_unknown_is_nan() -> None:
    assert math.isnan(measured.value({"a": {"b": None}}, "a", "b"))
    assert math.isnan(measured.value({}, "a", "b"))


@pytest.mark.parametrize("lang", LANGS)
def test_every_origin_of_names_has_its_row_and_word(lang: str) -> None:
    said = words(lang)
    section = measured.origins("dp", making.robustness(), said)
    rows = section.table.data()
    assert [row["origin"] for row in rows] == [
        said(f"origin {o}") for o in ("maghreb", "east_asia")
    ]
    assert [row["redacted_share"] for row in rows] == [0.985, 0.98]
    assert (rows[1]["low_share"], rows[1]["high_share"]) == (0.97, 0.99)
    (text,) = section.said
    assert said.number(0.5) in text
