"""Surrogate dates under a shift: is their form kept, do they parse back, how far apart are they?

    python benchmarks/surrogate_dates.py [GOLD.jsonl …] [--synth N] [--errors] [--json FILE]

On given spans, never on detected ones: what is measured is substitution. Dates and birth dates:

- answered: those that get a surrogate date; the others are redacted.
- rightly: of those with a gold value that is a whole day, those read as that day.
- form: of the answered ones, those whose surrogate has the same separators, fields, order, case,
  digits and zeros; the form is told by this script, with none of the package's code. Not counted:
  holidays, which become a day or a part of a month, and ranges within one month whose surrogate
  lies in two; how many there are is printed.
- parsed: of the answered ones, those that parse back, in the released note, to the fields they
  print of the surrogate day; a holiday only has to parse.
- order, apart: of the pairs of days of a note, births left out, those in the same order, and those
  as many days apart, when the released note is read again; in notes that tell any year.
- one: of the days of a note that stand there more than once, those with one surrogate day.

The baseline is Faker as it is mostly used: one draw for each distinct string, in one form. Even and
odd notes are told apart; --errors shows the dates of even notes only.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from faker import Faker

from dpdeid import testing
from dpdeid.document import Document, Mention, Record, Span
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.modes import Shift
from dpdeid.protocols import Context
from dpdeid.substitute.dates.reading import read_dates
from dpdeid.substitute.dates.strategy import Dates
from dpdeid.substitute.dates.written.parser import DateRange, PartialDate, Precision, parse
from dpdeid.synth import corpus

E0: Final = dt.date(2030, 1, 1)
LABELS: Final = (Label.DATE, Label.BIRTH_DATE)
Note = tuple[Document, tuple[Span, ...], Mapping[tuple[int, int], str]]
"""A note, its spans, and the gold values of some of them."""


# --- forms ----------------------------------------------------------------------------------------

_MONTHS: Final = (
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"
)
_SHORT: Final = "janv jan fevr fev avr juil juill jul sept sep oct nov dec jun mar aou"
_DAYS: Final = "lundi mardi mercredi jeudi vendredi samedi dimanche"
_NUMBERS: Final = (
    "premier un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
    "seize vingt vingts trente quarante cinquante soixante cent cents mille et"
)
_PIECE: Final = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)


def plain(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if c.isascii())


def form(text: str) -> list[tuple[str, str]]:
    """The pieces of a written date without their values: what it is, and its case or zeros."""
    text = re.sub(r"(?i)(?<=\b1)er\b|(?<=\b1)er(?=[a-z])", "", text)
    out: list[tuple[str, str]] = []
    for piece in _PIECE.findall(text):
        word = plain(piece)
        case = "upper" if piece.isupper() else "title" if piece[:1].isupper() else "lower"
        if piece.isdigit():
            shown = "zero" if piece[0] == "0" else "bare" if len(piece) == 1 else ""
            out.append(("n" if len(piece) < 3 else f"n{len(piece)}", shown))
        elif word in _NUMBERS.split() and (word != "sept" or not any(map(str.isdigit, text))):
            if out[-1:] != [("spelt", case)]:
                out.append(("spelt", case))
        elif word in f"{_MONTHS} {_SHORT}".split() and (word != "mar" or "n" in dict(out)):
            out.append(("month", case))
        elif word in _DAYS.split() or word.removesuffix("s") in _DAYS.split():
            out.append(("weekday", case))
        elif len(word) > 1 and any(day.startswith(word) for day in _DAYS.split()):
            out.append(("short weekday", case))
        elif word in ("ete", "automne", "hiver", "printemps"):
            out.append(("season", case))
        elif word in ("debut", "mi", "fin"):
            out.append(("part", case))
        elif re.fullmatch("[ivx]+", word) and piece.isupper():
            out.append(("latin", ""))
        else:
            out.append((piece, ""))
    joined = [
        p
        for i, p in enumerate(out)
        if p[0] != "." or out[i - 1 : i] == [] or out[i - 1][0] != "month"
    ]
    return [
        p for i, p in enumerate(joined) if i == 0 or joined[i - 1][0] != "part" or p[0] not in " -"
    ]


def same_form(old: str, new: str) -> bool:
    """Whether two dates are written alike. "12" shows no zero and goes with "03" and with "3"."""
    a, b = form(old), form(new)
    if any(piece == "spelt" for piece, _ in a):  # numbers in letters have more or fewer words
        a, b = ([p for p in x if p[0] not in ("-", " ")] for x in (a, b))
        a, b = (
            [p for p, before in zip(x, [("", ""), *x], strict=False) if p != before] for x in (a, b)
        )
    return len(a) == len(b) and all(
        x[0] == y[0] and (x[1] == y[1] or "" in (x[1], y[1])) for x, y in zip(a, b, strict=True)
    )


# --- measures -------------------------------------------------------------------------------------


Days = Mapping[Mention, tuple[dt.date, ...]]


def read(doc: Document, mentions: Sequence[Mention]) -> tuple[Days, bool]:
    """The days of the mentions that can be read, and whether the note tells any year."""
    head: tuple[Mention, ...] = ()
    if doc.note_date is not None:
        span = Span(0, 10, Label.DATE, source="note_date")
        head = (Mention(0, span, doc.note_date.isoformat(), "note_date"),)
    reads, (against,) = read_dates((*head, *mentions), Record(doc.id, (doc,)), E0)
    days = {r.mention: r.days for r in reads if r.mention.where == "text"}
    return days, against.name is not None


def rewritten(
    doc: Document, texts: Mapping[Mention, str], note_date: dt.date | None
) -> tuple[Document, dict[Mention, Mention]]:
    """The note with its dates replaced, and where they stand in it."""
    out, done, moved = "", 0, {}
    for mention, text in sorted(texts.items(), key=lambda item: item[0].span.start):
        out += doc.text[done : mention.span.start]
        span = replace(mention.span, start=len(out), end=len(out) + len(text))
        moved[mention] = Mention(0, span, text)
        out += text
        done = mention.span.end
    return replace(doc, text=out + doc.text[done:], note_date=note_date), moved


def printed(text: str, day: dt.date) -> tuple[int, ...]:
    """What a text prints, of a day: the fields that can be compared."""
    date = first(text)
    if date is None:
        return ()
    end = last(text)
    year = () if end is None or end.year is None else (day.year,)
    match date.precision:
        case Precision.DAY if date.weekday is not None and date.day is None:
            return (day.weekday(),)
        case Precision.DAY if date.bare_day:
            return (day.day,)
        case Precision.DAY:
            return (*year, day.month, day.day)
        case Precision.MONTH | Precision.PART:
            return (*year, day.month)
        case Precision.SEASON:
            return (*year, (day.month - 1) // 3)
        case Precision.DECADE:
            return (day.year // 10,)
        case _:
            return year


class Figures(Counter[str]):
    """Hits under a name, and tries under the name with a star."""

    def add(self, name: str, hit: bool) -> None:
        self[name] += hit
        self[f"{name}*"] += 1

    def share(self, name: str) -> float | None:
        return self[name] / self[f"{name}*"] if self[f"{name}*"] else None


Release = tuple[dict[Mention, str], dict[Mention, dt.date], dt.date | None]
"""Texts and days of the surrogates, and the surrogate of the note's date."""


def shifted(doc: Document, mentions: Sequence[Mention]) -> Release:
    """What a shift makes of the dates of a note."""
    head: tuple[Mention, ...] = ()
    if doc.note_date is not None:
        span = Span(0, 10, Label.DATE, source="note_date")
        head = (Mention(0, span, doc.note_date.isoformat(), "note_date"),)
    strategy = Dates(labels=(*LABELS, Label.AGE), timeline=Shift(days=730, birth_days=730))
    context = Context(Streams(bytes(32), doc.id), E0)
    out = [*strategy.substitute([*head, *mentions], Record(doc.id, (doc,)), context)]
    days = {s.mention: s.value for s in out if isinstance(s.value, dt.date)}
    note = next((day for m, day in days.items() if m.where == "note_date"), None)
    return {s.mention: s.text for s in out if s.mention.where == "text"}, days, note


def faked(doc: Document, mentions: Sequence[Mention]) -> Release:
    """The same by Faker: a draw for each distinct string."""
    faker = Faker("fr_FR")
    faker.seed_instance(doc.id)
    drawn: dict[str, dt.date] = defaultdict(
        lambda: faker.date_between(dt.date(1940, 1, 1), dt.date(2025, 1, 1))
    )
    days = {m: drawn[m.text] for m in mentions}
    note = drawn[str(doc.note_date)] if doc.note_date else None
    return {m: f"{day:%d/%m/%Y}" for m, day in days.items()}, days, note


def measure(
    note: Note,
    release: Callable[[Document, Sequence[Mention]], Release],
    figures: Figures,
    shown: list[str] | None,
) -> None:
    doc, spans, values = note
    mentions = [Mention(0, s, doc.text[s.start : s.end]) for s in spans if s.label in LABELS]
    texts, days, note_date = release(doc, mentions)
    before, with_year = read(doc, mentions)
    released, moved = rewritten(doc, texts, note_date)
    after, _ = read(released, [moved[m] for m in mentions if m in texts])
    whole = {}
    for mention in mentions:
        figures.add("answered", mention in texts)
        if mention not in texts:
            tell(shown, "unread", mention.text)
            continue
        old, new = before.get(mention, ()), after.get(moved[mention], ())
        written, text = first(mention.text), texts[mention]
        a_day = written is not None and written.precision is Precision.DAY
        gold = values.get((mention.span.start, mention.span.end), "")
        if a_day and len(gold) == 10:
            right = old[:1] == (dt.date.fromisoformat(gold),)
            check(figures, "rightly", right, shown, mention.text, f"{gold}, not {old[:1]}")
        holiday = written is not None and written.holiday is not None
        if holiday or widened(mention.text, text):
            figures["otherwise"] += 1
        else:
            check(figures, "form", same_form(mention.text, text), shown, mention.text, text)
        back = bool(new) and (holiday or printed(text, new[0]) == printed(text, days[mention]))
        check(figures, "parsed", back, shown, mention.text, text)
        told = a_day and not holiday and mention.label is Label.DATE
        if with_year and told and old and new:
            whole[mention] = (old[0], new[0])
    compare(whole, texts, figures, shown)


def first(text: str) -> PartialDate | None:
    """A date, or the first day of a range."""
    found = parse(text)
    return found.first if isinstance(found, DateRange) else found


def last(text: str) -> PartialDate | None:
    """A date, or the last day of a range."""
    found = parse(text)
    return found.last if isinstance(found, DateRange) else found


def widened(old: str, new: str) -> bool:
    """Whether a day, of a range or list, had to get a month of its own."""
    a, b = first(old), first(new)
    return a is not None and b is not None and a.bare_day and not b.bare_day


def check(
    figures: Figures, name: str, hit: bool, shown: list[str] | None, old: str, new: str
) -> None:
    figures.add(name, hit)
    if not hit:
        tell(shown, name, f"{old} → {new}")


def compare(
    whole: Mapping[Mention, tuple[dt.date, dt.date]],
    texts: Mapping[Mention, str],
    figures: Figures,
    shown: list[str] | None,
) -> None:
    """Order, distance and agreement of the whole days of a note."""
    by_day: dict[dt.date, list[dt.date]] = defaultdict(list)
    for old, new in whole.values():
        by_day[old].append(new)
    for several in by_day.values():
        if len(several) > 1:
            figures.add("one", len({*several}) == 1)
    for (a, (old_a, new_a)), (b, (old_b, new_b)) in combinations(whole.items(), 2):
        before, after = (old_a - old_b).days, (new_a - new_b).days
        figures.add("order", (before > 0) == (after > 0) and (before < 0) == (after < 0))
        pair = f"{a.text}, {b.text}", f"{texts[a]}, {texts[b]}"
        check(figures, "apart", before == after, shown, *pair)


def tell(shown: list[str] | None, what: str, line: str) -> None:
    if shown is not None:
        shown.append(f"  {what:8s} {line!r}")


# --- notes ----------------------------------------------------------------------------------------


def read_gold(path: Path) -> Iterator[Note]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        yield read_row(json.loads(line), number)


def read_row(row: dict[str, Any], number: int) -> Note:
    entities = row.pop("entities")
    spans = tuple(Span(e["start"], e["end"], Label(e["label"])) for e in entities)
    values = {
        (e["start"], e["end"]): e["value"] for e in entities if isinstance(e.get("value"), str)
    }
    return document_of(row, number), spans, values


NAMES: Final = ("answered", "rightly", "form", "parsed", "order", "apart", "one")


def line(name: str, figures: Figures) -> str:
    shares = [figures.share(x) for x in NAMES]
    shown = ["   –   " if s is None else f"{100 * s:6.2f} " for s in shares]
    otherwise = figures["otherwise"]
    return f"{name:34s}{figures['answered*']:6d}  {' '.join(shown)}  {otherwise:4d}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--synth", type=int, default=300, metavar="N", help="made-up notes")
    parser.add_argument("--errors", action="store_true", help="show dates that fail (even notes)")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    sets: dict[str, list[Note]] = {path.parent.name: [*read_gold(path)] for path in args.gold}
    count = 6 if args.tiny else args.synth
    sets["synth"] = [read_row(r, n) for n, r in enumerate(corpus.notes(count, seed=11), 1)]
    if not args.gold:
        sets["shipped examples"] = [(d, spans, {}) for d, spans in testing.notes()]
    report: dict[str, Any] = {}
    print(f"{'':34s} dates  {'  '.join(f'{x:>6.6s}' for x in NAMES)}  otherwise")
    for name, notes in sets.items():
        for part, half in (("even", notes[::2]), ("odd", notes[1::2])):
            for way, release in (("shift", shifted), ("Faker", faked)):
                figures = Figures()
                shown: list[str] | None = [] if args.errors and part == "even" else None
                for note in half:
                    measure(note, release, figures, shown if way == "shift" else None)
                print(line(f"{name}, {part} notes, {way}", figures))
                for each in (shown or ()) if way == "shift" else ():
                    print(each)
                report[f"{name}/{part}/{way}"] = {
                    **{x: figures.share(x) for x in NAMES},
                    "dates": figures["answered*"],
                }
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
