"""Notes of a hospital that nobody here has seen: its own forms, shorthand, wards, codes and people.

Fictitious, in the manner of a Walloon and Swiss regional hospital; written for this project after
the rules and the shipped models, and read by neither. Staff, wards, sites and streets recur over
notes, as they do in a hospital; patients and their relatives have names of their own. No name
stands in a list of the package (`names_by_origin.tsv`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from dpdeid.labels import Label
from dpdeid.synth.dice import Dice

from .origins import origins

UNITS: Final = (
    "U3B Tilleuls", "U2A Charmille", "D4 Aubépine", "B1-OSTHÉO", "USI-N", "CSG Sorbiers",
    "HJ Onco 7", "Plateau M2", "C0 Mère-Bébé", "Bloc D-ambu", "QOP 12", "U5 Néphro-Dial", "ORTHO-B",
    "Unité Cyclades", "SMUR Haut-Pays",
)  # fmt: skip
SITES: Final = (
    "CHR Val-Mosan", "site Saint-Druon", "Clinique des Hauts-Prés", "polyclinique du Ry-Ponet",
    "Home Les Cytises", "MRS Clairefontaine", "RHNE-Sud", "EMS La Gottalle",
)  # fmt: skip
STREETS: Final = (
    "rue du Ry d'Argent", "chaussée de Fexhe", "clos des Vanneaux", "sentier du Bois Piret",
    "chemin de la Gottalle", "venelle aux Roses", "quai des Ardoisières", "ruelle Gilquin",
)  # fmt: skip
TOWNS: Final = (
    "Fexhe-le-Haut", "Grand-Hallet", "Orp", "Bassenge", "Villers-le-Peuplier", "Jodoigne",
    "Couvet", "Val-de-Travers", "Le Locle", "Fleurier", "Hannut", "Waremme",
)  # fmt: skip
_STAFF: Final = 36

HEADS: Final = (
    "{site} - {unit}\n>> FICHE SORTIE {code}\nPt: {last} {first} / {born} / n°DD {dossier}\n"
    "Resp: {doc}  Réf inf: {nurse}\nE {in_} S {out}\n",
    "[{unit}] {date} {hour} - {ini}\n{lastup}, {first} ({agey}) D{dossier}\n",
    "De: {doc}\nPour: Dr {gp}, {address}, {zip} {town}\nConc.: {civ} {last} {first}, "
    "°{born}, dom. {address2}, {zip2} {town2}\nDoss. {dossier} / niss {niss}\n",
    "PROTOCOLE {code}|{lastup}|{first}|{born}|{dossier}|{unit}|{docshort}|{date}\n",
    "RAPPORT SOCIAL - {site}\nBénéf. : {first} {last} (dossier {dossier})\nAS : {nurse}, "
    "bip {bip}\nPers. de réf. : {kin} {relfirst} {rellast}, gsm {phone}\n",
    "Tour {unit} du {date}\nlit {bed} : {lastup} {ini1}. {agey}\n",
)
BODIES: Final = (
    "Vu ce jour avec {docshort}, famille reçue ({kin}, {relfirst} {rellast}).\n",
    "Adm. le {in_} via SMUR, transf. {unit2} le {mid} (accord {docshort2}).\n",
    "TA 13/8 P 72 sat 96 %AA T° 37,2. Diurèse 1400. EVA 2/10.\n",
    "Pancarte ok, KT ôté, redon 40 cc. RAD prévu {out} si biol. correcte.\n",
    "ATCD: HTA, PTH G {year} ({site2}), cholécystect. {year2}. All: pénicilline.\n",
    "Appel {kin} {phone} : {relfirst} passe demain {hour2}.\n",
    "Avis {docshort2} ({unit2}) : poursuivre Augmentin 3x1 g, contrôle CRP J3.\n",
    "Ttt sortie: Asaflow 80 1x/j, Bisoprolol 2,5, D-Cure 1 amp/mois, Dafalgan si besoin.\n",
    "Rdv {docshort} {date2} {hour} {site}, route {bip}.\n",
    "Pt vit seul {address2} à {town2}, ancien {job}, aidé par {kin} ({relfirst}).\n",
    "Bio {date}: Hb 11,2 GB 9,8 CRP 34 créat 0,92 K 4,1 INR 2,3.\n",
    "Transmis à {nurse} par {ini}, {hour}.\n",
    "N° labo {labo}, prélevé {hour} par {ini}.\n",
    "Cs pré-op {docshort2}: ASA 2, accord pour {date2}.\n",
    "Dossier mut. {mut}, tiers payant ok. Home demandé : {site2}.\n",
    "Échelle de Braden 17, Katz B, MMSE 24/30.\n",
    "Le patient dit avoir été suivi au {site2} par le Dr {gp} en {year}.\n",
    "Réunion pluri {date2} : {doc}, {nurse}, {docshort2}.\n",
    "Rx thorax: pas de foyer. ECG: RSR 70, BBD connu depuis {year}.\n",
    "{first} se plaint de lombalgies, mobilisation kiné avec {kine}.\n",
)
TAILS: Final = (
    "{doc}\n{unit}\n", "Dicté {doc}, tapé {ini}, relu {ini2} {date}\n", "cc: Dr {gp} ({town})\n",
    "--{ini} {hour}\n", "{docshort} / {ini}\n",
)  # fmt: skip
JOBS: Final = ("ardoisier", "garde-barrière", "repasseuse", "horloger", "carrier", "facteur")
KIN: Final = ("fille", "fils", "épouse", "mari", "nièce", "neveu")


@cache
def _names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    lasts = [name for own in origins().values() for name in own[Label.LAST_NAME]]
    firsts = [name for own in origins().values() for name in own[Label.FIRST_NAME]]
    dice = Dice.of(7, "foreign", "names")
    return tuple(dice.shuffled(lasts)), tuple(dice.shuffled(firsts))


def notes(count: int, seed: int = 0) -> Iterator[str]:
    """Notes with «LABEL:text» marks, one patient each."""
    lasts, firsts = _names()
    staff = tuple(zip(lasts[:_STAFF], firsts[:_STAFF], strict=True))
    for number in range(count):
        dice = Dice.of(seed, "foreign", str(number))
        drawn = _Drawn(dice, staff, lasts[_STAFF:], firsts[_STAFF:])
        slots = {**drawn.people(), **drawn.days(), **drawn.places(), **drawn.numbers()}
        bodies = dice.shuffled(BODIES)[: dice.between(4, 9)]
        parts = (dice.choice(HEADS), *bodies, dice.choice(TAILS))
        yield "".join(parts).format_map(slots)


@dataclass(frozen=True)
class _Drawn:
    """What fills the slots of one note."""

    dice: Dice
    staff: tuple[tuple[str, str], ...]
    lasts: tuple[str, ...]
    firsts: tuple[str, ...]

    def people(self) -> dict[str, str]:
        dice = self.dice
        last, first = dice.choice(self.lasts), dice.choice(self.firsts)
        a, b, c, d, e = (dice.choice(self.staff) for _ in range(5))
        kin = dice.choice(KIN)
        return {
            "last": _marked("LAST_NAME", last),
            "lastup": _marked("LAST_NAME", last.upper()),
            "first": _marked("FIRST_NAME", first),
            "ini1": _marked("FIRST_NAME", first[0]),
            "civ": dice.choice(("Mme", "Mr")),
            "doc": f"Dr {_marked('FIRST_NAME', a[1])} {_marked('LAST_NAME', a[0])}",
            "docshort": f"Dr {_marked('LAST_NAME', a[0])}",
            "docshort2": _marked("LAST_NAME", b[0]),
            "nurse": f"{_marked('FIRST_NAME', c[1])} {_marked('LAST_NAME', c[0].upper())}",
            "kine": _marked("FIRST_NAME", d[1]),
            "gp": _marked("LAST_NAME", dice.choice(self.lasts)),
            "ini": _marked("LAST_NAME", d[1][0] + d[0][:2].upper()),
            "ini2": _marked("LAST_NAME", e[1][0] + e[0][:2].upper()),
            "kin": _marked("KINSHIP", kin),
            "relfirst": _marked("FIRST_NAME", dice.choice(self.firsts)),
            "rellast": _marked("LAST_NAME", dice.choice(self.lasts)),
            "job": _marked("PROFESSION", dice.choice(JOBS)),
        }

    def days(self) -> dict[str, str]:
        dice = self.dice
        out = dt.date(2024, 1, 1) + dt.timedelta(days=dice.randbelow(600))
        begin = out - dt.timedelta(days=dice.between(2, 20))
        age = dice.between(19, 96)
        born = dt.date(out.year - age, dice.between(1, 12), dice.between(1, 28))
        forms = ("%d.%m.%y", "%d/%m/%Y", "%d.%m.%Y", "%d/%m")
        later = out + dt.timedelta(days=dice.between(5, 60))
        days = {"in_": begin, "mid": begin + dt.timedelta(days=1), "out": out, "date": out}
        return {
            **{
                name: _marked("DATE", day.strftime(dice.choice(forms)))
                for name, day in {**days, "date2": later}.items()
            },
            "born": _marked("BIRTH_DATE", born.strftime("%d.%m.%Y")),
            "agey": _marked("AGE", f"{age} a"),
            "year": _marked("DATE", str(out.year - dice.between(2, 15))),
            "year2": _marked("DATE", str(out.year - dice.between(2, 30))),
            "hour": _marked("TIME", f"{dice.between(7, 21)}h{dice.between(10, 59)}"),
            "hour2": _marked("TIME", f"{dice.between(7, 21)}h"),
        }

    def places(self) -> dict[str, str]:
        return {
            "site": _marked("HOSPITAL", self.dice.choice(SITES)),
            "site2": _marked("HOSPITAL", self.dice.choice(SITES)),
            "unit": _marked("UNIT", self.dice.choice(UNITS)),
            "unit2": _marked("UNIT", self.dice.choice(UNITS)),
            "address": _marked("STREET", self._address()),
            "address2": _marked("STREET", self._address()),
            "town": _marked("CITY", self.dice.choice(TOWNS)),
            "town2": _marked("CITY", self.dice.choice(TOWNS)),
        }

    def numbers(self) -> dict[str, str]:
        masks = {
            "zip": ("ZIP", "4###"),
            "zip2": ("ZIP", "2###"),
            "dossier": ("PATIENT_ID", "7####-##"),
            "niss": ("SSN", "##.##.##-###.##"),
            "bed": ("ROOM", "4##-" + self.dice.choice("AB")),
            "phone": ("PHONE", "04##/##.##.##"),
            "bip": ("PHONE", "6###"),
            "labo": ("ORDER_ID", "L2#######"),
            "mut": ("OTHER_ID", "319/########"),
        }
        marked = {name: _marked(label, self._digits(mask)) for name, (label, mask) in masks.items()}
        return {**marked, "code": self._digits("SO-##")}

    def _address(self) -> str:
        return f"{self.dice.choice(STREETS)} {self.dice.between(1, 180)}"

    def _digits(self, mask: str) -> str:
        return "".join(str(self.dice.randbelow(10)) if sign == "#" else sign for sign in mask)


def _marked(label: str, text: str) -> str:
    return f"«{label}:{text}»"
