"""i2b2's XML: one note a file with TAGS (2014), or records with PHI marks in the text (2006).

2014: `<TEXT><![CDATA[…]]></TEXT><TAGS><NAME start="3" end="9" text="…" TYPE="DOCTOR"/>…</TAGS>`;
the label is TYPE, the id the file's name. 2006: `<RECORD ID="1"><TEXT>…<PHI TYPE="DOCTOR">…</PHI>`.
A document type declaration is refused, so that no entity can be expanded or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as Xml

from dpdeid.formats.annotated import Annotated, Mark

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
