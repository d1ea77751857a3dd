"""A part of a Word document anew, of what is known to be harmless, and its text.

What stands in `docx.tsv` is kept (`rewrite`); anything else is taken away around its text. Styles
get names of ours unless they are Word's, fields leave their results behind, and hidden text shows.
Of tracked changes the result is kept: what was inserted, and not what was deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Self
from xml.etree import ElementTree as Xml

from dpdeid.formats.markup.allowed import Allowed
from dpdeid.formats.office.package import parsed
from dpdeid.formats.office.rewrite import Format, Rewriter

WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
LINKS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT: Final = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_MATHS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_OTHER: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_GONE: Final = frozenset(("del", "moveFrom", "cellDel"))
_IMPORTS: Final = frozenset(("altChunk", "subDoc"))
_ROWS: Final = {"tbl": "tr", "tr": "tc"}
"""What is nothing without one of the others inside."""
_STYLED: Final = frozenset(
    ("pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "styleLink", "numStyleLink")
)
_SIGNS: Final = {"tab": "\t", "br": "\n", "cr": "\n"}
_BITS: Final = re.compile(r"[0-9A-Fa-f]{4}|[01]{1,12}")
_SYMBOL: Final = re.compile(r"(?!00[0189]|007F|D[89A-F]|FFF[EF])[0-9A-F]{4}", re.IGNORECASE)
"""Code points that are no control characters, halves of others or none."""
_BULLET: Final = re.compile(r"(?:%[1-9]|[^\w%]|_|\b[a-zA-Z]\b){0,40}")
_NUMBERED: Final = re.compile(r"( [1-9])?( accent [1-6])?( char)?$", re.IGNORECASE)


ALLOWED: Final = Allowed.of(__package__, "docx.tsv")


@dataclass(slots=True)
class Names:
    """What names of one document become in all of its parts.

    Args:
        styles: id of a style → the one that is released.
        parts: id of a relation of the main part → the one that is released.
        fonts: of the theme, by their kind (minorHAnsi).
        renamed: styles whose names are ours.
    """

    styles: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    fonts: dict[str, str] = field(default_factory=dict)
    renamed: int = 0


@dataclass(slots=True)
class _Field:
    """A field that is being read.

    Args:
        shows: whether its result has begun.
        choices: entries of a list, and what is chosen; or whether a box is ticked.
    """

    told: str = ""
    shows: bool = False
    choices: list[str] = field(default_factory=list)
    chosen: int = 0
    ticked: bool = False

    @classmethod
    def of(cls, node: Xml.Element) -> Self:
        """The field that begins, with what it says of a box or list of a form."""
        forms = {own(one): one for one in node.iter()}
        box = next((forms[key] for key in ("checked", "default") if key in forms), None)
        ticked = box is not None and attribute(box, "val") not in ("0", "false", "off")
        entries = [attribute(one, "val") or "" for one in node.iter() if own(one) == "listEntry"]
        chosen = attribute(forms.get("result"), "val") or "0"
        return cls(choices=entries, chosen=int(chosen) if chosen.isdecimal() else 0, ticked=ticked)

    @property
    def kept(self) -> str:
        """The field if it is released as one, as page numbers are, else ""."""
        name = (self.told.split() or [""])[0].upper()
        return name if name in ALLOWED.kinds["fields"] else ""

    @property
    def result(self) -> str:
        """What a form shows that has no text."""
        if "FORMCHECKBOX" in self.told:
            return "☒" if self.ticked else "☐"
        within = "FORMDROPDOWN" in self.told and self.chosen < len(self.choices)
        return self.choices[self.chosen] if within else ""


def scrubbed(data: bytes, names: Names) -> Xml.Element:
    """The root of a part, made anew.

    Raises:
        ValueError: it is no such part, or one that is refused.
    """
    scrub = _Scrub(names)
    made = list(scrub.made(parsed(data, Xml.TreeBuilder()), "."))
    if len(made) != 1:
        raise ValueError("damaged: a part is of another kind")
    if scrub.fields:
        raise ValueError("damaged: a field is not closed")
    return made[0]


def tag(name: str) -> str:
    """An element or attribute of Word by its full name."""
    return f"{{{WORD}}}{name}"


def own(node: Xml.Element) -> str:
    """The name of an element of Word, "" of any other. Runs of formulas are runs."""
    space, _, name = node.tag[1:].partition("}")
    if space == _MATHS:
        return name if name in ("r", "t") else ""
    return name if space in (WORD, _STRICT) else ""


def attribute(node: Xml.Element | None, name: str) -> str | None:
    """An attribute of an element of Word."""
    if node is None:
        return None
    return next((v for k, v in node.items() if k.rpartition("}")[2] == name), None)


def written_text(text: str, name: str = "t") -> Xml.Element:
    """A text in a run."""
    new = Xml.Element(tag(name), {SPACE: "preserve"})
    new.text = text
    return new


def _sign(node: Xml.Element, name: str) -> str:
    if name == "sym":
        return chr(int(attribute(node, "char") or "F0B7", 16))
    return _SIGNS.get(name) or node.text or ""


def _leaves(text: str) -> Iterator[Xml.Element]:
    for part in re.split(r"([\n\t])", text):
        if part in ("\n", "\t"):
            yield Xml.Element(tag("br" if part == "\n" else "tab"))
        elif part:
            yield written_text(part)


FORMAT: Final = Format(ALLOWED, own, tag, _sign, _leaves)


class _Scrub(Rewriter):
    """Makes the released tree of one part, in the order of its text."""

    format = FORMAT

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names
        self.fields: list[_Field] = []

    def made(self, node: Xml.Element, parent: str) -> Iterator[Xml.Element]:
        name = own(node)
        if name in _IMPORTS:
            raise ValueError("takes in another file (altChunk or subDoc): save it as a whole")
        if name in _GONE or _is_deleted(node, name):
            return
        if node.tag == f"{{{_OTHER}}}AlternateContent":
            for choice in [*node][:1]:
                yield from self.inside(choice, parent)
        elif name == "fldSimple":
            yield from self._simple(node, parent)
        elif name in ("fldChar", "instrText", "t", "noBreakHyphen", "ptab") and parent == "r":
            yield from self._in_run(node, name)
        else:
            yield from super().made(node, parent)

    def kept(self, node: Xml.Element, name: str) -> Iterator[Xml.Element]:
        for new in super().kept(node, name):
            if name == "tc" and (not len(new) or new[-1].tag != tag("p")):
                Xml.SubElement(new, tag("p"))
            if name not in _ROWS or any(own(child) in _ROWS.values() for child in new):
                yield new

    def _in_run(self, node: Xml.Element, name: str) -> Iterator[Xml.Element]:
        if name == "instrText":
            if self.fields:
                self.fields[-1].told += node.text or ""
        elif name == "fldChar":
            yield from self._field(node, attribute(node, "fldCharType"))
        elif not all(one.shows for one in self.fields):
            return
        elif name == "ptab":
            yield Xml.Element(tag("tab"))
        else:
            yield written_text("\u2011" if name == "noBreakHyphen" else node.text or "")

    def _field(self, node: Xml.Element, kind: str | None) -> Iterator[Xml.Element]:
        if kind == "begin":
            self.fields.append(_Field.of(node))
        elif not self.fields:
            raise ValueError("damaged: a field is closed that is not open")
        elif kind == "separate":
            self.fields[-1].shows = True
            yield from _opened(self.fields[-1].kept)
        elif kind == "end":
            done = self.fields.pop()
            if not all(one.shows for one in self.fields):
                return
            if not done.shows:
                yield from _opened(done.kept)
            if done.result:
                yield written_text(done.result)
            yield from _closed(done.kept)

    def _simple(self, node: Xml.Element, parent: str) -> Iterator[Xml.Element]:
        kept = _Field(attribute(node, "instr") or "").kept if parent == "p" else ""
        for part in (_opened(kept), None, _closed(kept)):
            if part is None:
                yield from self.inside(node, parent)
            elif kept:
                run = Xml.Element(tag("r"))
                run.extend([*part])
                yield run

    def attributes(self, node: Xml.Element, name: str) -> dict[str, str] | None:
        given = {key.rpartition("}")[2]: value for key, value in node.items()}
        if name in ("headerReference", "footerReference"):
            part = self._names.parts.get(given.get("id", ""))
            kind = given.get("type", "default")
            if part is None or kind not in ALLOWED.kinds["words"]:
                return None
            return {f"{{{LINKS}}}id": part, tag("type"): kind}
        if name == "rFonts":
            for key in ("ascii", "hAnsi", "cs", "eastAsia"):
                themed = self._names.fonts.get(given.get(key + "Theme", ""))
                given.update({key: themed} if themed else {})
        kept = {}
        for key, value in given.items():
            passed = self._value(name, key, value)
            if passed is not None:
                kept[tag(key)] = passed
            elif key in ("val", "char"):
                return None
        return kept

    def _value(self, name: str, key: str, value: str) -> str | None:
        """The released value of an attribute, None if it has none."""
        if (name in _STYLED and key == "val") or key == "styleId":
            return self._names.styles.get(value)
        if key not in ALLOWED.forms:
            return None
        if name in ("lvlText", "name"):
            return _numbered(value) if name == "lvlText" else _style_name(value, self._names)
        if name == "rFonts" or key == "font":
            return value if value in ALLOWED.kinds["fonts"] | ALLOWED.kinds["words"] else None
        if name in ("sym", "tblLook", "cnfStyle"):
            form = _SYMBOL if name == "sym" else _BITS
            return value if form.fullmatch(value) else None
        return value if ALLOWED.passes(key, value) else None


def _is_deleted(node: Xml.Element, name: str) -> bool:
    """Whether a row or a cell is a deletion that is tracked."""
    properties = (child for child in node if own(child) == f"{name}Pr")
    return name in ("tr", "tc") and any(own(one) in _GONE for child in properties for one in child)


def _opened(name: str) -> Iterator[Xml.Element]:
    """The beginning of a field that is released as one."""
    if name:
        yield Xml.Element(tag("fldChar"), {tag("fldCharType"): "begin"})
        yield written_text(f" {name} ", "instrText")
        yield Xml.Element(tag("fldChar"), {tag("fldCharType"): "separate"})


def _closed(name: str) -> Iterator[Xml.Element]:
    if name:
        yield Xml.Element(tag("fldChar"), {tag("fldCharType"): "end"})


def _numbered(value: str) -> str:
    """How a level of a list is numbered: signs, places of numbers and single letters only."""
    return value if _BULLET.fullmatch(value) else "".join(re.findall("%[1-9]", value)) + "."


def _style_name(value: str, names: Names) -> str:
    """The name of a style if it is one of Word's, else a new one."""
    known = {one.lower() for one in ALLOWED.kinds["styles"]}
    if _NUMBERED.sub("", value).lower() in known:
        return value
    names.renamed += 1
    return f"Style {names.renamed}"
