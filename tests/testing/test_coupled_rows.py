"""What a fuzzer of one record cannot see: the order of released rows, and names beside values."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.cli.releasing import release
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.testing import marked
from dpdeid.testing.coupled.comparison import Planted
from tests.conftest import KEY
from tests.testing.test_coupled import STATED, policies

DAYS = st.lists(st.dates(dt.date(2015, 1, 1), dt.date(2025, 1, 1)), min_size=9, max_size=9)


def released_ids(folder: Path, days: Sequence[dt.date]) -> list[str]:
    """The ids of an export that its hospital sorted by date, in the order of the released file."""
    notes = sorted(enumerate(days), key=lambda one: one[1])
    lines = [
        {"id": f"{n}", "patient_id": f"p{n % 4}", "note_date": f"{day}", "text": f"Vu le {day}."}
        for n, day in notes
    ]
    source = folder / "notes.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ["run", str(source), "-p", "dp-strict"]
    done = CliRunner().invoke(app, command, env={"DPDEID_KEY": KEY.hex()})
    return [json.loads(line)["id"] for line in done.stdout.splitlines()]


def in_one_order(folder: Path, fillings: Sequence[Sequence[dt.date]]) -> bool:
    orders = [released_ids(folder, days) for days in fillings]
    assert {len(order) for order in orders} == {len(fillings[0])}
    return all(one == other for one, other in pairwise(orders))


@given(st.lists(DAYS, min_size=2, max_size=2))
@settings(deadline=None, max_examples=8)
def test_no_date_has_a_say_in_the_order_of_rows(
    tmp_path_factory: pytest.TempPathFactory, fillings: list[list[dt.date]]
) -> None:
    assert in_one_order(tmp_path_factory.mktemp("rows"), fillings)


def test_rows_in_the_order_of_their_input_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "_rank", lambda _passage, _name, place: place)
    days = [dt.date(2020, 1, 1) + dt.timedelta(n) for n in range(6)]
    assert not in_one_order(tmp_path, [days, days[::-1]])


NAMES = st.tuples(st.sampled_from(("Durand", "LEGENDRE", "Abadie", "Roche-Petit", "Brest")),
                  st.sampled_from(("Anne", "Jean-Paul", "Avril", "Lucas")))  # fmt: skip
VALUES = st.tuples(st.dates(dt.date(1990, 1, 1), dt.date(2024, 1, 1)),
                   st.sampled_from(("Lyon", "Brest", "Le Mans", "Hyères")))  # fmt: skip
NAMED = (Label.FIRST_NAME, Label.LAST_NAME)


def surrogates(name: str, named: tuple[str, str], told: tuple[dt.date, str]) -> dict[bool, list]:
    """The surrogates of a note: of its names, and of its date and towns."""
    (last, first), (day, town) = named, told
    line = (
        f"Mme «FIRST_NAME:{first}» «LAST_NAME:{last}», vue le «DATE:{day:%d/%m/%Y}», née à "
        f"«CITY:{town}». Mme «LAST_NAME:{last}» revient, Dr «LAST_NAME:Vasseur» prévenu."
    )
    text, spans = marked(line)
    policy = policies()[name].found_by(Planted({"n": spans}))
    out = Deidentifier(replace(policy, propagators=()), key=KEY)(Document("n", text, "p"))
    found: dict[bool, list] = {True: [], False: []}
    for one in out.surrogates:
        found[one.mention.label in NAMED].append((one.mention.label, one.text))
    return found


@pytest.mark.parametrize("name", STATED)
@given(named=st.tuples(NAMES, NAMES), told=st.tuples(VALUES, VALUES))
@settings(deadline=None, max_examples=12)
def test_names_and_what_is_noised_know_nothing_of_each_other(
    name: str, named: tuple[tuple[str, str], ...], told: tuple[tuple[dt.date, str], ...]
) -> None:
    """Of one key: what is drawn for one is the same whatever the true other is."""
    here = surrogates(name, named[0], told[0])
    assert len(here[True]) == 4
    assert len(here[False]) == 2
    assert surrogates(name, named[0], told[1])[True] == here[True]
    assert surrogates(name, named[1], told[0])[False] == here[False]
