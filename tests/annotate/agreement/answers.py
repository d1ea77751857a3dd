"""Answers for tests, in a short form."""

from __future__ import annotations

from dpdeid.annotate.units import Answer, Marked, Unit

TEXT = "Vu par Anne Morel le 3 mai au CHU de Brest avec sa fille."


def unit(name: str, text: str = TEXT) -> Unit:
    return Unit(name, name.partition("#")[0], "letter", 0, text)


def mark(words: str, category: str, text: str = TEXT) -> Marked:
    start = text.index(words)
    return Marked(start, start + len(words), category)


NAME, DAY, SITE = mark("Anne Morel", "NOM"), mark("3 mai", "DATE"), mark("CHU de Brest", "ORG")
FIRST_NAME = mark("Anne", "NOM")


def said(who: str, *marked: Marked, of: str = "n#0", at: str = "", **more: object) -> Answer:
    return Answer(unit(of), who, marked=tuple(sorted(marked)), at=at, **more)  # type: ignore[arg-type]
