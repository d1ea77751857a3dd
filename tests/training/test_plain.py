"""Prose in which nobody is named: paragraphs with a direct identifier are left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.inputs import rule_spans
from dpdeid.document import Document
from dpdeid.errors import TrainingError
from dpdeid.labels import Label
from dpdeid.training.corpus import plain_notes

NAMED = ("Vue avec M. Paul Durand.", "Tél. 01 99 00 12 34", "Cher Dr LEFEVRE,\nmerci de la revoir.")
PROSE = ("Toux depuis 3 jours.", "Revue le 12/03/2023.", "- kinésithérapie\n- repos", "Apyrexie.")


def written(path: Path, *texts: str) -> Path:
    path.write_text("\n".join(json.dumps({"text": text}) for text in texts), encoding="utf-8")
    return path


def test_a_paragraph_with_a_direct_identifier_is_left_out(tmp_path: Path) -> None:
    text = "Cher Dr LEFEVRE,\nmerci de la revoir.\n\nToux grasse.\n \nVue avec M. Paul Durand.\n"
    ((doc, spans),) = plain_notes(written(tmp_path / "a.jsonl", text))
    assert doc.text == "Toux grasse."
    assert spans == ()


def test_what_else_the_rules_find_is_learned(tmp_path: Path) -> None:
    ((doc, spans),) = plain_notes(written(tmp_path / "a.jsonl", "Revue le 12/03/2023."))
    assert [(doc.text[s.start : s.end], s.label) for s in spans] == [("12/03/2023", Label.DATE)]


def test_a_text_of_nothing_else_gives_no_note(tmp_path: Path) -> None:
    notes = plain_notes(written(tmp_path / "a.jsonl", NAMED[0], "Toux.", "", NAMED[1]))
    assert [doc.text for doc, _ in notes] == ["Toux."]
    with pytest.raises(TrainingError, match=r"b\.jsonl: the rules find a direct identifier"):
        plain_notes(written(tmp_path / "b.jsonl", *NAMED))


@given(st.lists(st.sampled_from([*NAMED, *PROSE]), min_size=1, max_size=8))
def test_all_prose_stays_in_its_order_and_no_name(
    tmp_path_factory: pytest.TempPathFactory, paragraphs: list[str]
) -> None:
    kept = [paragraph for paragraph in paragraphs if paragraph in PROSE]
    path = written(tmp_path_factory.mktemp("plain") / "a.jsonl", "\n\n".join(paragraphs), "Toux.")
    *first, (last, _) = plain_notes(path)
    assert last.text == "Toux."
    assert [doc.text for doc, _ in first] == (["\n\n".join(kept)] if kept else [])
    for doc, spans in first:
        assert not any(
            span.label.is_direct for span in (*spans, *rule_spans(Document("", doc.text)))
        )
