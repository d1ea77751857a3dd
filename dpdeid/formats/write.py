"""Output files. What may be released is one thing; spans, mapping and ledger are private files. No
output may destroy what a command reads.
"""

from __future__ import annotations

import datetime as dt
import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from decimal import Decimal
from functools import partial
from gzip import GzipFile
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO, cast

from dpdeid.cohort import durable
from dpdeid.document import Deidentified, Span
from dpdeid.errors import UsageError
from dpdeid.formats.rows import FACTS

NEVER_KEPT: Final = frozenset(
    {*FACTS, "sex", "id", "text", "patient", "patient_id", "entities", "spans", "error"}
)
"""Keys that `--keep` refuses: they identify, or they are not the input's to give."""


def keep_apart(inputs: Iterable[Path | None], *outputs: Path | None, folder: bool = False) -> None:
    """Nothing, if writing the outputs touches no input and no two are one file. To be asked before
    the first of them is opened.

    Args:
        folder: whether the first output is one.

    Raises:
        UsageError: an output is an input, lies in one that is a folder, is named twice, is a folder
            or lies in none.
    """
    origins = [path.resolve() for path in inputs if path is not None]
    seen: list[Path] = []
    for number, file in enumerate(outputs):
        if file is None:
            continue
        if (file.is_dir() and (number or not folder)) or not file.parent.is_dir():
            raise UsageError(f"cannot write {file}: it is a folder, or lies in none")
        if file.exists() and not file.is_file() and not file.is_dir():  # a device
            continue
        target = file.resolve()
        if any(_same(target, origin) or origin in target.parents for origin in origins):
            raise UsageError(f"{file} is an input, or lies in one: write to another place")
        if any(_same(target, other) for other in seen):
            raise UsageError(f"{file} is named twice: each output is a file of its own")
        seen.append(target)


def _same(one: Path, other: Path) -> bool:
    return one == other or (one.is_file() and other.is_file() and one.samefile(other))


@contextmanager
def open_text(path: Path, *, private: bool = False) -> Iterator[TextIO]:
    """A text file to write, packed if its name ends with .gz. It takes the place of an older one
    when the block ends well, see `durable.beside`.

    Raises:
        UsageError: it cannot be written.
    """
    with ExitStack() as files:
        try:
            file = files.enter_context(durable.beside(path, private=private))
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        if path.name.lower().endswith(".gz"):
            name = path.name[: -len(".gz")]
            file = files.enter_context(cast(BinaryIO, GzipFile(name, "wb", fileobj=file)))
        text = TextIOWrapper(file, encoding="utf-8")
        try:
            yield text
            text.flush()
        finally:
            with suppress(OSError):  # told once
                text.detach()


open_private: Final = partial(open_text, private=True)
"""A text file to write that only its owner can read (mode 0600). See `open_text`."""


def without_identity(value: Any) -> Any:
    """A value of a row without the identifying keys of the objects inside it; tuples and numpy's
    arrays of objects become lists.
    """
    if hasattr(value, "dtype") and value.dtype == object:
        value = value.tolist()
    if isinstance(value, Mapping):
        return {k: without_identity(v) for k, v in value.items() if not identifying(str(k))}
    return [without_identity(v) for v in value] if isinstance(value, list | tuple) else value


def identifying(key: str) -> bool:
    """Whether a key of a row is never released, in any case."""
    return key.strip().lower() in NEVER_KEPT


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """A private file of figures.

    Raises:
        UsageError: it cannot be written.
    """
    with open_private(path) as file:
        file.write(json_text(data))


def json_text(data: Any, *, indent: int | None = 1) -> str:
    """Data as JSON; a lone surrogate code point is escaped, not lost. What JSON has no type for is
    a text: dates and times in ISO form, binary values in base64.
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent, default=_text)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, indent=indent, default=_text)
    return text + "\n"


def _text(value: Any) -> str:
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, Decimal | dt.timedelta):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def json_line(row: Mapping[str, Any]) -> str:
    """One row as a line of JSON."""
    return json_text(row, indent=None)


def span_row(span: Span) -> dict[str, Any]:
    """A span as JSON: offsets, label, score, source, role."""
    return {
        "start": span.start,
        "end": span.end,
        "label": span.label.value,
        "score": span.score,
        "source": span.source,
        "role": span.role.value,
    }


def mapping_row(
    result: Deidentified, released_id: str, patient_id: str | None = None
) -> dict[str, Any]:
    """What replaced what in one note. Holds the originals."""
    return {
        "id": result.id,
        "patient_id": patient_id,
        "released_id": released_id,
        "replacements": [
            {
                "start": s.mention.span.start,
                "end": s.mention.span.end,
                "label": s.mention.label.value,
                "original": s.mention.text,
                "surrogate": s.text,
                "strategy": s.strategy,
            }
            for s in result.surrogates
        ],
    }
