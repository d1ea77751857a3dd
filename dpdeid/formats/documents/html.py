"""Pages: the markup is the note, less what identifies or is no text.

What passes stands in `html.tsv`. Comments, scripts, styles, titles, images, frames and embedded
data go; of attributes those stay that say how an element looks, with a value that can say nothing
else, and what a field of a form shows, which is read. All else is byte for byte the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from typing import BinaryIO, Final

from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.markup.allowed import Allowed
from dpdeid.formats.markup.fields import field_of, known
from dpdeid.formats.markup.form import Marked, opened, row_of
from dpdeid.formats.rows import Row
from dpdeid.views.reading import Edit
from dpdeid.views.reading import Reading as View

_MARKUP: Final = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*(?:>|\Z)|</(?![A-Za-z])[^>]*(?:>|\Z)"""
    r"""|<(?P<end>/?)(?P<name>[A-Za-z][^\s/<>]*+)(?P<rest>(?:[^<>"']|"[^"]*"|'[^']*')*+)>"""
    r"""|<(?=[A-Za-z/])""",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    r"""(?:(?<![\s/])[\s/]+|[\s/])([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>=`]+))?"""
)
"""From the first sign of a gap or from its last: from any, a long gap would take squared time."""
_DOCTYPE: Final = re.compile(
    r"""<!doctype\s+html(?:\s+PUBLIC\s+"-//W3C//DTD X?HTML [\w. ]{1,30}//EN\""""
    r"""(?:\s+"http://www\.w3\.org/TR/[\w/.-]{1,60}")?)?\s*>""",
    re.IGNORECASE,
)
_XML: Final = re.compile(
    r"<\?xml version=[\"']1\.[01][\"'](?: encoding=[\"'][\w-]{1,20}[\"'])? ?\?>"
)
_CHARSET: Final = re.compile(
    r"""(?i)\s+charset\s*=\s*["']?[\w-]{1,20}["']?\s*/?"""
    r"""|\s+http-equiv\s*=\s*["']?content-type["']?\s+content\s*=\s*"text/html;\s*charset=[\w-]{1,20}"\s*/?"""
)
_HIDDEN: Final = re.compile(r"""(?i)\stype\s*=\s*["']?(?:hidden|password|file|image)\b""")
_SHOWN: Final = {"input": ("value",), "option": ("label",), "optgroup": ("label",)}
_WORD: Final = (
    r"(?:#[0-9a-f]{3,8}|-?\d{0,4}(?:\.\d{1,3})?(?:px|pt|em|ex|rem|cm|mm|in|%)?"
    r"|bold(?:er)?|lighter|normal|italic|oblique|underline|line-through|none|left|right|center|justify"
    r"|top|middle|bottom|baseline|sub|super|solid|dotted|dashed|double|collapse|separate|auto|inherit"
    r"|nowrap|pre|pre-wrap|pre-line|inline|block|inline-block|table|table-row|table-cell|disc|circle"
    r"|square|decimal|uppercase|lowercase|capitalize|small|medium|large|thin|thick|transparent"
    r"|windowtext|black|white|red|green|blue|yellow|gr[ae]y|silver|navy|maroon|purple|orange"
    r"|[\"']?(?:arial|helvetica|times(?: new roman)?|courier(?: new)?|verdana|calibri|tahoma"
    r"|georgia|cambria|sans-serif|serif|monospace)[\"']?)"
)
_STYLE: Final = re.compile(
    rf"(?i)\s*(?:color|background|background-color|border(?:-[a-z-]{{3,20}})?|display|font(?:-[a-z]{{4,8}})?"
    rf"|height|width|(?:min|max)-(?:height|width)|line-height|list-style(?:-type)?|margin(?:-[a-z]{{3,6}})?"
    rf"|padding(?:-[a-z]{{3,6}})?|text-(?:align|decoration|indent|transform)|vertical-align|white-space)"
    rf"\s*:\s*{_WORD}(?:[\s,]+{_WORD}){{0,6}}\s*"
)


_ALLOWED: Final = Allowed.of(__package__, "html.tsv")


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a page."""
    page = opened(file.read(), is_xml=False)
    text = scrubbed(page.text)
    told = known(_named(page.text))
    return row_of(origin, told, page, Marked(".html", text, page.codec, page.mark))


def scrubbed(text: str) -> str:
    """A page or a piece of one with what passes only."""
    return View(text, text).edited(scrub(text)).text


def scrub(text: str) -> Iterator[Edit]:
    """What goes from a page, or from a piece of one, and what stands in its place."""
    at, endless = 0, set[str]()
    while tag := _MARKUP.search(text, at):
        at = tag.end()
        if tag["name"] is None:
            yield from _no_tag(text, tag)
            continue
        name = tag["name"].lower()
        kind = _ALLOWED.kind_of.get(name)
        if kind == "drops":
            at = _end_of(name, text, tag, endless)
        if kind != "keeps" or _is_void(name, tag):
            yield _gone(text, tag.start(), at)
        elif name != "meta":
            yield from _attributes(name, tag)


def _no_tag(text: str, tag: re.Match[str]) -> Iterator[Edit]:
    """What is no tag goes, but for what tells how to read the page; what is not whole is text."""
    if tag[0] == "<":
        yield Edit(tag.start(), tag.end(), "&lt;")
    elif tag[0].lower().startswith("<!doctype") and not _DOCTYPE.fullmatch(tag[0]):
        yield Edit(tag.start(), tag.end(), "<!DOCTYPE html>")
    elif not (_DOCTYPE.fullmatch(tag[0]) or (tag.start() == 0 and _XML.fullmatch(tag[0]))):
        yield _gone(text, *tag.span())


def _gone(text: str, start: int, end: int) -> Edit:
    """A stretch that goes; what stood on both sides makes no word, tag or sign together."""
    before = text[max(0, start - 1) : start]
    joins = before.isalnum() and text[end : end + 1].isalnum()
    return Edit(start, end, " " if joins or (before and before in "<]&") else "")


def _end_of(name: str, text: str, tag: re.Match[str], endless: set[str]) -> int:
    """Where an element ends that goes with its content: at its end tag, or with the page.

    Args:
        endless: names of which no end tag follows; they are added to.
    """
    if tag["end"] or (name in endless and tag["rest"].endswith("/")):
        return tag.end()
    if end := re.compile(rf"(?i)</{name}(?=[\s/>])[^>]*>").search(text, tag.end()):
        return end.end()
    endless.add(name)
    return tag.end() if tag["rest"].endswith("/") else len(text)


def _is_void(name: str, tag: re.Match[str]) -> bool:
    """Whether an element that may stay has nothing that passes."""
    if name == "meta":
        return not _CHARSET.fullmatch(tag["rest"])
    return name == "input" and _HIDDEN.search(tag["rest"]) is not None


def _attributes(name: str, tag: re.Match[str]) -> Iterator[Edit]:
    """The attributes of a tag that go. A tag with anything else in it is written anew."""
    rest, first = tag["rest"], tag.start("rest")
    found = [*_ATTRIBUTE.finditer(rest)]
    kept = ["" if tag["end"] else _passed(name, one) for one in found]
    if _ATTRIBUTE.sub("", rest).strip(" \t\r\n\f/"):
        yield Edit(first, first + len(rest), "".join(kept))
        return
    for one, new in zip(found, kept, strict=True):
        if new != one[0]:
            yield Edit(first + one.start(), first + one.end(), new)


def _passed(element: str, attribute: re.Match[str]) -> str:
    """What stays of an attribute."""
    name, given = attribute[1].lower(), attribute[2] or ""
    value = given[1:-1] if given[:1] in ("'", '"') else given
    if name in _SHOWN.get(element, ()):
        quoted = value != given and "<" not in value
        return attribute[0] if quoted else f' {name}="{escape(unescape(value))}"'
    if name == "style":
        kept = ";".join(part for part in value.split(";") if _STYLE.fullmatch(part))
        return attribute[0] if kept == value.rstrip(";") else f' style="{kept}"' if kept else ""
    return attribute[0] if _ALLOWED.passes(name, value) else ""


def _named(text: str) -> Iterator[tuple[str, str]]:
    """The fields of forms by what they hold, with their values, hidden ones too."""
    for tag in _MARKUP.finditer(text):
        if tag["name"] is not None and tag["name"].lower() == "input":
            given = _ATTRIBUTE.findall(tag["rest"])
            values = {key.lower(): unescape(value.strip("\"'")) for key, value in given}
            name = values.get("name") or values.get("id", "")
            yield field_of(name), values.get("value", "")
