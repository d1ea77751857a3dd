"""What is left of originals, and what spans beside a release give away."""

from __future__ import annotations

from dpdeid.document import Document, Span
from dpdeid.evaluate.attacks.residual import Pair, left, paired, suspects
from dpdeid.labels import Label
from dpdeid.testing import marked

LINE = "Mme «LAST_NAME:Kervalec» vue par le Dr «LAST_NAME:Tanguyot», tél. «PHONE:02 98 11 22 33»."


def pair(released: str, line: str = LINE) -> tuple[list[Pair], tuple[Span, ...]]:
    text, spans = marked(line)
    return list(paired([Document("a", text)], [Document("a", released)], {"a": spans})), spans


def test_nothing_is_left_of_what_was_replaced() -> None:
    pairs, _ = pair("Mme Duflotin vue par le Dr Morvanec, tél. 02 61 91 38 19.")
    found = left(pairs)
    for label in (Label.LAST_NAME, Label.PHONE):
        assert found[label].whole.hits == found[label].anywhere.hits == 0
    assert found[Label.LAST_NAME].words.trials == 2


def test_a_missed_name_is_left_whole() -> None:
    pairs, _ = pair("Mme Duflotin vue par le Dr Tanguyot, tél. 02 61 91 38 19.")
    found = left(pairs)[Label.LAST_NAME]
    assert (found.whole.hits, found.whole.trials) == (1, 2)
    assert found.words.hits == found.anywhere.hits == found.runs.hits == 1


def test_a_name_may_survive_elsewhere_in_its_note() -> None:
    pairs, _ = pair("Mme Duflotin vue par le Dr Kervalec, tél. 02 61 91 38 19.")
    found = left(pairs)[Label.LAST_NAME]
    assert (found.whole.hits, found.words.hits, found.anywhere.hits) == (0, 0, 1)


def test_a_part_of_a_name_is_a_run() -> None:
    pairs, _ = pair("Mme Kervalin vue par le Dr Morvanec, tél. 02 61 91 38 19.")
    found = left(pairs)[Label.LAST_NAME]
    assert (found.whole.hits, found.words.hits, found.runs.hits) == (0, 0, 1)


def test_ordinary_words_do_not_count() -> None:
    pairs, _ = pair("Vu le 3 mars.", "Vu le «DATE:12 mars».")
    assert left(pairs)[Label.DATE].words.trials == 0


def test_spans_turn_a_missed_name_into_a_visible_one() -> None:
    pairs, spans = pair("Mme Duflotin vue par le Dr Tanguyot, tél. 02 61 91 38 19.")
    found = suspects(pairs, {"a": [s for s in spans if s != spans[1]]})
    assert (found.read.hits, found.read.trials) == (1, 2)
    assert (found.subtracted.hits, found.subtracted.trials) == (1, 1)
