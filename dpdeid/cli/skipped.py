"""What a folder holds that is not read, said on standard error."""

from __future__ import annotations

import sys

from dpdeid.cli.counted import counted
from dpdeid.formats.rows import skipped


def tell_skipped(source: str) -> None:
    """Says how many files of a folder are not read, by kind, if there are any.

    Raises:
        UsageError: the source does not exist or is of another kind.
    """
    other = skipped(source)
    if other:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(other.items()))
        print(
            f"dpdeid: {counted(sum(other.values()), 'file')} of {source} not read ({kinds}); "
            ".txt, .jsonl and .jsonl.gz are",
            file=sys.stderr,
        )
