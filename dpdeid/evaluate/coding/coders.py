"""A coder of the base install: our wordings, codes in the text, and labels that the user has.

It knows no negation ("pas de pneumopathie" is coded) and no family: the other does. Before and
after a de-identification it is blind in the same way.

The independent coder: edsnlp (AP-HP, BSD-3-Clause) finds terms and disorders and what is denied.
Its own ready-made `eds.cim10` is not used: it reads "à 18 h" as A18 and "J10" as influenza, so that
a shifted date would change codes. It is the extra `utility`, imported when a coder is made, which
takes half a minute.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from dpdeid.document import Document
from dpdeid.evaluate.coding.codes import Code, Terminology, settled, written_codes
from dpdeid.evaluate.coding.terms import Term, aliases, edsnlp_labels, needs_edsnlp, rows, terms
from dpdeid.lexicon import Memo
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
        given = {kind: tuple(pairs) for kind, pairs in labels.items()}
        self._known = frozenset(code for code, _ in given.get(Terminology.ICD10, ()))
        self._ccam = frozenset(code for code, _ in given.get(Terminology.CCAM, ()))
        self._keys: Memo[tuple[str, ...]] = Memo(_keys)
        self._tree: dict[str, Any] = {}
        for kind, pairs in given.items():
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
    return tuple(dict.fromkeys((word, *_plain(word))))


def _plain(word: str) -> tuple[str, str]:
    """A word without case and accents, and without the sign of a plural as well.

    >>> _plain("Hernies"), _plain("toux")
    (('hernies', 'hernie'), ('toux', 'toux'))
    """
    folded = fold(word)
    plural = len(folded) >= _LEAST_PLURAL and folded[-1] in "sx"
    return folded, folded[:-1] if plural else folded


DISORDERS: Final = dict(rows("disorders"))
"""Disorder pipe of edsnlp → the category of ICD-10 nearest to what it finds."""
QUALIFIERS: Final = ("negation", "family", "hypothesis")
_GROUPS: Final = ("terms", "abbreviations", "disorders")
_MOST_WORDS_OF_PLURAL: Final = 3


class EdsCoder:
    """Codes a note with edsnlp.

    Args:
        labels: (code, label) by terminology; ICD-10 and ATC are edsnlp's own lists unless given.
        full: with disorder pipes and qualifiers; else terms and written codes alone, faster.

    Raises:
        UsageError: edsnlp is not installed; names the extra.
    """

    def __init__(
        self, labels: Mapping[Terminology, Iterable[tuple[str, str]]], *, full: bool = True
    ) -> None:
        self.name = "full" if full else "labels"
        kinds = (Terminology.ICD10, Terminology.ATC, Terminology.CCAM)
        every_label = {k: tuple(labels[k]) if k in labels else edsnlp_labels(k) for k in kinds}
        self._known = frozenset(code for code, _ in every_label[Terminology.ICD10])
        self._ccam = frozenset(code for code, _ in every_label[Terminology.CCAM])
        every = [*aliases(), *(term for kind in kinds for term in terms(every_label[kind], kind))]
        self._kinds = {term.code: term.terminology for term in every}
        self._nlp = _pipeline(every, full)
        self._full = full

    def __call__(self, doc: Document) -> tuple[Code, ...]:
        """The codes of a note, sorted and disjoint."""
        read = self._nlp.make_doc(doc.text)
        for name, pipe in self._nlp.pipeline:
            if name == QUALIFIERS[0]:  # which skip what is out of order
                every = (span for group in _GROUPS for span in read.spans.get(group, ()))
                read.spans["found"] = sorted(every, key=lambda span: (span.start, span.end))
            read = pipe(read)
        written = written_codes(doc.text, self._known, self._ccam)
        found = [*written, *self._found(read, "terms"), *self._found(read, "abbreviations")]
        codes = settled(doc.text, found)
        if not self._full:
            return codes
        taken = {at for code in found for at in range(code.start, code.end)}
        disorders = self._found(read, "disorders")
        more = (c for c in disorders if taken.isdisjoint(range(c.start, c.end)))
        return tuple(sorted((*codes, *settled(doc.text, more))))

    def _found(self, read: Any, group: str) -> Iterator[Code]:
        """The codes of a group of spans that no qualifier denies."""
        for span in read.spans.get(group, ()):
            if not (self._full and any(getattr(span._, name) for name in QUALIFIERS)):
                code = DISORDERS[span.label_] if group == "disorders" else span.kb_id_
                kind = self._kinds.get(code, Terminology.ICD10)
                yield Code(span.start_char, span.end_char, code, kind)


def _pipeline(every: Iterable[Term], full: bool) -> Any:
    with needs_edsnlp():
        import edsnlp
    groups: dict[str, dict[str, list[str]]] = {"terms": {}, "abbreviations": {}}
    for term in every:
        texts = groups["abbreviations" if term.capitals else "terms"].setdefault(term.code, [])
        texts += [term.text] if term.capitals else _numbers(term.text)
    nlp = edsnlp.blank("eds")
    nlp.add_pipe("eds.normalizer", config={"pollution": False, "spaces": False})
    with contextlib.redirect_stderr(io.StringIO()):  # its progress bars
        for group, attribute in (("terms", "NORM"), ("abbreviations", "TEXT")):
            nlp.add_pipe(
                "eds.terminology",
                name=group,
                config={
                    "label": group,
                    "terms": groups[group],
                    "attr": attribute,
                    "span_setter": {group: True},
                },
            )
        if full:
            nlp.add_pipe("eds.sentences")
            for disorder in DISORDERS:
                nlp.add_pipe(f"eds.{disorder}", config={"span_setter": {"disorders": True}})
            for qualifier in QUALIFIERS:
                own: dict[str, Any] = {"use_sections": False} if qualifier == "family" else {}
                nlp.add_pipe(f"eds.{qualifier}", config={"span_getter": ["found"], **own})
    return nlp


def _numbers(text: str) -> list[str]:
    """A term as it stands and, where it is short, with every word in the plural."""
    words = text.split()
    if len(words) > _MOST_WORDS_OF_PLURAL or any(len(word) < 4 for word in words):
        return [text]
    return [text, " ".join(w if w[-1] in "sxz" else f"{w}s" for w in words)]
