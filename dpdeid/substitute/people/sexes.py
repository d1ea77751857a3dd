"""The sex of each first name of a record, as the text around it tells.

It is told by a title, a noun for kin or a role before the name ("Mme", "son frère", "la détenue"),
by a word behind that agrees with it ("née", "est sortie"), by the field of a row ("ROY;ANNE;F") or
of the line ("sexe : M"). A pet name in brackets has the sex of whom it is for. Where all of that is
silent the lists tell it, then what is said of the patient, then the hospital's file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from dpdeid.document import Document, text_between
from dpdeid.french.titles import CAREGIVERS, KIN_SEX, ROLES, TOLD_SEX
from dpdeid.labels import Role, Sex
from dpdeid.normalize import fold
from dpdeid.substitute.people.clusters import Group, list_sex
from dpdeid.substitute.people.linking import Known
from dpdeid.substitute.people.spellings import SALUTED, Words
from dpdeid.substitute.pseudonyms import listed

_MEANT: Final = frozenset(listed("le ce cet notre votre un son mon ton"))
"""Words before a masculine noun that mean this one; on forms it stands for women too."""
_OF_FORMS: Final = frozenset(listed("conjoint concubin"))
"""Nouns for men that forms have for everybody."""
_BOTH: Final = frozenset({Sex.FEMALE, Sex.MALE})
_PASSED: Final = frozenset(
    listed("le la aine ainee cadet cadette maternel maternelle paternel paternelle jeune feu feue")
)
"""Words that may stand between a noun and the name, beside the titles of caregivers."""
_BEFORE: Final = 34
"""Characters before a name in which its title is looked for."""
_AFTER: Final = 60
"""Characters behind it in which what agrees with it, or a field, is looked for."""
_LINE: Final = 100
"""Characters of a line, before a name and behind it, in which the field of a sex is looked for."""
_MARKS: Final = ":,(«\"'"
_AGREES: Final = re.compile(
    r"""(?:[ ]?\([^()\n]{0,30}\))?[\s,(]{0,3}(?:
    (?:n|[âa]g|domicili|hospitalis|retrait|mari|divorc|adress|d[ée]c[ée]d|connu|suivi|veu|
    scolaris|incarc[ée]r)
    (?:(?P<f>ée|e|ve)|(?P<m>é|f))
    |(?P<f2>épouse|veuve)
    |(?:est|était|a\ été|sera|n'est\ pas)\ (?:bien\ |donc\ |toujours\ )?
    (?:n|hospitalis|op[ée]r|admis|transf[ée]r|arriv|entr|rentr|d[ée]c[ée]d|suivi|connu|vu|sorti|parti|
    venu|revenu|tomb|adress|examin|mari|trait|reçu|allong|install|orient)
    (?:(?P<f3>ée|e)|(?P<m3>é|(?<=[sitduç])(?!e)))
    )(?![\w(·])""",
    re.VERBOSE,
)
"""What behind a name agrees with it: "née le", "est sorti"."""
_WORD_OF: Final = r"[Mm]asculin|[Ff][ée]minin|[Hh]omme|[Ff]emme|MASCULIN|F[EÉ]MININ|[MFH]"
_ROW: Final = re.compile(
    rf"""(?:[ ]?\([^()\n]{{0,30}}\))?
    (?:\^[\w.]{{0,6}}){{0,6}}"?[ ]?(?P<mark>[;|,\t])
    (?:[ ]?"?[\d/.:\ -]{{0,16}}"?(?P=mark)){{0,4}}
    [ ]?"?(?P<sex>{_WORD_OF})"?[ ]?(?=(?P=mark)|\s*$|\n)
    |[\s,(]{{1,3}}(?P<alone>[MFH])[\s,/]{{1,3}}(?=\d{{1,3}}\s?(?i:ans?|a|mois|m|j)\b)""",
    re.VERBOSE | re.MULTILINE,
)
"""The lone field of a row behind a name: "Loc;1979-05-18;M", "Tiana, F, 3 ans", "Jan M 39 ANS"."""
_FIELD: Final = re.compile(
    r"""(?i:\bsexe|\bgenre)\s{0,3}[:|=]?\s{0,3}(?:
    (?P<sex>(?i:masculin|f[ée]minin|homme|femme|[mfh]))(?!\w|\s{0,2}[/|(]\s{0,2}[mfhMFH]\b)
    |[MFH]\s{0,2}/?\s?\((?P<second>[MFH])\)
    |\((?P<first>[MFH])\)\s?/?\s?[MFH]\b)""",
    re.VERBOSE,
)
"""The field of a sex on a form; of two letters the one in brackets is meant."""
_ALIAS: Final = re.compile(
    r"[\s,]{0,2}(?:\(|[«\"]|\(?(?:dit|dite|alias|surnomm[ée]e?)[\s:]{1,2})\s?"
)
"""What stands between a name and what else its bearer is called."""
_GAP: Final = 16


@dataclass(frozen=True, slots=True)
class Sexes:
    """The sexes of a record: of first names, and of full names whose titles tell bearers apart."""

    full: Mapping[tuple[Words, Words], Sex] = field(repr=False)
    first: Mapping[Words, Sex] = field(repr=False)

    def of(self, firsts: Words, lasts: Words) -> Sex:
        """The sex of somebody of these first names and surnames."""
        if not firsts:
            return Sex.UNKNOWN
        return self.full.get((firsts, lasts)) or self.first.get(firsts, Sex.UNKNOWN)


def sexes(groups: Sequence[Group], documents: Sequence[Document], facts: Known) -> Sexes:
    """The sexes that a record tells."""
    said: dict[Words, set[Sex]] = defaultdict(set)
    by_name: dict[str, set[Sex]] = defaultdict(set)
    of_patient = {facts.sex, *(_of_form(doc) for doc in documents)}
    patients = {firsts for firsts, _ in facts.names if firsts}
    named = _named(groups, documents)
    for one, told in named:
        if one.members[0].mention.span.role is Role.PATIENT:
            patients.add(one.firsts)
            of_patient |= {told, documents[one.members[0].mention.document].sex}
        for name in one.firsts:
            by_name[name].add(told)
        said[one.firsts].add(told)
    first: dict[Words, Sex] = {}
    for firsts in (*said, *patients):
        own, alike = said.get(firsts, ()), [by_name.get(name, set()) for name in firsts]
        hers = of_patient if firsts in patients else ()
        listed_as = list_sex(firsts) if firsts else Sex.UNKNOWN
        ways = _agreed(own), _agreed(set().union(*alike)), listed_as, _agreed(hers)
        first[firsts] = _known(ways)
    whole: dict[tuple[Words, Words], set[Sex]] = defaultdict(set)
    for one, told in named:
        if said[one.firsts] >= _BOTH:
            whole[one.firsts, one.lasts].add(told)
    full = {key: sex for key, its in whole.items() if (sex := _agreed(its)) is not Sex.UNKNOWN}
    for bearer, one in _pet_names(groups, documents):
        if _agreed(said[one.firsts]) is Sex.UNKNOWN:
            first[one.firsts] = first[bearer.firsts]
    return Sexes(full, first)


def _named(groups: Sequence[Group], documents: Sequence[Document]) -> Sequence[tuple[Group, Sex]]:
    """The groups with the sex that the text around tells of each."""
    mentions = [member.mention for group in groups for member in group.members]
    names = {(mention.document, mention.span.start) for mention in mentions}
    texts = (documents[one.members[0].mention.document].text for one in groups)
    return [(one, _told(one, text, names)) for one, text in zip(groups, texts, strict=True)]


def _pet_names(
    groups: Sequence[Group], documents: Sequence[Document]
) -> Iterator[tuple[Group, Group]]:
    """Whoever is named, and what else the text calls them right behind: "Tiana (Titi)"."""
    for bearer, one in pairwise(groups):
        last, first = bearer.members[-1].mention, one.members[0].mention
        between = text_between(documents, last, first, _GAP)
        if between and bearer.firsts and one.firsts and _ALIAS.fullmatch(between):
            yield bearer, one


def _told(one: Group, text: str, names: Iterable[tuple[int, int]]) -> Sex:
    """The sex that the words around a name say.

    Args:
        names: where mentions of names begin: a letter that is one is no field.
    """
    mention = one.members[0].mention
    start = mention.span.start
    sex = _title(text[max(0, start - _BEFORE) : start])
    for end in (member.mention.span.end for member in one.members):
        if sex is Sex.UNKNOWN and (found := _AGREES.match(text, end, end + _AFTER)):
            sex = Sex.FEMALE if found["f"] or found["f2"] or found["f3"] else Sex.MALE
    end = one.members[-1].mention.span.end
    if sex is Sex.UNKNOWN and (found := _ROW.match(text, end, end + _AFTER)):
        group = "sex" if found["sex"] else "alone"
        if (mention.document, found.start(group)) not in names:
            sex = _of_word(found[group])
    return _of_line(text, start, end) if sex is Sex.UNKNOWN else sex


def _title(before: str) -> Sex:
    """The sex that the title or noun right before a name says; not that of "M. et Mme"."""
    words = [fold(word) for word in before.rpartition("\n")[2].replace(".", " ").split()]
    titled = False
    while words and (words[-1] in _PASSED or words[-1] in CAREGIVERS):
        titled = titled or words[-1] in CAREGIVERS
        if words[-1] in TOLD_SEX:
            return TOLD_SEX[words[-1]]
        words.pop()
    words = [word for word in words if word.strip(_MARKS)]
    if not words or words[-2:-1] == ["et"]:
        return Sex.UNKNOWN
    word = words[-1] if titled else words[-1].strip(_MARKS + ")")
    if ROLES.get(word) is Sex.MALE or word in _OF_FORMS:
        return Sex.MALE if _MEANT.intersection(words[-2:-1]) else Sex.UNKNOWN
    told = TOLD_SEX.get(word) or KIN_SEX.get(word) or SALUTED.get(word)
    return told or ROLES.get(word, Sex.UNKNOWN)


def _of_line(text: str, start: int, end: int) -> Sex:
    """The sex that a field on the line of a name tells, if it has only one."""
    first = max(text.rfind("\n", 0, start) + 1, start - _LINE)
    stop = text.find("\n", end)
    last = min(len(text) if stop < 0 else stop, end + _LINE)
    return _agreed({_of_field(found) for found in _FIELD.finditer(text, first, last)})


def _of_form(doc: Document) -> Sex:
    """The sex that the only field of its kind in a note tells."""
    return _agreed({_of_field(found) for found in _FIELD.finditer(doc.text)})


def _of_field(found: re.Match[str]) -> Sex:
    return _of_word(found["sex"] or found["second"] or found["first"])


def _of_word(word: str) -> Sex:
    return Sex.FEMALE if word[0] in "fF" else Sex.MALE


def _known(said: Iterable[Sex]) -> Sex:
    """The first sex that is known."""
    return next((sex for sex in said if sex is not Sex.UNKNOWN), Sex.UNKNOWN)


def _agreed(said: Iterable[Sex]) -> Sex:
    """The only sex that is said."""
    told = _BOTH.intersection(said)
    return next(iter(told)) if len(told) == 1 else Sex.UNKNOWN
