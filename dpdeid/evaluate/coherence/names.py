"""Names against names: two of one person, and families."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Person, Role
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.evaluate.coherence.reading.people import given_only
from dpdeid.evaluate.coherence.who import given_sex, opposite
from dpdeid.labels import Sex
from dpdeid.normalize import one_slip

_SUBJECT: Final = re.compile(
    r" ?,? ?(?:est|a|presente|vit|se|n'|souffre|consulte|beneficie|rentre|sort|"
    r"decrit|rapporte|prend|pourra|peut|reste|etait|avait|"
    r"signale|refuse|accepte|va|doit|quitte|revient|ira|sera|ne|dit|va|mange|tolere|"
    r"supporte|garde|repond|dort|marche)\b"
)
_CONCERNED: Final = re.compile(
    r"\b(?:j'ai (?:bien )?(?:vu|recu|examine|revu)|je (?:vois|revois|vous adresse|"
    r"recois)|vous adresse|adresse|chez|de|concernant|nous avons (?:recu|vu|"
    r"pris en charge)|"
    r"etat de|prise en charge de|remercie de|confier|suivi de|hospitalisation de)"
    r"(?: (?:ce jour|en consultation|votre patiente?))* $"
)


def same_family(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two surnames may be one: a part in common, or a slip of the pen."""
    parts = [p for word in one for p in re.split("[-']", word) if len(p) > 1]
    others = [p for word in other for p in re.split("[-']", word) if len(p) > 1]
    if not parts or not others:
        return True
    if "".join(parts) == "".join(others):
        return True
    return any(
        a == b or (len(a) > 3 and (one_slip(a, b) or a.startswith(b) or b.startswith(a)))
        for a in parts
        for b in others
    )


def two_names(note: Note) -> Iterator[Clash]:
    """Another surname, or another given name, for the patient of the header."""
    yield from _one_number(note)
    yield from _one_given(note)
    first = next((p for p in note.people if p.role is Role.PATIENT and p.family), None)
    if first is None:
        return
    own = (*first.family, *first.born, *first.given)
    patients = [p for p in note.people if p.role is Role.PATIENT and p.at != first.at]
    others = [
        p
        for p in note.people
        if p.at[0] > first.at[1] and p.title and p.role in (Role.OTHER, Role.PATIENT) and p.family
    ]
    others = [p for p in others if p.sex is not Sex.UNKNOWN]
    if len({p.family for p in others}) > 2:
        return  # a list of patients
    strange = [p for p in others if not same_family(p.family, own) and not _explained(note, p, own)]
    named_again = any(
        p.title and p.sex is not Sex.UNKNOWN and same_family(p.family, own) and p.family
        for p in note.people
        if p.at[0] > first.at[1]
    )
    sex = first.sex if first.sex is not Sex.UNKNOWN else given_sex(first) or Sex.UNKNOWN
    header = bool(re.search(r"(?:\n|^)[^\n]{0,60}$", note.flat[: first.at[0]]))
    if (
        strange
        and not named_again
        and header
        and first.role is Role.PATIENT
        and len("".join(first.family)) > 2
    ):
        for one in strange:
            if opposite(sex, one.sex) or not _is_subject(note, one):
                continue
            yield Kind.TWO_NAMES, first.at, one.at
            return
    yield from _two_given(note, first, patients, others)


def _is_subject(note: Note, one: Person) -> bool:
    before = note.flat[max(0, one.at[0] - 60) : one.at[0]]
    if re.search(
        (
            r"\b(?:dr|docteur|son|sa|par|avec|chez|voisine?|amie?|et|infirmiere?|aide|"
            r"tuteur|fils|fille|soeur|frere|lit|ch|chambre) ?[:,]? ?$|"
            r"\b(?:epou\w+|femme|mari|veu(?:f|ve)|mere|pere|fils|fille|soeur|frere|compagn\w+|amie?|"
            r"remplac\w+|societe|etude|cabinet|notaire|maitre) d(?:e |')$"
        ),
        before,
    ):
        return False
    return bool(_SUBJECT.match(note.flat, one.at[1]) or _CONCERNED.search(before))


def _explained(note: Note, one: Person, own: Sequence[str]) -> bool:
    """Whether the words behind a name say that it is the same person's ("Mme X, née Y")."""
    return bool(one.born) and same_family(one.born, own)


def _two_given(
    note: Note, first: Person, patients: Sequence[Person], others: Sequence[Person]
) -> Iterator[Clash]:
    """ "Patient : DURAND Paul … M. Pierre DURAND"."""
    if not first.given or not set(first.given) - set(first.family):
        return
    for one in (*others, *patients):
        if (
            not one.given
            or not set(one.given) - set(one.family)
            or not same_family(one.family, first.family)
        ):
            continue
        if one.kin or any(same_given(a, b) for a in one.given for b in first.given):
            continue
        if any(set(one.given) & set(p.given) for p in note.people if p.kin):
            continue
        sex = first.sex if first.sex is not Sex.UNKNOWN else given_sex(first)
        if sex is None or (
            one.sex is not sex and not (one.sex is Sex.UNKNOWN and given_sex(one) is sex)
        ):
            continue
        if _is_subject(note, one) or re.search(
            r"(?:patiente?|nom|concerne) ?: ?$", note.flat[max(0, one.at[0] - 12) : one.at[0]]
        ):
            yield Kind.TWO_NAMES, first.at, one.at
            return


def same_given(one: str, other: str) -> bool:
    """Whether two given names may be one: a part, an initial, a slip or a short form of it."""
    if one[:1] == other[:1] and (len(one) < 3 or len(other) < 3):
        return True
    short, long = sorted((one, other), key=len)
    return long.startswith(short[:3]) or short in long or one_slip(one, other)


_ID: Final = re.compile(
    r"\b(?:ipp|nir|niss|n° ?(?:patient|dossier|ss)|nip|iep|avs) ?[:|]? ?n?°? ?"
    r"(?P<n>\d[\d .-]{4,20}\d)"
)


_RENAMED: Final = re.compile(
    r"\b(?:nee(?! le\b| a\b| en\b| \d)|epouse|ep\.?|mariage|marital|d'usage|jeune fille|alias|dit|"
    r"usuel|veuve|divorc\w+|homonyme|jumeaux|jumelles?)\b"
)


def _one_given(note: Note) -> Iterator[Clash]:
    """Two surnames with the given name of the patient, in the title's sex: "Paul Durand", "Paul Lefort"."""
    first = note.patient()
    if first is None or _RENAMED.search(note.flat):
        return
    own = [w for w in first.given if w not in first.family and given_only(w)]
    for one in note.people:
        if one.role in (Role.STAFF, Role.RELATIVE) or one.at[0] <= first.at[1] or one.born:
            continue
        rest = tuple(w for w in one.words if w not in own)
        if len(rest) != 1 or rest == one.words or len(rest[0]) < 3 or opposite(one.sex, first.sex):
            continue
        if not same_family(rest, (*first.family, *first.words)) and set(one.words) & set(own):
            yield Kind.TWO_NAMES, first.at, one.at
            return


def _one_number(note: Note) -> Iterator[Clash]:
    """One number that stands beside two names."""
    seen: dict[str, Person] = {}
    for match in _ID.finditer(note.flat):
        number = re.sub(r"\D", "", match["n"])
        start, end = line_of(note.flat, match.start())
        named = [p for p in note.people if p.role is not Role.STAFF and not p.kin and p.family]
        near = [p for p in named if start <= p.at[0] < end]
        if not near:
            near = [p for p in named if p.at[1] <= start and note.flat.count("\n", p.at[1], start) < 3]
            near = near[-1:]
        if len(near) != 1:
            continue
        before = seen.setdefault(number, near[0])
        if not same_family(
            (*before.family, *before.given, *before.born),
            (*near[0].family, *near[0].given, *near[0].born),
        ):
            yield Kind.TWO_NAMES, before.at, near[0].at


_LOOSE_TIES: Final = re.compile(
    r"\b(?:beau-?|belle-?|adopt\w*|recompos\w*|accueil|placee?|ase|remarie\w*|"
    r"divorce\w*|separe\w*|premier mariage|premiere union|demi-|"
    r"reconn\w*|porte (?:comme )?(?:le |nom)|nom de sa mere|nom de (?:son|la) "
    r"(?:pere|mere)|tut\w+|foyer|biologique|pma|compagn\w+|concubin\w*|"
    r"marie|nee(?! le\b| a\b| en\b| \d| ?[:(])|epouse|ep|union|nom de la mere|nom maternel|matronyme|"
    r"double nom|heberge\w*|garde alternee|parrain|nouveau mari)\b"
)


_COUPLE: Final = re.compile(
    r"\b(?:parents|couple parental)[ ,:(]{0,3}(?:sont )?(?:m\.?|mr|monsieur) (?:et|&) ?$"
)
_COUPLE_BEHIND: Final = re.compile(r"(?:m\.?|mr|monsieur) (?:et|&) ?$")


def family_name(note: Note) -> Iterator[Clash]:
    """A child and its father with surnames that no other name explains."""
    relatives = {
        kin: [p for p in note.people if p.kin == kin and p.family]
        for kin in ("pere", "mere", "papa", "maman", "fils", "frere", "fille", "soeur")
    }
    fathers, mothers = (
        [*relatives["pere"], *relatives["papa"]],
        [*relatives["mere"], *relatives["maman"]],
    )
    for p in note.people:
        before, behind = note.flat[max(0, p.at[0] - 50) : p.at[0]], note.flat[p.at[1] : p.at[1] + 30]
        parents = re.match(r",? ?\(?(?:ses|les|leurs) parents|,? parents\b", behind)
        if p.title and (_COUPLE.search(before) or (parents and _COUPLE_BEHIND.search(before))):
            fathers.append(p)
    if _LOOSE_TIES.search(note.flat):
        return
    child = next(
        (p for p in note.people if p.role is Role.PATIENT and p.family and not p.born), None
    )
    if child is None:
        return
    sure = [w for w in child.family if w not in child.given or len(child.family) == 1]
    for father in fathers:
        if not _surname(father) or same_family(_surname(father), sure or child.family):
            continue
        if any(same_family(mother.family, child.family) for mother in mothers):
            continue
        if any(same_family(p.family, child.family) for p in fathers):
            continue
        married = child.title in ("mme", "madame")
        if not married:
            yield Kind.FAMILY_NAME, father.at, child.at
            return
    if mothers and not fathers and _is_child(note, child):
        return
    male = child.sex is Sex.MALE or given_sex(child) is Sex.MALE
    for son in (
        *relatives["fils"],
        *relatives["frere"],
        *(relatives["fille"] if _minor(note) else ()),
    ):
        if not male or not _surname(son) or same_family(_surname(son), child.family):
            continue
        if not any(same_family(son.family, p.family) for p in note.people if p.kin in _WOMEN):
            yield Kind.FAMILY_NAME, child.at, son.at
            return


_WOMEN: Final = ("epouse", "femme", "mere", "compagne")


def _surname(one: Person) -> tuple[str, ...]:
    """The surname of a person who is told with a title, or with more than a given name."""
    if one.title or len(one.words) > 1:
        return tuple(w for w in one.family if w not in one.given) or (
            one.family if one.title else ()
        )
    return ()


def _is_child(note: Note, one: Person) -> bool:
    return bool(
        re.search(r"\benfant|nourrisson|bebe", note.flat[max(0, one.at[0] - 30) : one.at[0]])
    )


def _minor(note: Note) -> bool:
    return bool(re.search(r"\b(?:ecole|scolarise|college|creche|ecoliere?)\b", note.flat))


def notes_of_one(notes: Sequence[Note]) -> Iterator[tuple[Note, Note, At, At]]:
    """Pairs of notes of one patient whose headers have two surnames that nothing joins."""
    headed = [(note, one) for note in notes if (one := note.patient()) is not None and one.family]
    for (note, one), (other, two) in itertools.pairwise(headed):
        families = (*one.family, *one.born), (*two.family, *two.born)
        turned = {*one.family} & {*two.given} or {*one.given} & {*two.family}
        if not same_family(*families) and not turned:
            yield note, other, one.at, two.at
