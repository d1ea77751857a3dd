"""Codes and numbers: whether what a row matched is one, and those that no row explains.

A telephone number is believed by its form (ten digits from a 0, +33, 418 555-1234) or, in short
forms, by the word before it ("poste 4512"). Emergency and help lines are no contact of anybody.
Whether a number is real is not asked: numbering plans change, and typists err.

Where a code's own words do not say whose it is ("n°", "réf.", "dossier" or nothing), the nearest
word before it on its line decides, then the words after it; codes of one form in one note are of
one kind, so that those with a cue tell for those without.
"""

from __future__ import annotations

import ipaddress
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress
from typing import Final

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.fragments import folded, pattern
from dpdeid.detect.rules.table import words
from dpdeid.document import Document, Span
from dpdeid.french import check_digits as checks
from dpdeid.french.letters.abbreviations import DOTTED, LISTED
from dpdeid.labels import Label
from dpdeid.normalize import fold

_PUBLIC: Final = words(
    "15 17 18 100 101 102 103 105 106 107 110 112 113 114 115 116 117 118 119 143 144 145 147 191"
    " 196 197 811 911 988 1199 1414 1733 3114 3117 3133 3624 3646 3919 3939 3977 116000 116111"
    " 116117 116123"
)
_NUMBER: Final = re.compile(r"\d+")
_JOINTS: Final = (".", "-", "/")
_INSIDE_NUMBER: Final = re.compile(r"\d[.\-]$|(?<!\d[ .\-]\d)(?<!\d{5})\d/$")


def _groups(match: re.Match[str]) -> list[str]:
    return _NUMBER.findall(match[match.lastgroup or 0])


def phone_form(match: re.Match[str]) -> bool:
    """A number by form alone is no date, no range of dates, no row of a table."""
    groups = _groups(match)
    start = match.start()
    if len(groups) > 8 or (
        match.string[start - 1 : start] in _JOINTS
        and _INSIDE_NUMBER.search(match.string[max(0, start - 8) : start])
    ):
        return False
    digits = "".join(groups)
    if len(set(digits)) < 3 and len(groups) > 1:
        return False
    marks = [gap.strip() for gap in _NUMBER.split(match[match.lastgroup or 0])[1:-1]]
    sizes = [*map(len, groups)]
    if sizes == [4, 4, 2] or (sizes[0] == 6 and len(sizes) > 1):
        return False  # a bar code, a number before a date
    if 1 in sizes[1:] and any(marks[1:]) and digits[:2] != "00":
        return False
    if sizes == [sizes[0]] * 5:
        return len(set(marks[1:])) == 1
    if marks[:1] == ["/"] and groups[1][:2] in ("19", "20") and len(groups[1]) == 4:
        return False
    dated = [len(g) for g in groups[:3]] in ([2, 2, 4], [1, 2, 4], [2, 2, 2])
    return not (dated and marks[0] in ("/", ".", "-") and marks[0] == marks[1])


def personal_phone(match: re.Match[str]) -> bool:
    """A short number after its word is no help line, year or date."""
    digits = "".join(_groups(match))
    if digits in _PUBLIC or (len(digits) == 4 and "1950" <= digits <= "2049"):
        return False
    return len(digits) >= 3


def network_address(match: re.Match[str]) -> bool:
    """An address, and not a version number or a numbered heading."""
    value = match["IP"]
    if re.search(r"\.\Z|[\d:]:\Z", match.string[max(0, match.start() - 2) : match.start()]):
        return False
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return ":" in value or any(len(g) == 3 for g in value.split(".")) or value.startswith("10.")


DATE: Final = re.compile(
    r"(?:\d{1,2}(?:[/.]\d{1,2}){0,2}-)?\d{1,2}[/.\-]\d{1,2}(?:[/.\-](?:19|20)?\d\d)?"
    r"|(?:19|20)\d\d[/.\-]\d{1,2}(?:[/.\-]\d{1,2}(?:T\d\d)?)?"
    r"|\d{1,2}[\-./ ](?:\d\d|[A-Z]{1,4})[\-./ ](?:19|20)\d\d"
    r"|(?:0?[1-9]|1[0-2])[/.\-](?:19|20)\d\d|\d{1,2}[hH:]\d{0,2}"
)
PHONE: Final = re.compile(r"0[1-9]\d{8}")
_SPACED_PHONE: Final = r"0\d(?P<gap>[ .\-])\d\d(?:(?P=gap)\d\d){3}|0\d{2}[ /.]\d{3}[ .]\d\d[ .]\d\d"
_ORDINAL: Final = r"[A-Z]?\d{1,2}(?:er|[eè]me|e|nd|re)|[JTLGPC]\d{1,2}"
_MEASURE: Final = r"(?:[A-Z]{1,3} ?)?\d{1,3}[/.,]\d{1,2}|\d{1,3} \d{1,3}|\d{1,3}(?: 000)+"
_DOSE: Final = r"\d{1,4} ?(?:m?g|ml|mcg|[Uu][Ii]|cp)\b.*"
_HOURS: Final = r"[A-Z]{1,3} \d{1,3} ?[hHjJ]\d{0,2}"
_STAGE: Final = r"[cpy]{0,2}T[0-4X][a-d]?N[0-3X][a-c]?(?:M[01X][a-c]?)?"
_REPEATED: Final = r"(?P<digit>\d)(?P=digit)*"
_ANALYTE: Final = (
    r"(?i:ggt|crp|cp?k|ldh|(?:nt-?pro)?bnp|plq|plt|asat|alat|sgot|sgpt|pal|tsh|psa|hb|gb|gr|vgm|dfg"
    r"|pct|ace|afp|lipase|tropo(?:nine)?|d-dim[èe]res|ferritine|cr[ée]at?|ur[ée]e|na|cl|ca|qtc?|fc|sat"
    r"|spo2|uf|qb|qd) ?\d{1,5}"
)
_NO_CODE: Final = re.compile(
    f"{_ANALYTE}|{DATE.pattern}|{_SPACED_PHONE}|{_ORDINAL}|{_MEASURE}|{_DOSE}|{_HOURS}|{_STAGE}|{_REPEATED}"
)
_MARK_BEFORE: Final = re.compile(
    r"(?i)(?:n(?:[°ºo]|um[ée]ro|&deg;|&#176;)|#|\bid|r[ée]f\.?)[ .:]{0,3}(?:d[eu' ]{0,3}|l'|s)?\s?$"
)
_LAW: Final = re.compile(
    r"(?i)\b(?:lois?|organique|d[ée]cret|ordonnance|r[èe]glement|\((?:UE|CE|CEE)\)|directive)[\sn°º]*$"
)


def _first(match: re.Match[str]) -> str:
    return next(iter(match.re.groupindex))


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def evident_code(match: re.Match[str]) -> bool:
    """After a word that only identifiers follow: no date, year, telephone, ordinal or measure."""
    value = match[_first(match)]
    if _NO_CODE.fullmatch(value):
        return False
    digits = _digits(value)
    if value.isdigit() and (digits < 4 or (digits == 4 and "1920" <= value <= "2039")):
        return False
    return digits >= 3 or (digits == 2 and len(value) >= 4)


_MEASURED: Final = 4
"""Digits below which a number behind abbreviations of medicine is a value."""


def likely_code(match: re.Match[str]) -> bool:
    """After a word that often means something else: "n°", a colon or a code that is one."""
    value = match[_first(match)]
    if not evident_code(match) or PHONE.fullmatch(value):
        return False
    digits = _digits(value)
    said = re.findall(r"[^\W\d_]{2,}", value)
    if digits < _MEASURED and said and " " in value and all(fold(word) in LISTED for word in said):
        return False  # "Bilan : NFS GB 48 G/l"
    between = match.string[match.start() : match.start(_first(match))]
    if "\n" in between and digits < 6:
        return False
    if digits >= 6 or (digits >= 4 and any(map(str.isalpha, value))):
        return True
    before = match.string[max(0, match.start() - 12) : match.start()]
    return bool(pattern("<<NUMBER_MARK>>|[:#=]").search(between) or _MARK_BEFORE.search(before))


def numbered_code(match: re.Match[str]) -> bool:
    """After a bare "n°": long enough to be no house, room or rank, and not the number of a law."""
    value = match[_first(match)]
    if not evident_code(match) or PHONE.fullmatch(value):
        return False
    if _LAW.search(match.string[max(0, match.start() - 16) : match.start(_first(match))]):
        return False
    return _digits(value) >= 4 or (_digits(value) >= 3 and any(map(str.isalpha, value)))


def solid_code(match: re.Match[str]) -> bool:
    """Far from its word: six digits, four of them in a row."""
    value = match[_first(match)]
    return likely_code(match) and _digits(value) >= 6 and re.search(r"\d{4}", value) is not None


def social_security_number(match: re.Match[str]) -> bool:
    """After its word: enough digits, and not a telephone number."""
    value = checks.compact(match["SSN"])
    return 10 <= len(value) <= 15 and not PHONE.fullmatch(value)


def social_security_key(match: re.Match[str]) -> bool:
    """Without a word: the key agrees, or the form admits nothing else."""
    value = match["SSN"]
    number = checks.compact(value)
    if (
        match["SSN_2"] is not None
        or checks.nir(number)
        or checks.niss(number)
        or checks.matricule(number)
    ):
        return True
    if number.startswith("756") and len(number) == 13:
        return checks.avs(number) or value[3] in ". "
    if re.fullmatch(r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", value):
        return True
    groups = len(re.findall(r"\w+", value))
    return (
        checks.nir_form(number)
        and number[0] in "12"
        and ((len(number) == 15 and groups <= 8) or 5 <= groups <= 8)
    )


def luhn(match: re.Match[str]) -> bool:
    """The number has its control digit."""
    return checks.luhn(match[_first(match)])


def iban(match: re.Match[str]) -> bool:
    """The account number has its control digits."""
    return checks.iban(checks.compact(match[_first(match)]))


def unknown_parts(match: re.Match[str]) -> bool:
    """A login is not made of ordinary words alone."""
    return not all(EVIDENCE[fold(part)].known for part in match[_first(match)].split("_"))


def login(match: re.Match[str]) -> bool:
    """Whether it is no ordinary word, no name by itself, and heads no other number."""
    word = fold(match["OTHER_ID"].rpartition(".")[2])
    last = EVIDENCE[word]
    named = last.first_name or last.surname > 0
    return last.suspicious and not named and word not in voc.FIELDS | DOTTED


_CUES: Final = {
    "VISIT_CUES": Label.VISIT_ID,
    "OFFICES, OTHER_CUES": Label.OTHER_ID,
    "EXAMS, ORDER_CUES": Label.ORDER_ID,
    "PROVIDER_CUES": Label.PROVIDER_ID,
}
"""Lists of words that say whose a number is; of two for one word the last counts."""
_FILES: Final = frozenset(("patterns/id.patient.number", "patterns/id.dossier.far"))
_OPEN: Final = frozenset(
    ("patterns/id.numbered", "patterns/id.reference", "patterns/id.unexplained")
)
_PATIENTS: Final = frozenset(("ipp", "nip", "niss"))
_BACK: Final = 12
_AHEAD: Final = 10
_DIGIT: Final = re.compile(r"\d")
_OWN: Final = re.compile(r"[A-Z]{3,8}(?=[ \-/_.])")
"""What a code begins with and may say what it counts: "IRM-24-118", "CRO 2018/3377"."""


@cache
def _cues() -> dict[str, Label]:
    return {word: label for names, label in _CUES.items() for word in folded(names)}


def relabelled(doc: Document, spans: Sequence[Span]) -> Iterator[Span]:
    """The doubtful identifiers among `spans` for which a cue is found, with its label."""
    known: dict[str, Counter[Label]] = {}
    left: list[tuple[str, Span]] = []
    for span in spans:
        if span.source in _FILES:
            label = _of_file(doc, span)
        elif span.source in _OPEN:
            label = _cue(doc, span)
            shape = _DIGIT.sub("0", doc.text[span.start : span.end])
            if label is None:
                left.append((shape, span))
            else:
                known.setdefault(shape, Counter())[label] += 1
        else:
            continue
        if label is not None and label is not span.label:
            yield _as(span, label)
    for shape, span in left:
        ((label, _),) = known.get(shape, Counter([span.label])).most_common(1)
        if label is not span.label:
            yield _as(span, label)


def _as(span: Span, label: Label) -> Span:
    return replace(span, label=label, score=span.score + 0.02, source="patterns/id.cue")


def _line(doc: Document, span: Span) -> tuple[Iterable[str], Iterable[str]]:
    """The folded tokens before the span on its line, nearest first, and those after it."""
    tokens, text = doc.tokens, doc.text
    at = bisect_left(tokens.starts, span.start)
    start = text.rfind("\n", 0, span.start) + 1
    low = max(bisect_left(tokens.starts, start), at - _BACK)
    stop = bisect_left(tokens.starts, span.end)
    line_end = text.find("\n", span.end)
    high = stop + _AHEAD
    if line_end >= 0:
        high = min(high, bisect_left(tokens.starts, line_end))
    return reversed(tokens.folded[low:at]), tokens.folded[stop:high]


def _cue(doc: Document, span: Span) -> Label | None:
    own = _OWN.match(doc.text, span.start, span.end)
    if own and (label := _cues().get(own[0].lower())) is not None:
        return label
    before, behind = _line(doc, span)
    for word in before:
        if (label := _cues().get(word)) is not None:
            return label
    return next((Label.ORDER_ID for word in behind if word in folded("EXAMS, ORDER_CUES")), None)


def _of_file(doc: Document, span: Span) -> Label | None:
    """What a number after "dossier" is: the patient's, unless a cue or an IPP stands before it."""
    before, _ = _line(doc, span)
    for word in before:
        if (label := _cues().get(word)) is not None:
            return label
        if word in _PATIENTS:
            return Label.VISIT_ID
        if word in ("patient", "patiente", "identifiant"):
            return None
    return None


_LEAST, _MOST = 3, 24
"""Digits in a row of a code."""
_AROUND: Final = re.compile(r"[A-Z\d./\-]{0,32}")
_PATHOLOGY: Final = re.compile(r"\d\d[A-Z]{1,2}\d{4,6}(?:-\d{1,2})?|\d\d-\d{5,6}")
_CODED: Final = re.compile(
    r"\d{8,20}|\d\d-\d{5,6}|[A-Z]{1,4}-\d\d-\d{2,6}|\d{2,6}(?:-\d{3,6}){2,3}|[A-Z]{2}-\d{3}-[A-Z]{2}|[1-9]-[A-Z]{3}-\d{3}"
    r"|(?![RLDA]\.?\d{3,4}-\d)(?=[A-Z\d\-/.]{0,16}\d{4})(?=[\d\-/.]{0,12}[A-Z])"
    r"[A-Z\d]{1,16}(?:[\-/.][A-Z\d]{1,16}){0,5}"
    r"|(?=(?:[A-Z]{0,8}\d){5})(?=(?:\d{0,8}[A-Z]){2})[A-Z\d]{8,16}"
)
_ELSE: Final = re.compile(
    r"\d+(?:UI|U|MG|ML|G|H|M|KG|MCG|MUI)|[A-Z]+-?(?:19|20)\d\d|[A-Z]{1,3}-\d{4,5}"
    r"|[A-Z]\d{4}[A-Z]?|NCT\d{8}|HL7\d{4}"
)
"""A dose, a name with a year, a postal code with its country, a diagnosis or mutation, a trial, a
table of HL7."""


_BIRTH: Final = Label.BIRTH_DATE
_BESIDE_BIRTH: Final = re.compile(
    r"[ \t|;*–/-]{1,24}(?:[MFH][ \t|;*–-]{1,12})?([A-Z]?\d{6,10})(?![^\W_]|[.,/ ]\d)"
)
"""The number in the column behind a birth date, which in a list is the patient's."""


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The code that holds a run of digits: capitals, digits and marks, no mark at its ends."""
    kept = _AROUND.match(text[max(0, start - 32) : start][::-1])
    start -= len(kept[0].rstrip("./-")) if kept else 0
    after = _AROUND.match(text, end)
    end += len(after[0].rstrip("./-")) if after else 0
    return start, end


_DEVICE: Final = 24
_MODEL: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(voc.LISTS['veto_devices']))}) (?:[A-Z]{{1,3}}[ -]?)?\Z", re.IGNORECASE
)
"""What stands before the number of a model: "Fresenius 5008S"."""


def unexplained_codes(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """Long numbers and codes that no row explains, with a low score; doubtful ones by their cue."""
    text, last = doc.text, 0
    found: list[Span] = []
    explained = bytearray(len(text))
    for span in spans:
        explained[span.start : span.end] = b"\x01" * (span.end - span.start)
    tokens = doc.tokens
    for index in compress(range(len(tokens)), map(str.isdecimal, tokens.texts)):
        start, end = tokens.starts[index], tokens.ends[index]
        if not _LEAST <= end - start <= _MOST or start < last or explained[start]:
            continue
        start, end = _word_around(text, start, end)
        last = end
        if end - start < 5 or text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
            continue
        code = text[start:end]
        if not _CODED.fullmatch(code) or DATE.fullmatch(code) or _ELSE.fullmatch(code):
            continue
        if _MODEL.search(text, max(0, start - _DEVICE), start):
            continue
        if text[max(0, start - 2) : start] != "&#" and explained.find(1, start, end) < 0:
            label = Label.ORDER_ID if _PATHOLOGY.fullmatch(code) else Label.OTHER_ID
            found.append(Span(start, end, label, 0.5, "patterns/id.unexplained"))
    found.extend(
        Span(*cell.span(1), Label.PATIENT_ID, 0.7, "patterns/id.beside_birth")
        for span in spans
        if span.label is _BIRTH and (cell := _BESIDE_BIRTH.match(text, span.end))
    )
    yield from found
    yield from relabelled(doc, (*spans, *found))
