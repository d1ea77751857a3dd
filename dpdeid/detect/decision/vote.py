"""The label of each token by vote: all rules together are one voice, each tagger is one.

However many site lists are among the rules, they are one; two models of one kind are two voices (a
policy refuses the same one twice).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.merge import spoken
from dpdeid.detect.merge.ends import is_fraction, parted, without_tail
from dpdeid.detect.merge.form_words import without_sex
from dpdeid.detect.merge.published import LEARNED, kind_of, place_of, sign
from dpdeid.detect.names.not_people import is_department
from dpdeid.detect.places.overseas import before_medicine
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold
from dpdeid.spans import OUTSIDE, Overlaps, decode, disjoint, encode

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_CERTAIN: Final = 0.97
"""Score from which an organization of the rules keeps the town in its name."""
_KNOWN: Final = 1.0
"""Score of what the hospital's file says of the patient."""
_INITIALS: Final = 3
"""Letters up to which a token of a name may be initials."""
_PARTS: Final = frozenset(("et", "ou", "a", "au", "/", ","))
"""Folded words between two finds rather than within one: "3 et 5 ans", "2 à 3 ans"."""


def voted(
    doc: Document, proposals: Mapping[str, Sequence[Span]], every: Sequence[Span]
) -> list[Span]:
    """The spans of the label that most voices give each token.

    The rules win a tie, then the tagger with the better score. What the rules find may lose an end
    to two taggers but is not broken in the middle; and which name initials stand for, or a name of
    the hospital's file, the rules say.
    """
    taggers = [n for n in sorted(proposals, key=place_of) if kind_of(n) in LEARNED]
    rules = [s for name, spans in proposals.items() if name not in taggers for s in spans]
    voices = [_voice(doc, rules), *(_voice(doc, proposals[name]) for name in taggers)]
    short = [len(text) <= _INITIALS for text in doc.tokens.texts]
    silent = ((OUTSIDE, 0.0),) * len(voices)
    decided = [
        OUTSIDE if said == silent else _decided(few, said)
        for few, said in zip(short, zip(*voices, strict=True), strict=True)
    ]
    tags = _joined(decided, voices, doc.tokens.folded)
    tags = _unbroken(tags, [tag for tag, _ in voices[0]])
    overlaps = Overlaps(every)
    found = (sign(span, overlaps) for span in decode(tags, doc.tokens, source="decision"))
    whole = (span for span in found if not is_fraction(span, doc.text))
    decoded = [part for span in whole for part in parted(span, doc.text)]
    ended_by = (without_tail(span, doc.text) for span in decoded)
    cut = [before_medicine(doc, without_sex(span, doc.text)) for span in ended_by]
    # what a part of it is, its own proposals say if it has any
    placed = (_placed(doc, sign(span, overlaps)) for span in spoken.whole(doc, cut))
    return [*_without_leads(doc, [span for span in placed if span is not None])]


def _decided(short: bool, said: Sequence[tuple[str, float]]) -> str:
    """The tag of one token, from what each voice says of it and how surely, the rules first."""
    heard = [(tag, score, place) for place, (tag, score) in enumerate(said) if tag != OUTSIDE]
    births = any(tag.endswith(Label.BIRTH_DATE) for tag, _, place in heard if place > 0)
    if births and said[0][0][2:] == Label.DATE:
        heard = heard[1:]  # a form of dates says nothing of what happened on that day
    first, sure, _ = heard[0]
    if first == said[0][0] and sure >= _CERTAIN and Label(first[2:]) is Label.ORGANIZATION:
        return first
    names = said[0][0] != OUTSIDE and all(Label(tag[2:]) in _NAMES for tag, _, _ in heard)
    if names and (short or said[0][1] >= _KNOWN):
        return said[0][0]
    votes = Counter(tag[2:] for tag, _, _ in heard)
    return max(heard, key=lambda h: (votes[h[0][2:]], h[2] == 0, h[1], -h[2]))[0]


def _placed(doc: Document, span: Span) -> Span | None:
    """The span, or the town in a head of a letter taken for a name, or the department in it taken
    for a surname with particle; None for its article.
    """
    if span.label in _NAMES and _HEAD.match(doc.text, span.end):
        opens = not doc.text[: span.start].rpartition("\n")[2].strip()
        if opens and gazetteers.places_named(fold(doc.text[span.start : span.end])):
            return replace(span, label=Label.CITY, role=Role.UNKNOWN)
    if span.label is not Label.LAST_NAME:
        return span
    if _is_department(doc, span, 0, 0):
        second = doc.tokens.over(span.start, span.end)[1]
        return replace(span, start=doc.tokens.starts[second], label=Label.CITY)
    article = span.end - span.start <= _INITIALS
    return None if article and any(_is_department(doc, span, 0, n) for n in _AFTER) else span


_HEAD: Final = re.compile(
    r",? (?:le )?(?:[^\W\d_]{4,9} )?\d{1,2}(?:er)?[ /.-][^\n,;:]{0,16}\d\.?[ \t]*(?:\n|\Z)"
)
"""What stands behind the town that heads a letter, to the end of the line: ", le 3 mars 2021"."""
_LEADS: Final = re.compile(r"(?<=\w) (?:de|du|des|d'|DE|DU|DES|D'?)\Z")


def _without_leads(doc: Document, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans, a name without what leads from it to the town behind: "Kieffer de | Molsheim",
    "DE ROUSSEL D' | ARGENTEUIL".
    """
    for span, after in pairwise((*spans, None)):
        leads = span and after and after.label is Label.CITY and after.start - span.end < _NEXT
        if span and span.label in _NAMES and leads:
            lead = _LEADS.search(doc.text, span.start, span.end)
            yield replace(span, end=lead.start()) if lead else span
        elif span:
            yield span


_NEXT: Final = 2
"""Characters to what begins right behind, with a space at most."""


def _is_department(doc: Document, span: Span, before: int, after: int) -> bool:
    """Whether a span with so many tokens around it is a department with its article."""
    folded, own = doc.tokens.folded, doc.tokens.over(span.start, span.end)
    first = own.start - before
    words = folded[max(0, first) : own.stop + after]
    return first > 0 and is_department(words, folded[max(0, first - 2) : first])


_AFTER: Final = (1, 3, 5)
"""Tokens of a department: "Loiret", "Haute-Loire", "Val-de-Marne"."""


def _joined(
    decided: Sequence[str], voices: Sequence[Sequence[tuple[str, float]]], words: Sequence[str]
) -> list[str]:
    """The decided tags, with two spans made one where every voice that has their label on both
    sides of the seam sees one: "mi-avril" of two taggers, where the rules have the month only.
    Two ends of a range stay two, and so do two dates of the rules: "lun-mer".
    """
    tags = list(decided)
    for at in range(1, len(tags)):
        label, before = tags[at][2:], words[at - 1]
        if tags[at][0] != "B" or tags[at - 1][2:] != label or before in _PARTS:
            continue
        across = [v[at][0][0] for v in voices if v[at][0][2:] == v[at - 1][0][2:] == label]
        two = label == Label.DATE and at > 1 and voices[0][at - 2][0][2:] == label
        ranges = before == "-" and (words[at].isdigit() or two)
        if across and "B" not in across and not ranges:
            tags[at] = f"I-{label}"
    return tags


def _unbroken(decided: Sequence[str], rules: Sequence[str]) -> list[str]:
    """The decided tags, with the rules' own where what they found was broken in the middle."""
    tags = list(decided)
    first = 0
    while first < len(rules):
        if rules[first] == OUTSIDE:
            first += 1
            continue
        stop = first + 1
        while stop < len(rules) and rules[stop] == f"I-{rules[first][2:]}":
            stop += 1
        own = [at for at in range(first, stop) if tags[at][2:] == rules[at][2:]]
        if own and own[-1] - own[0] >= len(own):
            tags[first:stop] = rules[first:stop]
        first = stop
    return tags


def _voice(doc: Document, spans: Iterable[Span]) -> list[tuple[str, float]]:
    """What a voice says of each token: a tag, direct identifiers first, and its best score."""
    apart = disjoint(spans)
    best = [0.0] * len(doc.tokens)
    direct = encode((s for s in apart if s.label.is_direct), doc.tokens)
    tags = [
        a if a != OUTSIDE else b for a, b in zip(direct, encode(apart, doc.tokens), strict=True)
    ]
    for span in apart:
        for at in doc.tokens.over(span.start, span.end):
            if tags[at][2:] == span.label:
                best[at] = max(best[at], span.score)
    return list(zip(tags, best, strict=True))
