"""The attacks on files, whatever made them."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from dpdeid.errors import UsageError
from dpdeid.evaluate.attacks.on_files import attack_files, full_day
from dpdeid.policy.policy import load_policy
from dpdeid.testing import marked

DP = load_policy("dp")
NAMES = ("Kerval", "Tanguyot", "Morvanec", "Duflotin", "Guillouzic", "Lebrasson")
AFTERWARDS = ("Bricquet", "Loubatiere", "Sauvagnac", "Pelissonnier", "Rousselot", "Vautrinot")


def line(name: str, days: tuple[dt.date, ...], town: str) -> str:
    dated = ", ".join(f"vu le «DATE:{day:%d/%m/%Y}»" for day in days)
    return f"M. «LAST_NAME:{name}» habite «CITY:{town}», {dated}."


def days_of(at: int) -> tuple[dt.date, ...]:
    first = dt.date(2015, 1, 1) + dt.timedelta(331 * at)
    return (first, first + dt.timedelta(10 + 3 * at), first + dt.timedelta(40 + 7 * at))


def written(path: Path, lines: list[str], *, entities: bool = True) -> Path:
    rows = []
    for at, marks in enumerate(lines):
        text, spans = marked(marks)
        row: dict[str, Any] = {"id": f"n{at}", "text": text, "patient_id": f"p{at}"}
        if entities:
            row["entities"] = [
                {"start": s.start, "end": s.end, "label": s.label.value} for s in spans
            ]
        rows.append(json.dumps(row, ensure_ascii=False))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def before(tmp_path: Path) -> Path:
    lines = [line(name, days_of(at), "Quimper") for at, name in enumerate(NAMES)]
    return written(tmp_path / "before.jsonl", lines)


def shifted(path: Path, by: int, *, keep_first_name: bool = False) -> Path:
    lines = []
    for at, name in enumerate(NAMES):
        days = tuple(day + dt.timedelta(by * (at + 1)) for day in days_of(at))
        lines.append(line(name if keep_first_name and not at else AFTERWARDS[at], days, "Rennes"))
    return written(path, lines, entities=False)


def attacked(before: Path, *after: Path, spans: Path | None = None) -> dict[str, Any]:
    return attack_files(before, after, policy=DP, spans=spans, known=(2,))


def test_a_shift_is_seen_through(before: Path, tmp_path: Path) -> None:
    found = attacked(before, shifted(tmp_path / "after.jsonl", 5))
    unique = found["uniqueness"]
    assert unique["before"] == unique["after"]
    assert unique["before"]["interval_sequences"] == unique["kept_intervals"] == 6
    dates, towns = found["linkage"]
    assert (dates["towns"], towns["towns"]) == (False, True)
    assert dates["found"]["share"] == 1
    assert dates["bound"] is None


def test_what_is_left_is_counted_by_label(before: Path, tmp_path: Path) -> None:
    after = shifted(tmp_path / "after.jsonl", 5, keep_first_name=True)
    found = attacked(before, after)["residual"]
    assert found["labels"]["LAST_NAME"]["whole"]["hits"] == 1
    assert found["labels"]["CITY"]["whole"]["hits"] == 0
    assert found["suspects"] is None


def test_spans_beside_a_release_show_what_was_missed(before: Path, tmp_path: Path) -> None:
    after = shifted(tmp_path / "after.jsonl", 5, keep_first_name=True)
    rows = [json.loads(row) for row in before.read_text(encoding="utf-8").splitlines()]
    rows[0]["entities"] = [e for e in rows[0]["entities"] if e["label"] != "LAST_NAME"]
    spans = tmp_path / "spans.jsonl"
    kept = [json.dumps({"id": row["id"], "entities": row["entities"]}) for row in rows]
    spans.write_text("\n".join(kept) + "\n", encoding="utf-8")
    suspects = attacked(before, after, spans=spans)["residual"]["suspects"]
    assert suspects["subtracted"]["hits"] == suspects["subtracted"]["trials"] == 1
    assert suspects["read"]["hits"] == 1
    assert suspects["read"]["trials"] > 1


def test_several_releases_are_averaged(before: Path, tmp_path: Path) -> None:
    after = [shifted(tmp_path / f"after{by}.jsonl", by) for by in (-6, 3, 0)]
    one, two, three = attacked(before, *after)["averaging"]
    assert one["dates"] == 18
    assert one["day_error"] > two["day_error"] > three["day_error"] == 0


def test_ids_that_differ_are_refused(before: Path, tmp_path: Path) -> None:
    after = written(tmp_path / "after.jsonl", ["x"], entities=False)
    with pytest.raises(UsageError, match=r"only in BEFORE: n1, n2"):
        attacked(before, after)


def test_rows_that_cannot_be_read_are_refused_by_name(before: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.jsonl"
    after.write_text('{"id": "n0", "error": "row 1: no text"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"after\.jsonl: row 1: no text"):
        attacked(before, after)
    after.write_text("")
    with pytest.raises(UsageError, match=r"after\.jsonl: no notes"):
        attacked(before, after)


def test_without_entities_the_detectors_say_what_identifies(tmp_path: Path) -> None:
    lines = ["Mme «LAST_NAME:Durand», vue le «DATE:12/03/2021» à «CITY:Lyon»."]
    before = written(tmp_path / "before.jsonl", lines, entities=False)
    found = attack_files(before, [before], policy=load_policy("redact"), spans=None, known=(1,))
    assert found["residual"]["labels"]["LAST_NAME"]["whole"]["hits"] == 1
    assert found["uniqueness"]["before"]["records"] == 1


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("12/03/2021", dt.date(2021, 3, 12)),
        ("3 mai 2020", dt.date(2020, 5, 3)),
        ("mars 2021", None),
        ("12/03", None),
        ("2019", None),
    ],
)
def test_only_whole_dates_are_linked(text: str, day: dt.date | None) -> None:
    assert full_day(text) == (day and day.toordinal())
