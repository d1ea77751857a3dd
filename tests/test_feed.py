"""Notes that come one by one, with a vault: each fits all that was released before it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid import Deidentifier, Document, InputError
from dpdeid.cohort.vault import Vault
from dpdeid.document import Deidentified
from dpdeid.errors import CohortError, UsageError
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.ledger import Allowance, Ledger
from tests.conftest import KEY

CHAINED = ("dp", "dp-strict", "hnfc-strict")
DATE = re.compile(r"\d\d/\d\d/\d{4}")
FIRST = dt.date(2015, 1, 1)

days = st.integers(0, 2_500).map(lambda n: FIRST + dt.timedelta(days=n))
feeds = st.lists(st.tuples(days, st.lists(days, max_size=3)), min_size=1, max_size=4)


def note(name: str, day: dt.date, text: str, patient: str = "A") -> Document:
    return Document(name, text, patient_id=patient, note_date=day)


def told(feed: Sequence[tuple[dt.date, Sequence[dt.date]]]) -> list[Document]:
    """Notes that say these days, one a line."""
    return [
        note(f"note {at}", day, "".join(f"Revue le {one:%d/%m/%Y}.\n" for one in others))
        for at, (day, others) in enumerate(feed)
    ]


def one_by_one(
    policy: str, docs: Sequence[Document], vault: Vault | None = None
) -> list[Deidentified]:
    engine = Deidentifier(policy, key=KEY, vault=vault or Vault(None, KEY))
    return [engine(doc) for doc in docs]


def pairs(docs: Sequence[Document], results: Sequence[Deidentified]) -> dict[str, set[str]]:
    """Of every day, what was released for it."""
    found: dict[str, set[str]] = {}
    for doc, result in zip(docs, results, strict=True):
        assert doc.note_date is not None
        assert result.note_date is not None
        shown = dt.date.fromisoformat(result.note_date)
        found.setdefault(f"{doc.note_date:%d/%m/%Y}", set()).add(f"{shown:%d/%m/%Y}")
        for old, new in zip(DATE.findall(doc.text), DATE.findall(result.text), strict=True):
            found.setdefault(old, set()).add(new)
    return found


def ordinal(day: str) -> int:
    return dt.datetime.strptime(day, "%d/%m/%Y").toordinal()  # noqa: DTZ007 - a day


@settings(max_examples=60)
@given(feeds, st.sampled_from(CHAINED))
def test_a_day_has_one_surrogate_and_days_keep_their_order(
    feed: list[tuple[dt.date, list[dt.date]]], policy: str
) -> None:
    docs = told(feed)
    of = pairs(docs, one_by_one(policy, docs))
    assert all(len(given) == 1 for given in of.values())
    released = [ordinal(*of[old]) for old in sorted(of, key=ordinal)]
    assert released == sorted(released)


@settings(max_examples=30)
@given(feeds, st.sampled_from((*CHAINED, "aphp")))
def test_what_was_released_stays_when_it_comes_again(
    feed: list[tuple[dt.date, list[dt.date]]], policy: str
) -> None:
    vault = Vault(None, KEY)
    docs = told(feed)
    first = one_by_one(policy, docs, vault)
    again = one_by_one(policy, docs[::-1], vault)[::-1]
    assert [(one.text, one.note_date) for one in again] == [
        (one.text, one.note_date) for one in first
    ]
    known = Ledger.of(charge for one in first for charge in one.ledger.charges)
    assert {charge for one in again for charge in one.ledger.charges} <= known.charges


@settings(max_examples=30)
@given(feeds)
def test_caps_hold_over_all_notes_of_a_patient(feed: list[tuple[dt.date, list[dt.date]]]) -> None:
    results = one_by_one("dp-strict", told(feed))
    every = Ledger.of(charge for one in results for charge in one.ledger.charges)
    (unit,) = every.units or ("none",)
    for strategy in load_policy("dp-strict").strategies:
        allowance = Allowance.of(strategy.guarantees())
        assert allowance.admits(
            charge for charge in every.charges if charge.mechanism in allowance.mechanisms
        )
    assert len(every.of_unit(unit).charges) <= 20


def test_over_the_cap_later_notes_cost_nothing() -> None:
    months = [dt.date(2015 + at // 12, at % 12 + 1, 3) for at in range(60)]
    docs = told([(day, [day + dt.timedelta(days=9)]) for day in months])
    results = one_by_one("dp-strict", docs)
    charges = [len(one.ledger.charges) for one in results]
    assert sum(charges) == len({c for one in results for c in one.ledger.charges})
    assert charges[0] == 2
    assert not any(charges[-30:])
    assert all(DATE.search(one.text) for one in results)


class TestPlaces:
    def test_towns_of_later_notes_lie_around_the_first(self) -> None:
        vault = Vault(None, KEY)
        docs = [
            note("a", FIRST, "Domicilié à Quimper."),
            note("b", FIRST, "Domicilié à Quimper, suivi à Morlaix."),
        ]
        first, second = one_by_one("dp", docs, vault)
        town = first.text.removeprefix("Domicilié à ").rstrip(".")
        assert second.text.startswith(f"Domicilié à {town}, suivi à ")
        together = Deidentifier("dp", key=KEY).record(docs)
        assert [one.text for one in together] == [first.text, second.text]
        charges = {charge for one in (first, second) for charge in one.ledger.charges}
        assert len({one.event for one in charges if "per_km" in one.mechanism}) == 1


class TestBirths:
    def test_a_birth_date_fits_the_age_that_was_told_before(self) -> None:
        docs = [
            note("a", dt.date(2021, 3, 9), "Patiente de 71 ans."),
            note("b", dt.date(2021, 4, 20), "Née le 12/05/1949."),
            note("c", dt.date(2021, 4, 20), "Patiente de 71 ans."),
        ]
        first, second, third = one_by_one("dp", docs)
        born = dt.datetime.strptime(DATE.findall(second.text)[0], "%d/%m/%Y").date()  # noqa: DTZ007
        for one in (first, third):
            seen = dt.date.fromisoformat(one.note_date or "")
            age = seen.year - born.year - ((seen.month, seen.day) < (born.month, born.day))
            assert one.text == f"Patiente de {age} ans."
        charged = {c for one in (first, second, third) for c in one.ledger.charges}
        assert sum("upper=43830" in c.mechanism for c in charged) == 1

    @pytest.mark.parametrize(("born", "same"), [("08/03/1948", False), ("10/03/1948", True)])
    def test_which_birth_date_may_be_that_of_an_age(self, born: str, same: bool) -> None:
        """Give or take one year: whoever is 71 was born 70 to 72 whole years before."""
        docs = [
            note("a", dt.date(2021, 3, 9), "Patiente de 71 ans."),
            note("b", dt.date(2021, 4, 20), f"Née le {born}."),
        ]
        charges = {c for one in one_by_one("dp", docs) for c in one.ledger.charges}
        assert sum("upper=43830" in c.mechanism for c in charges) == 1 + (not same)

    def test_a_birth_that_was_corrected_is_another_one(self) -> None:
        docs = [
            note("a", dt.date(2021, 3, 9), "Née le 12/05/1949."),
            note("b", dt.date(2021, 4, 20), "Née le 12/05/1979."),
        ]
        first, second = one_by_one("dp", docs)
        years = [int(DATE.findall(one.text)[0][-4:]) for one in (first, second)]
        assert years[1] - years[0] > 10


def test_the_published_chain_has_no_memory_and_still_releases() -> None:
    docs = told([(FIRST, [FIRST]), (FIRST, [FIRST])])
    assert all(DATE.search(one.text) for one in one_by_one("hnfc", docs))


class TestPatients:
    def test_another_patient_has_another_life(self) -> None:
        docs = [
            note("a", FIRST, "Revue le 03/01/2015."),
            note("b", FIRST, "Revue le 03/01/2015.", "B"),
        ]
        first, second = one_by_one("dp", docs)
        assert first.text != second.text

    def test_merged_ids_are_one_record_and_go_on_as_the_second(self) -> None:
        vault = Vault(None, KEY)
        a, b = (note(p, FIRST, "Mme Durand, revue le 03/01/2015.", p) for p in "AB")
        (first,) = one_by_one("dp", [a], vault)
        vault.merge("B", "A")
        engine = Deidentifier("dp", key=KEY, vault=vault)
        assert engine(b).text == first.text
        assert {one.text for one in engine.record([a, b])} == {first.text}
        assert {one.text for one in engine.pipe([a, b])} == {first.text}

    def test_two_patients_are_still_no_record(self) -> None:
        engine = Deidentifier("dp", key=KEY, vault=Vault(None, KEY))
        with pytest.raises(InputError, match="one patient"):
            engine.record([note("a", FIRST, "x"), note("b", FIRST, "x", "B")])

    def test_a_record_that_fails_leaves_nothing_behind(self) -> None:
        vault = Vault(None, KEY)
        engine = Deidentifier("dp", key=KEY, vault=vault)
        with pytest.raises(InputError, match="e0"):
            engine(note("a", dt.date(2031, 1, 1), "Revue le 03/01/2015."))
        assert vault.counts() == (0, 0)


class TestVaults:
    def test_an_older_copy_is_refused(self) -> None:
        doc = note("a", FIRST, "Revue le 03/01/2015.")
        (released,) = one_by_one("dp", [doc])
        engine = Deidentifier("dp", key=KEY, spent=released.ledger, vault=Vault(None, KEY))
        with pytest.raises(CohortError, match="older copy"):
            engine(doc)

    def test_a_copy_for_a_worker_is_refused(self) -> None:
        engine = Deidentifier("dp", key=KEY, vault=Vault(None, KEY))
        with pytest.raises(UsageError, match="one process"):
            engine.__getstate__()


class TestWhatFollows:
    def test_numbers_and_institutions_follow_what_was_released_before(self) -> None:
        whole = "Née le 12/05/1949, NIR 2 49 05 29 019 123, suivie à Quimper, tél. 02 98 55 12 13."
        docs = [
            note("a", FIRST, f"{whole} Adressée par la clinique de Quimper."),
            note("b", FIRST, "NIR 2 49 05 29 019 123, tél. 02 98 55 12 13."),
            note("c", FIRST, "Adressée par la clinique de Quimper."),
        ]
        first, second, third = (one.text for one in one_by_one("dp", docs))
        number, phone = re.findall(r"NIR ([\d ]+\d)|tél\. ([\d ]+\d)", first)
        assert second == f"NIR {number[0]}, tél. {phone[1]}."
        assert third in first
        assert number[0][2:4] == DATE.findall(first)[0][-2:]

    def test_a_number_that_comes_later_tells_the_birth_that_was_released(self) -> None:
        docs = [
            note("a", FIRST, "Née le 12/05/1949."),
            note("b", FIRST, "NIR 2 49 05 29 019 123."),
        ]
        first, second = (one.text for one in one_by_one("dp", docs))
        born = DATE.findall(first)[0]
        assert second.startswith(f"NIR 2 {born[-2:]} {born[3:5]} ")
