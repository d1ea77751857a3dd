"""Names after titles, headers, kinship and professions; typists' initials."""

from __future__ import annotations

import re

import pytest

from dpdeid.detect.rules.people.names_after_cues import names_after_cues
from dpdeid.document import Document
from dpdeid.labels import Role
from tests.detect.anywhere import spans_lie_in_any_text

MARK = re.compile(r"«([FL]):([^»]*)»")


def marked(line: str) -> tuple[str, set[tuple[str, str, int]]]:
    """The plain line and its marked names as (label's letter, text, start)."""
    text, names, done = "", set(), 0
    for mark in MARK.finditer(line):
        text += line[done : mark.start()]
        names.add((mark[1], mark[2], len(text)))
        text += mark[2]
        done = mark.end()
    return text + line[done:], names


def found(text: str) -> set[tuple[str, str, int]]:
    spans = names_after_cues(Document("x", text), ())
    return {(s.label[0], text[s.start : s.end], s.start) for s in spans}


@pytest.mark.parametrize(
    "line",
    [
        "vu par le Dr «L:Vasseur» ce jour",
        "interprète sranan: présente, Mme «L:Shimaore»",
        "HPP 900 cc: Sulproston",
        "Pr. «L:Césaire» a opéré, fils «F:Kylian» prévenu, 2 p. M. «L:Roux»",
        "Monsieur «L:QUERVAZOU» «F:Dumè» («F:Dominique»), né en 1951",
        "son mari («F:Pierre») est en dialyse",
        "Dr «L:Vasseur» prév. ce soir",
        "Imprimé par Dr «L:VASSEUR» «F:M» le 17/06/24",
        "Dr «F:Inès» «L:Quéméneur», cardiologue",
        "Dr sc. nat. «F:Maude» «L:Charlebois», biologiste",
        "Dr «F:Maude» «L:Charlebois» MD, neurologue",
        "PRESCRIPTEUR : «L:Charlebois», «F:Maude» FRCSC",
        "SEXE : M\nNOM : «L:KERVELLA»",
        "NOM : «L:NGUYEN»\nPRENOM   : «F:THI HOA»",
        "Prénom : «F:Lou Ann»",
        "PRENOM : «F:PAUL» «L:MARTIN»\nMr «L:MARTIN»",
        "née «L:STEELE» le 3/4/1950",
        "Mme «L:DUPONT» épouse «L:CAPS»",
        "épouse ATSEM, deux enfants",
        "Nom/Prénom : «L:MARTIN» «F:PAUL»",
        "Prénom : «F:Marie» «L:DUPONT»",
        "Madame «L:TRÉHARD» «F:Solène», née «L:KERVAZO» le 03/02/1951",
        "Madame «L:LE MERRER» «F:Solène», 71 ans",
        "Pr «F:H.» «L:LE DRUILLENEC» - Dr «F:P.Y.» «L:TANGUY»",
        "Dr «F:E.» «L:Stindel-Roux»",
        "Dr «F:J.-L.» «L:Kermarrec»",
        "Monsieur «F:Tugdual» «L:de Kersauson»",
        "M. «L:d'Angelo» est sorti",
        "M. «L:D'ANGELO» est sorti",
        "Mme «L:N'Diaye» est sortie",
        "M. «F:João» «L:Pereira da Silva» est sorti",
        "Dr «L:van den Broeck» passera",
        "Mme «L:Ben Saïd» est sortie",
        "appel du dr «L:kerviel» a 3h",
        "mme «L:kowalczyk» endormie",
        "MME «L:KOWALCZYK» EST VIGILANTE",
        "Drs «L:Kervella» et «L:Quentric»",
        "M. et Mme «L:Kervella» sont venus",
        "Dr «L:Kervella», Dr «F:Anne» «L:Quentric»",
        "M. «L:Charcot» est sorti",
        "le Dr «L:Parkinson» passera",
        "Dr «F:PY» «L:TANGUY»",
        "Mme «F:Odile» «L:Petit» revient",
        "sa fille «F:Catarina» est avertie",
        "son mari («F:Loïc») appelle",
        "le fils, «F:Loïc», appelle",
        "l'infirmière «F:Nolwenn» «L:Kervella» passe",
        "Nom : «L:KERVELLA»\nPrénom : «F:Nolwenn»",
        "Nom de naissance : «L:PETIT»",
        "Patient : «F:Nolwenn» «L:KERVELLA»",
        "Médecin traitant : «L:Kervella»",
        "Aides : «L:KERVELLA», «L:QUENTRIC»",
        "établie au nom de « «L:KERVELLA» «F:T.» »",
        "frappe le 20/01/22      «L:PYT»/«L:ml»",
        "Fribourg, le 23 janvier 2024/«L:sco»\n",
        "COURRIER DICTE PUIS TAPE\nREF «L:LW»/«L:QF» - CONSULTATION",
    ],
)
def test_finds_names_where_they_are_promised(line: str) -> None:
    text, expected = marked(line)
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Madame, Monsieur,",
        "TRAITEMENT ANTALGIQUE : SC/IM\nREF TA/FC - SURVEILLANCE",
        "Dr de garde prévenu",
        "mme a chuté ce matin",
        "M. est sorti",
        "Professeur de violon",
        "le patient pèse 3 m 20",
        "vit avec son épouse. Marche quotidienne",
        "sa fille est prévenue",
        "son mari ne vient pas",
        "Place du Docteur Baylac",
        "informations données au patient :\nPrincipe de la cure",
        "il est né le 3 mars",
        "dose : 3 MG/kg",
        "TA/fc notées",
        "sexe : M\nN° de chambre 12",
        "voir labo pr INR demain",
        "mm de mercure",
        "décollement de rétine, DR OG opéré",
        "un score (Dominique) de 3",
        "né le 12 mai (Paris)",
        "RESULTAT HYPERSIGNAL TELESUIVI",
        "ATCD : PR. Appendicectomie 1990",
        "alcool 1,2 p. m. Vaccin à jour",
        "suture aux fils Ethilon 4/0",
        "un frère néphrectomisé",
    ],
)
def test_leaves_other_text_alone(text: str) -> None:
    assert found(text) == set()


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Dr Kervella", Role.STAFF),
        ("interne : Nolwenn Kervella", Role.STAFF),
        ("sa fille Nolwenn", Role.RELATIVE),
        ("Patient : Kervella", Role.PATIENT),
        ("Mme Kervella", Role.UNKNOWN),
    ],
)
def test_the_role_follows_from_the_context(text: str, role: Role) -> None:
    assert {s.role for s in names_after_cues(Document("x", text), ())} == {role}


def test_titles_are_strong_evidence() -> None:
    (span,) = names_after_cues(Document("x", "Dr Kervella"), ())
    assert span.score >= 0.9
    assert span.source == "patterns/people"


def test_spans_lie_inside_any_text() -> None:
    lines = [
        "revue par le Dr Inès Quéméneur, cardiologue",
        "en présence de Mme LE GOFF née Prigent",
        "avis pris auprès du Pr. J.-P. d'Ys au bloc\n",
    ]
    spans_lie_in_any_text(
        lambda text: names_after_cues(Document("x", text), ()), lines, "Dr. MmeéÉ'-/:\n,ab AZ9«»("
    )


@pytest.mark.parametrize("piece", ["de ", "J.", "A-", "Dr ", "d'", "Jean ", "née "])
def test_long_runs_end(piece: str) -> None:
    text = "Dr " + piece * 4000
    assert all(0 <= s.start < s.end <= len(text) for s in names_after_cues(Document("x", text), ()))


@pytest.mark.parametrize(
    "text",
    [
        "cher ami j'ai vu ce jour",
        "Cher confrère, j'ai reçu",
        "chère amie s'il vous plaît",
        "ami c'est",
    ],
)
def test_a_pronoun_before_its_verb_is_no_name(text: str) -> None:
    assert not found(text)
