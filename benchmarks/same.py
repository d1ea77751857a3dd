"""Whether two checkouts find and release the same: spans and bytes, note by note.

    python benchmarks/same.py OLD NEW [--policy NAME …] [--gold FILE …] [--json FILE]

OLD and NEW are checkouts, or files that `--keep FILE` wrote of one (`same.py OLD --keep FILE`). A
checkout is asked in a process of its own, through the public names only. Notes: the shipped
fictitious ones, those of benchmarks/fresh, and the JSON lines given by --gold; three at a time
they are a patient. Both sides read the notes of the checkout this file is in. The exit status is 1
where anything differs; what differs is named by policy and note, never shown. --tiny compares this
checkout with itself on the first shipped notes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parents[1]
POLICIES = ("dp", "aphp", "hnfc-strict", "chuv")
PATIENT = 3
"""Notes that make a patient."""
KEY = bytes.fromhex("9e157993efdf6244f98606eb74341c5b60c86e5f89381ecc44f4c2536f8998b9")
MARK = re.compile(r"«[A-Z_]+:([^»]*)»")
FACTS = {
    "first_name": "FIRST_NAME",
    "last_name": "LAST_NAME",
    "birth_date": "BIRTH_DATE",
    "address": "STREET",
    "city": "CITY",
    "zip": "ZIP",
    "phone": "PHONE",
    "ipp": "PATIENT_ID",
    "nda": "VISIT_ID",
    "ssn": "SSN",
}
"""What gold notes tell of a patient, and the label it is known under."""

Row = dict[str, Any]


def notes(gold: list[Path]) -> Iterator[Row]:
    """Every note: an id, a text, and where the file has them a date and facts of the patient."""
    shipped = next((HERE / "dpdeid").rglob("notes.yaml"))
    for number, row in enumerate(yaml.safe_load(shipped.read_text(encoding="utf-8"))):
        yield {"id": f"demo-{number:03}", "text": MARK.sub(r"\1", row["text"])}
    for path in sorted((HERE / "benchmarks" / "fresh").glob("*.txt")):
        parts = re.split(r"(?m)^=====.*\n", path.read_text(encoding="utf-8"))
        for number, text in enumerate(filter(str.strip, parts)):
            yield {"id": f"{path.stem}-{number:03}", "text": MARK.sub(r"\1", text)}
    for path in gold:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            known = {
                label: row["patient"][name]
                for name, label in FACTS.items()
                if (row.get("patient") or {}).get(name)
            }
            yield {
                "id": f"{path.parent.name}-{number:03}",
                "text": row["text"],
                "date": row.get("note_date"),
                "known": known,
            }


def ask(policies: list[str]) -> None:
    """Reads rows from standard input and prints, by policy, what each note gave, as JSON."""
    from dpdeid import Deidentifier, Document, Failure, Label

    docs = [
        Document(
            row["id"],
            row["text"],
            f"p-{number // PATIENT}",
            row.get("date"),
            {Label[name]: (value,) for name, value in row.get("known", {}).items()},
        )
        for number, row in enumerate(json.load(sys.stdin))
    ]
    given = {}
    for policy in policies:
        given[policy] = {
            done.id: [done.error]
            if isinstance(done, Failure)
            else [
                [(s.start, s.end, s.label.value, s.source, s.role.value) for s in done.spans],
                hashlib.blake2b(done.text.encode(), digest_size=12).hexdigest(),
                done.note_date,
                sorted(json.dumps(charge.to_json()) for charge in done.ledger.charges),
            ]
            for done in Deidentifier(policy, key=KEY).pipe(docs)
        }
    json.dump(given, sys.stdout)


def given_by(place: Path, policies: list[str], rows: list[Row]) -> dict[str, Any]:
    """What a checkout, or a file kept of one, gives: policy → note → spans, digest, charges."""
    if place.is_file():
        return dict(json.loads(place.read_text(encoding="utf-8")))
    environment = {**os.environ, "PYTHONPATH": str(place.resolve())}
    command = [sys.executable, str(Path(__file__).resolve()), "--ask", ",".join(policies)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            command,
            input=json.dumps(rows),
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=folder,
        )
    if done.returncode:
        sys.exit(f"{place} failed:\n{done.stderr[-2000:]}")
    return dict(json.loads(done.stdout))


def main() -> None:
    if sys.argv[1:2] == ["--ask"]:
        sys.path.pop(0)  # the folder of this file: the checkout asked stands behind it
        ask(sys.argv[2].split(","))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", nargs="*", type=Path, metavar="CHECKOUT")
    parser.add_argument("--policy", action="append", choices=POLICIES)
    parser.add_argument("--gold", nargs="*", type=Path, default=[])
    parser.add_argument("--keep", type=Path, help="write what the one checkout gives")
    parser.add_argument("--json", type=Path, help="write the counts")
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    policies, rows = args.policy or list(POLICIES), list(notes(args.gold))
    if args.tiny:
        policies, rows, args.places = policies[:1], rows[:PATIENT], [HERE, HERE]
    sides = [given_by(place, policies, rows) for place in args.places]
    if args.keep:
        args.keep.write_text(json.dumps(sides[0]), encoding="utf-8")
        return
    if len(sides) != 2:
        parser.error("two checkouts, or one and --keep")
    counts = {}
    for policy in policies:
        old, new = (json.loads(json.dumps(side[policy])) for side in sides)
        ids = {name: old.get(name) != new.get(name) for name in {**old, **new}}
        spans = sum((old.get(n) or [0])[0] != (new.get(n) or [0])[0] for n in ids)
        counts[policy] = {"notes": len(ids), "other spans": spans, "differ": sum(ids.values())}
        print(policy, *(f"  {name} {count}" for name, count in counts[policy].items()), sep="\n")
        print(*(f"    {name}" for name, other in sorted(ids.items()) if other), sep="\n")
    if args.json:
        args.json.write_text(json.dumps(counts), encoding="utf-8")
    sys.exit(any(count["differ"] for count in counts.values()))


if __name__ == "__main__":
    main()
