"""`dpdeid demo`: the shipped notes before and after, under three policies side by side."""

from __future__ import annotations

import secrets

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from dpdeid.cli.ending import Console
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.privacy.rng import KEY_BYTES
from dpdeid.statement import statement
from dpdeid.testing import notes

POLICIES = ("hnfc", "dp", "aphp")
NARROW = 120
"""Below this many columns the three results stand under one another."""


def demo() -> int:
    """Prints each note before and after, then the ledgers; 1 if a note failed."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    docs = [doc for doc, _ in notes()]
    key = secrets.token_bytes(KEY_BYTES)
    engines = {name: Deidentifier(name, key=key) for name in POLICIES}
    results = {name: list(engine.pipe(docs)) for name, engine in engines.items()}
    for index, doc in enumerate(docs):
        console.print(Rule(f"{doc.id} (fictitious)"))
        _show(console, doc, {name: results[name][index] for name in POLICIES})
    console.print(Rule("ledger"))
    console.print(_ledger(docs, results))
    for name, engine in engines.items():
        console.print(f"\n[bold]{name}[/bold]", highlight=False)
        console.print("\n".join(statement(engine.policy)), highlight=False)
    return int(any(isinstance(r, Failure) for rows in results.values() for r in rows))


def _show(console: Console, doc: Document, after: dict[str, Deidentified | Failure]) -> None:
    texts = {"before": Text(doc.text)}
    texts |= {
        name: Text(result.text if isinstance(result, Deidentified) else result.error)
        for name, result in after.items()
    }
    if console.width < NARROW:
        for name, text in texts.items():
            console.print(f"[bold]{name}[/bold]")
            console.print(text, style="dim" if name == "before" else "")
        return
    table = Table(*texts, expand=True, show_lines=False)
    table.add_row(*texts.values())
    console.print(table)


def _ledger(docs: list[Document], results: dict[str, list[Deidentified | Failure]]) -> Table:
    """What each unit lost under each policy; a unit is shown by its keyed tag."""
    table = Table("policy", "notes", "unit (keyed)", "charges", "lost in total")
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
            table.add_row(name, ", ".join(ids), unit, str(len(charges)), total)
    return table
