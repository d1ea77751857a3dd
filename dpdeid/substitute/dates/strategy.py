"""Dates, birth dates and ages of a record on one timeline.

The strategy reads (`reading`, `births`), hands whole days to a timeline mode
(`dpdeid.privacy.timeline.modes`), and writes what comes back (`rendering`, `ages`). All privacy is
in the mode; what is here reads the true record into points and writes the released days, and must
not look at an original when it writes: an equal draw is not refused, and under every mode but the
shift the form of a date is fixed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Final

from dpdeid.document import Document, Mention, Record, Surrogate, text_before
from dpdeid.labels import Label
from dpdeid.privacy import expected_error as outlook
from dpdeid.privacy.ledger import Charge, Forecast, Wording
from dpdeid.privacy.timeline.modes import Metric, Paper, Point, Released, Shift, Strict
from dpdeid.protocols import Context, Guarantee, Unit
from dpdeid.substitute.dates.ages import AgeUnit, ReadAge, amount_of, read_ages, render_age
from dpdeid.substitute.dates.births import Births, read_births
from dpdeid.substitute.dates.date_parser import DateRange, Shape
from dpdeid.substitute.dates.reading import Read, Reference, read_dates
from dpdeid.substitute.dates.rendering import (
    LOOKED_AT,
    beside_form,
    fixed,
    month_beside,
    render,
    render_range,
    widen,
    worded,
)
from dpdeid.substitute.dates.timeline_points import (
    in_order,
    read_points,
    read_ranges,
    read_weeks,
    shows_days,
    through_the_week,
)

_LAST_DAY: Final = dt.date.max.toordinal()
_SERVED: Final = (Label.DATE, Label.BIRTH_DATE, Label.AGE)
_LABELS_OF: Final = {"dates": (Label.DATE,), "births": (Label.BIRTH_DATE, Label.AGE)}
"""What a timeline calls a draw, to the labels it serves; any other name serves all."""


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
        """A surrogate for every mention that can be read and that no cap leaves out."""
        dated = [mention for mention in mentions if mention.label is not Label.AGE]
        reads, against = read_dates(dated, record, context.e0)
        ages = read_ages([mention for mention in mentions if mention.label is Label.AGE], record)
        births = read_births(record, reads, ages, against)
        points = read_points(record, reads, births, against)
        released = self._release(points, record, context)
        ranges = read_ranges(record, reads)
        exact = isinstance(self.timeline, Shift)
        if exact:  # which keeps the order of days, but not of what is less
            ranges = tuple(pair for pair in ranges if not shows_days(pair))
        released = in_order(released, points, ranges)
        writer = _Writer(released, record.documents, exact)
        given = writer.dates(reads, births, read_weeks(record, reads))
        if ages:
            printed = {births.named.get(m) for m in dated if m.label is Label.BIRTH_DATE}
            given += writer.ages(ages, births, against, context.e0, printed)
        return given

    def _release(
        self, points: Sequence[Point], record: Record, context: Context
    ) -> Mapping[tuple[str, str], Released]:
        e0, timeline = context.e0, self.timeline
        shifts = {d.date_shift for d in record.documents if d.date_shift is not None}
        if isinstance(timeline, Shift) and shifts:
            if len(shifts) > 1:
                raise ValueError("the notes of a record have different date_shift")
            timeline = replace(timeline, offset=shifts.pop())
        if isinstance(timeline, Paper):
            # The published design counts from the note's own day, and is charged as no guarantee.
            e0 = max((d.note_date for d in record.documents if d.note_date), default=e0)
        given = timeline.release(points, e0=e0.toordinal(), streams=context.streams)
        return {p.key: r for p, r in zip(points, given, strict=True)}

    def scaled(self, share: Fraction) -> Dates:
        """The same with a share of its ε.

        Raises:
            ValueError: the timeline is not the published one.
        """
        if not isinstance(self.timeline, Paper):
            raise ValueError("only the timeline paper shares its epsilon by counts")
        epsilon = self.timeline.epsilon * share
        return replace(self, timeline=replace(self.timeline, epsilon=epsilon))

    def guarantees(self) -> tuple[Guarantee, ...]:
        """One entry for each kind of draw of the timeline that these labels use."""
        entries = []
        for draw in self.timeline.draws():
            served = _LABELS_OF.get(draw.what, _SERVED)
            labels = tuple(label for label in self.labels if label in served)
            if labels:
                entries.append(Guarantee(labels, draw.mechanism, draw.loss, draw.cap, draw.note))
        return tuple(entries)

    def wording(self) -> Wording:
        """The part of the statement that the timeline has, if it has a guarantee."""
        mode = self.timeline
        return mode.wording() if isinstance(mode, Metric | Strict) else Wording()

    def forecast(self, unit: Unit) -> Forecast:
        """Expected errors of dates, intervals and births."""
        return outlook.of_timeline(self.timeline, by_patient=unit == "patient")


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes released days. With `exact` all of a form is kept, padding included."""

    released: Mapping[tuple[str, str], Released] = field(repr=False)
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
            if read.mention.span.label is Label.BIRTH_DATE:
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
        given = []
        for at, (read, (_, charges)) in enumerate(zip(reads, drawn, strict=True)):
            if days := released[at]:
                text = self._text(read, days, month_beside(at, reads, released))
                given.append(Surrogate(read.mention, text, Dates.name, charges, days[0]))
        return given

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
        before, whose = 0, None
        for mention, age, listed, ranged in ages:
            birth = births.named.get(mention)
            same, whose = birth == whose, birth
            if birth is None:
                before = 0
                continue
            reference = births.then.get(mention, against[mention.document].name)
            born, charges = self._days("birth", (birth,))
            then, more = ((e0,), ()) if reference is None else self._days("date", (reference,))
            if born and then:
                exact = birth in printed
                # nobody writes "0 mois", but the birth and the date may show it
                least = int(age.unit is not AgeUnit.DAYS and not exact)
                if ranged or (listed and same):
                    least = before + 1
                before = max(amount_of(born[0], then[0], age.unit), least)
                text = render_age(born[0], then[0], age, exact=exact, least=least)
                given.append(Surrogate(mention, text, Dates.name, (*charges, *more), born[0]))
        return given
