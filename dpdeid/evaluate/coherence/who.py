"""Titles, agreement and kinship against names, and what a note says of the patient's sex."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Person, Role
from dpdeid.evaluate.coherence.reading.people import given_only, sex_of
from dpdeid.french.titles import KIN_SEX
from dpdeid.labels import Sex

F, M, U = Sex.FEMALE, Sex.MALE, Sex.UNKNOWN
_CIVIL: Final = ("m", "mr", "mme", "mlle", "monsieur", "madame", "mademoiselle", "melle")


def opposite(one: Sex, other: Sex | None) -> bool:
    """Whether both are told, and differ."""
    return {one, other} == {F, M}


def given_sex(one: Person) -> Sex | None:
    """The sex that the given name of a person tells, if one of them does and no other word may be
    the given name instead.
    """
    sexes = [sex_of(word) for word in one.given]
    if not sexes or (len(one.given) > 1 and set(one.given) == set(one.family)):
        told = {sex for sex in sexes if sex is not None}
        return told.pop() if len(told) == 1 and all(given_only(w) for w in one.given[:1]) else None
    if len(one.words) == 1 and not given_only(one.words[0]):
        return None
    first = sexes[0]
    others = {sex_of(word) for word in one.family} - {None}
    if others and not _is_given(one, first):
        return None
    return first


def _is_given(one: Person, sex: Sex | None) -> bool:
    """Whether the given name is one although a surname is a first name too ("Sophie Martin")."""
    word = one.given[0]
    return given_only(word) or all(sex_of(other) in (None, U, sex) for other in one.family)


def title_name(note: Note) -> Iterator[Clash]:
    """A civility against the first name behind it, or the field of the sex against it."""
    for one in note.people:
        if (
            one.title in _CIVIL
            and opposite(one.sex, given_sex(one))
            and _OF.search(note.flat[max(0, one.at[0] - 20) : one.at[0]]) is None
        ):
            start, end = one.at
            yield Kind.TITLE_NAME, (start, start + len(one.title)), (start + len(one.title), end)
    yield from _fields(note)


_SEX_FIELD: Final = re.compile(
    r"\b(?:sexe|civilite|genre) ?[:|]? {0,3}(?P<s>f\b|m\b|h\b|feminin|masculin|"
    r"homme|femme|mme|madame|monsieur|mlle|mr)|(?<=[|;,\t]) ?(?P<x>[fm])"
    r"(?= ?[|;,\t]| ?$)"
)
_NAME_FIELD: Final = re.compile(r"\bprenoms? ?(?:[:|]|  ) {0,3}(?P<n>[a-z]+(?:-[a-z]+)?)")


def _fields(note: Note) -> Iterator[Clash]:
    flat = note.flat
    named = list(_NAME_FIELD.finditer(flat))
    for match in _SEX_FIELD.finditer(flat):
        word = match["s"] or match["x"]
        sex = F if word in ("f", "feminin", "femme", "mme", "madame", "mlle") else M
        for name in named:
            between = flat[min(match.end(), name.end()) : max(match.start(), name.start())]
            if between.count("\n") <= 5 and len(between) < 220 and opposite(sex, sex_of(name["n"])):
                yield Kind.TITLE_NAME, match.span(), name.span("n")
                return
        if match["x"] is None and named:
            continue
        for one in note.people:
            near = min(abs(one.at[0] - match.end()), abs(match.start() - one.at[1]))
            same = "\n" not in flat[min(one.at[0], match.start()) : max(one.at[1], match.end())]
            if (
                near < 60
                and same
                and one.role in (Role.PATIENT, Role.OTHER)
                and opposite(sex, given_sex(one))
            ):
                yield Kind.TITLE_NAME, match.span(), one.at
                return


_STEMS: Final = [
    "ne",
    "age",
    "hospitalise",
    "opere",
    "admis",
    "sorti",
    "entre",
    "transfere",
    "adresse",
    "suivi",
    "vu",
    "revu",
    "recu",
    "marie",
    "retraite",
    "divorce",
    "connu",
    "decede",
    "installe",
    "venu",
    "revenu",
    "parti",
    "reparti",
    "tombe",
    "place",
    "traite",
    "examine",
    "prevenu",
    "alerte",
    "domicilie",
    "assure",
    "separe",
    "oriente",
    "pris",
    "veuf",
    "reste",
    "arrive",
    "convoque",
    "accompagne",
    "employe",
    "transporte",
    "appele",
    "extube",
    "intube",
    "perfuse",
    "lave",
    "leve",
    "rehospitalise",
    "muté",
    "mute",
    "pacse",
]
_PARTICIPLE: Final = f"(?:{'|'.join(sorted(_STEMS, key=len, reverse=True))})"
_AUX: Final = (
    r"(?:est|a (?:bien )?ete|etait|sera|fut|avait ete|est (?:re)?sorti|ayant ete|"
    r"doit etre|vient d'etre)(?: (?:bien|donc|alors|"
    r"ensuite|deja|toujours|aussi|actuellement|depuis peu|rapidement|de nouveau|aujourd'hui))?"
)
_BEHIND: Final = re.compile(
    rf" ?(?:\([^()\n]{{0,30}}\) ?)?(?:,? ?\d{{1,3}} ?ans)?(?:,? {_AUX} "
    rf"(?P<p>{_PARTICIPLE}e?|veuve)|[ ,|(-]{{1,4}}(?:patiente? )?(?P<q>nee?(?= (?:le|"
    rf"en|a|\d|un)\b)|(?:age|hospitalise|opere|admis|domicilie|marie|retraite|suivi|"
    rf"connu|assure|divorce|adresse|entre|sorti)e?))(?![\w('’·]|\.e)"
)


def _participle_sex(word: str) -> Sex:
    """The sex that a flat participle agrees with: "nee", "admise", "venue"."""
    return M if word in _STEMS else F


def agreement(note: Note) -> Iterator[Clash]:
    """A title, name or noun against the agreement, pronoun or kinship beside it."""
    flat = note.flat
    for one in note.people:
        sex = one.sex if one.sex is not U else KIN_SEX.get(one.kin, U)
        if sex is U and one.role in (Role.PATIENT, Role.OTHER):
            sex = given_sex(one) or U
        if sex is not U and (match := _BEHIND.match(flat, one.at[1])):
            group = "p" if match["p"] else "q"
            told = _participle_sex(match[group])
            if (
                opposite(sex, told)
                and not _accentless(note, match, group, told)
                and not _of(note, one)
            ):
                yield Kind.AGREEMENT, one.at, match.span(group)
        if one.kin and one.role is Role.RELATIVE and not _is_surname(note, one):
            told = KIN_SEX[one.kin]
            lone = sex_of(one.words[0]) if len(one.words) == 1 and not one.title else None
            if opposite(told, one.sex) or (one.sex is U and opposite(told, given_sex(one) or lone)):
                yield Kind.AGREEMENT, _kin_at(note, one), one.at
    yield from _greetings(note)
    yield from _nouns(note)
    yield from _kin_words(note)
    yield from _patient(note)


_OF: Final = re.compile(
    r"\b(?:veuve|veuf|epouse|epoux|femme|mari|fille|fils|mere|pere|soeur|frere|baby|"
    r"bebe|bb|enfants?|jumeaux|conjointe?|compagne|compagnon|"
    r"niece|neveu|par|avec|chez)(?: (?:de|du|d'))? ?$"
)


def _of(note: Note, one: Person) -> bool:
    """Whether what follows a name is said of somebody before it: "veuve de M. X, née le"."""
    return not one.kin and bool(_OF.search(note.flat[max(0, one.at[0] - 25) : one.at[0]]))


def _accentless(note: Note, match: re.Match[str], group: str, told: Sex) -> bool:
    """Whether a masculine is a feminine typed without its accent and e: in notes without accents
    "elle est opere" is a slip of the keyboard, but "né" is what it says.
    """
    start, end = match.span(group)
    written = note.text[start:end]
    if written[:1].isupper() and not written.isupper():
        return True  # a name or a label of a form
    stem_e = match[group].endswith("e") and not match[group].startswith("ne")
    return told is M and stem_e and "é" not in written and "É" not in written


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


_NOUN: Final = re.compile(
    rf"\b(?P<n>patiente|femme|madame|patient|homme|monsieur)(?: (?:de|agee? de) \d{{1,3}} ?ans)?"
    rf"(?:,? {_AUX}|,) (?P<p>{_PARTICIPLE}e?|veuve)(?![\w(·])"
)


def _nouns(note: Note) -> Iterator[Clash]:
    """ "Patiente de 45 ans, marié"."""
    for match in _NOUN.finditer(note.flat):
        sex = F if match["n"] in ("patiente", "femme", "madame") else M
        told = F if match["p"] == "veuve" else _participle_sex(match["p"])
        if opposite(sex, told) and not _accentless(note, match, "p", told):
            yield Kind.AGREEMENT, match.span("n"), match.span("p")


def _greetings(note: Note) -> Iterator[Clash]:
    """ "Chère Roméo", "Chère Monsieur"."""
    for match in _GREETING.finditer(note.flat):
        sex = F if match["c"].endswith("chere") else M
        words = match["n"].split()
        if not words:
            continue
        noun = {
            "monsieur": M,
            "ami": M,
            "confrere": M,
            "m.": M,
            "madame": F,
            "amie": F,
            "consoeur": F,
            "mme": F,
        }.get(words[0])
        if opposite(sex, noun):
            yield Kind.AGREEMENT, match.span("c"), match.span("n")
        elif len(words) == 1 and noun is None and words[0] not in ("docteur", "dr", "collegue"):
            told = sex_of(words[0])
            if (
                opposite(sex, told)
                and given_only(words[0])
                and note.text[match.start("n")].isupper()
            ):
                yield Kind.AGREEMENT, match.span("c"), match.span("n")


_KINDRED: Final = "|".join(
    sorted((w for w in KIN_SEX if w not in ("patiente", "veuf", "veuve")), key=len, reverse=True)
)
_KIN_SENTENCE: Final = re.compile(
    rf"\b(?:son|sa|ma|mon|le|la|leur|votre|un|une) (?P<k>{_KINDRED})(?:,? {_AUX} |"
    rf" ?, )(?P<p>(?:ne|age|hospitalise|opere|decede|retraite|venu|divorce)e?)"
    rf"(?![\w(·])"
)
_WRONG_POSSESSIVE: Final = re.compile(rf"\b(?P<w>son|sa|mon|ma|le|la|un|une) (?P<k>{_KINDRED})\b")


def _kin_words(note: Note) -> Iterator[Clash]:
    """ "sa mère est hospitalisé", "sa père"."""
    for match in _KIN_SENTENCE.finditer(note.flat):
        told, typed = _participle_sex(match["p"]), note.text[match.start("p") : match.end("p")]
        if opposite(KIN_SEX[match["k"]], told) and (told is F or "é" in typed or typed[-1] in "u"):
            yield Kind.AGREEMENT, match.span("k"), match.span("p")
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
    named = next(
        (
            p
            for p in note.people
            if p.role is Role.PATIENT and p.sex is U and given_sex(p) in (F, M)
        ),
        None,
    )
    if named is not None:
        told.append((named.at, given_sex(named) or U))
        told.sort()
    for (one, sex), (other, next_sex) in itertools.pairwise(told):
        if not opposite(sex, next_sex):
            continue
        between = note.flat[one[1] : other[0]]
        if len(between) > 600 or _someone_else(note, one, other, next_sex):
            continue
        yield Kind.AGREEMENT, one, other
        return


def _someone_else(note: Note, one: tuple[int, int], other: tuple[int, int], sex: Sex) -> bool:
    """Whether the second statement may be of another person: one of that sex is named before."""
    begin = one[0] if note.flat[slice(*other)].startswith(("il", "elle")) else one[1]
    for person in note.people:
        if begin <= person.at[0] < other[0] and person.at != one and person.at != other:
            theirs = person.sex if person.sex is not U else KIN_SEX.get(person.kin, U)
            if (
                person.role is not Role.PATIENT
                and (theirs is sex or (theirs is U and given_sex(person) in (sex, U, None)))
                and (
                    note.flat[slice(*other)].startswith(("il", "elle"))
                    or (person.sex is sex and person.role is Role.OTHER)
                )
            ):
                return True
    if note.flat[slice(*other)].startswith(("il", "elle", "ne")):
        words = re.findall(r"[a-z-]+", note.flat[max(0, one[0] - 40) : other[0]])
        return any(
            KIN_SEX.get(word) is sex and word not in ("patiente", "veuf", "veuve") for word in words
        ) or bool(
            re.search(
                r"\b(?:enfant|bebe|nouveau-ne|garcon|fille|jumeau|jumelle|foetus|donneur|conjoint)",
                note.flat[one[0] : other[0]],
            )
        )
    return False


def patient_sex(note: Note) -> tuple[tuple[int, int], Sex] | None:
    """What a note says of the patient's sex, with where; None if it says nothing or both."""
    told = {sex for _, sex in note.sexes}
    if len(told) == 1:
        return note.sexes[0]
    if told:
        return None
    for one in note.people:
        if one.role is Role.PATIENT and given_sex(one) in (F, M):
            return one.at, given_sex(one) or U
    return None
