"""Which notes are not the same before and after, and how that is told."""

from __future__ import annotations

import pytest

from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.utility import same_notes

A, B, C = (Document(name, "") for name in "abc")


def test_the_same_ids_in_any_order_pass() -> None:
    same_notes([A, B], [B, A])


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([A, B], [B, C], r"\(only in BEFORE: a; only in AFTER: c\).*--keep-ids"),
        ([A], [A, A], r"\(twice in AFTER: a\)"),
        ([B, A, B], [A, B], r"\(twice in BEFORE: b\)"),
        ([Document(f"{at:02}", "") for at in range(30)], [], r"00, 01.*09 and 20 more"),
    ],
)
def test_others_are_refused_with_their_ids(
    before: list[Document], after: list[Document], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        same_notes(before, after)
