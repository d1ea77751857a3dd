"""Stated distances in time, lengths and ages of life against dates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.dated.ages import OF_OTHERS, OTHERS, age_on
from dpdeid.evaluate.coherence.facts import Clash, Day, Event, Kind, Note
from dpdeid.evaluate.coherence.reading.flat import line_of, sentence_before
from dpdeid.french.distances import Distance, told_before

_SINCE: Final = f"(?:{cue('since')})"
_N: Final = (
    r"(?:environ |pres de |plus de |deja |exactement )?(?P<n>\d{1,3}) ?(?P<u>ans?|annees?|mois|"
    r"semaines?|sem|jours?|j)\b"
)
_AGO: Final = re.compile(
    rf"\b(?P<s>{_SINCE}) {_N}|(?P<s2>(?<=\()|(?<=soit ))"
    rf"{_N.replace('?P<n>', '?P<n2>').replace('?P<u>', '?P<u2>')}"
    rf"(?= d'evolution| de suivi| de mariage)"
)
_AGO_JOIN: Final = re.compile(
    r"[ ,:(]{0,3}(?:(?:soit|donc|depuis|exactement|c'est-a-dire|(?:decouvert|"
    r"diagnostique|apparu|pose|debute|opere|survenu|revele|operee|commence|"
    r"implante)e?s?|debut|datant de) )?(?:le |en |du |des |au |depuis |debut |fin |"
    r"mi-?)?(?:\w{3,9}day )?[ (]?(?:(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|"
    r"dimanche) )?"
)
_AGO_BACK: Final = re.compile(
    r"[ ,:()]{0,3}(?:(?:(?:soit|donc|c'est-a-dire|a savoir|et ce|ce qui fait)(?: [a-z'-]+){0,4}"
    r"|c'etait|operee? ?|deja|c'est) ?)?[ (,]{0,2}"
)


_AGO_BRACKET: Final = re.compile(
    r"(?: [a-z'-]+){0,6},? ?(?:\((?:[a-z]+ ){0,2}(?:le |en |du |date )?|(?:soit|c'etait) (?:en |"
    r"le )?)"
)


def ago_date(note: Note) -> Iterator[Clash]:
    """A stated distance or age of life against the date beside it."""
    yield from _ago(note)
    if note.today is not None:
        yield from _ahead(note, note.today)
    yield from _at_age(note)
    yield from _lasting(note)
    yield from _reach(note)
    yield from _counted_days(note)
    yield from _last_week(note)
    yield from _found_at(note)
    yield from _widowed(note)


_LAST: Final = re.compile(
    r"\b(?P<w>la semaine derniere|le mois dernier|l'an dernier|l'annee derniere|"
    r"il y a quelques jours|"
    r"avant-hier|hier(?: soir| matin)?|ce matin|il y a une semaine|(?:la semaine|"
    r"le mois) passee?),? "
    r"(?:soit )?\(?(?:en |le |du )?(?:\w+di )?"
)
_REACHES: Final = {
    "la semaine": (1, 16), "le mois": (5, 65), "l'an": (30, 740), "l'annee": (30, 740),
    "il y a quelques": (1, 25), "avant-hier": (1, 3), "hier": (0, 2), "ce matin": (0, 1),
    "il y a une": (4, 11),
}  # fmt: skip


def _last_week(note: Note) -> Iterator[Clash]:
    """ "la semaine dernière, le 04/01" in a note of March: days that the words may mean."""
    if note.today is None:
        return
    for match in _LAST.finditer(note.flat):
        day = next((d for d in note.days if d.at[0] == match.end()), None)
        if day is None or day.at == note.today.at:
            continue
        low, high = next(r for words, r in _REACHES.items() if match["w"].startswith(words))
        near, far = (note.today.first - day.last).days, (note.today.last - day.first).days
        if not (near <= high and low <= far):
            yield Kind.AGO_DATE, match.span("w"), day.at


_FOUND: Final = re.compile(
    r"(?P<t>[a-z]{5,})(?: [a-z']+){0,2} (?:decouvert|diagnostique|apparu|revele|"
    r"connu)e? a l'age de (?P<n>\d{1,2}) ans"
)
_DIAGNOSED: Final = re.compile(
    r"\b(?:diagnostic (?:pose|porte|fait|initial)|decouverte) (?:en |le )?$"
)


def _found_at(note: Note) -> Iterator[Clash]:
    """ "découvert à l'âge de 12 ans … diagnostic posé en 2019" of somebody born in 1958."""
    births = note.births()
    for match in _FOUND.finditer(note.flat) if len(births) == 1 else ():
        for day in note.days:
            if not _DIAGNOSED.search(note.before(day.at[0], 40)):
                continue
            low, high = age_on(births[0].last, day.first), age_on(births[0].first, day.last)
            if not low - 1 <= int(match["n"]) <= high + 1:
                yield Kind.AGO_DATE, match.span("n"), day.at


_WIDOWED: Final = re.compile(r"\bveu(?:f|ve) depuis (?P<n>\d{1,2}) (?P<u>ans?|mois)\b")
_SPOUSE: Final = re.compile(r"\b(?:mari|epoux|epouse|femme|conjointe?|compagn\w+)\b[^.;]{0,40}$")


def _widowed(note: Note) -> Iterator[Clash]:
    """ "Veuf depuis 2 ans … son épouse, décédée en 2011"."""
    for match in _WIDOWED.finditer(note.flat) if note.today else ():
        for day in note.days:
            spouse = _SPOUSE.search(note.before(day.at[0], 70))
            told = day.event is Event.DEATH and spouse and note.today
            if told and not _fits(int(match["n"]), match["u"], day, told.first):
                yield Kind.AGO_DATE, match.span(), day.at


def _ago(note: Note) -> Iterator[Clash]:
    """A distance before the day of the note or, if it is not told, before any of its dates."""
    dated = [d for d in note.days if d.whole and d.year_told and d.event is not Event.BIRTH]
    todays = [note.today] if note.today else dated
    flat = note.flat
    for match in _AGO.finditer(flat):
        number, unit = match["n"] or match["n2"], match["u"] or match["u2"]
        amount = int(number)
        for day in note.days:
            others = [today for today in todays if today.at != day.at]
            if day.event is Event.BIRTH or not others:
                continue
            if day.at[0] >= match.end():
                gap = flat[match.end() : day.at[0]]
                again = match["s"] in ("il y a", "y a") and _AGO_BRACKET.fullmatch(gap)
                near = bool(again or _AGO_JOIN.fullmatch(gap)) and match["s"] is not None
            else:
                gap = flat[day.at[1] : match.start()]
                told = match["s"] is not None or "(" in gap or "soit" in gap
                near = told and bool(_AGO_BACK.fullmatch(gap))
            if near and not any(_fits(amount, unit, day, today.first) for today in others):
                yield Kind.AGO_DATE, match.span(), day.at
                break


def _fits(amount: int, unit: str, day: Day, today: dt.date) -> bool:
    """Whether so long before today is that day, as people round: a twelfth, or about a unit."""
    size = {"a": 365.25, "m": 30.44, "s": 7.0, "j": 1.0}[unit[0]]
    loose = {"a": 1.0, "m": 0.8, "s": 0.75, "j": 1.0}[unit[0]]
    near, far = (today - day.last).days / size, (today - day.first).days / size
    slack = max(loose, amount / 12)
    if unit[0] == "a" and day.whole:
        slack = max(0.95, amount / 12)
    return near - slack <= amount <= far + slack


def _ahead(note: Note, today: Day) -> Iterator[Clash]:
    """ "dans 6 semaines, le …" and the other phrases of `distances.tsv` counted from the note."""
    for day in note.days:
        sure = day.year_told or abs((day.first - today.first).days) <= 150
        if not day.whole or day.at == today.at or not sure:
            continue
        line = note.before(day.at[0], 60)
        told: Distance | None = told_before(line)
        if told is None or told.since not in ("note", "date") or told.named:
            continue
        if told.least == told.most == 0 or re.search(r"il y a|depuis", line[-35:]):
            continue
        base = today
        if told.since == "date":
            earlier = [d for d in note.days if d.at[1] <= day.at[0] and d.event is not Event.BIRTH]
            gap = note.flat[earlier[-1].at[1] : day.at[0]] if earlier else ""
            if not earlier or not earlier[-1].whole or len(gap) > 90 or re.search(r"[.\n]", gap):
                continue
            base = earlier[-1]
        away = (day.first - base.first).days
        slack = 1 + abs(told.most) // 7 if abs(told.most) > 6 else 1
        if not told.least - slack <= away <= told.most + slack:
            start = day.at[0] - min(30, len(line))
            yield Kind.AGO_DATE, (start, day.at[0]), day.at


_LIFE: Final = re.compile(
    r"\b(?P<c>a l'age de|a|age[e]? (?:alors )?de|vers|des l'age de|avait(?: alors)?) "
    r"(?P<n>\d{1,2}) ?ans\b|\((?:a )?(?P<n2>\d{1,2}) ans\)"
)


_LIFE_NEAR: Final = (
    re.compile(r"[ ,(]{0,3}(?:soit )?(?:en |le |depuis |fin |debut )?[ (]?"),
    re.compile(r"[ ,(]{1,3}(?:soit |donc |alors )?"),
)
_LIFE_FAR: Final = (
    re.compile(r"[ ,(]{0,3}(?:(?:soit|[a-z'-]+) ){0,6}(?:en |le |depuis |fin |debut |\()[ (]?"),
    re.compile(r"(?:[ ,:)]{1,3}[a-z'-]+){0,9}[ ,(:]{1,3}"),
)
"""What may stand between an age of life and its date, behind it and before it."""


def _at_age(note: Note) -> Iterator[Clash]:
    birth, flat = note.birth(), note.flat
    if birth is None:
        return
    for match in _LIFE.finditer(flat):
        age = int(match["n"] or match["n2"])
        sentence = sentence_before(flat, match.start())
        if OF_OTHERS.search(sentence) or OTHERS.search(sentence):
            continue
        fits, strange = list[Day](), list[Day]()
        for day in note.days:
            if day.event in (Event.BIRTH, Event.LETTER, Event.HEAD) or not day.year_told:
                continue
            after = day.at[0] >= match.end()
            gap = flat[match.end() : day.at[0]] if after else flat[day.at[1] : match.start()]
            far = (match["c"] or "").startswith(("a l'age", "des", "avait"))
            form = (_LIFE_FAR if far else _LIFE_NEAR)[not after]
            joined = form.fullmatch(gap) and not re.search(r"\bprev|\bprogramm", gap)
            if not joined:
                continue
            if match["n2"] and note.today and _fits(age, "ans", day, note.today.first):
                continue
            low, high = age_on(birth.last, day.first), age_on(birth.first, day.last)
            near = low - 1 < age < high + 1 if day.whole else low - 1 <= age <= high + 1
            (fits if near else strange).append(day)
        if strange and not fits:
            yield Kind.AGO_DATE, match.span(), strange[0].at


_SPAN: Final = re.compile(
    rf"[ ,:(]{{1,4}}(?:soit |pour une duree de |pendant |duree(?: totale)?(?: de)? ?:? ?)?{_N}"
)


_SPAN_BEFORE: Final = re.compile(rf"{_N}(?: d[e'] ?[a-z]+(?: [a-z]+)?)?,? ?[:(]? ?(?:soit )?du $")


def _lasting(note: Note) -> Iterator[Clash]:
    """A stated length against both ends: "du 12/03 au 15/03 (10 jours)"."""
    flat = note.flat
    for one, other in pairwise(note.days):
        joined = re.fullmatch(r" ?(?:au|jusqu'au|->|→|-) ?", note.between(one, other))
        if not (one.whole and other.whole and joined):
            continue
        before = _SPAN_BEFORE.search(note.before(one.at[0], 60))
        if before and one.year_told >= other.year_told and before["u"][0] in "js":
            length = int(before["n"]) * (7 if before["u"][0] == "s" else 1)
            between, loose = (other.first - one.first).days, 3 if before["u"][0] == "s" else 2
            if between >= 0 and not between - loose <= length <= between + loose:
                start = max(0, one.at[0] - 60)
                yield Kind.AGO_DATE, (start + before.start("n"), start + before.end("u")), other.at
                continue
        match = _SPAN.match(flat, other.at[1])
        if match is None or (one.year_told != other.year_told and not other.year_told):
            continue
        told = re.match(r" ?[,(]| soit", flat[other.at[1] : other.at[1] + 5])
        if not told or match["u"][0] not in "js":
            continue
        amount = int(match["n"])
        between = (other.first - one.first).days
        if match["u"][0] == "s":
            if not 7 * amount - 4 <= between <= 7 * amount + 4:
                yield Kind.AGO_DATE, match.span(), other.at
        elif between >= 0 and not between - 2 <= amount <= between + 2:
            yield Kind.AGO_DATE, match.span(), other.at


_REACH: Final = re.compile(
    rf"\b(?:recul|anciennete|delai|suivi|duree d'evolution|evolution)\b[^|\n:;]{{0,40}}[:|] ?{_N}"
)


def _reach(note: Note) -> Iterator[Clash]:
    """A field "recul au … : 5 ans" against the date of its row."""
    for match in _REACH.finditer(note.flat):
        start, _ = line_of(note.flat, match.start())
        inside = [d for d in note.days if match.start() <= d.at[0] < match.end()]
        base = next(iter(inside), note.today)
        before = [d for d in note.days if start <= d.at[0] < match.start() and d != base]
        if base is None or not before or before[-1].event is Event.BIRTH:
            continue
        if not _fits(int(match["n"]), match["u"], before[-1], base.first):
            yield Kind.AGO_DATE, match.span("n"), before[-1].at


_COUNTED: Final = re.compile(
    r"\b(?:soit|donc|ce jour|aujourd'hui|nous sommes|on est|ce matin|a|:|actuellement)[ ,]{1,2}"
    r"(?:a )?(?P<j>j ?\+? ?(?P<n>\d{1,3}))(?!\d| ?[,-] ?j| (?:du|de|d'|des) ?(?!l'inter|l'oper|"
    r"la chir|chir|post))\b|\((?:soit )?(?P<k>j ?\+? ?(?P<m>\d{1,3}))"
    r"(?= post| de|\))"
)
_PLANNED: Final = re.compile(r"\b(?:rdv|revoir|prevue?s?|controle|jusqu)\b")


def _counted_days(note: Note) -> Iterator[Clash]:
    """ "Opéré le 06/05, soit J14" against the days of its line and of the note."""
    for match in _COUNTED.finditer(note.flat):
        group, count = ("j", match["n"]) if match["j"] else ("k", match["m"])
        start, end = line_of(note.flat, match.start())
        near = [d for d in note.days if start <= d.at[0] < end and d.whole]
        near = [d for d in near if d.event is not Event.BIRTH]
        acts = [d for d in near if d.event in (Event.ACT, Event.ENTRY, Event.NONE)]
        acts = [d for d in acts if d.at[1] <= match.start() and d.past and d != note.today]
        operated = [d for d in note.days if d.event is Event.ACT and d.whole and d.past]
        if not acts and len(operated) == 1 and re.match(r"aujourd'hui|ce jour|ce matin", match[0]):
            acts, near = operated, [*near, *operated]
        ends = [d for d in (*near, note.today) if d is not None]
        if note.today is not None and acts and acts == [d for d in acts if d in operated]:
            ends = [note.today]
        if match[0].startswith("a ") and acts and acts[-1].event is not Event.ACT:
            continue
        if not acts or len({d.at for d in (*ends, *acts)}) < 2:
            continue
        if _PLANNED.search(note.flat[start : match.start()]):
            continue
        if not any(-1 <= (b.first - a.first).days - int(count) <= 1 for a in near for b in ends):
            yield Kind.AGO_DATE, acts[-1].at, match.span(group)
