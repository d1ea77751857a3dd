"""What a run has done, on the disk until all of it is: one that was killed goes on where it stood.

    first line    public: what decides the results; the journal of anything else is refused
    then a line   a record: its keyed name, and its results encrypted (AES-SIV) under the key

A record is added when its charges, its memory and its way back are on the disk: what the journal
holds is paid for, and what it does not hold is drawn again from the key, which gives the same and
costs nothing. Records with a failure are not added. Lists, models and policy are checked, the
version of the code is not, but for the scheme of surrogates.
"""

from __future__ import annotations

import json
import pickle
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from dpdeid import gazetteers
from dpdeid.cohort import durable
from dpdeid.cohort.cohort import Cohort
from dpdeid.cohort.manifest import SCHEME, models
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.errors import UsageError
from dpdeid.policy.policy import Policy
from dpdeid.privacy.rng import derive, tag

VERSION: Final = 1
Results = Sequence[Deidentified | Failure]
"""Of a record, one a note."""
_NAME: Final = 32
"""Hexadecimal digits of the name of a record."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal of a run, which alone has it.

    Args:
        places: name of a record → where its line begins, and how long it is. All are held.
    """

    path: Path
    places: dict[str, tuple[int, int]] = field(repr=False)
    _file: BinaryIO = field(repr=False)
    _cipher: AESSIV = field(repr=False)
    _key: bytes = field(repr=False)

    def find(self, docs: Sequence[Document]) -> Results | None:
        """The results of a record that is done; None if it is not.

        Raises:
            UsageError: its line was altered.
        """
        name = self._named(docs)
        if (place := self.places.get(name)) is None:
            return None
        start, length = place
        self._file.seek(start)
        line = self._file.read(length)
        try:
            packed = self._cipher.decrypt(b64decode(line[_NAME:]), [name.encode()])
        except (InvalidTag, ValueError):
            raise UsageError(
                f"{self.path} is damaged at byte {start:,}: delete it, and the run begins anew"
            ) from None
        found: Results = pickle.loads(zlib.decompress(packed))  # whoever has the key wrote it
        return found

    def add(self, records: Iterable[tuple[Sequence[Document], Results]]) -> None:
        """Adds records without failures; they are on the disk when it returns.

        Raises:
            OSError: they cannot be written; what was there before can be gone on from.
        """
        new = {}
        for docs, results in records:
            name = self._named(docs)
            if name not in self.places and all(isinstance(r, Deidentified) for r in results):
                packed = zlib.compress(pickle.dumps(results), 1)
                sealed = b64encode(self._cipher.encrypt(packed, [name.encode()]))
                new[name] = name.encode() + sealed + b"\n"
        if not new:
            return
        at = self._file.seek(0, 2)
        durable.append(self._file, new.values())
        for name, line in new.items():
            self.places[name] = at, len(line) - 1
            at += len(line)

    def _named(self, docs: Sequence[Document]) -> str:
        """The name of a record: the same only for the same notes with the same facts."""
        held = (getattr(doc, one.name) for doc in docs for one in fields(doc))
        told = (repr(sorted(one.items()) if isinstance(one, Mapping) else one) for one in held)
        return tag(self._key, *told, size=_NAME // 2)


@contextmanager
def journal(path: Path, policy: Policy, cohort: Cohort) -> Iterator[Journal]:
    """The journal at a path, which is removed when the block ends well.

    Raises:
        UsageError: another run has it, it is of other data than this run's policy, key, lists or
            models, or it cannot be written.
        SecretKeyError: the key is kept nowhere, or nothing is drawn from it.
    """
    cohort.check_repeatable("a run that can go on (--resume)")
    head = durable.json_line(_decides(policy, cohort))
    with durable.held(path, UsageError, path) as file:
        file.seek(0)
        first = file.readline()
        if not first:
            durable.append(file, [head])
        elif first != head:
            raise UsageError(f"{path}: {_other(first, head)}")
        places = dict(_places(file))
        key = derive(cohort.key, "journal")
        yield Journal(path, places, file, AESSIV(key + derive(key, "cipher")), derive(key, "names"))
        path.unlink()


def _decides(policy: Policy, cohort: Cohort) -> dict[str, object]:
    """What the results of a run follow from, beside the notes."""
    return {
        "version": VERSION,
        "surrogate scheme": SCHEME,
        "policy": policy.sha256,
        "lists": gazetteers.fingerprint(),
        "models": models(policy),
        "plugins": dict(policy.plugins),
        "key": cohort.fingerprint,
        "ledger key": cohort.ledger_fingerprint,
        "e0": cohort.e0.isoformat(),
    }


def _other(first: bytes, head: bytes) -> str:
    """What differs between the first lines of two journals."""
    try:
        before, now = json.loads(first), json.loads(head)
        differs = [name for name in now if before.get(name) != now[name]]
    except (AttributeError, ValueError):
        return "is no journal of a run"
    return (
        f"was begun with another {' and '.join(differs)}: go on with what it was begun with, or "
        "delete it and begin anew"
    )


def _places(file: BinaryIO) -> Iterator[tuple[str, tuple[int, int]]]:
    """The names of the records in a file, from where it stands, and where their lines lie."""
    at = file.tell()
    for line in file:
        yield line[:_NAME].decode("ascii", "replace"), (at, len(line) - 1)
        at += len(line)
