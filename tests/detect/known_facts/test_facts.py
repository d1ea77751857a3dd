"""The writings under which a fact is searched."""

from __future__ import annotations

from dpdeid.detect.known_facts.metadata import dates, targets
from dpdeid.labels import Label


def keys(label: Label, value: str) -> set[str]:
    return {target.key for target in targets({label: (value,)})}


def test_dates_name_every_field_order_that_french_notes_use() -> None:
    written = set(dates("1955-12-01"))
    assert {("1", "er", "decembre", "1955"), ("01", "12", "55"), ("1955", "12", "01")} <= written
    assert not any(len("".join(fields)) < 5 for fields in written)


def test_what_is_no_date_has_no_writing() -> None:
    assert list(dates("1955")) == list(dates("")) == list(dates("31/12/1955")) == []


def test_a_double_name_is_also_searched_by_its_parts() -> None:
    assert keys(Label.LAST_NAME, "Kervella-Le Quentric") == {
        "kervellalequentric",
        "kervella",
        "quentric",
    }


def test_a_phone_is_searched_with_and_without_its_prefix() -> None:
    assert {"0612345678", "33612345678", "0033612345678"} <= keys(Label.PHONE, "+33 6 12 34 56 78")


def test_short_numbers_are_not_searched() -> None:
    assert keys(Label.PATIENT_ID, "12") == keys(Label.PHONE, "15") == keys(Label.ZIP, "") == set()


def test_a_ssn_is_also_searched_without_its_key() -> None:
    assert keys(Label.SSN, "2 47 03 35 238 114 19") == {"247033523811419", "2470335238114"}
