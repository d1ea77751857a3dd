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
_END: Final = ""


class LightCoder:
    """Finds terms word by word: case, accents and plurals do not count, but in abbreviations.

    Args:
        labels: (code, label) by terminology, beside the shipped wordings; see `label_file`.
    """

    name = "light"

    def __init__(self, labels: Mapping[Terminology, Iterable[tuple[str, str]]]) -> None:
        rows = {kind: tuple(pairs) for kind, pairs in labels.items()}
        self._known = frozenset(code for code, _ in rows.get(Terminology.ICD10, ()))
        self._ccam = frozenset(code for code, _ in rows.get(Terminology.CCAM, ()))
        self._stems: Memo[str] = Memo(_stem)
        self._tree: dict[str, Any] = {}
        for kind, pairs in rows.items():
            for term in terms(pairs, kind):
                self._add(term)
        for term in aliases():
            self._add(term)

    def _add(self, term: Term) -> None:
        node = self._tree
        for word in _WORD.findall(term.text):
            node = node.setdefault(word if term.capitals else _stem(word), {})
        node[_END] = term

    def __call__(self, doc: Document) -> tuple[Code, ...]:
        """The codes of a note, sorted and disjoint."""
        found = [*written_codes(doc.text, self._known, self._ccam), *self._terms(doc.text)]
        return settled(doc.text, found)

    def _terms(self, text: str) -> Iterator[Code]:
        words = list(_WORD.finditer(text))
        stems = [self._stems[word[0]] for word in words]
        tree = self._tree
        for first in range(len(words)):
            # an abbreviation's own branch, then the branch of all spellings
            for node in (tree.get(words[first][0]), tree.get(stems[first])):
                if node is not None:
                    yield from self._from(text, words, stems, first, node)

    def _from(
        self,
        text: str,
        words: list[re.Match[str]],
        stems: list[str],
        first: int,
        node: dict[str, Any],
    ) -> Iterator[Code]:
        last = first
        while True:
            if (term := node.get(_END)) is not None:
                yield Code(words[first].start(), words[last].end(), term.code, term.terminology)
            last += 1
            if last == len(words):
                return
            if not _GAP.fullmatch(text, words[last - 1].end(), words[last].start()):
                return
            step = node.get(words[last][0]) or node.get(stems[last])
            if step is None:
                return
            node = step


def _stem(word: str) -> str:
    """The key of a word: folded, without the sign of a plural."""
    key = fold(word)
    return key[:-1] if len(key) > 3 and key[-1] in "sx" else key
