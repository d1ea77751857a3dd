"""What of a note is taken, from everything that is said of it: a chance a word, then spans.

For each word `evidence` says who proposes it, what the taggers think of it and how it stands there;
`trees` give its chance to be part of any identifier and of a direct one. What label a taken word
has is a vote: all rules together are one voice, each tagger is one. Like those of the published
rules its spans are sorted and disjoint and do not depend on the order of the proposals. A paragraph
in another language is read by its own words (`dpdeid.detect.languages`). In text of capitals the
name of a place ends before the next clause (`loud_places`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

from dpdeid.detect.decision.evidence import FEATURES, evidence
from dpdeid.detect.decision.things import is_hardly_anybody, is_thing_there
from dpdeid.detect.decision.trees import Trees
from dpdeid.detect.known_facts.told_words import is_only_a_word
from dpdeid.detect.languages.settled import believable, settled
from dpdeid.detect.merge.beside import keyed
from dpdeid.detect.merge.form_words import of_form
from dpdeid.detect.merge.loud_places import ended, is_usual_rest
from dpdeid.detect.merge.published import LEARNED, detector_of, finish, kind_of, verdict
from dpdeid.detect.taggers import transformer
from dpdeid.detect.taggers.crf import SHIPPED, Crf
from dpdeid.detect.taggers.transformer import Transformer
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError
from dpdeid.gazetteers import medical
from dpdeid.labels import CATEGORIES, KEPT, NAMES, Label
from dpdeid.spans import OUTSIDE, disjoint

TREES: Final = "trees.tsv"
POINTS: Final = {"cautious": (0.04, 0.5), "balanced": (0.085, 0.6), "keep-medicine": (0.2, 0.8)}
"""Named points: from which chance to be part of a direct identifier a word is taken, and from which
chance to be part of any."""
_THING: Final = 5
"""How many times as likely a word must be that names a thing there: of some kinds the trees have
seen too few."""
_SURE: Final = 0.8
"""From which chance to be part of any identifier such a word is taken at least."""
_TOLD: Final = ("metadata", "site")
"""What the hospital told, which goes whatever the trees say."""
_NUMBERS: Final = frozenset(
    label for label in Label if label.endswith("_ID") or CATEGORIES[label] == "CONTACT"
) | {Label.SSN, Label.ZIP}
_WHOLE: Final = _NUMBERS | {x for x in Label if CATEGORIES[x] == "TIME"} | {Label.AGE}
"""Labels of numbers, which are taken whole or not at all."""
_CERTAIN: Final = 0.97
"""Score of a rule that decides by itself: a check digit, a word in front."""
_UNMARKED: Final = frozenset(("patterns/places.people", "patterns/places.region"))
"""Rules whose finds tell a place and are marked in no gold note, so that the trees know nothing of
them: "l'équipe nantaise".
"""
_NUMBER: Final = 0.3
"""The chance from which a number that no voice proposes is taken."""
_EVEN: Final = 0.5
"""The chance from which a word that no voice proposes is taken although it is an ordinary one."""
BETWEEN: Final = frozenset(("", " ", "-", "'", ".", "/"))
"""What may stand within a find that no voice has a label for."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Takes each word by its learned chance, and gives it the label that most voices give it.

    Args:
        point: "cautious", "balanced" or "keep-medicine": what a miss weighs beside a word that goes
            wrongly; docs/policies.md has what each costs.
        miss: the chance to be part of a direct identifier from which a word is taken, in (0, 1];
            0: that of the point.
        trees: a file that `dpdeid train decision` wrote, or "shipped".
    """

    name: ClassVar[str] = "decision"
    needs: ClassVar[tuple[str, ...]] = ()
    point: str = "balanced"
    miss: Fraction = Fraction(0)
    trees: str = SHIPPED

    def __post_init__(self) -> None:
        if self.point not in POINTS:
            raise ValueError(f"point must be one of {', '.join(POINTS)}")
        if not 0 <= self.miss <= 1:
            raise ValueError(f"miss lies in [0, 1], not {self.miss}")

    def __call__(self, doc: Document, proposals: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
        """The spans of a note.

        Raises:
            ModelError: a shipped tagger or the trees are missing or damaged.
        """
        every = [span for spans in proposals.values() for span in spans]
        if not any(kind_of(name) in LEARNED for name in proposals):  # one voice: no vote
            alone = [span for span in disjoint(every) if not of_form(doc, span)]
            return finish(doc, settled(doc, tuple(ended(doc, alone, every)), every), every)
        votes, sure = weighed(doc, proposals, self.trees)
        taken = {
            at
            for at, one in sure.items()
            if self.takes(one)
            and (self.takes(one, thing=True) or not _is_rather_thing(doc, at, one))
            and not _is_told_word(doc, at)
        }
        told = _over(
            doc,
            (
                span
                for name, spans in proposals.items()
                for span in spans
                if kind_of(name) in _TOLD or _is_certain(span)
            ),
        )
        hides = {at for at in taken if sure[at].direct > sure[at].some / 2}
        spans = [part for s in votes for part in _kept(doc, s, taken, hides, told)]
        more = _unlabelled(doc, taken - _over(doc, spans), sure)
        found = [span for span in sorted((*spans, *more)) if not of_form(doc, span)]
        named = [*keyed(doc, found)]
        whole = [*ended(doc, named, every)]
        beyond = taken & (_over(doc, named) - _over(doc, whole))  # behind the end of a place
        names = {at for at in beyond if not is_usual_rest(doc.tokens.folded[at])}
        whole = sorted((*whole, *_unlabelled(doc, names, sure)))
        return finish(doc, settled(doc, tuple(whole), every), every)

    def takes(self, word: Chance, *, thing: bool = False) -> bool:
        """Whether a word of such chances is taken; one that names a thing there needs more."""
        miss, some = POINTS[self.point]
        miss = float(self.miss) or miss
        if thing:
            miss, some = min(1.0, _THING * miss), max(some, _SURE)
        return word.direct >= miss or word.some >= some

    def reason(self, span: Span, proposals: Sequence[Span]) -> str:
        """Why `span` came out of the proposals that overlap it."""
        if not proposals:
            return "no proposal: by what stands around it"
        return verdict(span, proposals, "tags differ: the most voices, then the rules")

    def model_files(self) -> Mapping[str, str]:
        """File of the models that it asks → its SHA-256 (hex).

        Raises:
            ModelError: a model or its card is missing or damaged.
        """
        own = {TREES: sha256(table(self.trees).encode()).hexdigest()}
        return {**Crf().model_files(), **Transformer().model_files(), **own}


def _is_rather_thing(doc: Document, at: int, chance: Chance) -> bool:
    """Whether a word names a thing there, or one of medicine that is taken for somebody."""
    of_medicine = chance.direct > chance.some / 2 and medical().get(doc.tokens.folded[at])
    return bool(of_medicine) or is_thing_there(doc, at)


def table(name: str) -> str:
    """The table of the shipped trees, or of a file.

    Raises:
        ModelError: the file cannot be read.
    """
    place = files("dpdeid.detect.decision") / TREES if name == SHIPPED else Path(name)
    try:
        return place.read_text(encoding="utf-8")
    except OSError as error:
        why = error.strerror
    except UnicodeDecodeError:
        why = "it is no UTF-8 text"
    raise ModelError(f"cannot read the trees {name}: {why}; dpdeid train decision writes such")


@cache
def trees(name: str = SHIPPED) -> Trees:
    """The shipped trees, or those of a file.

    Raises:
        ModelError: the file is missing or damaged.
    """
    try:
        return Trees.of_text(table(name), FEATURES)
    except ValueError as error:
        raise ModelError(f"{name}: {error}") from None


class Chance(NamedTuple):
    """What is thought of a word.

    Args:
        some, direct: the chance to be part of any identifier and of a direct one.
    """

    some: float
    direct: float


Chances = Mapping[int, Chance]
"""Of each word that any voice says something of."""


def weighed(
    doc: Document, proposals: Mapping[str, Sequence[Span]], name: str = SHIPPED
) -> tuple[Sequence[Span], Chances]:
    """The spans of the label that most voices give each token, and the chances of the words by some
    trees.
    """
    found = evidence(doc, proposals)
    if not found.places:
        return found.voted, {}
    some, direct = trees(name).chances(found.values).T.tolist()
    return found.voted, dict(zip(found.places, map(Chance, some, direct), strict=True))


def _kept(
    doc: Document,
    span: Span,
    taken: set[int],
    hides: set[int],
    told: set[int],
) -> Iterator[Span]:
    """What of a voted span is taken: of a number all or nothing, else without the ends that are
    not; what the hospital told always. A label whose value stays in the
    text is no vote for a word that rather names somebody.
    """
    tokens = doc.tokens
    own = [
        at for at in tokens.over(span.start, span.end) if any(map(str.isalnum, tokens.texts[at]))
    ]
    if not told.isdisjoint(own):
        yield span
        return
    stays = hides if span.label in KEPT else frozenset[int]()
    inside = [at for at in own if at in taken and at not in stays]
    if not inside:
        return
    if span.label in _WHOLE or inside == own:
        yield span
        return
    start = span.start if inside[0] == own[0] else tokens.starts[inside[0]]
    end = span.end if inside[-1] == own[-1] else tokens.ends[inside[-1]]
    yield replace(span, start=start, end=end)


def _is_certain(span: Span) -> bool:
    """Whether a rule is as good as sure, or finds what no gold note marks."""
    return span.source in _UNMARKED or (span.score >= _CERTAIN and detector_of(span) == "patterns")


def _is_told_word(doc: Document, at: int) -> bool:
    """Whether the hospital told a name that is only a word there, of which no note was learned."""
    return bool(doc.known) and is_only_a_word(doc, doc.tokens.starts[at], doc.tokens.ends[at])


def _over(doc: Document, spans: Iterable[Span]) -> set[int]:
    """The tokens that spans touch."""
    return {at for span in spans for at in doc.tokens.over(span.start, span.end)}


def _unlabelled(doc: Document, left: set[int], sure: Chances) -> Iterator[Span]:
    """Taken words that no voice has a label for, side by side as one."""
    runs: list[list[int]] = []
    for at in sorted(left):
        if doc.tokens.texts[at].isdigit() and sure[at].direct < _NUMBER:
            continue
        if is_thing_there(doc, at) or (sure[at].direct < _EVEN and is_hardly_anybody(doc, at)):
            continue
        if runs and _is_one(doc, runs[-1][-1], at):
            runs[-1].append(at)
        else:
            runs.append([at])
    for run in runs:
        score = max(sure[at].direct for at in run)
        start, end = doc.tokens.starts[run[0]], doc.tokens.ends[run[-1]]
        span = Span(start, end, _label(doc, run[0]), min(1.0, score), Decision.name)
        if _stands(doc, span):
            yield span


def _stands(doc: Document, span: Span) -> bool:
    """Whether it is no part of a word, "Mo" of "MoCA", nor a word of a paragraph in another
    language.
    """
    glued = doc.text[max(span.start - 1, 0) : span.start] + doc.text[span.end : span.end + 1]
    own = doc.tokens.over(span.start, span.end)
    return not any(map(str.isalnum, glued)) and believable(doc, own.start, own.stop, span.score)


def _label(doc: Document, at: int) -> Label:
    """What the transformer thinks it is if it is anything; a word is no number."""
    tagger = transformer.loaded(transformer.SHIPPED)
    of: dict[Label, float] = {Label.LAST_NAME: 0.0, Label.OTHER_ID: 0.0}
    for tag, chance in zip(tagger.spec.tags, tagger.chances(doc)[at].tolist(), strict=True):
        if tag != OUTSIDE and tag[2:] not in KEPT:
            of[Label(tag[2:])] = of.get(Label(tag[2:]), 0.0) + chance
    if doc.tokens.texts[at].isalpha():
        of = {label: chance for label, chance in of.items() if label not in _NUMBERS}
    return max(of, key=of.__getitem__)


def _is_one(doc: Document, at: int, after: int) -> bool:
    """Whether two words are parts of one ("So1ange"), or of one kind with a space or mark between
    them at most.
    """
    between = doc.text[doc.tokens.ends[at] : doc.tokens.starts[after]]
    one, two = _label(doc, at), _label(doc, after)
    alike = one is two or (between != " " and {one, two} <= NAMES)
    return not between or (between in BETWEEN and alike)
