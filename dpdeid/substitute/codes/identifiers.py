"""Numbers and codes: a keyed surrogate of the same shape, with the check digits of its kind.

One code of a record gets one surrogate whatever its separators and case; two codes get two. The
draw depends on the key, the unit and the code alone, so a later note of the patient gets the same
surrogate. Codes are pseudonyms: there is no ε. A NIR tells sex, birth month and department, a NISS
and a Luxembourg number the birth date, a FINESS number the department: these derive from surrogates
(the department of a NIR from the town of birth, where one is told; the birth of a relative from the
patient's, `relatives`) or are drawn; the sex is kept,
as surrogate names keep their gender, and where no town of birth is told whether it was abroad,
overseas, in Corsica or on the mainland, as places keep their list.

A mention may hold more than one code. Words of a public list that say what a number is ("IRM",
"lot") stay. What is written like a day or a year ("20230314-17", "2024/471") becomes a released day
of its note, whichever it was, and a number in words one in words. What lies between is a code each.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from typing import ClassVar, Final, Literal, NamedTuple

from dpdeid.document import Document, Mention, Record, Surrogate, text_before, text_between
from dpdeid.french import numerals
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.codes.number_kinds import (
    ABROAD,
    KEY,
    NIR,
    NIR_FORM,
    RULES,
    birth_list,
    code_of,
    is_nir,
    kind_of,
)
from dpdeid.substitute.codes.relatives import birth_of_relative, years_older
from dpdeid.substitute.people.addresses import logins
from dpdeid.substitute.places.earlier import EarlierPlaces
from dpdeid.substitute.places.rendering import AWAY
from dpdeid.substitute.pseudonyms import (
    PSEUDONYM,
    EarlierBirths,
    EarlierDays,
    canonical,
    first_free,
    keyed,
    lay_over,
    like_case,
    redraw,
)

IDENTIFIERS: Final = (
    Label.PATIENT_ID,
    Label.VISIT_ID,
    Label.ORDER_ID,
    Label.SSN,
    Label.PROVIDER_ID,
    Label.OTHER_ID,
)


_DIGIT: Final = re.compile(r"[^\W_]")
_FEWEST: Final = 4
"""Digits of a number that may be filled with zeros."""
_APART: Final = 12
"""Characters that may stand between a NIR and its key."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Redraws codes digit for digit and letter for letter, keyed by the code.

    Args:
        labels: the labels it serves.
    """

    name: ClassVar[str] = "identifiers"
    needs: ClassVar[tuple[str, ...]] = ("dates", "places", "people")

    labels: tuple[Label, ...] = IDENTIFIERS

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        named = {s.mention: s for s in logins(self.name, mentions, record, context)}
        yield from named.values()
        mentions = [mention for mention in mentions if mention not in named]
        days = EarlierDays(context)
        read = [(mention, [*_parts(mention, dated=days.any)]) for mention in mentions]
        parts = [part for _, here in read for part in here]
        drawn: _Drawn = {}
        for mention, part in [(m, p) for m, here in read for p in here if p.kind == "day"]:
            name = (self.name, "day", canonical(mention.text), part.mention.text)
            drawn[part.mention] = context.memory.once(partial(part.dated, days), *name) or "", ()
        drawn |= self._spelt([p.mention for p in parts if p.kind == "spelt"], context)
        drawn |= self._codes([p.mention for p in parts if p.kind == "code"], record, context)
        for mention, here in read:
            given = [(part.mention, *drawn[part.mention]) for part in here if part.mention in drawn]
            if len(given) == len(here) > 0:
                costs = dict.fromkeys(cost for *_, its in given for cost in its)
                text = _joined(mention, [(part, new) for part, new, _ in given])
                yield Surrogate(mention, text, self.name, tuple(costs))

    def _spelt(self, parts: Sequence[Mention], context: Context) -> _Drawn:
        """Numbers in words, each with as many digits."""
        drawn: _Drawn = {}
        for part in parts:
            words = " ".join(_WORD.findall(fold(part.text)))
            stream, cost = keyed(context.streams, f"{self.name} spelt", self.name, "spelt", words)
            free = partial(first_free, partial(_spelt, words, stream), words, (), alike=True)
            if new := context.memory.once(free, self.name, "spelt", words):
                drawn[part] = like_case(new, part.text), (cost,)
        return drawn

    def _codes(self, parts: Sequence[Mention], record: Record, context: Context) -> _Drawn:
        found: _Drawn = {}
        groups: dict[str, list[Mention]] = defaultdict(list)
        keys = _lone_keys(parts)
        for part in parts:
            code = code_of(keys.get(part, part))
            own = code[:NIR] if is_nir(code, part.label) else code  # without its key
            groups[own].append(part)
        for filled in [code for code in groups if code.startswith("0")]:
            own = _unfilled(filled, groups[filled])
            if own != filled:
                groups[own] = [*groups.pop(filled), *groups.get(own, ())]
        places, births = EarlierPlaces(context), EarlierBirths(context)
        kinds = {code: kind_of(code, groups[code]) for code in groups}
        birthplace = _birthplace(record, context) if "nir" in kinds.values() else None
        kin = births.first is not None and Label.KINSHIP in context.kept
        notes = context.public(record.documents) if kin else ()
        taken, drawn_ones = set(groups), set[str]()
        # in text order where a code tells a birth or a place, since its digits must not
        for code in sorted(groups, key=lambda one: "" if RULES[kinds[one]].own else one):
            kind = kinds[code]
            rule = RULES[kind]
            birth = births.of(code[rule.year]) if rule.year else None
            area = _area(places.nearest(groups[code][0]), rule.country) if rule.country else None
            kept = rule.kept(code)
            if kind == "nir" and birthplace:
                area, kept = birthplace, kept[0] + birth_list(birthplace)
            stream, cost = keyed(context.streams, f"{self.name} {kind}", self.name, kind, code)
            older = _years_older(groups[code], notes) if rule.year and notes else None
            if births.first and older is not None and not (birth and births.are_printed):
                birth = birth_of_relative(births.first, older, context.e0, stream)
            draw = partial(rule.draw, kept, stream, birth, area)
            others = drawn_ones if rule.own else taken
            free = partial(first_free, draw, code, others, own=rule.own or rule.drawn)
            drawn = context.memory.once(free, self.name, kind, code)
            if drawn is None:
                continue
            taken.add(drawn)
            drawn_ones.add(drawn)
            for part in groups[code]:
                shown = drawn[NIR:] if part in keys else drawn
                shown = shown.zfill(sum(map(str.isalnum, part.text)) * (kind == "code"))
                found[part] = _laid(shown, part), (cost,)
        return found

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


_Drawn = dict[Mention, tuple[str, tuple[Charge, ...]]]
"""What stands for each part, and what its draw cost."""

_KEPT: Final = frozenset(words_by_key("code_words")["word"])
"""Folded words that say what a number is, and not whose."""
_PERSONAL: Final = (Label.SSN, Label.PROVIDER_ID)
"""Whose digits are a code as a whole, whatever they look like."""
_PLATE: Final = re.compile(r"[A-Z]{2}[ -]?\d{3}[ -]?[A-Z]{2}")
_DAY: Final = r"(?:0[1-9]|[12]\d|3[01])"
_MONTH: Final = r"(?:0[1-9]|1[0-2])"
_YEAR: Final = r"(?:19|20)\d\d"
_DATED: Final = re.compile(
    rf"(?<!\d)(?:{_YEAR}(?P<mark>[-/.]?){_MONTH}(?P=mark){_DAY}"
    rf"|{_DAY}(?P<sign>[-/.]?){_MONTH}(?P=sign){_YEAR})(?!\d)"
    rf"|(?<!\d)[0-3]\d{_MONTH}{_DAY}(?!\d)"
    rf"|(?<![^\W_]){_YEAR}(?=[-/_.]\w)|(?<=[-/_.]){_YEAR}(?=[-/_.]\w|\Z)"
)
"""What is written like a day, its year first or last, or like a year beside a separator."""
_YEAR_FIRST: Final = re.compile(rf"{_YEAR}([-/.]?){_MONTH}\1{_DAY}")
_FIELDS: Final = re.compile(r"[\^~;\t]")
"""What separates the fields of an exported row."""
_NUMERAL: Final = f"(?:{'|'.join(sorted(numerals.WORDS, key=len, reverse=True))})"
_SPELT: Final = re.compile(rf"(?<!\w){_NUMERAL}(?:[ -](?:et[ -])?{_NUMERAL})*(?!\w)")
_WORD: Final = re.compile(r"[^\W\d_]+")


_Kind = Literal["code", "day", "spelt", ""]
_Cut = tuple[int, int, _Kind]


def _spelt(words: str, stream: Stream) -> str:
    """Another number of as many digits in words."""
    digits = len(str(numerals.read(words.split(" "))))
    return numerals.spell(int(redraw("9" * digits, stream)))


class _Part(NamedTuple):
    """A stretch of a mention that is replaced as one.

    Args:
        mention: the same, with that stretch alone.
    """

    kind: _Kind
    mention: Mention

    def dated(self, days: EarlierDays) -> str:
        """A released day of the note, written as the stretch is: its year first, last or alone."""
        text, day = self.mention.text, days.nearest(self.mention) or dt.date.min
        if len(text) == 4:
            return f"{day:%Y}"
        if len(text) == 6:
            return f"{day:%y%m%d}"
        mark = "" if text.isdecimal() else next(c for c in text if not c.isdecimal())
        return mark.join(f"{day:%Y %m %d}".split()[:: 1 if _YEAR_FIRST.fullmatch(text) else -1])


def _parts(mention: Mention, *, dated: bool) -> Iterator[_Part]:
    """The parts of a mention; the words between them stay.

    Args:
        dated: whether what is written like a day is one.
    """
    done = 0
    size = len(mention.text)
    for start, end, kind in (*_cuts(mention, dated=dated), (size, size, "")):
        if any(map(str.isalnum, mention.text[done:start])):
            yield _Part("code", _stretch(mention, done, start))
        if kind:
            yield _Part(kind, _stretch(mention, start, end))
        done = end


def _cuts(mention: Mention, *, dated: bool) -> list[_Cut]:
    """Where a mention holds what is no code: start, end, and whether a word that stays (""), a day
    or a number in words.
    """
    text = mention.text
    if _PLATE.fullmatch(text):
        return []
    cuts: list[_Cut] = [(*mark.span(), "") for mark in _FIELDS.finditer(text)]
    cuts += [(*word.span(), "") for word in _WORD.finditer(text) if fold(word[0]) in _KEPT]
    if dated and mention.label not in _PERSONAL:
        cuts += [(*day.span(), "day") for day in _DATED.finditer(text)]
    folded = fold(text)
    for run in _SPELT.finditer(folded) if len(folded) == len(text) else ():
        if numerals.read(_WORD.findall(run[0])) is not None:
            cuts.append((*run.span(), "spelt"))
    cuts.sort()
    return cuts


def _stretch(mention: Mention, start: int, end: int) -> Mention:
    """The mention of a stretch of a mention, without what is no letter or digit at its ends."""
    text = mention.text[start:end]
    inner = [at for at, character in enumerate(text, start) if character.isalnum()]
    start, end = inner[0], inner[-1] + 1
    first = mention.span.start
    span = replace(mention.span, start=first + start, end=first + end)
    return mention._replace(span=span, text=mention.text[start:end])


def _joined(mention: Mention, parts: Sequence[tuple[Mention, str]]) -> str:
    """The text of a mention with its parts replaced."""
    pieces, done = [], 0
    for part, new in parts:
        start = part.span.start - mention.span.start
        pieces += [mention.text[done:start], new]
        done = start + len(part.text)
    return "".join([*pieces, mention.text[done:]])


_BORN: Final = re.compile(r"(?:\bn[ée]e?(?:\(e\))?|naissance)\W+(?:(?:à|au|aux|en)\W+)?\Z", re.I)
_THERE: Final = re.compile(r"\W*(?:à|au|aux|en|\()\W*", re.I)
_BEFORE: Final = 40
"""Characters before a town that are looked at."""
_NEAR: Final = 4
"""Characters between a town and its country."""


def _unfilled(code: str, mentions: Sequence[Mention]) -> str:
    """A number without the zeros that fill it, "83417" of "0083417", if nothing else is known of it
    and four digits at least remain.
    """
    own = code.lstrip("0")
    if not code.isdigit() or len(own) < _FEWEST or kind_of(code, mentions) != "code":
        return code
    return own if kind_of(own, mentions) == "code" else code


def _birthplace(record: Record, context: Context) -> str | None:
    """The department of the surrogate of the first town in which somebody is said to be born ("née
    le … à"), 99 if it lies abroad: by its list, or by a country behind it anywhere.
    """
    placed = dict(context.values(Label.CITY))
    every = context.mentions
    away = {
        town.text
        for town, land in pairwise(every)
        if town in placed and land.label is Label.COUNTRY
        if text_between(record.documents, town, land, _NEAR) is not None
    }
    for previous, town in zip((None, *every), every, strict=False):
        place = placed.get(town)
        if not isinstance(place, Place):
            continue
        between = text_between(record.documents, previous, town, _BEFORE) if previous else None
        born = previous is not None and previous.label is Label.BIRTH_DATE
        if between is None:
            told = _BORN.search(text_before(record.documents, town, _BEFORE))
        else:
            told = _BORN.search(between) or (_THERE.fullmatch(between) if born else None)
        if told:
            is_away = town.text in away or place.precision == AWAY
            return ABROAD if is_away else _area(place, "FR") or ABROAD
    return None


def _years_older(mentions: Sequence[Mention], documents: Sequence[Document]) -> int | None:
    """How much older than the patient the relative usually is whose number stands there, by the
    first mention that tells; None if none does.
    """
    told = (years_older(mention, documents) for mention in mentions)
    return next((years for years in told if years is not None), None)


def _area(place: Place | None, country: str) -> str | None:
    """The department or canton of a surrogate place, if it lies in a country."""
    return place.department or None if place is not None and place.country == country else None


def _laid(drawn: str, mention: Mention) -> str:
    """The first characters of a drawn code in the form of a mention, whose word "clé" stays; in a
    social security number small letters would tell that they were Corsica's.
    """
    characters = iter(drawn)
    parts = [mention.text]
    if mention.label is Label.SSN:
        parts = [p if KEY.fullmatch(p) else _DIGIT.sub("0", p) for p in KEY.split(mention.text)]
    for at in range(0, len(parts), 2):
        length = sum(map(str.isalnum, parts[at]))
        parts[at] = lay_over(parts[at], "".join(islice(characters, length)))
    return "".join(parts)


def _lone_keys(mentions: Sequence[Mention]) -> dict[Mention, Mention]:
    """The mentions that are the key of the NIR right before them ("… clé : 85"), and that NIR."""
    numbers = sorted(
        (m for m in mentions if m.label is Label.SSN), key=lambda m: (m.document, m.span)
    )
    return {
        key: number
        for number, key in pairwise(numbers)
        if key.document == number.document
        and key.span.start - number.span.end <= _APART
        and len(key.text) == 2 == len(code_of(key))
        and key.text.isdecimal()
        and len(code_of(number)) == NIR
        and NIR_FORM.fullmatch(code_of(number))
    }
