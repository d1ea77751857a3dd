"""What does reading only the bodies of PDF pages take away? Gold notes as letters with headers,
footers and margins that identify, read in both modes.

    python benchmarks/pdf_body.py [GOLD …] [--half odd|even|all] [--policy dp] [--json FILE]
        [--errors]

GOLD is as in detection.py; a note is laid out in each of four ways. Told are: identifiers by label
in the text of either mode (an identifier is a gold span, or one of a header, footer or margin, each
time it stands there), words of the body that its text keeps and words of that text that are of the
body, and what detection finds in either. --errors shows body words lost and others kept, of notes
at even positions only. Needs reportlab and pdfminer.six.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from detection import IDENTIFYING, Note, percent, read_gold
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from dpdeid import testing
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.evaluation import GoldNote, Run, evaluate
from dpdeid.formats.documents.layout import text_of
from dpdeid.formats.documents.pdf_pages import pages
from dpdeid.labels import Label
from dpdeid.synth.dice import Dice
from dpdeid.testing import KEY

WIDE: Final = 595.0
HIGH: Final = 842.0
FONT: Final = "Helvetica"
LAYOUTS: Final = ("header", "staff", "letterhead", "right")
MODES: Final = ("all", "body")
PUBLISHED: Final = {
    "all": "AP-HP, pdfbox    P 99.1  R 98.9  F1 99.0  redacted 99.4  fully redacted 75.7",
    "body": "AP-HP, edspdf    P 99.1  R 98.8  F1 98.9  redacted 99.2  fully redacted 93.1",
}
REMOVED: Final = "AP-HP, identifiers of 348 letters in either mode: 16,793 and 3,491, 79.2 % fewer"


class Word(NamedTuple):
    """A word of a page, and where in it which identifier stands, if any."""

    text: str
    zone: str
    identifier: int | None = None
    label: Label | None = None
    start: int = 0
    end: int = 0


Text = list[Word]


@dataclass(slots=True)
class Sheet:
    """A letter that is being drawn, and its words in the order of reading."""

    paper: Any
    words: dict[tuple[int, str], list[Word]] = field(default_factory=dict)
    page: int = 0
    identifiers: int = 0

    def draw(self, x: float, y: float, size: float, text: Text) -> None:
        self.paper.setFont(FONT, size)
        self.paper.drawString(x, y, " ".join(word.text for word in text))
        for word in text:
            self.words.setdefault((self.page, word.zone), []).append(word)

    def line(self, zone: str, *parts: str | tuple[str, Label]) -> Text:
        """Words of furniture, of which pairs are identifiers."""
        words: Text = []
        for part in parts:
            label = None if isinstance(part, str) else part[1]
            text = part if isinstance(part, str) else part[0]
            self.identifiers += label is not None
            for word in text.encode("cp1252", "replace").decode("cp1252").split():
                own = (self.identifiers, label, 0, len(word)) if label else (None, None, 0, 0)
                words.append(Word(word, zone, *own))
        return words


def body_lines(sheet: Sheet, note: Note, width: float, size: float) -> Iterator[Text]:
    """The lines of a note, broken where they are too long."""
    doc, spans = note
    first = sheet.identifiers + 1
    sheet.identifiers += len(spans)
    at = 0
    for line in doc.text.splitlines(keepends=True):
        row: Text = []
        for text in line.split():
            start = doc.text.index(text, at)
            at = end = start + len(text)
            inside = next((n for n, s in enumerate(spans) if s.start < end and start < s.end), None)
            shown = text.encode("cp1252", "replace").decode("cp1252")
            word = Word(shown, "body")
            if inside is not None:
                span = spans[inside]
                place = max(0, span.start - start), min(len(text), span.end - start)
                word = Word(shown, "body", first + inside, span.label, *place)
            told = " ".join(one.text for one in (*row, word))
            if row and stringWidth(told, FONT, size) > width:
                yield row
                row = []
            row.append(word)
        yield row


def drawn(note: Note, layout: str) -> tuple[bytes, Text]:
    """A note as a letter, and its words in the order of reading."""
    out = BytesIO()
    sheet = Sheet(Canvas(out, pagesize=(WIDE, HIGH)))
    dice = Dice.of(7, layout, note[0].id)
    facts = Furniture.of(note[0], dice)
    left, right = {"staff": (175, 45), "right": (55, 165)}.get(layout, (60, 55))
    size = 10.0
    rows = list(body_lines(sheet, note, WIDE - left - right, size))
    while rows:
        top = facts.above(sheet, layout)
        y = top - dice.between(24, 40)
        for at, text in enumerate(facts.beside(sheet, layout)):
            sheet.draw(30 if layout == "staff" else 445, y - 11 * at, 7.5, text)
        while rows and y > 85:
            if rows[0]:
                sheet.draw(left, y, size, rows[0])
            y -= 12.5
            del rows[0]
        facts.below(sheet)
        sheet.paper.showPage()
        sheet.page += 1
    sheet.paper.save()
    zones = ("header", "body", "margins", "footer")
    order = [(page, zone) for page in range(sheet.page) for zone in zones]
    return out.getvalue(), [word for key in order for word in sheet.words.get(key, [])]


@dataclass(frozen=True, slots=True)
class Furniture:
    """What stands around the body of the pages of one patient."""

    known: dict[Label, str]
    staff: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, doc: Document, dice: Dice) -> Furniture:
        born = dice.between(10, 28), dice.between(1, 9), dice.between(1930, 1999)
        known = {
            Label.LAST_NAME: dice.choice(("LEMARCHAND", "BENALI", "OBERLIN")),
            Label.FIRST_NAME: dice.choice(("Odile", "Karim", "Mathis")),
            Label.BIRTH_DATE: "{}/0{}/{}".format(*born),
            Label.PATIENT_ID: str(dice.between(10**9, 9 * 10**9)),
            Label.PHONE: f"02 41 {dice.between(10, 99)} {dice.between(10, 99)} 20",
            Label.DATE: f"{dice.between(1, 28):02d}/11/2022",
        }
        own = {label: values[0] for label, values in doc.known.items() if label in known}
        if Label.BIRTH_DATE in own:
            own[Label.BIRTH_DATE] = "/".join(reversed(own[Label.BIRTH_DATE].split("-")))
        names = (("Hervé", "LE GOFF"), ("Anne", "TESSIER"), ("Samir", "HADDAD"), ("Inès", "ROUX"))
        count = dice.between(2, 4)
        return cls(known | own, names[:count])

    def above(self, sheet: Sheet, layout: str) -> float:
        """Draws a header; where it ends."""
        k = self.known
        person = (
            "Patient :", (k[Label.LAST_NAME], Label.LAST_NAME),
            (k[Label.FIRST_NAME], Label.FIRST_NAME), "né(e) le",
            (k[Label.BIRTH_DATE], Label.BIRTH_DATE), "IPP", (k[Label.PATIENT_ID], Label.PATIENT_ID),
        )  # fmt: skip
        lines: list[tuple[str | tuple[str, Label], ...]] = [person]
        if layout != "letterhead" or sheet.page == 0:
            lines.insert(
                0,
                (("Centre hospitalier des Trois Vallées", Label.HOSPITAL), "- Service de médecine"),
            )
        if layout == "letterhead" and sheet.page == 0:
            lines[1:1] = [
                (
                    ("12 rue des Tanneurs", Label.STREET),
                    ("49100", Label.ZIP),
                    ("Angers", Label.CITY),
                ),
                ("Secrétariat :", (k[Label.PHONE], Label.PHONE)),
            ]
        y = HIGH - 34
        for line in lines:
            sheet.draw(45, y, 9, sheet.line("header", *line))
            y -= 12
        return y

    def beside(self, sheet: Sheet, layout: str) -> Iterator[Text]:
        """The lines of a margin."""
        if layout not in ("staff", "right"):
            return
        yield sheet.line("margins", "Chef de service")
        for first, last in self.staff:
            yield sheet.line("margins", "Dr", (first, Label.FIRST_NAME), (last, Label.LAST_NAME))
            yield sheet.line("margins", "Tél.", ("02 41 35 36 37", Label.PHONE))

    def below(self, sheet: Sheet) -> None:
        """Draws a footer."""
        line = sheet.line(
            "footer", "Imprimé le", (self.known[Label.DATE], Label.DATE), "par",
            (self.staff[0][1], Label.LAST_NAME), "- Page", str(sheet.page + 1),
        )  # fmt: skip
        where = sheet.line(
            "footer", ("12 rue des Tanneurs", Label.STREET), ("49100", Label.ZIP),
            ("Angers", Label.CITY), "- Tél.", (self.known[Label.PHONE], Label.PHONE),
        )  # fmt: skip
        sheet.draw(45, 42, 7.5, where)
        sheet.draw(45, 30, 7.5, line)


class Read(NamedTuple):
    """What a mode gives of one letter."""

    gold: GoldNote
    kept: frozenset[int]
    """Places of words in the letter."""
    words: int


def read(name: str, data: bytes, words: Text, mode: str) -> Read:
    """The text of a letter in a mode, with the spans of its words."""
    text = text_of(pages(data), body=mode == "body")
    places, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        places.append((start, word))
        at = start + len(word)
    match = SequenceMatcher(None, [w.text for w in words], [w for _, w in places], autojunk=False)
    pairs = {
        block.a + i: block.b + i for block in match.get_matching_blocks() for i in range(block.size)
    }
    marked = [(i, j) for i, j in sorted(pairs.items(), key=lambda p: p[1]) if words[i].label]
    spans = []
    for _, group in groupby(
        enumerate(marked), key=lambda g: (words[g[1][0]].identifier, g[1][1] - g[0])
    ):
        ends = [pair for _, pair in group]
        (i, j), (k, m) = ends[0], ends[-1]
        label = words[i].label
        start, end = places[j][0] + words[i].start, places[m][0] + words[k].end
        assert label is not None
        spans.append(Span(start, end, label))
    spans.sort()
    apart = [s for n, s in enumerate(spans) if not n or spans[n - 1].end <= s.start]
    return Read(GoldNote(Document(name, text), tuple(apart)), frozenset(pairs), len(places))


def figures(gold: Sequence[GoldNote], run: Run) -> dict[str, float]:
    """P, R and F1 by token, and what of direct identifiers is redacted."""
    found = evaluate(gold, [run], resamples=0)
    named = evaluate(gold, [run], resamples=0, classes=IDENTIFYING)
    return {
        **{r: named.values["micro", "token", r] for r in ("precision", "recall", "f1")},
        "redacted": found.values["direct", "redacted"],
        "fully redacted": found.values["direct", "fully_redacted"],
    }


def identifiers(words: Text, kept: frozenset[int]) -> Counter[Label]:
    """Of which label how many identifiers have a word among the kept ones."""
    left = {(w.identifier, w.label) for at, w in enumerate(words) if at in kept and w.label}
    return Counter(label for _, label in left if label is not None)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    half = "even" if args.errors else args.half
    part = {"odd": slice(1, None, 2), "even": slice(0, None, 2), "all": slice(None)}[half]
    notes = [note for path in args.gold for note in read_gold(path)[part]]
    notes = notes or list(testing.notes())[: 2 if args.tiny else None]
    engine = Deidentifier(args.policy, key=KEY)
    counts = {mode: Counter[Label]() for mode in MODES}
    kept_words = total_words = read_words = around = around_left = 0
    golds: dict[str, list[GoldNote]] = {mode: [] for mode in MODES}
    by_layout: dict[str, Counter[str]] = {name: Counter() for name in LAYOUTS}
    for note in notes:
        for layout in LAYOUTS:
            data, words = drawn(note, layout)
            for mode in MODES:
                got = read(f"{note[0].id}/{layout}", data, words, mode)
                counts[mode] += identifiers(words, got.kept)
                golds[mode].append(got.gold)
            body = {at for at, word in enumerate(words) if word.zone == "body"}
            outside = {at: word for at, word in enumerate(words) if word.zone != "body"}
            kept_words += len(body & got.kept)
            total_words += len(body)
            read_words += got.words
            marked = frozenset(at for at, word in outside.items() if word.label)
            around += identifiers(words, marked).total()
            around_left += identifiers(words, marked & got.kept).total()
            by_layout[layout] += Counter(
                body=len(body), kept=len(body & got.kept), outside=len(outside.keys() & got.kept)
            )
            if args.errors:
                lost = " ".join(words[at].text for at in sorted(body - got.kept))
                more = " ".join(words[at].text for at in sorted(outside.keys() & got.kept))
                if lost or more:
                    print(note[0].id, layout, "| lost:", lost[:300], "| more:", more[:300])
    print(f"{'label':15s}{'all':>8s}{'body':>8s}")
    for label in sorted(counts["all"], key=lambda one: -counts["all"][one]):
        print(f"{label.value:15s}{counts['all'][label]:8d}{counts['body'][label]:8d}")
    whole, left = (counts[mode].total() for mode in MODES)
    report: dict[str, Any] = {
        "letters": len(golds["all"]),
        "identifiers": {mode: dict(counts[mode]) for mode in MODES},
        "removed": 1 - left / whole,
        "removed around": 1 - around_left / around,
        "body recall": kept_words / total_words,
        "body precision": kept_words / read_words,
        "layouts": {name: dict(count) for name, count in by_layout.items()},
    }
    print(f"{'all labels':15s}{whole:8d}{left:8d}  {percent(report['removed'])} % fewer")
    print(REMOVED)
    print(f"identifiers around the bodies that are gone: {percent(report['removed around'])} %")
    for name in ("body recall", "body precision"):
        print(f"{name}: {percent(report[name])} % of words")
    for mode in MODES:
        run: Run = [engine.detect(gold.doc).spans for gold in golds[mode]]
        report[mode] = figures(golds[mode], run)
        print(f"{mode:17s}" + "  ".join(f"{k} {percent(v)}" for k, v in report[mode].items()))
        print(PUBLISHED[mode])
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
