"""The corpora of the shipped transformer and its base. See docs/transformer.md.

    shipped_models.py texts DATA OUT.jsonl    raw texts for `dpdeid train mlm`
    shipped_models.py raw DATA OUT            clinical.jsonl; unannotated.jsonl for teachers
    shipped_models.py notes DATA OUT          gold.jsonl, its part hand.jsonl, held_out.jsonl
    shipped_models.py written OUT             the notes of the folder `written`, the same two parts
    shipped_models.py without LABEL IN OUT    annotated rows without the spans of a label

DATA is the folder of corpora that the model card names. Every draw is seeded.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from dpdeid.testing import marked
from dpdeid.training.corpus import open_text, read_corpus, read_texts, split

Row = dict[str, Any]
NEAR: Final = 40
"""Runs of 12 words shared with the held-out notes from which a report is a near copy."""
HELD_OUT: Final = 0.15
EIGHTH: Final = 8
SILVER: Final = "parhaf_dev/parhaf_dev_silver.jsonl.gz"
WINER: Final = "winer_fr/winer_fr.jsonl.gz"
_TITLE: Final = re.compile(r"(?m)^=====.*\n")
_LINE: Final = 4000
_PARAGRAPHS: Final = 3000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("texts", "raw", "notes", "written", "without"))
    parser.add_argument("arguments", nargs="+")
    given = parser.parse_args()
    if given.what == "without":
        label, source, out = given.arguments
        write(Path(out), without(label, rows(Path(source))))
        return
    if given.what == "written":
        written(Path(given.arguments[0]))
        return
    source, out = map(Path, given.arguments)
    {"texts": texts, "raw": unannotated, "notes": notes}[given.what](source, out)


def texts(data: Path, out: Path) -> None:
    """The mix of raw texts: clinical ones often and in other cases, the rest for their French."""
    random_order = random.Random(0)

    def raw(name: str, share: float) -> list[str]:
        found = list(documents(data / "rawtext" / name))
        random_order.shuffle(found)
        return found[: int(len(found) * share)]

    clinical = clinical_texts([data / SILVER, *gold_files(data)], data)
    abstracts, papers = abstracts_of(data), papers_of(data)
    parts = {
        "literature": raw("literature.txt.gz", 0.35),
        "legal": raw("legal.txt.gz", 0.4),
        "news": raw("news_encyclopedia.txt.gz", 1),
        "medical": raw("medical.txt.gz", 1) * 2,
        "morfitt": abstracts * 3,
        "winer": list(read_texts([data / WINER])) * 2,
        "europeana": papers,
        "clinical": clinical * 7
        + [text.lower() for text in clinical]
        + [bare(text).lower() for text in clinical]
        + [bare(text) for text in clinical]
        + [text.upper() for text in clinical],
    }
    every = [(part, text) for part, found in parts.items() for text in found]
    random_order.shuffle(every)
    write(out, ({"id": f"{part}-{i}", "text": text} for i, (part, text) in enumerate(every)))
    for part, found in parts.items():
        print(f"{part:12s} {len(found):6d} texts {sum(map(len, found)) / 1e6:6.1f} M characters")


def unannotated(data: Path, out: Path) -> None:
    """The clinical texts; and texts of all parts that teachers tag for small taggers."""
    out.mkdir(parents=True, exist_ok=True)
    random_order = random.Random(1)

    def drawn(texts: Iterable[str]) -> list[str]:
        found = list(texts)
        random_order.shuffle(found)
        return found

    clinical = clinical_texts([data / SILVER, *gold_files(data)], data)
    write(out / "clinical.jsonl", ({"id": f"c{i}", "text": t} for i, t in enumerate(clinical)))
    abstracts, papers = drawn(abstracts_of(data))[:1200], drawn(papers_of(data))[:150]
    people = drawn(read_texts([data / WINER]))[:500]
    parts = {
        "par": clinical_texts([data / SILVER], data) * 2,
        "medical": drawn(documents(data / "rawtext/medical.txt.gz"))[:1500],
        "morfitt": abstracts,
        "winer": people,
        "news": drawn(documents(data / "rawtext/news_encyclopedia.txt.gz"))[:300],
        "lit": drawn(documents(data / "rawtext/literature.txt.gz"))[:200],
        "eur": papers,
    }
    every = ((f"{name}-{i}", t) for name, found in parts.items() for i, t in enumerate(found))
    write(out / "unannotated.jsonl", ({"id": i, "text": t, "entities": []} for i, t in every))


def clinical_texts(sources: Sequence[Path], data: Path) -> list[str]:
    """Each text once, without near copies of held-out notes."""
    return list({plain(r["text"]): r["text"] for r in far(sources, data)}.values())


def abstracts_of(data: Path) -> list[str]:
    with gzip.open(data / "morfitt_abstracts/train.tsv.gz", "rt", encoding="utf-8") as lines:
        return [x.split("\t")[1].strip() for x in list(lines)[1:] if "\t" in x]


def papers_of(data: Path) -> list[str]:
    """Old newspapers, 500 words at a time."""
    with gzip.open(data / "europeana_fr/enp_FR.bnf.bio.gz", "rt", encoding="utf-8") as lines:
        words = [line.split()[0] for line in lines if line.strip()]
    return [" ".join(words[i : i + 500]) for i in range(0, len(words), 500)]


def notes(data: Path, out: Path) -> None:
    """The annotated notes without near copies, in two parts: to train on, to stop by.

    The hand-written ones of the first part stand in a file of their own too, to be refilled.
    """
    out.mkdir(parents=True, exist_ok=True)
    kept = {row["id"]: tidy(row) for row in far(gold_files(data), data)}
    write(out / "all.jsonl", kept.values())
    for name, part in zip(
        ("gold", "held_out"),
        split(read_corpus([out / "all.jsonl"]), share=HELD_OUT, seed=0),
        strict=True,
    ):
        write(out / f"{name}.jsonl", (kept[doc.id] for doc, _ in part))
        print(f"{name:12s} {len(part):6d} notes")
    write(out / "hand.jsonl", (r for r in rows(out / "gold.jsonl") if "parhaf" not in r["id"]))


def written(out: Path) -> None:
    """The hand-written notes and lines beside this script: train.jsonl and held_out.jsonl."""
    out.mkdir(parents=True, exist_ok=True)
    parts: dict[str, list[Row]] = {"train": [], "held_out": []}
    for path in sorted((Path(__file__).parent / "written").glob("*.txt")):
        for number, text in enumerate(marked_texts(path)):
            plain_text, spans = marked(text)
            entities = [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]
            row = {"id": f"{path.stem}-{number}", "text": plain_text, "entities": entities}
            parts["held_out" if number % EIGHTH == 3 else "train"].append(row)
    for name, found in parts.items():
        write(out / f"{name}.jsonl", found)
        print(f"{name:12s} {len(found):6d} notes and lines")


def marked_texts(path: Path) -> list[str]:
    """The notes, or the lines, of a file of `written`."""
    text = path.read_text(encoding="utf-8")
    parts = _TITLE.split(text) if path.stem.startswith("notes") else text.splitlines()
    return [part.strip("\n") for part in parts if part.strip()]


def without(label: str, found: Iterable[Row]) -> Iterator[Row]:
    """Rows without the spans of one label."""
    for row in found:
        yield row | {"entities": [e for e in row["entities"] if e["label"] != label]}


def far(sources: Sequence[Path], data: Path) -> Iterator[Row]:
    """The rows that are no near copy of a held-out note."""
    held = set[str]()
    for path in sorted(data.glob("gold_dev*/*.jsonl")):
        for row in rows(path):
            held |= runs(row["text"])
    for row in chain.from_iterable(map(rows, sources)):
        if len(runs(row["text"]) & held) < NEAR:
            yield row


def runs(text: str) -> set[str]:
    """Every run of 12 words."""
    words = text.split()
    return {" ".join(words[i : i + 12]) for i in range(len(words) - 12)}


def tidy(row: Row) -> Row:
    """The conventions of the label table: "CH-" and "Cedex" lie outside, a birth is whole."""
    spans, patient = [], row.get("patient") or {}
    if len(patient.get("birth_date") or "") < len("1958-01-01"):
        patient = {name: value for name, value in patient.items() if name != "birth_date"}
    for entity in row["entities"]:
        start, end, label = entity["start"], entity["end"], entity["label"]
        value = row["text"][start:end]
        if label == "ZIP" and (found := re.match(r"[A-Z]{1,2}[-– ]+(?=\d)", value)):
            start += found.end()
        if label == "CITY" and (found := re.search(r"(?i)\s+cedex(\s+\d+)?$", value)):
            end = start + found.start()
        spans.append({"start": start, "end": end, "label": label})
    return row | {"entities": spans, "patient": patient}


def documents(path: Path) -> Iterator[str]:
    """Documents of about 3,000 characters from the lines of a text file; a short end is left."""
    held, size = list[str](), 0
    with open_text(path) as lines:
        for line in filter(None, map(str.strip, lines)):
            held.append(line[:_LINE])
            size += len(line)
            if size > _PARAGRAPHS:
                yield "\n".join(held)
                held, size = [], 0


def gold_files(data: Path) -> list[Path]:
    return sorted(data.glob("gold_train/*.jsonl"))


def plain(text: str) -> str:
    return " ".join(text.split())


def bare(text: str) -> str:
    """Without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def rows(path: Path) -> Iterator[Row]:
    with open_text(path) as lines:
        yield from map(json.loads, lines)


def write(path: Path, found: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in found)


if __name__ == "__main__":
    main()
