"""Initials, e-mail addresses and logins against the names of their owners."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid import gazetteers
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Person, Role
from dpdeid.evaluate.coherence.reading.flat import flat, line_of
from dpdeid.evaluate.coherence.reading.people import sex_of
from dpdeid.evaluate.coherence.who import given_sex, opposite
from dpdeid.french.titles import TITLE_SEX
from dpdeid.normalize import fold, one_slip

_PAIR: Final = (
    r"[A-ZÀ-Ü](?:(?:\.[ -]?|-)[A-ZÀ-Ü]){1,3}\.?|[a-z]\.(?:[ -]?[a-z]\.){1,2}|[A-ZÀ-Ü]\.|[A-Z]{2,3}"
)
_BRACKET: Final = re.compile(
    rf"(?:, [a-zé -]{{3,25}}(?= [(\[]))?[ ,;\n]{{0,3}}[(\[/](?P<c>[^()\[\]\n]{{0,25}}?[ :])?(?P<i>{_PAIR})"
    r"(?P<m>[ ,;/-][^()\[\]\n]{0,50})?[)\]/]"
)
_CUED: Final = re.compile(
    r"(?i:\b(?P<c>initiales?|paraphe|paraphé|visa|visé|signature|signée?|sign\.|sig\.|trigramme|désignée?|désignation|"
    r"codée?|nommée?|anonymisée?|abrégée?|identifiée?|mentionnée?|réf(?:érences?)?\.?|dictée?|rédigée?|"
    r"saisie?|tapée?|validée?|relue?|auteur))(?:\(s\))?"
    r"(?P<w>(?: ?[(,]? ?(?:du|de la|de|des|par|le|la|l'|sous|les|initiales|médecin|patiente?|opérateur|interne|"
    r"infirmière?|ide|ici|dans|étude|essai|comme|ainsi|secrétaire|chirurgien|rédacteur|apposée?s?|"
    r"ci-dessous|dr|docteur|m\.|mme|monsieur|madame)\)?){0,5})"
    rf" ?[:|(«\"]? ?\(?(?P<i>{_PAIR})(?![\w'’-])(?!\.? ?[A-ZÀ-Ü][a-zà-ü])"
)
_SIGNS: Final = re.compile(
    r"initial|paraphe|visa|sign|medecin|\bide|interne|infirmi|secret|chirurg|redac|auteur|\bdr\b|as\b|sf\b|"
    r"sage|anesth|kine|pharm|operat|cadre|vu par|valid|saisi"
)
_OF_PATIENT: Final = re.compile(r"patient|designe|code|anonym|abreg|nomme|identif|mention|essai|etude|initiales$")


@cache
def _no_initials() -> frozenset[str]:
    """Abbreviations of two or three capitals that stand behind names."""
    text = (files("dpdeid.evaluate.coherence") / "abbreviations.txt").read_text(encoding="utf-8")
    return frozenset(w for line in text.splitlines() if line[0] != "#" for w in line.split())


def initials_name(note: Note) -> Iterator[Clash]:
    """Initials that are not those of the name they stand for."""
    text, seen = note.text, set[int]()
    named = [p for p in note.people if sum(len(w) > 1 for w in p.words) > 1]
    for one in named:
        match = _BRACKET.match(text, one.at[1])
        if match is None:
            continue
        signs = _SIGNS.search(flat((match["c"] or "") + (match["m"] or "")))
        plain = len(match["i"]) < 3 and match["i"][1:] in ("", ".") or match["i"][0].islower()
        loose = match["c"] or match["m"] or "\n" in match[0][: match.start("i") - match.start()]
        if not signs and (plain or (loose and not re.fullmatch("[A-Z.]+", match["i"]))):
            continue
        if _differ(match["i"], one, cued=bool(signs)):
            seen.add(match.start("i"))
            yield Kind.INITIALS_NAME, one.at, match.span("i")
    for match in _CUED.finditer(text):
        if match.start("i") in seen or match["i"][1:] in ("", ".") and len(match["i"]) < 2:
            continue
        cue = flat(match["c"] + match["w"])
        own = [p for p in named if p.role is Role.PATIENT and not p.kin]
        own = own or [p for p in named if p.role is Role.OTHER and not p.kin][:1]
        staff = [p for p in named if _close(note, p.at, match.span())]
        staff = [p for p in staff if p.role is Role.STAFF] or staff
        signed = _SIGNS.search(cue) and not re.search("patient|designe|code|essai|etude", cue)
        if signed and not cue.startswith("initiale"):
            owners = staff
        elif _OF_PATIENT.search(cue) and not staff:
            owners = own
        else:
            owners = [*staff, *own] if cue.startswith("initiale") and "patient" not in cue else own
        if owners and all(_differ(match["i"], p, cued=True) for p in owners):
            yield Kind.INITIALS_NAME, owners[-1].at, match.span("i")
    yield from _initialled(note, named)


def _close(note: Note, one: At, other: At) -> bool:
    between = note.flat[min(one[1], other[1]) : max(one[0], other[0])]
    return len(between) < 80 and between.count("\n") <= 1


def _differ(written: str, one: Person, cued: bool = False) -> bool:
    """Whether no order or choice of the name's initials gives what is written."""
    letters = re.sub(r"[^A-Z]", "", flat(written).upper())
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
    r"(?<![\w.])(?P<t>M\.|Mr|MR|Mme|MME|Mlle|Monsieur|Madame|mr|mme|m\.) (?P<l>[A-ZÀ-Ü](?:\.[ -]?[A-ZÀ-Ü])?|"
    r"[A-ZÀ-Ü]-[A-ZÀ-Ü]|[A-Z] [A-Z])(?:\.|(?= (?:est|a|se|présente|vit|n'|sera)\b))(?! ?[A-ZÀ-Ü][\w'])"
)


def _initialled(note: Note, named: Sequence[Person]) -> Iterator[Clash]:
    """ "Patient : DURAND Paul … M. L. est sorti"."""
    own = [p for p in named if p.role is Role.PATIENT and not p.kin]
    if not own:
        own = [p for p in note.people if p.role is Role.PATIENT and p.family][:1]
    if not own:
        own = [p for p in named if p.role is Role.OTHER and p.title and not p.kin][:1]
    for match in _ONE_LETTER.finditer(note.text):
        sex = TITLE_SEX[fold(match["t"].strip("."))]
        before = note.flat[max(0, match.start() - 25) : match.start()]
        if _OTHERS.search(before):
            continue
        mine = [p for p in own if not opposite(sex, p.sex) and not opposite(sex, given_sex(p))]
        letters = re.sub(r"[^A-ZÀ-Ü]", "", match["l"])
        if not mine:
            continue
        told = len(letters) > 1 or re.match(
            r"\.?,? (?:est|a|se|presente|vit|sera|n'|ne|peut|doit|reste|sort|entre|rentre|va|dit|prend)\b",
            note.flat[match.end("l") : match.end("l") + 12],
        )
        if told and all(_differ(letters, p, cued=True) for p in mine):
            yield Kind.INITIALS_NAME, mine[0].at, match.span("l")
            return


_OTHERS: Final = re.compile(
    r"\b(?:epou\w+|femme|mari|mere|pere|fils|fille|soeur|frere|conjoint\w*|voisine?|amie?|compagn\w+|et|dr|"
    r"lit|chambre|ch|avec|par|chez)\b[^.;\n]{0,8}$"
)
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
            others = [p for p in note.people if p is not owner and len(p.words) > 1]
            if form is _MAIL and any(_parts(local) and _fully(local, p) for p in others):
                same = owner and "\n" not in note.flat[owner.at[1] : match.start()]
                owner = owner if same else None
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
    block = max(note.flat.rfind("\n\n", 0, at[0]), at[0] - 260)
    above = [p for p in note.people if block <= p.at[0] < start and p.words]
    if not above:
        return next((p for p in note.people if end <= p.at[0] < end + 60 and len(p.words) > 1), None)
    if patients := _MINE.search(note.flat[start:end]):
        wanted = Role.STAFF if patients["s"] else Role.PATIENT
        return next((p for p in above[::-1] if p.role is wanted), above[-1])
    owners = [p for p in above if p.role is Role.PATIENT]
    return owners[-1] if owners and above[-1].role is not Role.STAFF else above[-1]


_MINE: Final = re.compile(
    r"\b(?:du|de la|le|la|son|sa) (?:(?P<s>medecin|docteur|dr|interne|ide|infirmiere?|praticien|chirurgien|secretaire|"
    r"correspondant)|patiente?|interessee?|assuree?|resident)\b"
)


def _parts(local: str) -> list[str]:
    return [p for p in re.split(r"[._\d-]+", local) if p]


def _fully(local: str, one: Person) -> bool:
    """Whether a local part is made of the name of a person alone."""
    pieces = {p for w in (*one.words, *one.born) for p in re.split("[-' ]", w)}
    parts = _parts(local)
    return len(parts) > 1 and all(p in pieces or (len(p) == 1 and any(w[0] == p for w in pieces)) for p in parts)


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
