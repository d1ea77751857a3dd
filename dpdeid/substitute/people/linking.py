"""Spellings of one name in a record brought together.

Brought together are particles glued to the name ("LeGoff" for "Le Goff"), names broken over two
lines, names that are a first name here and a surname there, and single slips of the pen against a
name that the hospital knows. A slip is only taken for one where nothing speaks for somebody else:
no title of a caregiver, no other first name beside it; "Pascale" is no slip of "Pascal" unless its
role is the patient's. Two names that are both known are never brought together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document, text_between
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import fold, one_slip
from dpdeid.substitute.people.abbreviations import are_first_letters
from dpdeid.substitute.people.clusters import (
    PREFIXES,
    Kind,
    Named,
    Piece,
    beside,
    is_after_title,
    pieces,
)
from dpdeid.substitute.people.spellings import glued_initials, one_spelling

_LEAST: Final = 5
"""Letters from which a name is looked at for a slip of the pen."""


@dataclass(frozen=True, slots=True)
class Known:
    """The patient's names in the hospital's file, folded.

    Args:
        names: one (first names, surnames) for each surname: that of birth, that of marriage.
    """

    names: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = field(default=(), repr=False)
    firsts: frozenset[str] = field(default=frozenset(), repr=False)
    lasts: frozenset[str] = field(default=frozenset(), repr=False)
    sex: Sex = Sex.UNKNOWN
    parted: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def of(self, given: bool) -> frozenset[str]:
        """The known first names, or surnames."""
        return self.firsts if given else self.lasts


_NOBODY: Final = Known()


def known_names(documents: Iterable[Document]) -> Known:
    """What the hospital knows of the patient's names, from all notes."""
    given: dict[tuple[str, ...], None] = {}
    family: dict[tuple[str, ...], None] = {}
    parted: dict[str, tuple[str, ...]] = {}
    sexes = set()
    for doc in documents:
        sexes.add(doc.sex)
        for label, found in ((Label.FIRST_NAME, given), (Label.LAST_NAME, family)):
            for value in doc.known.get(label, ()):
                _, parts, keys = pieces(value, label is Label.FIRST_NAME)
                parted.update(_parted(parts))
                if keys:
                    found[keys] = None
    if not given and not family:
        return _NOBODY
    firsts = tuple(given) or ((),)
    sexes.discard(Sex.UNKNOWN)
    return Known(
        tuple([(one, last) for one in firsts for last in (tuple(family) or ((),))]),
        frozenset().union(*given),
        frozenset().union(*family),
        sexes.pop() if len(sexes) == 1 else Sex.UNKNOWN,
        parted,
    )


def link_names(named: list[Named], documents: Sequence[Document], facts: Known) -> list[Named]:
    """The same mentions with the keys and pieces that their record gives them."""
    whole = {key for name in named if "\n" not in name.text for key in name.keys}
    whole |= facts.firsts | facts.lasts
    named = [_mended(name, whole) if "\n" in name.text else name for name in named]
    named = [_as_initial(named, at, documents) for at in range(len(named))]
    if slips := _slips(named, documents, facts):
        named = [_respelt(name, slips) for name in named]
    parted = {**facts.parted}
    for name in named:
        parted.update(_parted(name.pieces))
    known = {given: facts.of(given) for given in (True, False)}
    if meant := one_spelling(named, documents, parted, known):
        named = [_respelt(name, meant) for name in named]
    lasts = facts.lasts.union(parted, *(name.keys for name in named if not name.given))
    named = [
        _unglued(name, lasts) if parted.keys().isdisjoint(name.keys) else name for name in named
    ]
    if parted:
        named = [_split(name, parted) for name in named]
    given = facts.firsts.union(*(name.keys for name in named if name.given))
    if both := given & facts.lasts.union(*(name.keys for name in named if not name.given)):
        kinds = _kinds(both, named, facts)
        named = [_relabelled(named, at, kinds, documents) for at in range(len(named))]
    return named


def _as_initial(named: Sequence[Named], at: int, documents: Sequence[Document]) -> Named:
    """The mention as a first name cut short, if a point and a surname stand behind it: "Fr" of "Fr.
    Delattre" is no surname.
    """
    name = named[at]
    if name.given or len(name.pieces) != 1 or not all(map(are_first_letters, name.keys)):
        return name
    after = named[at + 1] if at + 1 < len(named) else name
    between = text_between(documents, name.mention, after.mention, 2) or ""
    if after.given or between.strip() != ".":
        return name
    return name.cut([name.pieces[0]._replace(kind="initial")])._replace(given=True)


def _parted(parts: Sequence[Piece]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Every name with the particles and names before it, as written in one word → its parts."""
    run: list[str] = []
    for piece in parts:
        if piece.kind == "initial" or (piece.kind == "kept" and piece.key not in PREFIXES):
            run = []
            continue
        run.append(piece.key)
        if piece.kind == "name":
            for at in range(len(run) - 1):
                yield "".join(run[at:]), tuple(run[at:])


def _split(name: Named, parted: Mapping[str, tuple[str, ...]]) -> Named:
    """The name with its glued particles apart, where its record writes them so."""
    if not any(key in parted for key in name.keys):
        return name
    out: list[Piece] = []
    for piece in name.pieces:
        parts = parted.get(piece.key, ()) if piece.kind == "name" else ()
        head = sum(map(len, parts[:-1]))
        if not parts or fold(name.text[piece.start : piece.start + head]) != "".join(parts[:-1]):
            out.append(piece)
            continue
        at = piece.start
        for part in parts[:-1]:
            kind: Kind = "kept" if part in PREFIXES else "name"
            out.append(Piece(at, at + len(part), part, kind))
            at += len(part)
        out.append(Piece(at, piece.end, parts[-1], "name"))
    return name.cut(out)


def _unglued(name: Named, lasts: frozenset[str]) -> Named:
    """The surname with the initials apart that are glued to it, as in logins."""
    if len(name.pieces) > 1 or not name.keys:
        return name
    (start, end, key, _), *_ = name.pieces
    size = glued_initials(key, lasts)
    if not size:
        return name
    letters = [Piece(start + at, start + at + 1, key[at], "initial") for at in range(size)]
    apart = name.cut((*letters, Piece(start + size, end, key[size:], "name")))
    return apart._replace(given=False)


def _mended(name: Named, whole: set[str]) -> Named:
    """The name in one piece, if it was broken at the end of a line."""
    out: list[Piece] = []
    for piece in name.pieces:
        before = out[-1] if out else None
        between = name.text[before.end : piece.start] if before else ""
        if (
            before
            and "\n" in between
            and (before.kind != "kept" or "-" in between)
            and before.key + piece.key in whole
        ):
            out[-1] = Piece(before.start, piece.end, before.key + piece.key, "name")
        else:
            out.append(piece)
    return name.cut(out)


def _slips(
    named: Sequence[Named], documents: Sequence[Document], facts: Known
) -> dict[tuple[bool, str], str]:
    """(first name?, spelling) → the known name that is meant."""
    parted = facts.parted
    own, names = facts.firsts.union(parted), facts.lasts.union(parted)
    seen: dict[tuple[bool, str], list[int]] = {}
    for at, (_, _, _, given, keys) in enumerate(named):
        for key in keys:
            if key not in (own if given else names):
                seen.setdefault((given, key), []).append(at)
    candidates = {
        True: [key for key in facts.firsts if len(key) >= _LEAST],
        False: [key for key in (*facts.lasts, *parted) if _long(key, facts)],
    }
    found: dict[tuple[bool, str], str] = {}
    for (given, key), places in seen.items():
        size = len(key)
        meant = [k for k in candidates[given] if -2 < size - len(k) < 2 and one_slip(key, k)]
        if len(meant) != 1:
            continue
        signs = [_sign(named, at, documents, facts) for at in places]
        if min(signs) < 0 or (given and key in gazetteers.first_names() and max(signs) < 2):
            continue
        found[given, key] = meant[0]
    return found


def _long(key: str, facts: Known) -> bool:
    """Whether a known name has letters enough, with its particles: "Goff" of "Le Goff"."""
    return len(key) >= _LEAST or any(
        parts[-1] == key and len(whole) > _LEAST for whole, parts in facts.parted.items()
    )


def _sign(named: Sequence[Named], at: int, documents: Sequence[Document], facts: Known) -> int:
    """Whether a mention is the patient's: 2 its role says so, 1 the name beside it, -1 not."""
    name = named[at]
    role = name.mention.span.role
    if role is Role.STAFF or is_after_title(name.mention, documents):
        return -1
    others = [one for pair in beside(named, at, documents) for one in pair if one is not name]
    if not all(_fits(one, facts) for one in others):
        return -1
    return 2 if role is Role.PATIENT else int(bool(others))


def _fits(name: Named, facts: Known) -> bool:
    """Whether a name may be the patient's: known, nearly so, or an initial of it."""
    own = facts.of(name.given)
    letters = {key[0] for key in own}
    initials = [piece.key[0] for piece in name.pieces if piece.kind == "initial"]
    return letters.issuperset(initials) and all(
        key in own or any(one_slip(key, k) for k in own) for key in name.keys
    )


def _respelt(name: Named, slips: Mapping[tuple[bool, str], str]) -> Named:
    meant = [slips.get((name.given, p.key), p.key) for p in name.pieces]
    pairs = zip(name.pieces, meant, strict=True)
    return name.cut([p._replace(key=key) if p.kind == "name" else p for p, key in pairs])


def _kinds(both: Iterable[str], named: Iterable[Named], facts: Known) -> Mapping[str, bool]:
    """Whether each doubtful name is a first name: as the hospital knows it, else as most often."""
    votes: Counter[str] = Counter()
    for name in named:
        votes.update(dict.fromkeys(name.keys, 1 if name.given else -1))
    known, listed_firsts = facts.firsts ^ facts.lasts, gazetteers.first_names()
    return {
        key: key in facts.firsts
        if key in known
        else votes[key] > 0 or (votes[key] == 0 and key in listed_firsts)
        for key in both
    }


def _relabelled(
    named: Sequence[Named], at: int, kinds: Mapping[str, bool], documents: Sequence[Document]
) -> Named:
    """The mention as what its name is, unless it is one half of a full name, and is no surname
    with particles or that no list has as a first name.
    """
    name = named[at]
    if not name.keys or kinds.get(name.keys[0], name.given) is name.given:
        return name
    parts = {piece.kind for piece in name.pieces}
    is_last = name.given and ("kept" in parts or name.keys[0] not in gazetteers.first_names())
    if not is_last and beside(named, at, documents):
        return name
    return name._replace(given=kinds[name.keys[0]])
