"""What the name of an institution says: of what sort it is, of which town, and of which kind.

"CHU de Rennes" is a hospital of Rennes, and Rennes a town with a university hospital. The kind of a
town follows from words that are kept, before it or at the head of an institution that is named
after it, and from which texts are equal: never from the town itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, Literal

from dpdeid import gazetteers
from dpdeid.document import Document, Mention, text_before, text_between
from dpdeid.french import demonyms
from dpdeid.french.areas import TWINS
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place, place_key
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.places.lists.homonyms import LARGE
from dpdeid.substitute.places.localities import largest_of
from dpdeid.substitute.pseudonyms import listed

_HEADS: Final = frozenset(words_by_key("addresses")["head"])
_ADJECTIVES: Final = frozenset(words_by_key("addresses")["adjective"])
LINKS: Final = frozenset(listed("de du des d la l le les et en sur sous aux au a"))
_WORD: Final = re.compile(r"[^\W_]+")
_TOKEN: Final = re.compile(r"(?:[^\W\d_]\.){2,}|\d*[^\W\d_][^\W_]*(?:-[^\W_]+)*|.", re.DOTALL)
_SHORTEST: Final = 3
"""A second word of a head has more letters: "ambulances du Mas"."""
_MISREAD: Final = str.maketrans("01", "oi")
_LINK: Final = re.compile(r"[\W_]*(?:(?:de|en|sur)\b\W+(?!la\b|l['’])|[dD]['’])?", re.IGNORECASE)
_OF_AREA: Final = re.compile(
    r"\W*(?:d(?:e la|u|es)\s+|de l['’]\s?)?(?:(?:canton|r[ée]gion|d[ée]partement) d(?:e|u|es) )?",
    re.IGNORECASE,
)
_OF_PLACE: Final = re.compile(r"(?:de(?: la| l)?|du|des|d|en|sur)\s?['’]?\s*\Z")
_BEFORE_TOWN: Final = re.compile(
    r"\W*(?:\b(?:d[eu]s?|en|sur|l[ae]s?|[dl]['’])\W*)*\Z", re.IGNORECASE
)
_CONTRACTED: Final = re.compile(r"\bd(u|es)\W*\Z", re.IGNORECASE)
_ARTICLES: Final = {"u": "le", "es": "les"}
_START: Final = re.compile(r"(?<![\w-])[^\W_]")
_END: Final = re.compile(r"[-–,/(\n]| site ")
"""What ends the name of a town."""
_WITH_ARTICLE: Final = re.compile(r"\b(?:l[ae]s?|du|des|l['’])\W*\Z", re.IGNORECASE)
_TOWN: Final = 5000
"""A name without "de" is taken for that of a town from so many people on."""


def split(text: str) -> tuple[str, str, str]:
    """What kind of institution it is, the word that links to its name, and the name.

    >>> split("Centre hospitalier d'Amiens"), split("clinique des Ormes"), split("Purpan")
    (('Centre hospitalier', " d'", 'Amiens'), ('clinique', ' ', 'des Ormes'), ('', '', 'Purpan'))
    >>> split("CPAM de la Vendée"), split("MDPH 35")
    (('CPAM', ' de la ', 'Vendée'), ('MDPH', ' ', '35'))
    >>> split("de la Creuse"), split("Creuse")
    (('', 'de la ', 'Creuse'), ('', '', 'Creuse'))
    """
    end = 0
    position = 0
    for token in _TOKEN.findall(text):
        position += len(token)
        word = fold(token) if len(token) < 2 else fold(token).replace(".", "")
        if not word.isdigit():
            word = word.translate(_MISREAD)
        is_head = word in _HEADS and (not end or len(word) > _SHORTEST)
        if is_head or (end and _ADJECTIVES.issuperset(word.split("-"))):
            end = position
        elif not end or (word not in LINKS and any(map(str.isalnum, word))):
            break
    head, rest = text[:end], text[end:]
    link = _OF_AREA.match(rest)
    led = link is not None and (end > 0 or any(map(str.isalpha, link[0])))
    if not (led and link and is_area(rest[link.end() :])):
        link = _LINK.match(rest)
    at = link.end() if link else 0
    return head, rest[:at], rest[at:]


Of = Literal["", "town", "elsewhere", "department", "region", "code"]
"""What an institution is of: nothing, a town of the record, another one, an area, or the code of a
department."""


def area_of(name: str) -> Of:
    """Whether it is a department or canton, a region, or the code of one; "" if none."""
    key, departments = fold(name).strip(), gazetteers.departments()
    if key.upper() in departments.values():
        return "code"
    return "department" if key in departments else "region" if key in gazetteers.regions() else ""


def is_area(name: str) -> bool:
    """Whether it is a department, canton or region, or the code of one."""
    return area_of(name) != ""


@dataclass(frozen=True, slots=True)
class Institution:
    """What the name of an institution says.

    Args:
        head, link, name: as of `split`; `name` may be "", and is no town or area that it is of.
        of: what it is of.
        place: that town or area as it is written.
        town: the key of a town or area that the record names by itself, too.
        join: what stands before the town or code behind a name of its own: " d'" in "CH
            Louis-Giorgi d'Orange".
    """

    head: str
    link: str = ""
    name: str = ""
    of: Of = ""
    place: str = ""
    town: str = ""
    join: str = ""


_JOINT: Final = re.compile(r"\s(?:d[eu]s?\s|d['’]|à\s|-\s)?|-(?=\d)", re.IGNORECASE)


def read(text: str, towns: Collection[str]) -> Institution:
    """What the name of an institution says, in a record with towns of these keys.

    >>> read("CH Louis-Giorgi d'Orange", {"orange"}).name, read("SAMU 33", ()).of
    ('Louis-Giorgi', 'code')
    """
    if found := of_town(text, towns):
        (head, link, own), key = found
        return Institution(head, link, "", _of_area(link, own) or "town", own, key)
    head, link, own = split(text)
    if people := demonyms.known().get(fold(own)):
        town, key = people[0], place_key(people[0])
        return Institution(
            head, " de ", "", *(("town", town, key) if key in towns else ("elsewhere", town))
        )
    if (area := area_of(own)) and not _is_name(head, link, own):
        return Institution(head, link, "", area, own)
    if own and _is_elsewhere(head, link, own):
        return Institution(head, link, "", "elsewhere", own)
    for joint in _JOINT.finditer(own):
        name, rest = own[: joint.start()], own[joint.end() :]
        of: Of = "code" if area_of(rest) == "code" else ""
        key = place_key(rest)
        if key in towns:
            return Institution(head, link, name, "town", rest, key, joint[0])
        if is_of(joint[0]) and is_town("", rest):
            of = "elsewhere"
        if of and any(map(str.isalnum, name)):
            return Institution(head, link, name, of, rest, "", joint[0])
    return Institution(head, link, own)


def _of_area(link: str, own: str) -> Of:
    """What area is meant that stands by itself in the record, too; "" if a town is."""
    towns = gazetteers.places_named(fold(own))
    is_large = towns and towns[0].population >= LARGE and not _WITH_ARTICLE.search(link)
    return "" if is_large else area_of(own)


def is_of(link: str) -> bool:
    """Whether a link ("de", "d'", "sur") leads to a place."""
    return _OF_PLACE.search(fold(link)) is not None


def of_town(text: str, keys: Collection[str]) -> tuple[tuple[str, str, str], str] | None:
    """`split`, and the key of the town that an institution is named after, if it is one of these:
    by equal texts, whatever town that is. A name of its own before the town is no head.

    >>> of_town("CHU du Mans", {"le mans"}), of_town("CHU Lille-Nord", {"lille"})
    ((('CHU', ' du ', 'Mans'), 'le mans'), (('CHU', ' ', 'Lille-Nord'), 'lille'))
    """
    for start in _START.finditer(text):
        before, own = text[: start.start()], text[start.start() :]
        link = _BEFORE_TOWN.search(before)
        head = before[: link.start()] if link else before
        article = _CONTRACTED.search(before)
        key = place_key(own)
        whole = f"{_ARTICLES[article[1].lower()]} {key}" if article else key
        found = next((one for one in (whole, key) if one and one in keys), None)
        if found is not None and not split(head)[2]:
            between = before[len(head) :]
            return (head, between if is_of(between) else between[:1], own), found
    parts = split(text)
    ends = [word.end() for word in _WORD.finditer(parts[2])]
    begun = [place_key(parts[2][:end]) for end in reversed(ends)]
    if len(begun) == 1 and is_of(parts[1]):  # "CH d'Aix", of Aix-en-Provence
        begun += [key for key in keys if key.startswith(f"{begun[0]} ")]
    return next(((parts, key) for key in begun if key in keys), None)


def is_town(link: str, name: str) -> bool:
    """Whether a name names a town of the lists."""
    of = is_of(link)
    return any(towns and (of or towns[0].population > _TOWN) for towns in _readings(name))


def _readings(name: str) -> Iterator[tuple[Place, ...]]:
    """The towns of a whole name, and those of its beginning: "Amiens-Picardie"."""
    for piece in dict.fromkeys((name, _END.split(name, 1)[0])):
        yield gazetteers.places_named(fold(piece.strip()))


def towns_named(name: str) -> tuple[Place, ...]:
    """The towns of the lists that a name may name."""
    return next(filter(None, _readings(name)), ())


_OF_SEAT: Final = re.compile(
    r"(?P<of>\b(?:de|à|sur)\s|\b[dD]['’]\s?)|\b(?P<du>du)\s|(?:\s[–—-]|[,(])\s?", re.IGNORECASE
)
"""What stands before the town in the name of an institution."""
_SEAT: Final = 1000
"""Behind "de" or "à" a name is taken for that of a town from so many people on."""


def seat_of(text: str) -> Place | None:
    """The town or area that an institution is of by its name, the largest of that name; of an area
    its largest town. None if its name tells none.

    >>> [getattr(seat_of(text), "name", None) for text in ("CHU de Dijon Bourgogne", "clinique X")]
    ['Dijon', None]
    """
    head, link, own = split(text)
    if area_of(own) and not _is_name(head, link, own):
        return _largest_in(own)
    starts: list[tuple[int, re.Match[str] | None]]
    starts = [(found.end(), found) for found in _OF_SEAT.finditer(text)]
    if own and kind_of(head) in ("university", "hospital") and not _SAINT.match(fold(own)):
        starts.append((len(text) - len(own), None))
    for start, found in sorted(starts, key=itemgetter(0)):
        least = _SEAT if found is not None and found["of"] else _TOWN
        name = text[start:]
        ends = [word.end() for word in _WORD.finditer(name)]
        article = "le " if found is not None and found["du"] else ""
        for end in reversed(ends):
            towns = gazetteers.places_named(article + name[:end])
            if towns and towns[0].population >= least:
                return towns[0]
    return None


def _largest_in(area: str) -> Place | None:
    """The largest town of the area that a text names."""
    of, names = area_of(area), gazetteers.departments()
    if of == "region":
        return largest_of("region", gazetteers.regions()[fold(area).strip()])
    code = area.strip().upper() if of == "code" else names[fold(area).strip()]
    return largest_of("department", code)


_FRENCH: Final = frozenset(words_by_key("addresses")["french"])


def lists_of(one: Institution) -> frozenset[str]:
    """The lists of places in one of which an institution lies: that of its town or area, those of
    France if only France has such ("CPAM"). Empty if nothing tells.

    >>> sorted(lists_of(read("CH de Namur", ()))), sorted(lists_of(read("MDPH 85", ())))
    (['BE'], ['FR'])
    """
    found: Iterable[Place | None] = ()
    if area_of(one.place):
        twin = TWINS.get(fold(one.place).strip(), "")
        found = (_largest_in(one.place), largest_of("department", twin))
    elif one.of == "elsewhere":
        found = towns_named(one.place)
    lists = frozenset(gazetteers.place_list_name(place) for place in found if place is not None)
    if not lists and not _FRENCH.isdisjoint(_WORD.findall(fold(one.head))):
        every = gazetteers.place_lists().items()
        return frozenset(name for name, own in every if own[0].country == "FR")
    return lists


_NORTH: Final = "nord"
_SAINT: Final = re.compile(r"(?:saint|ste?)\b")


def _is_elsewhere(head: str, link: str, own: str) -> bool:
    if not head:
        return is_town(link, own) and bool(gazetteers.places_named(fold(own.strip())))
    return is_town(link, own) and not _is_name(head, link, own)


def _is_name(head: str, link: str, own: str) -> bool:
    """Whether what may be a place is a name rather: "clinique Saint-Paul", "Hôpital Nord"."""
    if is_of(link) or kind_of(head) == "university":
        return False
    name = fold(own).strip()
    return name == _NORTH or (kind_of(head) != "hospital" and _SAINT.match(name) is not None)


_BY_KIND: Final = words_by_key("town_kinds")
_KINDS: Final = {phrase: kind for kind, phrases in _BY_KIND.items() for phrase in phrases}
_LONGEST: Final = max(phrase.count(" ") for phrase in _KINDS) + 1
_DEMANDS: Final = tuple(_BY_KIND)
_BEFORE: Final = 60
"""Characters before a town that are looked at."""
NAMED: Final = (Label.HOSPITAL, Label.ORGANIZATION)


def kind_of(text: str) -> str | None:
    """The kind of town that the last words of a text ask for, its adjectives left out.

    >>> kind_of("suivi au C.H.U."), kind_of("Centre hospitalier intercommunal"), kind_of("suivi à")
    ('university', 'hospital', None)
    """
    words = _WORD.findall(fold(text).replace(".", ""))
    while words:
        for count in range(_LONGEST, 0, -1):
            if (kind := _KINDS.get(" ".join(words[-count:]))) is not None:
                return kind
        if words.pop() not in _ADJECTIVES:
            break
    return None


def kinds_of_towns(
    towns: Mapping[Mention, str], mentions: Iterable[Mention], documents: Sequence[Document]
) -> dict[str, str]:
    """Name of a place → the most demanding kind that the text asks of it; most have none.

    Args:
        towns: each mention of a place, in their order, and its name.
        mentions: all mentions of the record, in their order.
    """
    asked: dict[str, set[str | None]] = defaultdict(set)
    by_key: dict[str, str] = {}
    for mention, name in towns.items():
        if mention.label is Label.CITY:
            by_key.setdefault(place_key(mention.text), name)
    previous: Mention | None = None
    for mention in mentions:
        if mention.label in NAMED and (found := of_town(mention.text, by_key)):
            asked[by_key[found[1]]].add(kind_of(found[0][0]))
        elif mention.label is Label.CITY and mention in towns:
            asked[towns[mention]].add(_kind_before(mention, previous, documents))
        previous = mention
    return {
        name: min(kinds, key=_DEMANDS.index)
        for name, found_kinds in asked.items()
        if (kinds := [kind for kind in found_kinds if kind is not None])
    }


def _kind_before(
    town: Mention, previous: Mention | None, documents: Sequence[Document]
) -> str | None:
    """The kind that the kept words right before a town ask for, else the institution there."""
    between = text_between(documents, previous, town, _BEFORE) if previous else None
    text = text_before(documents, town, _BEFORE) if between is None else between
    words = list(_WORD.finditer(text))
    while words and fold(words[-1][0]) in LINKS:
        words.pop()
    if words or between is None or previous is None or previous.label not in NAMED:
        return kind_of(text[: words[-1].end()] if words else "")
    return kind_of(split(previous.text)[0])
