"""What a message or resource says of its patient, as the facts of a row."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document
from dpdeid.errors import InputError
from dpdeid.formats.rows import FACTS, facts
from dpdeid.french.calendar import day_of
from dpdeid.french.titles import TITLES
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold

Facts = Mapping[Label, tuple[str, ...]]
"""By label."""
_SOCIAL: Final = frozenset(
    ("SS", "NH", "NI", "NIR", "NIA", "INS", "INS-C", "INS-NIR", "INS-NIA", "AVS")
)
_VISIT: Final = frozenset(("AN", "VN", "NDA", "IEP"))
_PATIENT: Final = frozenset(("PI", "MR", "PT", "IPP", "NIP"))
"""Types of identifiers (HL7 table 0203, and what French senders write)."""
_INS: Final = "1.2.250.1.213.1.4."
"""Root of the authorities of the national health identity."""
_SEXES: Final = frozenset(("f", "m", "female", "male"))
_OF_OTHERS: Final = {"institution": Label.HOSPITAL, "provider": Label.PROVIDER_ID}
"""Keys of facts that no patient has."""
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_NOBODY: Final = re.compile(
    "medecin|docteur|interne|externe|traitant|secretaire|secretariat|infirmiere?|inconnue?"
    "|renseigne|aucun|absent|service|urgences|medical|admin|systeme|test"
)
"""What stands where a name should, folded."""
_KINDS: Final = re.compile(
    r"\w{1,2}|labo|cabinet|service|pole|unite|departement|groupe|maison|pharmacie|urgences"
    "|universitaire|regional|generale?|des|les"
)
"""Words of institutions that name none, beside those of medicine."""
_TELLING: Final = {Label.SSN: 2, Label.BIRTH_DATE: 2, Label.LAST_NAME: 1, Label.FIRST_NAME: 1}
"""By what patients are told apart, and how much it says: hospitals number them differently."""


def _compared(label: Label, values: tuple[str, ...]) -> set[str]:
    """Days of birth, numbers without their keys, folded words of names."""
    if label is Label.SSN:
        return {re.sub(r"\W", "", value)[:13] for value in values}
    if label is Label.BIRTH_DATE:
        return {*values}
    return {word for value in values for word in re.findall(r"\w+", fold(value))}


@dataclass(frozen=True, slots=True)
class Patient:
    """Whose a note is.

    Args:
        id: the hospital's number of the patient, or what stands for one; None if there is none.
        known: facts by label.
        others: those of staff, relatives and institutions.
    """

    id: str | None = field(default=None, repr=False)
    known: Facts = field(default_factory=dict, repr=False)
    sex: Sex = Sex.UNKNOWN
    others: Facts = field(default_factory=dict, repr=False)

    def beside(self, document: Document) -> Patient:
        """The same with what a document says of its own patient, and of others."""
        known, others = _both(self.known, document.known), _both(self.others, document.others)
        sex = document.sex if self.sex is Sex.UNKNOWN else self.sex
        return Patient(self.id or document.patient_id, known, sex, others)

    def may_be(self, document: Document) -> bool:
        """Whether a document can be of the same patient: more says so than speaks against it, of
        what both know. Of names one word is enough, since people have several.
        """
        same = other = 0
        for label, weight in _TELLING.items():
            ours, theirs = (
                _compared(label, one.get(label, ())) for one in (self.known, document.known)
            )
            if ours and theirs:
                shared = not ours.isdisjoint(theirs)
                same, other = same + weight * shared, other + weight * (not shared)
        return not other or same > other

    def document(self, note: str, text: str, day: dt.date | None = None) -> Document:
        """A note of this patient."""
        return Document(note, text, self.id, day, self.known, self.sex, others=self.others)


def _both(one: Facts, two: Facts) -> Facts:
    labels = dict.fromkeys((*one, *two))
    return {
        label: tuple(dict.fromkeys((*one.get(label, ()), *two.get(label, ())))) for label in labels
    }


def _is_of_care(word: str) -> bool:
    """Whether a folded word is a title, or of medicine and nobody's name: "mlle", "cardiologie"."""
    named = word in gazetteers.first_names() or word in gazetteers.surnames()
    return word in TITLES or (not named and bool(gazetteers.medical().get(word)))


class Told:
    """Gathers what is said of a patient, or of others."""

    def __init__(self) -> None:
        self._facts: dict[str, list[str]] = defaultdict(list)
        self._number = ""
        self._sex = ""

    def add(self, key: str, *values: str) -> None:
        """Values of a fact (`rows.FACTS`); blanks and HL7's "" say nothing."""
        given = (value.strip() for value in values)
        self._facts[key] += [v for v in given if any(map(str.isalnum, v))]

    def somebody(self, family: str, *given: str) -> None:
        """One of the others, by name: "Jean BOIS" if no first name is given apart."""
        words = [word for word in _WORD.findall(family) if not _is_of_care(fold(word))]
        if any(_NOBODY.fullmatch(fold(word)) for word in words):
            return
        if not words:
            self.add("first_name", *given)
            return
        last = [" ".join(words)]
        if not any(map(str.strip, given)):
            last = [word for word in words if word.isupper() and len(word) > 1] or [words[-1]]
            given = tuple(word for word in words if word not in last)
        self.add("last_name", *last)
        self.add("first_name", *given)

    def institution(self, name: str) -> None:
        """An institution, if its name tells more than its kind."""
        words = [fold(word) for word in _WORD.findall(name)]
        is_word = len(words) == 1 and words[0] in gazetteers.words()
        told = (not _KINDS.fullmatch(w) and w not in gazetteers.medical() for w in words)
        if any(told) and not is_word:
            self.add("institution", name)

    def others(self) -> Facts:
        """What was said of others, by label."""
        found: dict[Label, tuple[str, ...]] = {}
        for key, values in self._facts.items():
            found |= _both(found, {(FACTS | _OF_OTHERS)[key]: tuple(values)})
        return {label: values for label, values in found.items() if values}

    def number(self, value: str, kind: str, authority: str) -> None:
        """An identifier, its type and who gave it, as codes."""
        if kind.upper() in _SOCIAL or _INS in authority:
            self.add("ssn", value)
        elif kind.upper() in _VISIT:
            self.add("nda", value)
        else:
            self.add("ipp", value)
            if kind.upper() in _PATIENT and not self._number:
                self._number = value.strip()

    def sex(self, code: str) -> None:
        """The administrative sex; what is neither F nor M is unknown."""
        self._sex = code if code.lower() in _SEXES else ""

    def patient(self, other: str | None = None) -> Patient:
        """Who it is: called by the hospital's number, else by `other`, else by any number.

        A birth date that is none, as 1950 alone, is left out.
        """
        said = {key: values for key, values in self._facts.items() if values}
        said["birth_date"] = [day for day in said.get("birth_date", ()) if day_of(day)]
        try:
            known, sex = facts({**said, "sex": self._sex}, "")
        except InputError:
            known, sex = facts({**said, "birth_date": [], "sex": self._sex}, "")
        numbers = (self._number, other, *said.get("ipp", ()), *said.get("ssn", ()))
        return Patient(next((one for one in numbers if one), None), known, sex)
