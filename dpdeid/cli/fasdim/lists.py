"""`dpdeid fasdim init|extract|apply|status`: a site's lists of words and numbers that may stay,
from its notes, and the removal of all others.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dpdeid.cli.releasing.run import run
from dpdeid.cli.terminal import Console, counted, exit_code, progress, table, tell
from dpdeid.document import Document
from dpdeid.evaluate.counts import percent, ratio
from dpdeid.fasdim import extract as words
from dpdeid.fasdim import lists as site
from dpdeid.fasdim.lists import Lists
from dpdeid.fasdim.starting import Verdict
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.write import keep_apart, write_json
from dpdeid.views.plain import reading_of


def init(
    directory: Path,
    add: list[Path] | None = None,
    empty: bool = False,
    authorized: bool = False,
) -> None:
    """Makes a folder of lists, or adds the decisions of others to one.

    Raises:
        PolicyError: it exists and nothing is to be added, or lists are refused.
    """
    if not (add and (directory / site.WORDS).exists()):
        site.create(directory, starting=not empty)
    own = site.read(directory)
    others = [site.read(other) for other in add or ()]
    if authorized:
        others = [
            Lists.of(
                (e for e in one.entries.values() if e.verdict is not Verdict.FORBIDDEN),
                starting=one.starting,
            )
            for one in others
        ]
    merged = site.merged(own, others)
    site.write(directory, merged)
    site.record(directory / site.LOG, "init", decided=len(merged.entries))
    tell(f"{directory}: {counted(len(merged.entries), 'decision')}")


def extract(source: str, directory: Path) -> int:
    """Writes the words and number patterns of notes that nobody has decided into the folder.

    Raises:
        UsageError: the source or the lists are refused.
    """
    own = site.read(directory)
    keep_apart(source_files(source), directory / site.FOUND)
    found = words.extract(progress(documents(source), "read"), own)
    site.replace_lines(directory / site.FOUND, words.lines(found.waiting))
    figures = {"notes": found.notes, "tokens": found.tokens, "vouched": found.vouched}
    site.record(directory / site.LOG, "extract", waiting=len(found.waiting), **figures)
    tell(f"{len(found.waiting):,} words and patterns wait, of {counted(found.notes, 'note')}")
    return exit_code(found.notes, 0)


def documents(source: str) -> Iterator[Document]:
    """The readable notes of a source, their texts plain."""
    for row in read(source, sys.stdin.buffer):
        if row.document is None:
            tell(f"{row.error}: not read")
        else:
            yield replace(row.document, text=reading_of(row.document.text).text)


def apply(source: str, directory: Path, output: Path | None = None, keep_ids: bool = False) -> int:
    """De-identifies notes with the policy of the folder, as `dpdeid run` does.

    Raises:
        UsageError: the source, the lists or the output are refused.
    """
    site.read(directory)
    return run(source, output, str(directory / site.POLICY), keep_ids=keep_ids)


def status(directory: Path, output: Path | None = None) -> None:
    """Prints what was decided, what waits, how much of the notes is vouched for, and the minutes.

    Raises:
        PolicyError: there are no lists.
        UsageError: the file cannot be written, or lies in the folder.
    """
    keep_apart((directory,), output)
    own, log = site.read(directory), site.history(directory)
    kinds = Counter((len(entry.key), entry.verdict) for entry in own.entries.values())
    rows = [
        ("starting list", "yes" if own.starting else "no"),
        *((f"words {verdict}", f"{kinds[1, verdict]:,}") for verdict in Verdict),
        *((f"patterns {v}", f"{kinds[2, v]:,}") for v in Verdict if v is not Verdict.LOWER),
        ("minutes of review", f"{sum(row.get('minutes', 0) for row in log):.0f}"),
    ]
    if last := next((row for row in reversed(log) if row["what"] == "extract"), None):
        share = percent(ratio(last["vouched"], last["tokens"]))
        rows.append(
            ("last extraction", f"{last['notes']:,} notes, {share} % of tokens vouched for")
        )
        rows.append(("waiting then", f"{last['waiting']:,}"))
    if output is not None:
        write_json(output, dict(rows))
    Console().print(table((), rows, show_header=False))
