"""The values that travel through the pipeline. None can be changed, none shows text in its repr."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from operator import attrgetter
from types import UnionType
from typing import Final, Literal, NamedTuple, Self, TypeVar

from dpdeid.errors import DpdeidError, InputError, UsageError
from dpdeid.french.calendar import DAY_FORMS, day_of, is_missing
from dpdeid.labels import Label, Role, Sex, by_label
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.memory import Memory
from dpdeid.tokens import Tokens, tokenize

T = TypeVar("T")

_UNKNOWN: Final = Role.UNKNOWN
_KINDS: Final[Mapping[str, type | UnionType]] = {
    "id": str,
    "text": str,
    "patient_id": str | None,
    "note_date": dt.date | None,
    "known": Mapping,
    "sex": Sex,
    "date_shift": int | None,
    "others": Mapping,
}
_SEXES: Final = {sex.value: sex for sex in Sex}

LONGEST: Final = 20_000_000  # characters of a note, at most: some 7,000 pages


@dataclass(frozen=True)
class Document:
    """One note.

    Args:
        id: the caller's name for it, a whole number as its text; released rows have a keyed one.
        text: the note. Offsets everywhere are code points of this string.
        patient_id: whose note it is; notes of one patient make one record. As for `id`.
        note_date: the day the note was written, from the hospital's system: a date, a datetime, or
            a text in ISO form or day first (see `dpdeid.french.calendar`).
        known: the hospital's structured facts, by label or its name ("LAST_NAME"): surnames, birth
            date, phones, ids … A birth date is read as `note_date` is, and kept in ISO form; what
            is no date stays as it is and is not found, since systems export "?" and the like.
        sex: administrative sex from the hospital's system, or its letter: "F", "M", "U".
        date_shift: by how many days the caller wants the dates of this patient moved, not 0, to the
            past if negative; used by a policy that shifts dates, and by no other.
        others: facts of staff, relatives and institutions, as `known` has those of the patient.

    Raises:
        InputError: names a field of another type, missing, or no date, a key of `known` or `others`
            that is no label, and a text longer than `LONGEST`.
    """

    id: str
    text: str = field(repr=False)
    patient_id: str | None = field(default=None, repr=False)
    note_date: dt.date | None = field(default=None, repr=False)
    known: Mapping[Label, tuple[str, ...]] = field(default_factory=dict, repr=False, hash=False)
    sex: Sex = field(default=Sex.UNKNOWN, repr=False)
    date_shift: int | None = field(default=None, repr=False)
    others: Mapping[Label, tuple[str, ...]] = field(default_factory=dict, repr=False, hash=False)

    def __post_init__(self) -> None:
        for name in ("id", "patient_id"):
            given = getattr(self, name)
            if isinstance(given, Integral) and not isinstance(given, bool):
                object.__setattr__(self, name, str(int(given)))
        if isinstance(self.note_date, str | dt.datetime) and not is_missing(self.note_date):
            if (day := day_of(self.note_date)) is None:
                raise InputError(f"the note_date of a Document is not a date: {DAY_FORMS}")
            object.__setattr__(self, "note_date", day)
        if isinstance(self.sex, str):
            if (sex := _SEXES.get(self.sex.upper())) is None:
                raise InputError("the sex of a Document is a Sex, or its letter: F, M or U")
            object.__setattr__(self, "sex", sex)
        for name, kind in _KINDS.items():
            value = getattr(self, name)
            if is_missing(value):
                raise InputError(f"the {name} of a Document is a missing value (NaN or NaT)")
            if not isinstance(value, kind):
                told = type(value).__name__
                raise InputError(f"the {name} of a Document cannot be of type {told}")
        if len(self.text) > LONGEST:
            raise InputError(f"the text has {len(self.text):,} characters; at most {LONGEST:,} do")
        for name in ("known", "others"):
            facts = by_label(name, getattr(self, name), InputError)
            if born := facts.get(Label.BIRTH_DATE):
                facts[Label.BIRTH_DATE] = tuple(str(day_of(text) or text) for text in born)
            object.__setattr__(self, name, facts)

    def __getstate__(self) -> dict[str, object]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @property
    def facts(self) -> Iterator[Mapping[Label, tuple[str, ...]]]:
        """What is known, of the patient and of others, as far as there is any."""
        return (facts for facts in (self.known, self.others) if facts)

    @cached_property
    def tokens(self) -> Tokens:
        """The clinical tokens, made once."""
        return tokenize(self.text)


@dataclass(frozen=True, slots=True)
class Record:
    """What one privacy unit brings: one note, or all notes of a patient.

    `unit` is a keyed hash, safe to print; documents are in release order.
    """

    unit: str
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A record before it is released: all that decides beside the policy and the key.

    Args:
        documents: its notes, in any order.
        unit: what the privacy unit is, "note" or "patient", and the caller's id of it.
        memory: what was released of the unit before.
        spent: what that cost.
    """

    documents: tuple[Document, ...]
    unit: tuple[str, str] = field(repr=False)
    memory: Memory
    spent: tuple[Charge, ...]


@dataclass(frozen=True, slots=True, order=True, init=False)
class Span:
    """A stretch of a text: code points, half-open, at least one; no text inside.

    Args:
        score: how sure its source is, in [0, 1].
        source: the detector that proposed it.
        role: whose name it is, where it can be told.
    """

    start: int
    end: int
    label: Label
    score: float = 1.0
    source: str = ""
    role: Role = _UNKNOWN

    def __init__(
        self,
        start: int,
        end: int,
        label: Label,
        score: float = 1.0,
        source: str = "",
        role: Role = _UNKNOWN,
    ) -> None:
        if not 0 <= start < end:
            raise ValueError(f"a span needs 0 <= start < end, not {start}, {end}")
        if not 0 <= score <= 1:
            raise ValueError(f"a score lies in [0, 1], not {score}")
        # spans are made by the dozen a note, and a frozen class's own way costs twice as much
        _set_start(self, start)
        _set_end(self, end)
        _set_label(self, label)
        _set_score(self, score)
        _set_source(self, source)
        _set_role(self, role)

    def __len__(self) -> int:
        return self.end - self.start


_set_start, _set_end, _set_label, _set_score, _set_source, _set_role = (
    vars(Span)[name].__set__ for name in ("start", "end", "label", "score", "source", "role")
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What detection saw in one document, in offsets of the raw text: the merged spans, sorted and
    disjoint, and all that detectors proposed.
    """

    spans: tuple[Span, ...]
    proposals: tuple[Span, ...] = field(repr=False)


class Mention(NamedTuple):
    """One thing to replace: a span of a note's text, or the note's own date. A tuple, since there
    is one for every span.

    Args:
        document: index into `record.documents`.
        text: the original, as it stands in the note (ISO for a note date).
        where: "text", or "note_date" for the structured date (its span is then 0–10).
    """

    document: int
    span: Span
    text: str
    where: Literal["text", "note_date"] = "text"

    @property
    def label(self) -> Label:
        return self.span.label

    def __repr__(self) -> str:
        return f"Mention(document={self.document}, span={self.span!r}, where={self.where!r})"


def text_before(documents: Sequence[Document], mention: Mention, most: int) -> str:
    """Up to `most` characters before a mention of a text; "" for the date of a note."""
    start = mention.span.start
    if mention.where != "text":
        return ""
    return documents[mention.document].text[max(start - most, 0) : start]


def text_between(
    documents: Sequence[Document], first: Mention, second: Mention, most: int
) -> str | None:
    """What stands between two mentions of one text, in order; None beyond `most` characters."""
    end, start = first.span.end, second.span.start
    if first.document != second.document or not 0 <= start - end <= most:
        return None
    if first.where != "text" or second.where != "text":
        return None
    return documents[first.document].text[end:start]


class Surrogate(NamedTuple):
    """What a mention is replaced by. A tuple, as a mention is.

    Args:
        text: the replacement.
        strategy: the name of the strategy that gave it.
        charges: what its draw cost; mentions that share a draw repeat it, and it counts once.
        value: the surrogate in its normal form (a date, a place, a name), for strategies that run
            later and derive from it. Never the original.
    """

    mention: Mention
    text: str
    strategy: str
    charges: tuple[Charge, ...] = ()
    value: object = None

    def __repr__(self) -> str:
        told = f"mention={self.mention!r}, strategy={self.strategy!r}, charges={self.charges!r}"
        return f"Surrogate({told})"


@dataclass(frozen=True, slots=True)
class Deidentified:
    """A note that may be released.

    Args:
        id: the caller's id of the note.
        text: the de-identified text.
        note_date: the surrogate of the note's date, in ISO form or as far as the policy shows it.
        ledger: what the whole record of this note has spent.
        surrogates: what replaced what, sorted by start. Holds the originals: private.
        unread: paragraphs in a language that is not read, in which all that looks like a name, a
            date or a number was redacted.
    """

    id: str
    text: str = field(repr=False)
    note_date: str | None = None
    ledger: Ledger = field(default_factory=Ledger)
    surrogates: tuple[Surrogate, ...] = field(default=(), repr=False)
    unread: int = 0

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the original text, sorted and disjoint."""
        return tuple(s.mention.span for s in self.surrogates)


@dataclass(frozen=True, slots=True)
class Failure:
    """A note that could not be processed. `error` never repeats its text.

    Args:
        cause: the id of the note that made the whole record fail, if that is another one.
    """

    id: str
    error: str
    cause: str | None = None

    @classmethod
    def of(cls, id: str, error: Exception) -> Self:  # noqa: A002 - the field's own name
        """What may be said of an exception: our own messages, and only the name of any other."""
        safe = isinstance(error, DpdeidError)
        return cls(id, str(error) if safe else f"internal error ({type(error).__name__})")


_start: Final = attrgetter("mention.span.start")


def rewrite(text: str, surrogates: Iterable[Surrogate]) -> str:
    """`text` with each surrogate in the place of its mention; the rest is untouched.

    Raises:
        InputError: surrogates overlap or lie outside the text; nothing is released.
    """
    pieces: list[str] = []
    done = 0
    for (_, span, _, _), new, _, _, _ in sorted(surrogates, key=_start):
        start = span.start
        if start < done or span.end > len(text):
            raise InputError("replacements overlap or lie outside the text")
        pieces.append(text[done:start])
        pieces.append(new)
        done = span.end
    pieces.append(text[done:])
    return "".join(pieces)


def as_documents(docs: Iterable[Document | str]) -> Iterator[Document]:
    """Notes. Raises `InputError` if they are one, or hold what is none."""
    if isinstance(docs, str | bytes | Document):
        raise InputError("several notes are a list of Documents or texts, not one")
    return map(as_document, docs)


def as_document(doc: Document | str) -> Document:
    """A note; a bare text has an id of its own, or all such notes would be one unit."""
    if isinstance(doc, str):
        data = doc.encode("utf-8", "surrogatepass")
        return Document(f"note-{hashlib.blake2b(data, digest_size=8).hexdigest()}", doc)
    if not isinstance(doc, Document):
        raise InputError(f"a note is a Document or a str, not {type(doc).__name__}")
    return doc


def mentions_of(record: Record, findings: Sequence[Finding]) -> list[Mention]:
    """What strategies are asked about: the date of each note, and what was found in it."""
    mentions = []
    for index, (doc, finding) in enumerate(zip(record.documents, findings, strict=True)):
        if doc.note_date is not None:
            iso = doc.note_date.isoformat()
            span = Span(0, len(iso), Label.DATE, source="note_date")
            mentions.append(Mention(index, span, iso, "note_date"))
        mentions += (Mention(index, s, doc.text[s.start : s.end]) for s in finding.spans)
    return mentions


class NoteError(Exception):
    """A record fails, and some of its notes are why.

    Args:
        faults: what went wrong, by the id of the note.
    """

    def __init__(self, faults: Mapping[str, Exception]) -> None:
        super().__init__()
        self.faults = faults
        self.id, self.error = next(iter(faults.items()))

    def failure(self, doc: Document) -> Failure:
        """What may be said of a note of this record."""
        if doc.id in self.faults:
            return Failure.of(doc.id, self.faults[doc.id])
        return Failure(doc.id, "another note of this patient failed", cause=self.id)


def each_note(
    docs: Sequence[Document], step: Callable[..., T], *given: Sequence[object]
) -> list[T]:
    """What a step makes of each note and of what is given for it.

    Raises:
        NoteError: of all notes for which it fails, but for what is nobody's fault.
    """
    made: list[T] = []
    faults: dict[str, Exception] = {}
    for doc, *own in zip(docs, *given, strict=True):
        try:
            made.append(step(doc, *own))
        except UsageError:
            raise
        except Exception as error:
            faults.setdefault(doc.id, error)
    if faults:
        raise NoteError(faults)
    return made
