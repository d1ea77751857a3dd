"""Does detection hold on other identities, names of any origin, plain prose, and eponyms?

    python benchmarks/robustness.py [GOLD.jsonl …] [--plain FILE] [--eponyms FILE] [--policy NAME]

- GOLD: annotated notes. Their direct identifiers are redacted as they are, and with every identity
  drawn anew (`dpdeid synth --refill`, several seeds): a tagger that learnt names falls.
  Into the odd ones names of ten origins are put that no list and no training note has
  (`made/names_by_origin.tsv`), several fillings each: the recall of their words by origin.
- --plain: notes ("text") where nobody is named: false tokens of direct labels per 1,000 words, and
  those of them that are initials ("Mme A. B."): names by our labels, left by the authors.
- --eponyms: a phrase a line ("maladie de …", what follows a tab is left): five frames for each
  phrase, where no direct label may touch it, and five with its surname after a title, where every
  token must be redacted.

Without a file the shipped fictitious notes and a few phrases are taken.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from detection import Note, gold_sets, percent
from made.origins import by_origin

from dpdeid import testing
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.counts import Leak
from dpdeid.evaluate.detection import Scores, score
from dpdeid.labels import Label
from dpdeid.synth.refill import refilled
from dpdeid.testing import KEY

KEPT: Final = (
    "Antécédent de {}.",
    "pas de {} à ce jour",
    "On évoque une {} devant ce tableau.",
    "- {} suivie depuis 2010",
    "{} ? à rediscuter en consultation",
)
REMOVED: Final = (
    "Vu par le Dr {} ce jour.",
    "M. {} rentre à domicile.",
    "Mme {}, 63 ans, hypertendue.",
    "Courrier adressé au Pr {}",
    "Madame {} se dit soulagée.",
)
PHRASES: Final = (
    "maladie de Charcot",
    "signe de Babinski",
    "score de Glasgow",
    "fracture de Colles",
)
PLAIN: Final = ("Toux grasse depuis 3 jours, apyrétique. TA 12/8, SpO2 97 %.",)


def redacted(deidentifier: Deidentifier, notes: Sequence[Note]) -> Leak:
    """What is redacted of the direct identifiers."""
    every = (score(doc, gold, deidentifier.detect(doc).spans) for doc, gold in notes)
    return sum(every, Scores()).direct


def anew(notes: Sequence[Note], seed: int) -> Iterator[Note]:
    """The notes with other identities; the hospital knows them no more than the old ones."""
    for doc, gold in notes:
        row = {
            "id": doc.id,
            "text": doc.text,
            "entities": [{"start": s.start, "end": s.end, "label": s.label.value} for s in gold],
        }
        new = refilled(row, seed)
        spans = tuple(Span(e["start"], e["end"], Label(e["label"])) for e in new["entities"])
        yield Document(doc.id, new["text"]), spans


def stable(
    deidentifier: Deidentifier, sets: dict[str, list[Note]], seeds: int
) -> dict[str, dict[str, float]]:
    """Redacted as they are (without what the hospital knows) and refilled, by set."""
    out = {}
    for name, notes in sets.items():
        bare = [(Document(doc.id, doc.text), gold) for doc, gold in notes]
        before = redacted(deidentifier, bare).redacted
        each = [redacted(deidentifier, list(anew(notes, s))).redacted for s in range(seeds)]
        out[name] = {"before": before, "refilled": sum(each) / seeds, "least": min(each)}
    return out


def false_tokens(deidentifier: Deidentifier, texts: Sequence[str]) -> tuple[float, float]:
    """Tokens that a direct label covers, per 1,000 words: all, and initials of names alone."""
    false = initials = words = 0
    for number, text in enumerate(texts):
        doc = Document(str(number), text)
        words += len(text.split())
        hit = [s for s in deidentifier.detect(doc).spans if s.label.is_direct]
        short = [s for s in hit if is_initials(text[s.start : s.end], s.label)]
        for start, end in doc.tokens:
            if any(map(str.isalnum, text[start:end])):
                false += touched(hit, start, end)
                initials += touched(short, start, end)
    return 1000 * false / words, 1000 * initials / words


def is_initials(value: str, label: Label) -> bool:
    parts = value.replace(".", " ").replace("-", " ").split()
    return label in (Label.FIRST_NAME, Label.LAST_NAME) and all(len(part) <= 2 for part in parts)


def touched(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(s.start < end and start < s.end for s in spans)


def eponyms(deidentifier: Deidentifier, phrases: Sequence[str]) -> tuple[float, float]:
    """Shares of frames in which the phrase is kept, and its surname removed after a title."""
    kept = removed = tried = 0
    for phrase in phrases:
        named = surname(phrase)
        if named is None:
            continue
        tried += 1
        for frame in KEPT:
            doc, at, end = framed(frame, phrase)
            found = [s for s in deidentifier.detect(doc).spans if s.label.is_direct]
            kept += not touched(found, at, end)
        for frame in REMOVED:
            doc, at, end = framed(frame, named)
            spans = (Span(at, end, Label.LAST_NAME),)
            removed += not score(doc, spans, deidentifier.detect(doc).spans).direct.leaked
    return kept / (tried * len(KEPT)), removed / (tried * len(REMOVED))


def framed(frame: str, value: str) -> tuple[Document, int, int]:
    """A note of one line, and where the value stands in it."""
    before, after = frame.split("{}")
    first = value if before else value[0].upper() + value[1:]
    return Document("frame", before + first + after), len(before), len(before) + len(value)


def surname(phrase: str) -> str | None:
    """The capitalised words at the end of a phrase, if it begins with a word that is none."""
    words = phrase.replace("d'", "de ").split()
    names = words[next((at for at, w in enumerate(words) if at and w[0].isupper()), len(words)) :]
    whole = all(word[0].isupper() and word[1:2].islower() for word in names)
    return " ".join(names) if names and whole and words[0].isalpha() else None


def told(found: Mapping[str, Any]) -> Iterator[str]:
    """The recall of words of names by origin, as a table."""
    yield f"from best to worst origin {spread(found['gap']['points'], found['gap']['interval'])}"
    for origin, one in found["origins"].items():
        yield f"  {origin:15s}{one['words']:7,d} words {spread(one['recall'], one['interval'])}"


def spread(value: float, ends: Sequence[float]) -> str:
    return f"{100 * value:.2f} [{100 * ends[0]:.2f}–{100 * ends[1]:.2f}]"


def read_texts(path: Path) -> list[str]:
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        return [json.loads(line)["text"] for line in lines]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--plain", type=Path)
    parser.add_argument("--every", type=int, default=1, help="of the plain notes, each n-th")
    parser.add_argument("--eponyms", type=Path)
    parser.add_argument("--most", type=int, default=400, help="phrases of the list, from its head")
    parser.add_argument("--seeds", type=int, default=3, help="of refills, 1 or more")
    parser.add_argument("--fillings", type=int, default=2, help="of each note by each origin")
    parser.add_argument("--policy", default="dp", help="whose detectors are tried")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    deidentifier = Deidentifier(args.policy, key=KEY)
    shipped = list(testing.notes())[: 3 if args.tiny else None]
    sets = gold_sets(args.gold) or {"shipped": shipped}
    plain = read_texts(args.plain)[:: args.every] if args.plain else PLAIN
    phrases = PHRASES
    if args.eponyms:
        lines = args.eponyms.read_text(encoding="utf-8").splitlines()
        phrases = tuple(line.partition("\t")[0] for line in lines[: args.most])
    report: dict[str, Any] = {"policy": args.policy}
    report["refilled"] = stable(deidentifier, sets, 1 if args.tiny else max(1, args.seeds))
    for name, row in report["refilled"].items():
        before, after, least = map(percent, row.values())
        print(f"{name}: direct redacted {before}, with other identities {after} (least {least})")
    odd = [note for notes in sets.values() for note in notes[1::2]]
    report["origins"] = by_origin(deidentifier, odd, fillings=1 if args.tiny else args.fillings)
    print(*told(report["origins"]), sep="\n")
    report["false per 1,000 words"], initials = false_tokens(deidentifier, plain)
    report["initials per 1,000 words"] = initials
    print(
        f"{len(plain)} plain notes: {report['false per 1,000 words']:.2f} false direct tokens per "
        f"1,000 words, {initials:.2f} of them initials of names"
    )
    report["eponyms"] = eponyms(deidentifier, phrases)
    kept, removed = map(percent, report["eponyms"])
    print(f"eponyms: phrase kept {kept}, the surname after a title removed {removed}")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
