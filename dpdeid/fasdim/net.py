"""The net behind detection: what it left in place and is likely to identify is taken as well, and
what it took on weak evidence and is hardly likely to is let go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.detect.known_facts.told_words import is_only_a_word
from dpdeid.detect.languages.settled import believable
from dpdeid.detect.merge.form_words import of_form
from dpdeid.detect.merge.loud_places import cut_off, is_loud_word
from dpdeid.detect.merge.no_names import (
    SPELT_DRUGS,
    THINGS,
    is_genus,
    is_model,
    is_no_name,
    is_nobody_here,
    is_written_apart,
    run_is_pair,
    solid,
)
from dpdeid.detect.merge.published import VETO
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import is_loud, view_of
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules import columns, hl7
from dpdeid.detect.taggers.crf import Crf
from dpdeid.detect.taggers.transformer import Transformer
from dpdeid.document import Document, Finding, Span
from dpdeid.fasdim.orders import is_order, is_ticked
from dpdeid.fasdim.risk import COEFFICIENTS, Word, coefficients_file, judged
from dpdeid.french.letters.abbreviations import of_people
from dpdeid.labels import NAMES, Label
from dpdeid.normalize import fold

BETWEEN: Final = frozenset(("", " ", "-", "'", ".", "/"))


@dataclass(frozen=True, slots=True)
class Net:
    """Takes the words and numbers that detection left in place, from a risk on: a word as a given
    name or a surname, a number as another identifier, so that the policy's own strategies replace
    them. Lets go what taggers or lists alone say on too small a chance: such a span stays among the
    proposals, as one of the veto.

    Args:
        risk: the chance to be part of a direct identifier from which a word is taken, in (0, 1];
            see `dpdeid.fasdim.risk`.
        veto: the chance to be part of any identifier below which a span is let go, in [0, 1].
    """

    name: ClassVar[str] = "net"
    risk: Fraction
    veto: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not 0 < self.risk <= 1:
            raise ValueError(f"risk lies in (0, 1], not {self.risk}")
        if not 0 <= self.veto <= 1:
            raise ValueError(f"veto lies in [0, 1], not {self.veto}")

    def __call__(self, documents: Sequence[Document], found: Sequence[Finding]) -> list[Finding]:
        """The findings in the notes of a record, with what it takes and without what it lets go.

        Raises:
            ModelError: a shipped tagger is missing or damaged.
        """
        after = []
        for doc, one, own in zip(documents, found, judged(documents, found), strict=True):
            beyond = cut_off(doc, one.spans, one.proposals)
            left = (
                word
                for word in own.left
                if word.first not in beyond and believable(doc, word.first, word.stop, word.risk)
            )
            more = tuple(self._spans(doc, left))
            gone = {span: chance for span, chance in own.weak.items() if chance < self.veto}
            spans = tuple(sorted((*(s for s in one.spans if s not in gone), *more)))
            told = (Span(s.start, s.end, s.label, chance, VETO) for s, chance in gone.items())
            after.append(Finding(spans, (*one.proposals, *more, *told)))
        return after

    def model_files(self) -> Mapping[str, str]:
        """File of the models that it asks → its SHA-256 (hex); its own coefficients too.

        Raises:
            ModelError: a model or its card is missing or damaged.
        """
        own = {COEFFICIENTS: sha256(coefficients_file().read_bytes()).hexdigest()}
        return {**Crf().model_files(), **Transformer().model_files(), **own}

    def _spans(self, doc: Document, words: Iterable[Word]) -> Iterator[Span]:
        about = float(self.risk)  # tells most of them, and quicker than a fraction
        risky = (word for word in words if word.risk >= about and word.risk >= self.risk)
        taken = [word for word in risky if not _is_thing(doc, word)]
        starts = [at for at in range(1, len(taken)) if not _is_one(doc, *taken[at - 1 : at + 1])]
        for first, stop in pairwise((0, *starts, len(taken)) if taken else ()):
            run = taken[first:stop]
            start, end = doc.tokens.starts[run[0].first], doc.tokens.ends[run[-1].stop - 1]
            glued = doc.text[max(start - 1, 0) : start] + doc.text[end : end + 1]
            if not any(map(str.isalnum, glued)):  # a part of a word: "Mo" of "MoCA"
                risk = max(one.risk for one in run)
                span = Span(start, end, _label(doc, run[0]), risk, self.name)
                if not of_form(doc, span) and not _is_row(doc.text[start:end]):
                    yield span


def _is_row(text: str) -> bool:
    """Whether it is values in a row, of too few digits for one number: "4 3 3 2"."""
    return " " in text and (digits := text.replace(" ", "")).isdigit() and len(digits) < _LEAST


_EVEN: Final = 0.5
"""The risk from which the word of an eponym is taken as well."""


_ABBREVIATIONS: Final = voc.ABBREVIATIONS | voc.DEGREES
_MAKERS: Final = voc.LISTS["device_names"]
_STOP: Final = voc.STOP | voc.PARTICLE
_BARS: Final = frozenset("|lI")
_LAND: Final = re.compile(r"(?:CH|FL?|BE?|LU?|FR|DE?) ?- ?\d{4,5}(?!\w)")
"""What stands before a postal code of a country: "CH-2900", "L - 1210"."""
_MUTATION: Final = re.compile(r"(?:p\.)?[AC-IK-NP-TVWY]\d{2,4}(?:[AC-IK-NP-TVWXY]|del|dup|ins|fs)")
"""A change of an amino acid: "N1303K", "F508del"."""
_GENES: Final = re.compile(r"(?i)g[ée]notyp|mutation|mut[ée]|variant|exon|zygot|g[èe]ne\b")
_FEW_BARS: Final = 6
_LEAST: Final = 5
_BOXES: Final = 4
_RARE: Final = 2
"""How usual a surname must be for an ordinary word to be one, in the levels of the lists."""
_ACRONYM: Final = 3
_USUAL: Final = 3
"""How usual a surname must be for a word to be one beside a hyphen, in the levels of the lists."""


def _is_thing(doc: Document, word: Word) -> bool:
    """Whether a word names a device, its maker or its model, is an abbreviation in capitals, a
    particle, a genus, a bar of a bar code, in the header of a message or the head of a column, a
    greeting, a sex or the head of a mail, part of a word with hyphens, the eponym of several
    people, boxes that spell a word of medicine, a dose whose letters stand apart, a ticked box, a
    drug in another spelling, a mutation, the name of a device behind its noun, a told name that is
    a word there, or on a smaller chance than even an eponym, a part of a compound, an ordinary word
    or one that names nobody by itself.
    """
    tokens, eponyms = range(word.first, word.stop), view_of(doc).guarded
    if word.risk < _EVEN and (
        eponyms.issuperset(tokens) or _is_compound(doc, word) or _names_nobody(doc, word)
    ):
        return True
    texts, folded = doc.tokens.texts, doc.tokens.folded
    start, end = _place(doc, word)
    run, loud = solid(doc.text, start, end), is_loud(doc.text)
    return (
        all(folded[at] in THINGS or folded[at] in voc.GREETINGS for at in tokens)
        or all(at in eponyms and folded[at] in _MAKERS for at in tokens)
        or all(is_nobody_here(doc, at) for at in tokens)
        or is_only_a_word(doc, start, end)
        or is_loud_word(doc, start, end)
        or is_genus(doc, word.stop - 1)
        or is_model(doc, word.first)
        or _is_abbreviation(doc, word)
        or all(_is_small(texts[at].lower() if loud else texts[at]) for at in tokens)
        or _spells_a_word(doc, word)
        or is_order(doc, word.first, word.stop)
        or is_ticked(doc, start, end)
        or _LAND.match(doc.text, start) is not None
        or all(SPELT_DRUGS[folded[at]] for at in tokens)
        or is_written_apart(run)
        or run_is_pair(run)
        or _is_mutation(doc.text, start, run)
        or (len(run) >= _FEW_BARS and _BARS.issuperset(run))
        or columns.is_head(doc.text, start)
        or hl7.is_header(doc.text, start)
    )


def _place(doc: Document, word: Word) -> tuple[int, int]:
    return doc.tokens.starts[word.first], doc.tokens.ends[word.stop - 1]


def _is_abbreviation(doc: Document, word: Word) -> bool:
    """Whether all of it is abbreviations in capitals, or is part of one with digits, "ROS1", where
    nobody's initials stand.
    """
    texts, folded = doc.tokens.texts, doc.tokens.folded
    tokens, place = range(word.first, word.stop), _place(doc, word)
    run = solid(doc.text, *place)
    whole = run[-1:].isdigit() and fold(run) in _ABBREVIATIONS
    listed = whole or all(texts[at].isupper() and folded[at] in _ABBREVIATIONS for at in tokens)
    return listed and not of_people(doc.text, *place)


def _is_mutation(text: str, start: int, run: str) -> bool:
    """Whether it is a change of an amino acid, on a line that speaks of genes."""
    genes = _GENES.search(text, text.rfind("\n", 0, start) + 1, start)
    return genes is not None and all(map(_MUTATION.fullmatch, run.split("/")))


def _names_nobody(doc: Document, word: Word) -> bool:
    """Whether it is an ordinary word that hardly anybody is called, or no part of it names anybody
    by itself; a part of a longer word is not asked.
    """
    start, end = _place(doc, word)
    beside = doc.text[max(start - 1, 0) : start] + doc.text[end : end + 1]
    tokens = range(word.first, word.stop)
    return not any(map(str.isalnum, beside)) and (
        _is_plain(doc, word) or all(is_no_name(doc, at, word.risk) for at in tokens)
    )


def _is_plain(doc: Document, word: Word) -> bool:
    """Whether it is an ordinary word that hardly anybody is called."""
    text, known = doc.tokens.texts[word.first], EVIDENCE[doc.tokens.folded[word.first]]
    alone = word.stop == word.first + 1 and len(text) > _ACRONYM
    return alone and known.word and not known.first_name and known.surname < _RARE


def _is_compound(doc: Document, word: Word) -> bool:
    """Whether a hyphen alone ties it to what is no name: "PICC-line", "CHECK-LIST"."""
    text, tokens = doc.text, doc.tokens
    for hyphen, other in ((word.first - 1, word.first - 2), (word.stop, word.stop + 1)):
        if not (0 <= other < len(tokens.texts) and tokens.texts[hyphen] == "-"):
            continue
        first, last = sorted((other, word.first if other < word.first else word.stop - 1))
        near = EVIDENCE[tokens.folded[other]]
        acronym = tokens.texts[other].isupper() and len(tokens.texts[other]) >= _ACRONYM
        if " " not in text[tokens.starts[first] : tokens.ends[last]] and (near.word or acronym):
            return not near.first_name and near.surname < _USUAL
    return False


def _spells_a_word(doc: Document, word: Word) -> bool:
    """Whether boxes, one letter each, spell a word of medicine or of its wards: "|C|A|R|D|I|O|"."""
    letters = [fold(text) for text in doc.tokens.texts[word.first : word.stop] if text.isalpha()]
    spelt = "".join(letters)
    if any(len(one) > 1 for one in letters) or len(letters) < _BOXES:
        return False
    known = EVIDENCE[spelt]
    return bool(gazetteers.medical().get(spelt)) and not known.first_name and not known.surname


def _is_small(text: str) -> bool:
    return len(text) > 1 and text.islower() and bool(voc.TRAITS[fold(text)] & _STOP)


def _label(doc: Document, word: Word) -> Label:
    if not doc.tokens.texts[word.first].isalpha():
        return Label.OTHER_ID
    known = EVIDENCE[doc.tokens.folded[word.first]]
    return Label.FIRST_NAME if known.first_name and not known.surname else Label.LAST_NAME


def _is_one(doc: Document, word: Word, after: Word) -> bool:
    """Whether two words are parts of one ("So1ange"), or of one kind with a space or mark between
    them at most.
    """
    between = doc.text[doc.tokens.ends[word.stop - 1] : doc.tokens.starts[after.first]]
    one, two = _label(doc, word), _label(doc, after)
    alike = one is two or (between != " " and {one, two} <= NAMES)
    return not between or (between in BETWEEN and alike)
