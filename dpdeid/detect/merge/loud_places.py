"""Where the name of a place or institution ends in a text of capitals.

"BANQUE DU KIRCHBERG UNE SOEUR ATTEINTE DE SEP A BRAGA": no capital and no mark says where it ends,
so it ends before the first word that begins another clause. What others proposed in the rest holds.
What has nothing but ordinary words behind its noun, "FOYER AORTIQUE", "PLACE DEMANDEE", is no place
that a rule may find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.fragments import folded
from dpdeid.document import Document, Span
from dpdeid.french import demonyms
from dpdeid.french.letters.abbreviations import LISTED
from dpdeid.french.measures import HEADS
from dpdeid.french.titles import KIN_SEX
from dpdeid.labels import Label
from dpdeid.lexicon import Memo
from dpdeid.spans import Overlaps, disjoint

_PLACES: Final = (Label.HOSPITAL, Label.ORGANIZATION, Label.STREET, Label.CITY)
_LEADS: Final = voc.words("de du des d la le les l aux et en")
"""What joins the next word to the name."""
_OPENS: Final = voc.LISTS["veto_clause"]
"""What no name has inside: other determiners, verbs, what somebody suffers."""
_ARTICLES: Final = voc.words("le la les l")
_KIN: Final = voc.words("enfant enfants filles freres soeurs") | frozenset(KIN_SEX)
_NUMBERS: Final = voc.words("deux trois quatre cinq six")
_TAIL: Final = voc.words("a au aux avec d de du des et en l la le les ou par pour sur un une")
_REST: Final = _TAIL | _OPENS | _KIN
_TOWARDS: Final = voc.words("un une l la eu ete cette ce")
_BUILDINGS: Final = voc.words("bat batiment hall entree esc escalier site pole porte allee groupe")
"""What bears a letter: "BATIMENT A"."""
_QUALIFIES: Final = voc.words("sacre grand grande bon bonne beau belle petit petite saint sainte")
"""What makes a name with any word: "SACRE COEUR"."""
_ADJECTIVE: Final = re.compile(r".{4,20}(?:iques?|ales?|aires?|euses?|oides?)\Z")
"""How words of medicine end that no list has: "hippocampique"."""
_BY_CAPITALS: Final = (
    "patterns/care.hospital", "patterns/care.body", "patterns/care.employer",
    "patterns/places.street.lone",
)  # fmt: skip
"""Rows that find a noun with capital words behind it."""
_TOWNS: Final = ("patterns/places.number", "patterns/places.lives", "patterns/places.born")
"""Rows that take the capital words behind a number or a verb for a town."""
_BEARINGS: Final = voc.words("nord sud est ouest central centrale")
"""Ordinary words that are names of houses."""
_BORNE: Final = 3
"""How usual a surname must be for an ordinary word to be one, in levels of the lists."""
_LEAST: Final = 4
_WORDS: Final = 5
"""Words of the longest town."""
_DOSES: Final = voc.words("mg g ui mcg ml")
_MANY: Final = 2
"""Words that may be the noun alone: "CENTRE HOSPITALIER"."""


def ended(doc: Document, spans: Iterable[Span], proposals: Sequence[Span]) -> Iterator[Span]:
    """The spans, those of places in capitals cut, and what was proposed in what is cut off."""
    within: Overlaps | None = None
    for span in spans:
        stop = span.start if _is_no_place(doc, span) else min(span.end, _stop(doc, span))
        if stop == span.end:
            yield span
            continue
        if stop > span.start and not _is_noun_alone(doc, span.start, stop):
            yield replace(span, end=stop)
        within = within or Overlaps(proposals)
        rest = [
            p for p in within.over(stop, span.end)
            if p.start >= stop and p.end <= span.end and p.label is not span.label
        ]  # fmt: skip
        yield from disjoint((*rest, *_towns(doc, stop, span, rest)))


def _is_noun_alone(doc: Document, start: int, end: int) -> bool:
    """Whether nothing but the noun of a house is left: "MAISON DE REPOS | UNE DEMANDE"."""
    words = [doc.tokens.folded[at] for at in doc.tokens.over(start, end)]
    return len(words) > _MANY and all(word in _LEADS or word in _of_houses() for word in words)


def _towns(doc: Document, start: int, span: Span, found: Sequence[Span]) -> Iterator[Span]:
    """The towns in what is cut off that nobody proposed: "| A LA BARTHE DE NESTE"."""
    tokens = doc.tokens
    own = [at for at in tokens.over(start, span.end) if tokens.texts[at].isalnum()]
    words, first = [tokens.folded[at] for at in own], 0
    while first < len(own):
        sizes = range(min(_WORDS, len(own) - first), 0, -1)
        size = next((n for n in sizes if _is_town(words[first : first + n])), 0)
        if size:
            town = tokens.starts[own[first]], min(span.end, tokens.ends[own[first + size - 1]])
            if not any(s.start < town[1] and town[0] < s.end for s in found):
                yield Span(*town, Label.CITY, span.score, span.source)
        first += size or 1


def _is_town(words: Sequence[str]) -> bool:
    known = len(words) == 1 and (EVIDENCE[words[0]].known or len(words[0]) < _LEAST)
    return not known and bool(gazetteers.places_named(" ".join(words)))


def is_usual_rest(word: str) -> bool:
    """Whether a folded word behind the end of a place names nobody: "MARI" of "LILAS | MARI"."""
    known = EVIDENCE[word]
    return word in _REST or (known.known and not known.first_name)


def _stop(doc: Document, span: Span) -> int:
    """Where the name in a span ends, if it is a place's."""
    text = doc.text[span.start : span.end]
    if span.label not in _PLACES or not text.isupper():
        return span.end
    tokens = doc.tokens
    own = [at for at in tokens.over(span.start, span.end) if tokens.texts[at].isalnum()]
    words = [tokens.folded[at] for at in own]
    sure = span.label is Label.STREET
    if len(own) < (_LEAST if sure else _LEAST - 1):
        return span.end
    apart = (at for at in range(1, len(own)) if doc.text[tokens.starts[own[at]] - 1] != "-")
    beyond = range(own[-1] + 1, min(own[-1] + 1 + _MANY, len(tokens.folded)))
    seen = [*words, *(tokens.folded[at] for at in beyond)]
    end = next(
        (
            at for at in apart
            if _begins_clause(words, at, sure) or (not sure and _measures(seen, at))
        ),
        len(words),
    )  # fmt: skip
    if sure:
        return tokens.ends[own[end - 1]]
    goes_on = end < len(words) or doc.text[span.end : span.end + 2].strip(" ").isalnum()
    while goes_on and end > _MANY and words[end - 1] in _TAIL:
        glued = doc.text[tokens.starts[own[end - 1]] - 1] in "-'"
        if glued or words[end - 2] in _BUILDINGS:
            break
        end -= 1
    return tokens.ends[own[end - 1]]


def _begins_clause(words: Sequence[str], at: int, sure: bool) -> bool:
    """Whether a word begins a clause; `sure`: by itself, whatever medicine it is of."""
    word, before, after = words[at], words[at - 1], "".join(words[at + 1 : at + 2])
    if before in _LEADS or at < _MANY or (before in _NUMBERS and words[at - 2] in _LEADS):
        return False
    named = _is_named(words[1:at])
    if word in _OPENS or (word == "a" and after in _TOWARDS and before not in _BUILDINGS):
        return True
    if word in _ARTICLES or word in _NUMBERS:
        return after in _KIN
    if not named:
        return False
    if word in _KIN:
        return after not in _KIN
    return (
        not sure
        and _is_ordinary(word)
        and not EVIDENCE[before].first_name
        and (_is_proper(before) or _is_town([before]))
        and before not in _QUALIFIES
        and not any(_is_proper(word) or _is_town([word]) for word in words[at + 1 :])
    )


def _measures(words: Sequence[str], at: int) -> bool:
    """Whether a measure or a drug stands behind a name, before its number: "PARC | HB 9"."""
    number, unit = (*words[at + 1 : at + 3], "", "")[:2]
    if not number.isdigit() or words[at - 1] in _LEADS or not _is_named(words[1:at]):
        return False
    return words[at] in HEADS or words[at] in LISTED or unit in _DOSES


def _is_no_place(doc: Document, span: Span) -> bool:
    """Whether a rule took ordinary words in capitals for a town, or a noun and what tells of it for
    the name of a place.
    """
    text = doc.text[span.start : span.end]
    if not span.source.startswith((*_BY_CAPITALS, *_TOWNS)) or not text.isupper():
        return False
    own = (at for at in doc.tokens.over(span.start, span.end) if doc.tokens.texts[at].isalnum())
    words = [doc.tokens.folded[at] for at in own]
    if span.label is Label.CITY and words and not gazetteers.places_named(" ".join(words)):
        return words[0] in _REST or _is_ordinary(words[0])
    return not _nouns().isdisjoint(words[:1]) and _is_phrase(
        words, street=span.label is Label.STREET
    )


def _is_phrase(words: Sequence[str], *, street: bool) -> bool:
    """Whether words are a noun of places and what tells of it, and no name."""
    behind = [word for word in words if word not in _nouns() and word not in _LEADS]
    if not behind:
        return words[-1] in _LEADS
    leads = [word for word in words[: words.index(behind[0])] if word in _LEADS]
    if street and (leads or behind[0] in voc.ABBREVIATIONS):
        return not leads
    if not {"de", "d"}.issuperset(leads) and not EVIDENCE[behind[0]].medical:
        return False  # "EHPAD LES MIMOSAS"
    return _is_ordinary(behind[0]) and not any(map(_is_proper, behind[1:]))


def _is_usual(word: str) -> bool:
    """Whether a word is one of the language, an abbreviation or one cut short, and no name."""
    known = EVIDENCE[word]
    borne = known.first_name or known.surname >= _BORNE or voc.TRAITS[word] & voc.EPONYM
    listed = (
        _BEARINGS, _BUILDINGS, _of_houses(), gazetteers.place_keys(), gazetteers.world_cities(),
        gazetteers.countries(), gazetteers.departments(), gazetteers.regions(), demonyms.known(),
    )  # fmt: skip
    if borne or any(word in names for names in listed):
        return False
    return known.known or word in voc.ABBREVIATIONS or voc.CUT_SHORT[word]


_is_ordinary: Final = Memo(_is_usual).__getitem__


def _is_named(words: Sequence[str]) -> bool:
    """Whether a name stands among words: one behind a particle, or one that is no usual word."""
    behind = (other for one, other in pairwise(words) if one in _LEADS and other not in _LEADS)
    led = any(not EVIDENCE[word].medical for word in behind)
    return led or any(map(_is_proper, words))


def _is_proper(word: str) -> bool:
    """Whether a word is rather a name than one of the language or of medicine."""
    known = EVIDENCE[word]
    if len(word) < _LEAST or not word.isalpha() or voc.TRAITS[word] & voc.EPONYM:
        return False
    if _ADJECTIVE.match(word) and not (known.surname or gazetteers.places_named(word)):
        return known.first_name
    return not known.known or known.first_name or (known.surname > 1 and not known.medical)


@cache
def _of_houses() -> frozenset[str]:
    """Words of the names of units and kinds of houses."""
    phrases = folded("HOSPITAL_KINDS, SPECIALTIES, MODIFIERS, HOSPITAL_NOUNS, BODIES")
    return frozenset(word for phrase in phrases for word in phrase.replace("-", " ").split())


@cache
def _nouns() -> frozenset[str]:
    """Nouns that a place or institution begins with, and whose kind they are."""
    phrases = folded("HOSPITAL_NOUNS, HOSPITAL_ACRONYMS, BODIES, LONE_STREET_NOUNS")
    return frozenset(word for phrase in phrases for word in re.findall(r"\w+", phrase))
