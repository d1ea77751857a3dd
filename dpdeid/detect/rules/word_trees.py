"""Pieces of regular expressions that several families share: tables, capital names, context checks.

Not a grammar of French: a name phrase is capital words joined by particles, up to a stop word or a
mark, with every repeat bounded. `loose` makes a table entry match with or without its accents and
hyphens, because headers and nurses drop both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from dpdeid.normalize import fold

_ACCENTS: Final = {"é": "ée", "è": "èeé", "ê": "êeé", "ç": "ç" + "c"} | {
    letter: letter + fold(letter) for letter in "àâäëîïôöûüù"
}


def _atoms(phrase: str, exact: bool) -> tuple[str, ...]:
    """One expression a character: either case unless `exact`, with or without its accent."""
    atoms = []
    for letter in phrase:
        if letter in "- ":
            atoms.append("[- ]?" if letter == "-" else "[ -]")
        elif letter == ".":
            atoms.append(r"\.?")
        elif letter == "œ" and not exact:
            atoms.append("(?:[œŒ]|[oO][eE])")
        elif letter.isalpha():
            either = _ACCENTS.get(letter.lower(), letter.lower())
            cased = letter if exact else "".join(dict.fromkeys(either + either.upper()))
            atoms.append(cased if len(cased) == 1 else f"[{cased}]")
        else:
            atoms.append(re.escape(letter))
    return tuple(atoms)


def listed(table: str) -> tuple[str, ...]:
    """The phrases of a table written with commas between them."""
    return tuple(phrase.strip() for phrase in table.split(",") if phrase.strip())


def one_of(phrases: str | Iterable[str], *, exact: bool = False) -> str:
    """A group that matches any of the phrases, the longest first; a string is split at commas.

    Built as a prefix tree with explicit cases: the engine looks at one letter to skip a branch,
    which it cannot under (?i), so that a table of a thousand phrases costs about a microsecond.

    Args:
        exact: the case counts.
    """
    if isinstance(phrases, str):
        phrases = listed(phrases)
    tree: _Tree = {}
    for phrase in sorted(set(phrases)):
        node = tree
        for atom in _atoms(phrase, exact):
            node = node.setdefault(atom, {})
        node[""] = {}
    return _expression(tree)


def opening(phrases: str) -> str:
    """A look at the first two letters: most of what is none of the phrases is left at once.

    A large table lies far apart in memory, and this does not.
    """
    tree: _Tree = {}
    for phrase in sorted(set(listed(phrases))):
        first, second, *_ = (*_atoms(phrase, exact=False), "")
        tree.setdefault(first, {}).setdefault("" if second.endswith("?") else second, {})
    return f"(?={_expression(tree)})"


_Tree = dict[str, "_Tree"]


def _expression(tree: _Tree) -> str:
    """The expression of a prefix tree; "" marks the end of a phrase."""
    branches = [atom + _expression(node) for atom, node in tree.items() if atom]
    if not branches:
        return ""
    inner = branches[0] if len(branches) == 1 else "(?:" + "|".join(branches) + ")"
    return f"(?:{inner})?" if "" in tree else inner


_DIGIT: Final = re.compile(r"\d")
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")


def beginnings(phrases: str | Iterable[str]) -> dict[str, str]:
    """The same first words, each with an expression for the two characters behind it, digits as 0.

    A row is not tried at a lone "maladie" where only "maladie infectieuse" is in its table.
    """
    if isinstance(phrases, str):
        phrases = listed(phrases)
    behind: dict[str, set[str]] = {}
    for phrase in phrases:
        if (match := _FIRST_WORD.search(phrase)) is not None:
            rest = "".join(_atoms(phrase[match.end() :], exact=False)[:2])
            behind.setdefault(fold(match[0]), set()).add(_DIGIT.sub("0", rest))
    return {
        word: "" if any(re.fullmatch(rest, "") for rest in rests) else "|".join(sorted(rests))
        for word, rests in behind.items()
    }
