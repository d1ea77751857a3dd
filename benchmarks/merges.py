"""Which detectors, and which rule between them: one table, from one run of each detector.

    python benchmarks/merges.py [GOLD …] [--half odd|even|all] [--dropped] [--json FILE]

Detectors: the rules (patterns, lookup, lookup_places and what the patient's file says), the shipped
CRF, the shipped transformer, every pair, all. Between them the rule of AP-HP (`union`), of HNFC
(`tags`), of CHUV (`route`), and ours (`decision`). Notes per CPU-second are those of
the detectors of the row, timed together here; the sharing of the rules' work between them is
counted once. Taggers that are not installed are left out. Without a file the shipped fictitious
notes are scored.

`--dropped` asks instead what the merge of each shipped policy costs by dropping: the same
proposals under it and united, in recall (tokens redacted, direct identifiers and the others) and in
precision.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from detection import IDENTIFYING, Note, gold_sets, percent

from dpdeid import testing
from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.merge.published import Route, Tags, Union
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import ModelError
from dpdeid.evaluate.detection import Scores, score
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.policy.policy import names as policy_names
from dpdeid.protocols import Detector, Learned, Merge
from dpdeid.spans import disjoint
from dpdeid.testing import KEY

CONTEXTUAL: Final = (
    Label.LAST_NAME, Label.FIRST_NAME, Label.CITY, Label.HOSPITAL, Label.ORGANIZATION, Label.UNIT,
    Label.PROFESSION, Label.KINSHIP, Label.NATIONALITY, Label.MARITAL_STATUS,
)  # fmt: skip
"""Labels that `route` gives to the best tagger of a row; the rules own those with a form."""

Proposals = dict[str, tuple[Span, ...]]


def detectors() -> dict[str, tuple[Detector, ...]]:
    """The groups of detectors that can run here."""
    every = load_policy("dp").detectors
    groups = {"rules": tuple(d for d in every if not isinstance(d, Learned))}
    for tagger in every:
        if not isinstance(tagger, Learned):
            continue
        try:
            tuple(tagger(Document("try", "Mme Durand")))
        except ModelError as error:
            print(f"without {tagger.name}: {error}", file=sys.stderr)
        else:
            groups[tagger.name] = (tagger,)
    return groups


def propose(
    groups: Mapping[str, Sequence[Detector]], notes: Sequence[Note]
) -> tuple[list[Proposals], dict[str, float]]:
    """What each group proposes in each note, and the CPU-seconds it took."""
    spent = dict.fromkeys(groups, 0.0)
    found = []
    propagator = load_policy("dp").propagators[0]
    for doc, _ in notes:
        row: Proposals = {}
        for name, group in groups.items():
            began = time.process_time()
            spans = tuple(span for detector in group for span in detector(doc))
            if name == "rules":
                spans += tuple(propagator([doc], [spans])[0])
            row[name] = spans
            spent[name] += time.process_time() - began
        found.append(row)
    return found, spent


def rules_between(names: Sequence[str]) -> list[Merge]:
    """The rules that can decide between these detectors."""
    if len(names) == 1:
        return [Union()]
    contextual = "transformer" if "transformer" in names else "crf"
    owners = dict.fromkeys(CONTEXTUAL, contextual)
    if "rules" in names:
        owners |= {label: "rules" for label in Label if label not in CONTEXTUAL}
    return [Union(), Tags(), Route(owners=owners), Decision()]


def shown(merge: Merge) -> str:
    return str(getattr(merge, "name", type(merge).__name__))


def rows(notes: Sequence[Note]) -> list[dict[str, Any]]:
    """The table: one row a choice."""
    groups = detectors()
    found, spent = propose(groups, notes)
    out = []
    for size in range(1, len(groups) + 1):
        for names in combinations(groups, size):
            for merge in rules_between(names):
                total = Scores()
                for (doc, gold), proposals in zip(notes, found, strict=True):
                    total += score(doc, gold, merge(doc, {n: proposals[n] for n in names}))
                tokens = total.micro(total.token, IDENTIFYING)
                seconds = sum(spent[n] for n in names)
                out.append(
                    {
                        "detectors": " + ".join(names),
                        "merge": shown(merge) if len(names) > 1 else "",
                        "redacted": total.direct.redacted,
                        "fully redacted": total.direct.fully_redacted,
                        "precision": tokens.precision,
                        "recall": tokens.recall,
                        "notes/CPU-s": len(notes) / seconds if seconds else None,
                    }
                )
    return out


def dropped(notes: Sequence[Note]) -> list[dict[str, Any]]:
    """The table of `--dropped`: a row a merge, one for all policies that share it."""
    policies: dict[tuple[object, ...], list[Policy]] = {}
    for policy in map(load_policy, policy_names()):
        policies.setdefault((policy.detectors, policy.propagators, policy.merge), []).append(policy)
    out = []
    for alike in policies.values():
        found = Deidentifier(alike[0], key=KEY)
        rows: dict[str, Scores] = {"merged": Scores(), "united": Scores()}
        for doc, gold in notes:
            finding = found.detect(doc)
            rows["merged"] += score(doc, gold, finding.spans)
            rows["united"] += score(doc, gold, disjoint(finding.proposals))
        for way, total in rows.items():
            tokens = total.micro(total.token, IDENTIFYING)
            out.append(
                {
                    "policies": ", ".join(policy.name for policy in alike),
                    "merge": shown(alike[0].merge) if way == "merged" else "the same, united",
                    "direct": total.direct.redacted,
                    "indirect": total.quasi.redacted,
                    "fully redacted": total.direct.fully_redacted,
                    "left": [total.direct.leaked, total.quasi.leaked],
                    "precision": tokens.precision,
                }
            )
    return out


def show_dropped(report: Sequence[Mapping[str, Any]]) -> None:
    """Prints the table of `--dropped`."""
    for row in report:
        figures = " ".join(
            f"{percent(row[key]):>6s}"
            for key in ("direct", "indirect", "fully redacted", "precision")
        )
        direct, indirect = row["left"]
        print(f"{row['merge']:18s} {figures}  left {direct:4d} {indirect:4d}  {row['policies']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--half", choices=["odd", "even", "all"], default="odd")
    parser.add_argument("--dropped", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    sets = gold_sets(args.gold)
    if not sets:
        sets = {"shipped": list(testing.notes())[: 4 if args.tiny else None]}
    chosen = {"odd": slice(1, None, 2), "even": slice(0, None, 2), "all": slice(None)}[args.half]
    report: dict[str, Any] = {"half": args.half}
    for name, notes in sets.items() if args.dropped else ():
        report[name] = dropped(notes[chosen])
        print(f"\n{name}, {args.half} notes: direct, indirect, fully redacted; P by token")
        show_dropped(report[name])
    for name, notes in () if args.dropped else sets.items():
        report[name] = rows(notes[chosen])
        print(
            f"\n{name}, {args.half} notes: direct identifiers redacted, fully redacted notes; "
            "P R by token"
        )
        for row in report[name]:
            figures = " ".join(
                f"{percent(row[key]):>6s}"
                for key in ("redacted", "fully redacted", "precision", "recall")
            )
            speed = f"{row['notes/CPU-s']:7.0f}" if row["notes/CPU-s"] else "      –"
            print(f"{row['detectors']:26s} {row['merge']:12s} {figures} {speed} notes/CPU-s")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
