"""All contradictions of notes: each kind over the facts of each note, and over those of a patient.

A finding is two places that cannot both be true; it does not say which is wrong. What a kind needs
beyond the text is public: the calendar, the gazetteers, the make-up of national numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dpdeid.document import Document, Span
from dpdeid.evaluate.coherence.dated import ages, clock, distances, feasts, order, weekdays
from dpdeid.evaluate.coherence.facts import Clash, Finding, Kind, Note
from dpdeid.evaluate.coherence.named import (
    agreement,
    families,
    ids,
    initials,
    mails,
    names,
    titles,
)
from dpdeid.evaluate.coherence.placed import codes, departments, institutions
from dpdeid.evaluate.coherence.reading.reader import raw, read_note
from dpdeid.normalize import Clean

KINDS: Final[tuple[Callable[[Note], Iterator[Clash]], ...]] = (
    weekdays.weekday_date,
    feasts.feast_date,
    ages.age_birth,
    ages.history_before_birth,
    distances.ago_date,
    order.event_order,
    clock.clock_delay,
    ids.id_birth,
    ids.id_sex,
    ids.id_department,
    ids.id_check,
    codes.zip_town,
    codes.phone_town,
    institutions.institution_town,
    departments.department_town,
    titles.title_name,
    agreement.agreement,
    names.two_names,
    initials.initials_name,
    mails.email_name,
    families.family_name,
)


def judge(
    docs: Iterable[Document], spans: Mapping[str, Sequence[Span]] | None = None
) -> tuple[Finding, ...]:
    """The contradictions of notes, sorted.

    Args:
        spans: names and places by the id of a note, in offsets of its raw text; of a note that is
            not there they are found by rules and lists.
    """
    found: set[Finding] = set()
    patients: dict[str, list[tuple[Note, Clean]]] = defaultdict(list)
    for doc in docs:
        note, plain = read_note(doc, (spans or {}).get(doc.id))
        found.update(in_note(note, plain))
        if doc.patient_id is not None:
            patients[doc.patient_id].append((note, plain))
    for read in patients.values():
        found.update(_across(read))
    return tuple(sorted(found))


def in_note(note: Note, plain: Clean) -> Iterator[Finding]:
    """The contradictions of one note, each pair of places once a kind."""
    for kind_of in KINDS:
        for kind, one, other in kind_of(note):
            yield Finding(note.id, kind, raw(one, plain), raw(other, plain))


def _across(read: Sequence[tuple[Note, Clean]]) -> Iterator[Finding]:
    plains = {note.id: plain for note, plain in read}
    for note, other, one, two in names.notes_of_one([note for note, _ in read]):
        places = raw(one, plains[note.id]), raw(two, plains[other.id])
        yield Finding(note.id, Kind.TWO_NAMES, *places, other.id)


@dataclass(frozen=True, slots=True)
class Row:
    """How often a kind was found; `originals` is None where none were judged."""

    kind: str
    released: int
    originals: int | None = None

    @property
    def added(self) -> int | None:
        """What the release has more than the originals; they err too."""
        return None if self.originals is None else self.released - self.originals


def rows(released: Sequence[Finding], originals: Sequence[Finding] | None) -> tuple[Row, ...]:
    """One row a kind, and the sum of all."""
    new = Counter(one.kind.value for one in released)
    old = None if originals is None else Counter(one.kind.value for one in originals)
    each = [
        Row(kind.value, new[kind.value], None if old is None else old[kind.value]) for kind in Kind
    ]
    return (*each, Row("all", new.total(), None if old is None else old.total()))
