"""OpenDocument texts and spreadsheets: their text, and new ones of what is harmless in them.

The text has headers, body and footers in turn, notes behind their paragraphs, a line a paragraph,
the cells of a row apart by tabs. What is hidden (text, sections, sheets, rows, columns) goes, and
so do deletions that are tracked, values and formulas behind the text of a cell, names of styles
and sheets, and all parts but the text and its styles. Fields leave their results behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import BinaryIO, Final
from xml.etree import ElementTree as Xml

from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.markup.allowed import Allowed
from dpdeid.formats.office.package import Package, parsed
from dpdeid.formats.office.rewrite import HEAD, Format, Office, Rewriter, as_bytes
from dpdeid.formats.rows import Row

ALLOWED: Final = Allowed.of(__package__, "odf.tsv")
_SPACES: Final = {
    **dict.fromkeys(("office", "style", "text", "table"), ""),
    **{"draw": "drawing", "fo": "xsl-fo-compatible", "svg": "svg-compatible"},
}
_OWN: Final = {
    f"urn:oasis:names:tc:opendocument:xmlns:{space or prefix}:1.0": prefix
    for prefix, space in _SPACES.items()
}
_SPACE_OF: Final = {prefix: space for space, prefix in _OWN.items()}
_SIGNS: Final = {"text:tab": "\t", "text:line-break": "\n"}
_MANIFEST: Final = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_TYPE: Final = "application/vnd.oasis.opendocument."
_TEXTS: Final = ("styles.xml", "content.xml")
_FLAGS: Final = {
    "text:display": ("none",),
    "text:is-hidden": ("true",),
    "table:display": ("false",),
    "table:visibility": ("collapse", "filter"),
    "style:display": ("false",),
}
"""Attributes with the values by which they hide what they stand on."""
for _prefix, _space in _SPACE_OF.items():
    Xml.register_namespace(_prefix, _space)


def _short(name: str) -> str:
    space, _, own = name[1:].partition("}")
    return f"{_OWN[space]}:{own}" if space in _OWN else ""


def _own(node: Xml.Element) -> str:
    return _short(node.tag)


def _full(name: str) -> str:
    prefix, _, own = name.partition(":")
    return f"{{{_SPACE_OF[prefix]}}}{own}"


_NAME: Final = _full("style:name")


def _is_hidden(node: Xml.Element) -> bool:
    return any(node.get(_full(key)) in values for key, values in _FLAGS.items())


def _count(node: Xml.Element, key: str, most: int = 1 << 20) -> int:
    value = node.get(_full(key), "1")
    return min(most, int(value)) if re.fullmatch("[0-9]{1,7}", value) else 1


def _span(text: str) -> Xml.Element:
    new = Xml.Element(_full("text:span"))
    new.text = text
    return new


def _sign(node: Xml.Element, name: str) -> str:
    if name == "text:s":
        return " " * _count(node, "text:c", 1_000)
    return _SIGNS.get(name) or node.text or ""


def _leaves(text: str) -> Iterator[Xml.Element]:
    for part in re.split(r"(\n|\t|^ +| +$| {2,})", text):
        if part in ("\n", "\t"):
            yield Xml.Element(_full("text:tab" if part == "\t" else "text:line-break"))
        elif part.strip(" "):
            yield _span(part)
        elif part:
            yield Xml.Element(_full("text:s"), {_full("text:c"): str(len(part))})


FORMAT: Final = Format(ALLOWED, _own, _full, _sign, _leaves)


class _Scrub(Rewriter):
    """Makes the released tree of one part.

    Args:
        names: id of a style → the one that is released.
        hidden: ids of styles that hide what has them.
    """

    format = FORMAT

    def __init__(self, names: Mapping[str, str], hidden: Iterable[str]) -> None:
        super().__init__()
        self._names, self._hidden, self._tables = names, frozenset(hidden), 0

    def opens(self, name: str, parent: str) -> bool:
        is_text = name.startswith("text:") and name not in ALLOWED.kinds["drops"]
        return super().opens(name, parent) and (is_text or name in ALLOWED.kinds["opens"])

    def made(self, node: Xml.Element, parent: str) -> Iterator[Xml.Element]:
        name = _own(node)
        if name in ("text:page-number", "text:page-count") and parent in ALLOWED.kinds["mixed"]:
            new = Xml.Element(node.tag)
            new.text = node.text
            yield new
        elif not self._hides(node, name):
            yield from super().made(node, parent)

    def _hides(self, node: Xml.Element, name: str) -> bool:
        styled = (node.get(_full(key)) for key in ("text:style-name", "table:style-name"))
        is_told = name in ALLOWED.kinds["paragraphs"] and any(
            _own(one) == "text:hidden-paragraph" and _is_hidden(one) for one in node.iter()
        )
        return is_told or _is_hidden(node) or any(one in self._hidden for one in styled)

    def text(self, text: str | None, parent: str) -> Iterator[Xml.Element]:
        if text and parent in ALLOWED.kinds["mixed"]:
            yield _span(re.sub(r"[ \t\r\n]+", " ", text))

    def attributes(self, node: Xml.Element, name: str) -> dict[str, str] | None:
        kept = {}
        for full, value in node.items():
            key = _short(full)
            if key in ALLOWED.kinds["named"] and value in self._names:
                kept[full] = self._names[value]
            elif ALLOWED.passes(key, value) or (
                key == "fo:font-family" and value.strip("'") in ALLOWED.kinds["fonts"]
            ):
                kept[full] = value
        if name == "table:table":
            self._tables += 1
            kept[_full("table:name")] = f"Table{self._tables}"
        elif name.startswith("office:document-"):
            kept[_full("office:version")] = "1.2"
        elif name == "table:table-cell":
            kept[_full("office:value-type")] = "string"
        return kept


class Odf(Office):
    """The form of a note that came in an OpenDocument file."""

    format = FORMAT

    def flow(self, trees: Mapping[str, Xml.Element]) -> Iterator[Xml.Element]:
        pages = [*trees.get("styles.xml", Xml.Element("")).iter(_full("style:master-page"))]
        headers, footers = (
            [one for page in pages for one in page if _own(one).startswith(f"style:{kind}")]
            for kind in ("header", "footer")
        )
        return chain(headers, [trees["content.xml"]], footers)


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a text or a spreadsheet."""
    parts = released_parts(Package(file.read(), ".odt or .ods"))
    ending = ".ods" if parts["mimetype"].endswith(b"spreadsheet") else ".odt"
    return Odf(parts, tuple(name for name in _TEXTS if name in parts), ending).row(origin)


def released_parts(package: Package) -> dict[str, bytes]:
    """The parts of the document to release, by name, with the text as it is.

    Raises:
        ValueError: it is no such document, or one that is refused.
    """
    manifest = "META-INF/manifest.xml"
    if manifest in package and b"encryption-data" in package.part(manifest):
        raise ValueError("has a password: save it without one")
    trees = {
        name: parsed(package.part(name), Xml.TreeBuilder()) for name in _TEXTS if name in package
    }
    bodies = trees.get("content.xml", Xml.Element("")).iter(_full("office:body"))
    kinds = {_own(one) for body in bodies for one in body} & {"office:text", "office:spreadsheet"}
    if len(kinds) != 1:
        raise ValueError("no OpenDocument text or spreadsheet")
    styles = trees.get("styles.xml", Xml.Element(""))
    common = [*_styles(styles, "office:styles"), *_styles(styles, "office:master-styles")]
    kind = f"{_TYPE}{kinds.pop().partition(':')[2]}"
    made = {"mimetype": kind.encode()}
    for name, tree in trees.items():
        _show_columns(tree)
        scrub = _Scrub(*_named([*common, *_styles(tree, "office:automatic-styles")]))
        root = [*scrub.made(tree, ".")]
        if len(root) != 1:
            raise ValueError("damaged: a part is of another kind")
        made[name] = as_bytes(root[0])
    files = [("/", kind), *((name, "text/xml") for name in trees)]
    entries = "".join(
        f'<m:file-entry m:full-path="{name}" m:media-type="{media}"/>' for name, media in files
    )
    text = f'{HEAD}<m:manifest xmlns:m="{_MANIFEST}" m:version="1.2">{entries}</m:manifest>'
    return made | {manifest: text.encode()}


def _styles(tree: Xml.Element, place: str) -> Iterator[Xml.Element]:
    return (one for part in tree.iter(_full(place)) for one in part if one.get(_NAME))


def _named(styles: Iterable[Xml.Element]) -> tuple[dict[str, str], set[str]]:
    """What each style is called in a release, and those that hide what has them."""
    by_name = {one.get(_NAME, ""): one for one in styles}
    names = {
        name: name if name in ALLOWED.kinds["styles"] else f"S{number}"
        for number, name in enumerate(by_name, 1)
    }
    hidden = {name for name, one in by_name.items() if any(map(_is_hidden, one.iter()))}
    while more := {
        name
        for name, one in by_name.items()
        if name not in hidden and one.get(_full("style:parent-style-name")) in hidden
    }:
        hidden |= more
    return names, hidden


def _show_columns(tree: Xml.Element) -> None:
    """Takes the cells of hidden columns from the tables of a part."""
    for table in tree.iter(_full("table:table")):
        hidden, at = list[range](), 0
        for column in table.iter(_full("table:table-column")):
            number = _count(column, "table:number-columns-repeated")
            if _is_hidden(column):
                hidden.append(range(at, at + number))
            at += number
        for row in table.iter(_full("table:table-row")) if hidden else ():
            at = 0
            for cell in [*row]:
                number = _count(cell, "table:number-columns-repeated")
                gone = sum(
                    max(0, min(one.stop, at + number) - max(one.start, at)) for one in hidden
                )
                at += number
                if gone == number:
                    row.remove(cell)
                elif gone:
                    cell.set(_full("table:number-columns-repeated"), str(number - gone))
