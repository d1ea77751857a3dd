"""E-mail addresses and logins against the names of their owners."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid import gazetteers
from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Person
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.evaluate.coherence.reading.given import sex_of
from dpdeid.labels import Role
from dpdeid.normalize import one_slip

_MAIL: Final = re.compile(
    r"(?<![\w.])(?P<l>[a-z0-9][a-z0-9._-]*[a-z0-9])@(?P<d>[a-z0-9.-]+\.[a-z]{2,})"
)
_LOGIN: Final = re.compile(
    r"\b(?:login|identifiant|compte|user|utilisateur|session|log)(?: "
    r"(?:de connexion|utilisateur|informatique|windows))?(?: ?[:=] ?| )(?P<l>[a-z]{1,15}"
    r"(?:[._-][a-z]{2,15}){0,2})(?!\w|[@'])(?= ?[),.;\n|]|$)"
)
_ROLES: Final = re.compile(cue("boxes_of_many"))
_MARRIED: Final = re.compile(
    r"\b(?:mariage|nom de jeune fille|ancien nom|boite (?:commune|partagee))\b"
)
_BESIDE: Final = re.compile(
    r"[^a-z\d\n]*(?:(?:e-?mail|mel|mail|courriel|adresse|electronique|login|identifiant|"
    r"contact)[^a-z\d]*){0,3}"
)
"""What may stand between a name and the address right behind it."""
_NO_LOGIN: Final = frozenset(cue("no_logins").split("|"))


def email_name(note: Note) -> Iterator[Clash]:
    """The local part of an address, or a login, against the name of its owner."""
    for form in (_MAIL, _LOGIN):
        for match in form.finditer(note.flat):
            local = match["l"]
            if form is _LOGIN and (local in _NO_LOGIN or not (_personal(local) or _packed(local))):
                continue
            if _ROLES.search(local) or not re.search("[a-z]{3}", local):
                continue
            owner = _owner(note, match.span())
            gap = note.flat[owner.at[1] : match.start()] if owner else ""
            if any(len(w) > 2 and w in local for w in re.findall("[a-z]+", gap)):
                continue
            start, end = line_of(note.flat, match.start())
            rest = note.flat[: match.start()] + note.flat[match.end() :]
            elsewhere = len(_parts(local)) > 1 and all(
                len(part) > 2 and re.search(rf"\b{part}\b", rest) for part in _parts(local)
            )
            if _MARRIED.search(note.flat[start:end]) or (elsewhere and not _BESIDE.fullmatch(gap)):
                continue
            others = [p for p in note.people if p is not owner and len(p.words) > 1]
            beside = _BESIDE.fullmatch(gap)
            if form is _MAIL and not beside and any(_fully(local, p) for p in others):
                continue
            if not beside and len(gap) > 110 and "\n" not in gap:
                continue
            if owner is not None and _not_of(local, owner):
                yield Kind.EMAIL_NAME, owner.at, match.span("l")


def _owner(note: Note, at: At) -> Person | None:
    """Whose an address is: the last name before it in its block, else the patient of a form."""
    start, end = line_of(note.flat, at[0])
    beside = [p for p in note.people if at[1] <= p.at[0] < min(end, at[1] + 12)]
    if beside and re.fullmatch(r" ?\| ?(?:dr |pr |mme |m\. )?", note.flat[at[1] : beside[0].at[0]]):
        return beside[0]
    on_line = [p for p in note.people if start <= p.at[0] and p.at[1] <= at[0]]
    if on_line:
        return on_line[-1]
    if beside and note.flat[at[1] : beside[0].at[0]].strip() in ("(", "-", ","):
        return beside[0]
    block = max(note.flat.rfind("\n\n", 0, at[0]), at[0] - 260)
    above = [p for p in note.people if block <= p.at[0] < start and len(p.words) > 1]
    if re.match(r"[> ]*(?:de|from|to|a|cc|cci|pour|envoye|copie)\b ?:?", note.flat[start : at[0]]):
        return None
    if not above:
        return next(
            (p for p in note.people if end <= p.at[0] < end + 60 and len(p.words) > 1), None
        )
    if patients := _MINE.search(note.flat[start:end]):
        wanted = Role.STAFF if patients["s"] else Role.PATIENT
        return next((p for p in above[::-1] if p.role is wanted), above[-1])
    owners = [p for p in above if p.role is Role.PATIENT]
    return owners[-1] if owners and above[-1].role is not Role.STAFF else above[-1]


_MINE: Final = re.compile(
    rf"\b(?:du|de la|le|la|son|sa) (?:(?P<s>{cue('staff_of_a_mail')})|patiente?|interessee?"
    r"|assuree?|resident)\b"
)


def _parts(local: str) -> list[str]:
    return [p for p in re.split(r"[._\d-]+", local) if p]


def _fully(local: str, one: Person) -> bool:
    """Whether a local part is made of the name of a person alone."""
    pieces = {p for w in (*one.words, *one.born) for p in re.split("[-' ]", w)}
    parts = _parts(local)
    return len(parts) > 1 and all(
        p in pieces or (len(p) == 1 and any(w[0] == p for w in pieces)) for p in parts
    )


def _personal(local: str) -> bool:
    return len(_parts(local)) >= 2


def _packed(local: str) -> bool:
    """Whether it is an initial and a surname: "jlefort"."""
    return len(local) > 4 and (
        local[1:] in gazetteers.surnames() or local[:-1] in gazetteers.surnames()
    )


def _not_of(local: str, owner: Person) -> bool:
    """Whether a local part names somebody, and not the owner."""
    words = [w for w in (*owner.words, *owner.born, *owner.family, *owner.given) if len(w) > 1]
    pieces = {p for w in words for p in re.split("[-' ]", w)}
    pieces |= {re.sub("[-' ]", "", w) for w in (*words, "".join(owner.words))}
    pieces.add("".join(owner.family))
    bare = re.sub("[^a-z]", "", local)
    initials = {w for w in owner.words if len(w) == 1}
    own = any(len(p) > 2 and p in bare for p in pieces)
    if own and not _other_surname(local, pieces, initials):
        return False
    parts, surnames = _parts(local), gazetteers.surnames()
    if len(parts) >= 2:
        return any(len(p) > 2 and (p in surnames or sex_of(p) is not None) for p in parts)
    splits = range(3, len(bare) - 2)  # "paullefort"
    whole = any(sex_of(bare[:n]) is not None and bare[n:] in surnames for n in splits)
    if not parts or not (whole or _packed(local)):
        return False
    return not any(len(p) > 2 and (p in bare or bare in p or p[:4] in bare) for p in pieces)


def _other_surname(local: str, pieces: set[str], initials: set[str]) -> bool:
    """Whether of "paul.lefort" one is the owner's and the other is a name that is not."""
    parts = _parts(local)
    if len(parts) != 2 or min(map(len, parts)) < 3:
        return False
    fits = [
        any(p == w or (len(w) > 2 and (w in p or p in w)) or one_slip(p, w) for w in pieces)
        or p[0] in initials
        for p in parts
    ]
    if all(fits) or not any(fits):
        return False
    strange = parts[fits.index(False)]
    if strange in gazetteers.surnames():
        return len(pieces) > 2
    return len(pieces) > 1 and sex_of(strange) is not None
