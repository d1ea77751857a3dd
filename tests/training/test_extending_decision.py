"""Trees that go on from the shipped ones: what they learn of a site, what they leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest

from dpdeid.detect.decision.decision import Decision, table, trees
from dpdeid.detect.decision.evidence import FEATURES
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import ModelError, TrainingError, UsageError
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.testing import KEY, marked
from dpdeid.training.corpus import Note
from dpdeid.training.extending.decision import Options, extend_decision

pytest.importorskip("sklearn")

DP = load_policy("dp")
QUICK = Options(trees=12, least=3, rate=0.5, pull=2.0, versions=1, parts=0)
NAMES = (
    "Borvanel",
    "Castrune",
    "Delquist",
    "Emprolat",
    "Fluvarne",
    "Gristode",
    "Holvane",
    "Jursac",
)
"""Words that no list has, as a device of this site is called."""


def notes(line: str) -> list[Note]:
    found = []
    for number, name in enumerate(NAMES * 2):
        text, spans = marked(line.format(name))
        found.append((Document(f"{number}", text), spans))
    return found


NAMED = notes("Mme «LAST_NAME:Durand» vue par le Dr «LAST_NAME:{}» ce jour.\nRevue demain.")
DEVICE = notes("Mme «LAST_NAME:Durand», avec {} ce soir")


def taken(trees_of: str) -> int:
    """Of the devices, how many are taken."""
    engine = Deidentifier(replace(DP, merge=Decision(trees=trees_of)), key=KEY)
    return sum(
        any(doc.text[s.start : s.end] in NAMES for s in engine.detect(doc).spans)
        for doc, _ in DEVICE
    )


def test_what_a_site_does_not_mark_is_left_and_names_stay_found(tmp_path: Path) -> None:
    out = tmp_path / "site.tsv"
    gain = extend_decision(DP, [*DEVICE, *NAMED], out, parts=2, options=QUICK)
    assert gain.notes == len(DEVICE) + len(NAMED)
    assert taken("shipped") > taken(str(out))
    engine = Deidentifier(replace(DP, merge=Decision(trees=str(out))), key=KEY)
    for doc, spans in NAMED:
        found = {(s.start, s.end) for s in engine.detect(doc).spans if s.label is Label.LAST_NAME}
        assert {(s.start, s.end) for s in spans} <= found


def test_no_word_of_a_note_is_among_the_trees(tmp_path: Path) -> None:
    out = tmp_path / "site.tsv"
    extend_decision(DP, NAMED, out, parts=2, options=QUICK)
    text = out.read_text("utf-8")
    assert not any(name in text for name in (*NAMES, "Durand"))
    assert out.stat().st_mode & 0o077 == 0
    assert "# Extended on " in text
    assert text.count("\nbase") == table("shipped").count("\nbase") == 1


def test_the_shipped_trees_are_among_the_new_ones(tmp_path: Path) -> None:
    """Without new trees the chances are those of the shipped ones."""
    out = tmp_path / "site.tsv"
    extend_decision(DP, NAMED, out, parts=2, options=replace(QUICK, trees=0))
    rows = np.random.default_rng(0).random((50, len(FEATURES))).astype(np.float32)
    assert np.array_equal(trees(str(out)).chances(rows), trees().chances(rows))


def test_it_goes_on_from_extended_trees(tmp_path: Path) -> None:
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    extend_decision(DP, NAMED, first, parts=2, options=QUICK)
    again = replace(DP, merge=Decision(trees=str(first)))
    extend_decision(again, NAMED, second, parts=2, options=QUICK)
    counts = [len(trees(name).roots) for name in ("shipped", str(first), str(second))]
    assert np.diff(counts).tolist() == [24, 24]


def test_notes_with_accents_as_signs_of_their_own_teach_as_well(tmp_path: Path) -> None:
    """What no reading changes must not be all that is learned."""
    plain, apart = (
        [(Document(f"{number}", normalize(form, text)), marked(normalize(form, line))[1])
         for number, name in enumerate(NAMES)
         for line in [f"Mme «LAST_NAME:Dédé» opérée, avec {name} ce soir"]
         for text in [marked(line)[0]]]
        for form in ("NFC", "NFD")
    )  # fmt: skip
    tables = []
    for number, own in enumerate((plain, apart)):
        out = tmp_path / f"{number}.tsv"
        extend_decision(DP, own, out, parts=2, options=QUICK)
        tables.append(out.read_text("utf-8"))
    assert tables[0] == tables[1]


def test_what_cannot_be_learned_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "site.tsv"
    with pytest.raises(TrainingError, match="the policy chuv does not merge by decision"):
        extend_decision(load_policy("chuv"), NAMED, out)
    with pytest.raises(TrainingError, match="the notes have no entities"):
        extend_decision(DP, [(doc, ()) for doc, _ in NAMED], out)
    silent, spans = marked("bonjour «KINSHIP:à» vous")
    notes_of_nothing = [(Document(f"{n}", silent), spans) for n in range(4)]
    with pytest.raises(TrainingError, match="no voice says anything of the notes"):
        extend_decision(DP, notes_of_nothing, out, parts=2)
    with pytest.raises(UsageError, match="cannot write"):
        extend_decision(DP, NAMED, tmp_path / "none" / "x.tsv", parts=2, options=QUICK)


def test_a_file_that_is_no_table_of_trees_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "site.tsv"
    doc = NAMED[0][0]
    with pytest.raises(ModelError, match=r"cannot read the trees .*none\.tsv: No such file"):
        Deidentifier(replace(DP, merge=Decision(trees=str(tmp_path / "none.tsv"))), key=KEY)(doc)
    path.write_text("nothing of trees\n")
    with pytest.raises(ModelError, match="damaged table of trees"):
        Deidentifier(replace(DP, merge=Decision(trees=str(path))), key=KEY)(doc)
    path.write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(ModelError, match="it is no UTF-8 text"):
        Deidentifier(replace(DP, merge=Decision(trees=str(path))), key=KEY)(doc)
