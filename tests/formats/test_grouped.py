"""What belongs together comes together, once, whatever the order and the memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.formats import external_sort
from dpdeid.formats.external_sort import grouped

ITEMS = st.lists(st.tuples(st.none() | st.text(max_size=2), st.integers()))


@given(items=ITEMS, chunk=st.sampled_from([1, 1 << 20]))
def test_every_item_is_in_the_group_of_its_name_once(
    items: list[tuple[str | None, int]], chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(external_sort, "_CHUNK", chunk)
        groups = list(grouped(items, lambda item: item[0], None))
    alone = [group for group in groups if group[0][0] is None]
    named = [group for group in groups if group[0][0] is not None]
    assert [item for group in alone for item in group] == [i for i in items if i[0] is None]
    assert all(len(group) == 1 for group in alone)
    assert len(named) == len({name for name, _ in items if name is not None})
    for group in named:
        assert group == [item for item in items if item[0] == group[0][0]]


def test_an_end_on_the_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_sort, "_CHUNK", 1)
    groups = grouped(["a", "b", "a"], str, tmp_path)
    assert next(groups) == ["a", "a"]
    groups.close()
    assert [*tmp_path.iterdir()] == []
