"""Which towns have a university hospital, a hospital, a clinic, a prefecture, a sub-prefecture.

From the houses in the French statistics of health establishments (SAE) by their FINESS category,
and from the seats of departments and arrondissements. A university hospital may stand in the town
next to the one it is named after (Grenoble's in La Tronche) and has houses far away: of each, the
largest commune within 5 km of any of its houses counts. Abroad, where no list of hospitals is at
hand, a town of 20,000 people counts as having one.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .places import Row, distance

SAE_SHA256: Final = "f1a7cfe76a87cda17eb5e6f30f8f1c1938e988fd69bc3bf6258fa0774fb24ac4"
_REGIONAL: Final = "101"  # CHR, most of them CHU
_OF_CATEGORY: Final = {
    **dict.fromkeys((_REGIONAL, "106", "114", "355"), "hospital"),  # CH, local ones, the army's
    **dict.fromkeys(("109", "122", "128", "129", "161", "365"), "clinic"),
}
_NO_HOUSE: Final = re.compile(r"\b(?:SMUR|SAMU)\b")
_OVERSEAS: Final = re.compile(r"^9[A-F]")  # "9D411" is 97411
_NEAR_KM: Final = 5
_LARGE_ABROAD: Final = 20_000


def town_kinds(sae: Path, etalab: Path, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Code of a place and its kinds, by code.

    Args:
        sae: the table of houses, tab-separated and compressed.
        rows: every place.

    Raises:
        RuntimeError: the checksum of the table differs.
    """
    if (digest := hashlib.sha256(sae.read_bytes()).hexdigest()) != SAE_SHA256:
        raise RuntimeError(f"{sae.name}: sha256 is {digest}")
    communes = {row.code: row for row in rows if row.country == "FR" and not row.parent}
    found: dict[str, set[str]] = defaultdict(set)
    regional: dict[str, set[str]] = defaultdict(set)
    with gzip.open(sae, "rt", encoding="utf-8", newline="") as lines:
        for house in csv.DictReader(lines, delimiter="\t"):
            code, category = _OVERSEAS.sub("97", house["COMINSEE"]), house["cat"]
            if code in communes and category in _OF_CATEGORY and not _NO_HOUSE.search(house["rs"]):
                found[code].add(_OF_CATEGORY[category])
                if category == _REGIONAL:
                    regional[house["fi_ej"]].add(code)
    for codes in regional.values():
        houses = [communes[code].position or (0.0, 0.0) for code in codes]
        near = (
            row
            for row in communes.values()
            if row.position and min(distance(row.position, at) for at in houses) <= _NEAR_KM
        )
        found[max(near, key=lambda row: row.population).code] |= {"university", "hospital"}
    for name, kind in (("departements", "prefecture"), ("arrondissements", "subprefecture")):
        listed = json.loads((etalab / "package" / "data" / f"{name}.json").read_text("utf-8"))
        for area in listed:
            found[area["chefLieu"]].add(kind)
    for row in rows:
        if row.country != "FR" and row.population >= _LARGE_ABROAD:
            found[row.code].add("hospital")
    yield from ((code, " ".join(sorted(kinds))) for code, kinds in sorted(found.items()))
