"""Dates, birth dates and ages of a record on one timeline.

The strategy reads (`reading`, `births`, `timeline_points`), hands whole days to a timeline mode
(`dpdeid.privacy.timeline.modes`), and writes what comes back (`rendering`, `ages`). All privacy is
in the mode; what is here reads the true record into points and writes the released days, and must
not look at an original when it writes: an equal draw is not refused, and under every mode but the
shift the form of a date is fixed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Final

from dpdeid.document import Document, Mention, Record, Surrogate, text_before, text_between
from dpdeid.labels import Label
from dpdeid.privacy import expected_error
from dpdeid.privacy.leakage import Leakage, of_timeline
from dpdeid.privacy.ledger import Charge, Forecast, Wording
from dpdeid.privacy.skeleton import Shown
from dpdeid.privacy.timeline.modes import Metric, Paper, Point, Shift, Strict, Told
from dpdeid.protocols import Context, Guarantee, Unit
from dpdeid.substitute.dates.ages import (
    AgeUnit,
    ReadAge,
    amount_of,
    parts_of,
    read_ages,
    render_age,
    whole,
)
from dpdeid.substitute.dates.births import Births, read_births
from dpdeid.substitute.dates.forward import Reference
from dpdeid.substitute.dates.ordering import Days, in_order, step, through_the_week
from dpdeid.substitute.dates.reading import Read, habits, read_dates
from dpdeid.substitute.dates.rendering import (
    LOOKED_AT,
    beside_form,
    fixed,
    month_beside,
    render,
    render_range,
    weekday_alone,
    widen,
    worded,
)
from dpdeid.substitute.dates.shown import shown
from dpdeid.substitute.dates.timeline_points import (
    read_points,
    read_ranges,
    read_weeks,
)
from dpdeid.substitute.dates.times import nights
from dpdeid.substitute.dates.told import read_told
from dpdeid.substitute.dates.written.parser import DateRange, Precision, Shape
from dpdeid.substitute.hidden import compact
from dpdeid.substitute.without_draws import Keep

_LAST_DAY: Final = dt.date.max.toordinal()
_SERVED: Final = (Label.DATE, Label.BIRTH_DATE, Label.AGE)
_LABELS_OF: Final = {"dates": (Label.DATE,), "births": (Label.BIRTH_DATE, Label.AGE)}
"""What a timeline calls a draw, to the labels it serves; any other name serves all."""
_SAME: Final = re.compile(r"\W{0,3}(?:(?:soit|donc|jour de)\s)?(?:l[ea]\s|l['’])?", re.IGNORECASE)
"""What stands between a feast and its date: "Noël, soit le 25"."""
_SHOWS: Final = (Shown.ROLES, Shown.BIRTHS)


@dataclass(frozen=True, slots=True)
class Dates:
    """Surrogates for dates, birth dates and ages, coherent over all notes of a record.

    Args:
        labels: some of DATE, BIRTH_DATE, AGE.
        timeline: how days are released.

    Raises:
        ValueError: another label is asked for.
    """

    name: ClassVar[str] = "dates"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...]
    timeline: Paper | Metric | Shift | Strict

    def __post_init__(self) -> None:
        if not self.labels or not set(self.labels) <= set(_SERVED):
            raise ValueError(f"labels must be some of {', '.join(_SERVED)}")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterable[Surrogate]:
        """A surrogate for every mention that can be read and that no cap leaves out; weekdays of
        habits stay.
        """
        parts = {mention: parts_of(mention) for mention in mentions}
        own = [part for each in parts.values() for part in each]
        record, seen, others = compact(record, own, context.replaced)
        given = self._given(seen, others, record, context)
        of = {own[at]: given[mention] for at, mention in enumerate(seen) if mention in given}
        return [
            whole(mention, [of[part] for part in each])
            for mention, each in parts.items()
            if all(part in of for part in each)
        ]

    def _given(
        self,
        mentions: Sequence[Mention],
        others: Sequence[Mention],
        record: Record,
        context: Context,
    ) -> Mapping[Mention, Surrogate]:
        """The surrogate of each mention that has one.

        Args:
            record: in which nothing is seen of a value.
        """
        dated = [mention for mention in mentions if mention.label is not Label.AGE]
        reads, against = read_dates(dated, record, context.e0)
        ages = read_ages([mention for mention in mentions if mention.label is Label.AGE], record)
        past = context.memory.past
        births = read_births(record, reads, ages, against, past)
        told: dict[str, Sequence[Told]] = {}
        if not isinstance(self.timeline, Paper):
            words = read_told(record, reads, births, against, (*mentions, *others))
            told = {**births.tied, **words}
            days = {
                r.mention: (births.named.get(r.mention, r.names[-1]), r.days[-1].toordinal())
                for r in reads
                if r.written.dates[-1].precision is Precision.DAY
            }
            for morning, evening in nights(days, others, record):
                told[morning] = (Told(evening, 1, 1), *told.get(morning, ()))
        points = read_points(record, reads, births, against, told)
        released = self._release(points, record, context)
        ranges = read_ranges(record, reads)
        exact = isinstance(self.timeline, Shift)
        if exact:  # which keeps the order of days, but not of what is less
            ranges = tuple(pair for pair in ranges if step(*pair) > 1)
        released = in_order(released, points, ranges, [point.name for point, _ in past.entries])
        if not isinstance(self.timeline, Paper):
            context.memory.past = past.after(points, (released[point.key] for point in points))
        writer = _Writer(released, record.documents, exact)
        given = writer.dates(reads, births, read_weeks(record, reads))
        if ages:
            printed = {births.named.get(m) for m in dated if m.label is Label.BIRTH_DATE}
            if not isinstance(self.timeline, Paper):  # whose births are drawn by themselves
                against = _counted_from(reads, against)
            given += writer.ages(ages, births, against, context.e0, printed)
        kept = habits([mention for mention in dated if mention.where == "text"], record)
        given += Keep((Label.DATE,)).substitute(kept, record, context)
        return {surrogate.mention: surrogate for surrogate in given}

    def _release(self, points: Sequence[Point], record: Record, context: Context) -> Days:
        e0, timeline = context.e0, self.timeline
        shifts = {d.date_shift for d in record.documents if d.date_shift is not None}
        if isinstance(timeline, Shift) and shifts:
            if len(shifts) > 1:
                raise ValueError("the notes of a record have different date_shift")
            timeline = replace(timeline, offset=shifts.pop())
        if isinstance(timeline, Paper):
            # The published design counts from the note's own day, and is charged as no guarantee.
            e0 = max((d.note_date for d in record.documents if d.note_date), default=e0)
        past = context.memory.past
        given = timeline.release(points, e0=e0.toordinal(), streams=context.streams, past=past)
        return {p.key: r for p, r in zip(points, given, strict=True)}

    def scaled(self, share: Fraction) -> Dates:
        """The same with a share of its ε; a shift has none and stays as it is."""
        if isinstance(self.timeline, Shift):
            return self
        return replace(self, timeline=self.timeline.scaled(share))

    def guarantees(self) -> tuple[Guarantee, ...]:
        """One entry for each kind of draw of the timeline that these labels use."""
        served = [(draw, _LABELS_OF.get(draw.what, _SERVED)) for draw in self.timeline.draws()]
        return tuple(
            Guarantee(labels, draw.mechanism, draw.loss, draw.cap, draw.note)
            for draw, those in served
            if (labels := tuple(label for label in self.labels if label in those))
        )

    def wording(self) -> Wording:
        """Its part of the statement: of the bound only if the timeline has a guarantee."""
        mode = self.timeline
        given = mode.wording() if isinstance(mode, Metric | Strict) else Wording()
        return replace(given, shows=_SHOWS)

    def forecast(self, unit: Unit) -> Forecast:
        """Expected errors of dates, intervals and births."""
        return expected_error.of_timeline(self.timeline, by_patient=unit == "patient")

    def shows(
        self, mentions: Sequence[Mention], record: Record, e0: dt.date
    ) -> Iterable[tuple[Mention, str]]:
        """What of the skeleton each mention shows, in numbers, roles and forms."""
        return shown(mentions, record, e0, chained=isinstance(self.timeline, Metric | Strict))

    def leakage(self) -> Leakage | None:
        """What dates and births tell in bits, where the timeline has a guarantee."""
        mode = self.timeline
        return of_timeline(mode) if isinstance(mode, Metric | Strict) else None


def _counted_from(reads: Sequence[Read], against: Sequence[Reference]) -> tuple[Reference, ...]:
    """The dates from which births are drawn: of a note that is read against e0 its first whole day,
    or that of the record, which lies near e0 before it is released, and not behind.
    """
    whole: dict[int, str] = {}
    for read in reads:
        if read.mention.label is Label.DATE and read.written.dates[0].precision is Precision.DAY:
            whole.setdefault(read.mention.document, read.names[0])
    first = next(iter(whole.values()), None)
    return tuple(
        one if one.name else replace(one, name=whole.get(at, first))
        for at, one in enumerate(against)
    )


def _month_above(read: Read, reads: Sequence[Read]) -> int | None:
    """The month that leads a bare day: where all days move alike it is that of the first below."""
    at = read.leader if read.leader is not None else read.follows
    if at is None or not read.written.bare_day:
        return None
    return at if reads[at].written.dates[-1].precision is Precision.MONTH else None


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes released days. With `exact` all of a form is kept, padding included."""

    released: Days = field(repr=False)
    documents: Sequence[Document] = field(repr=False)
    exact: bool

    def _days(
        self, family: str, names: Sequence[str]
    ) -> tuple[tuple[dt.date, ...], tuple[Charge, ...]]:
        """The released days of these names and their charges; no days if one is not released."""
        days: tuple[dt.date, ...] = ()
        charges: tuple[Charge, ...] = ()
        for name in names:
            got = self.released.get((family, name))
            if got is None or got.day is None or not 1 <= got.day <= _LAST_DAY:
                return (), ()
            days += (dt.date.fromordinal(got.day),)
            charges += got.charges
        return days, charges

    def dates(
        self, reads: Sequence[Read], births: Births, weeks: Iterable[Sequence[int]]
    ) -> list[Surrogate]:
        """The surrogates of dates and birth dates.

        Args:
            weeks: the indices of lists of weekdays.
        """
        drawn = []
        for read in reads:
            if births.is_birth(read):
                birth = births.named.get(read.mention)
                drawn.append(self._days("birth", () if birth is None else (birth,)))
            else:
                drawn.append(self._days("date", read.names))
        released = [days for days, _ in drawn]
        for week in () if self.exact else weeks:
            if all(released[at] for at in week):
                spread = through_the_week([released[at][0] for at in week])
                for at, day in zip(week, spread, strict=True):
                    released[at] = (day,)
        for at in reversed(range(len(reads) if self.exact else 0)):
            if released[at] and (month := _month_above(reads[at], reads)) is not None:
                released[month] = released[at][:1]
        given = []
        for at, (read, (_, charges)) in enumerate(zip(reads, drawn, strict=True)):
            if days := released[at]:
                text = self._text(read, days, month_beside(at, reads, released))
                if self._is_told_again(at, reads, released):
                    text = render(days[0], weekday_alone(read.mention.text), keep_padding=True)
                given.append(Surrogate(read.mention, text, Dates.name, charges, days[0]))
        return given

    def _is_told_again(
        self, at: int, reads: Sequence[Read], released: Sequence[Sequence[dt.date]]
    ) -> bool:
        """Whether a feast stands beside the date that it came out as: "Pâques, 1er avril"."""
        feast = reads[at].written
        if isinstance(feast, DateRange) or feast.holiday is None:
            return False
        for first, last in (other for other in ((at, at + 1), (at - 1, at)) if other[0] >= 0):
            if last == len(reads) or released[first] != released[last]:
                continue
            pair = reads[first].mention, reads[last].mention
            between = text_between(self.documents, *pair, LOOKED_AT)
            date = reads[last if first == at else first].written.dates[0]
            if date.day is not None and between is not None and _SAME.fullmatch(between):
                return True
        return False

    def _text(
        self,
        read: Read,
        days: tuple[dt.date, ...],
        beside: tuple[Shape, dt.date] | None,
    ) -> str:
        written = read.written
        if isinstance(written, DateRange):
            return render_range(days[0], max(days), written, keep_padding=self.exact)
        if beside is not None:
            form = beside[0] if self.exact else fixed(beside[0])
            own = beside_form(written, form, keep_padding=self.exact)
            return render(days[0], widen(written, own, form, days[0], beside[1]), keep_padding=True)
        shape = written.shape if self.exact else fixed(written.shape)
        if written.holiday is not None:
            before = text_before(self.documents, read.mention, LOOKED_AT)
            return render(*worded(days[0], shape, before), keep_padding=True)
        return render(days[0], shape, keep_padding=True)

    def ages(
        self,
        ages: Iterable[ReadAge],
        births: Births,
        against: Sequence[Reference],
        e0: dt.date,
        printed: Collection[str | None],
    ) -> list[Surrogate]:
        """The surrogates of ages, from the surrogates of a birth and of the note's reference.

        Args:
            ages: in text order.
            printed: the births that a birth date of the record shows.
        """
        given = []
        before, whose, unit, day = 0, None, None, e0
        for mention, age, listed, ranged in ages:
            birth = births.named.get(mention)
            alike, unit = age.unit is unit, age.unit
            same, whose = birth == whose, birth
            if birth is None:
                before = 0
                continue
            reference = births.then.get(mention, against[mention.document].name)
            born, charges = self._days("birth", (birth,))
            then, more = self._days("date", (reference,)) if reference else ((), ())
            more += self._days("date", (births.aged.get(mention, ""),))[1]
            then = then or (e0,)  # of a note whose only day without a year is led elsewhere, too
            falls, day = same and then[0] < day, then[0]
            if born:
                exact = birth in printed
                # nobody writes "0 mois", but the birth and the date may show it
                least = int(age.unit is not AgeUnit.DAYS and not exact)
                past = mention in births.then  # whose order is known
                if alike and not falls and (ranged or (listed and same and not past)):
                    least = before + 1
                before = max(amount_of(age.counted(born[0]), then[0], age.unit), least)
                text = render_age(born[0], then[0], age, exact=exact, least=least)
                given.append(Surrogate(mention, text, Dates.name, (*charges, *more), born[0]))
        return given
