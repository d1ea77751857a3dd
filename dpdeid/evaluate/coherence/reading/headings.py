"""The date of a note: that of a letter, or that in the heading of another note."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.evaluate.coherence.facts import Day, Event
from dpdeid.evaluate.coherence.reading.flat import line_of

_LETTER_LINE: Final = re.compile(
    r"(?:(?!.{0,40}\b(?:autoris|sign|pour|rdv|sorti|entree?|oper|admis|revu|vu|"
    r"hospi|arret|pose|chute|bilan|biopsie|scanner|irm))[a-z'-]+"
    r"(?:[ -][a-z'-]+){0,4}(?: \([a-z' -]*\))?,? )?(?:le |ce )?(?:lundi |mardi |"
    r"mercredi |jeudi |vendredi |samedi "
    r"|dimanche )?\0[.,]?(?: a \d{1,2} ?[h:]\d{0,2})?"
)
_HEADED: Final = re.compile(
    r"(?:(?:^|[|(]|  |\t) ?(?:date(?: (?:du|de la|de l'|d') ?(?:courrier|document|"
    r"consultation|examen|cr|note|"
    r"compte[- ]rendu|visite|appel|jour))?|fait le|"
    r"(?:redige|dicte|signe)e? le|fait a [a-z' -]{2,30},? le|"
    r"(?:consultation|consult|cs|visite|note|"
    r"examen|hdj|rcp|garde|appel|transmissions?|passage|entretien|bilan|"
    r"compte[- ]rendu|cr|lettre|courrier)[a-z' ]{0,30} du)|"
    r"\b(?:aujourd'hui|ce jour|en date du|date du jour)[ ,:]{0,3}(?:le |soit le )?\(?)[ :]*$"
)


def is_letter(flat: str, day: Day) -> bool:
    """Whether a date stands where the day of the note does."""
    start, end = line_of(flat, day.at[0])
    before, behind = flat[start : day.at[0]], flat[day.at[1] : end]
    if re.search(r"\bne(?:e|\(e\))?\b|naiss|ddn", before):
        return False
    line = f"{before.strip()} \0{behind.strip()}".strip()
    if not flat[:start].strip() and re.fullmatch(
        r"(?!.*\b(?:entree?|admis|oper|nee?|sorti|hospi|dece|mort|prelev|interv|chut|revue?\b|"
        r"vue?\b|recue?\b|"
        r"pose|depuis|mari|malaise|avp|debut|fin|dernier|bloc|arret|tombe|accident|rdv|"
        r"acct|accouch|naiss|pt[hg]\b|greff|stent|cesar|vaccin|sonde|biopsi|ponction|irm|scanner|"
        r"mise?|retrait|retir|ablation|extub|intub|prochain|control|seance|du|au|permission|pour|"
        r"jour|brulure|garde))"
        r"(?:(?:[a-z' -]{2,30},? )?(?:le )|(?:[a-z' -]{2,30}, )?)(?:\w+di )?",
        before.strip() + " " if before.strip() else "",
    ):
        return True
    head = _HEADED.search(before)
    late = flat.count("\n", 0, start) > 5 and not re.search(r"\b(?:date|fait|[a-z]+e le)\b", before)
    return bool(_LETTER_LINE.fullmatch(line) or (head and not late))


_ANOTHER_DAY: Final = re.compile(
    r"\b(?:entre\w*|admi[st]\w*|oper\w*|nee?|sorti\w*|hospi\w*|deces|decede\w*|mort|prel\w+|"
    r"(?<!appel )(?<!telephonique )recue?s?|"
    r"interv\w*|chut\w*|"
    r"pose\w*|depuis|rdv|rendez|prev\w*|ddn|naiss\w*|acct|accouch\w*|greff\w*|retrait|depart|"
    r"accident|avp|"
    r"debut|fin|arret\w*|jusqu\w*|du|au|valable|valid\w*|ordonnance|convoc\w*|prochain\w*|mariage|"
    r"irm|scanner|biops\w*|mise|bloc)\b"
)
_SIGNS_BEFORE: Final = re.compile(
    r"(?:^|[-–—:,(|/•=]|  | le| du| en| fait| recu le| envoye :?)[ ]?$"
)


def heads(flat: str, day: Day, event: Event) -> bool:
    """Whether a date stands in one of the first lines as that of a note: "Bilan - 18/11/2024"."""
    start, end = line_of(flat, day.at[0])
    lines = [line for line in flat[:start].split("\n") if line.strip()]
    before, behind = flat[start : day.at[0]], flat[day.at[1] : end]
    if re.search(r"\b(?:a|est|sera|il|elle|ete|avait|etait)\b", before):
        return False
    if len(lines) > 2 or day.first.year < 1996 or (day.last - day.first).days > 31:
        return False
    clause = re.split(
        r"[-–—:,(|]", re.sub(r"(?:\b(?:le|du) ?)?[ |(:–—-]+$|\b(?:le|du) ?$", "", before)
    )[-1]
    if _ANOTHER_DAY.search(clause) or re.match(r" ?(?:au|-|–|\)?,? ?\d\d? ?ans)\b", behind):
        return False
    told = event in (Event.NONE, Event.SEEN)
    return bool(_SIGNS_BEFORE.search(before)) and told and not re.search(r"\d[/.]\d", before)
