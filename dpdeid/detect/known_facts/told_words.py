"""Where a told name that is also a word stands for the person: "blanc a mal", not "vin blanc".

The case of its letters is left aside, since notes of wards have none: what stands before and behind
the word tells. A person opens a clause and does something, or stands behind "chez", "pour", "fils
de"; an adjective stands behind the noun that it fits, or before it.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.document import Document
from dpdeid.labels import NAMES
from dpdeid.normalize import fold

_WORD: Final = re.compile(r"[^\W_]+").findall
_VERBS: Final = voc.LISTS["told_verbs"]
_VERBS_OF_ALL: Final = voc.LISTS["told_verbs_of_all"]
_DID: Final = voc.LISTS["told_did"]
_STATES: Final = voc.LISTS["told_states"]
_STATES_OF_ALL: Final = voc.LISTS["told_states_of_all"]
_NO_STATES: Final = voc.LISTS["told_no_states"]
_TIMES: Final = voc.LISTS["told_times"]
_BEFORE: Final = voc.LISTS["told_before"]
_BEFORE_PERSON: Final = voc.LISTS["told_before_person"]
_OF: Final = voc.LISTS["told_of"]
_PLACES: Final = voc.LISTS["told_places"]
_OF_BODY: Final = voc.LISTS["told_of_body"]
_FEASTS: Final = voc.LISTS["told_feasts"]
_ADJECTIVES: Final = voc.LISTS["told_adjectives"]

_MARKS: Final = frozenset(',;:()[]{}|/-–—→>»«"=+.!?•*')
_ENDS: Final = frozenset(',;:()[]|/–—→>».!?-+"&')
_PREPOSITIONS: Final = voc.words(
    "a au aux en sous sans avec pour par dans chez sur des jusque avant lors pendant contre vers"
    " car qui que et ou mais puis si apres depuis"
)
_DE: Final = frozenset(("de", "d", "du", "des"))
_SEEN: Final = voc.words("vu vue revu revue")
_CONJUNCTIONS: Final = voc.words("et mais que qu puis car quand lorsque si donc alors")
_LEAST: Final = 3
_CLITICS: Final = voc.words("ne n se s me m y en lui nous '")
_LITTLE: Final = voc.words("bien mal peu pas encore deja beaucoup tres plus un trop rien toujours")
_ARTICLES: Final = voc.words(
    "le la l les un une des du au aux ce cette ces son sa ses mon ma tres trop assez plus moins"
    " bien aussi peu en tout comme dans sur"
)
_NOUN_ENDINGS: Final = ("ité", "eté", "anté", "arté", "auté", "été", "ités")
_ORDINALS: Final = voc.words("e er eme ere re")


class _Behind(IntEnum):
    """What stands behind the word, from what tells most of a person."""

    ACTS = 0
    MAY_ACT = 1
    STATE = 2
    TIME = 3
    END = 4
    GOES_ON = 5
    OF = 6
    NOUN = 7


def stands(view: View, first: int, stop: int) -> bool:
    """Whether the word `first` to `stop` (exclusive) stands where a person does."""
    behind = _behind(view, stop)
    finding = any(
        voc.EVIDENCE[word].medical and word not in _ADJECTIVES for word in view.folded[first:stop]
    )
    if finding and behind in (_Behind.MAY_ACT, _Behind.STATE):
        behind = _Behind.ACTS if _is_of_person(view, stop) else _Behind.NOUN
    before = view.folded[first - 1] if first else ""
    if before in _DE or (before == "'" and view.word(first - 2) == "d"):
        return _is_whose(view, first, behind, finding=finding)
    if view.opens(first) or _after_clock(view, first):
        return _opens(view, stop, behind, finding=finding)
    if before == "'" and view.word(first - 2) == "qu":
        before = "que"
    if view.folded[first] in _TIMES:
        return behind is _Behind.ACTS
    if before in _BEFORE_PERSON or before in voc.BESIDE_PERSON:
        adjective = view.folded[first] in _ADJECTIVES
        return behind < _Behind.OF or (behind is _Behind.OF and not adjective)
    if before in _BEFORE:
        said = before == "apres" and view.word(first - 2) != "'"  # not "d'après"
        if said or before in _CONJUNCTIONS:
            return behind <= _Behind.MAY_ACT
        return behind < _Behind.OF and not (finding and behind > _Behind.MAY_ACT)
    if view.texts[first - 1] in _MARKS or (before in _TIMES and before not in _ARTICLES):
        return behind <= _Behind.MAY_ACT or (behind is _Behind.STATE and not finding)
    return False


def _opens(view: View, stop: int, behind: _Behind, *, finding: bool) -> bool:
    """Whether a word that begins a line, a sentence or what a clock time heads is a person."""
    if behind <= _Behind.MAY_ACT:
        return True
    if finding:
        return False
    if behind <= _Behind.TIME:
        return True
    if behind is _Behind.GOES_ON:
        return view.word(stop + 1) in _PLACES or view.word(stop + 2) in _PLACES
    return view.texts[stop : stop + 1] == (":",) and not view.word(stop + 1)[:1].isdigit()


def _is_whose(view: View, first: int, behind: _Behind, *, finding: bool) -> bool:
    """Whether a word behind "de" says whose something is: "fils de", "retour de", "M. de"."""
    at = first - (3 if view.folded[first - 1] == "'" else 2)
    if at < 0 or behind is _Behind.NOUN or at + 1 in view.breaks:
        return False
    own = view.bits[at] & voc.CALL or view.folded[at] in voc.PERSONS or view.texts[at] == "."
    if view.texts[at] == ".":
        own = at > 0 and view.bits[at - 1] & voc.TITLE
    return bool(own) or (view.folded[at] in _OF and not finding)


def _after_clock(view: View, first: int) -> bool:
    """Whether a clock time or a number stands right before: "07h10 grand", "12 rose"."""
    before = view.texts[first - 1]
    if before.isdigit():
        return True
    return view.folded[first - 1] in ("h", "heures", "min") and view.word(first - 2).isdigit()


def _behind(view: View, at: int) -> _Behind:
    if at >= view.size or at in view.breaks or view.texts[at] in _ENDS:
        return _Behind.END
    text, word = view.texts[at], view.folded[at]
    if word in _VERBS:
        return _Behind.ACTS
    if word in _VERBS_OF_ALL and text not in ("à", "À"):
        done = word == "fait" and _behind(view, at + 1) is _Behind.END
        return _Behind.STATE if done else _Behind.MAY_ACT
    if word in _TIMES or _is_time(view, at):
        return _Behind.TIME
    if _is_state(text, word):
        return _Behind.STATE
    if word in _LITTLE and at + 1 < view.size and at + 1 not in view.breaks:
        after = view.texts[at + 1], view.folded[at + 1]
        return _Behind.STATE if _is_state(*after) else _Behind.NOUN
    if word in _DE:
        return _Behind.OF
    if word in _PREPOSITIONS or voc.TRAITS[word] & voc.TITLE:
        return _Behind.GOES_ON
    return _Behind.NOUN


def _is_state(text: str, word: str) -> bool:
    """Whether a word says how a person is: in the list, or by its ending a participle."""
    if word in _STATES:
        return True
    low = text.lower()
    return (
        low.endswith(("é", "ée", "és", "ées", "ee", "ees"))
        and not low.endswith(_NOUN_ENDINGS)
        and word not in _NO_STATES
        and len(low) > 3
    )


def _is_time(view: View, at: int) -> bool:
    """Whether a day, a date, a clock time or an age begins at a token: "J3", "82 ans"."""
    text, after = view.texts[at], view.word(at + 1)
    if text.isdigit():
        return (
            (after in _ORDINALS and view.word(at + 2).startswith("jour"))
            or after in ("h", "ans")
            or (after in ("/", ".") and view.word(at + 2).isdigit())
            or (after == "mois" and len(text) < 3)
        )
    return text in ("J", "j") and after.isdigit()


def _is_of_person(view: View, at: int) -> bool:
    """Whether what is said is said of a person: "a bien dormi", "a mal", "vu par", "confuse"."""
    word, after = view.folded[at], view.word(at + 1)
    if word in _STATES:
        return word not in _STATES_OF_ALL or (word in _SEEN and after == "par")
    words = [view.word(i) for i in range(at, at + 6)]
    while words and (words[0] in _CLITICS or (words[0] in _LITTLE and words[0] != "mal")):
        words.pop(0)
    if words and words[0] in ("a", "avait"):
        words = [one for one in words[1:] if one == "mal" or one not in _LITTLE]
        return bool(words) and words[0] in _DID
    return bool(words) and words[0] in _VERBS


def among_capitals(view: View, first: int, stop: int) -> bool:
    """Whether capitals say nothing of a word, since what it goes with has them too: "VIN BLANC"."""
    behind = view.texts[stop] if stop < view.size and stop not in view.breaks else ""
    before = view.texts[first - 1] if first else ""
    if before.isupper() and len(before) > 1 and fits_noun(view, first):
        return True
    if not (view.opens(first) or before.isupper()) or len(behind) < _LEAST or not behind.isupper():
        return False
    bits, word = view.bits[stop], view.folded[stop]
    fields = word in voc.FIELDS or word in voc.NAMING or word in voc.MAIDEN or word in _OF
    return bool(bits & voc.WORD) and not fields and not bits & (voc.CALL | voc.FREQUENT)


def of_body(view: View, first: int) -> bool:
    """Whether a word in small letters says how a child or a woman looks: "bébé rose"."""
    looks = view.texts[first].islower() and view.folded[first] in _ADJECTIVES
    return looks and view.word(first - 1) in _OF_BODY and _behind(view, first + 1) > _Behind.STATE


def is_feast(view: View, first: int, stop: int) -> bool:
    """Whether the word is also a day of the year: "Noël"."""
    return stop == first + 1 and view.folded[first] in _FEASTS


def fits_noun(view: View, first: int) -> bool:
    """Whether a word goes with the noun or article right before it: "nuit blanche", "le petit"."""
    if not first or first in view.breaks or not view.texts[first - 1].isalpha():
        return view.texts[first - 1 : first] == ("'",) and view.word(first - 2) in ("l", "d")
    before, bits = view.folded[first - 1], view.bits[first - 1]
    if before in _ARTICLES:
        return True
    if before in _BEFORE or before in _BEFORE_PERSON or before in _STATES:
        return False
    function = bits & voc.STOP and not voc.EVIDENCE[before].medical
    return bool(bits & voc.WORD) and not (
        function or bits & (voc.CALL | voc.PARTICLE | voc.FREQUENT)
    )


def is_thing(view: View, first: int, stop: int) -> bool:
    """Whether a told name that things have too is one there: "pollen de poirier", "le Vidal"."""
    if stop != first + 1:
        return False
    text, word = view.texts[first], view.folded[first]
    before = view.folded[first - 1] if first else ""
    if word in _BOOKS and not text.isupper():
        opens = not first or view.texts[first - 1] == "("
        behind = view.word(stop) == "en" and view.word(stop + 1) == "ligne"
        return (before in _OF_BOOK and first not in view.breaks) or (opens and behind)
    if not text.islower() or not voc.EVIDENCE[word].name_word or not first or first in view.breaks:
        return False
    if before in _UNITS_OF and word == "pascal":
        return True
    of = before in _DE or (before == "'" and view.word(first - 2) == "d")
    if of:
        at = first - (3 if before == "'" else 2)
        return at >= 0 and view.folded[at] in _OF_TREES
    if before == "en":
        return view.word(first - 2) in _SHAPES
    if before in _WEATHER and word == "clement":
        return True
    article = before in _INDEFINITE or (before == "'" and view.word(first - 2) == "l")
    return article and not stands(view, first, stop)


_BOOKS: Final = frozenset(("vidal", "dorosz"))
"""Books that are called after somebody."""
_OF_BOOK: Final = voc.words("le du au dictionnaire guide")
_UNITS_OF: Final = voc.words("hecto kilo mega hectopascal un en")
_OF_TREES: Final = voc.words(
    "pollen pollens fleur fleurs bois huile jus confiture tisane essence branche feuille feuilles"
    " noyau poudre extrait gelee sirop piqure epine allergie infusion compote tarte eau miel"
)
"""Behind them and "de" stands what grows."""
_SHAPES: Final = voc.words("amas forme aspect disposition image disposes groupes")
"""Behind them and "en" stands what something looks like: "amas en marguerite"."""
_WEATHER: Final = voc.words("temps climat ciel hiver automne printemps")
_INDEFINITE: Final = voc.words("un une des ce cette ces quelques plusieurs")
_REFLEXIVE: Final = voc.words("se s pas peut peuvent va faut doit afin")


def _is_infinitive(view: View, first: int) -> bool:
    """Whether it is what something does: "tendance à se boucher"."""
    at = first - (2 if view.texts[first - 1] == "'" else 1)
    verb = view.texts[first].islower() and view.folded[first].endswith(("er", "ir"))
    return verb and at >= 0 and first not in view.breaks and view.folded[at] in _REFLEXIVE


def is_only_a_word(doc: Document, start: int, end: int) -> bool:
    """Whether a stretch of a note is a told name that is a word there: "nuit blanche"."""
    if not (told := _told(doc)):
        return False
    view, tokens = view_of(doc), doc.tokens.over(start, end)
    first, stop = tokens.start, tokens.stop
    if len(tokens) > 1 or view.folded[first] not in told:
        return False
    if is_thing(view, first, stop):
        return True
    if not voc.TRAITS[view.folded[first]] & voc.WORD:
        return False
    if first and _is_infinitive(view, first):
        return True
    if stands(view, first, stop):
        return False
    text = view.texts[first]
    if text.isupper() and len(text) > 1 and not among_capitals(view, first, stop):
        return False
    if fits_noun(view, first):
        return True
    return text.islower() and view.opens(first) and _behind(view, stop) is _Behind.OF


def told_words(doc: Document) -> frozenset[str]:
    """The told names that are ordinary words, folded; of a note that tells none, none."""
    return frozenset(word for word in _told(doc) if voc.TRAITS[word] & voc.WORD)


def _told(doc: Document) -> frozenset[str]:
    """The words of the told names, folded."""
    told = (facts.get(label, ()) for facts in doc.facts for label in NAMES)
    return frozenset(part for names in told for name in names for part in _WORD(fold(name)))
