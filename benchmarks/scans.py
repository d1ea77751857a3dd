"""What does scanning cost? Gold notes as letters, printed, scanned and read by OCR, beside the same
letters read as texts.

    python benchmarks/scans.py [GOLD …] [--letters 10] [--policy dp] [--dpi 200] [--skew 2]
        [--noise 12] [--blur 0.6] [--json FILE] [--tiny]

GOLD is as in detection.py; the letters are those of pdf_body.py, in its four layouts in turn. A
scan is a page drawn at --dpi, turned by --skew degrees, blurred by a radius of --blur pixels, with
normal noise of --noise shades of 255. An identifier is mapped into what is read letter by letter,
so that misread ones count too; one of which nothing was read is gone, and told apart. Seconds are
those of reading, on one core. Needs reportlab, the extras formats and ocr, and Tesseract.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from io import BytesIO
from itertools import accumulate, groupby
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

import numpy as np
import pypdfium2 as pdfium
from detection import percent, read_gold
from pdf_body import LAYOUTS, Text, drawn
from PIL import Image, ImageFilter

from dpdeid import testing
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.evaluation import GoldNote, Run, evaluate
from dpdeid.formats.documents.layout import text_of
from dpdeid.formats.documents.pdf_pages import pages
from dpdeid.formats.kinds import Origin, Reading, kind_called
from dpdeid.testing import KEY

FIGURES: Final = ("redacted", "fully_redacted")


class Scanner(NamedTuple):
    """How pages are scanned."""

    dpi: int
    skew: float
    noise: float
    blur: float

    def tiff(self, data: bytes) -> tuple[bytes, int]:
        """A PDF file as scanned pages in a TIFF file, and how many they are."""
        dice = np.random.default_rng(7)
        found = []
        for page in pdfium.PdfDocument(data):
            image = page.render(scale=self.dpi / 72, grayscale=True).to_pil().convert("L")
            image = image.rotate(self.skew, Image.Resampling.BICUBIC, fillcolor=255)
            blurred = np.asarray(image.filter(ImageFilter.GaussianBlur(self.blur)), dtype=float)
            noisy = blurred + dice.normal(0, self.noise, blurred.shape)
            found.append(Image.fromarray(noisy.clip(0, 255).astype("uint8")))
        out = BytesIO()
        first, *rest = found
        first.save(out, "TIFF", save_all=True, append_images=rest, dpi=(self.dpi, self.dpi))
        return out.getvalue(), len(found)


def mapped(words: Text, text: str) -> list[Span]:
    """The identifiers of a letter in what was read of it."""
    told = " ".join(word.text for word in words)
    starts = [0, *accumulate(len(word.text) + 1 for word in words)]
    match = SequenceMatcher(None, told, text, autojunk=False)
    blocks = [block for block in match.get_matching_blocks() if block.size]
    firsts = [block.a for block in blocks]

    def there(at: int, *, end: bool) -> int:
        """Where a letter stands in the text; between two blocks, at that end of the gap."""
        n = bisect_right(firsts, at) - 1
        if n >= 0 and at < blocks[n].a + blocks[n].size:
            return blocks[n].b + at - blocks[n].a
        if end:
            return blocks[n + 1].b - 1 if n + 1 < len(blocks) else len(text) - 1
        return blocks[n].b + blocks[n].size if n >= 0 else 0

    spans = []
    marked = ((at, word) for at, word in enumerate(words) if word.label)
    for _, group in groupby(marked, key=lambda one: (one[1].identifier, one[1].label)):
        (at, first), *_ = own = [*group]
        last_at, last = own[-1]
        begin = there(starts[at] + first.start, end=False)
        stop = there(starts[last_at] + last.end - 1, end=True)
        assert first.label is not None
        if text[begin : stop + 1].strip():
            spans.append(Span(begin, stop + 1, first.label))
    spans.sort()
    return [one for n, one in enumerate(spans) if not n or spans[n - 1].end <= one.start]


def figures(gold: Sequence[GoldNote], engine: Deidentifier) -> dict[str, float]:
    """What of direct identifiers is redacted, and how many letters are without a missed one."""
    run: Run = [engine.detect(note.doc).spans for note in gold]
    found = evaluate(gold, [run], resamples=0)
    return {name: found.values["direct", name] for name in FIGURES}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--letters", type=int, default=10)
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--dpi", type=int, default=200)
    parser.add_argument("--skew", type=float, default=2.0)
    parser.add_argument("--noise", type=float, default=12.0)
    parser.add_argument("--blur", type=float, default=0.6)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    scanner = Scanner(args.dpi, args.skew, args.noise, args.blur)
    notes = [note for path in args.gold for note in read_gold(path)] or list(testing.notes())
    notes = notes[1 :: max(1, len(notes) // args.letters)][: 1 if args.tiny else args.letters]
    engine = Deidentifier(args.policy, key=KEY)
    golds: dict[str, list[GoldNote]] = {"text": [], "scan": []}
    sure, seconds, count, letters, right, identifiers = list[float](), 0.0, 0, 0, 0, 0
    for number, note in enumerate(notes):
        data, words = drawn(note, LAYOUTS[number % len(LAYOUTS)])
        text = text_of(pages(data), body=False)
        scanned, pages_of = scanner.tiff(data)
        begun = time.perf_counter()
        reader = kind_called("tiff").reader
        row = next(iter(reader(BytesIO(scanned), Origin("", "scan"), Reading(ocr_floor=0))))
        seconds += time.perf_counter() - begun
        count += pages_of
        assert row.document is not None, row.error
        assert row.ocr is not None
        sure.append(row.ocr)
        read = row.document.text
        match = SequenceMatcher(None, text, read, autojunk=False)
        letters += len(text)
        right += sum(block.size for block in match.get_matching_blocks())
        identifiers += len({word.identifier for word in words if word.label})
        for arm, one in (("text", text), ("scan", read)):
            golds[arm].append(GoldNote(Document(note[0].id, one), tuple(mapped(words, one))))
    report: dict[str, Any] = {
        "letters": len(notes),
        "pages": count,
        "identifiers": identifiers,
        "mapped": {arm: sum(len(one.spans) for one in gold) for arm, gold in golds.items()},
        "confidence": {"mean": mean(sure), "lowest": min(sure)},
        "characters read": right / letters,
        "seconds a page": seconds / count,
        **{arm: figures(gold, engine) for arm, gold in golds.items()},
    }
    print(f"{len(notes)} letters, {count} pages, {identifiers} identifiers {report['mapped']}")
    print(f"confidence {mean(sure):.1f} % on average, {min(sure):.1f} % at least")
    print(f"characters as they are: {percent(right / letters)} %")
    print(f"{seconds / count:.1f} seconds a page")
    for arm in golds:
        print(f"{arm:6s}" + "  ".join(f"{name} {percent(report[arm][name])}" for name in FIGURES))
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
