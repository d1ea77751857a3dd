"""Measurements, which identify nobody: vital signs, results, balances, doses, in rows and grids or
with what they are counted in behind them; and numbers that are the same for everybody.

A row holds three numbers or more, and no word but what measures are called and counted in; a grid
is rows side by side, of which one is called so. Dates, times, numbers that begin with a zero or
have seven digits, and words that nobody counts with make a row none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from dpdeid.detect.grids import days
from dpdeid.detect.public_numbers import public_numbers
from dpdeid.detect.values import is_label, values
from dpdeid.document import Document
from dpdeid.french.measures import HEADS, SURE, UNITS
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

_NUMBER: Final = re.compile(
    r"(?<![\w.,/])[<>≤≥~+±−-]{0,2} ?\d{1,6}(?:[.,]\d{1,3})?(?: ?[/-] ?\d{1,3}(?:[.,]\d)?)?"
    r"(?![\d/:])"
)
_DATE: Final = re.compile(
    r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}[:hH]\d\d|(?<![\d.,])0\d"
    r"|(?<![\d.,])\d{7,}|\+\d{2,3}[ .(]{1,2}\d|\b(?:19|20)\d\d\b(?=[ \t;|]+(?:19|20)\d\d\b)"
)
"""What is no measurement: a date, a time, a zero before a digit, a long number, the code of a
country, years in a row."""
_SLIP: Final = re.compile(r"(?<![^\W_])(?!O2(?![^\W_]))(?=[lIO]{0,9}\d)[\dlIO]{2,9}(?![^\W_])")
_READ: Final = str.maketrans("lIO", "110")
"""A number in which a scanner read letters: "l87"."""
_DAY: Final = re.compile(r"(?:[12]?\d|3[01])/(?:\d|1[0-2])")
_FIRST_DAY: Final = re.compile(
    r"(?:[*•–-] |[ \t|])*(?=\d)"
    r"(?:(?:0?[1-9]|[12]\d|3[01])[./](?:0?[1-9]|1[0-2])(?:[./](?:20)?\d\d)?"
    r"|20\d\d-[01]\d-[0-3]\d|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?= \d))?[ T]?(?:(?:[01]?\d"
    r"|2[0-3])(?:[:hH][0-5]\d|[hH]))?(?=[ \t|;])"
)
"""A day or an hour that opens a row, "16.04", "12/02/24 8h30", "- 19/11 : C3"."""
_WORD: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|[°%/-](?=[^\W\d_]))*[+-]?\d{0,3}|%")
_STEP: Final = re.compile(r"[ehjmsvy][+-]?\d{1,3}")
"""An hour, day, week or month of a course, or a part of a score."""
_COLUMNS: Final = re.compile(r"\t| {2,}|[|;]|, ?(?=\D*\d)")
_APART: Final = re.compile(r"[ \t]*[|;][ \t]*|[ \t]{2,}")
_LINE: Final = re.compile(r"[^\r\n]+")
_RESULT: Final = re.compile(r"\s*OBX\|\d*\|(?:NM|SN)(?:\|[^|]*){0,5}(?:\|[A-Z]{0,2}(?![^|\s]))*")
"""An observation of HL7 v2 that is a number: its code, value, unit and reference."""
_NAMED_ROW: Final = re.compile(r"[\s|*•-]*[^\W\d_][^\W_]*[\s:|=]+[\d\s.,/+<>|;-]+")
_HOUR: Final = r"(?:[01]?\d|2[0-4])"
_COLUMN: Final = r"(?: *+\t[ \t]*+(?![|;])|[ \t]*+[|;](?:\t*+[|;])*+[ \t]*+| {2,}+)"
_HOURS: Final = re.compile(
    rf"(?<![\d.,:/])(?:{_HOUR} ?[hH](?:00)?{_COLUMN}){{2,24}}{_HOUR} ?[hH](?:00)?(?!\w)"
    r"|(?<=\|)(?: ?(?:[01]\d|2[0-4]) ?\|){3,24}"
)
"""The hours at the head of a grid of doses, to the hour: "08h | 12h | 18h", "|08|10|12|14|"."""
_CELL: Final = r"(?!0\d)\d{1,5}(?:[.,]\d{1,2})?(?: ?/ ?\d{1,3})?"
_CELLS: Final = rf"(?P<numbers>{_CELL}(?:{_COLUMN}{_CELL}){{%s,24}})(?=[ \t|;]*(?:\r?\n|\Z))"
_UNDER: Final = re.compile(
    rf"[ \t|;]*\r?\n[ \t|;]*(?:(?P<called>[^\W\d_][^\n|;\t\d]{{0,24}}?){_COLUMN})?{_CELLS % 1}"
)
"""A row of numbers under a row of hours."""
_HOURLY: Final = re.compile(
    rf"(?m)^[ \t|]*(?:(?:[01]?\d|2[0-3]) ?(?:[hH](?:[0-5]\d)?|:[0-5]\d){_COLUMN}"
    rf"|J ?\+?\d{{1,2}}[ \t|:]{{1,9}}){_CELLS % 0}"
)
"""An hour or a day of a course and nothing but numbers behind it: "15h00 | 3980", "J2 3290"."""
_FIRST: Final = r"[<>~+-]?(?!0\d)\d{1,4}(?:[.,]\d{1,2})?(?:/\d{1,3})?(?![\w:/.,])"
_LED: Final = re.compile(
    rf"(?m)^[ \t|]*(?:[01]?\d|2[0-3])[:hH][0-5]\d[ \t|;]{{1,9}}(?P<numbers>{_FIRST}"
    rf"(?:[ \t|;]{{1,9}}{_FIRST}){{3,24}})(?=[ \t|;])"
)
"""An hour and four numbers or more, before words too: "08:47  84/49  104 -198 160  malaise"."""
_WIDEST: Final = 240
_SOMEBODYS: Final = re.compile(
    r"(?<![^\W_])(?:ipp|nip|nda|iep|nir|nss|avs|niss|rpps|adeli|finess|secu|dossier|sejour|passage"
    r"|chambre|ch|lit|box|uf|tel|telephone|poste|matricule|num|numero|n°|id|code|cp|patiente?|nom"
    r"|bon|lot|ide|visa|agent|medecin)(?![^\W_])"
)
"""Heads of columns whose numbers are somebody's or of a place."""
_TIMES: Final = frozenset(["heure", "heures", "h", "date", "dates", "jour", "jours", "j"])
"""Heads of columns of days and hours."""
_FEW: Final = 3
_COUNT: Final = r"(?:\d{1,3}(?:[ .]\d{3}){1,3}|\d{1,9})(?:[.,]\d{1,3})?"
_SEPARATOR: Final = re.compile(r"[|;\t]")
_OPENS: Final = re.compile(r"[ \t]{0,40}\r?\n[ \t]{0,40}\d")
"""A next line that opens with a digit."""
_ONE_WORD: Final = re.compile(r"[^\W_]{1,12}\.?")
_BY_GAPS: Final = re.compile(r"\S+(?: \S+)*")
_BY_BLANKS: Final = re.compile(r"\S+")
_ONE: Final = r"[<>≤≥~+-]? ?(?!0\d)\d{1,6}(?:[.,]\d{1,2})?"
_CELL_OF_NUMBERS: Final = re.compile(rf"{_ONE}(?:/{_ONE})?(?:-{_ONE}(?:/{_ONE})?)?")
"""A number, or two of them before and after: "110/61-118/64", "36.8/37.0"."""
_PER_VOLUME: Final = (
    r"(?:(?:[mkµu]?ui|[munpkµ]?g|[mnpµu]?mol|m?eq|copies|[ée]l[ée]m(?:ents?)?|cellules|cell|u)"
    r" ?)?/ ?(?:mm ?[3³]|[mdµu]?l)\b"
)
_LIMITS: Final = r"\d{1,4}(?:[.,]\d{1,3})? ?[-–] ?\d{1,4}(?:[.,]\d{1,3})?"
_QUANTITY: Final = re.compile(
    rf"(?i)(?<![\w.,/-])(?:\d{{1,6}}[-–])?{_COUNT}[ \t]?"
    rf"(?:{_PER_VOLUME}(?: ?\( ?{_LIMITS} ?\))?|gy\b|gauges?\b)"
)
"""A number with a unit per volume, of rays or of needles behind it: "120 000/mm3", "2Gy"."""
_RANGE: Final = re.compile(rf"\b(?:(?:VN|[Nn]ormales?) ?[:=]|N ?=) ?{_LIMITS}(?![\d/-])")
"""What is normal: "N = 67-200", "VN: 4.04-15.20"."""
_FORMULA: Final = re.compile(r"\bG\d{1,2} ?P\d{1,4}\b|\b4[5-7] ?,? ?X{1,3}Y{0,2}\b")
"""Pregnancies and births ("G6P3023"), and a karyotype."""
_DILUTION: Final = re.compile(
    r"(?i)\b(?:xylo|lido|adr[ée]na|artica|dilu|au titre|titre [àa:]|anticorps|aan\b)[^\n;,°]{0,24}?"
    r"(?<![\w/.,])(1 ?[/:] ?(?!2000\b)(?:\d{1,3}[ .]?000|[1248]0{1,2}|160|320|640|1280|2560|5120))"
    r"(?![\d/])"
)
"""A dilution or a titre, behind what has one: "Xylocaïne 1/200 000", "titre 1:1280"."""
_GROUP: Final = re.compile(
    r"(?:(?<=[\s|;,:(])|\A)(?:AB|[ABO])[+-](?=[\s|;,.)]|\Z)"
    r"|\b[Gg](?:r|roupe(?: sanguin)?|S)\.? ?:? ?(?:AB|[ABO])(?!\w|[.'-]\w)"
)
"""A blood group, with its rhesus factor or told as a group: "O+", "Gr AB"."""
_CODED: Final = re.compile(
    r"(?<![\w.-])(?:[A-TV-Z]\d\d\.\d{1,2}|\d\d[CKMZ]\d\d[1-4A-EJTZ]?"
    r"|(?<!lot )(?<!LOT )(?<![nN]° )(?<!ref )(?<!r[ée]f )(?<!: )[A-Z]{4}\d{3})(?![\w/-]|\.\d)"
)
"""A disease, a group of stays or an act by its code: "I50.1", "04M05", "NEKA020"."""
_FLOW: Final = re.compile(
    r"(?i)\b(?:o2|oxyg[èe]ne) \d{1,2}(?:[.,]\d)? ?l(?:/ ?min)? (?:lun|mhc|masque)\b\.?"
    r"|\b(?:o2|oxyg[èe]ne|lun(?:ettes?)?|mhc|masque)(?:[ .:]{1,3}(?:lun(?:ettes?)?|mhc|masque))?"
    r"[ .:]{0,3}(?:[àa] )?\d{1,2}(?:[.,]\d)? ?l(?:/ ?min|itres?)?(?![\w/])"
)
"""A flow of oxygen: "O2 lun. 2 l", where "lun." is no Monday."""
_GAUGE: Final = re.compile(
    r"(?i)\b(?:sv|sad|sng|sondes?|v[ée]sicale|drain|foley|redon|cath[ée]ter|replogle|salem|kehr"
    r"|pezzer|blake|escat|pigtail|double[ -]j|bouton|canule|kt|trocart)\b[^.;\n\d]{0,24}?"
    r"\bch(?:arri[èe]res?)?\.? {0,2}\d{1,2}(?![\w/])"
)
"""The size of a tube: "SV (ch 14)", which is no room."""
_GAS: Final = re.compile(
    r"(?<![\d.,/])[67][.,]\d{1,2} ?/ ?\d{1,3}(?:[.,]\d)? ?/ ?\d{1,3}(?:[.,]\d)?(?![\d/])"
)
"""A blood gas: "7,31/55/96"."""
_ALLELES: Final = re.compile(
    r"\b(?:HLA[- ]?)?(?:[ABC]|Cw|D[RQP][AB]?\d?)(?:\*| ?(?=\d\d:\d\d[ ,/]{1,3}\d\d:))\d\d:\d\d\d?"
    r"(?::\d\d)?(?:[ ,/]{1,3}\d\d:\d\d\d?(?![\d:]))?|\*\d\d:\d\d\d?(?![\d:])"
    r"|(?<![\d:.])(?:\d\d:\d\d[ ,/|]{1,3}){0,9}(?:24:(?!00)|2[5-9]:|[3-9]\d:)\d\d"
    r"(?:[ ,/|]{1,3}\d\d:\d\d){0,9}(?![\d:])"
)
"""Alleles of tissues, "A*02:01", and what stands beside one that can be no hour, "01:01 44:02"."""
_TYPED: Final = re.compile(r"\bHLA\b|\bD[RQP]B1\b")
_PAIR: Final = re.compile(r"(?<![\d:])\d\d:(?!00)[0-4]\d[ ,/]{1,3}\d\d:(?!00)[0-4]\d(?![\d:])")
"""Where tissues are typed, and two alleles there that could be hours: "15:01 04:01"."""

_FLAGGED: Final = re.compile(
    r"(?<![\w/:.,-])(?<!\b[àaÀA] )[<>]?\d{1,4}[.,]\d{1,3} ?(?:HH?|LL?)(?![\w'.-]|[ ]\d\d(?!\d))"
)
"""A result with the flag of what is high or low, which is no hour: "70,4 H", "6.2H"."""

_FORMS: Final = (
    _FLAGGED, _QUANTITY, _RANGE, _FORMULA, _DILUTION, _GROUP, _FLOW, _GAUGE, _CODED, _GAS, _ALLELES,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Row:
    """A line: where its numbers begin and end, how many there are, and whether it is called so."""

    start: int
    end: int
    count: int
    named: bool
    heads: int
    unknown: int
    days: bool


@lru_cache(maxsize=8)  # the merge asks, and the net again
def measured(doc: Document) -> frozenset[int]:
    """The tokens of a note that are measurements, or what these are called."""
    lines = [line.span() for line in _LINE.finditer(doc.text)]
    rows = [_row(doc.text, *line) for line in lines]
    forms = (*_FORMS, _PAIR) if _TYPED.search(doc.text) else _FORMS
    told = chain.from_iterable(form.finditer(doc.text) for form in forms)
    found = [doc.tokens.over(*match.span(match.lastindex or 0)) for match in told]
    places = chain(_hours(doc.text), _under_heads(doc.text), public_numbers(doc.text), values(doc))
    found += [doc.tokens.over(*place) for place in places]
    found += [
        doc.tokens.over(*part)
        for line, row in zip(lines, rows, strict=True)
        if row is None
        for part in _named(doc.text, *line)
    ]
    for block in _blocks(rows):
        if _is_of_people(doc.text, block):
            continue
        called = any(row.named for row in block) or any(row.heads >= _FEW - 1 for row in block)
        for row in block:
            alone = row.named and not row.unknown
            grid = called and len(block) > 1 and row.unknown <= 1 and not row.days
            if (row.count and (alone or grid)) or (called and not row.unknown):
                found.append(doc.tokens.over(row.start, row.end))
            elif row.count and called:
                bare = _numbers_alone(doc.text, row) if len(block) > 1 else ()
                named = _named(doc.text, row.start, row.end)
                found += (doc.tokens.over(*cell) for cell in (*bare, *named))
    opening = [doc.tokens.over(*day) for day in days(doc.text)]
    return frozenset(chain.from_iterable(found)).difference(*opening)


def _is_of_people(text: str, block: Sequence[_Row]) -> bool:
    """Whether the line above the first numbers heads a column of somebody's, "IPP | TA | FC", and
    tells no day or hour itself.
    """
    begins = text.rfind("\n", 0, next(row.start for row in block if row.count)) + 1
    above = text[max(0, begins - _WIDEST) : begins].rstrip("\r\n").rpartition("\n")[2]
    headed = not block[0].count or _APART.search(above.strip()) is not None
    heads = headed and not _DATE.search(above)
    return heads and _SOMEBODYS.search(fold(above)) is not None


def _hours(text: str) -> Iterator[tuple[int, int]]:
    """The hours at the heads of grids, which rise, or begin again after midnight, and the rows of
    numbers under them; and those of the rows that each open with an hour.
    """
    for row in _HOURS.finditer(text):
        hours = [int(hour) for hour in re.findall(r"\d+(?=\D|\Z)", row[0].replace("h00", "h"))]
        falls = sum(b <= a for a, b in pairwise(hours))
        if len(hours) >= _FEW and (not falls or (falls == 1 and hours[0] > hours[-1])):
            yield row.span()
            line = _UNDER.match(text, row.end())
            while line and not _SOMEBODYS.search(fold(line["called"] or "")):
                yield line.span("numbers")
                line = _UNDER.match(text, line.end())
    led = [*_LED.finditer(text)]
    if len(led) >= _FEW and not _is_below_somebodys(text, led[0].start()):
        yield from (row.span("numbers") for row in led)
    hourly = [*_HOURLY.finditer(text)]
    beside = [not text[a.end() : b.start()].strip(" |;\r\n") for a, b in pairwise(hourly)]
    opens = False
    for at, row in enumerate(hourly):
        before, after = at > 0 and beside[at - 1], at < len(beside) and beside[at]
        if not before:
            opens = not _is_below_somebodys(text, row.start())
        if opens and (before or after):
            yield row.span("numbers")


def _is_below_somebodys(text: str, start: int) -> bool:
    """Whether the line above heads a column of somebody's: "Heure | IPP | TA"."""
    above = text[max(0, start - _WIDEST) : start].rstrip().rpartition("\n")[2]
    return _SOMEBODYS.search(fold(above)) is not None


def _under_heads(text: str) -> Iterator[tuple[int, int]]:
    """The numbers in the columns of a table that are called as measures are, if two are, and the
    heads of a word behind the first column.
    """
    measured, separator, width = frozenset[int](), "", 0
    for found in _LINE.finditer(text):
        line = found[0]
        cells = _cells(line, separator, found.start()) if separator else []
        if measured and len(cells) == width:
            yield from (
                (start, end)
                for number, (start, end) in enumerate(cells)
                if number in measured and _CELL_OF_NUMBERS.fullmatch(text, start, end)
            )
            continue
        measured, separator = frozenset(), ""
        if (mark := _SEPARATOR.search(line)) is not None:
            separator = mark[0]
        elif _OPENS.match(text, found.end()):
            separator = "  " if "  " in line.strip() else " "
        elif len(gaps := _BY_GAPS.findall(line)) >= _FEW:
            below = _LINE.match(text, found.end() + 1)
            separator = "  " if below and len(_BY_GAPS.findall(below[0])) == len(gaps) else ""
        if not separator or _DATE.search(line):
            continue
        cells = _cells(line, separator, found.start())
        called = frozenset(n for n, cell in enumerate(cells) if _is_called(text[slice(*cell)]))
        timed = [fold(text[slice(*cell)]).rstrip(".") in _TIMES for cell in cells]
        if len(called) >= _FEW - 1 or (called and any(timed) and len(cells) == sum(timed) + 1):
            counted = (n for n, cell in enumerate(cells) if _is_dosed(text[slice(*cell)]))
            measured, width = called.union(counted), len(cells)
            if separator == " " and len(measured) + sum(timed) < width:
                measured = frozenset()  # words of a sentence
            if len(measured) >= _FEW - 1:
                yield from (cell for cell in cells[1:] if _ONE_WORD.fullmatch(text, *cell))


def _cells(line: str, separator: str, start: int) -> list[tuple[int, int]]:
    """Where the cells of a line stand, blanks left out."""
    if separator.isspace() and separator != "\t":
        form = _BY_BLANKS if separator == " " else _BY_GAPS
        return [(start + cell.start(), start + cell.end()) for cell in form.finditer(line)]
    cells = []
    for cell in line.split(separator):
        bare = cell.strip()
        at = start + cell.index(bare) if bare else start
        cells.append((at, at + len(bare)))
        start += len(cell) + 1
    return cells


def _is_called(cell: str) -> bool:
    """Whether a cell is what a measure is called, alone or before what it is counted in."""
    words = [fold(word[0]).rstrip(".:") for word in _WORD.finditer(cell)]
    return bool(words) and words[0] in SURE and (len(words[0]) > 1 or "°" in cell)


def _is_dosed(cell: str) -> bool:
    """Whether a cell beside such is a drug, or a measure that is a word as well: "Lantus"."""
    words = [fold(word[0]).rstrip(".:") for word in _WORD.finditer(cell)]
    return (
        bool(words)
        and (is_label(words[0]) or words[0] in HEADS)
        and not _SOMEBODYS.search(words[0])
    )


def _parts(text: str, start: int, end: int) -> Iterator[_Row]:
    """What stands apart on a line and is a row."""
    gaps = [*_APART.finditer(text, start, end)]
    for gap in (*gaps, None) if gaps else ():  # of one part the line itself was asked
        if row := _row(text, start, gap.start() if gap else end):
            yield row
        start = gap.end() if gap else end


def _named(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands apart on a line and tells a measure by its name: "|CL 101|"."""
    for part in _parts(text, start, end):
        if part.named and part.count and not part.unknown:
            yield part.start, part.end


def _numbers_alone(text: str, row: _Row) -> Sequence[tuple[int, int]]:
    """The cells of a row that hold a number alone, if they are three and half of all or more."""
    gaps = [gap.span() for gap in _COLUMNS.finditer(text, row.start, row.end)]
    starts, ends = [row.start, *(end for _, end in gaps)], [*(start for start, _ in gaps), row.end]
    cells = [(a, b) for a, b in zip(starts, ends, strict=True) if text[a:b].strip(' "')]
    numbers = [(a, b) for a, b in cells if _NUMBER.fullmatch(text[a:b].strip(' "'))]
    is_grid = len(numbers) >= max(_FEW, len(cells) / 2) and row.unknown <= _FEW
    return numbers if is_grid else ()


def _used(word: str) -> tuple[bool, bool, bool]:
    """Whether a word may head measurements, whether these may be counted in it, and whether it
    stands before nothing else.
    """
    word = fold(word).rstrip(".:")
    head, long = word in HEADS, len(word) > 1
    counted = head or word in UNITS or _STEP.fullmatch(word) is not None
    return head and long, counted, long and word in SURE


_WORDS: Final = Memo(_used)


def _blocks(rows: Sequence[_Row | None]) -> Iterator[Sequence[_Row]]:
    """Rows that follow each other without another line between; the line above belongs to them."""
    block: list[_Row] = []
    for row in (*rows, None):
        if row is None or (not row.count and not row.heads):
            if any(one.count for one in block):
                yield block
            block = []
        else:
            block.append(row)


def _row(text: str, start: int, end: int) -> _Row | None:
    """A line as a row, or as the heads of some; None if it is neither."""
    if day := _FIRST_DAY.match(text, start, end):
        start = day.end()
    line = _SLIP.sub(lambda slip: slip[0].translate(_READ), text[start:end])
    if result := _RESULT.match(line):
        last = start + result.end()
        return _Row(start, last, _FEW, named=True, heads=0, unknown=0, days=False)
    if _DATE.search(line):
        return None
    numbers = [*_NUMBER.finditer(line)]
    words = [_WORDS[word] for word in _WORD.findall(_NUMBER.sub(" ", line))]
    heads = sum(head for head, _, _ in words)
    unknown = sum(not counted for _, counted, _ in words)
    signed = re.search(r"[^\W\d_]\s*(?:[|;]|\Z)", line)  # perhaps by initials that are a unit
    unknown += 2 * bool(day and words and (unknown or signed))
    days = bool(numbers) and all(_DAY.fullmatch(m[0].strip()) for m in numbers)
    told = _Row(start, end, len(numbers), heads > 0, heads, unknown, days)
    if len(numbers) >= _FEW:
        columns = len(_COLUMNS.findall(line.strip(" \t|")))
        is_row = not unknown or columns >= len(numbers) or _NAMED_ROW.fullmatch(line)
        return told if is_row else None
    strong = sum(strong for _, _, strong in words)
    if numbers and not unknown and strong >= len(numbers) and not days:
        return told
    return replace(told, count=0, named=False) if heads and unknown <= heads else None
