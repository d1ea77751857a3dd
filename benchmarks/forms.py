"""Is what one form holds found in another? Gold notes as pages, boxes, scans, dictation, typings.

    python benchmarks/forms.py [GOLD …] [--half odd|even|all] [--every N] [--policy dp]
        [--forms NAME …] [--grids FILE] [--json FILE] [--errors NAME …]

GOLD is as in detection.py; --every takes each N-th note of each file. Each note is written anew in
each form, with its spans: direct identifiers redacted, notes fully redacted, precision by token
label by label, and the words outside gold that are taken, of 10,000. A typing (`made/typings.py`)
changes no word: what is found in it is counted in the plain note. --errors shows what is left of
direct identifiers in some forms, of notes at even positions only; of typings, what is left or taken
but in the plain note is not. --grids: grids of measurements that hold nothing that identifies,
apart by lines "----": in how many of those at even and odd positions something is found.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from html import escape
from html.entities import codepoint2name
from pathlib import Path
from typing import Final

from detection import Note, percent, read_gold
from made.typings import TYPINGS, typed

from dpdeid import testing
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.evaluation import GoldNote, evaluate
from dpdeid.labels import KEPT, Label
from dpdeid.synth import noise
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece, join
from dpdeid.testing import KEY

Form = Callable[[list[Piece], Dice], list[Piece]]
IN_BOXES: Final = frozenset(
    {Label.LAST_NAME, Label.FIRST_NAME, Label.PHONE, Label.SSN, Label.PATIENT_ID, Label.ZIP,
     Label.BIRTH_DATE, Label.DATE, Label.CITY}
)  # fmt: skip


def plain(pieces: list[Piece], dice: Dice) -> list[Piece]:
    return pieces


def each(change: Callable[[str, Dice], str], *, inside: bool = True, outside: bool = True) -> Form:
    def form(pieces: list[Piece], dice: Dice) -> list[Piece]:
        return [
            p._replace(text=change(p.text, dice)) if (inside if p.label else outside) else p
            for p in pieces
        ]

    return form


def in_entities(text: str) -> str:
    marked = escape(text, quote=False)
    return "".join(f"&{codepoint2name[ord(c)]};" if ord(c) > 127 and ord(c) in codepoint2name else c
                   for c in marked)  # fmt: skip


entities: Final = each(lambda text, _: in_entities(text))


def page(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Paragraphs, bold values, cells, superscripts, unbreakable spaces."""
    out = [Piece("<html><body><p>")]
    for p in pieces:
        text = in_entities(p.text)
        text = re.sub(r"\b1er\b", "1<sup>er</sup>", text)
        if p.label is None:
            text = re.sub(r"\n+", lambda _: dice.choice(("<br/>", "</p><p>", "</td></tr><tr><td>")),
                          text)  # fmt: skip
            text = re.sub(r" (?=:)", "&nbsp;", text)
            out.append(p._replace(text=text))
        elif dice.chance(30):
            tag = dice.choice(("b", "span class='v'", 'font color="red"'))
            close = tag.split()[0]
            out += [Piece(f"<{tag}>"), p._replace(text=text), Piece(f"</{close}>")]
        else:
            if dice.chance(30):
                text = text.replace(" ", "&nbsp;")
            out.append(p._replace(text=text))
    return [*out, Piece("</p></body></html>")]


def export(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """A text as a JSON string holds it."""
    return [p._replace(text=json.dumps(p.text)[1:-1]) for p in pieces]


def mojibake(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """UTF-8 read as Windows-1252."""

    def wrong(text: str) -> str:
        return "".join(c.encode().decode("cp1252", "replace") if "¡" <= c <= "ÿ" else c
                       for c in text)  # fmt: skip

    return [p._replace(text=wrong(p.text)) for p in pieces]


def boxes(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Values of forms with a box a character."""
    out = []
    for p in pieces:
        short = 3 < len(p.text) < 25 and "\n" not in p.text
        if p.label in IN_BOXES and short and dice.chance(50):
            gap = dice.choice((" ", "|", " | ", "_"))
            upper = p.text.upper()
            wide = {" ": "   "}.get(gap, gap)
            text = "".join(wide if c == " " else c + gap for c in upper).removesuffix(gap)
            p = p._replace(text=text.strip(" |_"))
        out.append(p)
    return out


_DIGITS: Final = {"0": "O", "1": "l", "5": "S", "8": "B"}
_LETTERS: Final = {"O": "0", "o": "0", "l": "1", "I": "1", "S": "5", "i": "í"}


def _misread(text: str, dice: Dice) -> str:
    out = []
    for at, c in enumerate(text):
        beside = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
        table = _DIGITS if any(map(str.isdigit, beside)) else _LETTERS
        rate = 20 if c.isdigit() else 6
        out.append(table[c] if c in table and dice.chance(rate) else c)
    return re.sub("m", lambda m: "rn" if dice.chance(3) else "m", "".join(out))


scan: Final = each(_misread)


def glued(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Half of the spaces beside spans are lost."""
    out = list(pieces)
    for at in range(1, len(out)):
        before, here = out[at - 1], out[at]
        if here.label and before.text.endswith(" ") and dice.chance(50):
            out[at - 1] = before._replace(text=before.text[:-1])
        elif before.label and here.text.startswith(" ") and dice.chance(50):
            out[at] = here._replace(text=here.text[1:])
    return out


def cut(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Lines of 60 characters, words broken with a hyphen at their ends."""
    column, out = 0, []
    for p in pieces:
        text = ""
        for word in re.split(r"(\s+)", p.text):
            if column + len(word) > 60 and len(word) > 6 and word.isalpha():
                at = dice.between(3, len(word) - 3)
                text += f"{word[:at]}-\n{word[at:]}"
                column = len(word) - at
            elif column + len(word) > 64 and word.isspace():
                text, column = text + "\n", 0
            else:
                text += word
                column = 0 if "\n" in word else column + len(word)
        out.append(p._replace(text=text))
    return out


def spoken(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Marks said aloud, in small letters."""
    marks = {",": "virgule", ":": "deux points", "(": "ouvrez la parenthèse",
             ")": "fermez la parenthèse"}  # fmt: skip

    def say(text: str) -> str:
        text = re.sub(r"\.\s*\n+", " point à la ligne ", text)
        text = re.sub(r"\.(?=\s)", " point", text)
        text = re.sub(r"\s?[,:()]", lambda m: f" {marks[m[0].strip()]} ", text)
        return re.sub(r"\s+", " ", text)

    return [p if p.label else p._replace(text=say(p.text)) for p in pieces]


def chain(*steps: Form) -> Form:
    def form(pieces: list[Piece], dice: Dice) -> list[Piece]:
        for step in steps:
            pieces = step(pieces, dice)
        return pieces

    return form


FORMS: Final[dict[str, Form]] = {
    "plain": plain,
    "entities": entities,
    "page": page,
    "export": export,
    "mojibake": mojibake,
    "boxes": boxes,
    "scan": scan,
    "glued": glued,
    "cut": cut,
    "capitals": chain(noise.upper, noise.no_accents),
    "dictation": chain(noise.upper, noise.no_accents, noise.no_punctuation),
    "small": chain(noise.lower, noise.no_accents),
    "spoken": chain(spoken, noise.lower),
}


def pieces_of(doc: Document, spans: Sequence[Span]) -> list[Piece]:
    out, done = [], 0
    for span in sorted(spans):
        if span.start < done:
            continue
        out.append(Piece(doc.text[done : span.start]))
        out.append(Piece(doc.text[span.start : span.end], span.label, span.role))
        done = span.end
    return [*out, Piece(doc.text[done:])]


def written(note: Note, name: str) -> Note:
    doc, spans = note
    text, found = join(FORMS[name](pieces_of(doc, spans), Dice.of(7, name, doc.id)))
    return Document(doc.id, text), tuple(Span(e.start, e.end, e.label) for e in found)


def found_in(note: Note, name: str, engine: Deidentifier) -> tuple[Note, Sequence[Span]]:
    """A note and what is found of it in a form; of a typing in the plain note."""
    if name not in TYPINGS:
        doc, gold = written(note, name)
        return (doc, gold), engine.detect(doc).spans
    plain_doc, gold = Document(note[0].id, note[0].text), note[1]
    reading = typed(plain_doc.text, name)
    found = engine.detect(Document(plain_doc.id, reading.text)).spans
    return (plain_doc, gold), reading.raw_spans(found)


def left_of(note: Note, found: Sequence[Span]) -> Iterator[Span]:
    """Direct gold spans of which a letter or digit is left."""
    doc, gold = note
    hiding = [s for s in found if s.label not in KEPT]
    for s in gold:
        if s.label.is_direct and any(
            c.isalnum() and not any(f.start <= at < f.end for f in hiding)
            for at, c in enumerate(doc.text[s.start : s.end], s.start)
        ):
            yield s


def outside(note: Note, found: Sequence[Span]) -> tuple[list[tuple[int, int, Label]], int]:
    """Words outside gold that are taken, with the label they are taken for; how many there are."""
    doc, gold = note
    hiding = [s for s in found if s.label not in KEPT]
    words = [
        m.span()
        for m in re.finditer(r"\S+", doc.text)
        if any(map(str.isalnum, m[0])) and not any(overlap(s, *m.span()) for s in gold)
    ]
    taken = [(*word, s.label) for word in words for s in hiding if overlap(s, *word)]
    return [*{one[:2]: one for one in taken}.values()], len(words)


def overlap(span: Span, start: int, end: int) -> bool:
    return span.start < end and start < span.end


def shown(notes: Sequence[Note], name: str, engine: Deidentifier) -> Iterator[str]:
    """What is left or taken in a form, and was not in the plain note if it is a typing."""
    for note in notes:
        new, found = found_in(note, name, engine)
        known: set[tuple[int, int]] = set()
        taken: list[tuple[int, int, Label]] = []
        if name in TYPINGS:
            of_plain = found_in(note, "plain", engine)
            known = {(s.start, s.end) for s in left_of(*of_plain)}
            known |= {(start, end) for start, end, _ in outside(*of_plain)[0]}
            taken = outside(new, found)[0]
        text = new[0].text
        left = [(s.start, s.end, s.label) for s in left_of(new, found)]
        for how, few in (("left", left), ("taken", taken)):
            for start, end, label in few:
                if (start, end) not in known:
                    line = f"{text[max(0, start - 30) : start]}⟦{text[start:end]}⟧{text[end:][:30]}"
                    yield f"{name} {new[0].id} {how} {label}: {line}".replace("\n", "⏎")


def grids_taken(path: Path, engine: Deidentifier) -> dict[str, int]:
    """Grids, and those at even and odd positions in which something is found that is hidden."""
    texts = path.read_text(encoding="utf-8").split("\n----\n")
    taken = [
        any(span.label not in KEPT for span in engine.detect(Document(str(at), text)).spans)
        for at, text in enumerate(texts)
    ]
    return {"grids": len(texts), "even": sum(taken[::2]), "odd": sum(taken[1::2])}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    every = [*FORMS, *TYPINGS]
    parser.add_argument("--every", type=int, default=1, help="of the notes of a file, each n-th")
    parser.add_argument("--forms", nargs="*", choices=every, default=list(FORMS))
    parser.add_argument("--errors", nargs="+", choices=every)
    parser.add_argument("--grids", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    part = {"odd": slice(1, None, 2), "even": slice(0, None, 2), "all": slice(None)}[args.half]
    notes = [note for path in args.gold for note in read_gold(path)[part][:: args.every]]
    notes = notes or list(testing.notes())[: 3 if args.tiny else None]
    engine = Deidentifier(args.policy, key=KEY)
    if args.errors:
        even = [n for path in args.gold for n in read_gold(path)[:: 2 * args.every]]
        for name in args.errors:
            print(*shown(even, name, engine), sep="\n", flush=True)
        return 0
    report: dict[str, dict[str, float]] = {}
    if args.grids:
        report["grids"] = {**grids_taken(args.grids, engine)}
        print("grids {grids:g}, something taken in {even:g} even and {odd:g} odd ones".format(
            **report["grids"]))  # fmt: skip
    print(f"{'form':12s}{'notes':>6s}{'direct':>8s}{'fully':>8s}{'P':>8s}{'taken':>8s}")
    for name in args.forms:
        runs = [found_in(note, name, engine) for note in notes]
        gold_notes = [GoldNote(*note) for note, _ in runs]
        values = evaluate(gold_notes, [[found for _, found in runs]], resamples=0).values
        counted = [outside(*one) for one in runs]
        taken, words = sum(len(few) for few, _ in counted), sum(of for _, of in counted)
        report[name] = row = {
            "direct": values["direct", "redacted"],
            "fully": values["direct", "fully_redacted"],
            "precision": values["micro", "token", "precision"],
        }
        told = "".join(f"{percent(value):>8s}" for value in row.values())
        row["taken"] = 10_000 * taken / words
        print(f"{name:12s}{len(notes):6d}{told}{row['taken']:8.1f}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
