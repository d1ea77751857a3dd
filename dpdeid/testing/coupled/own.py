"""Templates of one's own notes: the words are theirs, and slots stand where their values stood.

What the detectors of a policy found becomes a slot if a slot writes exactly its text, and if
`skeleton` says that it is read as meant: dates that need no other date to be read, or one right
behind them; the patient's birth and ages; towns, postal codes, departments, institutions named
after a town. Other dates, births, ages and places stay text that nobody found, since beside other
values they would be of another skeleton; what nobody can read, and all other spans, stay spans.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import (
    Document,
    Finding,
    Mention,
    Record,
    mentions_of,
    text_before,
    text_between,
)
from dpdeid.french import calendar
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place, place_key, place_list_name
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold
from dpdeid.substitute.dates.ages import parse_age
from dpdeid.substitute.dates.reading import Read, read_dates
from dpdeid.substitute.dates.written.parser import DateRange, PartialDate, parse
from dpdeid.testing.coupled.forms import AGES, BESIDE, DATES, TOWNS, Lead, begins, known, led
from dpdeid.testing.coupled.generate import TRIES
from dpdeid.testing.coupled.skeleton import misread
from dpdeid.testing.coupled.template import (
    E0,
    AgeSlot,
    AreaSlot,
    DateSlot,
    Filling,
    Fixed,
    InstitutionSlot,
    Note,
    RangeSlot,
    Slot,
    Template,
    TownSlot,
    Value,
    ZipSlot,
    day_of,
)

PATIENT: Final = "patient"
_OTHERS: Final = (Role.RELATIVE, Role.STAFF)
_REACH: Final = 40
"""Within so many characters an age may be read by a date."""
_LARGE: Final = 20_000
_ARTICLE: Final = re.compile(r"(?i)(?<!\w)(?:au|aux|du|des|les?|la)\s\Z")
_TOUCH: Final = re.compile(r"[\s,(–-]{0,6}")
_HEADS: Final = frozenset(
    {*words_by_key("addresses")["head"], *words_by_key("addresses")["adjective"]}
)
_LEADS: Final[tuple[Lead, ...]] = ("à", "de", "")


@dataclass(frozen=True, slots=True)
class Own:
    """The template of a record and the filling that gives its own texts.

    Args:
        left: how many spans are none of its slots but `Fixed`.
    """

    template: Template = field(repr=False)
    filling: Filling = field(repr=False)
    left: int


def own_template(docs: Sequence[Document], findings: Sequence[Finding]) -> Own:
    """The template of the notes of one record, with what was found in each."""
    making = _Making(docs, mentions_of(Record("", tuple(docs)), findings))
    making.slots()
    template = Template(tuple(map(making.note, range(len(docs)))))
    while wrong := [*misread(template, making.values)]:
        for at, slot in wrong:
            template = _written_out(template, at, slot, making.values)
    slots = sum(not isinstance(slot, Fixed) for _, slot in template.slots)
    found = sum(len(finding.spans) for finding in findings)
    return Own(template, making.values, found - slots)


def _written_out(template: Template, at: int, slot: Slot, filling: Filling) -> Template:
    """The template with the text of a slot of a note in its place."""
    note = template.notes[at]
    (phrase,) = note.phrases
    text = "".join(slot.text(filling, E0 if note.date is None else day_of(filling, note.date)))
    return template.with_phrases(at, 0, tuple([text if one == slot else one for one in phrase]))


@dataclass(slots=True, repr=False)
class _Making:
    """The slots of a record, by mention, and their values. Not frozen: it grows."""

    docs: Sequence[Document]
    mentions: Sequence[Mention]
    made: dict[int, Slot] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    _names: dict[Hashable, str] = field(default_factory=dict)
    _reads: dict[Mention, Read] = field(default_factory=dict)
    _imputed: bool = False

    def slots(self) -> None:
        """Makes them, towns before what is named after one."""
        dated = [m for m in self.mentions if m.label in (Label.DATE, Label.BIRTH_DATE)]
        reads, _ = read_dates(dated, Record("", tuple(self.docs)), E0)
        self._reads = {read.mention: read for read in reads}
        self._find_birth()
        numbered = [(n, m) for n, m in enumerate(self.mentions) if m.where == "text"]
        for number, mention in sorted(numbered, key=lambda one: one[1].label is not Label.CITY):
            if (slot := self._slot(number, mention)) is not None:
                self.made[number] = slot

    def note(self, at: int) -> Note:
        """A note with its slots."""
        doc, done = self.docs[at], 0
        phrase: list[str | Slot] = []
        for number, slot in sorted(self.made.items()):
            mention = self.mentions[number]
            if mention.document == at:
                word, _ = slot.text(self.values, doc.note_date or E0)
                phrase += [doc.text[done : mention.span.start - len(word)], slot]
                done = mention.span.end
        own = None if doc.note_date is None else self._date("day", doc.note_date)
        born = PATIENT if PATIENT in self.values and Label.BIRTH_DATE in doc.known else None
        return Note(own, ((*phrase, doc.text[done:]),), born)

    def _var(self, kind: str, value: Value, key: Hashable) -> str:
        name = self._names.setdefault((kind, key), f"{kind}{len(self._names)}")
        self.values.setdefault(name, value)
        return name

    def _date(self, precision: str, day: dt.date) -> str:
        first = begins(precision, day)  # type: ignore[arg-type]
        return self._var("date", first, (precision, first))

    def _find_birth(self) -> None:
        """The patient's birth, if one is told and all dates lie behind it."""
        facts = {text for doc in self.docs for text in doc.known.get(Label.BIRTH_DATE, ())}
        told = [*filter(None, map(calendar.day_of, facts))]
        births = [
            (read.written, read.days[0])
            for m, read in self._reads.items()
            if m.label is Label.BIRTH_DATE and m.span.role not in _OTHERS
        ]
        whole = [day for date, day in births if date.dates[0].precision == "day"]
        days = told or whole[:1]
        self._imputed = not (days or births)
        if len(days) == 1:
            self._bear(days[0])

    def _bear(self, born: dt.date | None) -> None:
        dates = [
            begins(date.precision.value, day)
            for mention, read in self._reads.items()
            if mention.label is Label.DATE
            for date, day in zip(read.written.dates, read.days, strict=True)
        ]
        if born is not None and all(born < day for day in dates):
            self.values[PATIENT] = born

    def _slot(self, number: int, mention: Mention) -> Slot | None:
        """The slot of a mention, None where it stays text."""
        text, label, role = mention.text, mention.label, mention.span.role
        match label:
            case Label.DATE | Label.BIRTH_DATE:
                read = self._reads.get(mention)
                if read is None:
                    return Fixed(text, label, role=role) if parse(text) is None else None
                return self._birth(read) if label is Label.BIRTH_DATE else self._day(number, read)
            case Label.AGE:
                unread = parse_age(text) is None
                return Fixed(text, label, role=role) if unread else self._age(number, mention)
            case Label.CITY:
                return self._area(number, mention) or self._town(number, mention)
            case Label.ZIP:
                return self._zip(number, mention)
            case Label.HOSPITAL | Label.ORGANIZATION:
                return self._institution(mention) or Fixed(text, label, role=role)
        return Fixed(text, label, role=role)

    def _day(self, number: int, read: Read) -> Slot | None:
        mention = read.mention
        if isinstance(read.written, DateRange):
            return self._range(read, read.written)
        form = _form(read)
        if form is None:
            return None
        precision, lacks = DATES[form].precision, DATES[form].lacks
        beside = None
        if lacks not in ("nothing", "century"):
            behind = self._near(number, 1, BESIDE)
            if behind is not None and precision == "day" and _is_whole(behind):
                beside = self._date("day", behind.days[0])
                if read.days >= behind.days:
                    return None
            elif behind or lacks == "month" or self._near(number, -1, BESIDE) is not None:
                return None
        before = self._before(number)
        lead: Lead = "en" if precision == "season" else "d" if precision == "month" else ""
        lead = lead if before.endswith(led(lead, mention.text)[0]) else ""
        return DateSlot(self._date(precision, read.days[0]), form, beside, lead)

    def _range(self, read: Read, written: DateRange) -> Slot | None:
        """The slot of two dates in one span, the last of which lacks nothing."""
        days = read.days
        for first, one in _forms(written.first, days[0]):
            for last, other in _forms(written.last, days[1]):
                lacks = DATES[first].lacks, DATES[last].lacks
                text = one + written.joiner + other
                if text == read.mention.text and lacks[0] != "century" and lacks[1] == "nothing":
                    names = [
                        self._date(DATES[form].precision, day)
                        for form, day in zip((first, last), days, strict=True)
                    ]
                    return RangeSlot(names[0], names[1], (first, last), written.joiner)
        return None

    def _near(self, number: int, step: int, reach: int) -> Read | None:
        """The date that stands next to a mention, at most so many characters away."""
        here, at = self.mentions[number], number + step
        while 0 <= at < len(self.mentions):
            there = self.mentions[at]
            pair = (here, there) if step > 0 else (there, here)
            if text_between(self.docs, *pair, reach) is None:
                return None
            if there in self._reads:
                return self._reads[there]
            at += step
        return None

    def _birth(self, read: Read) -> Slot | None:
        born, role = self.values.get(PATIENT), read.mention.span.role
        if (
            isinstance(born, dt.date)
            and role not in _OTHERS
            and isinstance(read.written, PartialDate)
        ):
            for form, text in _forms(read.written, born):
                if text == read.mention.text and DATES[form].lacks in ("nothing", "century"):
                    return DateSlot(PATIENT, form, label=Label.BIRTH_DATE, role=role)
        return None

    def _age(self, number: int, mention: Mention) -> Slot | None:
        """The slot of an age of the patient on the day of the note."""
        day = self.docs[mention.document].note_date or E0
        age = parse_age(mention.text)
        if age is None or mention.span.role in _OTHERS:
            return None
        if self._imputed:
            if any(self._near(number, step, _REACH) for step in (-1, 1)):
                return None
            if PATIENT not in self.values:
                self._bear(age.birth(day))
        born = self.values.get(PATIENT)
        if not isinstance(born, dt.date) or born >= day:
            return None
        for form in AGES:
            slot = AgeSlot(PATIENT, form, role=mention.span.role)
            if slot.text(self.values, day)[1] == mention.text:
                return slot
        return None

    def _before(self, number: int) -> str:
        """The text right before a mention that is part of no other."""
        here, last = self.mentions[number], self.mentions[max(number - 1, 0)]
        between = text_between(self.docs, last, here, _REACH) if number else None
        return text_before(self.docs, here, _REACH) if between is None else between

    def _touching(self, number: int, label: Label) -> Iterator[int]:
        """What has this label and stands right beside a mention."""
        for first in (number - 1, number):
            pair = self.mentions[first : first + 2]
            at = first if first < number else number + 1
            if first < 0 or len(pair) < 2 or self.mentions[at].label is not label:
                continue
            between = text_between(self.docs, pair[0], pair[1], 6)
            if between is not None and _TOUCH.fullmatch(between):
                yield at

    def _town(self, number: int, mention: Mention) -> TownSlot | None:
        text, before = mention.text, self._before(number)
        key, large = place_key(text), [p.population for p in gazetteers.places_named(text)[:1]]
        if {key, text} & {*gazetteers.departments(), *gazetteers.regions()} and max(
            large, default=0
        ) < _LARGE:
            return None
        codes = [_digits(self.mentions[at]) for at in self._touching(number, Label.ZIP)]
        for article in ("le ", "les ", ""):
            named: Sequence[Place | str] = gazetteers.places_named(article + text)
            coded = [p for p in named if isinstance(p, Place) and {*codes} & {*p.zips}]
            for town in [*coded, *named][:1] or [text] * (not article):
                name = town.name if isinstance(town, Place) else town
                if isinstance(town, Place) and len(known(place_list_name(town))[0]) <= TRIES:
                    return None
                for lead in _LEADS:
                    word, own = led(lead, name)
                    if not before.endswith(word) or (not lead and _ARTICLE.search(before)):
                        continue
                    for form, write in TOWNS.items():
                        if write(own) == text:
                            var = self._var("town", town, town if isinstance(town, Place) else key)
                            return TownSlot(var, form, lead, role=mention.span.role)
        return None

    def _area(self, number: int, mention: Mention) -> Slot | None:
        """The code of the department of the last French town before it."""
        towns = [s for n, s in sorted(self.made.items()) if n < number and isinstance(s, TownSlot)]
        town = self.values[towns[-1].var] if towns else None
        if isinstance(town, Place) and (town.country, town.department) == ("FR", mention.text):
            return AreaSlot(towns[-1].var, role=mention.span.role)
        return None

    def _zip(self, number: int, mention: Mention) -> Slot | None:
        """The code of the town that it stands beside, or one by itself."""
        code = _digits(mention)
        form = {code: "69003", f"{code[:2]} {code[2:]}": "69 003"}.get(mention.text)
        places = gazetteers.places_with_zip(code)
        if form is None or not places:
            return None
        beside = [*self._touching(number, Label.CITY)]
        towns = [town for at in beside if isinstance(town := self.made.get(at), TownSlot)]
        for town in towns:
            if self.values[town.var] in places:
                return ZipSlot(town.var, form, role=mention.span.role)
        if beside:
            return None
        return ZipSlot(self._var("zip", places[0], code), form, role=mention.span.role)

    def _institution(self, mention: Mention) -> Slot | None:
        for town in self.made.values():
            if isinstance(town, TownSlot):
                for form in TOWNS:
                    slot = InstitutionSlot(town.var, form, "", mention.label, mention.span.role)
                    head = mention.text.removesuffix(slot.text(self.values, E0)[1])
                    words = fold(head).split() if head != mention.text else []
                    if words and _HEADS.issuperset(words):
                        return replace(slot, head=head)
        return None


def _digits(mention: Mention) -> str:
    return "".join(mention.text.split())


def _forms(date: PartialDate, day: dt.date) -> Iterator[tuple[str, str]]:
    """The forms of a date of this precision, with what they write of a day."""
    for name, form in DATES.items():
        if form.precision == date.precision:
            yield name, form.write(begins(form.precision, day))


def _form(read: Read) -> str | None:
    """The form that writes a date as it stands."""
    if isinstance(read.written, DateRange):
        return None
    forms = _forms(read.written, read.days[0])
    return next((name for name, text in forms if text == read.mention.text), None)


def _is_whole(read: Read) -> bool:
    """Whether it is one day of which everything is printed, and a slot writes it."""
    form = _form(read) if read.mention.label is Label.DATE else None
    return form is not None and (DATES[form].precision, DATES[form].lacks) == ("day", "nothing")
