r"""Rich text (RTF): its text, and a new file of it with paragraphs, tables and what is emphasised.

The text has headers, body and footers in turn, a line a paragraph, the cells of a row apart by
tabs; notes and boxes come behind their paragraphs. Only what shows is read: hidden text, deletions
that are tracked, instructions of fields, comments, information, pictures and objects are gone, and
so is any group that says that it may be left out (`\*`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Final, NamedTuple

from dpdeid.document import Deidentified, Document
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.markup.allowed import Allowed
from dpdeid.formats.office.rewrite import replaced
from dpdeid.formats.rows import Row

_TOKEN: Final = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'(?P<byte>[0-9a-fA-F]{2})"
    r"|\\(?P<sign>[^a-zA-Z])|(?P<group>[{}])|[\r\n]+|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_FLOWS: Final = {
    **{f"header{kind}": "header" for kind in ("", "l", "r", "f")},
    **{f"footer{kind}": "footer" for kind in ("", "l", "r", "f")},
    **{"footnote": "note", "shptxt": "note", "dptxbxtext": "note"},
}
"""Destinations whose text is read, and where it comes."""
_ALLOWED: Final = Allowed.of(__package__, "rtf.tsv")
_SIGNS: Final = {
    **{"tab": "\t", "nestcell": "\t", "line": "\n", "nestrow": "\n", "column": "\n", "page": "\n"},
    **{"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•"},
    **{"endash": "–", "emdash": "—", "enspace": " ", "emspace": " ", "qmspace": " "},
    **{"~": "\xa0", "_": "\u2011", "\\": "\\", "{": "{", "}": "}", "\t": "\t"},
}
_MARKS: Final = dict.fromkeys(("par", "sect", "\n", "\r"), "par") | {"cell": "cell", "row": "row"}
_LOOKS: Final = ("b", "i", "ul", "strike", "super", "sub")
_OFF: Final = {"ulnone": ("ul",), "nosupersub": ("super", "sub"), "plain": _LOOKS}
_HIDES: Final = ("v", "deleted", "mvf")
_PAGES: Final = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
_CHARSETS: Final = {
    **{77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253"},
    **{162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251"},
    **{222: "cp874", 238: "cp1250", 255: "cp850"},
}
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]")
_WRITTEN: Final = {"\\": r"\\", "{": r"\{", "}": r"\}", "\n": r"\line ", "\t": r"\tab "}
_HEAD: Final = r"{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\fswiss Arial;}}\f0\fs20"
_BLANK: Final = b"\xef\xbb\xbf\x00 \r\n\t"
_LONG: Final = 4_096
_WIDTH: Final = 9_600


class _State(NamedTuple):
    """What holds inside a group."""

    flow: str = "body"
    looks: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    gone: bool = False
    skips: int = 1
    font: int = -1
    in_row: bool = False


@dataclass(slots=True)
class _Item:
    """A stretch of text with one look, or a mark behind a paragraph, a cell or a row."""

    text: str
    looks: frozenset[str] = frozenset()
    mark: str = ""
    in_row: bool = False


class _Reader:
    """Reads the groups of a file, in their order."""

    def __init__(self, data: str) -> None:
        self.flows: dict[str, list[_Item]] = {"header": [], "body": [], "footer": [], "note": []}
        self._data, self._page = data, "cp1252"
        self._charsets: dict[int, str] = {}
        self._state, self._stack = _State(), list[_State]()
        self._in_fonts, self._skip, self._is_optional = False, 0, False
        self._bytes = bytearray()

    def read(self) -> None:
        """Raises `ValueError` if the file ends before its group does."""
        at, is_open = 0, True
        while is_open and (token := _TOKEN.search(self._data, at)):
            at = token.end()
            if token["byte"] or token["text"]:
                self._raw(token)
                continue
            self._decode()
            if token["group"]:
                is_open = self._group(token["group"] == "{")
            elif token["word"] == "bin":
                at += int(token["number"] or 0)
            elif token["word"] or token["sign"]:
                self._control(token["word"] or token["sign"], token["number"])
        if is_open:
            raise ValueError("damaged: it ends before its last group does")
        self._hang("body", in_row=False)

    def _raw(self, token: re.Match[str]) -> None:
        data = bytes([int(token["byte"], 16)]) if token["byte"] else token["text"].encode("latin-1")
        skipped, self._skip = self._skip, max(0, self._skip - len(data))
        self._is_optional = False
        self._bytes += data[skipped:]

    def _decode(self) -> None:
        if self._bytes:
            page = self._charsets.get(self._state.font, self._page)
            self._say(self._bytes.decode(page, "replace"))
            self._bytes.clear()

    def _group(self, opens: bool) -> bool:
        """Whether the file goes on behind the brace."""
        self._skip, self._is_optional = 0, False
        if opens:
            self._stack.append(self._state)
        elif self._stack:
            self._state = self._stack.pop()
        return bool(self._stack)

    def _control(self, word: str, number: str | None) -> None:
        optional, self._is_optional = self._is_optional, word == "*"
        value = int(number) if number else None
        kind = _ALLOWED.kind_of.get(word, "drops" if optional else "")
        state = self._state
        if kind == "drops":
            self._in_fonts = word == "fonttbl"
            self._state = state._replace(gone=True)
        elif kind == "holds":
            self._state = state._replace(hidden=state.hidden | {kind})
        elif word in _FLOWS:
            self._state = state._replace(
                flow=_FLOWS[word], looks=frozenset(), hidden=state.hidden - {"holds"}, in_row=False
            )
        elif word == "u" and value is not None:
            self._say(chr(value & 0xFFFF))
            self._skip = state.skips
        elif word in _MARKS:
            self._mark(_MARKS[word])
        elif word in _SIGNS:
            self._say(_SIGNS[word])
        else:
            self._set(word, value)

    def _set(self, word: str, value: int | None) -> None:
        """Takes what a word says of the text behind it."""
        state, on = self._state, value != 0
        if word in _LOOKS:
            self._state = state._replace(looks=state.looks | {word} if on else state.looks - {word})
        elif word in _HIDES:
            hidden = state.hidden | {word} if on else state.hidden - {word}
            self._state = state._replace(hidden=hidden)
        elif word in _OFF:
            self._state = state._replace(looks=state.looks - {*_OFF[word]})
            if word == "plain":
                self._state = self._state._replace(hidden=state.hidden & {"holds"}, font=-1)
        elif word in ("intbl", "pard"):
            self._state = state._replace(in_row=word == "intbl")
        elif word == "uc":
            self._state = state._replace(skips=min(value or 0, 255))
        elif word == "f" and value is not None:
            self._state = state._replace(font=value)
        elif word == "fcharset" and self._in_fonts and value in _CHARSETS:
            self._charsets[state.font] = _CHARSETS[value]
        elif word in _PAGES:
            self._page = _PAGES[word]
        elif word == "ansicpg":
            self._page = _page(value)

    def _say(self, text: str) -> None:
        state = self._state
        text = _CONTROLS.sub("", text)
        if not text or state.gone or state.hidden:
            return
        items = self.flows[state.flow]
        last = items[-1] if items else _Item("", mark="par")
        if not last.mark and last.looks == state.looks and len(last.text) < _LONG:
            last.text += text
        else:
            items.append(_Item(text, state.looks))

    def _mark(self, mark: str) -> None:
        state = self._state
        if state.gone or (state.hidden and mark == "par"):
            return
        in_row = state.in_row or mark != "par"
        if state.flow != "note":
            self._hang(state.flow, in_row)
        mark = "par" if state.flow == "note" else mark
        self.flows[state.flow].append(_Item("", mark=mark, in_row=in_row))

    def _hang(self, flow: str, in_row: bool) -> None:
        """Puts what hangs on a paragraph behind it."""
        notes = self.flows["note"]
        while notes and notes[-1].mark:
            notes.pop()
        if notes:
            for one in notes:
                one.in_row = in_row
            self.flows[flow] += [_Item("", mark="par", in_row=in_row), *notes]
            notes.clear()


def _page(number: int | None) -> str:
    try:
        "".encode(f"cp{number}")
    except LookupError:
        return "cp1252"
    return f"cp{number}"


class _Paragraph(NamedTuple):
    """Stretches of text, and what stands behind them."""

    items: list[_Item]
    mark: str
    in_row: bool


def _paragraphs(items: Sequence[_Item]) -> Iterator[_Paragraph]:
    found: list[_Item] = []
    for one in items:
        if one.mark:
            yield _Paragraph(found, one.mark, one.in_row)
            found = []
        else:
            found.append(one)
    if found:
        yield _Paragraph(found, "par", False)


@dataclass(frozen=True, slots=True)
class Rtf:
    """The form of a note that came in a file of rich text.

    Args:
        flows: the paragraphs of headers, body and footers.
    """

    flows: tuple[tuple[str, tuple[_Paragraph, ...]], ...] = field(repr=False)
    ending: str = ".rtf"

    def pieces(self) -> tuple[str, list[tuple[int, int, str]]]:
        """The text, and which stretches of it are whose: of the cells of a row the last has no
        tab behind it.
        """
        texts, pieces, at = list[str](), list[tuple[int, int, str]](), 0
        for _, paragraphs in self.flows:
            for number, one in enumerate(paragraphs):
                for item in one.items:
                    pieces.append((at, at + len(item.text), item.text))
                    texts.append(item.text)
                    at += len(item.text)
                last = number + 1 < len(paragraphs) and paragraphs[number + 1]
                ends_row = one.mark == "cell" and last and last.mark == "row" and not last.items
                sign = "" if ends_row else "\t" if one.mark == "cell" else "\n"
                texts.append(sign)
                at += len(sign)
        return "".join(texts), pieces

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The file with the surrogates: where one crosses looks, cells or lines it stands in the
        first.
        """
        news = iter(replaced(self.pieces()[1], result.surrogates))
        out = dict[str, str]()
        for flow, paragraphs in self.flows:
            lines = [
                (p, "".join(_styled(next(news), item.looks) for item in p.items))
                for p in paragraphs
            ]
            out[flow] = "".join(_lines(lines))
        ends = [f"{{\\{flow} {out[flow]}}}\n" for flow in ("header", "footer") if out[flow]]
        return "".join((_HEAD, *ends, out["body"], "}")).encode("ascii")


def _lines(lines: Sequence[tuple[_Paragraph, str]]) -> Iterator[str]:
    """Paragraphs and rows as they are written; cells that no row ends are paragraphs."""
    row: list[tuple[str, bool]] = []
    for paragraph, text in lines:
        if paragraph.mark == "row":
            if text:
                row.append((text, True))
            yield _row(row)
            row = []
        elif paragraph.in_row:
            row.append((text, paragraph.mark == "cell"))
        else:
            yield from (f"\\pard {one}\\par\n" for one, _ in row)
            yield f"\\pard {text}\\par\n"
            row = []
    yield from (f"\\pard {one}\\par\n" for one, _ in row)


def _row(cells: Sequence[tuple[str, bool]]) -> str:
    number = sum(ends for _, ends in cells)
    if not number:
        return "".join(f"\\pard {text}\\par\n" for text, _ in cells)
    widths = "".join(f"\\cellx{_WIDTH * (at + 1) // number}" for at in range(number))
    texts = "".join(f"{text}{chr(92)}{'cell' if ends else 'par'} " for text, ends in cells)
    return f"\\trowd\\trgaph70{widths}\\pard\\intbl {texts}\\row\n"


def _styled(text: str, looks: frozenset[str]) -> str:
    signs = []
    for sign in text:
        if sign in _WRITTEN:
            signs.append(_WRITTEN[sign])
        elif " " <= sign <= "~":
            signs.append(sign)
        else:
            units = sign.encode("utf-16-le", "surrogatepass")
            codes = (
                int.from_bytes(units[at : at + 2], "little", signed=True)
                for at in range(0, len(units), 2)
            )
            signs.extend(f"\\u{code}?" for code in codes)
    words = "".join(f"\\{look}" for look in _LOOKS if look in looks)
    whole = "".join(signs)
    return f"{{{words} {whole}}}" if words and whole else whole


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a file."""
    data = file.read().lstrip(_BLANK)
    if not data.startswith(b"{\\rtf"):
        raise ValueError("no rich text (RTF)")
    reader = _Reader(data.decode("latin-1"))
    reader.read()
    for items in reader.flows.values():
        for one in items:
            one.text = one.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    flows = (
        (name, tuple(_paragraphs(reader.flows[name]))) for name in ("header", "body", "footer")
    )
    form = Rtf(tuple(flows))
    text, _ = form.pieces()
    return Row(origin.file, origin.note, Document(origin.note, text), place="file 1", form=form)
