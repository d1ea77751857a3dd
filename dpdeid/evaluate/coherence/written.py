"""Initials, e-mail addresses and logins against the names of their owners."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid import gazetteers
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Person, Role
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.evaluate.coherence.reading.people import sex_of
from dpdeid.evaluate.coherence.who import given_sex, opposite
from dpdeid.labels import Sex
from dpdeid.normalize import one_slip

_INITIALS: Final = re.compile(
    r"(?:, [a-zé -]{3,25}(?= \())? ?(?:\(|\[|/ ?|, |— ?|- |: ?|\bsigne ?:? ?|, "
    r"(?:initiales|paraphe|visa) ?:? ?)"
    r"(?:initiales ?:? ?|paraphe ?:? ?|visa ?:? ?|signe ?:? ?)?(?P<i>[A-Z]"
    r"(?:[.-]{0,2}[A-Z]){1,3}\.?)(?P<e>[)\]]|(?![\w-]))"
)
_CUED: Final = re.compile(
    r"(?i:\b(?:initiales|paraphe|visa|signature|signé|signe))(?: (?:du (?:médecin|"
    r"patient)|de la patiente))? ?:? ?(?P<i>[A-Z](?:[.-]{0,2}[A-Z]){1,3}\.?)"
    r"(?![\w-])"
)


@cache
def _no_initials() -> frozenset[str]:
    """Abbreviations of two or three capitals that stand behind names."""
    text = (files("dpdeid.evaluate.coherence") / "abbreviations.txt").read_text(encoding="utf-8")
    return frozenset(w for line in text.splitlines() if line[0] != "#" for w in line.split())


def initials_name(note: Note) -> Iterator[Clash]:
    """Initials behind a name that are not those of it."""
    text = note.text
    for one in note.people:
        if len(one.words) < 2:
            continue
        match = _INITIALS.match(text, one.at[1])
        if (
            match is not None
            and bool(re.search(r"[(\[]", match[0])) == bool(match["e"])
            and _differ(match["i"], one)
        ) and (re.search(r"[(\[]", match[0]) or re.search(r"(?i)init|paraphe|visa|sign", match[0])):
            yield Kind.INITIALS_NAME, one.at, match.span("i")
            continue
    for match in _CUED.finditer(text):
        near = [p for p in note.people if len(p.words) > 1 and _close(note, p.at, match.span())]
        staff = [p for p in near if p.role is Role.STAFF] or near
        if staff and all(_differ(match["i"], p, cued=True) for p in staff):
            yield Kind.INITIALS_NAME, staff[-1].at, match.span("i")
    yield from _initialled(note)


def _close(note: Note, one: At, other: At) -> bool:
    between = note.flat[min(one[1], other[1]) : max(one[0], other[0])]
    return len(between) < 60 and between.count("\n") <= 1


def _differ(written: str, one: Person, cued: bool = False) -> bool:
    """Whether no order or choice of the name's initials gives what is written."""
    letters = re.sub(r"[^A-Z]", "", written)
    if (letters in _no_initials() and not cued) or len(letters) > 3:
        return False
    parts = [p for w in (*one.words, *one.born) for p in re.split(r"[-' ]", w) if p]
    own = [p[0].upper() for p in parts]
    rest = list(own)
    for letter in letters:
        if letter not in rest:
            return True
        rest.remove(letter)
    return False


_ONE_LETTER: Final = re.compile(
    r"(?<![\w.])(?P<t>M\.|Mr|Mme|Mlle|Monsieur|Madame) (?P<l>[A-Z])(?:\.|(?= (?:est|"
    r"a|se|présente|vit|n'|sera)\b))(?! ?[A-Z]\w)"
)


def _initialled(note: Note) -> Iterator[Clash]:
    """ "Patient : DURAND Paul … M. L. est sorti"."""
    patient = note.patient()
    if patient is None or not patient.family:
        return
    own = {
        p[0]
        for w in (*patient.words, *patient.family, *patient.born)
        for p in re.split("[-' ]", w)
        if p
    }
    for match in _ONE_LETTER.finditer(note.text):
        female = match["t"] in ("Mme", "Mlle", "Madame")
        sex = patient.sex if patient.sex is not Sex.UNKNOWN else given_sex(patient)
        if opposite(Sex.FEMALE if female else Sex.MALE, sex) or match["l"].lower() in own:
            continue
        if match.start() > patient.at[1] and re.match(
            r"\.? (?:est|a|se|presente|vit|sera|n')",
            note.flat[match.end("l") : match.end("l") + 12],
        ):
            yield Kind.INITIALS_NAME, patient.at, match.span()


_MAIL: Final = re.compile(
    r"(?<![\w.])(?P<l>[a-z0-9][a-z0-9._-]*[a-z0-9])@(?P<d>[a-z0-9.-]+\.[a-z]{2,})"
)
_LOGIN: Final = re.compile(
    r"\b(?:login|identifiant|compte|user|utilisateur|session|log)(?: "
    r"(?:de connexion|utilisateur|informatique|windows))? ?[:=]? ?(?P<l>[a-z]{1,15}"
    r"(?:[._-][a-z]{2,15}){0,2})(?!\w|[@'])(?= ?[),.;\n|]|$)"
)
_ROLES: Final = re.compile(
    r"secr|contact|accueil|info|service|cardio|urgence|chir|consult|pharma|labo|"
    r"admin|direction|rdv|bureau|mail|planning|cabinet|"
    r"medecine|maternite|pediatr|neuro|onco|radio|imagerie|clinique|hopital|ehpad|"
    r"standard|archives|dim|noreply|support|sante|"
    r"mairie|ecole|lycee|college|rh|compta|juge|greffe|tutelle|asso|infirm|ide\b|"
    r"dr-?$|patient|famille|etude|cadre|unite|pole|coord|centre|greffe|usi|rea\b|"
    r"bloc|had"
)
_NO_LOGIN: Final = frozenset(
    [
        "de",
        "du",
        "des",
        "et",
        "ou",
        "le",
        "la",
        "les",
        "est",
        "sont",
        "patient",
        "rendu",
        "mot",
        "email",
        "mail",
        "admin",
        "web",
        "twitter",
        "personnel",
        "externe",
    ]
)


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
            if owner is not None and _not_of(local, owner):
                yield Kind.EMAIL_NAME, owner.at, match.span("l")


def _owner(note: Note, at: At) -> Person | None:
    """Whose an address is: the last name before it in its block, else the patient of a form."""
    start, end = line_of(note.flat, at[0])
    on_line = [p for p in note.people if start <= p.at[0] and p.at[1] <= at[0]]
    if on_line:
        return on_line[-1]
    behind = [p for p in note.people if at[1] <= p.at[0] < min(end, at[1] + 12)]
    if behind and note.flat[at[1] : behind[0].at[0]].strip() in ("(", "-", ","):
        return behind[0]
    label = note.flat[start : at[0]].strip(" <(:|")
    block = note.flat.rfind("\n\n", 0, at[0])
    above = [p for p in note.people if max(block, at[0] - 220) <= p.at[0] < start and p.words]
    if (
        re.fullmatch(
            (
                r"[|*• -]*(?:courriel|e-?mail|mail|mel|adresse (?:mail|e-?mail|electronique)|"
                r"login|identifiant|contact|tel[^a-z]*(?:mail|courriel)?)?[ :|]*"
            ),
            label,
        )
        and above
    ):
        signed = above[-1]
        owners = [p for p in above if p.role is Role.PATIENT]
        return owners[-1] if owners and signed.role is not Role.STAFF else signed
    return None


def _parts(local: str) -> list[str]:
    return [p for p in re.split(r"[._\d-]+", local) if p]


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
    pieces = {p for w in words for p in re.split("[-' ]", w)} | {
        re.sub("[-' ]", "", w) for w in words
    }
    pieces |= {re.sub("[-' ]", "", "".join(owner.words)), "".join(owner.family)}
    bare = re.sub("[^a-z]", "", local)
    if any(len(p) > 2 and p in bare for p in pieces) and not _other_surname(local, pieces):
        return False
    parts = _parts(local)
    known = [
        p for p in parts if len(p) > 2 and (p in gazetteers.surnames() or sex_of(p) is not None)
    ]
    if len(parts) >= 2 and known:
        return True
    if len(parts) == 1 and (
        _packed(local)
        or any(
            bare.startswith(n) and bare[len(n) :] in gazetteers.surnames() for n in _starts(bare)
        )
    ):
        return not any(len(p) > 2 and (p in bare or bare in p or p[:4] in bare) for p in pieces)
    return False


def _starts(bare: str) -> Iterator[str]:
    """The first names with which a word begins."""
    return (bare[:n] for n in range(3, len(bare) - 2) if sex_of(bare[:n]) is not None)


def _other_surname(local: str, pieces: set[str]) -> bool:
    """Whether of "paul.lefort" one is the owner's and the other is a name that is not."""
    parts = _parts(local)
    if len(parts) != 2 or min(map(len, parts)) < 3:
        return False
    fits = [
        any(p == w or (len(w) > 2 and (w in p or p in w)) or one_slip(p, w) for w in pieces)
        for p in parts
    ]
    if all(fits) or not any(fits):
        return False
    strange = parts[fits.index(False)]
    if (
        sex_of(strange) is not None
        and fits[1 - parts.index(strange)]
        and strange not in gazetteers.surnames()
    ):
        return len(pieces) > 1
    return len(pieces) > 2 and (strange in gazetteers.surnames() or sex_of(strange) is not None)
