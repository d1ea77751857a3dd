"""Which words of a paragraph in German, Dutch, Italian or English are somebody's names.

A title or kinship before it, a name beside it, a list of names or taggers that agree back a word;
what is usual in the language, a compound of it ("Kniearthrose"), a drug or a word of medicine needs
the first two, small words are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from dpdeid.detect.languages.paragraphs import Stretch
from dpdeid.detect.languages.tables import forms_of, words_of, zipf
from dpdeid.detect.languages.usual import SURNAME, USUAL, Rank, is_only_a_name, rank, travels
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document, Span
from dpdeid.labels import NAMES, Label
from dpdeid.spans import source_of

LEARNED: Final = frozenset(("crf", "transformer", "flair"))
TOLD: Final = frozenset(("metadata", "propagate", "site"))
_NAMED: Final = NAMES | {Label.CITY, Label.HOSPITAL, Label.ORGANIZATION, Label.STREET}
_AROUND: Final = 10
"""Tokens on both sides without a capital where none is typed."""
_LETTERS: Final = 4
_MOST_PARTS: Final = 4
_SURE: Final = 0.9
_SCORE: Final = 0.9
_LOOK: Final = 40
_OPENERS: Final = frozenset('.!?:;-*•(|/"')
_HYPHENS: Final = frozenset("-'’")
_TWO: Final = 2
_FAR: Final = 4
"""Tokens in which a capital follows a particle: "van den Bossche"."""


class Reader:
    """One stretch of a note, and which of its tokens are names. Lives for one note.

    Args:
        proposals: of all detectors, in the stretch.
        known: folded words of names that the note has elsewhere.
    """

    def __init__(
        self, doc: Document, stretch: Stretch, proposals: Iterable[Span], known: frozenset[str]
    ) -> None:
        self.doc, self.stretch, self.language = doc, stretch, stretch.language
        self.known = known
        self.texts, self.folded = doc.tokens.texts, doc.tokens.folded
        self.votes: dict[int, set[str]] = {}
        self.score: dict[int, float] = {}
        self.taken: set[int] = set()
        for span in proposals:
            if span.label not in _NAMED:
                continue
            source = span.source.partition("/")[0].partition("#")[0]
            for at in doc.tokens.over(span.start, span.end):
                self.votes.setdefault(at, set()).add(source)
                self.score[at] = max(self.score.get(at, 0.0), span.score)
                if span.label in NAMES:
                    self.taken.add(at)
        words = self.texts[stretch.first : stretch.stop]
        loud = (len(text) > _TWO and text.istitle() for text in words)
        self._capitals = [*accumulate(loud, initial=0)]

    def small(self, at: int) -> bool:
        """Whether what stands around a token is typed without capitals."""
        first, size = at - self.stretch.first, len(self._capitals) - 1
        low, high = max(0, first - _AROUND), min(size, first + _AROUND + 1)
        return high - low > _AROUND and self._capitals[high] == self._capitals[low]

    def rank(self, at: int) -> Rank:
        """How much speaks against a token being a name."""
        return rank(self.texts[at], self.folded[at], self.language)

    def titled(self, at: int) -> bool:
        """Whether a title, kinship, field or greeting stands right before a token."""
        first, text, word = at - 1, self.texts[at], self.folded[at]
        while first >= 0 and self.texts[first] in (".", "'"):
            first -= 1
        if first < 0:
            return False
        start = self.doc.tokens.starts[at]
        between = self.doc.text[self.doc.tokens.ends[first] : start]
        if "\n" in between:
            return False
        if not between.strip(" ."):
            before, given = self.folded[first], EVIDENCE[word].first_name
            kin = before in words_of(self.language, "kin")
            title = before in words_of(self.language, "titles")
            if title or before in words_of("any", "academic"):
                return given or not (kin and text.islower())
            if kin and "." not in between:
                return text[0].isupper() or (self.small(at) and given)
        before = self.doc.text[max(0, start - _LOOK) : start]
        return any(forms_of(name).search(before) for name in ("greeted", "field"))

    def names(self) -> list[tuple[int, int]]:
        """Runs of tokens that are names, half-open, particles inside them too."""
        own = range(self.stretch.first, self.stretch.stop)
        sure: set[int] = set()
        for at in own:
            if at not in sure and self.texts[at].isalpha() and self.titled(at):
                sure.update(self._behind_title(at))
        sure.update([at for at in own if at not in sure and self._stands_alone(at)])
        for way in (own, own[::-1], own):  # what stands beside a name, and beside that
            again = {self.folded[at] for at in sure if len(self.texts[at]) >= _LETTERS}
            for at in way:
                if at not in sure and self._follows(at, sure, again):
                    sure.add(at)
        return list(self._runs(sorted(sure)))

    def _behind_title(self, first: int) -> list[int]:
        """The tokens of the name that begins behind a title."""
        run: list[int] = []
        size = 0
        for at in range(first, self.stretch.stop):
            text = self.texts[at]
            initial = len(self.texts[at - 1]) <= _TWO and self.texts[at - 1][0].isupper()
            glue = (text in _HYPHENS and self._glued(at)) or (text == "." and initial)
            if run and (glue or "\n" in self.gap(at)):
                if not glue:
                    break
                run.append(at)
                continue
            if self._leads_on(at):
                run.append(at)
                continue
            if size == _MOST_PARTS or not self._goes_on(at, run):
                break
            run.append(at)
            size += 1
        while run and self.texts[run[-1]] != "." and not self._may_end(run[-1]):
            run.pop()
        return run

    def _may_end(self, at: int) -> bool:
        return self.texts[at].isalpha() and self.folded[at] not in words_of("any", "particles")

    def _goes_on(self, at: int, run: Sequence[int]) -> bool:
        """Whether a token behind a title, or behind a name there, is part of it."""
        text, word, how = self.texts[at], self.folded[at], self.rank(at)
        if not text.isalpha() or how is Rank.NEVER:
            return False
        if not text[0].isupper():
            return self.small(at) and how < (Rank.SHARED if run else Rank.ORDINARY)
        if not run or how < Rank.ORDINARY or self.language != "de":
            return True
        return EVIDENCE[self.folded[run[-1]]].first_name or zipf(word, "de") < USUAL

    def _leads_on(self, at: int) -> bool:
        """Whether a particle is followed by a capital, perhaps behind another one."""
        if self.folded[at] not in words_of("any", "particles"):
            return False
        for near in range(at + 1, min(at + _FAR, self.stretch.stop)):
            text = self.texts[near]
            if text[:1].isupper() and len(text) > 1:
                return self.rank(near) is not Rank.NEVER
            if self.folded[near] not in words_of("any", "particles") and text not in _HYPHENS:
                return False
        return False

    def _stands_alone(self, at: int) -> bool:
        """Whether a token is a name without a title."""
        text, word, how = self.texts[at], self.folded[at], self.rank(at)
        if not text.isalpha() or len(text) < _TWO or how is Rank.NEVER:
            return False
        capital, said = text[0].isupper(), self.votes.get(at, set())
        written = capital or self.small(at)
        if written and "metadata" in said:
            return True
        if written and word in self.known and (how < Rank.ORDINARY or (capital and said)):
            return True
        if not capital:
            return written and how < Rank.ORDINARY and self._is_small_name(at)
        if self.of_eponym(at) or at not in self.taken:
            given = EVIDENCE[word].first_name and self.folded[at - 1] in words_of("any", "with")
            frequent = how is Rank.FREE and voc.TRAITS[word] & voc.FREQUENT
            return bool(frequent or (given and how < Rank.ORDINARY))
        return bool(said & TOLD and how is Rank.FREE) or self._is_seen(at, len(said & LEARNED))

    def _is_small_name(self, at: int) -> bool:
        """Whether a word in small letters is a given name, or taggers agree on a rare word."""
        word, known = self.folded[at], EVIDENCE[self.folded[at]]
        strange = not known.word and zipf(word, self.language) <= USUAL
        strange = strange or is_only_a_name(word, self.language)
        sure = self.score.get(at, 0.0) >= _SURE and len(self.votes[at] & LEARNED) > 1
        seen = sure and known.surname > 0 and self.rank(at) is Rank.FREE
        return (known.first_name and strange and len(word) >= _LETTERS) or seen

    def _is_seen(self, at: int, taggers: int) -> bool:
        """Whether so many taggers are believed on a word with a capital."""
        word, how = self.folded[at], self.rank(at)
        given, listed = EVIDENCE[word].first_name, EVIDENCE[word].surname > 0
        sure, several = self.score[at] >= _SURE, taggers > 1
        within = self.language != "de" and not self._opens(at)
        if how is Rank.FREE:
            backed = listed or given or sure or several or self.language != "de"
            return taggers > 0 and backed
        if how is Rank.SHARED:
            rare = (listed or given) and zipf(word, self.language) < USUAL
            alone = (given and travels(word, self.language)) or (within and (listed or given))
            return (several and (sure or rare)) or (taggers > 0 and alone)
        return within and ((given and taggers > 0) or ((listed or given) and several))

    def _opens(self, at: int) -> bool:
        """Whether a word opens a sentence, a line or a field, where anything has a capital."""
        return not at or self.texts[at - 1] in _OPENERS or "\n" in self.gap(at)

    def of_eponym(self, at: int) -> bool:
        """Whether a word is what a sign, score or disease is called after."""
        if voc.TRAITS[self.folded[at]] & voc.EPONYM:
            return True
        before = " ".join(self.folded[max(self.stretch.first, at - _TWO) : at])
        return forms_of("called_after").search(before) is not None

    def _follows(self, at: int, sure: set[int], again: set[str]) -> bool:
        """Whether a token with a capital is a name of the stretch again, or stands beside one and
        is hardly anything else.
        """
        text, word, how = self.texts[at], self.folded[at], self.rank(at)
        if not text.isalpha() or not text[0].isupper():
            return False
        if word in again and how < Rank.ORDINARY:
            return True
        for mark, other in ((at - 1, at - 2), (at + 1, at + 2)):
            if other in sure and self.texts[mark] in _HYPHENS and self._glued(mark):
                return True
        if len(text) == 1:
            return False
        if at - 2 in sure and self.texts[at - 1].istitle() and self._leads_on(at - 1):
            return how < Rank.ORDINARY
        left = at - 1 in sure and self.gap(at) in (" ", "")
        right = at + 1 in sure and self.gap(at + 1) in (" ", "")
        learned = self.votes.get(at, set()) & LEARNED
        if how is Rank.FREE:
            return left or (right and (bool(self.votes.get(at)) or EVIDENCE[word].first_name))
        if how is Rank.SHARED:
            return (left or right) and bool(learned)
        return how is Rank.ORDINARY and left and len(learned) > 1 and self.language != "de"

    def gap(self, at: int) -> str:
        """What stands between a token and the one before it."""
        starts, ends = self.doc.tokens.starts, self.doc.tokens.ends
        return self.doc.text[ends[at - 1] : starts[at]] if at else ""

    def _glued(self, at: int) -> bool:
        return at + 1 < len(self.texts) and not self.gap(at + 1) and not self.gap(at)

    def _runs(self, sure: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The tokens in runs, over particles, hyphens and initials between them."""
        run: list[int] = []
        for at in sure:
            if run and not self._is_joined(run[-1], at):
                yield run[0], run[-1] + 1
                run = []
            run.append(at)
        if run:
            yield run[0], run[-1] + 1

    def _is_joined(self, last: int, at: int) -> bool:
        between = self.texts[last + 1 : at]
        points = bool(between) and set(between) == {"."} and len(self.texts[last]) > _TWO
        joins = all(
            text in _HYPHENS or text == "." or word in words_of("any", "particles")
            for text, word in zip(between, self.folded[last + 1 : at], strict=True)
        )
        return joins and not points and len(between) < _FAR and "\n" not in self.gap(at)

    def spans(self, said: Mapping[int, Label]) -> Iterator[Span]:
        """The names as spans, given names and surnames apart.

        Args:
            said: the label of each token that was a name before.
        """
        tokens, source = self.doc.tokens, source_of(self.language)
        for first, stop in self.names():
            parts: list[tuple[int, int, Label]] = []
            for at in range(first, stop):
                if not self.texts[at].isalpha() and parts:
                    continue
                label = said.get(at) or self._label(at)
                glued = parts and parts[-1][1] < at  # over a hyphen or a point
                particle = self.folded[at] in words_of("any", "particles")
                if parts and (parts[-1][2] is label or glued) and not particle:
                    parts[-1] = (parts[-1][0], at + 1, parts[-1][2])
                else:
                    parts.append((at, at + 1, Label.LAST_NAME if particle else label))
            for start, end, label in parts:
                yield Span(tokens.starts[start], tokens.ends[end - 1], label, _SCORE, source)

    def _label(self, at: int) -> Label:
        known = EVIDENCE[self.folded[at]]
        given = known.first_name and known.surname < SURNAME
        return Label.FIRST_NAME if given else Label.LAST_NAME
