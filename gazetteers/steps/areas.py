"""Names of departments, cantons and regions with their codes, former French ones included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

CANTONS: Final = {
    "Argovie": "AG",
    "Appenzell Rhodes-Intérieures": "AI",
    "Appenzell Rhodes-Extérieures": "AR",
    "Berne": "BE",
    "Bâle-Campagne": "BL",
    "Bâle-Ville": "BS",
    "Fribourg": "FR",
    "Genève": "GE",
    "Glaris": "GL",
    "Grisons": "GR",
    "Jura": "JU",
    "Lucerne": "LU",
    "Neuchâtel": "NE",
    "Nidwald": "NW",
    "Obwald": "OW",
    "Saint-Gall": "SG",
    "Schaffhouse": "SH",
    "Soleure": "SO",
    "Schwytz": "SZ",
    "Thurgovie": "TG",
    "Tessin": "TI",
    "Uri": "UR",
    "Vaud": "VD",
    "Valais": "VS",
    "Zoug": "ZG",
    "Zurich": "ZH",
}

FORMER_DEPARTMENTS: Final = {
    "Basses-Alpes": "04",
    "Basses-Pyrénées": "64",
    "Charente-Inférieure": "17",
    "Côtes-du-Nord": "22",
    "Loire-Inférieure": "44",
    "Réunion": "974",
    "Seine-et-Oise": "78",
    "Seine-Inférieure": "76",
    "Territoire-de-Belfort": "90",
}

MORE_REGIONS: Final = {
    "Réunion": "04",
    "Alsace": "44",
    "Champagne-Ardenne": "44",
    "Lorraine": "44",
    "Aquitaine": "75",
    "Limousin": "75",
    "Poitou-Charentes": "75",
    "Auvergne": "84",
    "Rhône-Alpes": "84",
    "Bourgogne": "27",
    "Franche-Comté": "27",
    "Languedoc-Roussillon": "76",
    "Midi-Pyrénées": "76",
    "Nord-Pas-de-Calais": "32",
    "Picardie": "32",
    "Basse-Normandie": "28",
    "Haute-Normandie": "28",
    "Région parisienne": "11",
    "PACA": "93",
    "Wallonie": "WAL",
    "Flandre": "VLG",
    "Région flamande": "VLG",
    "Région wallonne": "WAL",
    "Bruxelles-Capitale": "BRU",
    "Hainaut": "WAL",
    "Brabant wallon": "WAL",
    "Brabant flamand": "VLG",
    "Flandre-Occidentale": "VLG",
    "Flandre-Orientale": "VLG",
    "Limbourg": "VLG",
}


def areas(etalab: Path) -> list[tuple[str, str, str]]:
    """(kind "department" or "region", name, code), sorted.

    A canton named like a French department or a former name like a current one is left out: the
    French area keeps the name.
    """
    data = etalab / "package" / "data"
    rows: dict[tuple[str, str], str] = {}
    for kind, source, more in (
        ("department", "departements.json", CANTONS | FORMER_DEPARTMENTS),
        ("region", "regions.json", MORE_REGIONS),
    ):
        for area in json.loads((data / source).read_text(encoding="utf-8")):
            rows[kind, area["nom"].replace("\u2019", "'")] = area["code"]
        for name, code in more.items():
            rows.setdefault((kind, name), code)
    return sorted((kind, name, code) for (kind, name), code in rows.items())
