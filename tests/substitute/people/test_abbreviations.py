"""First names cut short, and words between names, as surrogates show them."""

from __future__ import annotations

import re

import pytest

from dpdeid.substitute.people.abbreviations import abbreviated, is_abbreviation, may_abbreviate
from dpdeid.substitute.people.clusters import pieces
from dpdeid.substitute.people.strategy import People
from tests.substitute.making import rewritten

_ABBREVIATED = re.compile(r"Dr ([A-Z][a-zé]{0,3})\. (\w+)")


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("Fr.", "François"),
        ("Fr.", "Françoise"),
        ("Ph.", "Philippe"),
        ("Chr.", "Christophe"),
        ("Th.", "Thierry"),
        ("Cl.", "Claude"),
        ("Jq.", "Jacques"),
    ],
)
def test_an_abbreviation_is_one_of_the_surrogate(short: str, name: str) -> None:
    note = f"Dr «FIRST_NAME:{short}» «LAST_NAME:Roy», «FIRST_NAME:{name}» «LAST_NAME:Roy»"
    (out,) = rewritten(People(), note)
    found = _ABBREVIATED.match(out)
    assert found is not None
    assert out.endswith(f", {out.split()[-2]} {found[2]}")
    assert out.split()[-2].startswith(found[1])
    assert len(found[1]) < len(out.split()[-2])


@pytest.mark.parametrize(
    "mark", ["«FIRST_NAME:Fr.»", "«FIRST_NAME:Fr».", "«LAST_NAME:Fr».", "«FIRST_NAME:FR.»"]
)
def test_where_the_point_stands_does_not_matter(mark: str) -> None:
    note = f"Dr {mark} «LAST_NAME:Roy», «FIRST_NAME:François» «LAST_NAME:Roy»"
    (out,) = rewritten(People(), note)
    short, surname, given, again = re.findall(r"\w+", out)[1:]
    assert surname == again
    assert given.upper().startswith(short.upper())
    assert len(short) < len(given)


def test_an_abbreviation_of_nobody_in_the_record_is_a_letter_or_two() -> None:
    shorts = ("Fr.", "Ph.", "Chr.", "Th.", "Cl.")
    for short, unit in ((short, f"u{at}") for short in shorts for at in range(12)):
        (out,) = rewritten(People(), f"Dr «FIRST_NAME:{short}» «LAST_NAME:Roy»", unit=unit)
        found = re.match(r"Dr ([A-Z]|[CPT]h)\. ", out)
        assert found is not None
        assert found[1][0] != short[0]


def test_an_abbreviation_does_not_mean_somebody_it_cannot_be() -> None:
    note = "Dr «FIRST_NAME:Ph.» «LAST_NAME:Roy», «FIRST_NAME:Paul» «LAST_NAME:Roy»"
    drawn = {rewritten(People(), note, unit=f"u{at}")[0] for at in range(8)}
    assert any(out.split()[1][0] != out.split()[3][0] for out in drawn)


def test_of_two_with_one_letter_the_abbreviation_chooses() -> None:
    note = (
        "Dr «FIRST_NAME:Chr.» «LAST_NAME:Roy», «FIRST_NAME:Camille» «LAST_NAME:Roy», "
        "«FIRST_NAME:Christophe» «LAST_NAME:Roy»"
    )
    for at in range(8):
        (out,) = rewritten(People(), note, unit=f"u{at}")
        doctor, _, meant = out.split(", ")
        assert meant.startswith(doctor.split()[1].rstrip("."))


def test_letters_that_cut_no_usual_name_are_no_abbreviation() -> None:
    kinds = {text: [p.kind for p in pieces(text, given=True)[1]] for text in ("JP.", "MC", "PH")}
    assert set(map(tuple, kinds.values())) == {("initial", "initial")}
    assert [p.kind for p in pieces("Jean.", given=True)[1]] == ["name"]
    assert [p.kind for p in pieces("Guil.", given=True)[1]] == ["initial"]
    assert [p.kind for p in pieces("Guil. Roy", given=False)[1]] == ["name", "name"]
    assert [p.kind for p in pieces("Chr", given=False)[1]] == ["name"]
    assert not is_abbreviation("ng")
    assert may_abbreviate("jq", "jacques")
    assert not may_abbreviate("ph", "paulhan")


def test_a_name_cut_short_behind_a_vowel_is_one_of_the_surrogate_too() -> None:
    note = "Dr «FIRST_NAME:Guil.» «LAST_NAME:Roy», «FIRST_NAME:Guillaume» «LAST_NAME:Roy»"
    (out,) = rewritten(People(), note)
    short, _, whole, _ = re.findall(r"\w+", out)[1:]
    assert whole.startswith(short)
    assert len(short) < len(whole)
    assert abbreviated("Émilie", "guil") == "Ém"


@pytest.mark.parametrize("word", ["ep.", "EP.", "ép", "epse", "vve", "Née", "épouse"])
def test_a_word_between_names_stays_whatever_label_it_has(word: str) -> None:
    for label in ("FIRST_NAME", "LAST_NAME"):
        note = f"Mme «LAST_NAME:Roy» «{label}:{word}» «LAST_NAME:Morel» «FIRST_NAME:Anne»"
        (out,) = rewritten(People(), note)
        assert out.split()[2] == word
        assert {"Roy", "Morel", "Anne"}.isdisjoint(out.split())


def test_a_name_that_is_like_such_a_word_does_not_stay() -> None:
    (out,) = rewritten(People(), "M. «LAST_NAME:Epsen» «FIRST_NAME:Née-Lou»")
    assert "Epsen" not in out
    assert "Lou" not in out
