"""The page of reports: what evaluations wrote, and drift over days."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from dpdeid.evaluate.monitor import ANY
from dpdeid.evaluate.report.page import words
from dpdeid.evaluate.report.watched import Watched, drift
from dpdeid.serve.settings import Settings
from tests.evaluate.report import making
from tests.serve.serving import TOKEN, served

FIRST = dt.date(2026, 3, 2)


def day(number: int, now: float, *alarms: str) -> dict[str, object]:
    """What `dpdeid monitor --json` writes."""
    figures = {
        name: {"then": 4.0, "now": now, "alarm": name in alarms} for name in (ANY, "DATE", "CITY")
    }
    return {
        "day": (FIRST + dt.timedelta(days=number)).isoformat(),
        "notes": 100 + number,
        "overdue": False,
        "figures": figures,
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.mktemp("reports")
    for number in range(10):
        alarms = ("DATE",) if number == 7 else ()
        row = json.dumps(day(number, 4.0 - number / 5, *alarms))
        (own / f"day-{number}.json").write_text(row, encoding="utf-8")
    (own / "gold.detection.json").write_text(json.dumps(making.detection()), encoding="utf-8")
    (own / "other.json").write_text("[1, 2]", encoding="utf-8")
    (own / "broken.json").write_text("{", encoding="utf-8")
    return own


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with served(Settings(TOKEN, reports=folder)) as own, own.client() as asks:
        yield asks


@pytest.mark.parametrize(("lang", "title"), [("fr", "Dérive au fil"), ("en", "Drift over days")])
def test_a_folder_is_a_page(client: httpx.Client, lang: str, title: str) -> None:
    page = client.get("/reports", params={"lang": lang}).text
    assert f"<h2>{title}" in page
    assert 'id="found-gold"' in page
    assert "broken.json, other.json" in page
    assert page.count("<svg") >= 2
    rows = re.findall(r'<th scope="row">(2026-03-\d\d)</th>', page)
    assert rows == sorted(rows, reverse=True)
    assert len(rows) == 10
    assert "style=" not in page  # its own policy would refuse it


def test_a_new_day_is_there_at_once(client: httpx.Client, folder: Path) -> None:
    path = folder / "day-11.json"
    path.write_text(json.dumps(day(11, 2.0)), encoding="utf-8")
    try:
        assert "2026-03-13" in client.get("/reports").text
    finally:
        path.unlink()


def test_charts_have_their_colours(client: httpx.Client) -> None:
    answer = client.get("/static/charts.css")
    assert answer.headers["content-type"].startswith("text/css")
    assert ".s0{" in answer.text


def test_without_a_folder_there_is_no_page(service: object) -> None:
    with service.client() as asks:  # type: ignore[attr-defined]
        assert asks.get("/reports").status_code == 404


def test_an_empty_folder_says_what_belongs_there(tmp_path: Path) -> None:
    with served(Settings(TOKEN, reports=tmp_path)) as own, own.client() as asks:
        assert "dpdeid monitor --json" in asks.get("/reports").text


def test_drift_is_a_share_of_the_baseline(tmp_path: Path) -> None:
    for number, now in enumerate((4.0, 2.0, 40.0)):
        row = json.dumps(day(number, now, *(("DATE",) if now > 30 else ())))
        (tmp_path / f"{number}.json").write_text(row, encoding="utf-8")
    days = [one for path in tmp_path.iterdir() if (one := Watched.of(path))]
    section = drift(days, words("en"))
    assert section is not None
    assert [row[0] for row in section.table.rows] == ["2026-03-04", "2026-03-03", "2026-03-02"]
    assert [row[3] for row in section.table.rows] == [40.0, 2.0, 4.0]
    assert section.table.rows[0][4] == "DATE"
    assert "All labels" in section.chart
    date, city = (words("en").said(f"label {name}", name) for name in ("DATE", "CITY"))
    assert f">{date}<" in section.chart
    assert f">{city}<" not in section.chart


def test_no_day_is_no_section() -> None:
    assert drift([], words("fr")) is None
