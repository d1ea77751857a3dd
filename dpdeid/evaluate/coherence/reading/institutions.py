"""Institutions that bear the name of a town."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.evaluate.coherence.facts import At, Note, Town
from dpdeid.evaluate.coherence.reading.places import longest

_KINDS: Final = re.compile(
    r"(?<![\w-])(?P<k>CHRU|CHU|C\.H\.U\.|C\.H\.U|CHR|[Cc]entre [Hh]ospitalier"
    r"(?: [Rr]égional)?(?: (?:et )?[Uu]niversitaire| [Rr]égional)?|"
    r"CENTRE HOSPITALIER(?: RÉGIONAL| REGIONAL)?(?: UNIVERSITAIRE)?|[Hh]ôpital|"
    r"HÔPITAL|HOPITAL|Hopital|[Cc]linique|CLINIQUE|CHI|CHG|CH|EHPAD|[Mm]aternité|"
    r"chu|chru|ch|SAMU|SAU|[Hh]ôpitaux [Uu]niversitaires)"
    r"(?P<m>(?: (?!de |d['’])(?:[A-ZÀ-Ü][\w'’.-]+ ?){1,4}?)?)(?: (?:de |d['’]|DE |"
    r"D['’])| |, )(?P<t>[A-ZÀ-Üa-zà-ü][\w'’]+(?:[ -](?:[a-zé]{1,4}[ -]|"
    r"[ld]['’])*[A-ZÀ-Ü][\w'’]+)*)"
)


def institutions(note: Note) -> list[tuple[str, At, Town]]:
    """The institutions that bear the name of a town: kind, where, town."""
    found = []
    for match in _KINDS.finditer(note.text):
        start, end = match.span("t")
        if note.text[start].islower() and not match["k"].islower():
            continue
        town = longest(note.text, start, end)
        if town is not None and town.places[0].country in ("FR", "CH", "BE", "LU"):
            found.append((match["k"], match.span("k"), town))
    return found
