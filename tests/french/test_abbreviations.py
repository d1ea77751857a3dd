"""Letters that are abbreviations, and letters that are somebody's initials where they stand."""

from __future__ import annotations

import pytest

from dpdeid.french.letters.abbreviations import DOTTED, LISTED, PLAIN, of_people, of_things


def asked(marked: str) -> tuple[str, int, int]:
    """A text with the place that "«…»" marks."""
    before, _, rest = marked.partition("«")
    inside, _, behind = rest.partition("»")
    return before + inside + behind, len(before), len(before) + len(inside)


PEOPLE = (
    "Dictée par «J.P.M.»",
    "vu avec «TA» ce jour",
    "discuté ce jour avec «P.L.»",
    "CR relu par A.B. et «H.T.A»x".replace("«H.T.A»x", "«C.Z.»"),
    "Opérateur : «F.B.»",
    "Dr «H.T.», chef",
    "interne «A.W.» prévenu",
    "SF de garde : «O.J.»",
    "N/Réf : «G.D.»",
    "(«R.T.»/jg)",
    "avis demandé à «V.D.S.»",
    "diffu K x2 («S.D.»)",
    "23:10 — «C.N.» : reprise",
    "Cas index : «A.D.» (frère), porteur",
    "Plaie propre. -- «E.G.», IDE",
    "dict. «M.L.» -> frappe",
    "excusé : «V.R.»",
    "Repas 1/2 («L.C.A.S.»)",
    "Sonde retirée.\n«D.F.» / R.-M.G.\n",
)
THINGS = (
    "mise sous «A.V.K.» par le Dr Roux",
    "prévenu l'«I.D.E.»",
    "ATCD : «H.T.A.»",
    "IDE : «R.A.S.»",
    "SAOS avec «P.P.C.»",
    "Diagnostics : P.S.P., A.M.S., «D.C.B.»",
    "œil droit («O.D.»)",
    "traitée par «M.T.X.»",
    "vu par la «P.A.S.S.»",
    "Ortho : «L.C.A.» rompu",
    "Gynéco : «F.C.V.» de 2021 normal",
    "Psy : «E.D.M.» sévère",
    "codé (D.P./«D.A.S.»)",
    "hernie inguino scrotale («H.I.S.»)",
)


@pytest.mark.parametrize("marked", PEOPLE)
def test_initials_of_people(marked: str) -> None:
    assert of_people(*asked(marked))


@pytest.mark.parametrize("marked", THINGS)
def test_letters_of_things(marked: str) -> None:
    assert not of_people(*asked(marked))


@pytest.mark.parametrize("marked", ["pas de «C.B.H.» franc", "«P.E.P.» 12", "score «Q.X.Z.»"])
def test_where_things_stand(marked: str) -> None:
    assert of_things(*asked(marked))


def test_the_list() -> None:
    assert len(LISTED) > 1500
    assert PLAIN <= LISTED < DOTTED
    assert len(DOTTED) > 4000
    assert all(word.isalnum() and word == word.lower() for word in LISTED)
    assert LISTED.isdisjoint(("de", "du", "la", "le", "et", "un", "je"))
