"""Of whom a clause speaks, when it is not the patient."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.french.titles import KIN_SEX

_KIN: Final = "|".join(
    sorted(KIN_SEX.keys() - {"patiente", "veuf", "veuve"}, key=len, reverse=True)
)
_OTHERS: Final = (
    rf"(?:{_KIN}|parents?|famill\w+|familia\w+|fratrie|jumeaux?|jumelles?|aine[e]?|cadet(?:te)?|"
    r"tiers|tut(?:eur|rice)|voisine?|amie?|accompagnante?|aidante?|donneu(?:r|se)|garcon|"
    r"nouveau-ne|bebe|(?:1er|2e|3e|2eme|3eme|premier|deuxieme|troisieme|leur|son|autre) enfant|"
    r"enfants)"
)
_LABEL: Final = re.compile(
    rf"[^a-z\n]*(?:(?:la|le|sa|son|les|ses|du|de la|d'un|nom d[ue] (?:la )?) ?)?"
    rf"(?:{_OTHERS}|personne (?:de confiance|a prevenir|a contacter)|contact|entourage|referent)\b"
)
_NAMED: Final = re.compile(rf"\b{_OTHERS}\b(?! (?:de|d') ?\d)")
_END: Final = re.compile(r"(?<=[a-z\d)]{2})[.;] |[!?;]|\n")


def clause_before(flat: str, at: int) -> str:
    """The words of a sentence before an offset."""
    start, _ = line_of(flat, at)
    return _END.split(flat[start:at])[-1]


def another(flat: str, at: int) -> bool:
    """Whether what stands at an offset is said of somebody else: its sentence names a relative, or
    its line begins with one as a label.
    """
    start, _ = line_of(flat, at)
    return bool(_LABEL.match(flat[start:at]) or _NAMED.search(clause_before(flat, at)))
