"""The detection tables of the four published systems, ours in the same shape beside theirs.

    python benchmarks/published.py [GOLD.jsonl …] [--policy NAME] [--half odd|even|all] [--energy]
                                   [--json FILE]

AP-HP (Tannier et al. 2024): per label, redacted, fully redacted, extraction modes. HNFC (Tchouka et
al. 2022): its NER table. FASDIM (Chazard et al. 2014): its counts, where a repeated error counts
each time. CHUV (Loftsson 2022): the shape of its Table 4.1. The others of their experiments are in
`taggers` (size curve, document types, seeds), `merges` (taggers and rules compared), `utility`
(codes kept, Jaccard histogram) and `attacks` (uniqueness).

**The data differ, so no row says who is better**: theirs are real notes of one hospital each, ours
are fictitious notes of many kinds; AP-HP and CHUV counted what their own guides annotate, and HNFC
and FASDIM by their own matching. Ours are counted by token. Without a file the shipped fictitious
notes are scored.

Extraction modes: AP-HP's edspdf keeps the body of a page, pdfbox everything. Plain text has no
page, so the body is taken here as the lines from the first to the last one that reads as prose:
eight words or more, most of them in small letters.

Cost: notes per CPU-second; with --energy also watt-hours by `codecarbon`, where it is installed and
the machine lets it measure.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from detection import Note, percent, read_gold

from dpdeid import testing
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.evaluation import Evaluation, GoldNote, evaluate
from dpdeid.evaluate.figures import RATIOS
from dpdeid.formats.label_names import CLASSES
from dpdeid.testing import KEY

Row = tuple[float, ...]

APHP: Final[Mapping[str, Row]] = {
    "ADRESSE": (99.0, 98.4, 98.7, 98.5, 98.4),
    "DATE_NAISSANCE": (98.2, 98.2, 98.2, 99.8, 99.7),
    "VILLE": (98.0, 98.8, 98.4, 98.8, 98.2),
    "DATE": (99.7, 99.3, 99.5, 99.6, 95.4),
    "MAIL": (98.9, 99.9, 99.4, 99.9, 99.9),
    "PRENOM": (98.8, 98.4, 98.6, 99.4, 97.4),
    "NOM": (98.6, 98.6, 98.6, 99.6, 97.2),
    "SECU": (88.0, 98.9, 93.1, 100.0, 100.0),
    "IPP": (99.0, 94.0, 96.4, 98.2, 99.1),
    "TEL": (99.6, 99.7, 99.7, 99.7, 99.0),
    "NDA": (91.5, 89.4, 90.4, 90.4, 98.3),
    "ZIP": (99.9, 99.9, 99.9, 99.9, 99.3),
}
"""Hybrid: precision, recall, F1, redacted, fully redacted."""
APHP_ALL: Final[Row] = (99.0, 98.9, 99.0, 99.4, 86.2)
APHP_MODES: Final = {"body": (99.2, 93.1), "everything": (99.4, 75.7)}
"""Redacted and fully redacted after edspdf and pdfbox."""
HNFC: Final[Mapping[str, Row]] = {
    "PER": (96.3, 99.8, 98.0),
    "ORG": (41.1, 57.3, 47.8),
    "LOC": (88.4, 95.8, 92.0),
    "DATE": (97.7, 86.7, 91.9),
    "AGE": (91.5, 66.9, 77.3),
    "PHONE": (99.5, 97.9, 98.7),
}
"""The hybrid of CRF and FlauBERT: precision, recall, F1."""
HNFC_ALL: Final[Row] = (94.6, 94.9, 94.7)
FASDIM: Final = {"recall": 98.1, "precision": 79.6, "missed tokens a note": 0.36}
CHUV: Final[Mapping[str, Row]] = {
    "BÂTIMENT_CHAMBRE_OU_LIT": (10, 88, 70, 78),
    "STRUCTURE_RÉFÉRENCE": (178, 65, 41, 50),
    "EMAIL": (7, 100, 86, 92),
    "FAX": (11, 100, 91, 95),
    "TÉLÉPHONE": (31, 79, 87, 83),
    "URL": (1, 100, 100, 100),
    "NATIONALITÉ": (7, 67, 86, 75),
    "PROFESSION": (1, 0, 0, 0),
    "ÂGE": (136, 97, 65, 78),
    "ÉTAT_CIVIL": (3, 75, 100, 86),
    "CODE_POSTAL": (101, 100, 96, 98),
    "EMPLACEMENT_GÉOGRAPHIQUE": (172, 85, 88, 87),
    "PAYS": (38, 100, 89, 94),
    "RUE": (94, 95, 96, 95),
    "IPP": (9, 100, 100, 100),
    "NUMÉRO_BON": (33, 100, 100, 100),
    "NUMÉRO_SÉJOUR": (116, 99, 100, 100),
    "ORGANISATION": (144, 92, 68, 78),
    "LIEN_DE_PARENTÉ": (153, 84, 86, 85),
    "DATE": (1818, 99, 97, 98),
    "TEMPS": (307, 98, 89, 93),
}
"""Rules on the whole corpus: support, precision, recall, F1. Names and house numbers are split
otherwise in ours and left out; so is CODE_CANTON, which is a town here."""
CHUV_ALL: Final = {"micro": (95, 88, 91), "macro": (88, 83, 85), "weighted": (95, 88, 91)}

_WORDS, _SMALL = 8, 0.5
_WORD: Final = re.compile(r"\w+")


def is_prose(line: str) -> bool:
    """Eight words or more, most of them in small letters."""
    words = _WORD.findall(line)
    return len(words) >= _WORDS and sum(w.islower() for w in words) > _SMALL * len(words)


def body(text: str) -> tuple[int, int]:
    """Where the lines begin and end that stand between the first and the last one of prose."""
    at, ends = 0, []
    for line in text.splitlines(keepends=True):
        if is_prose(line):
            ends.append((at, at + len(line)))
        at += len(line)
    return (ends[0][0], ends[-1][1]) if ends else (0, 0)


def within(note: Note) -> Note:
    """The body of a note as a note of its own, with the gold spans that lie in it."""
    doc, spans = note
    start, end = body(doc.text)
    kept = (s for s in spans if start <= s.start and s.end <= end)
    moved = tuple(Span(s.start - start, s.end - start, s.label, source="gold") for s in kept)
    return Document(doc.id, doc.text[start:end], doc.patient_id, doc.note_date, doc.known), moved


def scored(notes: Sequence[Note], find: Deidentifier, scheme: str | None = None) -> Evaluation:
    """What the detectors find in these notes, counted in the classes of a scheme."""
    gold = [GoldNote(doc, spans) for doc, spans in notes]
    run = [find.detect(doc).spans for doc, _ in notes]
    options: dict[str, Any] = {"classes": CLASSES[scheme]} if scheme else {}
    return evaluate(gold, [run], resamples=0, **options)


def ours(found: Evaluation, *path: str, more: Sequence[str] = ()) -> Row:
    """Precision, recall and F1 by token in per cent, and further figures of the path."""
    values = [found.values[*path, "token", ratio] for ratio in RATIOS]
    return tuple(100 * v for v in (*values, *(found.values[*path, key] for key in more)))


def shown(values: Iterable[float]) -> str:
    return "".join(f"{percent(value / 100):>7s}" for value in values)


def aphp(notes: Sequence[Note], find: Deidentifier) -> dict[str, tuple[Row, Row]]:
    """Class → theirs, ours: precision, recall, F1, redacted, fully redacted, of their classes."""
    more = ("redacted", "fully_redacted")
    known = {label for label, name in CLASSES["aphp"].items() if name in APHP}
    theirs_only = [(doc, tuple(s for s in spans if s.label in known)) for doc, spans in notes]
    found = scored(notes, find, "aphp")
    whole = scored(theirs_only, find)
    rows = {
        name: (theirs, ours(found, "labels", name, more=more))
        for name, theirs in APHP.items()
        if ("labels", name, "redacted") in found.values
    }
    every = tuple(100 * whole.values["all", key] for key in more)
    return {**rows, "ALL": (APHP_ALL, (*ours(found, "micro"), *every))}


def hnfc(found: Evaluation) -> dict[str, tuple[Row, Row]]:
    """Class → theirs, ours: precision, recall, F1."""
    rows = {
        name: (theirs, ours(found, "labels", name))
        for name, theirs in HNFC.items()
        if ("labels", name, "redacted") in found.values
    }
    return {**rows, "micro": (HNFC_ALL, ours(found, "micro"))}


def fasdim(found: Evaluation) -> dict[str, tuple[Row, Row]]:
    """Figure → theirs, ours; a repeated error counts each time."""
    values = (
        100 * found.values["strict", "recall"],
        100 * found.values["strict", "precision"],
        found.values["strict", "missed_per_note"],
    )
    return {
        name: ((theirs,), (own,))
        for (name, theirs), own in zip(FASDIM.items(), values, strict=True)
    }


def chuv(found: Evaluation) -> dict[str, tuple[Row, Row]]:
    """Category → theirs, ours: support (spans), then precision, recall and F1 by token."""
    rows = {}
    for name, theirs in CHUV.items():
        path = ("labels", name)
        if (*path, "redacted") in found.values:
            support = sum(found.counts.get((*path, "exact", c), 0) for c in ("tp", "fn"))
            rows[name] = theirs, (support, *ours(found, *path))
    for mean, theirs in CHUV_ALL.items():
        rows[f"{mean} average"] = (0, *theirs), (0, *ours(found, mean))
    return rows


def modes(notes: Sequence[Note], find: Deidentifier) -> dict[str, Any]:
    """What leaving out all but the body removes, and what is redacted of the rest."""
    inside = [within(note) for note in notes]
    before, after = (
        sum(span.label.is_direct for _, spans in some for span in spans) for some in (notes, inside)
    )
    report: dict[str, Any] = {"removed by the body alone": 1 - after / before if before else None}
    for name, some in (("body", inside), ("everything", notes)):
        values = scored(some, find).values
        report[name] = {key: values["direct", key] for key in ("redacted", "fully_redacted")}
    return report


def cost(notes: Sequence[Note], find: Deidentifier, *, energy: bool) -> dict[str, float | None]:
    """Notes a second of CPU and of the clock; watt-hours a thousand notes, if they can be told."""
    tracker = _tracker() if energy else None
    if tracker is not None:
        tracker.start()
    began, cpu = time.perf_counter(), time.process_time()
    for doc, _ in notes:
        find(doc)
    used, spent = time.perf_counter() - began, time.process_time() - cpu
    hours = None
    if tracker is not None:
        tracker.stop()
        hours = 1_000_000 * float(tracker.final_emissions_data.energy_consumed) / len(notes)
    return {
        "notes_per_cpu_s": len(notes) / spent,
        "notes_per_s": len(notes) / used,
        "watt_hours_per_1000_notes": hours,
    }


def _tracker() -> Any:
    """A meter of energy that needs no network; None where codecarbon is not installed."""
    try:
        from codecarbon import OfflineEmissionsTracker
    except ImportError:
        print("codecarbon is not installed: energy is not measured", file=sys.stderr)
        return None
    return OfflineEmissionsTracker(
        country_iso_code="FRA", save_to_file=False, log_level="error", allow_multiple_runs=True
    )


def print_pairs(title: str, heads: str, rows: Mapping[str, tuple[Row, Row]]) -> None:
    print(f"\n{title}")
    width = 7 * max(len(theirs) for theirs, _ in rows.values())
    print(f"{'':26s} {'theirs: ' + heads:<{width}s}   ours")
    for name, (theirs, own) in rows.items():
        print(f"{name:26s}{shown(theirs):<{width}s} |{shown(own)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="dp", help="whose detectors are scored")
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    parser.add_argument("--energy", action="store_true", help="measure energy by codecarbon")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    notes = [note for path in args.gold for note in read_gold(path)]
    notes = notes or list(testing.notes())[: 3 if args.tiny else None]
    chosen = {"odd": notes[1::2], "even": notes[::2], "all": notes}[args.half]
    find = Deidentifier(args.policy, key=KEY)
    print(f"{len(chosen)} notes ({args.half}), policy {args.policy}; per cent, by token.")
    print("Theirs: real notes of one hospital. Ours: fictitious notes. No row says who is better.")
    tables = {
        "aphp": aphp(chosen, find),
        "hnfc": hnfc(scored(chosen, find, "hnfc")),
        "fasdim": fasdim(scored(chosen, find)),
        "chuv": chuv(scored(chosen, find, "chuv")),
    }
    print_pairs("AP-HP, hybrid", "P, R, F1, redacted, fully redacted", tables["aphp"])
    print_pairs("HNFC, NER", "P, R, F1", tables["hnfc"])
    print("\nFASDIM (recall and precision in per cent)")
    for name, ((theirs,), (own,)) in tables["fasdim"].items():
        print(f"{name:26s}{theirs:7.2f} |{own:7.2f}")
    print_pairs("CHUV, Table 4.1", "support, P, R, F1 (rules)", tables["chuv"])
    extraction, spent = modes(chosen, find), cost(chosen, find, energy=args.energy)
    print("\nExtraction (AP-HP: the body alone removes up to 80 % of identifiers)")
    print(
        f"the body alone removes {percent(extraction['removed by the body alone'] or 0)} % of ours"
    )
    for mode, measured in APHP_MODES.items():
        ours = [100 * value for value in extraction[mode].values()]
        print(f"{mode:26s}{shown(measured)} |{shown(ours)}   redacted, fully redacted")
    print("\nCost of the whole way", *(f"{k}: {v}" for k, v in spent.items()), sep="\n")
    if args.json:
        report = {"notes": len(chosen), "tables": tables, "extraction": extraction, "cost": spent}
        args.json.write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
