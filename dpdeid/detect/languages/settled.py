"""What the merge asks: its spans, with those in a paragraph of another language read anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.languages.found import forms_in
from dpdeid.detect.languages.names import LEARNED, TOLD, Reader
from dpdeid.detect.languages.paragraphs import Stretch, stretches
from dpdeid.detect.languages.tables import words_of, zipf
from dpdeid.detect.languages.unread import taken
from dpdeid.detect.languages.usual import Rank
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.spans import disjoint, source_of

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_BODIES: Final = (Label.HOSPITAL, Label.ORGANIZATION, Label.STREET, Label.CITY, Label.UNIT)
_OF_TIME: Final = (Label.DATE, Label.BIRTH_DATE, Label.TIME, Label.AGE)
_KNOWN_LETTERS: Final = 4


def settled(doc: Document, spans: Sequence[Span], proposals: Sequence[Span]) -> tuple[Span, ...]:
    """The merged spans of a note, those in paragraphs of another language replaced by what is found
    there; the same spans for most notes.
    """
    parts = stretches(doc)
    if not parts:
        return tuple(spans)
    edges = [(doc.tokens.starts[p.first], doc.tokens.ends[p.stop - 1]) for p in parts]
    outside = [s for s in spans if not any(a <= s.start < b for a, b in edges)]
    known = frozenset(
        word
        for span in outside
        if span.label in _NAMES
        for word in fold(doc.text[span.start : span.end]).replace("-", " ").split()
        if len(word) >= _KNOWN_LETTERS
    )
    found = list(outside)
    for part, (start, end) in zip(parts, edges, strict=True):
        inside = [s for s in spans if start <= s.start < end]
        own = [s for s in proposals if start <= s.start and s.end <= end]
        if part.read:
            found += _read(doc, part, inside, own, known)
        else:
            found += taken(doc, part, inside, known)
    return disjoint(found)


def believable(doc: Document, first: int, stop: int, chance: float) -> bool:
    """Whether tokens that something else takes for somebody's may be: always outside paragraphs of
    another language, and in none that is read where a word is usual in it or medicine.

    Args:
        chance: how likely it is; a noun of German has a capital as well, and needs even odds if no
            list of names has it.
    """
    for part in stretches(doc):
        if part.first <= first < part.stop:
            if not part.read:
                return False
            reader = _reader(doc, part)
            words = [at for at in range(first, stop) if doc.tokens.texts[at].isalpha()]
            return all(_is_believable(reader, at, chance) for at in words)
    return True


@lru_cache(maxsize=8)  # the net asks for each word
def _reader(doc: Document, part: Stretch) -> Reader:
    return Reader(doc, part, (), frozenset())


def _is_believable(reader: Reader, at: int, chance: float) -> bool:
    text, known = reader.texts[at], EVIDENCE[reader.folded[at]]
    written = (text[0].isupper() or reader.titled(at)) and len(text) > 1
    listed = known.first_name or known.surname > 0 or reader.language != "de" or chance >= _EVEN
    return written and listed and not reader.rank(at) and not reader.of_eponym(at)


_EVEN: Final = 0.5


def _read(
    doc: Document,
    part: Stretch,
    inside: Sequence[Span],
    proposals: Sequence[Span],
    known: frozenset[str],
) -> Iterator[Span]:
    text, source = doc.text, source_of(part.language)
    start, end = doc.tokens.starts[part.first], doc.tokens.ends[part.stop - 1]
    reader = Reader(doc, part, proposals, known)
    forms = disjoint(_without_nouns(reader, s) for s in forms_in(text, start, end, part.language))
    taken = list(forms)
    numbers = [s for s in inside if s.label not in _NAMES and s.label not in _BODIES]
    for span in numbers:
        if span.label in _OF_TIME and not _is_of_time(text, span, forms):
            continue
        if span.label not in _OF_TIME and not _holds_digit_or_is_kept(text, span):
            continue
        whole = (
            replace(span, source=source) if span.label in _OF_TIME else _without_words(doc, span)
        )
        taken.append(whole)
    bodies = [s for s in inside if s.label in _BODIES]
    places = list(_towns(reader, start))
    for span in bodies:
        places += _places(doc, reader, span)
    said = {
        at: s.label for s in inside if s.label in _NAMES for at in doc.tokens.over(s.start, s.end)
    }
    names = list(reader.spans(said))
    told = [span for span in inside if span.source.startswith(_TOLD)]
    yield from disjoint([*taken, *places, *names, *told], rank=_rank)


_TOLD: Final = ("metadata", "site")
"""Sources of what the hospital told, which goes whatever else speaks against it."""


def _without_nouns(reader: Reader, span: Span) -> Span:
    """A hospital without the ordinary word behind it: "Kinderspital Notfall"."""
    tokens = reader.doc.tokens
    german = span.label is Label.HOSPITAL and reader.language == "de"
    own = list(tokens.over(span.start, span.end)) if german else []
    while len(own) > 1 and tokens.texts[own[-1]].isalpha() and reader.rank(own[-1]) > 1:
        word = tokens.folded[own[-1]]
        listed = word in gazetteers.place_keys() or word in gazetteers.world_cities()
        if listed or word.endswith(_BODY_NOUNS) or 0 < zipf(word, "de") < _USUAL_TOWN:
            break
        own.pop()
    return replace(span, end=tokens.ends[own[-1]]) if own else span


_BODY_NOUNS: Final = ("spital", "klinik", "klinikum", "krankenhaus", "zentrum")


def _rank(span: Span) -> tuple[object, ...]:
    """What the hospital told first, then what has a form of the language, then the larger."""
    if span.source.startswith(_TOLD):
        return (-1, span.start - span.end, span.label, span.start)
    form = span.source.startswith("languages/") and span.label not in _NAMES
    return (not form, span.start - span.end, span.label, span.start)


def _is_of_time(text: str, span: Span, forms: Sequence[Span]) -> bool:
    """Whether a date, time or age has a number and nothing that a form has already."""
    if any(f.start < span.end and span.start < f.end for f in forms):
        return False
    inside = text[span.start : span.end]
    letters = sum(map(str.isalpha, inside))
    return any(map(str.isdigit, inside)) and letters <= _FEW_LETTERS


_FEW_LETTERS: Final = 4


def _holds_digit_or_is_kept(text: str, span: Span) -> bool:
    inside = text[span.start : span.end]
    if any(map(str.isdigit, inside)) or "@" in inside or "." in inside.strip("."):
        return True
    return not span.label.is_direct


def _without_words(doc: Document, span: Span) -> Span:
    """A number without the words in small letters around it."""
    tokens = doc.tokens
    own = list(tokens.over(span.start, span.end))
    if (
        not any(map(str.isdigit, doc.text[span.start : span.end]))
        or "@" in doc.text[span.start : span.end]
    ):
        return span
    while len(own) > 1 and len(tokens.texts[own[0]]) > 1 and tokens.texts[own[0]].islower():
        own.pop(0)
    while len(own) > 1 and len(tokens.texts[own[-1]]) > 1 and tokens.texts[own[-1]].islower():
        own.pop()
    start, end = max(span.start, tokens.starts[own[0]]), min(span.end, tokens.ends[own[-1]])
    return replace(span, start=start, end=end)


def _towns(reader: Reader, start: int) -> Iterator[Span]:
    """Towns of the lists behind a preposition, a comma or an arrow: "in Bern", "from Galway"."""
    tokens = reader.doc.tokens
    for at in range(max(reader.stretch.first, 1), reader.stretch.stop):
        before = reader.folded[at - 1]
        if before not in _WHERE[reader.language] or not reader.texts[at][0].isalpha():
            continue
        if reader.small(at) and (before == "," or before in _ALSO):
            continue
        if not (reader.texts[at][0].isupper() or reader.small(at)) or reader.rank(at) is Rank.NEVER:
            continue
        for size in (3, 2, 1):
            words = reader.texts[at : at + size]
            if at + size > reader.stretch.stop or not all(
                w[0].isalpha() or w == "-" for w in words
            ):
                continue
            key = gazetteers.place_key(
                reader.doc.text[tokens.starts[at] : tokens.ends[at + size - 1]]
            )
            own = words_of(reader.language, "towns")
            listed = (
                key in own
                or key in gazetteers.world_cities()
                or any(p.population >= _TOWN for p in gazetteers.places_named(key))
            )
            usual = size == 1 and zipf(reader.folded[at], reader.language) > _USUAL_TOWN
            if listed and not (reader.small(at) and (usual or reader.rank(at) > 1)):
                end = tokens.ends[at + size - 1]
                yield Span(tokens.starts[at], end, Label.CITY, 0.9, source_of(reader.language))
                break


_WHERE: Final = {
    "de": frozenset(["in", "nach", "aus", "bei", "bis", "von", ",", "und"]),
    "nl": frozenset(["in", "te", "naar", "uit", "van", ",", "en"]),
    "it": frozenset(["a", "ad", "da", "di", "in", "per", ","]),
    "en": frozenset(["in", "to", "from", "at", "near", "of", ",", "and"]),
}
_ALSO: Final = frozenset(("and", "und", "en", "e"))
_TOWN: Final = 5000
_USUAL_TOWN: Final = 4


def _places(doc: Document, reader: Reader, span: Span) -> Iterator[Span]:
    """A place without the ordinary words at its ends; nothing if it has no other, or if one tagger
    alone sees it and is unsure, or a street that has no number or has ordinary words within.
    """
    tokens = doc.tokens
    own = list(tokens.over(span.start, span.end))
    while own and not _is_of_place(doc, reader, own[0], span.label):
        own.pop(0)
    while own and not _is_of_place(doc, reader, own[-1], span.label):
        own.pop()
    if not own:
        return
    voices = {voice for at in own for voice in reader.votes.get(at, ())}
    alone = len(voices & LEARNED) < _VOICES and not voices & TOLD
    words = [
        at
        for at in own
        if tokens.texts[at].isalpha() and tokens.folded[at] not in words_of("any", "particles")
    ]
    ordinary = any(reader.rank(at) > 1 for at in words)
    if span.label is Label.CITY:
        alone = alone and not any(tokens.folded[at] in gazetteers.place_keys() for at in words)
    elif ordinary or (
        span.label is Label.STREET and not any(tokens.texts[x].isdigit() for x in own)
    ):
        return
    if not alone or (span.score >= _SURE and span.label is not Label.STREET):
        yield replace(span, start=max(span.start, tokens.starts[own[0]]), end=tokens.ends[own[-1]])


_VOICES: Final = 2
_SURE: Final = 0.8


def _is_of_place(doc: Document, reader: Reader, at: int, label: Label) -> bool:
    text, word = doc.tokens.texts[at], doc.tokens.folded[at]
    if text.isdigit():
        return label is not Label.CITY
    if not text.isalpha() or not (text[0].isupper() or reader.small(at)):
        return False
    rank = reader.rank(at)
    if rank == 0:
        return text[0].isupper() or word in gazetteers.place_keys()
    listed = word in gazetteers.place_keys() or word in gazetteers.world_cities()
    if rank < 3 and listed and text[0].isupper() and len(reader.votes.get(at, ())) > 1:
        return True
    return label is not Label.CITY and rank == 1 and text[0].isupper()
