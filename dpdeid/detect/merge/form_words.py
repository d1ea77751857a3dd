"""What forms and notes print between values and no detector may take: labels, "NC", the sex before
a birth date, numbers told in words, the side or class behind an eponym.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules import columns
from dpdeid.document import Document, Span
from dpdeid.french.letters.abbreviations import of_people
from dpdeid.french.numerals import WORDS
from dpdeid.labels import Label

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_NAMED: Final = (*_NAMES, Label.CITY, Label.ORGANIZATION, Label.HOSPITAL)
_UNFILLED: Final = voc.LISTS["unfilled"]
_EMPTY_FIRST: Final = voc.words("en a non pas sans aucun aucune voir idem cf ne")
_EMPTY: Final = _EMPTY_FIRST | voc.words(
    "attente cours completer preciser definir demander connu connue renseigne renseignee communique"
    " communiquee fourni fournie recherche objet venir fournir suivre retrouve disponible ci dessus"
    " dessous verso rempli remplie concerne applicable de du la le l d saisi saisir creer vu"
)
"""What a field says that is not filled yet: "EN ATTENTE", "à compléter"."""
_SCHEMES: Final = voc.words(
    "lamal laa lai lca lam lpp lavs drg swissdrg tarmed tardoc c2s cmu cmuc cmup ame aah apa ald"
    " assurance maladie puma acs inami mutualite gir ald30 aspa ceseda"
)
"""How insurances and tariffs are called."""
_SUM: Final = re.compile(r"(?i:\b(?:total|effectif|nombre|somme|soit|nb))\W{1,4}\Z")
_NEAR: Final = 24
_LABELS: Final = voc.LISTS["form_labels"]
_CLASSES: Final = voc.LISTS["veto_classes"]
_ARTICLES: Final = voc.words("le la les l du de d")
_SEXES: Final = frozenset("MFH")
_BORN: Final = re.compile(
    r"[ \t]{0,3}[/,;|]?[ \t]{0,9}(?i:n[ée]e? ?(?:\(e\) )?le ?:? ?)?"
    r"\d{1,2} ?[/.-] ?\d{1,2} ?[/.-] ?\d{2,4}"
)
_SEX_BEHIND: Final = re.compile(r"[ \t,;|]{1,4}[MFH]\Z")
_CLASS_BEHIND: Final = re.compile(
    r" (?:(?i:type|stade|grade|classe) )?(?:[GD]|[IV]{1,4}[a-cA-C]?|[A-F]\d?|\d[a-cA-C]?"
    r"|(?i:dte?|gche?|droite?|gauche|bilat\w*))"
    r"(?![\w-]|\.[\w-])(?!\.?,? ?(?:n[ée]e? |\d{1,2}[/.-]\d))"
)
_CLASS: Final = re.compile(r"(?:[GD]|[IV]{1,4}[a-cA-C]?|[A-F]\d?)\Z")
_PUBLIC: Final = re.compile(
    r"(?:1\.2\.840\.10008|2\.16\.840\.1\.113883\.(?:[56]|1[01]))(?:\.\d{1,9}){1,16}"
    r"|(?:1/)?10{3,15}"
)
"""An object identifier of a standard's own, of DICOM or HL7, and a power of ten."""
_RUN: Final = 80
NUMBERS: Final = frozenset(label for label in Label if label.endswith("_ID")) | {Label.PHONE}
_OF_NOBODY: Final = re.compile(
    r"(?i)\b(?:u[fmah]|gh[ms]|ccam|(?:cim|icd)(?:-?1[01])?|ngap|igs|cma|snomed(?: ct)?|loinc|atc"
    r"|ucd|cip(?:-?(?:7|13))?|ean|gtin|code[ -]barres?|cladimed)(?: n°)?[ :=]{0,3}[A-Z]{0,2}\Z"
)
_BEFORE: Final = 24


def numbers_nobody(text: str, start: int) -> bool:
    """Whether the number that begins there is of a unit, a drug or a class of a nomenclature."""
    return _OF_NOBODY.search(text, max(0, start - _BEFORE), start) is not None


_FEW: Final = 4
"""Words of a number that is told and identifies nobody: "quatre-vingt-cinq"."""
_SHORT: Final = 3
_LINE_ENDS: Final = re.compile(r"[ \t]*\r?(?:\n|\Z)")


def of_form(doc: Document, span: Span) -> bool:
    """Whether a span is nothing but what a form or a measure prints, whoever proposes it."""
    said = [at for at in doc.tokens.over(span.start, span.end) if doc.tokens.texts[at].isalnum()]
    if not said:
        return False
    words = [doc.tokens.folded[at] for at in said]
    if span.label in _NAMED and _is_unfilled(doc.text, span, words):
        return True
    numbered = span.label in NUMBERS or span.label is Label.SSN
    if numbered and (numbers_nobody(doc.text, span.start) or _is_public(doc, span)):
        return True
    if span.label in NUMBERS or span.label is Label.FAX:
        return len(words) <= _FEW and all(word in WORDS for word in words)
    if span.label not in _NAMED:
        return False
    worded = all(EVIDENCE[word].word for word in words)
    if worded and span.label in _NAMES and columns.is_head(doc.text, span.start):
        return True
    if all(word in _SCHEMES for word in words):
        field = doc.text[max(0, span.start - 2) : span.start].rstrip().endswith((":", "="))
        if field or span.label is Label.ORGANIZATION:
            return True
    if span.label in _NAMES and doc.text[span.start : span.end].islower():
        sum_up = all(word in WORDS and len(word) > _SHORT for word in words)
        if sum_up and _SUM.search(doc.text, max(0, span.start - _NEAR), span.start):
            return True
    text = doc.text[span.start : span.end]
    if _is_label(doc, span, said, words):
        return True
    if span.label not in _NAMES:
        return False
    if text in _SEXES and _BORN.match(doc.text, span.end):
        return True
    return _is_class(doc, span, said, words) or _is_called_so(doc, said)


def _is_public(doc: Document, span: Span) -> bool:
    """Whether a number is part of what a standard calls its own classes, or a power of ten."""
    near = _PUBLIC.finditer(doc.text, max(0, span.start - _RUN), span.end + _RUN)
    return any(one.start() <= span.start and span.end <= one.end() for one in near)


def without_sex(span: Span, text: str) -> Span:
    """A name without the sex at its end that stands before a birth date: "Durand Lucie F"."""
    sex = _SEX_BEHIND.search(text, span.start, span.end) if span.label in _NAMES else None
    if sex and sex.start() > span.start and _BORN.match(text, span.end):
        return Span(span.start, sex.start(), span.label, span.score, span.source, span.role)
    return span


def _is_unfilled(text: str, span: Span, words: list[str]) -> bool:
    """Whether a field says that it is empty: "Téléphone : NC", or "NC" on a line."""
    said = len(words) > 1 and any(len(word) > 1 for word in words)  # no "A.D."
    phrase = said and words[0] in _EMPTY_FIRST and _EMPTY.issuperset(words)
    if not phrase and (len(words) != 1 or words[0] not in _UNFILLED):
        return False
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start].rstrip()
    ends = _LINE_ENDS.match(text, span.end) is not None or text.startswith("  ", span.end)
    return (not before and ends) or before.endswith((":", "="))


def _is_titled(doc: Document, said: list[int]) -> bool:
    words = [word for word in doc.tokens.folded[max(said[0] - 2, 0) : said[0]] if word != "."]
    return bool(words) and voc.TRAITS[words[-1]] & voc.TITLE > 0


def _is_label(doc: Document, span: Span, said: list[int], words: list[str]) -> bool:
    """Whether it is the label of a field, before its colon or alone on its line."""
    behind = doc.text[span.end : span.end + 2]
    named = span.label in _NAMES and all(EVIDENCE[w].word for w in words)
    named = named and not _is_titled(doc, said)  # "Mme Crohn : appelée"
    listed = all(word in _LABELS for word in words)
    if columns.is_field(words[-1], behind) and (named or listed):
        return True
    start = doc.text.rfind("\n", 0, span.start) + 1
    alone = not doc.text[start : span.start].strip() and _LINE_ENDS.match(doc.text, span.end)
    return bool(alone) and listed


def _is_class(doc: Document, span: Span, said: list[int], words: list[str]) -> bool:
    """Whether it is an eponym before its side or class, or the side or class behind one."""
    if _is_titled(doc, said):
        return False
    if all(word in _CLASSES for word in words):
        return _CLASS_BEHIND.match(doc.text, span.end) is not None
    if all(word in _CLASSES for word in words[:-1]) and _CLASS.match(doc.tokens.texts[said[-1]]):
        before = doc.tokens.folded[said[0] - 1] if said[0] and len(words) == 1 else words[0]
        return before in _CLASSES and not _BORN.match(doc.text, span.end)
    return False


def _is_called_so(doc: Document, said: list[int]) -> bool:
    """Whether all of it is articles and an abbreviation that names nobody: "LE SAMU"."""
    tokens = doc.tokens
    own = [at for at in said if tokens.folded[at] not in _ARTICLES]
    if not own and said[-1] + 1 < len(tokens.texts):
        own, said = [said[-1] + 1], [*said, said[-1] + 1]
    return len(own) < len(said) and all(
        len(tokens.texts[at]) >= _SHORT
        and tokens.texts[at].isupper()
        and tokens.folded[at] in voc.ABBREVIATIONS
        and not of_people(doc.text, tokens.starts[at], tokens.ends[at])
        for at in own
    )
