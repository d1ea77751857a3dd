"""Pet names, short surnames and columns of who acted."""

import pytest

from dpdeid.detect.names.pet_names import is_pet_name
from dpdeid.detect.public_numbers import public_numbers
from dpdeid.detect.rules.columns import table_cells
from dpdeid.detect.rules.people.signed_notes import signed_notes
from dpdeid.document import Document
from dpdeid.views.scans import edits as scanned
from dpdeid.views.spacing import edits as spaced


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SF: mag, puer: laeti", ["mag", "laeti"]),
        ("AIDE-SOIGNANTE POUPETTE\nfin", ["POUPETTE"]),
        ("pansement fait (kyky) hier", ["kyky"]),
        ("vu par [JMD] et [nath]\nplaie propre", ["nath", "JMD"]),
        ("| f2 | folfox c4 | nono | 8h30", ["nono"]),
        ("bilan (NFS, CRP), VNI (bobo), kiné: oui, chef de projet", []),
    ],
)
def test_pet_names(text: str, names: list[str]) -> None:
    found = signed_notes(Document("a", text), ())
    assert [text[span.start : span.end] for span in found if span.label] == names or sorted(
        text[span.start : span.end] for span in found
    ) == sorted(names)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (
            "EXPORT POIDS: NOM|LIT|POIDS|INIT\nIM SOPHAL|6|49,8|CAT",
            ["IM SOPHAL", "6", "CAT"],
        ),
        ("| Patient | Heure | Acte | IDE |\n| Mme Rio | 8h | VVP | Titi |", ["Titi"]),
    ],
)
def test_columns_of_who_acted(text: str, cells: list[str]) -> None:
    found = table_cells(Document("a", text), ())
    assert [text[span.start : span.end] for span in found] == cells


def test_doubled_syllables_are_pet_names_and_words_are_none() -> None:
    assert is_pet_name("kyky")
    assert is_pet_name("doudou", told=True)
    assert not is_pet_name("scanner")
    assert not is_pet_name("bobo")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("num vert canicule 0800 06 66 66, fin", ["0800 06 66 66"]),
        ("3977 bientraitance affiché", ["3977"]),
        ("tel 0800 06 66 66", []),
    ],
)
def test_free_lines(text: str, numbers: list[str]) -> None:
    assert [text[start:end] for start, end in public_numbers(text)] == numbers


def test_capitals_behind_a_title_and_digits_of_a_long_word() -> None:
    assert [edit.start for edit in spaced("DRPOIRSON ORTHO")] == [2]
    text = "MBOUMBA-NZIENGUI, MBOUMBA NZIENGU1"
    assert text[next(edit.start for edit in scanned(text))] == "1"
    assert not list(scanned("NZIENGU1 seul"))
