"""Numbers that are the same for everybody; days, codes and houses that look like them are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dpdeid.detect.public_numbers import public_numbers
from dpdeid.french.tables import rows
from tests.linear import LIMIT, growth

PUBLIC = {
    "article": ("Vu l'art. L. 3213-7 du CSP", "L. 3213-7"),
    "admission": ("admise en L 3212-1 hier", "L 3212-1"),
    "decree": ("le décret 2016-994 le permet", "2016-994"),
    "form": ("joindre le cerfa 15695*01 signé", "cerfa 15695*01"),
    "norm": ("accrédité ISO 15189 depuis peu", "ISO 15189"),
    "trial": ("inclus dans NCT04381936", "NCT04381936"),
    "coding": ("variant c.2573T>G retrouvé", "c.2573T>G"),
    "transcript": ("sur NM_004333.6:c.1799T>A ici", "NM_004333.6"),
    "deletion": ("porteur de c.185_186delAG", "c.185_186delAG"),
    "protein": ("soit p.(Val600Glu) en somatique", "p.(Val600Glu)"),
    "polymorphism": ("rs6025 à l'état hétérozygote", "rs6025"),
    "criteria": ("selon les critères de Rotterdam 2003 revus", "2003"),
    "guideline": ("équations GLI-2012, antibiogramme EUCAST 2023", "GLI-2012 EUCAST 2023"),
    "odometer": ("Km départ : 84 120 ce matin", "84 120"),
    "always": ("ligne ouverte 7j/7 et 24h/24", "24h/24"),
    "every": ("pansement chaque jeudi matin", "chaque jeudi"),
    "days": ("dialysé les mardis, jeudis et samedis", "samedis"),
    "scale": ("EVA |0|1|2|3|4|5|6|7|8|9|10|", "6|7|8"),
    "help line": ("hébergée via le 115 depuis peu.", "115"),
    "reported": ("fugue signalée au 17 à 02h10", "17"),
    "fetched": ("a fait venir le 911 ce soir", "911"),
    "page": ("Fax reçu P. 02/04", "02/04"),
    "level": ("texture niveau 2 IDDSI", "niveau 2"),
    "rescue": ("régulé par le samu 974 ce soir", "samu 974"),
    "rescue Corsica": ("SAMU 2B prévenu", "SAMU 2B"),
    "called": ("chute, le 15 prévenu par le voisin", "15"),
    "called one": ("pas de SMUR, 17 appelé", "17"),
    "one then another": ("a fait le 3114 puis le 15.", "3114 puis le 15"),
    "either": ("si malaise faire le 15 ou le 112.", "15 ou le 112"),
    "teeth": ("avulsion de 28, 38 et 48 ce jour", "28, 38 et 48"),
    "teeth behind": ("17 27 37 absentes", "17 27 37"),
    "sight": ("AV sc 2/10 et 3/10", "2/10 et 3/10"),
    "marker": ("CA 15-3 21450 ce jour", "15-3 21450"),
    "image": ("(0018,0081) EchoTime = 9200", "9200"),
    "decimals": ("    4,12     3,87", "4,12     3,87"),
    "colon": ("Urgences : 15 ou 112.", "15"),
}


def covered(text: str) -> str:
    return "".join(text[slice(*place)] + " " for place in public_numbers(text))


@pytest.mark.parametrize(("text", "number"), PUBLIC.values(), ids=PUBLIC)
def test_is_public(text: str, number: str) -> None:
    assert number in covered(text)


@pytest.mark.parametrize("number", [n for *_, many in rows("short_numbers") for n in many.split()])
def test_every_short_number_is_public_where_it_is_called(number: str) -> None:
    assert number in covered(f"Elle a dû appeler le {number}.")


@pytest.mark.parametrize(
    "text",
    [
        "Vue aux urgences le 15 pour chute.",
        "Contrôle fait le 17, revu le 18 mars.",
        "Adressée au 115 rue des Lilas.",
        "Chambre 112, lit 15.",
        "Tél 04 77 15 18 17",
        "IPP 31142215, dossier L3212345",
        "Carnet c.12 et page p.27",
        "les 14 et 15, le lundi 3",
        "|1|7|6|0|0| et |2|4|0|3|9|8|",
        "N° 2002-303 de séjour",
        "signalée au 17 mars, rappelé le 17",
        "P. 12/4 et p. 3/50",
    ],
)
def test_is_somebodys(text: str) -> None:
    assert not covered(text)


@pytest.mark.parametrize(
    "part",
    ["appel du ", "1|2|", "c.1_2+", "critères De ", "art. L. 11", "les lundi, ", "km ", "24h/"],
)
def test_long_texts_take_no_longer(part: str) -> None:
    def work(n: int) -> Callable[[], object]:
        text = part * n
        return lambda: list(public_numbers(text))

    assert growth(work, 500) <= LIMIT
