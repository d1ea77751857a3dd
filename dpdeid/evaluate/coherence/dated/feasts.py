"""Feasts and public holidays against dates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dpdeid.evaluate.coherence.cues import cue, table
from dpdeid.evaluate.coherence.facts import At, Clash, Event, Kind, Note
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.french.calendar import WEEKDAYS, easter, feast_names, holiday

_FULL: Final = "|".join(WEEKDAYS)


def _days(kind: str) -> dict[str, tuple[int, int]]:
    return {name: (int(month), int(day)) for of, name, month, day in table("feasts") if of == kind}


_LOCAL, _ABOLITION, _KEPT = map(_days, ("local", "abolition", "kept"))
"""Feasts of a country or region, with month and day; those of the end of slavery by where; and days
that a country keeps.
"""
_FORMS: Final = {name: form for kind, name, form, _ in table("feasts") if kind == "form"}
_FEASTS: Final = sorted(
    {n for n in feast_names() if not n.startswith((*cue("no_days_of_feasts").split("|"),))}
    | {*cue("saints").split("|"), "reveillon", "nouvel an"},
    key=len,
    reverse=True,
)


def _loose(name: str) -> str:
    """An expression for a feast as texts have it, with articles and hyphens."""
    return _FORMS.get(
        name,
        re.escape(name)
        .replace("saint\\ ", "(?:saint|st)e?[- ]")
        .replace("\\ ", "[ -](?:de |du |des |de la |l')?"),
    )


_FEAST: Final = re.compile(
    r"(?<![\w-])(?P<rel>(?:avant-veille|surlendemain|lendemain|veille) (?:de |du |d')(?:la |l')?)?"
    rf"(?:(?P<wd>{_FULL}) (?:de la |de l'|de |d'|du )?)?(?:le |la |l')?(?P<jour>jour "
    rf"(?:de |du |d')(?:la |l')?)?"
    r"(?P<f>(?:commemoration |"
    r"fete )?(?:[a-z]{4,15} )?(?:de )?l'abolition(?: [a-z]{4,15})? de l'esclavage"
    rf"(?: (?:en|a|a la|de|de la) [a-z]+)?|{'|'.join(map(re.escape, _LOCAL))}|"
    rf"{'|'.join(map(_loose, _FEASTS))}|(?:(?<=vendredi )|(?<=jeudi )|"
    rf"(?<=samedi ))saint|(?<=mardi )gras|(?<=mercredi )(?:des )?cendres"
    r"|armistice(?: (?:de )?1918)?|(?:jour )?ferie|(?:fete|victoire)(?: du)? 8 mai)(?![\w-])"
)
_CIVIL: Final = {(14, 7), (11, 11), (1, 5), (8, 5), (15, 8), (25, 12), (1, 1), (1, 11)}
_OTHER_DAY: Final = re.compile(
    r"\b(?:avant|apres|entre|vers|semaine|vacances|week-end|we|pont|periode|"
    r"autour|hors|sauf|jusqu'a)\b(?: [a-z']+){0,2} ?$"
)
_JOIN: Final = re.compile(
    r"(?: (?:19|20)\d\d)?[ ,:(=–-]{0,4}(?:(?:soit|donc|c'est-a-dire|cad|jour de|"
    r"le jour de|pour|de|a|"
    r"lors de|en|au matin de)? ?)(?:la |l'|le )?(?:le |du |ce )?[ ,:(]{0,2}"
)
_TWICE: Final = re.compile(r" ?\((?:le |soit (?:le )?)?$|, soit le $|, le $")


def feast_date(note: Note) -> Iterator[Clash]:
    """A feast or public holiday against the date beside it."""
    flat = note.flat
    for match in _FEAST.finditer(flat):
        at = match.span()
        if any(p.at[0] <= at[0] and at[1] <= p.at[1] for p in note.people):
            continue
        at = at[0] + (len(flat[slice(*at)]) - len(flat[slice(*at)].lstrip())), at[1]
        if _OTHER_DAY.search(note.before(at[0], 30)) or re.match(
            " (?:compris|inclus|except|non)", flat[at[1] :]
        ):
            continue
        for day in note.days:
            if not day.whole or not _beside(flat, at, day.at):
                continue
            wanted = _feast_days(match, day.first.year, flat)
            sure = day.year_told or len({(d.month, d.day) for d in wanted}) == 1
            if match["f"].endswith("ferie") and not day.year_told:
                continue
            if wanted and day.first not in wanted and sure:
                yield Kind.FEAST_DATE, at, day.at
                break
    yield from _in_line(note)
    for one, other in pairwise(note.days):
        civil = one.whole and not one.year_told and (one.first.day, one.first.month) in _CIVIL
        if not (civil and other.whole and one.first != other.first):
            continue
        if _TWICE.fullmatch(note.between(one, other)) and re.search("[a-z]", flat[slice(*one.at)]):
            yield Kind.FEAST_DATE, one.at, other.at


_TODAY_IS: Final = re.compile(
    r"\bferie|\bfermee?s?\b|\ben ce jour|\bc'est (?:la|le|l')|\ben pleine nuit|\beffectif|"
    r"\bofficine"
)


def _in_line(note: Note) -> Iterator[Clash]:
    """ "02/11 : jour férié (Armistice)", and what a note says of its own day."""
    flat = note.flat
    days = [d for d in note.days if d.whole and d.event is not Event.BIRTH]
    for match in _FEAST.finditer(flat):
        start, end = line_of(flat, match.start())
        cued = _TODAY_IS.search(flat[max(start, match.start() - 60) : min(end, match.end() + 40)])
        elsewhere = _OTHER_DAY.search(flat[start : match.start()])
        if not cued or elsewhere or match["f"].endswith("ferie"):
            continue
        near = [d for d in days if start <= d.at[0] < end]
        if not near and len({d.first for d in days}) == 1:
            near = days[:1]
        if len(near) != 1 or any(a <= near[0].at[0] < b for a, b in [match.span()]):
            continue
        wanted = _feast_days(match, near[0].first.year, flat)
        if wanted and all(abs((day - near[0].first).days) > 1 for day in wanted):
            at = match.start() + len(match[0]) - len(match[0].lstrip()), match.end()
            yield Kind.FEAST_DATE, at, near[0].at


def _beside(flat: str, feast: At, day: At) -> bool:
    if feast[0] <= day[0] < feast[1]:
        return False
    if day[0] >= feast[1]:
        return bool(_JOIN.fullmatch(flat[feast[1] : day[0]]))
    return bool(_JOIN.fullmatch(flat[day[1] : feast[0]]))


def _feast_days(match: re.Match[str], year: int, flat: str) -> tuple[dt.date, ...]:
    """The days that a feast may be in a year."""
    name = re.sub(r"['-]", " ", match["f"])
    if name.endswith("ferie"):
        moved = [easter(year) + dt.timedelta(n) for n in (-2, 1, 39, 50)]
        return (*moved, *(dt.date(year, *one) for one in _KEPT.values()))
    if "abolition" in name:
        told = [d for word, d in _ABOLITION.items() if word in name]
        told = told or [d for word, d in _ABOLITION.items() if word in flat]
        found = [dt.date(year, *one) for one in (told or [*_ABOLITION.values(), (5, 10)])]
    elif match["f"] in _LOCAL:
        found = [dt.date(year, *_LOCAL[match["f"]])]
    elif "8 mai" in name:
        found = [dt.date(year, 5, 8)]
    elif name.replace(" ", "").startswith("fetenationale"):
        found = [dt.date(year, *one) for one in ((7, 14), (7, 21), (8, 1), (6, 23))]
    else:
        words = " ".join(
            w
            for w in re.sub(r"\bst(e?)\b", "saint", name).split()
            if w not in ("de", "du", "des", "la", "l", "le", "1918")
        )
        words = words.replace("sainte ", "saint ")
        found = []
        if words in ("reveillon", "saint sylvestre"):
            found = [dt.date(year, 12, 24)] if words == "reveillon" else []
        weekday = match["wd"]
        rule = holiday(f"{weekday} {words}") if weekday else holiday(words)
        if rule is None:
            rule = holiday(words)
        if rule is None:
            return ()
        if weekday and words not in ("paques", "pentecote", "saint", "gras", "cendres", "paque"):
            rule = holiday(words) or rule
        day = rule.on(year)
        found.append(day)
        if words in ("paques", "pentecote", "paque") and weekday is None:
            found.append(day + dt.timedelta(1))
        if words.startswith(("aid", "kippour", "roch", "yom", "rosh")):
            found += [day + dt.timedelta(n) for n in (-2, -1, 1, 2)]
    relation = (match["rel"] or "").split(" ")[0]
    moved_by = {"veille": -1, "avant-veille": -2, "lendemain": 1, "surlendemain": 2}.get(
        relation, 0
    )
    return tuple(day + dt.timedelta(moved_by) for day in found)
