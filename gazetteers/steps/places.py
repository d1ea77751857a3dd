"""Places: every French commune with coordinates, and the towns of its French-speaking neighbours.

INSEE knows the communes, their codes and postal codes, but not where they are; GeoNames knows where
places are, but not their codes. They are joined by folded name within a region (or overseas
department); of homonyms, the pair that agrees best on population and on the distance to its
department. GeoNames has only places above 500 inhabitants: a smaller commune gets the mean of the
located communes with its postal code, failing that of its group of communes (EPCI), failing that of
its department, and `precision` says so.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpdeid.gazetteers import place_key
from dpdeid.normalize import fold

from .exonyms import FRENCH_NAMES, QUARTERS

OVERSEAS: Final = {
    "GP": "971",
    "MQ": "972",
    "GF": "973",
    "RE": "974",
    "PM": "975",
    "YT": "976",
    "BL": "977",
    "MF": "978",
    "WF": "986",
    "PF": "987",
    "NC": "988",
}
_TOWN: Final = 10_000
_NOT_SHORT: Final = frozenset(["Châteauneuf", "Loire", "Mons", "Neuville", "Porto", "Villeneuve"])
"""First words of town names that mean something else first, or too many towns."""
_KM: Final = 111.2  # a degree of latitude
_FAR: Final = 60.0  # km to the middle of a department that weigh as much as a factor e of people
_OTHER_NAME: Final = 0.5  # the join is by one of the alternate names
_WORST: Final = 2.0


@dataclass(slots=True)
class Row:
    """One line of places.tsv.gz, still being filled."""

    name: str
    country: str
    code: str
    department: str
    region: str
    zips: tuple[str, ...] = ()
    population: int = 0
    aliases: tuple[str, ...] = ()
    parent: str = ""
    groups: tuple[str, ...] = ()
    position: tuple[float, float] | None = None
    precision: str = ""

    def line(self) -> str:
        """The tab-separated line; coordinates to a thousandth of a degree (about 0.1 km)."""
        if self.position is None:
            raise RuntimeError(f"no position for {self.code}")
        keys = dict.fromkeys(place_key(name) for name in (self.name, *self.aliases))
        return "\t".join(
            (
                "|".join(keys),
                self.name,
                self.country,
                self.code,
                self.department,
                self.region,
                " ".join(self.zips),
                str(self.population),
                f"{self.position[0]:.3f}",
                f"{self.position[1]:.3f}",
                self.precision,
            )
        )


def places(etalab: Path, geonames: Path, words: Collection[str]) -> list[Row]:
    """Every place, most populous first, then by country, code and name."""
    (source,) = geonames.rglob("cities500.json")
    towns = list(json.loads(source.read_text(encoding="utf-8")).values())
    rows = list(_communes(etalab / "package" / "data"))
    _locate(rows, [t for t in towns if t["countrycode"] == "FR" or t["countrycode"] in OVERSEAS])
    _fall_back(rows, towns)
    _shorten(rows, words)
    rows += [
        _neighbour(town)
        for town in towns
        if town["countrycode"] in FRENCH_NAMES
        and town["name"] not in QUARTERS
        and "Kreis" not in town["name"]
    ]
    return sorted(rows, key=lambda row: (-row.population, row.country, row.code, row.name))


def _communes(data: Path) -> Iterator[Row]:
    communes = json.loads((data / "communes.json").read_text(encoding="utf-8"))
    epcis = json.loads((data / "epci.json").read_text(encoding="utf-8"))
    epci = {member["code"]: group["code"] for group in epcis for member in group["membres"]}
    current = {c["code"]: c for c in communes if c["type"] == "commune-actuelle"}
    for commune in communes:
        code = commune["code"]
        parent = commune.get("chefLieu") or commune.get("commune") or ""
        if commune["type"] != "commune-actuelle":
            above = current.get(parent)
            if above is None or place_key(above["nom"]) == place_key(commune["nom"]):
                continue
        zips = commune.get("codesPostaux") or current.get(parent, {}).get("codesPostaux", ())
        yield Row(
            name=commune["nom"].replace("\u2019", "'"),
            country="FR",
            code=code,
            department=commune.get("departement") or commune.get("collectivite", ""),
            region=commune.get("region") or commune.get("collectivite", ""),
            zips=tuple(sorted(zips)),
            population=commune.get("population", 0),
            parent="" if commune["type"] == "commune-actuelle" else parent,
            groups=("E" + epci[code],) if code in epci else (),
        )


def _shorten(rows: list[Row], words: Collection[str]) -> None:
    """Let the larger towns be found by what people call them: "Vitry" for Vitry-sur-Seine."""
    for row in rows:
        short, _, rest = row.name.partition("-")
        known = fold(short) in words or short in _NOT_SHORT or not short.isalpha()
        if row.population >= _TOWN and rest and not row.parent and not known:
            row.aliases = (short,)


def _locate(rows: list[Row], towns: list[dict[str, Any]]) -> None:
    """Give each commune the position of the GeoNames place that is most likely the same."""
    named: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        area = row.region if len(row.department) == 2 else row.department
        named[area, place_key(row.name)].append(row)
    pairs = [
        (row, town)
        for town in towns
        for key in dict.fromkeys(map(place_key, (town["name"], *town["alternatenames"])))
        for row in named.get((_area(town), key), ())
    ]
    rivals: dict[int, int] = defaultdict(int)
    for row, town in pairs:
        rivals[id(row)] += 1
        rivals[id(town)] += 1
    sure = [(row, town) for row, town in pairs if rivals[id(row)] == rivals[id(town)] == 1]
    middles = _middles((row.department, _position(town), row.population) for row, town in sure)
    costs = [_disagreement(row, town, middles) for row, town in pairs]
    taken: set[int] = set()
    for cost, i in sorted(zip(costs, range(len(pairs)), strict=True)):
        row, town = pairs[i]
        if cost <= _WORST and row.position is None and town["geonameid"] not in taken:
            row.position, row.precision = _position(town), "place"
            taken.add(town["geonameid"])


def _area(town: dict[str, Any]) -> str:
    """Region code in metropolitan France, department code overseas."""
    code: str = OVERSEAS.get(town["countrycode"], town["admin1code"])
    return code


def _disagreement(row: Row, town: dict[str, Any], middles: dict[str, tuple[float, float]]) -> float:
    """How little a commune and a GeoNames place look like the same: 0 is perfect."""
    people = abs(math.log((town["population"] + 200) / (row.population + 200)))
    if row.parent:
        people = 1.0  # the population of a former commune is not known
    if place_key(town["name"]) != place_key(row.name):
        people += _OTHER_NAME
    if row.department not in middles or len(row.department) == 3:
        return people
    return people + distance(_position(town), middles[row.department]) / _FAR


def _fall_back(rows: list[Row], towns: list[dict[str, Any]]) -> None:
    """Give the communes that GeoNames lacks the mean of the located ones nearest to them."""
    located = [row for row in rows if row.position is not None]
    known = {row.code: row.position for row in located if not row.parent}
    seats = {row.code: row.position for row in located if row.parent}
    by_group = _middles(
        (g, row.position, row.population) for row in located for g in row.zips + row.groups
    )
    by_area = _middles(
        (OVERSEAS[town["countrycode"]], _position(town), town["population"])
        for town in towns
        if town["countrycode"] in OVERSEAS
    ) | _middles((row.department, row.position, row.population) for row in located)
    whole = {"FR": (46.6, 2.4)}
    for row in rows:
        if row.position is not None:
            continue
        for precision, keys, table in (
            ("place", (row.code,), seats),
            ("commune", (row.parent,), known),
            ("zip", row.zips, by_group),
            ("group", row.groups, by_group),
            ("department", (row.department,), by_area),
            ("country", ("FR",), whole),
        ):
            found = [table[key] for key in keys if key in table]
            if found:
                row.position, row.precision = found[0], precision
                break


def _neighbour(town: dict[str, Any]) -> Row:
    """A place in Switzerland, Belgium or Luxembourg under its French name."""
    country, local = town["countrycode"], town["name"].replace("\u2019", "'")
    return Row(
        name=FRENCH_NAMES[country].get(local, local),
        country=country,
        code=f"G{town['geonameid']}",
        department=town["admin1code"],
        region=town["admin1code"],
        population=town["population"],
        position=_position(town),
        precision="place",
        aliases=(local,),
    )


def _position(town: dict[str, Any]) -> tuple[float, float]:
    return town["latitude"], town["longitude"]


def _middles(
    weighted: Iterable[tuple[str, tuple[float, float] | None, int]],
) -> dict[str, tuple[float, float]]:
    """The population-weighted mean position of each key."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for key, position, population in weighted:
        if position is not None:
            weight = population + 1
            total = sums[key]
            total[0] += weight
            total[1] += weight * position[0]
            total[2] += weight * position[1]
    return {key: (lat / weight, lon / weight) for key, (weight, lat, lon) in sums.items()}


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Kilometres between two (latitude, longitude), flat-earth: good to 1 % inside a region."""
    north = (a[0] - b[0]) * _KM
    east = (a[1] - b[1]) * _KM * math.cos(math.radians((a[0] + b[0]) / 2))
    return math.hypot(north, east)
