"""The small words before a department, region or canton: "dans le Var", "en Creuse", "de l'Ain".

A table of usage for every name that `gazetteers.area_names` and `areas` write. Gender, number and
elision are those of the names themselves; "en" or "dans", "de Bretagne" but "de la Creuse", are
what is most often written. Written for this project.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Final

from dpdeid.gazetteers import place_key


class Use(StrEnum):
    """What a small word before the name of an area says."""

    THE = "the"
    """le Var, la Creuse"""
    OF = "of"
    """du Var, de Bretagne, d'Occitanie"""
    OF_THE = "of the"
    """du Var, de la Bretagne"""
    IN = "in"
    """dans le Var, en Creuse, à Mayotte"""
    WITHIN = "within"
    """dans le Var, dans la Creuse"""


_Words = tuple[str, str, str, str, str]
"""The words for each use, in the order of `Use`."""

_DEPARTMENTS: Final = {
    "le dans": "Bas-Rhin|Calvados|Cantal|Cher|Doubs|Finistère|Gard|Gers|Haut-Rhin|Jura|Loiret|Lot"
    "|Morbihan|Nord|Pas-de-Calais|Puy-de-Dôme|Rhône|Tarn|Territoire de Belfort|Val-d'Oise"
    "|Val-de-Marne|Var|Vaucluse|Grand Est",
    "le en": "Loir-et-Cher|Lot-et-Garonne|Maine-et-Loire|Tarn-et-Garonne|Centre-Val de Loire"
    "|Valais",
    "le au": "Luxembourg|Tessin",
    "la dans": "Drôme|Loire|Manche|Marne|Meuse|Nièvre|Sarthe|Somme|Vienne",
    "la en": "Charente|Charente-Maritime|Corrèze|Corse-du-Sud|Côte-d'Or|Creuse|Dordogne|Gironde"
    "|Haute-Corse|Haute-Garonne|Haute-Loire|Haute-Marne|Haute-Savoie|Haute-Saône|Haute-Vienne"
    "|Loire-Atlantique|Lozère|Mayenne|Meurthe-et-Moselle|Moselle|Savoie|Saône-et-Loire"
    "|Seine-Maritime|Seine-Saint-Denis|Seine-et-Marne|Vendée",
    "l' dans": "Ain|Aisne|Allier|Aube|Aude|Aveyron|Eure|Hérault|Indre|Oise|Orne|Yonne",
    "l' en": "Ardèche|Ariège|Essonne|Eure-et-Loir|Ille-et-Vilaine|Indre-et-Loire|Isère",
    "les dans": "Alpes-Maritimes|Alpes-de-Haute-Provence|Ardennes|Bouches-du-Rhône|Côtes-d'Armor"
    "|Deux-Sèvres|Hautes-Alpes|Hautes-Pyrénées|Hauts-de-Seine|Landes|Pyrénées-Atlantiques"
    "|Pyrénées-Orientales|Vosges|Yvelines|Hauts-de-France|Pays de la Loire|Grisons"
    "|Terres australes et antarctiques françaises",
}
"""Article and preposition → names that keep their article behind "de"."""
_REGIONS: Final = {
    "la": "Bourgogne-Franche-Comté|Bretagne|Corse|Flandre|Guadeloupe|Guyane|Martinique|Normandie"
    "|Nouvelle-Aquitaine|Nouvelle-Calédonie|Polynésie française|Provence-Alpes-Côte d'Azur"
    "|Thurgovie|Wallonie",
    "l'": "Argovie|Auvergne-Rhône-Alpes|Occitanie|Île-de-France",
}
"""Article → names that lose it behind "de" and "en"."""
_ISLANDS: Final = (
    "La Réunion|Mayotte|Paris|Saint-Barthélemy|Saint-Martin|Saint-Pierre-et-Miquelon"
    "|Wallis et Futuna|Bruxelles"
)
"""Names without an article, that stand behind "à" as towns do."""
_CANTONS: Final = (
    "Appenzell Rhodes-Extérieures|Appenzell Rhodes-Intérieures|Berne|Bâle-Campagne|Bâle-Ville"
    "|Fribourg|Genève|Glaris|Lucerne|Neuchâtel|Nidwald|Obwald|Saint-Gall|Schaffhouse|Schwytz"
    "|Soleure|Uri|Vaud|Zoug|Zurich"
)
"""Cantons whose name has no article: "dans le canton de Vaud"."""
_OTHERS: Final[dict[str, _Words]] = {
    "Bruxelles-Capitale": ("la région de ", "de ", "de ", "à ", "à "),
    "Île de Clipperton": ("l'", "de l'", "de l'", "à l'", "sur l'"),
}
_OF_THE: Final = {"le": "du ", "la": "de la ", "l'": "de l'", "les": "des "}


def introduced(name: str, use: Use) -> str | None:
    """What stands before the name of an area, its space included; None if it is none of the table.

    >>> introduced("Var", Use.IN), introduced("BRETAGNE", Use.OF), introduced("Vaud", Use.THE)
    ('dans le ', 'de ', 'le canton de ')
    """
    words = _table().get(place_key(name))
    return None if words is None else words[_ORDER.index(use)]


_ORDER: Final = tuple(Use)


@cache
def _table() -> dict[str, _Words]:
    return {place_key(name): words for name, words in _entries()}


def _entries() -> Iterator[tuple[str, _Words]]:
    for key, names in _DEPARTMENTS.items():
        article, preposition = key.split(" ")
        the = _spaced(article)
        within = f"dans {the}"
        inside = within if preposition == "dans" else f"{preposition} "
        for name in names.split("|"):
            yield name, (the, _OF_THE[article], _OF_THE[article], inside, within)
    for article, names in _REGIONS.items():
        of = "d'" if article == "l'" else "de "
        the = _spaced(article)
        for name in names.split("|"):
            yield name, (the, of, _OF_THE[article], "en ", "en ")
    for name in _ISLANDS.split("|"):
        yield name, ("", "de ", "de ", "à ", "à ")
    for name in _CANTONS.split("|"):
        of = "d'" if name[0] in "AOU" else "de "
        canton = f"le canton {of}"
        yield name, (canton, of, of, f"dans {canton}", f"dans {canton}")
    yield from _OTHERS.items()


def _spaced(article: str) -> str:
    return article if article.endswith("'") else f"{article} "
