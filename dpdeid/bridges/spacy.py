"""A pipe of spaCy and edsnlp: `nlp.add_pipe("dpdeid", config={"policy": "dp"})`.

It marks what it finds in `doc.spans["dpdeid"]` and puts the text to release beside it, in
`doc._.dpdeid_text`. The `Doc` itself stays the original: it is private, and so is the vocabulary of
a pipeline that has read one.

The key is read from a file or from DPDEID_KEY where the pipe is made; neither a config nor a pickle
ever holds it. Annotations are evaluated here, since edsnlp refuses a factory whose are texts.
"""

import datetime as dt
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from dpdeid.bridges.offsets import placed
from dpdeid.cohort.cohort import Cohort, parse_key, read_key
from dpdeid.cohort.vault import Vault
from dpdeid.document import Deidentified, Document, Failure, Span, as_document
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError, SecretKeyError, UsageError, extra
from dpdeid.formats.rows import document_of
from dpdeid.policy.policy import load_policy

with extra("bridges", "a pipe of spaCy needs spaCy"):
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Span as SpacySpan
    from spacy.util import filter_spans

SPANS: Final = "dpdeid"
"""The key of `doc.spans`, and what the ids of its spans begin with."""

GIVEN: Final = ("note_id", "patient_id", "note_date", "dpdeid_patient")
"""Extensions of a `Doc` that a caller sets: see docs/bridges.md."""

MADE: Final = ("dpdeid_text", "dpdeid_id", "dpdeid_note_date", "dpdeid_error", "dpdeid_found")
"""Extensions of a `Doc` that the pipe sets."""

_PATIENTS: Final = ("patient_id", "person_id")
_DATES: Final = ("note_date", "note_datetime")
_log: Final = logging.getLogger(__name__)


def _of_span(key: str) -> Any:
    """A getter of what `doc._.dpdeid_found` has of a span of ours; None of any other."""

    def get(span: Any) -> Any:
        head, _, number = span.id_.partition(":")
        found = span.doc._.dpdeid_found
        return found[int(number)][key] if head == SPANS and found is not None else None

    return get


for _name in (*GIVEN, *MADE):
    if not Doc.has_extension(_name):
        Doc.set_extension(_name, default=None)
for _name in ("source", "score", "role", "start", "end"):
    if not SpacySpan.has_extension(f"dpdeid_{_name}"):
        SpacySpan.set_extension(f"dpdeid_{_name}", getter=_of_span(_name))


class Pipe:
    """Sets on each `Doc` the spans, and, if it does not only detect, the text to release.

    A note that cannot be processed has `doc._.dpdeid_error` and no text; nothing is raised for it.
    Under a policy whose unit is the patient, `pipe` reads all notes first, and notes of one patient
    fit over all calls of this pipe: it remembers in memory, encrypted, what it released. So
    their notes go through one process.

    Args:
        nlp: the pipeline; not used.
        name: of the pipe.
        policy: the name of a built-in one, or a path.
        key_file: of the cohort; default: DPDEID_KEY, else a random key for this pipe alone.
        e0: the cohort's public reference date, in ISO form.
        detect_only: whether to set spans only.
        ents: whether to set `doc.ents` as well. Where tokens are shared it holds the longest span
            alone; entities that stand there already and overlap none of ours stay.

    Raises:
        UsageError: the policy, the key or e0 is refused.
    """

    def __init__(
        self,
        nlp: Any = None,
        name: str = "dpdeid",
        *,
        policy: str = "dp",
        key_file: str | None = None,
        e0: str | None = None,
        detect_only: bool = False,
        ents: bool = False,
    ) -> None:
        self.name = name
        self._settings = {
            "policy": policy,
            "key_file": key_file,
            "e0": e0,
            "detect_only": detect_only,
            "ents": ents,
        }
        self._detect_only, self._ents = detect_only, ents
        key = _key(key_file)
        self._kept = key is not None
        if key is None:
            if not detect_only:
                _log.warning("no key_file or DPDEID_KEY: a random key is used for this pipe alone")
            key = Cohort.fresh().key
        checked = load_policy(policy)
        self._by_patient = checked.unit == "patient" and not detect_only
        vault = Vault(None, key) if self._by_patient else None
        self._deidentifier = Deidentifier(checked, key=key, e0=_day(e0), vault=vault)
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"Pipe({self.name!r}, policy={self._settings['policy']!r})"

    def __getstate__(self) -> dict[str, Any]:
        if not self._kept and not self._detect_only:
            raise SecretKeyError(
                "a copy of this pipe must draw what this one draws: it needs a key_file or "
                "DPDEID_KEY"
            )
        own = {"name": self.name, **self._settings}
        return {"settings": own, "cohort": self._deidentifier.cohort.fingerprint}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        Pipe.__init__(self, **state["settings"])
        if not self._detect_only and self._deidentifier.cohort.fingerprint != state["cohort"]:
            raise SecretKeyError(
                "a copy of this pipe must draw what this one draws: key_file or DPDEID_KEY is "
                "another here"
            )
        self._process = 0  # a copy: what the first one released of a patient it does not know

    def __call__(self, doc: Doc) -> Doc:
        note = self._note(doc)
        if isinstance(note, Failure):
            self._set(doc, note)
        elif self._detect_only:
            _clear(doc)
            self._mark(doc, [_entry(span) for span in self._deidentifier.detect(note).spans])
        else:
            (result,) = self._deidentifier.results([note])
            self._set(doc, result)
        return doc

    def pipe(self, stream: Iterable[Doc], batch_size: int = 128) -> Iterator[Doc]:
        """The same `Doc`s in their order; under the unit patient all are read first."""
        if not self._by_patient:
            yield from map(self, stream)
            return
        docs = list(stream)
        notes: list[tuple[Doc, Document]] = []
        for doc in docs:
            note = self._note(doc)
            if isinstance(note, Document):
                notes.append((doc, note))
            else:
                self._set(doc, note)
        for group, results in self._deidentifier.records(notes, itemgetter(1)):
            for (doc, _), result in zip(group, results, strict=True):
                self._set(doc, result)
        yield from docs

    def _note(self, doc: Doc) -> Document | Failure:
        """The note of a `Doc`, or why there is none.

        Raises:
            UsageError: it is a patient's, and this is not the process that made the pipe.
        """
        own = as_document(doc.text).id
        given = _first(doc, ("note_id",))
        row = {
            "id": own if given is None else given,
            "text": doc.text,
            "patient_id": _first(doc, _PATIENTS),
            "note_date": _first(doc, _DATES),
            "patient": doc._.dpdeid_patient,
        }
        try:
            note = document_of(row)
        except InputError as error:
            return Failure(own, str(error).removeprefix("row 1: "))
        if self._by_patient and note.patient_id is not None and os.getpid() != self._process:
            raise UsageError(
                "notes of one patient go through one process under the unit patient, and this is a "
                "copy of the pipe: n_process=1, or a policy whose unit is the note"
            )
        return note

    def _set(self, doc: Doc, result: Deidentified | Failure) -> None:
        _clear(doc)
        if isinstance(result, Failure):
            doc._.dpdeid_error = result.error
            self._mark(doc, [])
            return
        doc._.dpdeid_text = result.text
        doc._.dpdeid_id = self._deidentifier.cohort.released_id(result.id)
        doc._.dpdeid_note_date = result.note_date
        self._mark(
            doc,
            [
                _entry(surrogate.mention.span) | {"released": [start, end]}
                for surrogate, start, end in placed(result)
            ],
        )

    def _mark(self, doc: Doc, found: list[dict[str, Any]]) -> None:
        spans = mark(doc, found)
        if self._ents:
            ours = filter_spans(spans)
            taken = {token.i for span in ours for token in span}
            others = [ent for ent in doc.ents if not taken & set(range(ent.start, ent.end))]
            doc.ents = sorted([*ours, *others], key=lambda span: span.start)


def mark(doc: Doc, found: list[dict[str, Any]]) -> list[Any]:
    """The spans of `doc.spans["dpdeid"]`, which it sets, one for each entry in their order.

    A span has all tokens that its entry touches, so that several may share one; the exact offsets
    are `span._.dpdeid_start` and `_end`, in code points of `doc.text`.
    """
    doc._.dpdeid_found = found
    spans = [
        doc.char_span(
            one["start"],
            one["end"],
            label=one["label"],
            span_id=f"{SPANS}:{number}",
            alignment_mode="expand",
        )
        for number, one in enumerate(found)
    ]
    doc.spans[SPANS] = spans
    return spans


def released(nlp: Any, doc: Doc) -> Doc:
    """A new `Doc` of the released text alone: tokens of `nlp`, the spans at the surrogates, the
    released id and date of the note.

    Give it a pipeline that has read no original (`spacy.blank("fr")`) if that is saved too.

    Raises:
        UsageError: there is no released text; says why.
    """
    if doc._.dpdeid_text is None:
        raise UsageError(f"no released text: {doc._.dpdeid_error or 'no note, or detect_only'}")
    new: Doc = nlp.make_doc(doc._.dpdeid_text)
    new._.note_id, new._.note_date = doc._.dpdeid_id, doc._.dpdeid_note_date
    found = []
    for one in doc._.dpdeid_found:
        start, end = one["released"]
        if start < end:
            found.append({**one, "start": start, "end": end})
    mark(new, found)
    return new


def _entry(span: Span) -> dict[str, Any]:
    """What `doc._.dpdeid_found` has of a span: plain values, which a `DocBin` can hold."""
    return {
        "start": span.start,
        "end": span.end,
        "label": span.label.value,
        "score": float(span.score),
        "source": span.source,
        "role": span.role.value,
    }


def _clear(doc: Doc) -> None:
    """Takes away what an earlier pipe said of a `Doc`."""
    for name in MADE:
        doc._.set(name, None)


def _first(doc: Doc, names: Iterable[str]) -> Any:
    """The first of several extensions that a `Doc` has a value of."""
    values = (doc._.get(name) for name in names if Doc.has_extension(name))
    return next((value for value in values if value is not None), None)


def _key(path: str | None) -> bytes | None:
    if path is not None:
        return read_key(Path(path))
    given = os.environ.get("DPDEID_KEY")
    return None if given is None else parse_key(given.encode(), "DPDEID_KEY")


def _day(text: str | None) -> dt.date | None:
    try:
        return None if text is None else dt.date.fromisoformat(text)
    except ValueError:
        raise UsageError("e0 is not a date such as 2030-12-31") from None


Language.factory(
    "dpdeid",
    func=Pipe,
    assigns=["doc.spans"],
    default_config={
        "policy": "dp",
        "key_file": None,
        "e0": None,
        "detect_only": False,
        "ents": False,
    },
)
