"""How a place is written: the form of a mention, and a drawn place in that form.

What is written takes a `Form`, which holds no letter or digit of the original, and the drawn place:
so no original can show in it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from dpdeid import gazetteers
from dpdeid.document import Document, Mention, text_between
from dpdeid.french import demonyms
from dpdeid.french.areas import Use, area_words
from dpdeid.french.demonyms import Number
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place, place_key
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.places.lists.areas import area_of
from dpdeid.substitute.places.localities import (
    UNLISTED,
    Level,
    Locality,
    codes_of,
    people_in,
)
from dpdeid.substitute.pseudonyms import Case, case_of, in_case, lay_over, redraw

BY_COUNTRY: Final = {
    fold(country): towns for country, towns in words_by_key("foreign_towns").items()
}
"""Folded country → towns in it."""
AWAY: Final = "abroad"
"""The precision of a place at home under the name of a town abroad."""


def land_of(town: str) -> str | None:
    """The country, a key of `BY_COUNTRY`, of a town abroad; None if it is not known."""
    return _lands().get(place_key(town))


@cache
def _lands() -> dict[str, str]:
    shown = {gazetteers.countries().get(land, "Québec"): land for land in reversed(BY_COUNTRY)}
    found = {town: shown.get(land) for town, land in gazetteers.city_countries().items()}
    found |= {place_key(town): land for land, towns in BY_COUNTRY.items() for town in towns}
    return {town: land for town, land in found.items() if land is not None}


def land_of_unlisted(name: str) -> str | None:
    """The country of what no list of ours has, if the name of the place tells one."""
    key = name.removeprefix(UNLISTED)
    return None if key == name else land_of(key)


_IN_BRACKETS: Final = re.compile(r"\s?[(,/]\s?")


def provinces(
    mentions: Sequence[Mention], read: Sequence[Locality], documents: Sequence[Document]
) -> Iterator[Mention]:
    """The mentions that name the land of the town right before them: "Lévis (Québec)"."""
    for (town, one), (mention, _) in pairwise(zip(mentions, read, strict=True)):
        if place_key(mention.text) == land_of_unlisted(one.name) and mention.label is Label.CITY:
            between = text_between(documents, town, mention, 3)
            if between is not None and _IN_BRACKETS.fullmatch(between):
                yield mention


def moved_to(land: str, place: Place, taken: Collection[str] = ()) -> Place:
    """A place under the name of a town of a country, which follows from the place alone; none of
    the names that are taken while there are others.
    """
    towns = [town for town in BY_COUNTRY[land] if town not in taken] or BY_COUNTRY[land]
    name = towns[zlib.crc32(place.code.encode()) % len(towns)]
    return replace(place, name=name, precision=AWAY)


class Form(NamedTuple):
    """How a place is written, without a letter or digit of its name or code.

    Args:
        before, space, after: what stands around a code and within it ("CH-", "(", " "), or before
            a demonym: "banlieue".
        is_bare: of a code, whether it is that of a department.
        case: of a name.
        article: of an area, whether an article before it is to be written, and in capitals.
        is_sorted: of an area, whether its sort stands before it in small letters ("région …").
        people: of what people of a town are called, whether they are women, and several.
        is_noun: whether a noun says so: "un Brestois", and not "une équipe brestoise".
        is_lettered: of a code, whether it is as those of Canada.
    """

    level: Level
    before: str = ""
    space: str = ""
    after: str = ""
    is_bare: bool = False
    case: Case = ""
    article: Literal["", "lower", "upper"] = ""
    is_sorted: bool = False
    people: Number | None = None
    is_noun: bool = False
    is_lettered: bool = False


def form_of(text: str, level: Level, before: str = "") -> Form:
    """The form of a mention, which is all that its surrogate may keep.

    Args:
        before: the kept text before it, which says whether people are named by a noun.
    """
    if level == "city" and (parts := people_in(text)):
        around, last = parts
        number = demonyms.known()[fold(last)][1]
        led = _BEFORE_PEOPLE.search(before)
        if led and led["several"]:
            number = number._replace(plural=True)
        elif led and led["hers"]:
            number = number._replace(feminine=True)
        is_noun = not around and (led is not None or (last[:1].isupper() and not last.isupper()))
        case: Case = "upper" if last.isupper() else ""
        return Form(level, around, case=case, people=number, is_noun=is_noun)
    if level in ("zip", "department") and _CODE.fullmatch(text):
        return Form(level, "(" * text.startswith("("), "", ")" * text.endswith(")"), is_bare=True)
    if level == "zip":
        if lettered := _LETTERED.fullmatch(text):
            return Form(level, "", lettered[1], is_lettered=True)
        code = _POSTAL.fullmatch(text)
        before, space, after = code.groups() if code else ("", "", "")
        return Form(level, before, space, after)
    article = _ARTICLE.match(text)
    name = text if article is None else text[article.end() :]
    case = case_of(name)
    if level == "city":
        return Form(level, case=case)
    is_sorted = _SORT.match(name) is not None and not name.isupper()
    capital = article is not None and article[0].isupper() and name.isupper()
    word: Literal["", "lower", "upper"] = "upper" if capital else "lower"
    return Form(level, case=case, article=word if article else "", is_sorted=is_sorted)


def render(form: Form, place: Place, streams: Streams) -> str:
    """The surrogate text in a form; the hyphens of a name are those of the list, since whether an
    original has any tells which towns it may be.
    """
    if form.is_bare:
        return form.before + place.department + form.after
    if form.level == "zip":
        return _zip(form, place, streams)
    if form.people is not None:
        named = _people(form.people, place.name, noun=form.is_noun)
        return form.before + in_case(named, form.case)
    if form.level == "city":
        return in_case(place.name, form.case)
    code = place.department if form.level == "department" else place.region
    name = gazetteers.area_names().get((form.level, code), area_of(place) or place.name)
    # the small letters of "région parisienne" say nothing of the name's own
    shown = name if form.is_sorted else in_case(name, form.case)
    if not form.article:
        return shown
    word = introduced(name, Use.THE) or ""
    return (word.upper() if form.article == "upper" else word) + shown


def _people(number: Number, town: str, *, noun: bool) -> str:
    """What people of a town are called; those of most towns by where they were born."""
    if word := demonyms.by_town().get(town):
        word = demonyms.inflected(word, number)
        return word[0].upper() + word[1:] if noun else word
    article = _OWN.match(town)
    if article is not None:
        of = ("des " if fold(article[1]) == "les" else "du ") + town[article.end() :]
    else:
        of = ("d'" if fold(town[0]) in "aeiou" else "de ") + town
    return f"{demonyms.inflected('natif', number)} {of}" if noun else of


_OWN: Final = re.compile(r"(les?)[ -]", re.IGNORECASE)
_BEFORE_PEOPLE: Final = re.compile(
    r"(?<!\w)(?:(?P<several>des|ces|les|jeunes|anciens)|(?P<hers>une|la|cette)|un|ce|cet|le|jeune"
    r"|ancien)\s$",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"\(?(?:\d\w{1,2}|[A-Z]{2})\)?")
_LETTERED: Final = re.compile(r"[A-Z]\d[A-Z](\s?)\d[A-Z]\d")
_POSTAL: Final = re.compile(r"(\W*(?:[A-Za-z]{1,2}[-– ]{1,3})?)[\dO]{2}(\s?)[\dO]{2,3}(\W*)")
_ARTICLE: Final = re.compile(r"(?:l['’]|(?:la|les?)\s)\s?", re.IGNORECASE)
_SORT: Final = re.compile(r"(?:r[ée]gion|canton|d[ée]partement)\s", re.IGNORECASE)


def _zip(form: Form, place: Place, streams: Streams) -> str:
    """A postal code of the place in a form: behind "CH-", "(", with its space."""
    stream = streams.stream("places", "zip", place.country, place.code)
    if form.is_lettered:
        letters = "BCEKLMNPRSTV" if land_of(place.name) == "canada" else "GHJ"
        return stream.choice(letters) + lay_over(f"1A{form.space}1A1", redraw("1A1A1", stream))
    if codes := codes_of(place):
        new = stream.choice(codes)
    else:
        new = place.department.replace("2A", "20").replace("2B", "20").ljust(5, "0")
    if form.space:
        new = f"{new[:2]}{form.space}{new[2:]}"
    return form.before + new + form.after


def introduced(name: str, use: Use) -> str | None:
    """What stands before the name of an area, its space included; None if it is none of the table.

    >>> introduced("Var", Use.IN), introduced("BRETAGNE", Use.OF), introduced("Vaud", Use.THE)
    ('dans le ', 'de ', 'le canton de ')
    """
    words = _by_key().get(place_key(name))
    return None if words is None else words[use]


@cache
def _by_key() -> dict[str, dict[Use, str]]:
    return {place_key(name): words for name, words in area_words().items()}
