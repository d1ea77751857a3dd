"""Addresses of overseas France in small letters, and which of them are believed.

A run of the grammar (`typed_addresses`) is believed for what stands together in it: a code and a
name, a way and its "n 63", a commune and a way; and where a note tells for sure that it is of
overseas, for less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress
from typing import Final

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE, LISTS, TRAITS, UNLISTED
from dpdeid.detect.places.index import ARTICLES
from dpdeid.detect.places.typed_addresses import (
    ENDS,
    FLATS,
    KINDS,
    MOST_WORDS,
    NATURE,
    WAYS,
    Line,
    Part,
    names_overseas,
)
from dpdeid.document import Document, Span
from dpdeid.french.titles import KIN_SEX
from dpdeid.labels import Label

_GROUNDS: Final = LISTS["address_grounds"]
_SICK: Final = voc.words("ulcere plaie fauteuil diabete escarre douleur dialyse pansement")
_AREAS: Final = re.compile(
    r"\b(?i:(?:[àa]|de|[îi]le de) la r[ée]union\b(?! d)|guadeloupe|martinique|guyane|mayotte|tahiti"
    r"|polyn[ée]sie|nouvelle[- ]cal[ée]donie|noum[ée]a|papeete)\b"
    r"|(?<!\d)0 ?(?:69[0-7]|639|262|263|590|594|596|269)(?: ?\d\d){3}(?!\d)"
)
"""What tells that a note is of overseas: an area, a telephone number."""
_SOURCE: Final = "patterns/places.overseas"


@cache
def _anchors() -> frozenset[str]:
    """What an address may begin with, codes and articles left out."""
    return KINDS | names_overseas().keys() - ARTICLES


def before_medicine(doc: Document, span: Span) -> Span:
    """A street in small letters without what a tagger took in behind it: "… n 41 | ulcere jbe".

    A word of medicine behind a house number, where no number follows, is none of an address.
    """
    own = doc.tokens.over(span.start, span.end)
    if span.label is not Label.STREET or len(own) < MOST_WORDS:
        return span
    folded, texts = doc.tokens.folded, doc.tokens.texts
    for at in own[2:]:
        word, before = folded[at], folded[at - 1]
        known = EVIDENCE[word]
        ends = known.medical or known.drug or (known.shorthand and len(word) > 2)
        named = word in NATURE | KINDS | FLATS | ENDS or known.surname > 1
        numbered = before.isdigit() or folded[at - 2].isdigit()
        is_word = ends and numbered and not (named and word not in _SICK) and texts[at].islower()
        if is_word and not any(folded[rest].isdigit() for rest in range(at, own.stop)):
            return replace(span, end=doc.tokens.ends[at - 1])
    return span


def overseas_addresses(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The codes, communes, quarters and ways of overseas addresses in small letters.

    What it costs: a look at each token, and more only from a word on that opens an address.
    """
    tokens, anchors = doc.tokens, _anchors()
    folded = tokens.folded
    line = Line(doc, tokens.texts, folded, tokens.starts, tokens.ends)
    runs: list[list[Part]] = []
    done = 0
    opens = map(anchors.__contains__, folded)
    for at in compress(range(len(folded)), opens):
        if at < done:
            continue
        if folded[at] in FLATS and at and folded[at - 1] == ",":
            continue  # goes on with what stands before
        if parts := line.run(line.opening(at, done)):
            runs.append(parts)
            done = parts[-1].stop
    if not runs:
        return
    here = any(map(_is_sure, runs)) or _AREAS.search(doc.text) is not None
    for parts in runs:
        if _is_believed(line, parts, here=here):
            yield from _spans(line, parts)


def _is_sure(parts: Sequence[Part]) -> bool:
    """Whether a run tells by itself that it is overseas."""
    codes = any(part.label is Label.ZIP for part in parts)
    sure = any(part.label is Label.CITY and part.weight > 1 for part in parts)
    return (codes and len(parts) > 1) or sure


def _is_believed(line: Line, parts: Sequence[Part], *, here: bool) -> bool:
    labels = {part.label for part in parts}
    ways = [part for part in parts if part.label is Label.STREET]
    if any(part.weight > 2 for part in ways) or (len(ways) > 1 and sum(p.weight for p in ways) > 2):
        return True
    if not here:
        return False
    if len(labels) > 1:
        return True
    if ways:
        ground = any(line.folded[part.first] in _GROUNDS for part in ways)
        return ground or any(
            part.weight > 1 and line.folded[part.first] in WAYS | {"ligne"} for part in ways
        )
    stop = parts[-1].stop
    given = stop < len(line.texts) and line.joined(stop) and line.texts[stop].istitle()
    if labels == {Label.ZIP}:
        return False
    if given and (TRAITS[line.folded[stop]] & voc.LISTED or UNLISTED[line.folded[stop]]):
        return bool(ways)  # "Apatou Wilner"
    first = parts[0].first
    home = line.word(first - 1) == "au" and line.word(first - 2) in _LIVING
    return home or any(part.weight > 1 for part in parts) or line.folded[first] in _SAINTS


_LIVING: Final = frozenset(KIN_SEX) | voc.words(
    "habite vit loge demeure reside hospitalise vivant ne nee"
)
"""What stands before "au | tampon"."""
_SAINTS: Final = voc.words("saint sainte st ste")


def _spans(line: Line, parts: Sequence[Part]) -> Iterator[Span]:
    """The spans of a run, ways that follow each other in one."""
    first = 0
    for at, part in enumerate(parts):
        following = parts[at + 1].label if at + 1 < len(parts) else None
        if part.label is Label.STREET and following is Label.STREET:
            continue
        begin = parts[first].first
        yield Span(line.starts[begin], line.ends[part.stop - 1], part.label, 0.9, _SOURCE)
        first = at + 1
