"""Originals and their release: the same notes, by id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from dpdeid.document import Document
from dpdeid.errors import UsageError

_SHOWN: Final = 10
"""Ids that the message lists of each kind."""


def check_same_notes(before: Sequence[Document], after: Sequence[Document]) -> None:
    """Refuses notes that do not stand on both sides, once.

    Raises:
        UsageError: an id stands on one side only or twice; names the ids.
    """
    old, new = (Counter(doc.id for doc in docs) for docs in (before, after))
    kinds = {
        "only in BEFORE": old.keys() - new,
        "only in AFTER": new.keys() - old,
        "twice in BEFORE": [name for name, times in old.items() if times > 1],
        "twice in AFTER": [name for name, times in new.items() if times > 1],
    }
    if any(kinds.values()):
        told = "; ".join(f"{what}: {_listed(ids)}" for what, ids in kinds.items() if ids)
        raise UsageError(
            f"the notes before and after must have the same ids ({told}). "
            "`dpdeid run` keeps ids with --keep-ids"
        )


def _listed(ids: Collection[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(sorted(ids)[:_SHOWN]) + more
