"""The two tables of SOURCES.md: where the lists come from, and what they are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Final

from .download import Package

TABLE: Final = re.compile(r"(?<=<!-- built -->\n).*?(?=<!-- end -->)", re.DOTALL)


def tables(packages: Iterable[Package], lists: Mapping[str, bytes]) -> str:
    """Markdown: one row a package, one row a list, each with its sha256."""
    lines = ["| package | version | licence | gives | sha256 |", "|---|---|---|---|---|"]
    lines += [
        f"| {p.registry} `{p.name}` | {p.version} | {p.licence} | {p.gives} | `{p.sha256}` |"
        for p in packages
    ]
    lines += ["", "| list | bytes | sha256 |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {len(data)} | `{hashlib.sha256(data).hexdigest()}` |"
        for name, data in sorted(lists.items())
    ]
    return "\n" + "\n".join(lines) + "\n\n"
