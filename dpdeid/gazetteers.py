"""The lists that ship with the package: names, places, countries, ordinary words.

Not a detector: a name in a list is evidence, never proof (a quarter of the frequent surnames are
also French words). The lists live in gazetteers/ beside the package, with their origin and licence;
the wheel carries them as dpdeid/_gazetteers. Everything is read on first use and kept: a command
that needs no list pays for none.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Callable, KeysView, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from dpdeid.errors import GazetteerError
from dpdeid.french.tables import rows
from dpdeid.labels import Sex
from dpdeid.lexicon import Lexicon
from dpdeid.normalize import fold

T = TypeVar("T")

_LISTS: Final = (
    "abroad.tsv areas.tsv city_countries.tsv common_surnames.txt common_words.txt countries.tsv "
    "first_names.tsv frequency.tsv medical.tsv name_words.txt places.tsv surnames.tsv "
    "town_kinds.tsv words.txt world_cities.txt"
)
FILES: Final = tuple(f"{name}.gz" for name in _LISTS.split())
FEEDING: Final = tuple(one for one in FILES if one[:5] not in ("abroa", "city_", "town_"))
"""The lists that taggers are fed from; the others say what surrogates are of, or of words in other
languages."""

_BREAKS: Final = re.compile(r"[-'./,()\s]+")
_UNDER: Final = re.compile(r"\bs/s\b")
_ON: Final = re.compile(r"\bs/")
_SHORT: Final = {"st": "saint", "ste": "sainte", "sts": "saints", "stes": "saintes"}
_CEDEX: Final = re.compile(r"(?: cedex(?: \d{1,2})?){1,3}$")
_NTH: Final = re.compile(r" (\d{1,2})(?:er|e|eme|nd)?(?: arrondissement| arr)?$")


@dataclass(frozen=True, slots=True)
class Place:
    """A commune, or a town abroad.

    `code` is the INSEE code in France, "G" and the GeoNames number elsewhere. `department` is the
    department ("35", "2A", "974"), canton ("VD") or Belgian region ("WAL"). Coordinates are degrees
    (WGS 84); `precision` says of what: "place" itself, the "commune" it was merged into, or the
    population-weighted mean of its "zip", of its "group" of communes, "department" or "country".
    """

    name: str
    country: str
    code: str
    department: str
    region: str
    zips: tuple[str, ...]
    population: int
    latitude: float
    longitude: float
    precision: str


def data_root() -> Traversable:
    """The folder of the lists: inside the installed package, or beside it in a checkout."""
    inside = files("dpdeid") / "_gazetteers"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "gazetteers"


@cache
def fingerprint(names: tuple[str, ...] = FILES) -> str:
    """SHA-256 (hex) over the bytes of all lists: other lists give other surrogates."""
    digest = hashlib.sha256()
    for name in names:
        data = _bytes(name)
        digest.update(f"{name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


@cache
def surnames() -> Lexicon:
    """Folded surname → rank, 0 the most frequent in France."""
    return _read("surnames.tsv.gz", Lexicon)


@cache
def surname_list() -> tuple[str, ...]:
    """The 30,000 most frequent surnames as written ("Le Goff", "D'Angelo"), by rank."""
    return tuple(_text("common_surnames.txt.gz").splitlines())


@cache
def first_names() -> Mapping[str, Sex]:
    """Folded first name → sex, UNKNOWN if both bear it or no source says; most frequent first."""
    sexes = {sex.value: sex for sex in Sex}
    return MappingProxyType({fold(name): sexes[sex] for name, sex in _rows("first_names.tsv.gz")})


@cache
def first_name_list(sex: Sex) -> tuple[str, ...]:
    """First names of one sex as written ("Éléonore"), by frequency."""
    return tuple(name for name, its_sex in _rows("first_names.tsv.gz") if its_sex == sex.value)


@cache
def words() -> Lexicon:
    """Folded ordinary words (French, medical, drugs): a token outside is evidence for a name."""
    return _read("words.txt.gz", Lexicon)


@cache
def common_words() -> Mapping[str, int]:
    """The 30,000 most frequent of `words()` → rank, 0 the most frequent."""
    common = _text("common_words.txt.gz").split()
    return MappingProxyType(dict(zip(common, range(len(common)), strict=True)))


@cache
def name_words() -> frozenset[str]:
    """Folded words of French that `words()` leaves out because they are names as well."""
    return frozenset(_text("name_words.txt.gz").split())


@cache
def frequency() -> Lexicon:
    """Folded word → how often it stands in French: the whole part of its Zipf value (log10 of its
    occurrences in a billion words), 2 to 7. Names and foreign words are in it too.
    """
    return _read("frequency.tsv.gz", Lexicon)


@cache
def abroad() -> Lexicon:
    """Folded word → four digits, its Zipf value in German, Dutch, Italian and English, 0 where it
    is not among the 25,000 most frequent. Names are in it too.
    """
    return _read("abroad.tsv.gz", Lexicon)


@cache
def medical() -> Lexicon:
    """Folded word → 1 a word of medicine, 2 the name of a drug, 3 both."""
    return _read("medical.tsv.gz", Lexicon)


@cache
def world_cities() -> frozenset[str]:
    """`place_key` of cities outside France, Switzerland, Belgium and Luxembourg."""
    return frozenset(_text("world_cities.txt.gz").splitlines())


@cache
def city_countries() -> Mapping[str, str]:
    """`place_key` of a town abroad → the French name shown for its country, or "Québec"."""
    lines = _text("city_countries.tsv.gz").splitlines()
    return MappingProxyType(
        {town: land for town, _, land in (one.partition("\t") for one in lines)}
    )


@cache
def countries() -> Mapping[str, str]:
    """Folded name of a country, with variants ("usa", "zaire") → French name shown for it."""
    return MappingProxyType(
        {
            key: shown
            for name, shown in _rows("countries.tsv.gz")
            for key in {fold(name), place_key(name)}
        }
    )


@cache
def departments() -> Mapping[str, str]:
    """Folded name of a French department or Swiss canton → code ("35", "2A", "VD")."""
    return _areas("department")


@cache
def regions() -> Mapping[str, str]:
    """Folded name of a French region, also former ones, or a Belgian region → code."""
    return _areas("region")


@cache
def area_names() -> Mapping[tuple[str, str], str]:
    """("department" or "region", code) → its name today, as written ("Yvelines", "Vaud")."""
    every = reversed(_rows("areas.tsv.gz"))
    past = rows("past_areas")
    return MappingProxyType({(k, code): name for k, name, code in every if (name,) not in past})


def _areas(kind: str) -> Mapping[str, str]:
    return MappingProxyType(
        {
            key: code
            for its_kind, name, code in _rows("areas.tsv.gz")
            if its_kind == kind
            for key in (fold(name), place_key(name))
        }
    )


def place_key(name: str) -> str:
    """The key of a place name: folded, words apart, "St" in full, no CEDEX, bare arrondissement.

    >>> place_key("ST-ETIENNE CEDEX 2"), place_key("L'Haÿ-les-Roses"), place_key("Lyon 3ème")
    ('saint etienne', 'l hay les roses', 'lyon 3')
    """
    folded = fold(name)
    if folded.isalpha() and folded not in _SHORT:
        return folded
    if "s/" in folded:
        folded = _ON.sub("sur ", _UNDER.sub("sous", folded))
    key = " ".join(_SHORT.get(word, word) for word in _BREAKS.split(folded) if word)
    if key[-1:].isdigit() or key.endswith(("cedex", "e", "er", "nd", "arr", "arrondissement")):
        key = _NTH.sub(r" \1", _CEDEX.sub("", key))
    return key


@cache
def places() -> tuple[Place, ...]:
    """Every place, most populous first."""
    return tuple(_place(row) for row in range(len(_place_lines())))


def place_keys() -> KeysView[str]:
    """Every `place_key` under which a place is known, for detectors to look up."""
    return _by_key().keys()


@lru_cache(maxsize=1 << 12)
def places_named(folded: str) -> tuple[Place, ...]:
    """The places of that name in any spelling ("St Étienne", "SAINT-ETIENNE"), largest first."""
    return tuple(_place(row) for row in _by_key().get(place_key(folded), ()))


def places_with_zip(code: str) -> tuple[Place, ...]:
    """The places with that postal code, largest first; none outside France."""
    return tuple(_place(row) for row in _by_zip().get(code, ()))


# Rows are parsed when asked for: most runs name a few hundred of the 42,000 places.


@cache
def _place_lines() -> list[str]:
    return _text("places.tsv.gz").splitlines()


@cache
def _by_key() -> Mapping[str, tuple[int, ...]]:
    index: dict[str, tuple[int, ...]] = {}
    for row, line in enumerate(_place_lines()):
        for key in line[: line.index("\t")].split("|"):
            index[key] = (*index.get(key, ()), row)
    return index


@cache
def _by_zip() -> Mapping[str, list[int]]:
    index: dict[str, list[int]] = {}
    for row, line in enumerate(_place_lines()):
        if zips := line.split("\t", 7)[6]:
            for code in zips.split(" "):
                index.setdefault(code, []).append(row)
    return index


@cache
def _place(row: int) -> Place:
    fields = _place_lines()[row].split("\t")
    _, name, country, code, department, region, zips, population, north, east, precision = fields
    kept = name, country, code, department, region, tuple(zips.split(" ")) if zips else ()
    return Place(*kept, int(population), float(north), float(east), precision)


_FEWEST_PLACES: Final = 20
_FEWEST_PEOPLE: Final = 100_000
_NEAREST: Final = {
    **dict.fromkeys(("975", "977", "978"), "971"),
    **dict.fromkeys(("976", "984"), "974"),
    **dict.fromkeys(("986", "987", "989"), "988"),
}
"""Collectivities with too few places or people, and the list that answers for them."""
_PART_OF_TOWN: Final = re.compile(r" Arrondissement$|[(/]")
_SMALLEST: Final = {"FR": 5000, "20": 1000, "CH": 5000, "CH-DE": 5000, "BE": 5000, "BE-NL": 5000}
"""Fewest inhabitants of a place of the list; elsewhere every place is in it."""
_FRENCH_WEST_OF: Final = {
    **dict.fromkeys(("GE", "VD", "NE", "JU"), 180.0),
    **{"FR": 7.18, "VS": 7.6, "BE": 7.08},
}
"""Cantons whose places west of a longitude speak French (the Saane, the Raspille, the Jura)."""


@cache
def place_lists() -> Mapping[str, tuple[Place, ...]]:
    """Name of a list → the places it offers as surrogates, largest first.

    "FR" is metropolitan France, "20" Corsica, "971" … "988" the overseas lists, "CH" Switzerland
    where it speaks French and "CH-DE" the rest, "BE" Wallonia and Brussels, "BE-NL" Flanders, "LU"
    Luxembourg. Each has at least 20 places and 100,000 people, or another answers for it (a list of
    one place returns the truth). Arrondissements and former communes are part of their communes.
    """
    lists: dict[str, list[Place]] = {}
    for row, line in enumerate(_place_lines()):
        _, shown, country, _, department, _, _, population, _, east, precision = line.split("\t")
        name = _list_name(country, department, float(east))
        if is_whole(shown, precision) and int(population) >= _SMALLEST.get(name, 1):
            lists.setdefault(name, []).append(_place(row))
    for name, found in lists.items():
        if len(found) < _FEWEST_PLACES or sum(p.population for p in found) < _FEWEST_PEOPLE:
            raise GazetteerError(f"the list of places {name} is too small; {_FIX}")
    return MappingProxyType({name: tuple(found) for name, found in lists.items()})


@cache
def places_of_kind(listed: str, kind: str) -> frozenset[int]:
    """The places of a list, by index, that have a "university" hospital (or another regional one),
    a "hospital", a "clinic", a "prefecture" or a "subprefecture".

    A kind of fewer than 20 places or 100,000 people is widened to all with a hospital. Empty where
    these are too few: any place will do.
    """
    for wanted in dict.fromkeys((kind, "hospital")):
        every = enumerate(place_lists()[listed])
        own = {i: p for i, p in every if wanted in kinds_of_places().get(p.code, ())}
        apart = {(place.latitude, place.longitude) for place in own.values()}
        people = sum(place.population for place in own.values())
        if len(apart) >= _FEWEST_PLACES and people >= _FEWEST_PEOPLE:
            return frozenset(own)
    return frozenset()


@cache
def kinds_of_places() -> Mapping[str, frozenset[str]]:
    """Code of a place → what it has, of these kinds; abroad only hospitals are known."""
    return {code: frozenset(kinds.split()) for code, kinds in _rows("town_kinds.tsv.gz")}


def is_whole(name: str, precision: str) -> bool:
    """Whether a place is no part of another: no arrondissement, no former commune."""
    return precision != "commune" and not _PART_OF_TOWN.search(name)


def place_list_name(place: Place) -> str:
    """The name of the list in `place_lists` that holds surrogates for `place`."""
    return _list_name(place.country, place.department, place.longitude)


def _list_name(country: str, department: str, longitude: float) -> str:
    if country == "FR":
        if len(department) == 3:
            return _NEAREST.get(department, department)
        return "20" if department in ("2A", "2B") else country
    if country == "CH":
        return country if longitude < _FRENCH_WEST_OF.get(department, -180) else "CH-DE"
    return "BE-NL" if (country, department) == ("BE", "VLG") else country


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in _text(name).splitlines()]


def _text(name: str) -> str:
    return _read(name, bytes.decode)


def _read(name: str, made: Callable[[bytes], T]) -> T:
    """What is made of a list; an empty, torn or unsorted one is refused."""
    try:
        data = gzip.decompress(_bytes(name))
        if not data:
            raise EOFError
        return made(data)
    except (EOFError, OSError, ValueError, zlib.error) as error:
        raise GazetteerError(f"gazetteer {name} is damaged; {_FIX}") from error


def _bytes(name: str) -> bytes:
    try:
        return (data_root() / name).read_bytes()
    except OSError as error:
        raise GazetteerError(f"gazetteer {name} is missing; {_FIX}") from error


_FIX: Final = "reinstall dpdeid, or in a checkout run: python gazetteers/build.py"
