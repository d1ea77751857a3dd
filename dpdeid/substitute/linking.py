"""Spellings of one name in a record brought together, anchored on the hospital's own facts.

Particles glued to the name ("LeGoff" for "Le Goff"), names broken over two lines, names that are a
first name here and a surname there, and single slips of the pen against a known name. A slip is
only taken for one where nothing speaks for somebody else: no title of a caregiver, no other first
name beside it; "Pascale" is no slip of "Pascal" unless its role is the patient's. Two names that
are both known are never brought together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import fold, one_slip
from dpdeid.substitute.clusters import Named, touch
from dpdeid.substitute.name_pieces import PREFIXES, Piece, name_keys, pieces
from dpdeid.substitute.shapes import listed

_LEAST: Final = 5
"""Letters from which a name is looked at for a slip of the pen."""
_CAREGIVERS: Final = frozenset(listed("dr docteur docteure pr professeur professeure"))
_BEFORE: Final = 14


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


def known(documents: Iterable[Document]) -> Known:
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
                if len(parts) > 1:
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


def link(named: list[Named], documents: Sequence[Document], facts: Known) -> list[Named]:
    """The same mentions with the keys and pieces that their record gives them."""
    broken = {at for at, name in enumerate(named) if "\n" in name.text}
    if broken:
        whole = {key for at, name in enumerate(named) if at not in broken for key in name.keys}
        whole |= facts.firsts | facts.lasts
        named = [_mended(n, whole) if at in broken else n for at, n in enumerate(named)]
    slips = _slips(named, documents, facts) if facts.names else {}
    if slips:
        named = [_respelt(name, slips) for name in named]
    parted = dict(facts.parted)
    for name in named:
        if len(name.pieces) > 1:
            parted.update(_parted(name.pieces))
    if parted:
        named = [_split(name, parted) for name in named]
    given, family = set(facts.firsts), set(facts.lasts)
    for name in named:
        (given if name.given else family).update(name.keys)
    if both := given & family:
        kinds = _kinds(both, named, facts)
        named = [_relabelled(named, at, kinds, documents) for at in range(len(named))]
    return named


def _parted(parts: Sequence[Piece]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Every name with particles before it, as written in one word → its parts."""
    run: list[str] = []
    for piece in parts:
        if piece.kind == "kept" and piece.key in PREFIXES:
            run.append(piece.key)
            continue
        if piece.kind == "name":
            for at in range(len(run)):
                yield "".join((*run[at:], piece.key)), (*run[at:], piece.key)
        run = []


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
            out.append(Piece(at, at + len(part), part, "kept"))
            at += len(part)
        out.append(Piece(at, piece.end, parts[-1], "name"))
    return name._replace(pieces=tuple(out), keys=name_keys(out))


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
    return name._replace(pieces=tuple(out), keys=name_keys(out))


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
    mention = name.mention
    before = documents[mention.document].text[
        max(0, mention.span.start - _BEFORE) : mention.span.start
    ]
    words = fold(before).replace(".", " ").split()
    if mention.span.role is Role.STAFF or (words and words[-1] in _CAREGIVERS):
        return -1
    beside = []
    if at and touch(named[at - 1], name, documents):
        beside.append(named[at - 1])
    if at + 1 < len(named) and touch(name, named[at + 1], documents):
        beside.append(named[at + 1])
    others = [one for one in beside if one.given is not name.given]
    if any(not _fits(one, facts) for one in others):
        return -1
    return 2 if mention.span.role is Role.PATIENT else int(bool(others))


def _fits(name: Named, facts: Known) -> bool:
    """Whether a name may be the patient's: known, nearly so, or an initial of it."""
    own = facts.of(name.given)
    letters = {key[0] for key in own}
    initials = [piece.key[0] for piece in name.pieces if piece.kind == "initial"]
    return letters.issuperset(initials) and all(
        key in own or any(one_slip(key, k) for k in own) for key in name.keys
    )


def _respelt(name: Named, slips: Mapping[tuple[bool, str], str]) -> Named:
    if not any((name.given, key) in slips for key in name.keys):
        return name
    out = [
        piece._replace(key=slips.get((name.given, piece.key), piece.key))
        if piece.kind == "name"
        else piece
        for piece in name.pieces
    ]
    return name._replace(pieces=tuple(out), keys=name_keys(out))


def _kinds(both: Iterable[str], named: Iterable[Named], facts: Known) -> Mapping[str, bool]:
    """Whether each doubtful name is a first name: as the hospital knows it, else as most often."""
    votes: Counter[str] = Counter()
    for name in named:
        votes.update(dict.fromkeys(name.keys, 1 if name.given else -1))
    listed_firsts = gazetteers.first_names()
    kinds = {}
    for key in both:
        if (key in facts.firsts) is not (key in facts.lasts):
            kinds[key] = key in facts.firsts
        else:
            kinds[key] = votes[key] > 0 or (votes[key] == 0 and key in listed_firsts)
    return kinds


def _relabelled(
    named: Sequence[Named], at: int, kinds: Mapping[str, bool], documents: Sequence[Document]
) -> Named:
    """The mention as what its name is, unless it is one half of a full name."""
    name = named[at]
    if not name.keys or kinds.get(name.keys[0], name.given) is name.given:
        return name
    pairs = ((named[i], named[i + 1]) for i in (at - 1, at) if 0 <= i < len(named) - 1)
    if any(a.given is not b.given and touch(a, b, documents) for a, b in pairs):
        return name
    return name._replace(given=kinds[name.keys[0]])
