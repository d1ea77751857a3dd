"""How an institution is written under another name: near a surrogate place, at a level it has.

What it is of (a town, a department, a region) is that of a surrogate place. A university hospital
of a town that has none is a hospital; overseas it is that of the island, if that has one. Where
a list has only a department or two, what is called after one is called after a town: it would
come out as itself. That is decided by the list alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.areas import Use
from dpdeid.gazetteers import Place, place_key
from dpdeid.normalize import fold
from dpdeid.privacy.places.gravity import nearest_among
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.release import beside
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.substitute.places import naming
from dpdeid.substitute.places.earlier import HOME, offered, surrogate_places
from dpdeid.substitute.places.identity import Known
from dpdeid.substitute.places.institutions import Institution, Of, is_of, kind_of, towns_named
from dpdeid.substitute.places.rendering import introduced, land_of, moved_to
from dpdeid.substitute.pseudonyms import like_case

_ELIDED: Final = frozenset("aeiouh")
_ARTICLE: Final = re.compile(r"(Les?)[ -]")
_HIGHER: Final = re.compile(r"(?i)\bc\.?h\.?(?:r\.?)?u\b\.?")
_REGIONAL: Final = re.compile(r"(?i)\bc\.?h\.?r\b\.?")
_ADJECTIVE: Final = re.compile(r"(?i)\s(?:r[ée]gional|universitaire)e?s?\b")
_ISLANDS: Final = frozenset(("971", "972", "973", "974"))
"""Lists of overseas France with one university hospital, named after the island."""
_AREAS: Final = ("department", "region", "code")
_FEW: Final = 3
"""Departments or regions that a list has at least where institutions are called after them."""
_PREFIX: Final = re.compile(r"(?i)CHR?U|CHT|CHI|CHS|CHR|GHU|GHT|EPSM|CH|GH|HU")
_HOSPITAL: Final = "CH"
_INITIALS: Final = 3


@dataclass(slots=True)
class Writer:
    """Writes the institutions of a record; it holds which towns not of the record they are in.

    Args:
        streams: of the unit.
        towns: key of each town of the unit → its surrogate.
    """

    streams: Streams
    towns: Mapping[str, Place] = field(repr=False)
    _elsewhere: dict[str, Place] = field(default_factory=dict, repr=False)

    def write(self, known: Known, near: Place | None, stream: Stream) -> str:
        """The institution under another name, near a surrogate place if there is any."""
        one = known.institution
        place = self.place(one, near)
        head = leveled(one.head, place) if one.of or known.is_letters else one.head
        if known.is_letters and known.sort == naming.CARE:
            return like_case(_letters(one.name, place), one.name)
        if not one.name:
            return self._of(one, head, place)
        name = _name(known, stream)
        text = linked(head, one.link, name, one.name)
        if not one.of:
            return text
        if one.of == "code":
            return text + one.join + place.department
        return linked(text, one.join, place.name, one.place)

    def place(self, one: Institution, near: Place | None) -> Place:
        """The surrogate place of an institution."""
        if one.town:
            return self.towns[one.town]
        if one.of == "elsewhere" or near is None:
            return self._other(one.place, near, kind_of(one.head))
        return near

    def _other(self, town: str, near: Place | None, kind: str | None) -> Place:
        """A place for a town that is none of the record: one drawn around the nearest of its kind,
        which is none of those released; for what no list knows the nearest itself, but once.
        """
        key, known = place_key(town), towns_named(town) != ()
        land = None if known else land_of(town)
        name = key if known or land else f"{kind} {key}"
        if name not in self._elsewhere:
            listed = HOME if near is None else gazetteers.place_list_name(near)
            among = frozenset() if kind is None else gazetteers.places_of_kind(listed, kind)
            among = among or offered(listed)
            every = surrogate_places(listed, ())
            taken = [] if near is None else [nearest_among(every, _index(every, near), among)]
            at = next(iter(taken), -1)
            if at < 0 or self._elsewhere or known or land:
                here = (p for p in self.towns.values() if gazetteers.place_list_name(p) == listed)
                taken += [_index(every, place) for place in here]
                at = beside(every, name, taken, self.streams, among)
            place = gazetteers.place_lists()[listed][at]
            self._elsewhere[name] = moved_to(land, place) if land else place
        return self._elsewhere[name]

    def somewhere(self, lists: Collection[str]) -> Place:
        """A place of one of these lists, none of which has a released one."""
        listed = HOME if HOME in lists else min(lists)
        at = beside(surrogate_places(listed, ()), listed, (), self.streams, offered(listed))
        return gazetteers.place_lists()[listed][at]

    def _of(self, one: Institution, head: str, place: Place) -> str:
        """An institution that has no name of its own."""
        if one.of in _AREAS and is_told(gazetteers.place_list_name(place), one.of):
            head = leveled(one.head, place, islands=frozenset())
            name = linked("", " de ", place.name, one.link + one.place)
            return head + name if head else like_case(place.name, one.place)
        if one.of == "code":
            return head + one.link + place.department
        on_island = gazetteers.place_list_name(place) in _ISLANDS
        if kind_of(head) == "university" and on_island:
            return head + _area(" de ", "department", place.department, place, one.place)
        if one.of in ("department", "region"):
            code = place.department if one.of == "department" else place.region
            if not head and not is_of(one.link):
                return _alone(one, code, place)
            area = _area(one.link or " de ", one.of, code, place, one.place)
            return head + area if head else area.strip()
        if not head:
            return like_case(place.name, one.place)
        return head + linked("", one.link or " de ", place.name, one.link + one.place)


@cache
def is_told(listed: str, of: Of) -> bool:
    """Whether a list has so few departments or regions that it tells them: what is called after one
    would come out as itself, and is called after the town.

    >>> is_told("974", "region"), is_told("20", "department"), is_told("FR", "region")
    (True, True, False)
    """
    own, among = gazetteers.place_lists()[listed], offered(listed)
    some = [own[at] for at in among] if among else own
    areas = {place.region if of == "region" else place.department for place in some}
    return len(areas) < _FEW


def _index(places: PlaceList, place: Place) -> int:
    return places.nearest(*places.locate(place.latitude, place.longitude))


def _area(link: str, kind: str, code: str, place: Place, shape: str) -> str:
    """The department or region of a code behind a head; the town where no name of it is known."""
    name = gazetteers.area_names().get((kind, code))
    if name is None:
        return linked("", link, place.name, shape)
    word = introduced(name, Use.OF_THE if kind == "department" else Use.OF)
    if not is_of(link) or word is None:
        word = "" if not is_of(link) else "de "
    return " " + like_case(word + name, shape)


def _alone(one: Institution, code: str, place: Place) -> str:
    """An area that no word before it says an institution of, with its article if it had one."""
    name = gazetteers.area_names().get((one.of, code), place.name)
    word = introduced(name, Use.THE) if one.link else None
    return (word or "") + like_case(name, one.place)


def leveled(head: str, place: Place, islands: Collection[str] = _ISLANDS) -> str:
    """The head of an institution at a level that its town has, or one of these lists as a whole."""
    listed = gazetteers.place_list_name(place)
    if kind_of(head) != "university" or listed in islands:
        return head
    if "university" in gazetteers.kinds_of_places().get(place.code, frozenset()):
        return head
    lower = _HIGHER.sub(lambda found: like_case(_HOSPITAL, found[0]), head)
    if place.country == "FR":  # in Belgium a regional hospital may be anywhere
        lower = _REGIONAL.sub(lambda found: like_case(_HOSPITAL, found[0]), lower)
    return _ADJECTIVE.sub("", lower)


def _letters(text: str, place: Place) -> str:
    """Letters that a hospital of a place may be called by: "CHV" of Vannes."""
    found = _PREFIX.match(text)
    prefix = leveled(found[0], place) if found else _HOSPITAL
    words = [word for word in naming.words_of(place.name) if len(word) > 1]
    return prefix + "".join(word[0] for word in words)[:_INITIALS].upper()


def _name(known: Known, stream: Stream) -> str:
    one = known.institution
    letters = known.is_letters and known.sort == naming.COMPANY
    sort = naming.INITIALS if letters else known.sort
    name = naming.drawn(sort, known.key or one.name, stream)
    if known.is_short:
        name = naming.short(name)
    return name if known.is_behind or letters else naming.bare(known.sort, name)


def linked(head: str, link: str, name: str, shape: str) -> str:
    """A head and what it is called after, with the words between them as the name asks for them.

    Args:
        link: what stood there: " de ", " d'", " ".
        shape: the original of link and name, whose case it takes.
    """
    if not is_of(link):
        small = shape.islower() and not head.islower() and head != ""
        return head + link + (name if small else like_case(name, shape))
    link = " d'" if fold(name[0]) in _ELIDED else " de "
    if article := _ARTICLE.match(name):
        link = f" d{'es' if article[1] == 'Les' else 'u'} "
        name = name[article.end() :]
    if name.startswith(("des ", "du ", "de ")):
        link = " "
    return head + like_case(link + name, shape)
