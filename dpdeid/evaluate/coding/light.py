"""A coder of the base install: our wordings, codes in the text, and labels that the user has.

It knows no negation ("pas de pneumopathie" is coded) and no family: `dpdeid.evaluate.coding.eds`
does. Before and after a de-identification it is blind in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from dpdeid.document import Document
from dpdeid.evaluate.coding.contract import Code, Terminology
from dpdeid.evaluate.coding.settle import settled
from dpdeid.evaluate.coding.terms import Term, aliases, terms
from dpdeid.evaluate.coding.written import written_codes
from dpdeid.memo import Memo
from dpdeid.normalize import fold

_WORD: Final = re.compile(r"\w+")
_GAP: Final = re.compile(r"[ \t\u00a0'’/+-]{1,3}|[ \t]?\n[ \t]{0,8}|, ")
"""What may stand between two words of a term."""
_LEAST_PLURAL: Final = 5
"""Letters: "tous" is no plural, and not "toux"."""
_END: Final = ""


class LightCoder:
    """Finds terms word by word. Case and accents do not count, but in abbreviations; plurals do not
    count, but in names of drugs ("Priorix" is no plural).

    Args:
        labels: (code, label) by terminology, beside the shipped wordings; see `label_file`.
    """

    name = "light"

    def __init__(self, labels: Mapping[Terminology, Iterable[tuple[str, str]]]) -> None:
        rows = {kind: tuple(pairs) for kind, pairs in labels.items()}
        self._known = frozenset(code for code, _ in rows.get(Terminology.ICD10, ()))
        self._ccam = frozenset(code for code, _ in rows.get(Terminology.CCAM, ()))
        self._keys: Memo[tuple[str, ...]] = Memo(_keys)
        self._tree: dict[str, Any] = {}
        for kind, pairs in rows.items():
            for term in terms(pairs, kind):
                self._add(term)
        for term in aliases():
            self._add(term)

    def _add(self, term: Term) -> None:
        node = self._tree
        for word in _WORD.findall(term.text):
            folded, stem = _plain(word)
            drug = term.terminology is Terminology.ATC
            node = node.setdefault(word if term.capitals else folded if drug else stem, {})
        node[_END] = term

    def __call__(self, doc: Document) -> tuple[Code, ...]:
        """The codes of a note, sorted and disjoint."""
        found = [*written_codes(doc.text, self._known, self._ccam), *self._terms(doc.text)]
        return settled(doc.text, found)

    def _terms(self, text: str) -> Iterator[Code]:
        words = list(_WORD.finditer(text))
        keys = [self._keys[word[0]] for word in words]
        for first in range(len(words)):
            nodes = [self._tree[key] for key in keys[first] if key in self._tree]
            last = first
            while nodes:
                for node in nodes:
                    if (term := node.get(_END)) is not None:
                        start, end = words[first].start(), words[last].end()
                        yield Code(start, end, term.code, term.terminology)
                last += 1
                if last == len(words) or not _GAP.fullmatch(
                    text, words[last - 1].end(), words[last].start()
                ):
                    break
                nodes = [node[key] for node in nodes for key in keys[last] if key in node]


def _keys(word: str) -> tuple[str, ...]:
    """The keys under which a word of a text is looked up, each once."""
    return tuple(dict.fromkeys((word, *_plain(word))))


def _plain(word: str) -> tuple[str, str]:
    """A word without case and accents, and without the sign of a plural as well.

    >>> _plain("Hernies"), _plain("toux")
    (('hernies', 'hernie'), ('toux', 'toux'))
    """
    folded = fold(word)
    plural = len(folded) >= _LEAST_PLURAL and folded[-1] in "sx"
    return folded, folded[:-1] if plural else folded
