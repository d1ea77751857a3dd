"""The terms a coder looks for: labels of terminologies, cleaned, and our list of common wordings.

A label of a classification is seldom what a doctor writes: brackets, "sans précision" and notes of
the editor are taken off, and labels that no note repeats word for word (long ones) are left out.
A drug that is also a first name, a surname or an everyday word is no term ("Diane", a pill; "FER"),
unless the list of wordings names it: after substitution such names come and go, and would pass for
codes.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from dpdeid import gazetteers
from dpdeid.errors import UsageError, extra
from dpdeid.evaluate.coding.codes import Terminology, terminology_of, undotted
from dpdeid.formats.json_lines import DAMAGED
from dpdeid.normalize import fold

MOST_WORDS: Final = 7
"""Longer labels are left out."""
_LEAST_LETTERS: Final = 4
_WORD: Final = re.compile(r"\w+")
_NOISE: Final = re.compile(r"\*{3}.{0,12}?\*{3}|[(\[][^)\]]{0,200}[)\]]")
_ENDING: Final = re.compile(
    r",? (?:sai|nca|non classée?s? ailleurs|sans (?:autre )?(?:précision|indication)|"
    r"(?:de siège |d'origine |de nature )?non précisée?s?)$",
    re.IGNORECASE,
)
_EXTERNAL: Final = tuple("VWXY")
"""Chapter XX of ICD-10: circumstances, whose labels are everyday words ("chute")."""
_NO_DISEASE: Final = frozenset(
    [
        "autres",
        "conseil",
        "corrosion",
        "foudre",
        "hostilite",
        "isolement",
        "privation",
        "simulateur",
    ]
)
"""Labels of one word that say something else in most notes."""
_TAILS: Final = frozenset(["a", "au", "autre", "autres", "avec", "de", "des", "du", "en", "par"])
"""A label that begins so has lost its head to the cleaning."""
_LEAST_ATC: Final = 5
"""Shorter codes of ATC are groups, whose labels describe ("toniques")."""


@dataclass(frozen=True, slots=True)
class Term:
    """Words that carry a code.

    Args:
        capitals: whether it counts only where it is written in capitals (an abbreviation).
    """

    code: str
    terminology: Terminology
    text: str
    capitals: bool = False


def rows(name: str) -> Iterator[tuple[str, str]]:
    """What stands before the first tab and behind it, of each row of a table of this folder."""
    text = (files("dpdeid.evaluate.coding") / f"{name}.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            first, _, rest = line.partition("\t")
            yield first, rest


@cache
def aliases() -> tuple[Term, ...]:
    """The common wordings, abbreviations and eponyms that ship with the package."""
    found = []
    for dotted, wordings in rows("aliases"):
        code = undotted(dotted)
        kind = terminology_of(code)
        assert kind is not None, dotted
        found += [
            Term(code, kind, text, capitals=text.isupper() and len(text) <= 6)
            for text in wordings.split("|")
        ]
    return tuple(found)


def label_file(path: Path, terminology: Terminology) -> tuple[tuple[str, str], ...]:
    """(code, label) of a file: a code, a tab and a label a line, .gz or not; a heading may lead.

    Raises:
        UsageError: it cannot be read, a line holds no code, which is named, or none does.
    """
    opener = gzip.open if path.name.endswith(".gz") else open
    rows = []
    try:
        with opener(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                code, _, label = line.rstrip("\n").partition("\t")
                if _fits(undotted(code), terminology) and label:
                    rows.append((undotted(code), label))
                elif number > 1 and line.strip():
                    raise UsageError(f"{path}, line {number}: no {terminology} code, tab and label")
    except (*DAMAGED, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {type(error).__name__}") from None
    if not rows:
        raise UsageError(f"{path} holds no {terminology} code, tab and label")
    return tuple(rows)


def _fits(code: str, terminology: Terminology) -> bool:
    if terminology is Terminology.ATC:
        return re.fullmatch(r"[A-Z]\d\d(?:[A-Z]{1,2}(?:\d\d)?)?", code) is not None
    return terminology_of(code) is terminology


def needs_edsnlp() -> AbstractContextManager[None]:
    """A block that imports edsnlp; see `dpdeid.errors.extra`."""
    return extra("utility", "this coder needs edsnlp", instead=", or take the coder light")


def edsnlp_labels(terminology: Terminology) -> tuple[tuple[str, str], ...]:
    """(code, label) of the lists in the package `edsnlp` (BSD-3-Clause); none for CCAM.

    Raises:
        UsageError: edsnlp is not installed; names the extra.
    """
    with needs_edsnlp():
        folder = Path(str(files("edsnlp"))) / "resources"
    if terminology is Terminology.ICD10:
        with gzip.open(folder / "cim10.csv.gz", "rt", encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        return tuple((row["code"], row["long"]) for row in rows)
    if terminology is Terminology.ATC:
        drugs = json.loads((folder / "drugs.json").read_text(encoding="utf-8"))
        return tuple((code, name) for code, names in drugs.items() for name in names)
    return ()


def terms(labels: Iterable[tuple[str, str]], terminology: Terminology) -> Iterator[Term]:
    """The terms that stand in labels, cleaned. Of labels alike the shortest code keeps the term."""
    best: dict[str, Term] = {}
    for code, label in labels:
        if terminology is Terminology.ICD10 and code.startswith(_EXTERNAL):
            continue
        if terminology is Terminology.ATC and len(code) < _LEAST_ATC:
            continue
        text = cleaned(label)
        key = fold(text)
        if not _usable(key, terminology):
            continue
        held = best.get(key)
        if held is None or (len(code), code) < (len(held.code), held.code):
            best[key] = Term(code, terminology, text)
    yield from best.values()


def cleaned(label: str) -> str:
    """A label without brackets, editor's notes and "sans précision".

    >>> cleaned("Embolie pulmonaire, sans précision"), cleaned("Apnée (du sommeil) [SAS]")
    ('Embolie pulmonaire', 'Apnée')
    """
    text = " ".join(_NOISE.sub(" ", label).split())
    while (shorter := _ENDING.sub("", text)) != text:
        text = shorter
    return text.strip(" ,;:.")


def _usable(key: str, terminology: Terminology) -> bool:
    words = _WORD.findall(key)
    if len(words) != 1:
        return 1 < len(words) <= MOST_WORDS and words[0] not in _TAILS
    word = words[0]
    if len(word) < _LEAST_LETTERS or word.isdigit():
        return False
    taken = _NO_DISEASE if terminology is Terminology.ICD10 else _names_and_words()
    return word not in taken


@cache
def _names_and_words() -> frozenset[str]:
    """First names, and the 30,000 most frequent surnames and words."""
    surnames = {fold(name) for name in gazetteers.surname_list()}
    return frozenset({*gazetteers.first_names(), *surnames, *gazetteers.common_words()})
