"""Markup read as a page shows it: blocks as lines, cells as columns, fields as they are called.

An element that HTML does not know is a field: "<dateNaissance>" is "date naissance : ". Values of
attributes are read as well, since they identify ("mailto:…", birthTime value="…"); those that only
say how a page looks are not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid.views.reading import Edit

_VALUE: Final = r"""(?:"[^"<]*+"|'[^'<]*+'|[^\s"'<>=]++)"""
_ATTRIBUTE: Final = re.compile(rf"\s++([\w:.-]++)(?:\s*+=\s*+({_VALUE}))?")
_TAG: Final = re.compile(
    rf"<(/?)([A-Za-z][\w:.-]{{0,40}})((?:\s++[\w:.-]++(?:\s*+=\s*+{_VALUE})?)*+)\s*+(/?)>"
)
_MARK: Final = re.compile(
    r"""<\?xml\s+version=["']1\.[01]["'](?:\s+(?:encoding|standalone)=["'][\w.-]{1,20}["']){0,2}\s?\?>"""
    r"""|<!(?i:doctype)\s+(?i:html)(?:\s+PUBLIC\s+"-//W3C//DTD\sX?HTML[\w. ]{1,30}//EN\""""
    r"""(?:\s+"http://www\.w3\.org/TR/[\w/.-]{1,60}")?)?\s*>"""
    r"|<!--|-->|<!\[CDATA\[|\]\]>|<\?xml\b|\?>|<!DOCTYPE\b"
)
"""What is no tag; the heads of XML and HTML as a whole."""
_HEADS: Final = frozenset(("value", "extension", "content"))
"""Attributes that hold what their element is called after."""
_SHAPES: Final = frozenset(("templateid", "typeid"))
"""Elements of CDA that say what a document looks like."""
_MEASURED: Final = re.compile(r"(?i)\sunit\s*=")
"""Beside a value it tells that this is a quantity: "low" is the end of a range, and no day."""
_THINGS: Final = (
    "diagnostic",
    "dispositif",
    "drug",
    "medicament",
    "mesure",
    "parametre",
    "produit",
)
"""Elements whose name is nobody's: it is called as they are."""
_TRUTHS: Final = ("true", "false")
"""Values that are nobody's name."""
_DEEP: Final = 50
_FLOWS: Final = ("p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "paragraph", "item")
_KEPT: Final = ("pre", "textarea")
_LINE: Final = re.compile(r"(?<![ \t])[ \t]*+\r?\n\s*+")
_CAMEL: Final = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])|[_.:-]+")


@cache
def _rows(name: str) -> tuple[list[str], ...]:
    lines = (files(__package__) / name).read_text(encoding="utf-8").splitlines()
    return tuple(line.split("\t") for line in lines if not line.startswith("#"))


@cache
def _kinds() -> dict[str, str]:
    return {name: kind for kind, *names in _rows("elements.tsv") for name in names}


@cache
def _fields() -> dict[str, str]:
    return {row[0]: row[1] for row in _rows("fields.tsv")}


def edits(text: str) -> Iterator[Edit]:
    """The tags of a text, read as line breaks, tabs, names of fields or nothing.

    What has no attribute, is not closed and is no element of HTML, "<DUPONT>", is no tag.
    """
    if "<" not in text:
        return
    tags = [*_TAG.finditer(text)]
    known = {tag[2].lower() for tag in tags if tag[1]} | _kinds().keys()
    flows = _flowing(tags)
    in_cell, flowing, kept, done = False, 0, 0, 0
    fields: list[str] = []
    for tag in sorted((*tags, *_MARK.finditer(text)), key=re.Match.start):
        if flowing > 0 and kept == 0:
            for line in _LINE.finditer(text, done, tag.start()):
                yield Edit(line.start(), line.end(), " ")
        done = tag.end()
        if tag.re is _MARK:
            yield Edit(tag.start(), tag.end(), "", hollow=True)
        elif tag[3] or tag[4] or tag[2].lower() in known:
            name, kind = tag[2].lower(), _kind(tag[2])
            step = 0 if tag[4] else -1 if tag[1] else 1
            flowing += step * (name in flows)
            kept = max(0, kept + step * (name in _KEPT))
            if tag[1] and name in fields:
                del fields[fields.index(name) :]
            yield from _read(tag, kind, in_cell, fields[-1] if fields else "")
            if kind == "field" and step > 0:
                fields = [*fields[-_DEEP:], name]
            if kind == "cell" or name in ("tr", "table"):
                in_cell = kind == "cell" and not tag[1]


def _flowing(tags: Sequence[re.Match[str]]) -> frozenset[str]:
    """The elements of a text in which a line break is a space: those that all have an end tag."""
    counts = Counter((tag[2].lower(), tag[1]) for tag in tags if not tag[4])
    return frozenset(name for name in _FLOWS if counts[name, ""] == counts[name, "/"])


def _kind(name: str) -> str:
    name = name.lower()
    return _kinds().get(name) or _kinds().get(name.rpartition(":")[2], "field")


def _read(tag: re.Match[str], kind: str, in_cell: bool, parent: str) -> Iterator[Edit]:
    """The edits of a tag; a cell that begins in another one, which has no end tag, is a column.

    Args:
        parent: the name of the field that it stands in, "" if in none.
    """
    before = {"inline": "", "cell": "\t" if tag[1] or in_cell else ""}.get(kind, "\n")
    if kind == "field" and not tag[1]:
        is_range = _MEASURED.search(tag[3]) is not None
        before = f"\n{tag[2].lower() if is_range else _words(tag[2], parent)} : "
    done = tag.start()
    for key, start, end in _values(tag):
        if kind != "field":
            before = "\t" if kind == "inline" else "\n"
        elif key.lower() not in _HEADS:
            before = f"\n{_words(key, tag[2].lower())} : "
        yield Edit(done, start, before, hollow=True)
        done, before = end, "\t" if kind == "inline" else "\n"
    yield Edit(done, tag.end(), before, hollow=True)


def is_read(element: str, attribute: str) -> bool:
    """Whether the values of an attribute are read: not those that say how something looks."""
    key = attribute.lower()
    if element.lower().rpartition(":")[2] in _SHAPES:
        return False
    return _kinds().get(key) != "looks" and not key.startswith(("xmlns", "xsi"))


def _values(tag: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """The attributes of a tag that may identify, each with where its value stands."""
    for attribute in _ATTRIBUTE.finditer(tag[3]):
        key, value = attribute[1], attribute[2] or ""
        if not is_read(tag[2], key):
            continue
        start, end = (tag.start(3) + at for at in attribute.span(2))
        quoted = value[:1] in ('"', "'")
        if len(value) > 2 * quoted and value.strip("\"'") not in _TRUTHS:
            yield key, start + quoted, end - quoted


def _words(name: str, parent: str) -> str:
    """What a form calls a field: "dateNaissance" is "date naissance"."""
    bare = name.rpartition(":")[2]
    if parent in _THINGS and bare.lower() in ("nom", "name"):
        return parent
    return _fields().get(bare.lower()) or " ".join(_CAMEL.split(bare)).lower()
