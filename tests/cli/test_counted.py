"""One thing is no plural."""

from __future__ import annotations

import pytest

from dpdeid.cli.terminal import counted


@pytest.mark.parametrize(
    ("number", "out"), [(0, "0 notes"), (1, "1 note"), (2, "2 notes"), (1234, "1,234 notes")]
)
def test_a_noun_is_in_the_number_of_its_count(number: int, out: str) -> None:
    assert counted(number, "note") == out
