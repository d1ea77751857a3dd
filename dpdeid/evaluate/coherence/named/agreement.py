"""Agreement, pronouns, kinship and greetings against whom they are said of."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Person
from dpdeid.evaluate.coherence.named.names import same_family
from dpdeid.evaluate.coherence.named.said import said
from dpdeid.evaluate.coherence.named.titles import given_sex, opposite, patient_sex
from dpdeid.evaluate.coherence.reading.flat import KINDRED, sentence_before
from dpdeid.evaluate.coherence.reading.given import given_only, sex_of
from dpdeid.french.titles import KIN_SEX
from dpdeid.labels import Role, Sex

F, M, U = Sex.FEMALE, Sex.MALE, Sex.UNKNOWN


def agreement(note: Note) -> Iterator[Clash]:
    """A title, name or noun against the agreement, pronoun or kinship beside it."""
    for one in note.people:
        if one.kin and one.role is Role.RELATIVE and not _is_surname(note, one):
            kin_at = _kin_at(note, one)
            if note.flat[: kin_at[0]].endswith(("nom de son ", "nom de sa ", "nom du ")):
                continue
            told = KIN_SEX[one.kin]
            shown = note.text[slice(*one.at)]
            alone = len(one.words) == 1 and not one.title and not shown.islower()
            lone = sex_of(one.words[0]) if alone and not _is_field(note, one) else None
            if opposite(told, one.sex) or (one.sex is U and opposite(told, given_sex(one) or lone)):
                yield Kind.AGREEMENT, kin_at, one.at
    yield from said(note)
    yield from _greetings(note)
    yield from _kin_words(note)
    yield from _patient(note)
    yield from _bare(note)


_MIND: Final = cue("state_of_mind")
_BARE: Final = re.compile(
    rf"(?m)(?:(?P<s>^|(?<=[.;!?] ))[-•*>]{{0,2}} ?|(?<=vie : )|(?<=, )|(?<= et )|(?<= puis ))"
    rf"(?:(?:tres|assez|plutot|toujours|bien|un peu|moins|plus|reste|est|pas|non|peu) )?"
    rf"(?P<p>{_MIND}|(?P<g>opere|hospitalise|admis|transfere|"
    r"rehospitalise|decede|age))(?P<e>e?)(?P<n>s?)(?![\w(·'’-]|\.e)(?! ?:| par ?:| (?:le|du|"
    r"en) ?:| (?:de|du|des) | d['’])"
)


def _bare(note: Note) -> Iterator[Clash]:
    """ "Patiente calme. Angoissé au repas": a clause without its subject is said of the patient."""
    told = patient_sex(note)
    if told is None or told[1] is U:
        return
    for match in _BARE.finditer(note.flat):
        word = match["p"]
        if match["n"] or (match["g"] and match["s"] is None) or match.start("p") < told[0][1]:
            continue
        typed = note.text[match.start("p") : match.end("e")]
        female = bool(match["e"]) or word in ("anxieus", "fumeus", "veuv", "sportiv", "douloureus")
        sure = "é" in typed or "É" in typed or typed[-1] not in "eE" or word[-1] not in "e"
        if match["e"] and word[-1] == "e" and "é" not in typed.lower() and match["s"] is None:
            continue
        sentence = sentence_before(note.flat, match.start("p"))
        if not sure or not opposite(told[1], F if female else M) or _KIN_WORD.search(sentence):
            continue
        named = re.search(r"\b(?:patiente?|ans|elle|il|m|mme)\b|^[^a-z]*$", sentence)
        if match["s"] is None and (not named or _NOUN_ELSE.search(sentence)):
            continue
        yield Kind.AGREEMENT, told[0], match.span("p")
        return


_NOUN_ELSE: Final = re.compile(
    r"\b(?:un|une|le|la|les|des|du|de|ce|cette|son|sa|ses|au) (?!patiente?\b)[a-z]{3,}[^,;]*$"
)
_KIN_WORD: Final = re.compile(
    rf"\b(?:{KINDRED}|enfants?|"
    r"bebe|nouveau-ne|parents?|famille|aidante?|voisine?|amie?)\b"
)


def _is_field(note: Note, one: Person) -> bool:
    """Whether a name is the value of "Épouse :", which is a surname."""
    gap = note.flat[_kin_at(note, one)[1] : one.at[0]]
    return (
        ":" in gap
        and one.kin in ("epouse", "veuve", "femme")
        and note.text[slice(*one.at)].isupper()
    )


def _is_surname(note: Note, one: Person) -> bool:
    """Whether the word for a relative is in capitals and the name is not: a surname."""
    kin = note.text[slice(*_kin_at(note, one))]
    return kin.isupper() and not note.text[slice(*one.at)].isupper()


def _kin_at(note: Note, one: Person) -> tuple[int, int]:
    start = note.flat.rfind(one.kin, 0, one.at[0])
    if start < one.at[0] - 60 or start < 0:
        start = note.flat.find(one.kin, one.at[1])
    return start, start + len(one.kin)


_GREETING: Final = re.compile(
    r"(?<!\w)(?P<c>cher|chere|mon cher|ma chere) (?P<n>(?:(?:monsieur|madame|ami|"
    r"amie|collegue|confrere|consoeur|docteur|dr|m\.|mme) ?)?(?P<f>[a-z]+"
    r"(?:-[a-z]+)?)?)"
)


_TWO_GREETINGS: Final = re.compile(
    r"(?m)^ ?(?P<n>chere? (?:amie?|consoeur|confrere)), (?P<c>chere? (?P<f>[a-z-]+)),? ?$"
)


_GREETED: Final = {
    **dict.fromkeys(("monsieur", "ami", "confrere", "m."), M),
    **dict.fromkeys(("madame", "amie", "consoeur", "mme"), F),
}


def _greetings(note: Note) -> Iterator[Clash]:
    """ "Chère Roméo", "Chère Monsieur"."""
    for match in _TWO_GREETINGS.finditer(note.flat):
        told = sex_of(match["f"])
        if opposite(F if match["n"].endswith(("amie", "soeur")) else M, told) and given_only(
            match["f"]
        ):
            yield Kind.AGREEMENT, match.span("n"), match.span("c")
    for match in _GREETING.finditer(note.flat):
        sex = F if match["c"].endswith("chere") else M
        words = match["n"].split()
        if not words:
            continue
        noun = _GREETED.get(words[0])
        if opposite(sex, noun):
            yield Kind.AGREEMENT, match.span("c"), match.span("n")
        elif len(words) == 1 and noun is None and words[0] not in ("docteur", "dr", "collegue"):
            wrong = opposite(sex, sex_of(words[0])) and given_only(words[0])
            if wrong and note.text[match.start("n")].isupper():
                yield Kind.AGREEMENT, match.span("c"), match.span("n")


_WRONG_POSSESSIVE: Final = re.compile(rf"\b(?P<w>son|sa|mon|ma|le|la|un|une) (?P<k>{KINDRED})\b")


def _kin_words(note: Note) -> Iterator[Clash]:
    """ "sa père"."""
    for match in _WRONG_POSSESSIVE.finditer(note.flat):
        word, noun = match["w"], match["k"]
        sex = KIN_SEX[noun]
        if (word in ("sa", "ma", "la", "une") and sex is M) or (
            word in ("son", "mon", "le", "un") and sex is F and noun[0] not in "aeiouh"
        ):
            if word in ("la", "le") and note.flat[match.end() : match.end() + 1].isalpha():
                continue
            yield Kind.AGREEMENT, match.span("w"), match.span("k")


def _patient(note: Note) -> Iterator[Clash]:
    """Two statements of the patient's sex that follow each other, and no other person between."""
    told = list(note.sexes)
    patients = (p for p in note.people if p.role is Role.PATIENT and p.sex is U)
    named = next((p for p in patients if given_sex(p) in (F, M)), None)
    if named is not None:
        told.append((named.at, given_sex(named) or U))
        told.sort()
    for (one, sex), (other, next_sex) in itertools.pairwise(told):
        fields = all(note.flat[slice(*at)].strip(" |;\t").startswith("sexe") for at in (one, other))
        persons = [p for at in (one, other) for p in note.people if p.at == at]
        two = len(persons) == 2 and _two_people(*persons)
        if not opposite(sex, next_sex) or fields or two:
            continue
        between = note.flat[one[1] : other[0]]
        if len(between) > 600 or _someone_else(note, one, other, next_sex):
            continue
        yield Kind.AGREEMENT, one, other
        return


def _two_people(one: Person, other: Person) -> bool:
    """Whether two names are of two people: "Mme Pascale L.", "M. René B."."""
    letters = max(map(len, (*one.family, *other.family)), default=2) == 1
    return not same_family(one.family, other.family) or (letters and one.family != other.family)


def _someone_else(note: Note, one: tuple[int, int], other: tuple[int, int], sex: Sex) -> bool:
    """Whether the second statement may be of another person: one of that sex is named before."""
    is_pronoun = note.flat[slice(*other)].startswith(("il", "elle"))
    begin = one[0] if is_pronoun else one[1]
    for person in note.people:
        if begin <= person.at[0] < other[0] and person.at != one and person.at != other:
            theirs = person.sex if person.sex is not U else KIN_SEX.get(person.kin, U)
            may_be = theirs is sex or (theirs is U and given_sex(person) in (sex, U, None))
            meant = is_pronoun or (person.sex is sex and person.role is Role.UNKNOWN)
            if person.role is not Role.PATIENT and may_be and meant:
                return True
    if not (is_pronoun or note.flat[slice(*other)].startswith("ne")):
        return False
    words = {*re.findall(r"[a-z-]+", note.flat[max(0, one[0] - 40) : other[0]])}
    kin = any(KIN_SEX.get(word) is sex for word in words - {"patiente", "veuf", "veuve"})
    return kin or bool(_YOUNG.search(note.flat[one[0] : other[0]]))


_YOUNG: Final = re.compile(
    r"\b(?:enfant|bebe|nouveau-ne|garcon|fille|jumeau|jumelle|foetus|donneur|conjoint)"
)
