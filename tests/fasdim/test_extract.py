"""What waits for a decision, where it stands, and the table of a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest

from dpdeid.document import Document
from dpdeid.errors import PolicyError
from dpdeid.fasdim.extract import (
    Found,
    contexts,
    extract,
    learn,
    lines,
    parse,
    read_table,
    write_table,
)
from dpdeid.fasdim.lists import ANY, Entry, Lists
from dpdeid.fasdim.starting import Verdict
from dpdeid.labels import Label

NOTES = (
    Document("a", "Mme Xandrique Zorglub : plakounite. Plakounite à 12 zorgs.", known={}),
    Document("b", "plakounite, tisser 3 fraxes", known={Label.LAST_NAME: ("Fraxinelle",)}),
)


def test_the_most_frequent_first_without_names_behind_titles() -> None:
    found = extract(NOTES, Lists())
    assert found.waiting[0] == Found(("plakounite",), 3, 2)
    keys = {one.key for one in found.waiting}
    assert {("plakounite", "zorgs"), ("zorgs",), ("tisser", "fraxes")} <= keys
    assert not {("xandrique",), ("zorglub",), ("tisser",)} & keys
    assert found.notes == 2
    assert 0 < found.vouched < found.tokens


def test_what_is_decided_does_not_wait_again() -> None:
    decided = Lists.of(
        [Entry(("plakounite",), Verdict.FORBIDDEN), Entry((ANY, "zorgs"), Verdict.AUTHORIZED)]
    )
    keys = {one.key for one in extract(NOTES, decided).waiting}
    assert not {("plakounite",), ("plakounite", "zorgs")} & keys
    assert ("zorgs",) in keys


def test_contexts_show_the_word_in_its_places() -> None:
    word, pattern = ("plakounite",), ("plakounite", "zorgs")
    shown = contexts(NOTES, Lists(), (word, pattern), 2)
    assert len(shown[word]) == 2
    assert all("[plakounite]" in line.lower() for line in shown[word])
    assert [line[-11:] for line in shown[pattern]] == ["[12] zorgs."]


def test_found_lines_are_read_again() -> None:
    waiting = extract(NOTES, Lists()).waiting
    assert parse(list(lines(waiting))) == waiting
    with pytest.raises(PolicyError, match="line 1"):
        parse(["plakounite"])


def test_a_spreadsheet_and_back() -> None:
    waiting = extract(NOTES, Lists()).waiting
    file = io.StringIO()
    write_table(file, ((one, "context") for one in waiting))
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert rows[0]["word"] == "plakounite"
    rows[0]["verdict"] = "Authorized "
    rows[1]["verdict"] = "forbidden"
    filled = io.StringIO()
    table = csv.DictWriter(filled, rows[0].keys())
    table.writeheader()
    table.writerows(rows)
    taken = read_table(io.StringIO(filled.getvalue()), "allergologie", "ours")
    assert [entry.verdict for entry in taken] == [Verdict.AUTHORIZED, Verdict.FORBIDDEN]
    assert taken[0] == Entry(("plakounite",), Verdict.AUTHORIZED, "allergologie", "ours")
    with pytest.raises(PolicyError, match="line 2"):
        read_table(io.StringIO("word,before,after,verdict\nx,,,perhaps\n"))
    with pytest.raises(PolicyError, match="no column 'verdict'"):
        read_table(io.StringIO("word,before,after\nx,,\n"))


def test_words_that_readers_answered_become_decisions() -> None:
    lists = Lists.of([Entry(("plakounite",), Verdict.FORBIDDEN)])
    said = [
        ("Zorguelec", True),
        ("œdémateux", False),  # the starting list has it: nothing to decide
        ("fièvre", True),  # whatever the starting list says
        ("gribouzé", False),
        ("Gribouzé", False),
        ("lemée", False),
        ("LEMÉE", True),
        ("kerguelen", False),  # borne by people: in small letters only
        ("plakounite", False),  # somebody has decided
        ("12", False),
        ("C", False),
        ("deux", True),
        ("D | U | P", True),
    ]
    found = learn(said, lists, "ours")
    assert [(*entry.key, entry.verdict.value) for entry in found.entries] == [
        ("fievre", "forbidden"),
        ("gribouze", "authorized"),
        ("kerguelen", "lower"),
        ("zorguelec", "forbidden"),
    ]
    assert {entry.source for entry in found.entries} == {"ours"}
    assert (found.both, found.others) == (1, 4)
