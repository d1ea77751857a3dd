"""One release of OMOP tables: the rows of NOTE, each with what is known of its person, and beside
them a row for each day of other tables and for each birth; what came of them, as tables.

A day of another table is a note without a text, dated that day: so it is moved by the timeline of
its person, as their notes are. A birth is a note that prints it, so that its year comes out as
notes print it.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.formats.external_sort import ExternalSort
from dpdeid.formats.kinds import Piece
from dpdeid.formats.rows import Row, row_of
from dpdeid.formats.sources import unique
from dpdeid.formats.write import json_line
from dpdeid.french.calendar import day_of
from dpdeid.labels import Label
from dpdeid.omop.numbers import Numbers, rank
from dpdeid.omop.people import Person
from dpdeid.omop.reading import Tables
from dpdeid.omop.tables import (
    NOTE,
    NOTE_CONCEPTS,
    NOTE_ERRORS,
    NOTE_NLP,
    PERSON,
    VISITS,
    Table,
    concept,
    day,
    whole,
)
from dpdeid.omop.writing import Store
from dpdeid.privacy.rng import derive
from dpdeid.substitute.dates.written.parser import EARLIEST

_READ: Final = ("note_id", "person_id", "note_date", "note_text", *NOTE_CONCEPTS, *VISITS)
_DAYS: Final = (Label.BIRTH_DATE, Label.DATE)
_YEAR: Final = re.compile(r"\b[0-9]{4}\b")
_MANDATORY: Final = ("note_type_concept_id", "note_class_concept_id", "encoding_concept_id",
                     "language_concept_id")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a release holds beside NOTE and PERSON.

    Args:
        moved: tables whose dates are moved.
        nlp: whether NOTE_NLP tells what was replaced.
        nlp_date: the day of the run, as NOTE_NLP has it.
    """

    moved: tuple[Table, ...] = ()
    nlp: bool = False
    nlp_date: dt.date | None = None

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables of the release."""
        return (NOTE, NOTE_ERRORS, PERSON, *((NOTE_NLP,) if self.nlp else ()), *self.moved)


class LeavingOut(Protocol):
    """Who is left out of a release."""

    def rest(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows of the others."""

    def lets_pass(self, patient: str) -> bool:
        """Whether a patient is not left out."""


@dataclass(slots=True)
class Release:
    """One way through the tables, see `dpdeid.cli.releasing.way.Passage`. Not frozen: it collects
    what becomes of each row.

    Args:
        store: what takes the tables, once it is open.
        same: the id of a patient under which they are released.
    """

    tables: Tables
    people: Mapping[str, Person] = field(repr=False)
    engine: Deidentifier
    same: Callable[[str], str]
    wanted: Wanted
    store: Store = field(init=False, repr=False)
    _noted: dict[str, set[dt.date]] = field(default_factory=lambda: defaultdict(set), repr=False)
    _days: dict[tuple[str, dt.date], str] = field(default_factory=dict, repr=False)
    _years: dict[str, int] = field(default_factory=dict, repr=False)
    _goes: Callable[[str], bool] = field(default=lambda _: True, repr=False)
    _said: list[str] = field(default_factory=list)

    def number(self, kind: str, value: object) -> int | None:
        """The keyed number of an id of a kind ("note_id", "person_id" …), None if it is none."""
        number = whole(value)
        if number is None:
            return None
        return Numbers(derive(self.engine.cohort.key, f"omop {kind}"))(number)

    def notes(self) -> Iterator[Row]:
        """The rows of NOTE, in no order."""
        for at, given in enumerate(self.tables.rows("note", _READ), 1):
            yield self._note(at, given)

    def _note(self, at: int, given: dict[str, Any]) -> Row:
        where = f"NOTE, row {at}"
        id_, person = whole(given.pop("note_id", None)), whole(given.pop("person_id", None))
        patient = None if person is None else str(person)
        known = self.people.get(patient or "", Person()).facts
        parsed = {
            **given,
            "id": id_,
            "text": given.pop("note_text", None),
            "note_date": given.pop("note_date", None),
            "patient_id": patient,
            "patient": known,
        }
        row = row_of(parsed, at, where)
        if row.document is not None and patient is None:
            row = replace(row, document=None, error=f"{where}: no person_id")
        if row.document is not None and row.document.note_date is None:
            row = replace(row, document=None, error=f"{where}: no note_date")
        if row.document is not None and "\0" in row.document.text:
            error = f"{where}: its text has a character that databases refuse"
            row = replace(row, document=None, error=error)
        if row.document is not None and patient is not None and row.document.note_date is not None:
            self._noted[self.same(patient)].add(row.document.note_date)
        return replace(row, place="" if id_ is None else f"note {self.number('note_id', id_)}")

    def rows(self, left_out: LeavingOut) -> Iterator[Row]:
        """The notes of those who are not left out, then what is aside of each person."""
        self._goes = left_out.lets_pass
        yield from left_out.rest(unique(self.notes()))
        days, cap, over = self._other_days(), self._cap(), 0
        persons = [*filter(self._goes, dict.fromkeys((*self.people, *days)))]
        if self.engine.policy.unit != "patient":
            return
        for person in persons:
            known = days.get(person, set())
            over += cap is not None and len(self._noted[self.same(person)] | known) > cap
            yield from self._aside(person, known)
        if over and self.wanted.moved:
            self._said.append(
                f"{over:,} persons have more than the {cap} dates that this policy draws: what is "
                "over has no draw of its own, in notes too"
            )

    def _cap(self) -> int | None:
        """How many dates the policy draws for a patient, None if all."""
        given = (g for s in self.engine.policy.strategies for g in s.guarantees())
        return min((g.cap for g in given if Label.DATE in g.labels and g.cap), default=None)

    def _other_days(self) -> dict[str, set[dt.date]]:
        """The days in other tables, by person; without those for which no surrogate can stand."""
        days: dict[str, set[dt.date]] = defaultdict(set)
        for table in self.wanted.moved:
            dates = [c.name for c in table.columns if c.kind != "integer"]
            for row in self.tables.rows(table.name, ("person_id", *dates)):
                person = whole(row["person_id"])
                found = (day_of(row[name]) for name in dates if row[name] is not None)
                if person is not None:
                    days[str(person)].update(d for d in found if d is not None and self._fits(d))
        return days

    def _fits(self, date: dt.date) -> bool:
        return date.year >= EARLIEST and date <= self.engine.cohort.e0

    def _aside(self, person: str, days: set[dt.date]) -> Iterator[Row]:
        known = self.people.get(person, Person())
        told = [self._row(person, known, date, "", date.isoformat()) for date in days]
        if known.birth is not None:
            first = min(days | self._noted[self.same(person)], default=None)
            text = f"Date de naissance : {known.birth:%d/%m/%Y}"
            told.append(self._row(person, known, first, text, "birth"))
        yield from sorted(told, key=lambda row: row.id or "")

    def _row(self, person: str, known: Person, date: dt.date | None, text: str, what: str) -> Row:
        """A row aside; its id is a keyed one behind those of all notes, which no date orders."""
        id_ = f"~{self.engine.cohort.released_id(f'omop {person} {what}')}"
        parsed = {
            "id": id_,
            "text": text,
            "patient_id": person,
            "note_date": date,
            "patient": known.facts,
            "what": what,
        }
        where = "a date of a person beside NOTE"
        return replace(row_of(parsed, 0, where), where=where, place=where, aside=True)

    def name(self, row: Row) -> str | None:
        """The released id of a note."""
        return None if row.id is None else str(self.number("note_id", row.id))

    def rank(self, name: str) -> bytes:
        """Sorts notes by their released numbers."""
        return rank(int(name))

    def take(self, row: Row, result: Deidentified | Failure) -> None:
        """Takes the surrogate of a day or a birth."""
        if isinstance(result, Failure) or row.patient_id is None:
            return
        person, what = self.same(row.patient_id), row.extra["what"]
        if what == "birth":
            if year := _YEAR.search(self._replaced(result)):
                self._years.setdefault(person, int(year[0]))
        elif result.note_date is not None:
            self._days[person, dt.date.fromisoformat(what)] = day(result.note_date)

    def _replaced(self, result: Deidentified) -> str:
        """What stands for the birth that a row aside prints, "" where nothing was drawn for it."""
        default = self.engine.policy.default.name
        drawn = (s for s in result.surrogates if s.strategy != default)
        texts = (s for s in drawn if s.mention.where == "text" and s.mention.label in _DAYS)
        return next((s.text for s in texts), "")

    def piece(self, row: Row, result: Deidentified, name: str) -> Piece:
        """The columns of a released note, and what was replaced in it.

        Raises:
            InputError: it has no released date.
        """
        date, given = day(result.note_date), row.extra
        concepts = {one: concept(given.get(one)) for one in NOTE_CONCEPTS}
        values = {
            **dict.fromkeys(_MANDATORY, 0),
            **{one: value for one, value in concepts.items() if value is not None},
            **{visit: self.number(visit, given.get(visit)) for visit in VISITS},
            "note_id": int(name),
            "person_id": self.number("person_id", self.same(row.patient_id or "")),
            "note_date": date,
            "note_datetime": date,
            "note_text": result.text,
        }
        piece: dict[str, Any] = {"id": name, "note": [values.get(one) for one in NOTE.names]}
        if self.wanted.nlp:
            piece["nlp"] = [*_variants(result)]
        return piece

    def reported(self) -> Mapping[str, object]:
        """Nothing that the ledger file would have to say of tables."""
        return {}

    def write(self, lines: Iterable[bytes]) -> None:
        """Writes all tables."""
        store, pieces = self.store, (json.loads(line) for line in lines)
        store.write(NOTE, (NOTE.row(one["note"]) for one in pieces if "note" in one))
        errors = (json.loads(line) for line in lines)
        store.write(NOTE_ERRORS, (_error(one) for one in errors if "error" in one))
        if self.wanted.nlp:
            store.write(NOTE_NLP, self._nlp(json.loads(line) for line in lines))
        store.write(PERSON, self._persons())
        for table in self.wanted.moved:
            with closing(ExternalSort()) as sort:
                whose = table.names.index("person_id")
                for values in self._moved(table):
                    key = rank(values[whose] or 0)
                    line = json_line({"row": values}).encode()
                    sort.add(key + line, line)
                rows = (table.row(json.loads(line)["row"]) for line in sort)
                store.write(table, rows)

    def _nlp(self, pieces: Iterable[Piece]) -> Iterator[Sequence[object]]:
        number = 0
        date = None if self.wanted.nlp_date is None else self.wanted.nlp_date.isoformat()
        for piece in pieces:
            for start, text, label in piece.get("nlp", ()):
                number += 1
                values = {
                    "note_nlp_id": number,
                    "note_id": int(piece["id"]),
                    "section_concept_id": 0,
                    "offset": str(start),
                    "lexical_variant": text,
                    "note_nlp_concept_id": 0,
                    "note_nlp_source_concept_id": 0,
                    "nlp_system": "dpdeid",
                    "nlp_date": date,
                    "term_modifiers": f"label={label}",
                }
                yield NOTE_NLP.row([values.get(name) for name in NOTE_NLP.names])

    def _persons(self) -> Iterator[Sequence[object]]:
        """PERSON by released id; of ids that were merged the one under which all is released."""
        rows: dict[int, dict[str, object]] = {}
        for own in sorted(self.people, key=lambda one: one != self.same(one)):
            number = self.number("person_id", self.same(own))
            gender = self.people[own].gender
            if number is not None and gender is not None and self._goes(own):
                one: dict[str, object] = {
                    "person_id": number,
                    "gender_concept_id": gender,
                    "year_of_birth": self._years.get(self.same(own)),
                    "race_concept_id": 0,
                    "ethnicity_concept_id": 0,
                }
                rows.setdefault(number, one)
        for number in sorted(rows):
            yield PERSON.row([rows[number].get(name) for name in PERSON.names])

    def _moved(self, table: Table) -> Iterator[list[Any]]:
        """The rows of another table; a date is null where none is released for it."""
        done = empty = nobody = 0
        for row in self.tables.rows(table.name, table.names):
            person = whole(row["person_id"])
            if person is None:
                nobody += 1
                continue
            if not self._goes(str(person)):
                continue
            own = self.same(str(person))
            values: list[Any] = []
            for column in table.columns:
                value = row[column.name]
                if column.kind != "integer":
                    date = None if value is None else day_of(value)
                    moved = None if date is None else self._days.get((own, date))
                    empty += value is not None and moved is None
                    values.append(moved)
                elif column.name == "person_id":
                    values.append(self.number("person_id", own))
                elif column.name in VISITS:
                    values.append(self.number(column.name, value))
                else:
                    values.append(concept(value))
            done += 1
            yield values
        self._said.append(
            f"{table.name}: {done:,} rows of {', '.join(table.names)}; {empty:,} dates without a "
            f"released one are empty, {nobody:,} rows of no person are left out"
        )

    def told(self) -> Iterator[str]:
        """What is said at the end."""
        if self.engine.policy.unit != "patient":
            yield (
                "person_id tells which notes are of one patient, and this policy protects each "
                "note by itself; year_of_birth is empty under it"
            )
        yield from self._said


def _error(piece: Piece) -> Sequence[object]:
    name = piece["id"]
    return NOTE_ERRORS.row([None if name is None else int(name), piece["error"]])


def _variants(result: Deidentified) -> Iterator[tuple[int, str, str]]:
    """Where each surrogate stands in the released text, in code points from 0, what it is and its
    label; one that is empty stands nowhere.
    """
    moved = 0
    for one in result.surrogates:
        span = one.mention.span
        if one.text:
            yield span.start + moved, one.text, one.mention.label.value
        moved += len(one.text) - (span.end - span.start)
