"""What stands in the place of each span of an original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.attacks.residual import Pair, paired
from dpdeid.testing import marked


def pair(line: str, released: str) -> Pair:
    text, spans = marked(line)
    (found,) = paired([Document("a", text)], [Document("a", released)], {"a": spans})
    return found


def surrogates(line: str, released: str) -> list[str]:
    found = pair(line, released)
    return [found.surrogate(one) for one in found.replaced]


def test_each_span_has_its_surrogate() -> None:
    line = "Mme «LAST_NAME:Kerval», vue le «DATE:12/03/2021» à «CITY:Quimper»."
    assert surrogates(line, "Mme Duflot, vue le 4 mai 2020 à Le Mans.") == [
        "Duflot", "4 mai 2020", "Le Mans",
    ]  # fmt: skip


def test_what_was_missed_stands_as_it_was() -> None:
    line = "Mme «LAST_NAME:Kerval» revue. M. «LAST_NAME:Tanguy» absent."
    assert surrogates(line, "Mme Kerval revue. M. Duflot absent.") == ["Kerval", "Duflot"]


def test_neighbours_share_what_stands_there_by_token() -> None:
    line = "Dr «FIRST_NAME:Anne» «LAST_NAME:Kerval» absente"
    assert surrogates(line, "Dr Lise Le Goff absente") == ["Lise", "Le Goff"]
    assert surrogates(line, "Dr [NOM] absente") == ["[", "NOM]"]


def test_what_is_gone_has_no_surrogate() -> None:
    found = pair("Vu par «LAST_NAME:Kerval».", "Vu par.")
    assert [found.surrogate(one) for one in found.replaced] == [""]


@given(st.lists(st.sampled_from(["Kerval", "12/03/2021", "Le Mans", "x"]), max_size=6))
def test_spans_apart_are_found_whatever_they_are(values: list[str]) -> None:
    line = " puis ".join(f"«CITY:{at}{value}»" for at, value in enumerate(values))
    released = " puis ".join(f"9{value}" for value in values)
    assert surrogates(line, released) == [f"9{value}" for value in values]


def test_ids_that_differ_are_refused_with_their_names() -> None:
    docs = [Document("a", "x"), Document("b", "x")]
    with pytest.raises(UsageError, match="only in BEFORE: b"):
        paired(docs, docs[:1], {})
    with pytest.raises(UsageError, match="only in AFTER: b"):
        paired(docs[:1], docs, {})
