"""What `dpdeid explain` shows of the skeleton: numbers, roles, lists and forms, and no original."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.document import Finding, Record, mentions_of
from dpdeid.policy.policy import load_policy
from dpdeid.protocols import Showing
from dpdeid.testing import KEY, other_key
from dpdeid.testing.coupled.generate import pairs
from dpdeid.testing.coupled.template import E0, Filling, Template

TEXT = (
    "Mme Durand, née le 05/06/1954, vue le 12/03/2021 à Lyon. Opérée en juin 2019 à Brest. "
    "Hospitalisée du 3 au 10 mars 2021 au CHU de Lyon. Âge : 66 ans. RDV le 02/04/2021, 69003 LYON."
)


def shows(
    policy: str, path: Path, *, note: str = TEXT, key: bytes = KEY
) -> dict[tuple[int, int], str]:
    path.write_text(json.dumps({"id": "n", "text": note, "note_date": "2021-03-12"}))
    env = {"DPDEID_KEY": key.hex()}
    told = path.with_name("told.jsonl")
    asked = ["explain", str(path), "-p", policy, "--json", str(told)]
    assert CliRunner().invoke(app, asked, env=env).exit_code == 0
    spans = json.loads(told.read_text().splitlines()[-1])["spans"]
    return {(s["start"], s["end"]): s["shows"] for s in spans if "shows" in s}


def test_dates_births_and_places_are_told_by_number_role_and_form(tmp_path: Path) -> None:
    told = {TEXT[a:b]: text for (a, b), text in shows("dp", tmp_path / "n.jsonl").items()}
    note = "date 1: counted back from e0, role first"
    assert told["12/03/2021"] == f"{note}; printed as day/month/year"
    assert told["05/06/1954"].startswith("birth 1: counted back from date 1, role birth;")
    assert told["66 ans"].endswith("; at date 1, in years")
    assert "role rough; printed as month/year" in told["juin 2019"]
    assert "role stay; printed as day/month/year" in told["10 mars 2021"]
    assert "counted on from date 1, role ahead" in told["02/04/2021"]
    assert told["Lyon"] == "place 1: list FR, drawn; printed as a town"
    assert told["69003"] == "place 1: list FR, drawn; printed as its postal code"
    assert told["Brest"].startswith("place 2: list FR, over the cap, so not drawn")


def test_a_town_shows_as_much_where_a_surrogate_takes_in_its_preposition(tmp_path: Path) -> None:
    """As "au Relecq-Kerhuon" does for "à Brest"."""
    widened = 0
    for number in range(100):
        told = shows("aphp", tmp_path / "n.jsonl", note="Vue à Brest.", key=other_key(number))
        ((place, text),) = told.items()
        assert text.startswith("place 1: list FR")
        widened += place == (4, 11)
    assert widened


def test_under_a_shift_nothing_is_counted_and_without_draws_nothing_shown(tmp_path: Path) -> None:
    told = shows("aphp", tmp_path / "n.jsonl").values()
    assert "date 1; printed as day/month/year" in told
    assert not any("role" in text for text in told)
    assert not shows("redact", tmp_path / "n.jsonl")


def of_template(policy: str, template: Template, filling: Filling) -> list[str]:
    notes = template.as_plain().fill(filling)
    record = Record("", tuple(doc for doc, _ in notes))
    mentions = mentions_of(record, [Finding(spans, ()) for _, spans in notes])
    return [
        text
        for strategy in load_policy(policy).strategies
        if isinstance(strategy, Showing)
        for _, text in strategy.shows(
            [m for m in mentions if m.label in strategy.labels], record, E0
        )
    ]


@pytest.mark.parametrize(
    "policy",
    ["dp", *(pytest.param(name, marks=pytest.mark.slow) for name in ("dp-strict", "aphp"))],
)
def test_two_notes_of_one_skeleton_show_the_same(policy: str) -> None:
    """So no original is in it: both fillings of a template differ in every value."""
    made = [pair for at in range(300) if (pair := pairs(11, at))]
    told = [of_template(policy, pair.template, pair.one) for pair in made]
    assert sum(map(bool, told)) > 250
    assert told == [of_template(policy, pair.template, pair.other) for pair in made]
