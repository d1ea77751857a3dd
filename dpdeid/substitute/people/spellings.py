"""Which names of a record are one name written otherwise: heard, misread, mistyped, or a pet name.

Nothing that the hospital knows is needed, but something must speak for one person. Names that sound
alike ("Diallo", "Dialo") or look alike to a scanner ("Nguyen", "NGUY3N") are one unless the lists
have both; names a slip apart ("Wagener", "WAGENEP") only where the same name stands beside them, or
a role tells of one that no list has, or they are long; a pet name ("Fred") is the only first name
of the record that it may stand for. Nothing is one where other names stand beside it, where one is
a caregiver's and the other is not, or where two first names differ in sex; two surnames of the
patient, alike or a slip apart, are one. Of two spellings the one more frequent in the lists gives
the surrogate, so that it is the same whichever notes a run brings.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, Literal, NamedTuple

from dpdeid import gazetteers
from dpdeid.document import Document, text_before
from dpdeid.french.tables import rows
from dpdeid.labels import Role, Sex
from dpdeid.normalize import fold, one_slip
from dpdeid.substitute.people.clusters import (
    Group,
    Named,
    beside,
    is_after_title,
    list_sex,
)

Term = tuple[bool, str]
"""Whether it is a first name, and the folded name."""
Words = tuple[str, ...]
"""The first names or the surnames of somebody, folded."""
Kinship = Literal["alike", "near", "pet"]
"""How two names are like each other: in sound or look, a slip apart, a pet name and its name."""

_LEAST: Final = 5
"""Letters from which a name is looked at for a slip of the pen."""
_SHORT: Final = 4
"""… where the same name stands beside both: "TRAN Thi Mai", "TRAM Thi Mai"."""
_LONG: Final = 8
"""Letters from which two names a slip apart are one, where no role tells them apart: a pen slips
more often than a record has "Rousselot" and "Rousselet".
"""
_MOST: Final = 30
_TITLED: Final = 14
"""Characters before a name in which a salutation is looked for."""
_CUT: Final = 3
"""Letters that a name which is looked at, and a first name cut short, has at least."""
_UNLISTED: Final = 10**9

_SLAVIC: Final = re.compile(r"(?<=[vw]i)(?:tch|cz|ch|ts|tz)\Z")
"""The same ending however it was written down: "Stefanovic", "Stéphanovitch"."""
_SILENT: Final = re.compile(r"(?<![csp])h")
_TWICE: Final = re.compile(r"(.)\1+")
_LOOKS: Final = str.maketrans("013456789lj", "oieasgtbgii")
"""Signs that a scanner takes for one another."""


@lru_cache(maxsize=1 << 12)
def sound(name: str) -> str:
    """What a folded name sounds like: without doubled and silent letters, i for y."""
    heard = name.replace("ph", "f").replace("y", "i").replace("qu", "k").replace("ck", "k")
    return _TWICE.sub(r"\1", _SILENT.sub("", _SLAVIC.sub("c", heard)))


@lru_cache(maxsize=1 << 12)
def look(name: str) -> str:
    """What a folded name looks like to a scanner."""
    return name.translate(_LOOKS).replace("rn", "m").replace("vv", "w")


@cache
def _full_names() -> Mapping[str, frozenset[str]]:
    """Folded pet name → the folded first names that it stands for."""
    found = defaultdict[str, set[str]](set)
    for pet, *names in rows("pet_names"):
        found[fold(pet)].update(map(fold, names))
    return {pet: frozenset(names) for pet, names in found.items()}


def is_pet_name(short: str, name: str) -> bool:
    """Whether one folded first name is a pet name of another, or that one cut short.

    >>> is_pet_name("manu", "emmanuel"), is_pet_name("jean", "jeanne")
    (True, False)
    """
    if name in _full_names().get(short, ()):
        return True
    is_cut = _CUT <= len(short) < len(name) and name.startswith(short)
    return is_cut and short not in gazetteers.first_names()


@cache
def _ranks(given: bool) -> Mapping[str, int]:
    """Folded name → its place among the most frequent ones; of surnames the last word."""
    if given:
        return {name: rank for rank, name in enumerate(gazetteers.first_names())}
    found: dict[str, int] = {}
    for rank, name in enumerate(gazetteers.surname_list()):
        found.setdefault(re.split(r"[ '-]", fold(name))[-1], rank)
    return found


class _Told(NamedTuple):
    """What a record tells of a name: whose it is, and which names and initials stand beside it."""

    roles: frozenset[Role]
    names: frozenset[str]
    initials: frozenset[str]


def glued_initials(key: str, surnames: Collection[str]) -> int:
    """How many initials stand before another surname of the record in a name: 1 in "amorvan"."""
    if key in _ranks(given=False) or key in _ranks(given=True):
        return 0
    sizes = (size for size in (1, 2) if len(key) - size >= _LEAST - 1 and key[size:] in surnames)
    return next(sizes, 0)


def one_spelling(
    named: Sequence[Named],
    documents: Sequence[Document],
    whole: Collection[str],
    known: Mapping[bool, frozenset[str]],
) -> Mapping[Term, str]:
    """Each name that is another one of the record, written otherwise → that other one.

    Args:
        whole: double names, and surnames with their particles, in one word.
        known: first names (True) and surnames (False) in the hospital's file. Two of them are two.
    """
    counts = Counter((name.given, key) for name in named for key in name.keys)
    borne = {*counts, *((given, key) for given, keys in known.items() for key in keys)}
    terms = borne.union((given, key) for key in whole for given in (True, False))
    pairs = [
        (how, one, two)
        for (one, two), how in sorted(_pairs(terms).items())
        if (one[1] not in known[one[0]] or two[1] not in known[two[0]])
        and (how != "pet" or two in borne)
    ]
    if not pairs:
        return {}
    told = _told({term for _, *pair in pairs for term in pair}, named, documents, known)
    weights = {term: _weight(term, counts, known, whole) for term in told}
    meant = defaultdict[Term, set[Term]](set)
    for how, one, two in pairs:
        if _is_one(how, one, two, told):
            rare, usual = (one, two) if how == "pet" or weights[one] > weights[two] else (two, one)
            meant[rare].add(usual)
    return {term: root[1] for term in meant if (root := _root(term, meant)) != term}


def _weight(
    term: Term,
    counts: Mapping[Term, int],
    known: Mapping[bool, frozenset[str]],
    whole: Collection[str],
) -> tuple[bool, int, bool, int, str]:
    """What of two spellings decides: the smaller one gives the surrogate."""
    given, key = term
    rank = _ranks(given).get(key, _UNLISTED)
    return key not in known[given], rank, key not in whole, -counts.get(term, 0), key


def _root(term: Term, meant: Mapping[Term, set[Term]]) -> Term:
    """The only name at the end of all ways from a name; itself if there are several."""
    ends, seen, ways = set[Term](), {term}, [term]
    while ways:
        further = meant.get(ways.pop(), set())
        for one in further - seen:
            seen.add(one)
            ways.append(one)
            if not meant.get(one):
                ends.add(one)
    return ends.pop() if len(ends) == 1 else term


def _pairs(terms: Collection[Term]) -> Mapping[tuple[Term, Term], Kinship]:
    """The names that are like each other, found by what they share; the pet name comes first."""
    shared = defaultdict[tuple[str, bool, str], list[Term]](list)
    for term in terms:
        given, key = term
        if not _CUT <= len(key) <= _MOST:
            continue
        shared["alike", given, sound(key)].append(term)
        shared["alike", given, look(key)].append(term)
        if len(key) >= _SHORT:
            for at in range(len(key)):
                shared["near", given, key[:at] + key[at + 1 :]].append(term)
            shared["near", given, key].append(term)
        if given:
            shared["pet", given, key[:_CUT]].append(term)
    found: dict[tuple[Term, Term], Kinship] = {}
    for (how, *_), own in sorted(shared.items()):
        for one, two in combinations(sorted(set(own)), 2) if len(own) > 1 else ():
            if how == "alike":
                found.setdefault((one, two), "alike")
            elif how == "near" and one_slip(one[1], two[1]) and not _is_login(one[1], two[1]):
                found.setdefault((one, two), "near")
            elif how == "pet" and is_pet_name(one[1], two[1]):
                found.setdefault((one, two), "pet")
    return found | _pet_names(terms)


def _is_login(one: str, two: str) -> bool:
    """Whether one of two names is the other behind an initial: "amorvan" is no slip of "morvan"."""
    return one[1:] == two or two[1:] == one


def _pet_names(terms: Collection[Term]) -> dict[tuple[Term, Term], Kinship]:
    """The first names of which another one is listed as a pet name."""
    return {
        ((True, pet), (True, name)): "pet"
        for given, pet in terms
        if given
        for name in _full_names().get(pet, ())
        if (True, name) in terms
    }


def _told(
    terms: Collection[Term],
    named: Sequence[Named],
    documents: Sequence[Document],
    known: Mapping[bool, frozenset[str]],
) -> Mapping[Term, _Told]:
    """What the mentions of names, and the hospital's file, tell of them."""
    found: dict[Term, tuple[set[Role], set[str], set[str]]] = {
        (given, key): ({Role.PATIENT}, set(known[not given]), set())
        if key in known[given]
        else (set(), set(), set())
        for given, key in terms
    }
    for at, name in enumerate(named):
        own = [(key, found[name.given, key]) for key in name.keys if (name.given, key) in found]
        if not own:
            continue
        role = name.mention.span.role
        others = [one for pair in beside(named, at, documents) for one in pair if one is not name]
        if role is Role.UNKNOWN and any(
            is_after_title(one.mention, documents) for one in (name, *others)
        ):
            role = Role.STAFF
        for key, (roles, names, initials) in own:
            if role is not Role.UNKNOWN:
                roles.add(role)
            names.update(k for k in name.keys if k != key)
            for other in others:
                names.update(other.keys)
                initials.update(p.key[0] for p in other.pieces if p.kind == "initial")
    return {
        term: _Told(frozenset(roles), frozenset(names), frozenset(initials))
        for term, (roles, names, initials) in found.items()
    }


def _is_one(how: Kinship, one: Term, two: Term, told: Mapping[Term, _Told]) -> bool:
    """Whether two names that are like each other are one person's, or one family's."""
    a, b = told[one], told[two]
    if _is_parted(a, b) or (how != "pet" and one[0] and _differ_in_sex(one[1], two[1])):
        return False
    shared = any(_may_be_one(x, y) for x in a.names for y in b.names)
    letters = _initials(a, b) or _initials(b, a) or bool(a.initials & b.initials)
    if (a.names or a.initials) and (b.names or b.initials) and not (shared or letters):
        return False
    if how == "pet":
        return True
    both_listed = all(key in _ranks(given) for given, key in (one, two))
    if one[0]:
        return (shared or not both_listed) if how == "alike" else (shared and not both_listed)
    same = a.roles == b.roles and len(a.roles) == 1
    if shared or a.roles == b.roles == {Role.PATIENT} or (letters and same):
        return True
    size, roles = min(len(one[1]), len(two[1])), a.roles | b.roles
    if size >= _LONG and len(roles) < 2 and one[1][0] == two[1][0]:
        return True
    if both_listed:
        return how == "alike" and roles == {Role.PATIENT}
    return how == "alike" or (size >= _LEAST and len(roles) == 1)


def _is_parted(a: _Told, b: _Told) -> bool:
    """Whether one name is a caregiver's and the other is not."""
    parted = bool(a.roles) and bool(b.roles) and not a.roles & b.roles
    return parted and Role.STAFF in a.roles | b.roles


def _differ_in_sex(one: str, two: str) -> bool:
    return {Sex.FEMALE, Sex.MALE} == {list_sex((one,)), list_sex((two,))}


def _may_be_one(one: str, two: str) -> bool:
    """Whether two names beside others may be one, written otherwise."""
    alike = sound(one) == sound(two) or look(one) == look(two)
    return alike or is_pet_name(one, two) or is_pet_name(two, one)


def _initials(a: _Told, b: _Told) -> bool:
    """Whether an initial beside the one is that of a name beside the other."""
    return not a.initials.isdisjoint(name[0] for name in b.names)


SALUTED: Final = {"cher": Sex.MALE, "chere": Sex.FEMALE}
"""Words before the first name of whom a letter is written to, a colleague as a rule."""


def presumed(groups: Iterable[Group], documents: Sequence[Document]) -> list[tuple[Words, Words]]:
    """The first names and surnames of people who are called by the one here and have an initial
    before the other there: "Cher Hervé", "Dr H. Quentric". Both must be the only such of a role.
    """
    first: dict[Words, set[Role]] = defaultdict(set)
    last: dict[tuple[str, Words], set[Role]] = defaultdict(set)
    whole = set[Words]()
    for group in groups:
        firsts, lasts = group.firsts, group.lasts
        letters = "".join(p.key[0] for m in group.members for p in m.pieces if p.kind == "initial")
        if firsts and lasts:
            whole |= {firsts, lasts}
        elif firsts and not letters:
            first[firsts].add(_role(group, documents))
        elif lasts and letters:
            last[letters, lasts].add(_role(group, documents))
    found = defaultdict[tuple[str, Role], list[Words]](list)
    for firsts, roles in first.items():
        if firsts not in whole and (role := _only(roles)) is not None:
            found["".join(name[0] for name in firsts), role].append(firsts)
    meant = defaultdict[Words, list[Words]](list)
    for (letters, lasts), roles in last.items():
        role = _only(roles)
        own = () if role in (None, Role.UNKNOWN) else found.get((letters, role), ())
        if lasts not in whole and len(own) == 1:
            meant[own[0]].append(lasts)
    return [(firsts, lasts[0]) for firsts, lasts in meant.items() if len(lasts) == 1]


def _only(roles: Set[Role]) -> Role | None:
    """The only role that is told; None of several."""
    told = roles - {Role.UNKNOWN}
    return None if len(told) > 1 else next(iter(told), Role.UNKNOWN)


def _role(group: Group, documents: Sequence[Document]) -> Role:
    """Whose name a full name is, by its spans or by the title or salutation before it."""
    told = {member.mention.span.role for member in group.members} - {Role.UNKNOWN}
    if told:
        return min(told)
    mention = group.members[0].mention
    words = fold(text_before(documents, mention, _TITLED)).split()[-1:]
    is_staff = is_after_title(mention, documents) or not SALUTED.keys().isdisjoint(words)
    return Role.STAFF if is_staff else Role.UNKNOWN
