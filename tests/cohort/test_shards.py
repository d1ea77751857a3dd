"""Parts of a cohort: every unit is of one, and no two runs can have one unit."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.cohort.account import CHARGES, committing, forget, read
from dpdeid.cohort.shards import Shard
from dpdeid.errors import CohortError, UsageError
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import Epsilon

PAID = Charge("u", "e", "m", Epsilon(1))
OTHER = Charge("v", "e", "m", Epsilon(1))
WHOLE = Charge("w", "e", "m", Epsilon(1))


@given(unit=st.integers(0, 2**64 - 1), of=st.integers(1, 9999))
def test_every_unit_is_of_one_part(unit: int, of: int) -> None:
    number = unit % of + 1
    others = {1, of, number % of + 1} - {number}
    assert Shard(number, of).has(f"{unit:016x}")
    assert not any(Shard(other, of).has(f"{unit:016x}") for other in others)


def test_a_part_is_named_by_its_number() -> None:
    assert Shard.parse("2/4") == Shard(2, 4)
    assert Shard.parse("1/1") == Shard(1, 1)


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "a/b", "1/", "-1/2", "1/2/3", "", "01/2"])
def test_what_names_no_part_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="2/4"):
        Shard.parse(text)


def test_parts_are_held_at_once_and_add_up(tmp_path: Path) -> None:
    with committing(tmp_path) as account:
        account.commit(Ledger.of([WHOLE]))
    with committing(tmp_path, Shard(1, 2)) as one, committing(tmp_path, Shard(2, 2)) as other:
        one.commit(Ledger.of([PAID, WHOLE]))
        other.commit(Ledger.of([OTHER]))
    assert read(tmp_path).ledger == Ledger.of([PAID, OTHER, WHOLE])
    lines = [path.read_bytes() for path in tmp_path.glob("charges*.jsonl")]
    assert len(b"".join(lines).splitlines()) == 3, "what is known is not charged again"


@pytest.mark.parametrize(
    ("held", "asked", "told"),
    [
        (Shard(1, 2), Shard(1, 2), "part 1 of 2"),
        (Shard(1, 2), Shard(2, 3), "another number of parts"),
        (Shard(1, 2), None, "another run is using the cohort"),
        (None, Shard(1, 2), "another run is using the cohort"),
    ],
)
def test_who_could_take_the_same_patient_is_refused(
    held: Shard | None, asked: Shard | None, told: str, tmp_path: Path
) -> None:
    with (
        committing(tmp_path, held),
        pytest.raises(CohortError, match=told),
        committing(tmp_path, asked),
    ):
        pass
    with committing(tmp_path, asked):
        pass


def test_nobody_is_forgotten_while_a_part_is_held(tmp_path: Path) -> None:
    with committing(tmp_path, Shard(1, 2)) as account:
        account.commit(Ledger.of([PAID, OTHER]))
        with pytest.raises(CohortError, match="another run"):
            forget(tmp_path, ["u"], (), "2026-11-24")


def test_who_is_forgotten_is_so_in_all_parts(tmp_path: Path) -> None:
    with committing(tmp_path, Shard(1, 2)) as account:
        account.commit(Ledger.of([PAID, OTHER]))
    assert forget(tmp_path, ["u"], (), "2026-11-24").charges == 1
    assert read(tmp_path).ledger == Ledger.of([OTHER])
    assert read(tmp_path).forgotten == {"u": "2026-11-24"}
    assert [*tmp_path.iterdir()] == [tmp_path / CHARGES]
    with committing(tmp_path, Shard(2, 2)) as account:
        assert account.forgotten == {"u": "2026-11-24"}
