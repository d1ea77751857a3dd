"""`dpdeid explain`: for each span, who proposed it, which rule decided, which strategy acted."""

from __future__ import annotations

import sys

from rich.table import Table
from rich.text import Text

from dpdeid.cli.ending import Console
from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.document import Document, Failure, Span
from dpdeid.engine import Deidentifier
from dpdeid.formats.rows import read


def explain(source: str, deidentifier: Deidentifier, *, reveal: bool = False) -> int:
    """Prints one table a note. Original text is shown on a terminal or with `reveal` only.

    Raises:
        UsageError: the source is refused.
    """
    console = Console()
    shown = reveal or sys.stdout.isatty()
    explained = failed = 0
    for row in read(source, sys.stdin.buffer):
        if row.document is None:
            failed += 1
            console.print(Text(row.error))
            continue
        try:
            console.print(_table(row.document, deidentifier, shown))
            explained += 1
        except Exception as error:
            failed += 1
            console.print(Text(f"{row.where}: {Failure.of(row.document.id, error).error}"))
    if not explained:
        return EXIT_NONE
    return EXIT_SOME_FAILED if failed else EXIT_OK


def _table(doc: Document, deidentifier: Deidentifier, shown: bool) -> Table:
    finding = deidentifier.detect(doc)
    result = deidentifier(doc)
    table = Table(title=Text(f"note {doc.id}"), title_justify="left")
    columns = ("span", "label", *(("original",) if shown else ()), "proposed by", "merge rule")
    for column in (*columns, "strategy", "surrogate"):
        table.add_column(column, overflow="fold")
    for surrogate in result.surrogates:
        span = surrogate.mention.span
        rivals = [p for p in finding.proposals if p.start < span.end and span.start < p.end]
        table.add_row(
            f"{span.start}–{span.end}",
            span.label.value,
            *((Text(surrogate.mention.text),) if shown else ()),
            Text("\n".join(sorted({_proposal(p) for p in rivals}))),
            deidentifier.policy.merge.reason(span, rivals),
            surrogate.strategy,
            Text(surrogate.text),
        )
    return table


def _proposal(span: Span) -> str:
    return f"{span.source} {span.label} {span.start}–{span.end} ({span.score:.2f})"
