"""What de-identification keeps of the medical content, beside HNFC's and FASDIM's figures.

    python benchmarks/utility.py [--annotated FILE.jsonl] [--plain FILE.jsonl] [--coder full]
        [--icd10 FILE] [--atc FILE] [--ccam FILE] [--policies aphp dp …] [--notes 620] [--json FILE]

- --annotated: notes with spans; every identity is drawn anew (`dpdeid.synth.refill`) first;
- --plain: notes where nobody is named ("text"); lines with identities are put between theirs;
- each is coded before and after each policy; detection is run once and shared by the policies;
- the time-aware coder is run on fictitious stays (`made.timed_stays`), by policy and by ε, with the
  detectors that are not trained;
- a linear classifier is trained on one side and tested on the other;
- what the coder itself finds of planted codes, and how fast it is.

Without a file fictitious notes are made. `--coder light` needs no extra.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from detection import percent, rules_alone
from made.read_again import codes_read
from made.timed_stays import Planted, planted_stays

from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.attacks.names import planted
from dpdeid.evaluate.classifier import transfer
from dpdeid.evaluate.coding.coders import EdsCoder, LightCoder
from dpdeid.evaluate.coding.codes import Code, Coder, Terminology
from dpdeid.evaluate.coding.planted import on_planted
from dpdeid.evaluate.coding.terms import label_file
from dpdeid.evaluate.coding.timed import RULES, TimedCoder
from dpdeid.evaluate.counts import Counts
from dpdeid.evaluate.utility import Comparison, compare
from dpdeid.normalize import clean
from dpdeid.policy.policy import Policy, load_policy, parse_policy, policy_text
from dpdeid.synth.corpus import notes as synth_notes
from dpdeid.synth.refill import refilled
from dpdeid.testing import KEY

POLICIES: Final = ("aphp", "dp", "dp-strict", "hnfc", "redact")
FASDIM: Final = {
    "icd10_diagnoses": 0.9949,
    "icd10_procedures": 0.9892,
    "icd10_laboratory": 0.9699,
    "atc": 0.9884,
    "ccam": 0.9966,
    "all": 0.9902,
}
"""Chazard et al. 2014, table V: 508 real discharge letters, coded by experts, names removed."""
HNFC: Final = (
    "HNFC 2022       –     –  58.8   39.6  47.3     18.8   "
    "64 real notes, 246 codes, two professional coders, a group of notes each"
)
"""Tchouka et al. 2022, table 4 and figure 8 (J = 1 in 12 of 64)."""
TARGETS: Final = {"aphp": {"kept": 0.995, "equal": 0.95}, "dp": {"kept": 0.99}}
EPSILONS: Final = {
    "dp": ("stay: [0.36, 0.6, 0]", ("[0.09, 0.15, 0]", "[0.18, 0.3, 0]", "[0.72, 1.2, 0]")),
    "dp-strict": ("epsilon: 12", ("3", "6", "24", "48", "96")),
    "hnfc": ("epsilon: 8", ("2", "4", "16", "64", "256")),
}
"""Where a policy writes its ε, and the values tried beside its own."""
SYNTH: Final = 60
"""Fictitious notes where no file is given."""
CONDITIONS: Final = {"event": "I21 I63", "birth": "newborn", "delivery": "puerperium"}
"""What a rule counts from, and the head of its column."""
LINES: Final = 6
"""Lines with identities that are put into a plain note."""


Found = Mapping[str, tuple[Span, ...]]
"""The spans of each text."""


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    opener = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def annotated_notes(path: Path | None, count: int) -> list[Document]:
    """Annotated notes with other identities."""
    rows = synth_notes(min(count, SYNTH), 1) if path is None else rows_of(path)
    found = []
    for number, row in zip(range(1, count + 1), rows, strict=False):
        key = "silver_spans" if "silver_spans" in row else "entities"
        new = refilled(row, 1, key=key, number=number)
        found.append(Document(new["id"], clean(new["text"]).text))
    return found


def plain_notes(path: Path, count: int) -> list[Document]:
    """Notes without identities, with lines of fictitious notes that hold some between theirs."""
    rows = [row for _, row in zip(range(count), rows_of(path), strict=False)]
    return [
        Document(str(row["id"]), clean(_mixed(row["text"], made)).text)
        for row, made in zip(rows, synth_notes(len(rows), 7), strict=True)
    ]


def _mixed(text: str, made: Mapping[str, Any]) -> str:
    starts = [e["start"] for e in made["entities"]]
    at, lines = 0, []
    for line in made["text"].splitlines():
        if any(at <= start < at + len(line) for start in starts):
            lines.append(line)
        at += len(line) + 1
    sentences = text.split(". ")
    step = max(1, len(sentences) // LINES)
    pieces = []
    for number, sentence in enumerate(sentences):
        pieces.append(sentence)
        pieces.append(f".\n{lines.pop(0)}\n" if number % step == 0 and lines[:1] else ". ")
    return "".join(pieces)


def found_once(docs: Sequence[Document]) -> Found:
    """What the default detectors find, for all policies: they share detectors and merge."""
    finder = Deidentifier("aphp", key=KEY)
    return {doc.text: finder.detect(doc).spans for doc in docs}


def released(policy: Policy, docs: Sequence[Document]) -> list[Document]:
    engine = Deidentifier(policy, key=KEY)
    return [Document(doc.id, engine(doc).text) for doc in docs]


def of_policies(
    coder: Coder, docs: Sequence[Document], names: Sequence[str], causes: int
) -> dict[str, Any]:
    """Comparisons by policy, the classifier's transfer, and which words codes were lost with."""
    given = found_once(docs)
    before = [tuple(coder(doc)) for doc in docs]
    truth = [frozenset(f"{c.terminology}:{c.value}" for c in codes) for codes in before]
    out: dict[str, Any] = {}
    for name in names:
        after = released(planted(load_policy(name), given), docs)
        coded = [tuple(coder(doc)) for doc in after]
        total = sum(map(compare, before, coded), Comparison())
        sides = ([doc.text for doc in docs], [doc.text for doc in after])
        learnt = transfer([doc.id for doc in docs], *sides, truth)
        out[name] = {
            **total.as_json(),
            "classifier": {way: round(c.f1, 4) for way, c in learnt.items()},
        }
        kept = total.kept()
        shares = (kept["icd10"], kept["atc"], kept["all"])
        print(
            f"{name:10s} "
            + "".join(f"{percent(share):>6s}" for share in shares)
            + f" {percent(total.all.precision):>6s}{percent(total.all.f1):>6s}"
            + f" {percent(total.equal):>8s}   "
            + "  ".join(f"{way} {c.f1:.2f}" for way, c in learnt.items())
        )
        for line in _causes(docs, before, after, coded, given, causes):
            print("    ", line)
    print(HNFC)
    return out


def beside_fasdim(report: Mapping[str, Any]) -> None:
    """The share kept by FASDIM's classes, beside theirs."""
    print(f"\n{'kept, %':20s}" + "".join(f"{name:>11s}" for name in ("FASDIM 2014", *report)))
    for name, published in FASDIM.items():
        shares = [published, *(row["kept"].get(name) for row in report.values())]
        cells = (percent(math.nan if share is None else share) for share in shares)
        print(f"{name:20s}" + "".join(f"{cell:>11s}" for cell in cells))


def _causes(
    docs: Sequence[Document],
    before: Sequence[Sequence[Any]],
    after: Sequence[Document],
    coded: Sequence[Sequence[Any]],
    given: Found,
    most: int,
) -> Iterator[str]:
    """Codes lost, with the span that was replaced there; codes invented, with their new words."""
    for doc, old, new_doc, new in zip(docs, before, after, coded, strict=True):
        lost = {c.value for c in old} - {c.value for c in new}
        for code in old:
            if code.value in lost and most > 0:
                words = doc.text[code.start : code.end]
                spans = [
                    f"{s.label}:{doc.text[s.start : s.end]!r}"
                    for s in given[doc.text]
                    if s.start < code.end + 20 and code.start - 20 < s.end
                ]
                yield f"lost {code.value} {words!r} near {', '.join(spans)}"
                most -= 1
        made = {c.value for c in new} - {c.value for c in old}
        for code in new:
            if code.value in made and most > 0:
                yield f"made {code.value} {new_doc.text[code.start - 30 : code.end + 10]!r}"
                most -= 1


def timed_table(names: Sequence[str], count: int) -> dict[str, Any]:
    """The time-aware coder on fictitious stays: itself, then by policy and ε."""
    stays = list(planted_stays(count))
    coder = TimedCoder()
    before = [coder(one.document) for one in stays]
    own = Counts()
    for one, codes in zip(stays, before, strict=True):
        given = {(c.terminology, c.value) for c in codes}
        own += Counts(len(given & one.codes), len(given - one.codes), len(one.codes - given))
    out: dict[str, Any] = {"coder": {"precision": own.precision, "recall": own.recall}}
    print(f"\ntime-aware coder on {count} planted stays: P {percent(own.precision)} ", end="")
    print(f"R {percent(own.recall)}; below, % of its codes kept")
    columns = "".join(f"{name:>11s}" for name in (*CONDITIONS.values(), "age", "stay", "all"))
    print(f"{'policy':26s}{columns}    J = 1  mean J")
    others = [*before[len(RULES) :], *before[: len(RULES)]]
    out["chance"] = _timed_row("(the next stay's dates)", stays, before, others)
    for name in names:
        policies = {name: rules_alone(load_policy(name))}
        written, values = EPSILONS.get(name, ("", ()))
        option = written.partition(":")[0]
        for value in values:
            text = policy_text(name).replace(written, f"{option}: {value}", 1)
            policies[f"{name} {option} {value}"] = rules_alone(parse_policy(text))
        for label, policy in policies.items():
            engine = Deidentifier(policy, key=KEY)
            texts = [engine(one.document).text for one in stays]
            after = [coder(Document("", text)) for text in texts]
            out[label] = _timed_row(label, stays, before, after)
            out[label]["kept_read_by_dateparser"] = kept = read_again(stays, texts)
            print(f"{'  read by dateparser':26s}{percent(kept):>66s}")
    histogram({name: out[name] for name in names})
    return out


def read_again(stays: Sequence[Planted], texts: Sequence[str]) -> float:
    """The share of the codes that dateparser's days give which they give after release, too."""
    kept = told = 0
    for at, (one, text) in enumerate(zip(stays, texts, strict=True)):
        rule = RULES[at % len(RULES)]
        before = codes_read(one.document.text, rule)
        kept += len(before & codes_read(text, rule))
        told += len(before)
    return kept / max(told, 1)


def _timed_row(
    label: str,
    stays: Sequence[Planted],
    before: Sequence[Iterable[Code]],
    after: Sequence[Iterable[Code]],
) -> dict[str, Any]:
    """One row: by condition, by grouping, and the Jaccard indices."""
    total = Comparison()
    conditions = dict.fromkeys(CONDITIONS.values(), Comparison())
    for one, old, new in zip(stays, before, after, strict=True):
        single = compare(old, new)
        total += single
        conditions[CONDITIONS[one.since]] += single
    kept = {name: each.kept()["icd10"] for name, each in conditions.items()}
    kept |= {name: total.kept().get(name, 0.0) for name in ("age", "stay", "all")}
    print(f"{label:26s}" + "".join(f"{percent(share):>11s}" for share in kept.values()), end="")
    row = total.as_json()
    print(f"{percent(total.equal):>9s}{row['jaccard']['mean'] or 0:8.2f}")
    return {**row, "kept_by_condition": kept}


def speed(coder: Coder, docs: Sequence[Document]) -> float:
    started = time.process_time()
    for doc in docs:
        tuple(coder(doc))
    return len(docs) / max(time.process_time() - started, 1e-9)


def histogram(report: Mapping[str, Any]) -> None:
    """HNFC's Figure 8: the share of notes in each tenth of Jaccard, and from there on."""
    print("\nJaccard, share of notes in a bin (and from it on)")
    print(f"{'':10s}" + "".join(f"{at / 10:>12.1f}" for at in range(10)))
    for name, row in report.items():
        cells = (
            f"{percent(b['share'] or 0):>5s} ({percent(b['cumulative'] or 0):>5s})"
            for b in row["jaccard"]["histogram"]
        )
        print(f"{name:10s}" + "".join(f"{c:>14s}"[-13:] for c in cells))


def targets_missed(report: Mapping[str, Any]) -> list[str]:
    missed = []
    for name, wanted in TARGETS.items():
        if name in report:
            kept, equal = report[name]["kept"].get("all"), report[name]["jaccard"]["equal"]
            if kept is not None and kept < wanted["kept"]:
                missed.append(f"{name} keeps {percent(kept)} % of codes")
            if equal is not None and equal < wanted.get("equal", 0):
                missed.append(f"{name}: the codes of {percent(equal)} % of notes are the same")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--annotated", type=Path)
    parser.add_argument("--plain", type=Path)
    parser.add_argument("--coder", choices=["full", "labels", "light"], default="full")
    for kind in ("icd10", "atc", "ccam"):
        parser.add_argument(f"--{kind}", type=Path)
    parser.add_argument("--policies", nargs="*", default=list(POLICIES))
    parser.add_argument("--notes", type=int, default=620, help="0: stays alone")
    parser.add_argument("--stays", type=int, default=600)
    parser.add_argument("--causes", type=int, default=0, help="print so many losses a policy")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    names, stays = args.policies, args.stays
    if args.tiny:
        args.coder, names, stays = "light", ["aphp"], 24
    files = {Terminology(kind): getattr(args, kind) for kind in ("icd10", "atc", "ccam")}
    labels = {kind: label_file(path, kind) for kind, path in files.items() if path}
    started = time.process_time()
    coder: Coder = (
        LightCoder(labels) if args.coder == "light" else EdsCoder(labels, full=args.coder == "full")
    )
    report: dict[str, Any] = {"coder": args.coder, "start_cpu_s": time.process_time() - started}
    print(f"coder {args.coder}, made in {report['start_cpu_s']:.1f} CPU-s; on planted sentences:")
    found = on_planted(coder)
    for section, c in found.items():
        print(f"  {section:10s} P {percent(c.precision):>5s}  R {percent(c.recall):>5s}", end="")
        print(f"   ({c.tp} right, {c.fp} wrong, {c.fn} missed)")
    report["planted"] = {k: {"tp": c.tp, "fp": c.fp, "fn": c.fn} for k, c in found.items()}
    sets = {"refilled": annotated_notes(args.annotated, args.notes)} if args.notes else {}
    if args.plain:
        sets["plain with identities"] = plain_notes(args.plain, args.notes)
    missed = []
    for title, docs in sets.items():
        report["notes_per_cpu_s"] = speed(coder, docs[:200])
        print(f"\n{title}: {len(docs)} notes, {report['notes_per_cpu_s']:.0f} notes/CPU-s")
        print(
            "policy      ICD   ATC   all      P    F1      J=1   classifier, trained → tested: F1"
        )
        report[title] = of_policies(coder, docs, names, args.causes)
        beside_fasdim(report[title])
        histogram(report[title])
        missed += [f"{title}: {what}" for what in targets_missed(report[title])]
    report["timed"] = timed_table(names, stays)
    for what in missed:
        print("below its target:", what)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
