"""Names by how often they come."""

from __future__ import annotations

from dpdeid.evaluate.attacks.names import Naming, frequency
from dpdeid.evaluate.attacks.simulated import names
from dpdeid.policy.policy import load_policy

BORNE = {"kerval": 5, "tanguy": 3, "morvan": 2}
PATIENTS = [(f"{name}{at}", name) for name, count in BORNE.items() for at in range(count)]


def test_one_surrogate_a_name_is_read_by_its_rank() -> None:
    found = frequency(Naming(who, name, f"s{name}") for who, name in PATIENTS)
    assert (found.matched.hits, found.matched.trials) == (3, 3)
    assert found.shared.share == 1
    assert found.shared.trials == 4 + 2 + 1
    assert found.blind == 1 / 3


def test_one_surrogate_a_patient_tells_nothing() -> None:
    found = frequency(Naming(who, name, f"s{at:02}") for at, (who, name) in enumerate(PATIENTS))
    assert (found.names, found.surrogates) == (3, 10)
    assert found.shared.hits == 0


def test_a_name_counts_once_a_patient() -> None:
    often = [Naming("p", "kerval", "a")] * 9
    found = frequency([*often, Naming("q", "tanguy", "b"), Naming("r", "tanguy", "b")])
    assert found.matched.hits == 2


def test_no_name_at_all() -> None:
    found = frequency([])
    assert (found.surrogates, found.matched.trials, found.blind) == (0, 0, 0)


def test_policies_draw_names_by_patient() -> None:
    found = names(load_policy("dp"), 200)
    assert found.shared.trials > 20
    assert found.shared.share < 0.05
    assert found.matched.low <= found.blind
