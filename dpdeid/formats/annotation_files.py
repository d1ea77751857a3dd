"""Annotated notes as a file holds them, before its labels are read.

- JSON lines: ours and `dpdeid detect`'s, Doccano's and Prodigy's;
- brat's standoff: NOTE.txt with NOTE.ann beside it, in a folder or alone;
- i2b2's XML: one note a file with TAGS (2014), or records with PHI marks in the text (2006).

One convention of offsets: code points of the raw text, half-open. That is what brat, Prodigy and
i2b2 write too; Doccano counts UTF-16 code units, as its page does. A file that counts otherwise is
noticed where it states the marked text as well (brat, i2b2, "text" of an entity), or where a span
runs out of the note or, of Doccano, ends inside a character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as Xml

from dpdeid.formats.json_lines import file_lines
from dpdeid.formats.rows import is_code


@dataclass(frozen=True, slots=True)
class Mark:
    """What one annotation marks, under the file's own label.

    Args:
        pieces: stretches of the text, in order; more than one if the annotation has gaps.
        label: as the file writes it.
        surface: the marked text as the file states it, None if it does not.
    """

    pieces: tuple[tuple[int, int], ...]
    label: str = field(repr=False)
    surface: str | None = field(default=None, repr=False)

    def from_utf16(self, offsets: Mapping[int, int]) -> Mark:
        """The mark in code points; one that begins or ends inside a character is refused then."""
        pieces = tuple((offsets.get(a, -1), offsets.get(b, -1)) for a, b in self.pieces)
        return replace(self, pieces=pieces)

    def refused(self, text: str) -> str:
        """Why these are no stretches of the text; "" if they are."""
        if any(not 0 <= start < end <= len(text) for start, end in self.pieces):
            return "a span is empty or lies outside the text (offsets count code points)"
        inside = " ".join(text[start:end] for start, end in self.pieces)
        if self.surface is not None and inside.split() != self.surface.split():
            return "a span does not hold the text that the file states (offsets count code points)"
        return ""


@dataclass(frozen=True, slots=True)
class Annotated:
    """One note of a file, or why there is none.

    Args:
        where: the row or file, for messages.
        id: the caller's id, None if there is no readable one.
        text: the note, None if the file holds its spans only.
        doc_type: the kind of document, where the file says it.
        error: why there is no note; never with a value of the file.
    """

    where: str
    id: str | None
    text: str | None = field(default=None, repr=False)
    marks: tuple[Mark, ...] = ()
    doc_type: str | None = None
    error: str = ""


Row = Mapping[str, Any]


def read_rows(path: Path, form: str | None = None) -> tuple[str, list[Annotated]]:
    """The format of a file or folder of rows, by the first row unless given, and the notes."""
    notes: list[Annotated] = []
    for where, row in _parsed(path):
        if isinstance(row, str):
            kind = row.partition(" (")[0]  # errors are told by kind, each with its rows
            notes.append(Annotated(where, None, error=kind))
            continue
        form = form or form_of(row)
        notes.append(_note(row, where, form))
    return form or "jsonl", notes


def form_of(row: Row) -> str:
    """The format that a row is in, by its keys: jsonl, doccano or prodigy."""
    entities = row.get("entities")
    if "spans" in row and entities is None:
        return "prodigy"
    if isinstance(entities, list):
        first = entities[0] if entities else {}
        return "doccano" if isinstance(first, dict) and "start_offset" in first else "jsonl"
    return "doccano" if "label" in row or "labels" in row else "jsonl"


def _parsed(path: Path) -> Iterator[tuple[str, Row | str]]:
    """Each row with its place, or what is wrong with it."""
    if path.is_dir():
        files = sorted(p for p in path.rglob("*.jsonl*") if p.is_file())
        labels = [f"{inner.relative_to(path).as_posix()}, row" for inner in files]
    else:
        files, labels = [path], ["row"]
    for file, label in zip(files, labels, strict=True):
        yield from ((f"{label} {number}", row) for number, row in file_lines(file))


def _note(row: Row, where: str, form: str) -> Annotated:
    note_id = _id(row, form)
    if note_id is None:
        return Annotated(where, None, error="no id")
    text = row.get("text", row.get("data") if form == "doccano" else None)
    if text is not None and not isinstance(text, str):
        return Annotated(where, note_id, error="text is not text")
    kind = row.get("doc_type")
    if row.get("error"):
        return Annotated(where, note_id, error="the note was not processed (the row is an error)")
    if form == "prodigy" and row.get("answer", "accept") != "accept":
        return Annotated(where, note_id, error="the annotator did not accept it")
    try:
        marks = tuple(_marks(row, form))
    except (KeyError, TypeError, ValueError):
        return Annotated(where, note_id, error=f"no list of spans as in {form}")
    return Annotated(where, note_id, text, marks, kind if isinstance(kind, str) else None)


def _id(row: Row, form: str) -> str | None:
    value = row.get("id")
    if value is None and form == "prodigy":
        meta = row.get("meta")
        value = meta.get("id") if isinstance(meta, dict) else None
        value = row.get("_input_hash") if value is None else value
    return str(value) if is_code(value) and value != "" else None


def _marks(row: Row, form: str) -> Iterable[Mark]:
    if form == "doccano" and not isinstance(row.get("entities"), list):
        for start, end, label in row["label"] if "label" in row else row["labels"]:
            yield _mark(start, end, label, None)
        return
    offset = "_offset" if form == "doccano" else ""
    for e in row["spans" if form == "prodigy" else "entities"]:
        stated = e.get("text") if form == "jsonl" else None
        yield _mark(e[f"start{offset}"], e[f"end{offset}"], e["label"], stated)


def _mark(start: object, end: object, label: object, surface: object) -> Mark:
    if type(start) is not int or type(end) is not int or not isinstance(label, str):
        raise TypeError
    return Mark(((start, end),), label, surface if isinstance(surface, str) else None)


_ENTITY: Final = re.compile(r"T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_BROKEN: Final = "a T line of its .ann file is not LABEL START END"


def read_brat(path: Path) -> list[Annotated]:
    """The notes of a folder, or the one that a .txt or .ann file belongs to."""
    if not path.is_dir():
        return [_brat_note(path.with_suffix(""), path.stem)]
    files = {p.with_suffix("") for p in path.rglob("*") if p.suffix in (".txt", ".ann")}
    return [_brat_note(stem, stem.relative_to(path).as_posix()) for stem in sorted(files)]


def _brat_note(stem: Path, note_id: str) -> Annotated:
    where = f"file {note_id}"
    try:
        text = Path(f"{stem}.txt").read_bytes().decode("utf-8")
        lines = Path(f"{stem}.ann").read_bytes().decode("utf-8")
        return Annotated(where, note_id, text, tuple(brat_marks(lines)))
    except FileNotFoundError:
        return Annotated(where, note_id, error="the .txt or the .ann file is missing")
    except UnicodeDecodeError:
        return Annotated(where, note_id, error="not UTF-8")
    except ValueError:
        return Annotated(where, note_id, error=_BROKEN)


def brat_marks(lines: str) -> Iterator[Mark]:
    """The text-bound annotations of an .ann file.

    Raises:
        ValueError: a T line is none.
    """
    for line in re.split(r"\r?\n", lines):
        if not line.startswith("T"):
            continue
        if (found := _ENTITY.fullmatch(line)) is None:
            raise ValueError(_BROKEN)
        pieces = [piece.split() for piece in found[2].split(";")]
        yield Mark(tuple((int(start), int(end)) for start, end in pieces), found[1], found[3])


_DECLARATION: Final = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


def read_i2b2(path: Path) -> list[Annotated]:
    """The notes of an .xml file, or of all in a folder."""
    if not path.is_dir():
        return list(_file(path, path.stem))
    files = sorted(path.rglob("*.xml"))
    return [n for f in files for n in _file(f, f.relative_to(path).with_suffix("").as_posix())]


def _file(path: Path, name: str) -> Iterator[Annotated]:
    where = f"file {name}"
    data = path.read_bytes()
    if _DECLARATION.search(data):
        yield Annotated(where, name, error="has a document type declaration")
        return
    try:
        root = Xml.fromstring(data)  # no declaration, so nothing to expand
    except (Xml.ParseError, ValueError, LookupError):
        yield Annotated(where, name, error="not valid XML")
        return
    records = list(root.iter("RECORD"))
    if not records:
        yield _standoff(root, where, name)
    for number, record in enumerate(records, 1):
        yield _inline(record, f"{where}, record {number}")


def _standoff(root: Xml.Element, where: str, name: str) -> Annotated:
    text, tags = root.find("TEXT"), root.find("TAGS")
    if text is None or tags is None:
        return Annotated(where, name, error="no TEXT with TAGS and no RECORD")
    try:
        marks = tuple(
            Mark(((int(t.attrib["start"]), int(t.attrib["end"])),), t.attrib["TYPE"], t.get("text"))
            for t in tags
        )
    except (KeyError, ValueError):
        return Annotated(where, name, error="a tag has no start, end or TYPE")
    return Annotated(where, name, text.text or "", marks)


def _inline(record: Xml.Element, where: str) -> Annotated:
    name, body = record.get("ID"), record.find("TEXT")
    if not name or body is None:
        return Annotated(where, name, error="no ID" if not name else "no TEXT")
    text, marks = body.text or "", []
    for phi in body:
        inside = "".join(phi.itertext())
        label = phi.get("TYPE")
        if phi.tag != "PHI" or not label:
            return Annotated(where, name, error="its text has a mark that is no PHI with a TYPE")
        marks.append(Mark(((len(text), len(text) + len(inside)),), label))
        text += inside + (phi.tail or "")
    return Annotated(where, name, text, tuple(marks))
