"""What the tests of pages and envelopes share: files in and out, through the engine."""

from __future__ import annotations

from io import BytesIO

from dpdeid.document import Deidentified
from dpdeid.engine import Deidentifier
from dpdeid.formats.kinds import Origin, Reading, kind_of
from dpdeid.formats.rows import Row
from dpdeid.policy.policy import load_policy
from tests.conftest import KEY


def row_of(data: bytes, name: str) -> Row:
    """The one row of a file."""
    kind = kind_of(name)
    assert kind is not None
    (row,) = kind.reader(BytesIO(data), Origin("", name), Reading())
    return row


def engine(policy: str = "redact") -> Deidentifier:
    """A de-identifier with rules and lists, without taggers."""
    loaded = load_policy(policy)
    rules = [d for d in loaded.detectors if d.name in ("patterns", "lookup", "metadata")]
    return Deidentifier(loaded.found_by(*rules), key=KEY)


def released(data: bytes, name: str, policy: str = "redact") -> tuple[bytes, Deidentified]:
    """A released file, and its note."""
    row = row_of(data, name)
    assert row.document is not None, row.error
    assert row.form is not None
    result = engine(policy)(row.document)
    return row.form.written(result, "x1"), result


def untouched(data: bytes, name: str) -> bytes:
    """A file of which nothing was found."""
    row = row_of(data, name)
    assert row.document is not None
    assert row.form is not None
    return row.form.written(Deidentified("a", row.document.text), "x1")
