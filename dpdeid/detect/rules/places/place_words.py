"""Looks at the names of places, of care and other: what only the lists can tell."""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names.first_or_last_name import LEANING
from dpdeid.detect.names.vocabulary import FREQUENT, TRAITS
from dpdeid.detect.rules.context import line_before
from dpdeid.normalize import fold

_SPECIALTY: Final = re.compile(r"(?:de |d')[a-zà-ÿ]{5,}")
_LOOSE_BODY: Final = re.compile(r"association|foyer|r[ée]seau", re.IGNORECASE)
_COMMON_HEAD: Final = re.compile(r"clinique|h[oô]pital|home|maternit")


def place_of_care(match: re.Match[str]) -> bool:
    """The noun heads no sentence ("CLINIQUE Souffle"), and no practice of who works in it."""
    return not (_is_heading(match[0]) or _is_practice(match[0]))


def _is_heading(text: str) -> bool:
    head, _, name = text.partition(" ")
    if not name.istitle() or not (head == "CLINIQUE" or fold(head) in ("clin", "clin.")):
        return False
    return fold(name) in gazetteers.words() and fold(name) not in gazetteers.surnames()


def _is_practice(text: str) -> bool:
    """Whether a practice bears surnames: "cabinet Morvan-Le Dantec"."""
    head, _, names = text.partition(" ")
    if head not in ("cabinet", "Cabinet") or _SPECIALTY.match(names):
        return False
    return surnames(names, ("le", "la", "et"), r"[-/ ]")


def surnames(names: str, between: tuple[str, ...], joint: str) -> bool:
    """Whether the words are surnames, or in no list of words, and no town is called so."""
    parts = [fold(part) for part in re.split(joint, names)]
    known = gazetteers.surnames()
    return (
        not gazetteers.places_named(fold(names).replace("-", " "))
        and any(part in known for part in parts)
        and all(
            part in known or part in between or part not in gazetteers.words() for part in parts
        )
    )


def named_body(match: re.Match[str]) -> bool:
    """An association is one of people, not of drugs: its name is no ordinary word."""
    if not place_of_care(match):
        return False
    if not _LOOSE_BODY.match(match[0]) and not match[0].isupper():
        return True
    return any(
        fold(word) not in gazetteers.words() for word in re.findall(r"[A-ZÀ-Þ]\w+", match[0][1:])
    )


def lower_case_place_of_care(match: re.Match[str]) -> bool:
    """A name in lower case is a place, or no ordinary word; any name does for an EHPAD."""
    last = fold(match[2])
    if line_before(match, 10).endswith(("chambre ", "ch ")) or last in ("service", "jour", "garde"):
        return False
    return match[0].startswith(("ehpad l", "ehpad be", "ehpad bon ")) or bool(
        last not in gazetteers.common_words()
        and (
            gazetteers.places_named(last)
            or (last not in gazetteers.words() and not _COMMON_HEAD.match(match[0]))
        )
    )


def named_after_somebody(match: re.Match[str]) -> bool:
    """A compound is somebody's name and no town: "Charles-Nicolle"."""
    first, _, rest = match["HOSPITAL"].partition("-")
    return bool(
        TRAITS[fold(first)] & FREQUENT
        and LEANING[fold(rest)] < 0
        and not gazetteers.places_named(fold(match["HOSPITAL"]).replace("-", " "))
    )


def shop_of_town(match: re.Match[str]) -> bool:
    """The shop is said to be in a town: "au leclerc de plouzané"."""
    return bool(gazetteers.places_named(fold(match[0].split()[-1]).removeprefix("d'")))


_LANDFORM: Final = re.compile(r"piton|mont\b|cirque|étang|etang", re.IGNORECASE)
"""Nouns of nature that are no words of medicine."""


def spot(match: re.Match[str]) -> bool:
    """Whether a capital name behind the noun of a spot is a compound or no ordinary word."""
    name = fold(match["CITY"]).removeprefix("les ").removeprefix("la ").removeprefix("le ")
    compound = re.search(r"\w-[A-ZÀ-ÖØ-Þ]", match["CITY"]) is not None
    return (
        compound
        or bool(gazetteers.places_named(name))
        or any(word not in gazetteers.words() for word in re.findall(r"\w{3,}", name))
    )


def landscape(match: re.Match[str]) -> bool:
    """Whether it is a landscape: no word of medicine, or no ordinary one behind "col"."""
    named = re.findall(r"\w{3,}", fold(match["CITY"]))[1:]
    if any(gazetteers.medical().get(word) for word in named):
        return False
    return _LANDFORM.match(match[0]) is not None or any(
        word not in gazetteers.words() for word in named if word not in ("des", "les")
    )


def town_of_zip(match: re.Match[str]) -> bool:
    """The code with a space inside is one of a town of that name."""
    town = fold(match["CITY"]).replace("-", " ").split()
    return any(
        fold(place.name).replace("-", " ").split()[:2] == town[:2]
        for place in gazetteers.places_with_zip(match["ZIP"].replace(" ", ""))
    )
