"""Word documents: their text, and new documents of what is harmless in them.

The text has headers, body, footnotes, endnotes and footers in turn, a line a paragraph, the cells
of a row apart by tabs. A released document is made anew (`docx_scrub`): with formatting, tables,
lists, headers, footers and notes; without properties, comments, images, links' targets and whatever
else is not known to be harmless. A document with macros is refused.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Final
from xml.etree import ElementTree as Xml

from dpdeid.document import Deidentified, Document, Surrogate
from dpdeid.errors import InputError
from dpdeid.formats.documents.docx_package import Package, packed, parsed
from dpdeid.formats.documents.docx_scrub import (
    LINKS,
    SPACE,
    WORD,
    Names,
    attribute,
    own,
    scrubbed,
    tag,
)
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.rows import Row

_MACROS: Final = b"macroEnabled"
_DRAWING: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_KINDS: Final = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MAIN: Final = "word/document.xml"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SIGNS: Final = {"tab": "\t", "br": "\n", "cr": "\n"}
_ORDER: Final = ("header", "document", "footnotes", "endnotes", "footer")
_SETTINGS: Final = (
    f'{_HEAD}<w:settings xmlns:w="{WORD}">{{}}<w:compat><w:compatSetting '
    'w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>'
    "</w:compat></w:settings>"
)


@dataclass(frozen=True, slots=True)
class Docx:
    """The form of a note that came in a Word document.

    Args:
        parts: of the document to release, with the text of the original.
    """

    parts: Mapping[str, bytes] = field(repr=False)
    ending: str = ".docx"

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The document with the surrogates: where one crosses runs it stands in the first."""
        trees = {name: Xml.fromstring(self.parts[name]) for name in _texts(self.parts)}
        pieces = _Reading(trees.values()).pieces
        _write(pieces, [one for one in result.surrogates if one.mention.where == "text"])
        written = {name: _bytes(tree) for name, tree in trees.items()}
        return packed({**self.parts, **written})


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a document."""
    parts = released_parts(Package(file.read()))
    text = _Reading(Xml.fromstring(parts[name]) for name in _texts(parts)).text
    note = Document(origin.note, text)
    return Row(origin.file, origin.note, note, place="file 1", form=Docx(parts))


def released_parts(package: Package) -> dict[str, bytes]:
    """The parts of the document to release, by name, with the text as it is.

    Raises:
        ValueError: it is no such document, or one that is refused.
    """
    if _MACROS in package.part("[Content_Types].xml"):
        raise ValueError("has macros (.docm): save it as .docx")
    main = next((at for _, kind, at in package.relations("") if kind == "officeDocument"), "")
    if not main:
        raise ValueError("no Word document")
    beside = list(package.relations(main))
    names = Names(fonts=_fonts(package, beside))
    sources = {kind: at for _, kind, at in beside}
    trees: dict[str, Xml.Element] = {}
    if "styles" in sources:
        data = package.part(sources["styles"])
        styles = (one for one in parsed(data, Xml.TreeBuilder()) if own(one) == "style")
        for number, style in enumerate(styles, 1):
            names.styles[attribute(style, "styleId") or ""] = f"S{number}"
        trees["styles"] = scrubbed(data, names)
    for kind in ("header", "footer"):
        found = [(id_, at) for id_, own_kind, at in beside if own_kind == kind]
        for number, (id_, at) in enumerate(found, 1):
            names.parts[id_] = f"{kind}{number}"
            trees[names.parts[id_]] = scrubbed(package.part(at), names)
    for kind in ("numbering", "footnotes", "endnotes"):
        if kind in sources:
            trees[kind] = scrubbed(package.part(sources[kind]), names)
    trees["document"] = scrubbed(package.part(main), names)
    if own(trees["document"]) != "document":
        raise ValueError("no Word document")
    used = {one.get(f"{{{LINKS}}}id") for one in trees["document"].iter()}
    kept = {k: v for k, v in trees.items() if not k.startswith(_ENDS) or k in used}
    return _parts(kept, _odd_and_even(package, sources.get("settings")))


_ENDS: Final = ("header", "footer")


def _fonts(package: Package, beside: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """The fonts that a theme stands for."""
    part = next((at for _, kind, at in beside if kind == "theme"), None)
    found: dict[str, str] = {}
    tree = None if part is None else parsed(package.part(part), Xml.TreeBuilder())
    for size in ("major", "minor"):
        font = None if tree is None else tree.find(f".//{_DRAWING}{size}Font/{_DRAWING}latin")
        if font is not None:
            found |= dict.fromkeys((f"{size}HAnsi", f"{size}Ascii"), font.get("typeface", ""))
    return found


def _odd_and_even(package: Package, part: str | None) -> bool:
    """Whether even pages have headers of their own."""
    if part is None:
        return False
    tree = parsed(package.part(part), Xml.TreeBuilder())
    return any(own(one) == "evenAndOddHeaders" for one in tree)


def _parts(trees: Mapping[str, Xml.Element], odd_and_even: bool) -> dict[str, bytes]:
    """A package of the parts that are released, with what every package needs."""
    kinds = [("document.main", "document"), ("settings", "settings")]
    links = [("settings", "settings", "settings")]
    for name in trees:
        if name != "document":
            kind = name.rstrip("0123456789")
            kinds.append((kind, name))
            links.append((name, kind, name))
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}{kind}+xml"/>'
        for kind, name in kinds
    )
    main = _link("document", "officeDocument", _MAIN)
    even = "<w:evenAndOddHeaders/>" if odd_and_even else ""
    texts = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_KINDS}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_RELATIONS}">{main}</Relationships>',
        "word/_rels/document.xml.rels": f'{_HEAD}<Relationships xmlns="{_RELATIONS}">'
        + "".join(_link(id_, kind, f"{name}.xml") for id_, kind, name in links)
        + "</Relationships>",
        "word/settings.xml": _SETTINGS.format(even),
    }
    parts = {name: text.encode() for name, text in texts.items()}
    return parts | {f"word/{name}.xml": _bytes(tree) for name, tree in trees.items()}


def _link(id_: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{id_}" Type="{LINKS}/{kind}" Target="{target}"/>'


def _bytes(tree: Xml.Element) -> bytes:
    Xml.register_namespace("w", WORD)
    Xml.register_namespace("r", LINKS)
    return (_HEAD + Xml.tostring(tree, "unicode")).encode()


def _texts(parts: Mapping[str, bytes]) -> list[str]:
    """The parts that have text, in its order."""
    return [
        name
        for kind in _ORDER
        for name in parts
        if name.startswith(f"word/{kind}") and name.endswith(".xml")
    ]


@dataclass(frozen=True, slots=True)
class _Piece:
    """An element that stands for a stretch of the text, and the run that it stands in."""

    start: int
    end: int
    node: Xml.Element
    run: Xml.Element


class _Reading:
    """The text of parts, and which element each stretch of it is."""

    def __init__(self, trees: Iterable[Xml.Element]) -> None:
        self.pieces: list[_Piece] = []
        self._texts: list[str] = []
        self._at = 0
        for number, tree in enumerate(trees):
            self._add("\n" if number else "")
            notes = own(tree) in ("document", "footnotes", "endnotes")
            self._apart("\n", [*tree] if notes else [tree])

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def _add(self, text: str) -> None:
        self._texts.append(text)
        self._at += len(text)

    def _apart(self, sign: str, nodes: Sequence[Xml.Element]) -> None:
        """Adds what each of the elements holds, apart by a sign."""
        for number, node in enumerate(nodes):
            self._add(sign if number else "")
            if node.tag == tag("p"):
                self._paragraph(node)
            else:
                inside = [one for one in node if own(one) in ("p", "tbl", "tr", "tc")]
                self._apart("\t" if node.tag == tag("tr") else "\n", inside)

    def _paragraph(self, paragraph: Xml.Element) -> None:
        for run in paragraph.iterfind(tag("r")):
            for node in run:
                start, name = self._at, own(node)
                self._add((node.text or "") if name == "t" else _sign(node, name))
                if self._at > start:
                    self.pieces.append(_Piece(start, self._at, node, run))


def _sign(node: Xml.Element, name: str) -> str:
    """The character that an element stands for, if any."""
    if name == "sym":
        return chr(int(attribute(node, "char") or "F0B7", 16))
    return _SIGNS.get(name, "")


def _write(pieces: Sequence[_Piece], surrogates: Sequence[Surrogate]) -> None:
    """Puts each surrogate into the first element that its span reaches, and takes the rest of the
    span from the others.

    Raises:
        InputError: a span reaches none.
    """
    waiting, placed = deque(surrogates), False
    for piece in pieces:
        at, new = piece.start, ""
        text = piece.node.text or ""
        while waiting and waiting[0].mention.span.start < piece.end:
            span = waiting[0].mention.span
            new += text[at - piece.start : max(0, span.start - piece.start)]
            new += "" if placed else waiting[0].text
            at, placed = max(at, min(span.end, piece.end)), span.end > piece.end
            if placed:
                break
            waiting.popleft()
        if at > piece.start or new:
            _replace(piece, new + text[at - piece.start :])
    if waiting and not placed:
        raise InputError("a surrogate has no place in the document")


def _replace(piece: _Piece, text: str) -> None:
    """Puts a text in the place of an element, with line breaks and tabs as elements."""
    index = [*piece.run].index(piece.node)
    piece.run.remove(piece.node)
    for part in reversed(re.split(r"([\n\t])", text)):
        if part in ("\n", "\t"):
            piece.run.insert(index, Xml.Element(tag("br" if part == "\n" else "tab")))
        elif part:
            new = Xml.Element(tag("t"), {SPACE: "preserve"})
            new.text = part
            piece.run.insert(index, new)
