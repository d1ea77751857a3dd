"""Batches for `map` of Hugging Face `datasets`: columns of a batch in, columns to release out.

A function that gets batches cannot see whether it has all notes of a patient. So it looks at the
ids of the whole dataset first, and refuses a batch that splits a patient, in any process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.rows import OWN_KEYS, Row, row_of

COLUMNS: Final = ("id", "text", "note_date", "error")
"""What a released dataset has, all of them texts or None."""

_TWICE: Final = "another row has this id"


class Batches:
    """What `map` takes: `release = Batches(…)`, then `data.map(release, **release.options)`.

    It reads the columns that a row of `dpdeid run` has (id, text, patient_id, note_date, patient)
    and gives "id", the released one, "text", "note_date" and "error". A note that cannot be
    processed has its message and no text. It keeps nothing between batches, so that `num_proc` may
    be more than one under the unit note.

    Under the unit patient all notes of a patient stand in one batch, which `options` see to in one
    process. Rows keep their order, which may tell what the texts hide: sort them by "id".

    Args:
        deidentifier: with a key, or nothing can be cached or sent to another process.
        dataset: what is mapped, whole; its ids and patients are read.

    Raises:
        UsageError: it cannot be read twice (an `IterableDataset`), or has no column id or text.
    """

    def __init__(self, deidentifier: Deidentifier, dataset: Any) -> None:
        if not hasattr(dataset, "__len__"):
            raise UsageError("Batches reads the ids of a dataset first: not of an IterableDataset")
        for name in ("id", "text"):
            if name not in dataset.column_names:
                raise UsageError(f"the dataset has no column {name}: rename_column makes one")
        self._deidentifier = deidentifier
        self._columns = list(dataset.column_names)
        self._ids = Counter(str(one) for one in dataset["id"])
        by_patient = deidentifier.policy.unit == "patient"
        named = by_patient and "patient_id" in dataset.column_names
        self._patients = _counted(dataset["patient_id"]) if named else Counter()

    @property
    def options(self) -> dict[str, Any]:
        """What `map` is to be told beside: one batch, and no column but those of here."""
        from datasets import Features, Value

        return {
            "batched": True,
            "batch_size": None,
            "remove_columns": self._columns,
            "features": Features({name: Value("string") for name in COLUMNS}),
        }

    def __repr__(self) -> str:
        return f"Batches({self._deidentifier!r})"

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[str | None]]:
        """The released columns of a batch, in its order.

        Raises:
            UsageError: the batch does not hold all notes of a patient, as the policy's unit asks.
        """
        own = {name: batch[name] for name in OWN_KEYS if name in batch}
        here = _counted(own.get("patient_id", ()))
        if self._patients and any(self._patients[one] != here[one] for one in here):
            raise UsageError(
                "a batch does not hold all notes of each of its patients, and the unit of the "
                "policy is the patient: map with batch_size=None in one process"
            )
        values = zip(*own.values(), strict=True)
        rows = [row_of(dict(zip(own, row, strict=True)), 1, "this row") for row in values]
        results = self._results(rows)
        return {
            "id": [self._released_id(row) for row in rows],
            "text": [_told(result, "text") for result in results],
            "note_date": [_told(result, "note_date") for result in results],
            "error": [_told(result, "error") for result in results],
        }

    def _results(self, rows: Sequence[Row]) -> list[Deidentified | Failure]:
        """One result a row. Rows that share an id fail: they would be one note to the key."""
        faults = [row.error or (_TWICE if self._ids[str(row.id)] > 1 else "") for row in rows]
        notes = [
            row.document
            for row, fault in zip(rows, faults, strict=True)
            if row.document is not None and not fault
        ]
        done = self._deidentifier.pipe(notes)
        return [Failure("", fault) if fault else next(done) for fault in faults]

    def _released_id(self, row: Row) -> str | None:
        return None if row.id is None else self._deidentifier.cohort.released_id(row.id)


def _counted(values: Iterable[object]) -> Counter[str]:
    """How often each value that is one stands in a column."""
    return Counter(str(value) for value in values if value is not None and str(value).strip())


def _told(result: Deidentified | Failure, name: str) -> str | None:
    value: str | None = getattr(result, name, None)
    return value
