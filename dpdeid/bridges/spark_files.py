"""Files of rows as frames of Spark: tasks read them with the readers of this package, one file a
task, so that a row is the same note to any engine.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError, extra
from dpdeid.formats.kinds import Reading
from dpdeid.formats.rows import FACTS, Row
from dpdeid.formats.sources import Part, noted
from dpdeid.formats.tables.kept import Kept
from dpdeid.formats.write import json_text, without_identity
from dpdeid.labels import Sex

with extra("spark", "frames of Spark need pyspark, pandas and pyarrow"):
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
    from pyspark.sql.types import StructType

_TOGETHER: Final = 256
"""Rows that are handed over at once."""
_KEYS: Final = {label: key for key, label in reversed(FACTS.items())}
_COLUMNS: Final = (
    "file int, row long, place string, id string, text string, patient_id string, "
    "note_date string, patient map<string, array<string>>, sex string, date_shift int, wrong string"
)
_UNHELD: Final = "half a character (a lone surrogate), which Spark cannot hold"


def kept_types(files: Sequence[Part], keep: Sequence[str]) -> dict[str, Any]:
    """The columns to keep with their types: those of Parquet files where these agree, else texts;
    None for the surrogate of the note's date.

    Raises:
        UsageError: Spark has no such type.
    """
    kept: dict[str, Any] = {}
    for name in dict.fromkeys(keep):
        if name == "note_date":
            kept[name] = None
            continue
        found = set()
        for part in files:
            schema = pq.read_schema(part.path) if part.kind.name == "parquet" else pa.schema([])
            if name in schema.names:
                found.add(schema.field(name).type)
            elif part.kind.name != "parquet":
                found.add(pa.string())
        kind = found.pop() if len(found) == 1 else pa.string()
        try:
            kept[name] = from_arrow_type(kind, prefer_timestamp_ntz=True)
        except PySparkException:
            raise UsageError(f"--keep {name}: Spark has no type for such values") from None
    return kept


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads files in tasks: rows of the columns of `_COLUMNS` and of those that are kept.

    Args:
        kept: the columns to keep with their types in Spark; None for the surrogate of a date.
        looked: those of them that detectors look at first, see `Kept`.
        policy: whose detectors, pickled.
    """

    files: Sequence[Part]
    how: Reading
    kept: Mapping[str, Any]
    looked: Sequence[str] = ()
    policy: bytes = b""

    @property
    def columns(self) -> list[str]:
        """What the columns to keep are called meanwhile: their names could be those of others."""
        return [
            "note_date" if kind is None else f"kept {at}"
            for at, kind in enumerate(self.kept.values())
        ]

    def frame(self, session: SparkSession) -> DataFrame:
        """All rows of all files; nothing is read yet."""
        schema = StructType.fromDDL(_COLUMNS)
        for name, kind in zip(self.columns, self.kept.values(), strict=True):
            if kind is not None:
                schema = schema.add(name, kind)
        each = session.range(0, len(self.files), 1, max(len(self.files), 1))
        return each.mapInArrow(lambda batches: self._rows(batches, schema), schema)

    def _rows(self, batches: Iterable[Any], schema: Any) -> Iterator[Any]:
        arrow = to_arrow_schema(schema)
        for batch in batches:
            for at in batch.column("id").to_pylist():
                rows = enumerate(self._looked(noted(self.files[at].rows(self.how), Counter())))
                while some := [*islice(rows, _TOGETHER)]:
                    told = [self._told(at, number, row) for number, row in some]
                    columns = zip(*told, strict=True)
                    arrays = [
                        pa.array(column, field.type)
                        for column, field in zip(columns, arrow, strict=True)
                    ]
                    yield pa.RecordBatch.from_arrays(arrays, schema=arrow)

    def _looked(self, rows: Iterable[Row]) -> Iterator[Row]:
        columns = tuple(name for name in self.looked if self.kept[name] is not None)
        return Kept(_engine(self.policy), columns).rest(rows) if columns else iter(rows)

    def _told(self, file: int, number: int, row: Row) -> tuple[Any, ...]:
        """A row as values of the frame."""
        place = row.place or row.where
        doc, wrong = row.document, row.error.removeprefix(f"{row.where}: ")
        kept = [
            _value(row.extra.get(name), kind)
            for name, kind in self.kept.items()
            if kind is not None
        ]
        known = {} if doc is None else {_KEYS[label]: [*of] for label, of in doc.known.items()}
        told = (row.id, doc and doc.text, row.patient_id, *known.values(), *kept)
        if not all(map(_is_held, told)):
            doc, wrong = None, _UNHELD
        if doc is None:
            own = row.id if _is_held(row.id) else None
            return (file, number, place, own, *[None] * 6, wrong, *[None] * len(kept))
        day = doc.note_date and doc.note_date.isoformat()
        sex = None if doc.sex is Sex.UNKNOWN else doc.sex.value
        return (
            *(file, number, place, doc.id, doc.text, doc.patient_id, day),
            *([*known.items()] or None, sex, doc.date_shift, None, *kept),
        )


@lru_cache(maxsize=1)
def _engine(policy: bytes) -> Deidentifier:
    """Detectors of a process, for all its tasks; it releases nothing."""
    return Deidentifier(pickle.loads(policy))


def _value(value: Any, kind: Any) -> Any:
    """A value to keep, without identifying keys in it; in a column of texts JSON stands for what is
    none.
    """
    value = without_identity(value)
    if kind.typeName() != "string" or value is None or isinstance(value, str):
        return value
    return json_text(value, indent=None).strip('\n"')


def _is_held(value: object) -> bool:
    """Whether a value has a form in UTF-8, or is no text."""
    texts = value if isinstance(value, list) else [value]
    try:
        return all(text.encode() or True for text in texts if isinstance(text, str))
    except UnicodeEncodeError:
        return False
