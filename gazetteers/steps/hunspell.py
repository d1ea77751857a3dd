"""The words of a Hunspell dictionary with their suffixed forms.

Suffix rules only: the prefixes of French are elisions ("l'", "qu'"), which are not part of a word.
Proper nouns (entries with a capital) are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_RULE: Final = re.compile(r"SFX (\S+) (\S+) ([^\s/]+)(?:/\S+)? (\S+)")
_ENTRY: Final = re.compile(r"([^/\s]+)(?:/(\S+))?")

Rule = tuple[str, str, re.Pattern[str]]
"""What is cut from the end, what is put there, and the ending that the word must have."""


def forms(folder: Path) -> Iterator[str]:
    """Every lower-case word of index.dic and the forms that the rules of index.aff give it."""
    rules = _rules((folder / "index.aff").read_text(encoding="utf-8"))
    for line in (folder / "index.dic").read_text(encoding="utf-8").splitlines()[1:]:
        entry = _ENTRY.match(line)
        if entry is None or entry[1] != entry[1].lower():
            continue
        stem, flags = entry[1], entry[2] or ""
        yield stem
        for at in range(0, len(flags), 2):  # FLAG long: two characters a flag
            for cut, added, ending in rules.get(flags[at : at + 2], ()):
                if stem.endswith(cut) and ending.search(stem):
                    yield stem[: len(stem) - len(cut)] + added


def _rules(text: str) -> dict[str, list[Rule]]:
    rules: dict[str, list[Rule]] = defaultdict(list)
    for line in text.splitlines():
        rule = _RULE.match(line)
        if rule:
            flag, cut, added, ending = rule.groups()
            rules[flag].append(
                ("" if cut == "0" else cut, "" if added == "0" else added, re.compile(ending + "$"))
            )
    return rules
