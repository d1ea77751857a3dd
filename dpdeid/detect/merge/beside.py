"""Words that name nobody beside what stands next to them: in a sentence of Creole, as the key or
value of a machine, a maker behind its drug, codes of cantons in a row, a score before its number.

`is_nobody_beside` holds against taggers, lists and the net, never against a title or a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Final

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document, Span
from dpdeid.french.tables import words_by_key
from dpdeid.labels import Label

MAKERS: Final = voc.LISTS["veto_makers"]
_CREOLE: Final = frozenset(words_by_key("creole")["sure"])
_CREOLE_TOO: Final = frozenset(words_by_key("creole")["too"])
_SCORED: Final = voc.LISTS["veto_scored"]
_PAIRS: Final = [pair.partition(">") for pair in sorted(voc.LISTS["veto_behind"])]
_AFTER: Final = {word: frozenset(before.split(",")) for before, _, word in _PAIRS}
"""A word → the words behind which it is nobody's."""
_DOUBLE: Final = voc.LISTS["veto_pairs"]
_CLAUSE: Final = re.compile(r"[^.;:!?«»\"“”()\n|]{6,200}")
_LEAST: Final = 2
"""Words of Creole that no French has, from which a clause is one."""
_DOSE: Final = re.compile(
    r"(?i)(?: (?:lp|sr|retard|forte|cpr?|comprim[ée]s?|g[ée]l(?:ules?)?))? ?\d{1,4}(?:[.,]\d+)? ?"
    r"(?:mg|µg|mcg|g|ml|ui|mui|%)(?!\w)"
)
_FEW: Final = 3
_CODES: Final = frozenset(
    (
        *voc.TEXTS["place_cantons"].split(),
        *["BE", "CH", "DE", "ES", "FL", "FR", "GB", "IT", "LU", "NL"],
    )
)
_CODED: Final = re.compile(r"[A-Z]{1,3}(?:/[A-Z]{1,3})+")
_RUN: Final = 48
_NEAR: Final = 160
"""Characters of its line around a key in which others are looked for."""
_WORD: Final = re.compile(r"\w*")
_CAMEL: Final = re.compile(r"[a-z][A-Z]|[A-Za-z]_[A-Za-z]")
_OF_PEOPLE: Final = re.compile(
    r"(?i)name|patient(?!age|sex|size|weight|position)|physician|operator|perform|referr"
    r"|institution|address|station|person|author|user|city|country|nom|prenom|ville|adresse"
    r"|medecin|doctor|contact|comment|description|title|label|text"
)
"""What the key of a machine says whose value may name somebody or tell of somebody."""
_MEASURED: Final = re.compile(
    r"[ :=]{1,3}(?:à |palier |stade |grade |score |step |classe )?"
    r"(?:\d|I{1,3}\b|IV\b|[A-D]\b(?!\.)|C\d+M\d|\()| ?: ?(?:oui|non)\b"
)
_LEADING: Final = voc.words("palier score stade grade type classification criteres tri de echelle")
_SELON: Final = voc.words("selon type facon")
_SMALL: Final = voc.LISTS["veto_small"]
_DRUG_ENDING: Final = re.compile(
    r".{3,}(?:cilline?|mycine?|floxacine?|conazole?|prazole?|sartane?|statine?|gliptine?"
    r"|gliflozine?|triptan|parine|xaban|cycline?|setron|dipine|zepam|caine|curonium|penem|formine?"
    r"|oxacine?|semide?|tidine|thiazide|platine|rubicine|taxel|limus|zumab|ximab|tinib|ciclib|navir|buvir|asvir)\Z"
)
"""How the common name of a drug ends that no list has: "temocilline"."""
_STOPPED: Final = re.compile(
    r"(?i),?(?: (?:à|jamais|non|est|a été)){0,2} (?:(?:arr[êe]t|stopp|oubli)[ée]e?|poursuivie?"
    r"|suspendue?|(?<=non )prise?|(?:re|dis)?continu[ée]e?|remplac[ée]e? par)(?!\w)"
)
"""What is done with a drug, and with nobody who is called so: "Diane arrêtée"."""
_CLOSING: Final = re.compile(
    r"(?:con?fr?[ar]|cofr|cord|amic|respe|since|affec|devou)[a-z]{2,16}(?:ment|mment|mant|mnt)s?\Z"
)
"""The closing of a letter, however misspelt: "confraterellement"."""


def is_nobody_beside(doc: Document, at: int) -> bool:
    """Whether the token names nobody where it stands, for what stands beside it."""
    tokens = doc.tokens
    text, word = tokens.texts[at], tokens.folded[at]
    start, end = tokens.starts[at], tokens.ends[at]
    if is_keyed(doc.text, start, end) or is_code_of_area(doc.text, start, end):
        return True
    if text.islower() and (word in _SMALL or at in creole(doc)):
        return True
    if word in MAKERS and _is_of_drug(doc, at):
        return True
    before = _before(doc, at)
    if word in _SCORED and (is_scored(doc, at) or not _LEADING.isdisjoint(before[:2])):
        return True
    if (word in _AFTER and not _AFTER[word].isdisjoint(before)) or _is_of_pair(doc, at):
        return True
    if _goes_on_by(tokens.folded, at):
        return True
    known = EVIDENCE[word]
    if known.drug and known.first_name and _STOPPED.match(doc.text, end):
        return True
    if before[:1] and before[0] in _SELON and len(before) > 1 and _is_act(before[1]):
        return not known.first_name
    named = known.first_name or known.surname > 0
    return not named and not known.known and bool(_DRUG_ENDING.match(word) or _CLOSING.match(word))


def _goes_on_by(words: Sequence[str], at: int) -> bool:
    """Whether a word is told twice with "à" between, as it goes on: "Petit à petit"."""
    return words[at + 1 : at + 3] == ("a", words[at]) or words[max(0, at - 2) : at] == (
        words[at],
        "a",
    )


def _is_of_pair(doc: Document, at: int) -> bool:
    """Whether it makes the eponym of several people with the word beside it: "los angeles"."""
    words = doc.tokens.folded
    pairs = (words[max(0, at - 1) : at + 1], words[at : at + 2])
    return any("-".join(pair) in _DOUBLE for pair in pairs)


def is_scored(doc: Document, at: int) -> bool:
    """Whether the token is a score before its number or answer: "Constant à 52", "Vittel : oui"."""
    measured = _MEASURED.match(doc.text, doc.tokens.ends[at])
    return doc.tokens.folded[at] in _SCORED and measured is not None


def _before(doc: Document, at: int) -> list[str]:
    """The folded words right before a token, the nearest first, small words left out."""
    near = range(at - 1, max(-1, at - 2 * _FEW), -1)
    words = [doc.tokens.folded[n] for n in near if doc.tokens.texts[n].isalnum()]
    return [w for w in words if w not in _JOINING][:_FEW]


_JOINING: Final = voc.words("par le la du des l d les une un")


def _is_act(word: str) -> bool:
    """Whether somebody's technique may stand behind the word: "kiné selon Leduc"."""
    act = EVIDENCE[word].medical and not EVIDENCE[word].drug
    return word in _TECHNIQUES or (act and word not in voc.LISTS["medicine_human"])


_TECHNIQUES: Final = (
    voc.LISTS["eponym_heads_loose"] | voc.LISTS["eponym_heads"] | voc.words("kine drainage bandage")
)


def _is_of_drug(doc: Document, at: int) -> bool:
    """Whether a maker stands behind its drug, or before the dose: "Torasemide Spirig 5 mg"."""
    before = doc.tokens.folded[at - 1] if at else ""
    known = EVIDENCE[before]
    drug = known.drug or _DRUG_ENDING.match(before) is not None
    return drug or _DOSE.match(doc.text, doc.tokens.ends[at]) is not None


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    before = _WORD.match(text[max(0, start - _RUN) : start][::-1])
    behind = _WORD.match(text, end, end + _RUN)
    return start - (before.end() if before else 0), behind.end() if behind else end


def is_keyed(text: str, start: int, end: int) -> bool:
    """Whether it is part of a key that a machine writes, "StudyDate=", or of the value of a key
    that tells of nobody: "BodyPartExamined=BRAIN".
    """
    first, last = _word_around(text, start, end)
    if text[last : last + 1] == "=" and not text[last + 1 : last + 2].isspace():
        return _is_machine(text, first, text[first:last])
    if text[first - 1 : first] != "=" or first < 2:
        return False
    head, _ = _word_around(text, first - 1, first - 1)
    key = text[head : first - 1]
    return _is_machine(text, head, key) and _OF_PEOPLE.search(key) is None


_PAIR: Final = re.compile(r"(?<!\w)[A-Za-z]\w{2,40}=[^\s=]")


def _is_machine(text: str, at: int, key: str) -> bool:
    """Whether a key is one of a machine: it is of several words, or others stand on its line."""
    if len(key) < _FEW or not key[0].isalpha():
        return False
    if _CAMEL.search(key):
        return True
    before = text[max(0, at - _NEAR) : at].rpartition("\n")[2]
    line = before + text[at : at + _NEAR].partition("\n")[0]
    return any(_CAMEL.search(pair[0]) for pair in _PAIR.finditer(line))


_KEYED_VALUE: Final = re.compile(
    r"(?<!\w)([A-Za-z]\w{0,40}(?i:date|time))=(\d{6,8})(?:\.\d{1,6})?(?!\w)"
)


def keyed(doc: Document, spans: Iterable[Span]) -> Iterable[Span]:
    """The spans, a date or time of a machine with the label that its key tells."""
    if "=" not in doc.text:
        return spans
    told = {}
    for value in _KEYED_VALUE.finditer(doc.text):
        key = value[1].lower()
        label = Label.BIRTH_DATE if "birth" in key else Label.DATE
        told[value.start(2)] = Label.TIME if key.endswith("time") else label
    return [replace(s, label=told.get(s.start, s.label)) for s in spans] if told else spans


def is_code_of_area(text: str, start: int, end: int) -> bool:
    """Whether it is one of several codes of cantons or countries: "VD/NE/JU/BE"."""
    if text[start - 1 : start] != "/" and text[end : end + 1] != "/":
        return False
    first, last = start, end
    while first > max(0, start - _RUN) and (text[first - 1] == "/" or text[first - 1].isupper()):
        first -= 1
    while last < min(len(text), end + _RUN) and (text[last] == "/" or text[last].isupper()):
        last += 1
    run = text[first:last]
    return _CODED.fullmatch(run) is not None and _CODES.issuperset(run.split("/"))


@lru_cache(maxsize=8)
def creole(doc: Document) -> frozenset[int]:
    """The tokens in clauses of Creole, but for names of the lists that no Creole word is."""
    if _CREOLE.isdisjoint(doc.tokens.texts):
        return frozenset()
    return frozenset(chain.from_iterable(_clauses(doc)))


def _clauses(doc: Document) -> Iterator[list[int]]:
    tokens = doc.tokens
    for clause in _CLAUSE.finditer(doc.text):
        own = tokens.over(*clause.span())
        sure = {*tokens.texts[own.start : own.stop]} & _CREOLE
        if not sure:
            continue
        too = {*tokens.texts[own.start : own.stop]} & _CREOLE_TOO
        if len(sure) >= _LEAST or len(too) >= _LEAST:
            yield [at for at in own if _may_be(tokens.texts[at], tokens.folded[at])]


def _may_be(text: str, word: str) -> bool:
    known = EVIDENCE[word]
    listed = text in _CREOLE or text in _CREOLE_TOO or known.word
    return listed or not (known.first_name or known.surname)
