"""Word documents: their text, and new documents of what is harmless in them.

The text has headers, body, footnotes, endnotes and footers in turn, a line a paragraph, the cells
of a row apart by tabs. A released document is made anew (`docx_scrub`): with formatting, tables,
lists, headers, footers and notes; without properties, comments, images, links' targets and whatever
else is not known to be harmless. A document with macros is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final
from xml.etree import ElementTree as Xml

from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.office.docx_scrub import (
    FORMAT,
    LINKS,
    WORD,
    Names,
    attribute,
    own,
    scrubbed,
)
from dpdeid.formats.office.package import Package, parsed
from dpdeid.formats.office.rewrite import HEAD, Office, as_bytes
from dpdeid.formats.rows import Row

_MACROS: Final = b"macroEnabled"
_DRAWING: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_KINDS: Final = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
Xml.register_namespace("w", WORD)
Xml.register_namespace("r", LINKS)
_MAIN: Final = "word/document.xml"
_ORDER: Final = ("header", "document", "footnotes", "endnotes", "footer")
_SETTINGS: Final = (
    f'{HEAD}<w:settings xmlns:w="{WORD}">{{}}<w:compat><w:compatSetting '
    'w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>'
    "</w:compat></w:settings>"
)


class Docx(Office):
    """The form of a note that came in a Word document."""

    format = FORMAT


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a document."""
    parts = released_parts(Package(file.read()))
    return Docx(parts, tuple(_texts(parts)), ".docx").row(origin)


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
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{_KINDS}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{_RELATIONS}">{main}</Relationships>',
        "word/_rels/document.xml.rels": f'{HEAD}<Relationships xmlns="{_RELATIONS}">'
        + "".join(_link(id_, kind, f"{name}.xml") for id_, kind, name in links)
        + "</Relationships>",
        "word/settings.xml": _SETTINGS.format(even),
    }
    parts = {name: text.encode() for name, text in texts.items()}
    return parts | {f"word/{name}.xml": as_bytes(tree) for name, tree in trees.items()}


def _link(id_: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{id_}" Type="{LINKS}/{kind}" Target="{target}"/>'


def _texts(parts: Mapping[str, bytes]) -> list[str]:
    """The parts that have text, in its order."""
    return [
        name
        for kind in _ORDER
        for name in parts
        if name.startswith(f"word/{kind}") and name.endswith(".xml")
    ]
