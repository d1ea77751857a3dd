"""What speaks against a word: that what the vote found is doubted, or that it is a thing there.

Each was a veto once. Now it is asked of words alone whose chance decides little, and such a word
must be likelier.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from dpdeid.detect.decision.orders import is_order, is_ticked
from dpdeid.detect.known_facts.told_words import is_only_a_word
from dpdeid.detect.merge.beside import is_keyed
from dpdeid.detect.merge.form_words import of_form
from dpdeid.detect.merge.loud_places import is_loud_word
from dpdeid.detect.merge.no_names import (
    SPELT_DRUGS,
    THINGS,
    is_genus,
    is_model,
    is_no_name,
    is_nobody_here,
    is_only_medicine,
    is_thing,
    is_written_apart,
    run_is_pair,
    solid,
)
from dpdeid.detect.merge.published import LEARNED, detector_of, kind_of
from dpdeid.detect.merge.tagger_vetoes import (
    doubtful,
    in_code,
    is_counted,
    is_eponym,
    is_noun_of_place,
    is_rest,
    is_span_of_hours,
    is_title_or_header,
)
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import is_loud, view_of
from dpdeid.detect.names.not_people import is_department
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules import columns, hl7
from dpdeid.document import Document, Span
from dpdeid.french.letters.abbreviations import of_people
from dpdeid.labels import Label
from dpdeid.normalize import fold

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_KNOWN: Final = 1.0
"""Score of what the hospital's file says of the patient."""
_INITIALS: Final = 3
"""Letters up to which a token of a name may be initials."""
_WEAK: Final = 0.4
"""The score below which one tagger alone may be doubted on a direct identifier."""
_LISTS: Final = frozenset(("lookup", "lookup_places"))
"""Rule detectors that go by lists, which second nobody."""


def doubted(doc: Document, spans: Sequence[Span], proposals: Sequence[Span]) -> list[bool]:
    """Of each voted span whether it is doubted: what one tagger alone proposes and the word speaks
    against, what only lists propose beside two taggers, and words and numbers that name nobody
    where they stand. A doubted name beside one that is not doubted stays.
    """
    doubts, words = list[bool](), list[bool]()
    for span, scores in zip(spans, _scores(spans, proposals), strict=True):
        said = {name for name in scores if kind_of(name) not in _LISTS}
        (name,) = said if len(said) == 1 else ("",)
        lone = kind_of(name) in LEARNED
        listed = not said and not is_article_of_department(doc, span)
        alone = lone and replace(span, score=scores[name])
        doubt = listed or (alone and doubtful(doc, alone, weak=_WEAK))
        learned_only = {*map(kind_of, said)} <= {*LEARNED}
        named = learned_only and span.label in _NAMES
        word = is_only_a_word(doc, span.start, span.end) or is_only_medicine(doc, span)
        words.append(named and word)
        nothing = any(no(doc, span) for no in (is_span_of_hours, is_noun_of_place, is_eponym))
        of_nobody = is_counted(doc, span) or is_thing(doc, span) or nothing
        loud = span.label in _NAMES and is_loud_word(doc, span.start, span.end)
        told = max(scores.values(), default=0.0) >= _KNOWN
        doubt = doubt or is_rest(doc, span) or (learned_only and of_nobody) or words[-1]
        doubt = doubt or (loud and not told)
        coded = span.label in _NAMES and in_code(doc, span)
        doubt = bool(doubt) and not (coded and not is_keyed(doc.text, span.start, span.end))
        headed = lone and is_title_or_header(doc, span)
        doubts.append(doubt or headed or of_form(doc, span))
    pairs = [at for at in range(1, len(spans)) if _is_one_name(doc, *spans[at - 1 : at + 1])]
    pairs = [at for at in pairs if not (words[at - 1] or words[at])]
    for at in pairs:
        doubts[at] = doubts[at] and doubts[at - 1]
    for at in reversed(pairs):
        doubts[at - 1] = doubts[at] and doubts[at - 1]
    return doubts


def is_article_of_department(doc: Document, span: Span) -> bool:
    """Whether a span is a department behind its article."""
    folded, own = doc.tokens.folded, doc.tokens.over(span.start, span.end)
    first = own.start - 1
    words = folded[max(0, first) : own.stop]
    return first > 0 and is_department(words, folded[max(0, first - 2) : first])


def _scores(spans: Sequence[Span], proposals: Iterable[Span]) -> list[dict[str, float]]:
    """For each of the sorted spans who sees anything there, with the best score of each."""
    ends = [span.end for span in spans]
    found: list[dict[str, float]] = [{} for _ in spans]
    for p in proposals:
        name, at = detector_of(p), bisect_right(ends, p.start)
        while at < len(spans) and spans[at].start < p.end:
            found[at][name] = max(found[at].get(name, 0.0), p.score)
            at += 1
    return found


def _is_one_name(doc: Document, first: Span, second: Span) -> bool:
    """Whether two spans are names with nothing between them but a space, a point or a hyphen."""
    between = doc.text[first.end : second.start]
    named = first.label in _NAMES and second.label in _NAMES
    given = EVIDENCE[fold(doc.text[first.start : first.end])].first_name
    if given and between == ". " and second.end - second.start > _INITIALS:
        return False  # "chaussettes Ted. Yacine"
    return named and len(between) < _INITIALS and not between.strip(" .-")


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
_RARE: Final = 2
"""How usual a surname must be for an ordinary word to be one, in the levels of the lists."""
_ACRONYM: Final = 3
_USUAL: Final = 3
"""How usual a surname must be for a word to be one beside a hyphen, in the levels of the lists."""
_HARDLY: Final = 0.3
"""The score at which a word is asked whether it names anybody by itself."""


def is_thing_there(doc: Document, at: int) -> bool:
    """Whether a word names a device, its maker or its model, is an abbreviation in capitals, a
    particle, a genus, a bar of a bar code, in the header of a message or the head of a column, a
    greeting, a sex or the head of a mail, the eponym of several people, a dose whose letters stand
    apart, a ticked box, a drug in another spelling, a mutation, the name of a device behind its
    noun, or a told name that is a word there.
    """
    text, word = doc.tokens.texts[at], doc.tokens.folded[at]
    start, end = doc.tokens.starts[at], doc.tokens.ends[at]
    if word in THINGS or word in voc.GREETINGS or SPELT_DRUGS[word]:
        return True
    run, loud = solid(doc.text, start, end), is_loud(doc.text)
    return (
        (word in _MAKERS and at in view_of(doc).guarded)
        or is_nobody_here(doc, at)
        or is_only_a_word(doc, start, end)
        or is_loud_word(doc, start, end)
        or is_genus(doc, at)
        or is_model(doc, at)
        or _is_abbreviation(doc, at, run)
        or _is_small(text.lower() if loud else text)
        or is_order(doc, at, at + 1)
        or is_ticked(doc, start, end)
        or _LAND.match(doc.text, start) is not None
        or is_written_apart(run)
        or run_is_pair(run)
        or _is_mutation(doc.text, start, run)
        or (len(run) >= _FEW_BARS and _BARS.issuperset(run))
        or columns.is_head(doc.text, start)
        or hl7.is_header(doc.text, start)
    )


def is_hardly_anybody(doc: Document, at: int) -> bool:
    """Whether a word is an eponym, part of a compound, an ordinary word that hardly anybody is
    called, or names nobody by itself; a part of a longer word is not asked.
    """
    if at in view_of(doc).guarded or _is_compound(doc, at):
        return True
    start, end = doc.tokens.starts[at], doc.tokens.ends[at]
    beside = doc.text[max(start - 1, 0) : start] + doc.text[end : end + 1]
    if any(map(str.isalnum, beside)):
        return False
    known = EVIDENCE[doc.tokens.folded[at]]
    plain = known.word and not known.first_name and known.surname < _RARE
    return (plain and end - start > _ACRONYM) or is_no_name(doc, at, _HARDLY)


def _is_abbreviation(doc: Document, at: int, run: str) -> bool:
    """Whether it is an abbreviation in capitals, or part of one with digits, "ROS1", where nobody's
    initials stand.
    """
    whole = run[-1:].isdigit() and fold(run) in _ABBREVIATIONS
    listed = doc.tokens.texts[at].isupper() and doc.tokens.folded[at] in _ABBREVIATIONS
    place = doc.tokens.starts[at], doc.tokens.ends[at]
    return (whole or listed) and not of_people(doc.text, *place)


def _is_mutation(text: str, start: int, run: str) -> bool:
    """Whether it is a change of an amino acid, on a line that speaks of genes."""
    if not all(map(_MUTATION.fullmatch, run.split("/"))):
        return False
    return _GENES.search(text, text.rfind("\n", 0, start) + 1, start) is not None


def _is_compound(doc: Document, at: int) -> bool:
    """Whether a hyphen alone ties it to what is no name: "PICC-line", "CHECK-LIST"."""
    text, tokens = doc.text, doc.tokens
    for hyphen, other in ((at - 1, at - 2), (at + 1, at + 2)):
        if not (0 <= other < len(tokens.texts) and tokens.texts[hyphen] == "-"):
            continue
        first, last = sorted((other, at))
        near = EVIDENCE[tokens.folded[other]]
        acronym = tokens.texts[other].isupper() and len(tokens.texts[other]) >= _ACRONYM
        if " " not in text[tokens.starts[first] : tokens.ends[last]] and (near.word or acronym):
            return not near.first_name and near.surname < _USUAL
    return False


def _is_small(text: str) -> bool:
    return len(text) > 1 and text.islower() and bool(voc.TRAITS[fold(text)] & _STOP)
