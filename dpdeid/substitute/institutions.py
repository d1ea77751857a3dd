"""Hospitals, schools, companies: the words that say what they are are kept, their name is not.

"CHU de Rennes" follows the surrogate of Rennes, or the nearest surrogate town; "clinique des Ormes"
gets another common name. What begins with no known head noun is a name as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.shapes import like_case, listed, runs
from dpdeid.substitute.streets import PLANTS

_HEADS: Final = frozenset(
    listed(
        "chu chru chr ch chi ghu gh ght hia hopital hopitaux centre clinique polyclinique ehpad"
        " institut maternite ssr smr had usld maison cabinet laboratoire labo pharmacie"
        " dispensaire hospice fondation foyer residence mas fam camsp cmp cmpp esat ime itep"
        " sessad csapa caarud pmi msp cds pole unite site cite sanatorium hotel-dieu urgences"
        " samu smur reseau ecole lycee college universite faculte iut creche mairie prefecture"
        " tribunal commissariat gendarmerie palais prison caserne banque assurance mutuelle"
        " caisse societe entreprise etablissements ets sarl sas sa eurl groupe association club"
        " agence magasin boulangerie home restaurant hotel garage transports transport taxi"
        " taxis ambulance ambulances usine service laboratoires chez syndicat federation comite"
        " office ministere maisons cpam cram carsat caf msa urssaf mdph mda ars udaf ccas cias cpas"
        " crous cfa cour parquet barreau paroisse"
    )
)
_KINDS: Final = frozenset(
    listed(
        "hospitalier hospitaliere hospitaliers universitaire regional regionale general"
        " generale medical medicale medico chirurgical chirurgicale intercommunal specialise"
        " psychiatrique prive privee public publique departemental departementale municipal"
        " municipale medecins local locale retraite sante radiologie imagerie biologie analyses"
        " reeducation readaptation soins dentaire infirmier infirmiers kinesitherapie"
        " convalescence anticancereux cancer primaire maternelle elementaire professionnel"
        " technique agricole superieur justice police postale populaire francaise nationale"
        " national sportif sportive travail suite judiciaire administratif appel"
    )
)
_LINKS: Final = frozenset(listed("de du des d l la le les et en sur sous aux au a"))
_TOKEN: Final = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W\d_]+(?:-[^\W\d_]+)*|.", re.DOTALL)
_LINK: Final = re.compile(r"\W*(?:(?:de|en|sur)\b\W+(?!la\b|l['’])|[dD]['’])?", re.IGNORECASE)
_END: Final = re.compile(r"[-–,/(\n]| site ")
"""What ends the name of a town."""
_ELIDED: Final = frozenset("aeiouh")
_ARTICLE: Final = re.compile(r"Le(s)?[ -]")
_TOWN: Final = 5000
"""A name without "de" is taken for that of a town from so many people on."""
_OF_PLACE: Final = re.compile(r"(?:de(?: la| l)?|du|des|d|en|sur)\s?['’]?\s*\Z")
_OF_AREA: Final = re.compile(r"\W*(?:d(?:e la|u|es)\s+|de l['’]\s?)?", re.IGNORECASE)

BARE: Final = ("Saint-Luc", "Saint-Roch", "Sainte-Marthe", "Bellerive", "Valmont", "Beauséjour")
"""Names of places of care that stand without a head noun."""

CARE: Final = (*BARE, *PLANTS, "du Parc", "de la Roseraie")
"""Names that follow a head noun."""

COMPANIES: Final = (
    "Alvéa",
    "Brionex",
    "Calydor",
    "Dorvalis",
    "Estivance",
    "Ferrandis",
    "Galtier Frères",
    "Horizon Bleu",
    "Luminex",
    "Novatis",
    "Orélia",
    "Prévallon",
)
UNITS: Final = (
    "médecine polyvalente",
    "gériatrie",
    "pneumologie",
    "néphrologie",
    "rhumatologie",
    "endocrinologie",
    "dermatologie",
    "urologie",
    "hématologie",
    "gastro-entérologie",
    "chirurgie viscérale",
    "maladies infectieuses",
)
"""Departments that most hospitals have."""

_RUNS: Final = {name: runs(fold(name)) for name in (*CARE, *COMPANIES)}
_ANY_RUN: Final = frozenset().union(*_RUNS.values())


@lru_cache(maxsize=1 << 12)
def split(text: str) -> tuple[str, str, str]:
    """What kind of institution it is, the word that links to its name, and the name.

    >>> split("Centre hospitalier d'Amiens"), split("clinique des Ormes"), split("Purpan")
    (('Centre hospitalier', " d'", 'Amiens'), ('clinique', ' ', 'des Ormes'), ('', '', 'Purpan'))
    >>> split("CPAM de la Vendée"), split("MDPH 35")
    (('CPAM', ' de la ', 'Vendée'), ('MDPH', ' ', '35'))
    """
    end = 0
    position = 0
    for token in _TOKEN.findall(text):
        position += len(token)
        word = fold(token) if len(token) < 2 else fold(token).replace(".", "")
        if word in _HEADS or (end and word in _KINDS):
            end = position
        elif not (end and (word in _LINKS or not word.isalnum())):
            break
    head, rest = text[:end], text[end:]
    link = _OF_AREA.match(rest)
    if not (end and link and _is_area(rest[link.end() :])):
        link = _LINK.match(rest)
    at = link.end() if link else 0
    return head, rest[:at], rest[at:]


def is_local(link: str, name: str) -> bool:
    """Whether an institution is told by where it is: "de Rennes", "35", or a kind and no name."""
    return is_of(link) or not name or _is_area(name)


def _is_area(name: str) -> bool:
    """Whether it is the name or the number of a department, or the name of a region."""
    key, departments = fold(name).strip(), gazetteers.departments()
    return key in departments or key in gazetteers.regions() or key.upper() in departments.values()


def place_key(link: str, name: str) -> str | None:
    """The key of the town that a name names, None where it is none of the lists."""
    for piece in dict.fromkeys((name, _END.split(name, 1)[0])):
        towns = gazetteers.places_named(fold(piece.strip()))
        if towns and (is_of(link) or towns[0].population > _TOWN):
            return gazetteers.place_key(piece)
    return None


@lru_cache(maxsize=1 << 8)
def is_of(link: str) -> bool:
    """Whether a link ("de", "d'", "sur") leads to a place."""
    return _OF_PLACE.search(fold(link)) is not None


def renamed(text: str, town: str | None, names: Sequence[str], stream: Stream) -> str:
    """The institution under another name: that of a town, or one of `names`."""
    head, link, name = split(text)
    if not name:
        link, name = (" " if town is None else " de "), head
    shape = link + name
    if town is None:
        old, free = runs(fold(text)), names
        if not _ANY_RUN.isdisjoint(old):
            free = [name for name in names if _RUNS[name].isdisjoint(old)] or names
        town = stream.choice(free)
    elif not is_of(link):
        return head + like_case(link + town, shape)
    if is_of(link):
        link = " d'" if fold(town[0]) in _ELIDED else " de "
        if article := _ARTICLE.match(town):
            link = f" d{'es' if article[1] else 'u'} "
            town = town[article.end() :]
    if town.startswith(("des ", "du ", "de ")):
        link = " "
    return head + like_case(link + town, shape)
