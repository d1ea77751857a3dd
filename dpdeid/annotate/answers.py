"""What came back from a tool, as answers: each unit once an annotator, with how long it took.

Durations are those of Loftsson (CHUV 2022, sections 3.2.2 and 4.2): from one answer to the next,
and none for the first, for a unit that was answered twice or passed over, and over five minutes,
when somebody took a break. A tool that measures the time itself is believed up to five minutes.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from dpdeid.annotate.exchange import Manifest
from dpdeid.annotate.schemes import Scheme
from dpdeid.annotate.tools.returned import Returned, Sent
from dpdeid.annotate.units import Answer, Marked, overlapping
from dpdeid.errors import AnnotationError
from dpdeid.formats.label_names import shown

LONGEST: Final = 300.0
"""Seconds after which somebody took a break."""
_SHOWN: Final = 16
"""Rows that a message names."""


@dataclass(slots=True)
class Counts:
    """What was made of what came back.

    Args:
        again: answers that a later one of the same annotator replaces.
        unanswered: units that went out and of which nobody said anything.
        blank: marks that hold white space only, left out.
        measured: durations that are kept; then why others are not.
    """

    answers: int = 0
    ignored: int = 0
    again: int = 0
    unanswered: int = 0
    blank: int = 0
    measured: int = 0
    without_time: int = 0
    first: int = 0
    over_5_minutes: int = 0
    answered_twice: int = 0
    passed_over: int = 0

    def row(self) -> dict[str, Any]:
        """For a file of figures."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Timed:
    """What came back with the seconds it took, or why there are none."""

    returned: Returned
    seconds: float | None
    why: str = field(default="measured")


def answers(
    returned: Iterable[Returned], manifest: Manifest, annotator: str | None, team: str = ""
) -> tuple[list[Answer], Counts]:
    """The answers in the order of their annotators and units, and the counts.

    Args:
        annotator: whose they are; None if the tool says so.

    Raises:
        AnnotationError: a row is of another export, has another text, an unknown category or
            marks that overlap, or nobody or several people are named where one is expected; names
            the rows and units.
    """
    counts = Counts()
    by_name: dict[str, list[Returned]] = defaultdict(list)
    named, changed = set(), []
    for one in returned:
        if _sent(one, manifest).text != one.text:
            changed.append(one)
        named.add(one.annotator)
        by_name[annotator or one.annotator].append(one)
    _refuse(changed, "the text is not that of unit")
    if annotator is not None and len(named - {""}) > 1:
        raise AnnotationError(
            f"{len(named)} annotators are named in these files: leave --annotator out, or import "
            "each alone"
        )
    _refuse(by_name.get("", ()), "names no annotator (give --annotator NAME) of unit")
    read = [
        pair
        for name, rows in sorted(by_name.items())
        for pair in _of_one(name, team, rows, manifest, counts)
    ]
    _refuse([one for one, answer in read if overlapping(answer.marked)], "marks overlap in unit")
    found = [answer for _, answer in read]
    counts.answers = len(found)
    counts.ignored = sum(answer.ignored for answer in found)
    counts.unanswered = len(manifest.sent) - len({answer.unit.id for answer in found})
    return found, counts


def _refuse(wrong: Sequence[Returned], why: str) -> None:
    """Refuses what is wrong for one reason, with the rows and their units.

    Raises:
        AnnotationError: something is.
    """
    if wrong:
        more = [f"and {len(wrong) - _SHOWN:,} more"] if len(wrong) > _SHOWN else []
        told = (f"{one.where}: {why} {one.ref}" for one in wrong[:_SHOWN])
        raise AnnotationError("\n".join([*told, *more]))


def _of_one(
    name: str, team: str, rows: Sequence[Returned], manifest: Manifest, counts: Counts
) -> Iterable[tuple[Returned, Answer]]:
    last: dict[str, _Timed] = {}
    twice = set()
    for timed in _timed(sorted(rows, key=lambda one: _seconds_at(one.at) or 0.0)):
        ref = timed.returned.ref
        if ref in last:
            counts.again += 1
            twice.add(ref)
        last[ref] = timed
    for ref in manifest.sent:
        if ref not in last:
            continue
        one, seconds, why = last[ref].returned, last[ref].seconds, last[ref].why
        if one.ignored:
            seconds, why = None, "passed_over"
        elif ref in twice:
            seconds, why = None, "answered_twice"
        setattr(counts, why, getattr(counts, why) + 1)
        marks = _marks(one, manifest.sent[ref], manifest.scheme)
        counts.blank += len(one.marks) - len(marks)
        kept = () if one.ignored else tuple(sorted(set(marks)))
        unit = manifest.sent[ref].unit
        yield one, Answer(unit, name, team, kept, one.at, seconds, one.ignored)


def _timed(rows: Iterable[Returned]) -> Iterable[_Timed]:
    before: float | None = None
    for one in rows:
        at = _seconds_at(one.at)
        seconds, why = one.seconds, "measured"
        if seconds is None and at is None:
            why = "without_time"
        elif seconds is None and before is None:
            why = "first"
        elif seconds is None and at is not None and before is not None:
            seconds = at - before
        if seconds is not None and seconds > LONGEST:
            seconds, why = None, "over_5_minutes"
        before = at if at is not None else before
        yield _Timed(one, seconds, why)


def _seconds_at(at: str) -> float | None:
    if not at:
        return None
    moment = dt.datetime.fromisoformat(at)
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()


def _sent(one: Returned, manifest: Manifest) -> Sent:
    """The unit that an answer is of.

    Raises:
        AnnotationError: it is of no unit of this export, or was given at no time.
    """
    sent = manifest.sent.get(one.ref)
    if sent is None:
        raise AnnotationError(f"{one.where}: of no unit of this export")
    if one.at:
        try:
            dt.datetime.fromisoformat(one.at)
        except ValueError:
            raise AnnotationError(f"{one.where}: the time of the answer is no time") from None
    return sent


def _marks(one: Returned, sent: Sent, scheme: Scheme) -> list[Marked]:
    """The marks in categories of the scheme, without white space at their ends.

    Raises:
        AnnotationError: a category is unknown, or a mark lies outside the text.
    """
    plain = {category.plain: name for name, category in scheme.categories.items()}
    found = []
    for start, end, called in one.marks:
        name = called if called in scheme.categories else plain.get(called)
        if name is None:
            raise AnnotationError(
                f"{one.where}: a category that {scheme.name} does not have ({shown([called])})"
            )
        if not 0 <= start < end <= len(sent.text):
            raise AnnotationError(f"{one.where}: a mark is empty or lies outside the text")
        inside = sent.unit.text[start:end]
        start += len(inside) - len(inside.lstrip())
        if inside.strip():
            found.append(Marked(start, start + len(inside.strip()), name))
    return found
