"""The engine releases nothing beyond a strategy's worst case, in one run or over several."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, replace

import pytest

from dpdeid.assurance.report import statement
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import PolicyError, SecretKeyError
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy, load_policy, parse_policy, policy_text
from dpdeid.privacy.ledger import Allowance
from dpdeid.privacy.losses import Amount, Epsilon, NoGuarantee
from dpdeid.protocols import Guarantee
from dpdeid.substitute.without_draws import Redact
from tests.conftest import KEY
from tests.test_engine import Numbered, policy

NAMES = "ALBERT BERNARD CLEMENT DURAND EVRARD FABRE"


@dataclass(frozen=True)
class Spendthrift(Numbered):
    """States two draws and makes as many as there are names."""

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, "numbered", Epsilon(1), 2),)


def test_an_overrun_is_redacted_as_a_whole(caplog: pytest.LogCaptureFixture) -> None:
    engine = Deidentifier(policy(Spendthrift()), key=KEY)
    assert engine("ALBERT BERNARD").text.startswith("N")
    result = engine(NAMES)
    assert result.text == " ".join(["[LAST_NAME]"] * 6)
    assert not result.ledger.charges
    assert "exceed its budget; 6 mentions" in caplog.text
    assert "ALBERT" not in caplog.text


def test_what_earlier_runs_spent_counts_and_their_draws_are_free_again() -> None:
    strategies = policy(Spendthrift(), unit="patient")
    first = Deidentifier(strategies, key=KEY)(Document("1", "ALBERT BERNARD", "p"))
    later = Deidentifier(strategies, key=KEY, spent=first.ledger)
    assert later(Document("2", "BERNARD ALBERT", "p")).text.startswith("N")
    assert later(Document("3", "CLEMENT", "p")).text == "[LAST_NAME]"
    assert later(Document("4", "CLEMENT", "another")).text.startswith("N")


@pytest.mark.parametrize("name", ["dp", "dp-strict", "hnfc", "hnfc-strict"])
def test_a_note_full_of_dates_and_places_keeps_the_worst_case(name: str) -> None:
    days = " ".join(f"Vu le {d:02d}/{m:02d}/2019." for m in range(1, 13) for d in (3, 9, 21))
    towns = " ".join(f"Vit à {town}." for town in ("Lyon", "Brest", "Nantes", "Lille", "Dijon"))
    engine = Deidentifier(name, key=KEY)
    ledger = engine(f"Né le 04/05/1950. {days} {towns} Vit à Nancy. Vit à Metz.").ledger
    stated = [g for s in engine.policy.strategies for g in s.guarantees()]
    worst = Allowance.of(stated).worst
    (unit,) = [u for u in ledger.units if u != "cohort"]
    totals = [total for total in ledger.total(unit) if isinstance(total, Amount)]
    assert totals
    for total in totals:
        assert any(total.within(most) for most in worst if isinstance(most, Amount))


SYSTEM = replace(load_policy("dp"), randomness="system")


class TestSystemRandomness:
    note = Document("n", "Mme Durand, vue le 12/03/2021 à Lyon, revue le 12/03/2021.", "p")

    def test_a_retry_draws_anew_and_is_charged_anew(self) -> None:
        engine = Deidentifier(SYSTEM, key=KEY)
        one, other = engine(self.note), engine(self.note)
        assert one.text != other.text
        both = one.ledger + other.ledger
        (unit,) = [u for u in both.units if u != "cohort"]
        for kind in {type(t) for t in one.ledger.total(unit)} - {NoGuarantee}:
            alone, together = (
                next(t for t in ledger.total(unit) if type(t) is kind)
                for ledger in (one.ledger, both)
            )
            assert together == alone + alone

    def test_within_a_record_equal_values_still_agree(self) -> None:
        text = Deidentifier(SYSTEM, key=KEY)(self.note).text
        first, second = (word.strip(".,") for word in text.split() if word.count("/") == 2)
        assert first == second

    def test_a_policy_file_asks_for_it(self) -> None:
        parsed = parse_policy(policy_text("dp") + "randomness: system\n")
        assert parsed.randomness == "system"
        assert Deidentifier(parsed, key=KEY).cohort.randomness == "system"


class TestWorkers:
    """A worker must draw what this process draws, so it needs the key."""

    def test_with_a_key_a_copy_draws_the_same(self) -> None:
        engine = Deidentifier("dp", key=KEY)
        again = pickle.loads(pickle.dumps(engine))
        assert again("Vue le 12/03/2021 à Lyon.").text == engine("Vue le 12/03/2021 à Lyon.").text

    @pytest.mark.parametrize(
        "made", [lambda: Deidentifier("dp"), lambda: Deidentifier(SYSTEM, key=KEY)]
    )
    def test_without_one_a_copy_is_refused(self, made) -> None:  # type: ignore[no-untyped-def]
        for copying in (pickle.dumps, copy.copy):
            with pytest.raises(SecretKeyError, match="needs a key"):
                copying(made())


def test_a_strategy_that_states_nothing_may_charge_nothing() -> None:
    class Silent(Numbered):
        def guarantees(self) -> tuple[Guarantee, ...]:
            return ()

    assert Deidentifier(policy(Silent()), key=KEY)("ALBERT").text == "[LAST_NAME]"
    assert Deidentifier(policy(Redact((Label.LAST_NAME,))))("ALBERT").text == "[LAST_NAME]"


class TestSplits:
    """¼–¾, uniform, by weights; by counts for the published design alone."""

    quarters = "split: {dates: 3/4, places: 1/4}"

    def rewritten(self, name: str, split: str) -> Policy:
        text = policy_text(name)
        assert self.quarters in text
        return parse_policy(text.replace(self.quarters, f"split: {split}"))

    @pytest.mark.parametrize(
        ("split", "share"),
        [
            ("{dates: 3/4, places: 1/4}", "6"),
            ("{weights: {dates: 3, places: 1}}", "6"),
            ("{weights: {dates: 1, places: 3}}", "2"),
            ("{uniform: [dates, places]}", "4"),
        ],
    )
    def test_a_share_is_fixed_by_the_policy(self, split: str, share: str) -> None:
        stated = self.rewritten("hnfc", split).strategy_for(Label.DATE).guarantees()
        assert f"paper(epsilon={share}," in stated[0].mechanism

    def test_counts_share_the_total_in_each_note(self) -> None:
        engine = Deidentifier(self.rewritten("hnfc", "{counts: [dates, places]}"), key=KEY)
        for text, dates, places in (
            ("Vu le 12/03/2021 à Lyon.", "4", "0.2"),
            ("Vu le 12/03/2021, le 14/05/2021 et le 02/07/2021 à Lyon.", "6", "0.1"),
        ):
            result = engine(text)
            assert "[" not in result.text
            mechanisms = " ".join(charge.mechanism for charge in result.ledger.charges)
            assert f"paper(epsilon={dates}," in mechanisms
            assert f"planar-laplace(epsilon_per_km={places})" in mechanisms
        assert "shared by how often" in " ".join(statement(engine.policy))

    def test_counts_are_refused_for_anything_else(self) -> None:
        with pytest.raises(PolicyError, match="only with the timeline paper"):
            self.rewritten("hnfc-strict", "{counts: [dates, places]}")
        with pytest.raises(PolicyError, match="no strategy people_"):
            self.rewritten("hnfc", "{counts: [dates, places, people_]}")

    @pytest.mark.parametrize(
        "split", ["{}", "{weights: {}}", "{weights: {dates: 0}}", "{uniform: []}", "{uniform: x}"]
    )
    def test_a_bad_split_is_refused_with_its_line(self, split: str) -> None:
        with pytest.raises(PolicyError, match="line"):
            self.rewritten("hnfc", split)
