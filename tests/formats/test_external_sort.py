"""Sorting with more lines than the memory may hold."""

from __future__ import annotations

import tracemalloc
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.formats import external_sort
from dpdeid.formats.external_sort import ExternalSort

LINES = st.lists(st.tuples(st.binary(max_size=3), st.binary(max_size=300)))


@given(lines=LINES, chunk=st.sampled_from([1, 400, 2_000, 1 << 20]))
def test_it_is_sorted_by_key_and_stable(lines: list[tuple[bytes, bytes]], chunk: int) -> None:
    with closing(ExternalSort(chunk=chunk)) as out:
        for key, line in lines:
            out.add(key, line)
        expected = [line for _, line in sorted(lines, key=lambda pair: pair[0])]
        assert list(out) == expected
        assert list(out) == expected


def test_lines_longer_than_a_block() -> None:
    lines = {bytes([n]): bytes([n]) * n * 60_000 for n in (5, 1, 4, 2, 3)}
    with closing(ExternalSort(chunk=1)) as out:
        for key, line in lines.items():
            out.add(key, line)
        assert list(out) == [lines[key] for key in sorted(lines)]


def test_the_memory_does_not_grow_with_the_lines(tmp_path: Path) -> None:
    lines, size = 80_000, 200
    tracemalloc.start()
    with closing(ExternalSort(tmp_path, chunk=1 << 20)) as out:
        for number in range(lines):
            out.add(b"%08d" % (number * 7_919 % lines), b"x" * size)
        assert sum(1 for _ in out) == lines
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < lines * size / 3


def test_nothing_stands_in_the_file_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    file = BytesIO()
    monkeypatch.setattr(external_sort, "TemporaryFile", lambda **_: file)
    sort = ExternalSort(chunk=1)
    for _ in range(4):
        sort.add(b"Kervadec", b"Mme Kervadec, vue ce jour")
    assert len(file.getvalue()) > 100
    assert b"Kervadec" not in file.getvalue()
    assert len({file.getvalue()[at : at + 41] for at in range(0, 164, 41)}) == 4


def test_nothing_is_left_even_on_errors(tmp_path: Path) -> None:
    def stopped() -> None:
        with closing(ExternalSort(tmp_path, chunk=1)) as out:
            out.add(b"b", b"text")
            out.add(b"a", b"text")
            assert list(tmp_path.iterdir()) == []
            raise RuntimeError

    with pytest.raises(RuntimeError):
        stopped()
    assert list(tmp_path.iterdir()) == []
