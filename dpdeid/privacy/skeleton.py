"""The skeleton S: all that a release tells of a record whatever the noise, as one closed list.

The statement of a policy, docs/privacy.md and the skeleton of the fuzzer take their lists from
here, and tests hold them to it: what is not in it must go through a draw.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Shown(StrEnum):
    """One part of S, in a plain sentence."""

    TEXT = (
        "the text outside the spans, and so what it says of how far dates lie apart (“J+5”, “il y "
        "a 15 ans”)"
    )
    SPANS = "which spans there are, their labels and whose they are: what the detectors decided"
    FORMS = (
        "of each value its form: which fields of a date are printed and how, the unit of an age, "
        "the case of a name, the separators of a code, the sex in a social security number, "
        "the listed words in a code, a room or a mail address (“IRM”, “secretariat”) and that a "
        "day is in a code, or that nothing could read it"
    )
    EQUAL = "which values are equal, and how many there are"
    NOTES = (
        "which notes are of one record, which of them have a date, and the order of their ids; of "
        "notes that come one by one, the order in which they come"
    )
    KEPT = "the weekdays of habits (“tous les lundis”), and the values that the policy keeps"
    ORDER = (
        "the order of the dates, as far as what is printed decides it (“juin 2023” and "
        "“13/06/2023” have none), and of the ages that are told of one person"
    )
    ROLES = (
        "which dates the text tells as one range, which without its year is read on from which, "
        "and so the role of each gap: of a stay, of an "
        "appointment after the last note, of the time before"
    )
    TIMES = (
        "which clock times stand on one day or in one note, their order and which of them lie "
        "behind midnight, which dates are the evening and the morning of a night that they run "
        "through, which are full hours or on a clock's marks of five minutes, and the part "
        "of the day that words beside them tell (“8 h du soir”)"
    )
    BIRTHS = (
        "which ages and social security numbers fit which birth, which age fits a date of its "
        "item, which births lie on a day that the notes tell as another date, whether dates lie in "
        "the 300 days before the patient's, and which dates lie before that of a newborn"
    )
    LISTS = (
        "of each place, of what an institution is called after, and of the place of birth that a "
        "social security number tells, its list "
        "(mainland France, Corsica, an overseas department, Belgium or Switzerland where they "
        "speak French …), or that no list knows it; of a town of another country that country. A "
        "name that stands in several lists is of the one that the words around it tell: a postal "
        "code, department or country beside it, what was released under it before, the record's "
        "other places and telephone numbers; else of the mainland if a town of 20,000 people has "
        "it there, else of the list of the largest"
    )
    AREAS = (
        "which departments, postal codes, institutions and internet addresses are those of which "
        "town"
    )
    KINDS = (
        "what kept words say that a town has (“CHU de”, “préfecture de”, a hospital named after it)"
    )


PLACES: Final = (Shown.LISTS, Shown.AREAS, Shown.KINDS)
ALWAYS: Final = frozenset(Shown) - {Shown.ROLES, Shown.TIMES, Shown.BIRTHS, *PLACES}
"""What a release tells under any policy; strategies that draw days or places add the rest."""
