"""Annotated notes of every format: the same note reads the same, and bad files name their notes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from dpdeid.document import Span
from dpdeid.errors import AnnotationError
from dpdeid.formats.annotations import FORMATS, AnnotatedNote, Annotations, read_annotations
from dpdeid.labels import Label
from tests.conftest import altered_gzip

CANARY = "Zyxwvut"
TEXT = "Mme É. Zyxwvut\nvue le 12/03 🙂 à Brest"
SPANS = (
    Span(7, 14, Label.LAST_NAME),
    Span(22, 27, Label.DATE),
    Span(32, 37, Label.CITY),
)


def triples() -> list[tuple[int, int, str]]:
    return [(s.start, s.end, s.label.value) for s in SPANS]


def in_utf16() -> list[tuple[int, int, str]]:
    """The spans as a page counts them: the town stands behind an emoji."""
    return [(units(TEXT[:a]), units(TEXT[:b]), c) for a, b, c in triples()]


def units(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def as_jsonl(folder: Path, text: str = TEXT) -> Path:
    entities = [{"start": a, "end": b, "label": c, "text": TEXT[a:b]} for a, b, c in triples()]
    row = {"id": "n", "text": text, "doc_type": "lettre", "country": "FR", "entities": entities}
    return lines(folder / "n.jsonl", row)


def as_doccano(folder: Path, text: str = TEXT) -> Path:
    return lines(folder / "n.jsonl", {"id": "n", "text": text, "label": in_utf16()})


def as_doccano_entities(folder: Path, text: str = TEXT) -> Path:
    entities = [{"start_offset": a, "end_offset": b, "label": c} for a, b, c in in_utf16()]
    row = {"id": "n", "text": text, "entities": entities, "relations": []}
    return lines(folder / "n.jsonl", row)


def as_prodigy(folder: Path, text: str = TEXT) -> Path:
    spans = [{"start": a, "end": b, "label": c, "token_start": 0} for a, b, c in triples()]
    row = {"text": text, "spans": spans, "meta": {"id": "n"}, "answer": "accept", "_input_hash": 5}
    return lines(folder / "n.jsonl", row)


def as_brat(folder: Path, text: str = TEXT) -> Path:
    (folder / "n.txt").write_bytes(text.encode())
    marks = [f"T{i}\t{c} {a} {b}\t{TEXT[a:b]}" for i, (a, b, c) in enumerate(triples())]
    (folder / "n.ann").write_text("\n".join([*marks, "A1\tNegated T1", "#1\tAnnotatorNotes T1\t?"]))
    return folder


def as_i2b2(folder: Path, text: str = TEXT) -> Path:
    tags = [
        f'<TAG id="P{i}" start="{a}" end="{b}" text="{TEXT[a:b]}" TYPE="{c}" comment=""/>'
        for i, (a, b, c) in enumerate(triples())
    ]
    body = f"<TEXT><![CDATA[{text}]]></TEXT><TAGS>{''.join(tags)}</TAGS>"
    (folder / "n.xml").write_text(f'<?xml version="1.0"?><deIdi2b2>{body}</deIdi2b2>')
    return folder


def as_i2b2_inline(folder: Path) -> Path:
    text, done = "", 0
    for a, b, c in triples():
        text += TEXT[done:a] + f'<PHI TYPE="{c}">{TEXT[a:b]}</PHI>'
        done = b
    record = f'<RECORD ID="n"><TEXT>{text}{TEXT[done:]}</TEXT></RECORD>'
    path = folder / "train.xml"
    path.write_text(f"<ROOT>{record}</ROOT>")
    return path


WRITERS: dict[str, tuple[str, Callable[[Path], Path]]] = {
    "jsonl": ("jsonl", as_jsonl),
    "doccano": ("doccano", as_doccano),
    "doccano entities": ("doccano", as_doccano_entities),
    "prodigy": ("prodigy", as_prodigy),
    "brat": ("brat", as_brat),
    "i2b2 2014": ("i2b2", as_i2b2),
    "i2b2 2006": ("i2b2", as_i2b2_inline),
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_note_reads_the_same_from_every_format(name: str, tmp_path: Path) -> None:
    form, write = WRITERS[name]
    path = write(tmp_path)
    read = read_annotations(path)
    kind = "lettre" if name == "jsonl" else None
    assert read == Annotations((AnnotatedNote("n", TEXT, SPANS, kind),), form, "ours")
    assert read_annotations(path, form) == read


def refused(path: Path, form: str | None = None, **options: object) -> str:
    """The message that refuses a file; never with text of a note."""
    with pytest.raises(AnnotationError) as caught:
        read_annotations(path, form, **options)  # type: ignore[arg-type]
    assert CANARY not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("write", [as_jsonl, as_brat, as_i2b2])
def test_offsets_that_do_not_count_code_points_are_refused(
    write: Callable[[Path, str], Path], tmp_path: Path
) -> None:
    path = write(tmp_path, "🙂" + TEXT)  # as if the offsets had skipped a character
    assert "does not hold the text that the file states" in refused(path)


def test_a_span_of_doccano_that_ends_inside_a_character_is_refused(tmp_path: Path) -> None:
    row = {"id": "n", "text": "vu 🙂 à Zyxwvut", "label": [[0, 4, "DATE"]]}
    assert "lies outside the text" in refused(lines(tmp_path / "n.jsonl", row))


def test_predictions_of_doccano_without_texts_count_in_those_of_the_gold(tmp_path: Path) -> None:
    path = lines(tmp_path / "n.jsonl", {"id": "n", "label": in_utf16()})
    (note,) = read_annotations(path, texts={"n": TEXT}).notes
    assert note.spans == SPANS


@pytest.mark.parametrize("write", [as_doccano, as_prodigy])
def test_spans_outside_the_text_are_refused(
    write: Callable[[Path, str], Path], tmp_path: Path
) -> None:
    message = refused(write(tmp_path, TEXT[:-1]))
    assert "lies outside the text (offsets count code points): 1 (n)" in message


@pytest.mark.parametrize("label", [(5, 5, "CITY"), (6, 5, "CITY"), (-1, 5, "CITY")])
def test_empty_spans_are_refused(label: tuple[int, int, str], tmp_path: Path) -> None:
    path = lines(tmp_path / "n.jsonl", {"id": "n", "text": TEXT, "label": [label]})
    assert "is empty or lies outside" in refused(path)


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    good: dict[str, object] = {"id": "a", "text": "x", "entities": []}
    rows = [good, {**good, "text": CANARY}, {"id": "b", "text": CANARY}, {"text": CANARY}]
    rows += [{"id": "c", "error": "row 3: not UTF-8"}, {"id": "d", "entities": []}]
    rows += [{**good, "id": "e", "entities": [{"start": "1", "end": 2, "label": "CITY"}]}]
    path = lines(tmp_path / "n.jsonl", *rows)
    path.write_bytes(path.read_bytes() + b'{"id": "' + CANARY.encode() + b'\n[1]\n"\xff"\n')
    assert refused(path).splitlines() == [
        f"{path} is refused, nothing is scored",
        "  the same id twice: 1 (a)",
        "  no list of spans as in jsonl: 2 (b, e)",
        "  no id: 1 (row 4)",
        "  the note was not processed (the row is an error): 1 (c)",
        "  no text: 1 (d)",
        "  not valid JSON: 1 (row 8)",
        "  not a JSON object: 1 (row 9)",
        "  not UTF-8: 1 (row 10)",
    ]


def test_many_ids_are_counted_and_a_few_are_listed(tmp_path: Path) -> None:
    path = lines(tmp_path / "n.jsonl", *({"id": i, "entities": []} for i in range(12)))
    assert refused(path).endswith("no text: 12 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more)")


class TestPredictions:
    """Other annotations of known texts."""

    TEXTS: ClassVar = {"a": "Mme Zyxwvut", "b": "vue le 12/03"}

    def test_they_may_leave_the_text_out(self, tmp_path: Path) -> None:
        found = {"start": 7, "end": 12, "label": "DATE", "score": 0.9, "source": "patterns"}
        rows = {"id": "b", "entities": [found]}, {"id": "a", "entities": [], "text": "Mme Zyxwvut"}
        read = read_annotations(lines(tmp_path / "p.jsonl", *rows), texts=self.TEXTS)
        assert read.notes == (
            AnnotatedNote("b", self.TEXTS["b"], (Span(7, 12, Label.DATE),)),
            AnnotatedNote("a", self.TEXTS["a"], ()),
        )

    def test_what_does_not_fit_the_gold_is_refused(self, tmp_path: Path) -> None:
        rows = {"id": "a", "text": f"{CANARY} ", "entities": []}, {"id": "z", "entities": []}
        message = refused(lines(tmp_path / "p.jsonl", *rows), texts=self.TEXTS)
        assert message.splitlines()[1:] == [
            "  another text than the gold note's: 1 (a)",
            "  no gold note has this id: 1 (z)",
            "  gold notes without a prediction: 1 (b)",
        ]

    def test_spans_are_checked_against_the_gold_text(self, tmp_path: Path) -> None:
        row = {"id": "a", "entities": [{"start": 4, "end": 12, "label": "LAST_NAME"}]}
        path = lines(tmp_path / "p.jsonl", row, {"id": "b", "entities": []})
        assert "lies outside the text" in refused(path, texts=self.TEXTS)


class TestBrat:
    def test_a_span_with_gaps_is_several(self, tmp_path: Path) -> None:
        (tmp_path / "n.txt").write_text("née le 3\nmars en 1950")
        (tmp_path / "n.ann").write_text("T1\tBIRTH_DATE 7 8;9 13;17 21\t3 mars 1950\n")
        (note,) = read_annotations(tmp_path / "n.ann").notes
        assert note.spans == tuple(
            Span(a, b, Label.BIRTH_DATE) for a, b in [(7, 8), (9, 13), (17, 21)]
        )

    @pytest.mark.parametrize(
        ("files", "reason"),
        [
            ({"n.txt": "x"}, "the .txt or the .ann file is missing"),
            ({"n.ann": ""}, "the .txt or the .ann file is missing"),
            ({"n.txt": "x", "n.ann": f"T1\tCITY 0\t{CANARY}"}, "not LABEL START END"),
        ],
    )
    def test_what_is_incomplete_is_refused(
        self, files: dict[str, str], reason: str, tmp_path: Path
    ) -> None:
        (tmp_path / "inner").mkdir()
        for name, text in files.items():
            (tmp_path / "inner" / name).write_text(text)
        message = refused(tmp_path, "brat")
        assert reason in message
        assert message.endswith("1 (inner/n)")

    def test_line_ends_count_as_they_are(self, tmp_path: Path) -> None:
        (tmp_path / "n.txt").write_bytes(b"a\r\nBrest")
        (tmp_path / "n.ann").write_bytes(b"T1\tCITY 3 8\tBrest\r\n")
        assert read_annotations(tmp_path).notes[0].text == "a\r\nBrest"


class TestI2b2:
    def test_a_type_declaration_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "n.xml"
        path.write_text('<!DOCTYPE a [<!ENTITY b "Zyxwvut">]><ROOT>&b;</ROOT>')
        assert "document type declaration" in refused(path)

    @pytest.mark.parametrize(
        "xml",
        [
            "<ROOT>Zyxwvut",
            "<ROOT>Zyxwvut</ROOT>",
            "<ROOT><RECORD><TEXT>Zyxwvut</TEXT></RECORD></ROOT>",
            '<ROOT><RECORD ID="1"><TEXT><B>Zyxwvut</B></TEXT></RECORD></ROOT>',
            '<a><TEXT>Zyxwvut</TEXT><TAGS><NAME start="0" TYPE="DOCTOR"/></TAGS></a>',
        ],
    )
    def test_other_xml_is_refused(self, xml: str, tmp_path: Path) -> None:
        path = tmp_path / "n.xml"
        path.write_text(xml)
        assert "is refused" in refused(path)


def test_a_folder_of_several_formats_is_refused(tmp_path: Path) -> None:
    as_brat(tmp_path)
    as_i2b2(tmp_path)
    assert "files of several formats" in refused(tmp_path)
    assert read_annotations(tmp_path, "i2b2").notes[0].spans == SPANS


def test_a_stray_file_beside_it_does_not_change_the_format(tmp_path: Path) -> None:
    path = as_jsonl(tmp_path)
    (tmp_path / "n.ann").touch()
    assert read_annotations(path).format == "jsonl"
    assert read_annotations(as_brat(tmp_path) / "n.txt").format == "brat"


def test_a_prodigy_row_that_was_not_accepted_is_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "n.jsonl", {"id": 1, "text": "x", "spans": [], "answer": "ignore"})
    assert refused(path).endswith("the annotator did not accept it: 1 (1)")


def test_gzip_and_a_damaged_one(tmp_path: Path) -> None:
    packed = gzip.compress(as_jsonl(tmp_path).read_bytes())
    path = tmp_path / "n.jsonl.gz"
    path.write_bytes(packed)
    assert read_annotations(path).notes[0].spans == SPANS
    path.write_bytes(packed[:-20])
    assert "damaged file: 1 (row " in refused(path)
    path.write_bytes(altered_gzip(b"{}"))
    assert "damaged file: 1 (row 1)" in refused(path)


def test_a_folder_of_rows(tmp_path: Path) -> None:
    lines(tmp_path / "a.jsonl", {"id": 1, "text": "x", "entities": []})
    lines(tmp_path / "b.jsonl", {"id": 2, "text": "y", "entities": []}, {"text": CANARY})
    assert refused(tmp_path).endswith("no id: 1 (b.jsonl, row 2)")


def test_a_wrong_format_or_path_is_refused(tmp_path: Path) -> None:
    assert "allowed: " + ", ".join(FORMATS) in refused(as_jsonl(tmp_path), "csv")
    assert "no such file or folder" in refused(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    assert "no notes in it" in refused(tmp_path / "empty.jsonl")
    assert "no list of spans as in prodigy" in refused(as_jsonl(tmp_path), "prodigy")


def test_a_note_shows_no_text(tmp_path: Path) -> None:
    assert CANARY not in repr(read_annotations(as_jsonl(tmp_path)))
