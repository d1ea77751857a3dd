"""French and English say the same things, and no text is left over."""

from __future__ import annotations

from string import Formatter

import pytest

from dpdeid.dossier.texts import annex_words, day_text
from dpdeid.evaluate.report.page import LANGS, every_text
from dpdeid.labels import Label
from dpdeid.policy.policy import DETECTORS, PROPAGATORS, STRATEGIES
from dpdeid.privacy.skeleton import Shown
from tests.dossier import making


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("key", every_text("dpdeid.dossier"))
def test_both_languages_have_the_same_places_items_and_cells(key: str) -> None:
    text = every_text("dpdeid.dossier")[key]
    assert set(text) == set(LANGS)
    assert all(text.values())
    assert places(text["fr"]) == places(text["en"])
    assert {len(t.split("\n")) for t in text.values()} == {text["fr"].count("\n") + 1}
    assert text["fr"].count("|") == text["en"].count("|")
    assert text["fr"].count("`") % 2 == text["en"].count("`") % 2 == 0


def test_no_text_of_the_report_is_replaced() -> None:
    assert not set(every_text("dpdeid.dossier")) & set(every_text())


@pytest.mark.parametrize("lang", LANGS)
def test_whatever_a_policy_may_hold_has_its_words(lang: str) -> None:
    said = annex_words(lang)
    assert all(said(f"label {label}") for label in Label)
    assert all(said(f"shown {part.name}") for part in Shown)
    assert all(said(f"finder {name}") for name in (*DETECTORS, *PROPAGATORS))
    assert all(said(f"how {name}") for name in STRATEGIES if name != "dates")


def test_days_are_written_as_the_language_does() -> None:
    assert day_text(making.DAY.replace(day=1), annex_words("fr")) == "1er novembre 2026"
    assert day_text(making.DAY, annex_words("en")) == "28 November 2026"
