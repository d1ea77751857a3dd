"""Texts made to be slow: `build(name, n)` gives about `n` characters of a hostile kind.

One unit, repeated. Every unit is a start that some expression would like to go on from.
"""

from __future__ import annotations

from typing import Final

UNITS: Final = {
    "letter": "a",
    "capital": "A",
    "digit": "1",
    "zero": "0",
    "space": " ",
    "newline": "\n",
    "tab": "\t",
    "dot": ".",
    "at": "@",
    "hyphen": "-",
    "slash": "/",
    "colon": ":",
    "apostrophe": "'",
    "bracket": "(",
    "plus": "+",
    "underscore": "_",
    "combining": "e\u0301",
    "accent": "é",
    "emoji": "📞",
    "dates": "1/1/",
    "spaced digits": "0 ",
    "spaced ones": "1 ",
    "pairs": "06 ",
    "dotted letters": "a.",
    "dotted capitals": "A.",
    "dotted digits": "1.",
    "letter digit": "a1",
    "capital digit": "A1-",
    "addresses": "a@",
    "addresses with dots": "a.b@c.",
    "hosts": "www.",
    "schemes": "http://",
    "colons and digits": "1:",
    "titles": "Mme ",
    "doctors": "Dr A ",
    "names": "Jean Martin ",
    "hyphenated names": "Jean-",
    "streets": "rue ",
    "street numbers": "12 rue de la ",
    "services": "service de ",
    "hospitals": "CHU de ",
    "postal codes": "75001 ",
    "stays": "séjour : ",
    "numbers": "n° ",
    "patient numbers": "IPP n° ",
    "far patient numbers": "IPP du dossier de la ",
    "lots": "lot A ",
    "exams": "scanner n",
    "telephones": "tél : 0",
    "faxes": "fax ",
    "extensions": "poste 1 ",
    "social": "NIR 1 85 ",
    "spoken": "zéro ",
    "spoken address": "jean point ",
    "months": "12 mars ",
    "years": "2019-",
    "hours": "12h",
    "ages": "ans ",
    "born": "né le ",
    "html": "&nbsp;",
    "tags": "<td>",
    "empty cells": " | ",
    "mixed": "M. 0@a.fr/1-2'é(\n",
}
NAMES: Final = tuple(UNITS)


def build(name: str, length: int) -> str:
    """`length` characters of the hostile text `name`."""
    unit = UNITS[name]
    return (unit * (length // len(unit) + 1))[:length]
