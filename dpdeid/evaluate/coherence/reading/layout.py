"""Forms, tables and messages written as lines "label : value", with the way back to the raw text.

One layout for all readers: dot leaders and padding before a colon go, a cell gets the name of its
column, a field of an HL7 message that of its place, boxes that are not ticked go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dpdeid.evaluate.coherence.cues import cue, table
from dpdeid.evaluate.coherence.reading.flat import Piece, flat, spliced
from dpdeid.evaluate.coherence.reading.spoken import WORD, typed
from dpdeid.french import numerals
from dpdeid.normalize import Clean

_LEADER: Final = re.compile(
    r"(?<=[^\W_]|[)°.'])[ \t]?(?:\.{4,}[ \t]?:?|[.…]{2,4}[ \t]?:|…{2,}[ \t]?:?|_{3,}[ \t]?:?"
    r"|[ \t]{2,30}:)[ \t]{0,30}(?=\S)"
)
_BOX: Final = re.compile(r"(?:[☐□]|\[ ?\]) ?\w+\.?|(?:[☒☑■]|\[[xX]\]) ?")
_BOXED: Final = re.compile(r"(?i)\b(?:sexe|civilité|genre|titre)\b.{0,6}(?:[☐□☒☑■]|\[[ xX]?\])")
_SEGMENT: Final = re.compile(r"[A-Z][A-Z0-9]{2}\|")
_STAMP: Final = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?:\d{4}|\d{6})?")
_LABELS: Final = {
    (name, int(at)): label for kind, name, at, label in table("labels") if kind == "field"
}
_KIN: Final = {code: label for kind, code, _, label in table("labels") if kind == "kin"}
_COLUMN: Final = re.compile(f"(?:{cue('columns')})")


def lines(plain: Clean) -> Clean:
    """The copy of a note in one layout; the same where there is nothing to change."""
    laid = _rewritten(plain, [one for block in _blocks(plain.text) for one in block])
    for step in (_keyed, _squeezed, typed, _counted):
        laid = _rewritten(laid, list(spliced(laid.text, step(laid.text))))
    return laid


def _rewritten(plain: Clean, pieces: list[Piece]) -> Clean:
    """The copy with pieces in place of its text."""
    if all(shown == plain.text[a:b] for shown, a, b in pieces):
        return plain
    out, starts, ends = [], list[int](), list[int]()
    for shown, a, b in pieces:
        out.append(shown)
        copied = len(shown) == b - a
        starts += range(a, b) if copied else [a] * len(shown)
        ends += range(a + 1, b + 1) if copied else [b] * len(shown)
    if plain.starts is not None and plain.ends is not None:
        first, last = plain.starts, plain.ends
        starts, ends = [first[at] for at in starts], [last[at - 1] if at else 0 for at in ends]
    return Clean("".join(out), starts, ends)


_KEYED: Final = re.compile(
    r"(?:(?<=[|:] )|(?<=\|))(?P<k>[A-Za-zÀ-ü][\w' -]{1,24})="
    r"(?:(?P<d>\d{8})(?: ?(?P<t>\d{4}))?(?=[|\s]|$))?(?=\S?)"
)
_KEYS: Final = {key: label for kind, key, _, label in table("labels") if kind == "key"}


def _keyed(text: str) -> Iterator[tuple[int, int, str]]:
    """ "|ADMIT=20240611" as "|Entrée le : 11/06/2024"."""
    for match in _KEYED.finditer(text):
        yield match.start(), match.end("k") + 1, f"{_KEYS.get(match['k'], match['k'])} : "
        if day := match["d"]:
            time = f" à {match['t'][:2]}h{match['t'][2:]}" if match["t"] else ""
            yield match.start("d"), match.end(), f"{day[6:]}/{day[4:6]}/{day[:4]}{time}"


_PADDING: Final = re.compile(r"(?<=\S) {2,}(?=\|)|(?<=\|) {2,}(?=\S)|(?<= : ) +(?=\S)")


def _squeezed(text: str) -> Iterator[tuple[int, int, str]]:
    """One space beside bars."""
    for match in _PADDING.finditer(text):
        bar = "|" in text[match.start() - 1] + text[match.end() : match.end() + 1]
        yield *match.span(), " " if bar else ""


_COUNTED: Final = re.compile(
    rf"(?<![\w-])(?P<n>(?:{WORD})(?:[ -](?:et[ -])?(?:{WORD})){{0,5}})"
    r"(?= (?:ans?|annees?|mois|semaines?|jours?|heures?|minutes?|h|min)\b)"
    rf"|(?<=\bheures )(?P<m>(?:{WORD})(?:[ -](?:et[ -])?(?:{WORD})){{0,2}})(?![\w'-])"
)


def _counted(text: str) -> Iterator[tuple[int, int, str]]:
    """Digits for numbers in words before a unit of time."""
    for match in _COUNTED.finditer(flat(text)):
        words = re.split("[ -]", (match["n"] or match["m"]).replace("une", "un"))
        if (number := numerals.read(words)) is not None:
            yield *match.span(), str(number)


def _blocks(text: str) -> Iterator[list[Piece]]:
    """Pieces line by line; rows of a table together."""
    rows: list[tuple[int, int]] = []
    done = 0
    for line in text.splitlines(keepends=True):
        start, done = done, done + len(line)
        sign = _cells_by(line)
        if rows and sign != _cells_by(text[slice(*rows[0])]):
            yield _table(text, rows)
            rows = []
        if sign:
            rows.append((start, done))
        elif _SEGMENT.match(line):
            yield list(_segment(text, start, done))
        else:
            yield list(_line(text, start, done))
    if rows:
        yield _table(text, rows)


def _cells_by(line: str) -> str:
    """What parts the cells of a line, "" if it is not of a table."""
    if _SEGMENT.match(line):
        return ""
    return next(
        (s for s, least in (("|", 1), ("\t", 1), (";", 2)) if line.strip().count(s) >= least), ""
    )


def _line(text: str, start: int, end: int) -> Iterator[Piece]:
    form = _BOX if _BOXED.search(text, start, end) else _LEADER
    for match in form.finditer(text, start, end):
        yield text[start : match.start()], start, match.start()
        yield "" if form is _BOX else " : ", *match.span()
        start = match.end()
    yield text[start:end], start, end


def _table(text: str, rows: list[tuple[int, int]]) -> list[Piece]:
    """Rows whose cells bear the names of the first one's, or two columns of labels and values."""
    sign = _cells_by(text[slice(*rows[0])])
    cut = [_cells(text, start, end, sign) for start, end in rows]
    head = [text[slice(*cell)].strip(" *") for cell in cut[0]]
    known = sum(bool(_COLUMN.match(flat(name))) for name in head)
    pieces: list[Piece] = []
    columns = len(rows) > 1 and known > 1 and known * 3 >= len(head) and len({*map(len, cut)}) <= 2
    columns = columns and sum(map(bool, head)) > 1 and not any(map(_is_value, head))
    columns = columns and not any(re.search(r"\w ?:", name) for name in head)
    if columns and len(head) == 2:
        columns = not any(_COLUMN.match(flat(text[slice(*row[0])].strip(" *"))) for row in cut[1:])
    if columns:  # each cell has its name
        pieces.append(("\n", *rows[0]))
    for (start, end), cells in list(zip(rows, cut, strict=True))[columns:]:
        first = text[slice(*cells[0])].strip(" *") if cells else ""
        done = start
        for at, cell in enumerate(cells):
            named = columns and at < len(head) and bool(head[at])
            named = named and any(map(str.isalnum, text[slice(*cell)]))
            if named and cell[0] > start:
                pieces += [
                    (text[done : cell[0]], done, cell[0]),
                    (f" {head[at]} : ", cell[0] - 1, cell[0]),
                ]
                done = cell[0]
                while done < cell[1] and text[done] == " ":
                    done += 1
            elif named:
                pieces.append((f"{head[at]} : ", start, start))
        if not columns and len(cells) == 2 and sign != ";" and _COLUMN.match(flat(first)):
            bar = text.index(sign, cells[0][1])
            pieces += [
                (text[done:bar].rstrip(), done, len(text[:bar].rstrip())),
                (" :", bar, bar + 1),
            ]
            done = bar + 1
        pieces.append((text[done:end], done, end))
    return pieces


def _is_value(cell: str) -> bool:
    """Whether a cell of a first row is no name of a column: a date, a number or a code."""
    return bool(re.match(r"[\d(+]|.*\d{5}", cell)) or cell in ("F", "M")


def _cells(text: str, start: int, end: int, sign: str) -> list[tuple[int, int]]:
    """The stretches of the cells of a row, without those outside the bars."""
    line = text[start:end].rstrip()
    marks = [start + at for at, one in enumerate(line) if one == sign]
    edges = [start - 1, *marks, start + len(line)]
    cells = [(a + 1, b) for a, b in pairwise(edges)]
    if sign == "|" and cells and not text[slice(*cells[0])].strip():
        cells = cells[1:]
    if sign == "|" and cells and not text[slice(*cells[-1])].strip():
        cells = cells[:-1]
    return cells


def _segment(text: str, start: int, end: int) -> Iterator[Piece]:
    """A segment of an HL7 message: its fields with their names, those that say nothing left out."""
    fields = _split(text, start, len(text[start:end].rstrip("\n")) + start, "|")
    kind = text[slice(*fields[0])]
    yield text[slice(*fields[0])], *fields[0]
    for number, (begin, stop) in enumerate(fields[1:], 2 if kind == "MSH" else 1):
        if begin == stop or (
            kind == "OBX" and number not in (3, 5) and " " not in text[begin:stop]
        ):
            continue
        label = _LABELS.get((kind, number), "")
        stamp = _STAMP.fullmatch(text[begin:stop])
        if label == "Date" or kind == "OBR":
            label = "Date" if stamp else ""
        if kind == "NK1" and number == 2 and len(fields) > 3:
            word = text[slice(*fields[3])].split("^")[0]
            label = _KIN.get(word.upper(), word.capitalize())
        for repeat in _split(text, begin, stop, "~"):
            yield (" : " if kind == "OBX" and number == 5 else " | "), begin - 1, begin
            yield from _field(text, *repeat, kind, number, label)
    yield "\n" if text[end - 1] == "\n" else "", end - 1, end


_TITLE: Final = re.compile(r"M\.?|Mr|Mme|Mlle|Monsieur|Madame|Dr|Pr")


def _field(text: str, begin: int, stop: int, kind: str, number: int, label: str) -> Iterator[Piece]:
    parts = _split(text, begin, stop, "^")
    words = [text[slice(*part)] for part in parts]
    if kind == "PID" and number == 3:
        label = next((w for w in words[1:] if re.match(r"NIR|INS|NISS|AVS", w)), "IPP")
        parts, words = parts[:1], words[:1]
    named = {}
    if (kind, number) == ("PID", 11):
        named = {2: "Ville", 3: "Canton", 4: "CP"}
    elif len(words) in (5, 6) and _TITLE.fullmatch(words[-1]):
        named = {len(words) - 1: "Civilité"}
    if label:
        yield f"{label} : ", begin, begin
    first = True
    for at, part in enumerate(parts):
        if not words[at]:
            continue
        if not first:
            gap = f" | {named[at]} : " if at in named else " " if number in (2, 5) else ", "
            yield gap, part[0] - 1, part[0]
        elif at in named:
            yield f"{named[at]} : ", part[0], part[0]
        first = False
        if stamp := _STAMP.fullmatch(words[at]):
            yield f"{stamp[3]}/{stamp[2]}/{stamp[1]}", *part
        else:
            yield words[at], *part


def _split(text: str, start: int, end: int, sign: str) -> list[tuple[int, int]]:
    out = []
    while (stop := text.find(sign, start, end)) >= 0:
        out.append((start, stop))
        start = stop + 1
    return [*out, (start, end)]
