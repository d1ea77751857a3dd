"""The ledger file of a run: every charge once, the totals of each unit, in memory that stays."""

from __future__ import annotations

import io
import json
import tracemalloc
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.formats import external_sort
from dpdeid.formats.external_sort import ChargeFile
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import Epsilon, EpsilonPerDay, NoGuarantee

CHARGES = st.builds(
    Charge,
    st.sampled_from(["u", "v"]),
    st.sampled_from(["a", "b", "c"]),
    st.just("m"),
    st.sampled_from([Epsilon(1), EpsilonPerDay(2), NoGuarantee("keyed")]),
)


def written(records: list[list[Charge]]) -> dict[str, object]:
    out = io.StringIO()
    with closing(ChargeFile(None)) as file:
        for record in records:
            file.add(record)
        file.write(out, {"policy": "t", "mentions": {"DATE": 1}})
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


@given(records=st.lists(st.lists(CHARGES, max_size=6), max_size=6))
def test_it_is_the_ledger_of_all_records(records: list[list[Charge]]) -> None:
    whole = Ledger.of(charge for record in records for charge in record)
    assert written(records) == {
        "policy": "t",
        "mentions": {"DATE": 1},
        "totals": {unit: [x.to_json() for x in whole.total(unit)] for unit in whole.units},
        "charges": whole.rows(),
    }


def test_totals_have_the_bits_of_the_head_where_all_draws_have_some() -> None:
    out = io.StringIO()
    with closing(ChargeFile(None)) as file:
        for unit, mechanism in (("u", "m"), ("u", "m"), ("v", "other")):
            file.add([Charge(unit, event, mechanism, Epsilon(1)) for event in "ab"])
        file.write(out, {"leakage": {"bits": {"m": [1.5, 4.0]}}})
    totals = json.loads(out.getvalue())["totals"]
    assert totals["u"][-1] == {"kind": "MaximalLeakage", "bits": 5.5}
    assert [one["kind"] for one in totals["v"]] == ["Epsilon"]


def test_no_charge_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_sort, "_CHUNK", 1 << 18)

    class Nowhere(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    charges = 16_000
    tracemalloc.start()
    with closing(ChargeFile(None)) as file:
        for n in range(charges):
            file.add([Charge(f"unit {n % 1_000}", f"event {n}", "m", Epsilon(1))])
        file.write(Nowhere(), {"policy": "t"})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < charges * 200
