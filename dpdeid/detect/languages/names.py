"""Which words of a paragraph in German, Dutch, Italian or English are somebody's names.

A title or kinship before it, a name beside it, a list of names or taggers that agree back a word; what is
usual in the language, a compound of it ("Kniearthrose"), a drug or a word of medicine needs the first
two, small words are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.languages.paragraphs import Stretch
from dpdeid.detect.languages.tables import READ, words_of, zipf
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE, Evidence
from dpdeid.document import Document, Span
from dpdeid.french.abroad import MONTH_OF, WEEKDAY_OF, source_of
from dpdeid.labels import Label, Role

PARTICLES: Final = frozenset(
    "van von de der den di da dal dalla del della dello dei d la le lo ten ter vom zu zur el al bin ibn ben mac mc o".split()
)
_PLACES: Final = (Label.CITY, Label.HOSPITAL, Label.ORGANIZATION, Label.STREET)
_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_USUAL: Final = 4
"""The Zipf value from which a word of a language is usual, though somebody is called so."""
_SURNAME: Final = 2
"""How usual a surname must be, in the levels of `Evidence`."""
_HEAD: Final = 4
"""Letters of a compound before its head, at least."""
_GREETED: Final = re.compile(
    r"(?i)(?:gr(?:ü|ue?)(?:ss|ß)e?n?|groet(?:en|jes)?|mvg|mfg|saluti|cordialmente|regards|wishes|sincerely|"
    r"faithfully|thanks|thx|cheers|hochachtungsvoll|hoogachtend|gez\.|sig(?:ne)?d|firmato|getekend|visum|"
    r"unterzeichnet|dictated by|ondertekend|love)[,.:!]?\s{1,3}(?:dein|ihr|ihre|uw|je|tuo|tua|yours?,?\s)?\Z"
)
_FIELD: Final = re.compile(
    r"(?i)(?:\b(?:name|vorname|nachname|familienname|naam|voornaam|familienaam|nome|cognome|surname|forename|"
    r"first name|last name|patient(?:in)?|patiënte?|paziente|betreft|betrifft|betr\.|re|concerns?|oggetto|riguarda|"
    r"pat\.|pt|arts|arzt|ärztin|medico|physician|doctor|nurse|gp|consultant|surgeon|operateur|operatore|"
    r"chirurg|chirurgo|anästhesist|anestesista|anaesthetist|assistent|assistente|assistant|sachbearbeiter(?:in)?|"
    r"kontakt|contact|contatto|ansprechpartner(?:in)?|hausarzt|hausärztin|huisarts|medico curante|referente|"
    r"einsender|unterschrift|handtekening|firma|signature|reported by|casemanager|case manager|verpleegkundige|infermiera|pflegefachfrau|next of kin|nok|mother|father|son|daughter|wife|husband)"
    r" ?: ?|\b(?:heisst|heißt|namens|genannt|heet|genaamd|di nome|called|named|chiamata|chiamato) )\Z"
)
_LOOK: Final = 40


class Reader:
    """One stretch of a note, and which of its tokens are names. Lives for one note."""

    def __init__(
        self, doc: Document, stretch: Stretch, proposals: Iterable[Span], known: frozenset[str]
    ) -> None:
        self.doc, self.stretch, self.language = doc, stretch, stretch.language
        self.known = known
        self.texts, self.folded = doc.tokens.texts, doc.tokens.folded
        self.votes: dict[int, set[str]] = {}
        self.score: dict[int, float] = {}
        self.labels: dict[int, list[Label]] = {}
        for span in proposals:
            if span.label in _NAMES or span.label in _PLACES:
                source = span.source.partition("/")[0].partition("#")[0]
                for at in doc.tokens.over(span.start, span.end):
                    self.votes.setdefault(at, set()).add(source)
                    self.score[at] = max(self.score.get(at, 0.0), span.score)
                    self.labels.setdefault(at, []).append(span.label)
        words = self.texts[stretch.first : stretch.stop]
        self._capitals = [*accumulate((len(w) > 2 and w.istitle() for w in words), initial=0)]

    def small(self, at: int) -> bool:
        """Whether what stands around a token is typed without capitals."""
        first, size = at - self.stretch.first, len(self._capitals) - 1
        low, high = max(0, first - _AROUND), min(size, first + _AROUND + 1)
        return high - low > _AROUND and self._capitals[high] == self._capitals[low]

    def ordinary(self, at: int) -> int:
        """0 for what may be a name, 1 for what is usual but also a name, 2 for what is ordinary, 3
        for what is never a name.
        """
        word, text = self.folded[at], self.texts[at]
        lists = (words_of(self.language, x) for x in ("function", "never"))
        if not text.isalpha() or any(word in found for found in lists):
            return 3
        if word in MONTH_OF[self.language] or word in WEEKDAY_OF[self.language]:
            return 3 if len(word) > _HEAD or not text[0].isupper() else 1
        if any(word in words_of(self.language, x) for x in ("clinical", "titles", "kin")):
            return 3
        known, usual = EVIDENCE[word], zipf(word, self.language)
        named = known.first_name or known.surname >= _SURNAME
        heads = words_of(self.language, "heads")
        if word in heads and len(word) >= _HEAD:
            return 2
        if usual >= _USUAL:
            strongly = voc.TRAITS[word] & voc.FREQUENT or travels(word, self.language)
            return 1 if named and ((known.first_name and strongly) or usual == _USUAL) else 2
        if usual:
            return 1 if (named or text[0].isupper()) and not self._is_compound(word) else 2
        if known.drug or (known.medical and not named) or (text.isupper() and _is_acronym(text, known)):
            return 2
        if known.shorthand and (text.isupper() or not named):
            return 2
        if named:
            return 0
        if gazetteers.words().get(word) is not None and len(word) > _HEAD:
            return 2
        return 2 if self._is_compound(word) else 0

    def _is_compound(self, word: str) -> bool:
        """Whether a word ends as words of the language do: "Kniearthrose", "drempelwaarde"."""
        heads = words_of(self.language, "heads")
        least = 4 if self.language in ("de", "nl") else 5
        if len(word) > least + 2:
            for size in range(2, min(len(word) - 3, 14)):
                if word[-size:] in heads and (size > 3 or len(word) >= _LONG):
                    return True
        if self.language not in ("de", "nl") or len(word) < 8:
            return False
        for cut in range(_HEAD, len(word) - _HEAD + 1):
            head, rest = word[:cut].removesuffix("s"), word[cut:]
            if zipf(rest, self.language) > 2 and zipf(head, self.language) > 2:
                return not (EVIDENCE[rest].surname > 3 and rest in _OF_SURNAMES)
        return False

    def titled(self, at: int) -> bool:
        """Whether a title, kinship, field or greeting stands right before a token."""
        first = at - 1
        texts, folded = self.texts, self.folded
        while first >= 0 and texts[first] in (".", "'"):
            first -= 1
        if first < 0:
            return False
        between = self.doc.text[self.doc.tokens.ends[first] : self.doc.tokens.starts[at]]
        if "\n" in between:
            return False
        before = folded[first]
        if not between.strip(" ."):
            if before in words_of(self.language, "titles") or before in _ACADEMIC:
                kin = before in words_of(self.language, "kin") and self.texts[at].islower()
                return not kin or EVIDENCE[folded[at]].first_name
            if before in words_of(self.language, "kin") and "." not in between:
                given = EVIDENCE[folded[at]].first_name
                return self.texts[at][0].isupper() or (self.small(at) and given)
        start = self.doc.tokens.starts[at]
        text = self.doc.text[max(0, start - _LOOK) : start]
        return bool(_GREETED.search(text) or _FIELD.search(text))

    def names(self) -> list[tuple[int, int]]:
        """Runs of tokens that are names, half-open, particles inside them too."""
        first, stop = self.stretch.first, self.stretch.stop
        sure: set[int] = set()
        for at in range(first, stop):
            if at in sure or not self.texts[at].isalpha():
                continue
            if self.titled(at):
                sure.update(self._run(at))
        for at in range(first, stop):
            if at not in sure and self._stands_alone(at):
                sure.add(at)
        grown = True
        while grown:
            grown = False
            again = {self.folded[at] for at in sure if len(self.texts[at]) >= _HEAD}
            for at in range(first, stop):
                told = self.folded[at] in again and self.texts[at][0].isupper()
                if at not in sure and ((told and self.ordinary(at) < 2) or self._beside(at, sure)):
                    sure.add(at)
                    grown = True
        return list(self._runs(sorted(sure)))

    def _run(self, at: int) -> list[int]:
        """The tokens of the name that begins behind a title."""
        run: list[int] = []
        size = 0
        while at < self.stretch.stop and size < _MOST_PARTS:
            text, word = self.texts[at], self.folded[at]
            if text in ("-", "'", "’") and run and self._glued(at):
                run.append(at)
                at += 1
                continue
            if run and "\n" in self._gap(at):
                break
            if run and text == "." and len(self.texts[at - 1]) <= 2 and self.texts[at - 1][0].isupper():
                run.append(at)
                at += 1
                continue
            if word in PARTICLES and self._particle_leads(at):
                run.append(at)
                at += 1
                continue
            rank = self.ordinary(at) if text.isalpha() else 3
            cap = text[:1].isupper()
            title = word in words_of(self.language, "titles")
            if not text.isalpha() or title:
                break
            if rank == 3 and not (cap and not run and word not in words_of(self.language, "function")):
                break
            if rank == 3 and (word in words_of(self.language, "never") or len(text) < 2):
                break
            if rank == 3 and any(word in words_of(self.language, x) for x in ("clinical", "kin")):
                break
            if not cap and (not self.small(at) or rank >= 2):
                break
            given = run and (
                EVIDENCE[self.folded[run[-1]]].first_name or zipf(word, self.language) < _USUAL
            )
            if run and cap and rank >= 2 and self.language == "de" and not given:
                break
            if run and not cap and rank >= 1:
                break
            run.append(at)
            size += 1
            at += 1
        while run and (not self.texts[run[-1]].isalpha() or self.folded[run[-1]] in PARTICLES):
            if self.texts[run[-1]] == ".":
                break
            run.pop()
        return run

    def _particle_leads(self, at: int) -> bool:
        """Whether a capital follows a particle, perhaps behind another one."""
        for near in range(at + 1, min(at + 4, self.stretch.stop)):
            if self.texts[near][:1].isupper() and len(self.texts[near]) > 1:
                return self.ordinary(near) < 3
            if self.folded[near] not in PARTICLES and self.texts[near] not in ("'", "’"):
                return False
        return False

    def _stands_alone(self, at: int) -> bool:
        """Whether a token is a name without a title."""
        text, word = self.texts[at], self.folded[at]
        if not text.isalpha() or len(text) < 2:
            return False
        rank = self.ordinary(at)
        if rank == 3:
            return False
        said = self.votes.get(at, set())
        told = said & TOLD
        cap = text[0].isupper()
        if word in self.known and (cap or self.small(at)) and (rank < 2 or (cap and bool(said))):
            return True
        if "metadata" in said and (cap or self.small(at)):
            return True
        learned = said & LEARNED
        listed = EVIDENCE[word].first_name or EVIDENCE[word].surname > 0
        if not cap:
            strange = not EVIDENCE[word].word and zipf(word, self.language) < _USUAL + 1
            strange = strange or self._is_only_a_name(word)
            given = EVIDENCE[word].first_name and strange and len(word) >= _HEAD
            sure = len(learned) > 1 and self.score[at] >= _SURE and EVIDENCE[word].surname > 0
            return self.small(at) and rank < 2 and (given or (rank == 0 and sure))
        if self.of_eponym(at) or not any(x in _NAMES for x in self.labels.get(at, ())):
            if rank < 2 and self.folded[at - 1] in _WITH and EVIDENCE[word].first_name:
                return True
            return rank == 0 and bool(voc.TRAITS[word] & voc.FREQUENT)
        sure = self.score[at] >= _SURE
        if rank == 0:
            german = self.language == "de"
            found = bool(learned) and (listed or sure or not german or len(learned) > 1)
            return bool(told) or found
        given, within = EVIDENCE[word].first_name, self.language != "de" and not self._opens(at)
        if rank == 1:
            usual = zipf(word, self.language) >= _USUAL
            firm = len(learned) > 1 and (sure or (listed and not usual))
            alone = (given and travels(word, self.language)) or (within and listed)
            return firm or bool(learned and alone)
        return within and (bool(given and learned) or (listed and len(learned) > 1))

    def _is_only_a_name(self, word: str) -> bool:
        """Whether a given name is usual in its own language alone, and nowhere a word."""
        own = zipf(word, self.language)
        others = max(zipf(word, language) for language in READ if language != self.language)
        most = _USUAL + (self.language != "en")
        return own <= most and others <= _USUAL and travels(word, self.language)

    def _opens(self, at: int) -> bool:
        """Whether a word opens a sentence, a line or a field, where anything has a capital."""
        before = self.texts[at - 1] if at else "\n"
        return before in _OPENERS or "\n" in self._gap(at)

    def of_eponym(self, at: int) -> bool:
        """Whether a word is what a sign, score or disease is called after."""
        if voc.TRAITS[self.folded[at]] & voc.EPONYM:
            return True
        before = self.folded[max(self.stretch.first, at - 2) : at]
        return bool(_CALLED_AFTER.search(" ".join(before)))

    def _beside(self, at: int, sure: set[int]) -> bool:
        """Whether a token with a capital stands beside a name and is hardly anything else."""
        text = self.texts[at]
        if not text.isalpha() or not text[0].isupper():
            return False
        left = at - 1 in sure and self._gap(at) in (" ", "")
        right = at + 1 in sure and self._gap(at + 1) in (" ", "")
        if at - 2 in sure and self.texts[at - 1] in ("-", "'", "’") and self._glued(at - 1):
            return True
        if at + 2 in sure and self.texts[at + 1] in ("-", "'", "’") and self._glued(at + 1):
            return True
        if at - 2 in sure and self.folded[at - 1] in PARTICLES and self.texts[at - 1][0].isupper():
            return self.ordinary(at) < 2
        if len(text) == 1:
            return False
        rank = self.ordinary(at)
        if rank == 0:
            return left or (right and (bool(self.votes.get(at)) or EVIDENCE[self.folded[at]].first_name))
        if rank == 1:
            return (left or right) and bool(self.votes.get(at, set()) & LEARNED)
        if rank == 2:
            both = len(self.votes.get(at, set()) & LEARNED) > 1
            return left and both and self.language != "de"
        return False

    def _gap(self, at: int) -> str:
        return self.doc.text[self.doc.tokens.ends[at - 1] : self.doc.tokens.starts[at]] if at else ""

    def _glued(self, at: int) -> bool:
        after = at + 1 < len(self.texts) and not self._gap(at + 1)
        return after and not self._gap(at)

    def _runs(self, sure: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The tokens in runs, over particles, hyphens and initials between them."""
        run: list[int] = []
        for at in sure:
            between = range(run[-1] + 1, at) if run else range(0)
            joined = run and len(between) <= 3 and all(
                self.folded[x] in PARTICLES or self.texts[x] in ("-", "'", "’", ".") for x in between
            )
            if run and joined and "\n" not in self._gap(at) and not (
                between and all(self.texts[x] == "." for x in between) and len(self.texts[run[-1]]) > 2
            ):
                run.append(at)
                continue
            if run:
                yield run[0], run[-1] + 1
            run = [at]
        if run:
            yield run[0], run[-1] + 1


_WITH: Final = frozenset(
    "mit von und fur fuer durch with by and that since con da e met door en dat voor".split()
)
"""What stands before people, and before much else."""
_OPENERS: Final = frozenset(".!?:;-*•(|/\"")
_AROUND: Final = 10
"""Tokens on both sides without a capital where none is typed."""
_LONG: Final = 9
_MOST_PARTS: Final = 4
_SURE: Final = 0.9
TOLD: Final = frozenset(("metadata", "propagate", "site"))
_CALLED_AFTER: Final = re.compile(
    r"(?:nach|morbus|mb|secondo|volgens|(?:morbo|malattia|sindrome|segno|test|manovra|scala|score) d[i]?"
    r"|(?:ziekte|syndroom|teken|score|test) van|according to|modified|syndrom)\Z"
)
_CAPITALS: Final = 5


def _is_acronym(text: str, known: Evidence) -> bool:
    """Whether a word in capitals is too short to be a name that no list has."""
    return len(text) <= _CAPITALS and not known.first_name and known.surname < _SURNAME

LEARNED: Final = frozenset(("crf", "transformer", "flair"))
_ACADEMIC: Final = frozenset(("dr", "prof", "pd", "med"))
_OF_SURNAMES: Final = frozenset(
    "mann berg bach hof feld haus meier meyer maier stein muller huber weber beck baum wald kamp dorf burg".split()
)


def travels(word: str, language: str) -> bool:
    """Whether a word is about as usual in another language, as names are: "giovanni"."""
    others = max(zipf(word, other) for other in READ if other != language)
    return others >= max(zipf(word, language) - 1, _TRAVELS)


_TRAVELS: Final = 3


def span_of(reader: Reader, run: tuple[int, int], spans: Mapping[int, Label]) -> Iterator[Span]:
    """A run of names as spans: given names, then surnames."""
    tokens = reader.doc.tokens
    first, stop = run
    words = [at for at in range(first, stop) if reader.texts[at].isalpha()]
    labels = {at: _label(reader, at, spans.get(at)) for at in words}
    start = first
    for at in range(first + 1, stop + 1):
        if at < stop and labels.get(at, labels[start] if start in labels else None) == labels.get(start):
            continue
        if at < stop and (at not in labels or at - 1 not in labels):
            continue  # what a mark or particle joins is one
        label = labels.get(start) or Label.LAST_NAME
        last = at - 1
        while last > start and not reader.texts[last].isalpha():
            last -= 1
        end = tokens.ends[last]
        yield Span(tokens.starts[start], end, label, 0.9, source_of(reader.language), Role.UNKNOWN)
        start = at


def _label(reader: Reader, at: int, said: Label | None) -> Label:
    if said in _NAMES:
        return said
    known = EVIDENCE[reader.folded[at]]
    given = known.first_name and known.surname < _SURNAME
    return Label.FIRST_NAME if given else Label.LAST_NAME
