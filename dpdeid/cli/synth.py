"""`dpdeid synth` and `dpdeid demo`: fictitious notes with their spans, as rows of JSON; and the
shipped ones before and after, under three policies side by side.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from dpdeid.assurance.report import statement
from dpdeid.cli.terminal import Console, exit_code, progress, table
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.json_lines import file_lines
from dpdeid.formats.write import json_line, keep_apart, open_private
from dpdeid.synth.corpus import notes as made_up
from dpdeid.synth.refill import refilled
from dpdeid.testing import notes as shipped

POLICIES: Final = ("hnfc", "dp", "aphp")
NARROW: Final = 120
"""Below this many columns the three results stand under one another."""


def synth(
    notes: int = 100,
    seed: int = 0,
    types: list[str] | None = None,
    refill: Path | None = None,
    spans: str = "entities",
    output: Path | None = None,
) -> int:
    """Writes so many notes, or each note of `refill` with other identities.

    Raises:
        UsageError: a type is unknown, the file cannot be read, or the output is refused.
    """
    keep_apart((refill,), output)
    written = failed = 0
    rows = (
        made_up(notes, seed, tuple(types or ())) if refill is None else _others(refill, seed, spans)
    )
    with ExitStack() as files:
        out = sys.stdout if output is None else files.enter_context(open_private(output))
        for row in progress(rows, "made"):
            out.write(json_line(row))
            failed += "error" in row
            written += "error" not in row
    return exit_code(written, failed)


def _others(path: Path, seed: int, key: str) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise UsageError(f"no such file: {path}")
    for number, row in file_lines(path):
        try:
            if isinstance(row, str):
                raise InputError(f"row {number}: {row}")
            yield refilled(row, seed, key=key, number=number)
        except InputError as error:
            yield {"id": None, "error": str(error)}


def demo() -> int:
    """Prints each note before and after, then the ledgers; 1 if a note failed."""
    console = Console()
    docs = [doc for doc, _ in shipped()]
    key = Deidentifier(POLICIES[0]).cohort.key
    engines = {name: Deidentifier(name, key=key) for name in POLICIES}
    results = {name: list(engine.pipe(docs)) for name, engine in engines.items()}
    for index, doc in enumerate(docs):
        console.print(Rule(f"{doc.id} (fictitious)"))
        _show(console, doc, {name: results[name][index] for name in POLICIES})
    console.print(Rule("ledger"))
    console.print(_ledger(docs, results))
    for name, engine in engines.items():
        console.print(f"\n[bold]{name}[/bold]")
        console.print("\n".join(statement(engine.policy)))
    return int(any(isinstance(r, Failure) for rows in results.values() for r in rows))


def _show(console: Console, doc: Document, after: dict[str, Deidentified | Failure]) -> None:
    texts = {"before": Text(doc.text)} | {
        name: Text(result.text if isinstance(result, Deidentified) else result.error)
        for name, result in after.items()
    }
    if console.width < NARROW:
        for name, text in texts.items():
            console.print(f"[bold]{name}[/bold]")
            console.print(text, style="dim" if name == "before" else "")
        return
    console.print(table(texts, [texts.values()], expand=True))


def _ledger(docs: list[Document], results: dict[str, list[Deidentified | Failure]]) -> Table:
    """What each unit lost under each policy; a unit is shown by its keyed tag."""
    spent = []
    for name, rows in results.items():
        seen: dict[str, list[str]] = {}
        ledgers = {}
        for doc, result in zip(docs, rows, strict=True):
            if isinstance(result, Deidentified):
                for unit in result.ledger.units:
                    seen.setdefault(unit, []).append(doc.id)
                    ledgers[unit] = result.ledger
        for unit, ids in seen.items():
            charges = [c for c in ledgers[unit].charges if c.unit == unit]
            total = "\n".join(map(str, ledgers[unit].total(unit)))
            spent.append((name, ", ".join(ids), unit, str(len(charges)), total))
    return table(("policy", "notes", "unit (keyed)", "charges", "lost in total"), spent)
