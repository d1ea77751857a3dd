"""Names against names: two of one person, initials, e-mail addresses and logins, families."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Person, Role
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.evaluate.coherence.reading.people import sex_of
from dpdeid.evaluate.coherence.who import given_sex, opposite
from dpdeid.labels import Sex
from dpdeid.normalize import one_slip

_SUBJECT: Final = re.compile(
    r" ?,? ?(?:est|a|presente|vit|se|n'|souffre|consulte|beneficie|rentre|sort|decrit|rapporte|prend|pourra|reste|etait|avait|"
    r"signale|refuse|accepte|va|doit|quitte|revient|ira|sera|ne|dit|va|mange|tolere|supporte|garde|repond|dort|marche)\b"
)
_CONCERNED: Final = re.compile(
    r"\b(?:j'ai (?:bien )?(?:vu|recu|examine|revu)|je (?:vois|revois|vous adresse|recois)|vous adresse|adresse|chez|de|concernant|nous avons (?:recu|vu|pris en charge)|"
    r"etat de|prise en charge de|remercie de|confier|suivi de|hospitalisation de)(?: (?:ce jour|en consultation|votre patiente?))* $"
)


def same_family(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two surnames may be one: a part in common, or a slip of the pen."""
    parts = [p for word in one for p in re.split("[-']", word) if len(p) > 1]
    others = [p for word in other for p in re.split("[-']", word) if len(p) > 1]
    if not parts or not others:
        return True
    if "".join(parts) == "".join(others):
        return True
    return any(a == b or len(a) > 3 and (one_slip(a, b) or a.startswith(b) or b.startswith(a)) for a in parts for b in others)


def two_names(note: Note) -> Iterator[Clash]:
    """Another surname, or another given name, for the patient of the header."""
    first = next((p for p in note.people if p.role is Role.PATIENT and p.family), None)
    if first is None:
        return
    own = (*first.family, *first.born, *first.given)
    patients = [p for p in note.people if p.role is Role.PATIENT and p.at != first.at]
    others = [p for p in note.people if p.at[0] > first.at[1] and p.title and p.role in (Role.OTHER, Role.PATIENT) and p.family]
    others = [p for p in others if p.sex is not Sex.UNKNOWN]
    if len({p.family for p in others}) > 2:
        return  # a list of patients
    strange = [p for p in others if not same_family(p.family, own) and not _explained(note, p, own)]
    named_again = any(
        p.title and p.sex is not Sex.UNKNOWN and same_family(p.family, own) and p.family for p in note.people if p.at[0] > first.at[1]
    )
    sex = first.sex if first.sex is not Sex.UNKNOWN else given_sex(first) or Sex.UNKNOWN
    header = bool(re.search(r"(?:\n|^)[^\n]{0,60}$", note.flat[: first.at[0]]))
    if strange and not named_again and header:
        for one in strange:
            if opposite(sex, one.sex) or not _is_subject(note, one):
                continue
            yield Kind.TWO_NAMES, first.at, one.at
            return
    yield from _two_given(note, first, patients, others)
    yield from _one_number(note)


def _is_subject(note: Note, one: Person) -> bool:
    before = note.flat[max(0, one.at[0] - 60) : one.at[0]]
    if re.search(r"\b(?:dr|docteur|son|sa|par|avec|chez|voisine?|amie?|et|infirmiere?|aide|tuteur|fils|fille|soeur|frere|lit|ch|chambre) ?[:,]? ?$", before):
        return False
    return bool(_SUBJECT.match(note.flat, one.at[1]) or _CONCERNED.search(before))


def _explained(note: Note, one: Person, own: Sequence[str]) -> bool:
    """Whether the words behind a name say that it is the same person's ("Mme X, née Y")."""
    return bool(one.born) and same_family(one.born, own)


def _two_given(note: Note, first: Person, patients: Sequence[Person], others: Sequence[Person]) -> Iterator[Clash]:
    """"Patient : DURAND Paul … M. Pierre DURAND"."""
    if not first.given or not set(first.given) - set(first.family):
        return
    for one in (*others, *patients):
        if not one.given or not set(one.given) - set(one.family) or not same_family(one.family, first.family):
            continue
        if one.kin or any(same_given(a, b) for a in one.given for b in first.given):
            continue
        if any(set(one.given) & set(p.given) for p in note.people if p.kin):
            continue
        sex = first.sex if first.sex is not Sex.UNKNOWN else given_sex(first)
        if sex is None or one.sex is not sex and not (one.sex is Sex.UNKNOWN and given_sex(one) is sex):
            continue
        if _is_subject(note, one) or re.search(r"(?:patiente?|nom|concerne) ?: ?$", note.flat[max(0, one.at[0] - 12) : one.at[0]]):
            yield Kind.TWO_NAMES, first.at, one.at
            return


def same_given(one: str, other: str) -> bool:
    """Whether two given names may be one: a part, an initial, a slip or a short form of it."""
    if one[:1] == other[:1] and (len(one) < 3 or len(other) < 3):
        return True
    short, long = sorted((one, other), key=len)
    return long.startswith(short[:3]) or short in long or one_slip(one, other)


_ID: Final = re.compile(r"\b(?:ipp|nir|niss|n° ?(?:patient|dossier|ss)|nip|iep|avs) ?[:|]? ?n?°? ?(?P<n>\d[\d .]{4,20}\d)")


def _one_number(note: Note) -> Iterator[Clash]:
    """One number that stands beside two names."""
    seen: dict[str, Person] = {}
    for match in _ID.finditer(note.flat):
        number = re.sub(r"\D", "", match["n"])
        start, end = line_of(note.flat, match.start())
        near = [p for p in note.people if start <= p.at[0] < end and p.role is not Role.STAFF and not p.kin and p.family]
        if len(near) != 1:
            continue
        before = seen.setdefault(number, near[0])
        if not same_family((*before.family, *before.given, *before.born), (*near[0].family, *near[0].given, *near[0].born)):
            yield Kind.TWO_NAMES, before.at, near[0].at


_INITIALS: Final = re.compile(
    r" ?(?:\(|/ ?|, |— ?|- |: ?|\bsigne ?:? ?|, (?:initiales|paraphe|visa) ?:? ?)(?:initiales ?:? ?|paraphe ?:? ?|visa ?:? ?|signe ?:? ?)?(?P<i>[A-Z](?:[.-]{0,2}[A-Z]){1,3}\.?)(?P<e>\)|(?![\w-]))"
)
_CUED: Final = re.compile(r"(?i:\b(?:initiales|paraphe|visa|signature|signé|signe))(?: (?:du (?:médecin|patient)|de la patiente))? ?:? ?(?P<i>[A-Z](?:[.-]{0,2}[A-Z]){1,3}\.?)(?![\w-])")
_NO_INITIALS: Final = frozenset(
    "CH CHU PH MT IDE IADE IBODE AS ASH MK SF MG CCA DES FFI PU PUPH MCU ARC TEC MD DR PR ORL OPH CMP HAD SSR USC USIC REA SAU URG UHCD HDJ HDS "
    "CR RDV TTT ATCD HTA BPCO IRM TDM ECG RX EFR PDS TA FC SAT AVP TC GCS RAS NB PS OK CS NP DM GO GYN PED PSY RH RHU CV SC IV IM PO "
    "FR BE LU VD GE VS NE JU ZH BS BL AG SG TI GR SO SZ TG UR ZG GL NW OW AI AR DIM EMG ENMG MPR SMR LBA ANP INF CHRU CHI CHR ID NIR MAR AR RPPS "
    "MEDECIN EHPAD SAMU SMUR CCMU DG DT TSA ETP ME MM FIV IDEL AMP DEA APA UF HC PC ES CPAM IK CCAM NGAP DTR ANES MIR DE ET OU LA LE DU".split()
)


def initials_name(note: Note) -> Iterator[Clash]:
    """Initials behind a name that are not those of it."""
    text = note.text
    for one in note.people:
        if len(one.words) < 2:
            continue
        match = _INITIALS.match(text, one.at[1])
        if match is not None and ("(" in match[0]) == (match["e"] == ")") and _differ(match["i"], one):
            if "(" in match[0] or re.search(r"(?i)init|paraphe|visa|sign", match[0]):
                yield Kind.INITIALS_NAME, one.at, match.span("i")
                continue
    for match in _CUED.finditer(text):
        near = [p for p in note.people if len(p.words) > 1 and _close(note, p.at, match.span())]
        staff = [p for p in near if p.role is Role.STAFF] or near
        if staff and all(_differ(match["i"], p) for p in staff):
            yield Kind.INITIALS_NAME, staff[-1].at, match.span("i")
    yield from _initialled(note)


def _close(note: Note, one: At, other: At) -> bool:
    between = note.flat[min(one[1], other[1]) : max(one[0], other[0])]
    return len(between) < 60 and between.count("\n") <= 1


def _differ(written: str, one: Person) -> bool:
    """Whether no order or choice of the name's initials gives what is written."""
    letters = re.sub(r"[^A-Z]", "", written)
    if letters in _NO_INITIALS or len(letters) > 3:
        return False
    parts = [p for w in (*one.words, *one.born) for p in re.split(r"[-' ]", w) if p]
    own = [p[0].upper() for p in parts]
    rest = list(own)
    for letter in letters:
        if letter not in rest:
            return True
        rest.remove(letter)
    return False


_ONE_LETTER: Final = re.compile(r"(?<![\w.])(?P<t>M\.|Mr|Mme|Mlle|Monsieur|Madame) (?P<l>[A-Z])(?:\.|(?= (?:est|a|se|présente|vit|n'|sera)\b))(?! ?[A-Z]\w)")


def _initialled(note: Note) -> Iterator[Clash]:
    """"Patient : DURAND Paul … M. L. est sorti"."""
    patient = note.patient()
    if patient is None or not patient.family:
        return
    own = {p[0] for w in (*patient.words, *patient.family, *patient.born) for p in re.split("[-' ]", w) if p}
    for match in _ONE_LETTER.finditer(note.text):
        female = match["t"] in ("Mme", "Mlle", "Madame")
        sex = patient.sex if patient.sex is not Sex.UNKNOWN else given_sex(patient)
        if opposite(Sex.FEMALE if female else Sex.MALE, sex) or match["l"].lower() in own:
            continue
        if match.start() > patient.at[1] and re.match(r"\.? (?:est|a|se|presente|vit|sera|n')", note.flat[match.end("l") : match.end("l") + 12]):
            yield Kind.INITIALS_NAME, patient.at, match.span()


_MAIL: Final = re.compile(r"(?<![\w.])(?P<l>[a-z0-9][a-z0-9._-]*[a-z0-9])@(?P<d>[a-z0-9.-]+\.[a-z]{2,})")
_LOGIN: Final = re.compile(r"\b(?:login|identifiant|compte|user|utilisateur|session|log)(?: (?:de connexion|utilisateur|informatique|windows))? ?[:=]? ?(?P<l>[a-z]{1,15}(?:[._-][a-z]{2,15}){0,2})(?!\w|[@'])(?= ?[),.;\n|]|$)")
_ROLES: Final = re.compile(
    r"secr|contact|accueil|info|service|cardio|urgence|chir|consult|pharma|labo|admin|direction|rdv|bureau|mail|planning|cabinet|"
    r"medecine|maternite|pediatr|neuro|onco|radio|imagerie|clinique|hopital|ehpad|standard|archives|dim|noreply|support|sante|"
    r"mairie|ecole|lycee|college|rh|compta|juge|greffe|tutelle|asso|infirm|ide\b|dr-?$|patient|famille|etude|cadre|unite|pole|coord|centre|greffe|usi|rea\b|bloc|had"
)
_NO_LOGIN: Final = frozenset("de du des et ou le la les est sont patient rendu mot email mail admin web twitter personnel externe".split())


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
    if re.fullmatch(r"[|*• -]*(?:courriel|e-?mail|mail|mel|adresse (?:mail|e-?mail|electronique)|login|identifiant|contact|tel[^a-z]*(?:mail|courriel)?)?[ :|]*", label) and above:
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
    return len(local) > 4 and (local[1:] in gazetteers.surnames() or local[:-1] in gazetteers.surnames())


def _not_of(local: str, owner: Person) -> bool:
    """Whether a local part names somebody, and not the owner."""
    words = [w for w in (*owner.words, *owner.born, *owner.family, *owner.given) if len(w) > 1]
    pieces = {p for w in words for p in re.split("[-' ]", w)} | {re.sub("[-' ]", "", w) for w in words}
    pieces |= {re.sub("[-' ]", "", "".join(owner.words)), "".join(owner.family)}
    bare = re.sub("[^a-z]", "", local)
    if any(len(p) > 2 and p in bare for p in pieces) and not _other_surname(local, pieces):
        return False
    parts = _parts(local)
    known = [p for p in parts if len(p) > 2 and (p in gazetteers.surnames() or sex_of(p) is not None)]
    if len(parts) >= 2 and known:
        return True
    if len(parts) == 1 and (_packed(local) or any(bare.startswith(n) and bare[len(n):] in gazetteers.surnames() for n in _starts(bare))):
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
    fits = [any(p == w or len(w) > 2 and (w in p or p in w) or one_slip(p, w) for w in pieces) for p in parts]
    if all(fits) or not any(fits):
        return False
    strange = parts[fits.index(False)]
    if sex_of(strange) is not None and fits[1 - parts.index(strange)] and strange not in gazetteers.surnames():
        return len(pieces) > 1
    return len(pieces) > 2 and (strange in gazetteers.surnames() or sex_of(strange) is not None)


_LOOSE_TIES: Final = re.compile(
    r"\b(?:beau-?|belle-?|adopt\w*|recompos\w*|accueil|placee?|ase|remarie\w*|divorce\w*|separe\w*|premier mariage|premiere union|demi-|"
    r"reconn\w*|porte (?:comme )?(?:le |nom)|nom de sa mere|nom de (?:son|la) (?:pere|mere)|tut\w+|foyer|biologique|pma|compagn\w+|concubin\w*|"
    r"marie|nee|epouse|ep|union)\b"
)


def family_name(note: Note) -> Iterator[Clash]:
    """A child and its father with surnames that no other name explains."""
    relatives = {kin: [p for p in note.people if p.kin == kin and p.family] for kin in ("pere", "mere", "papa", "maman", "fils", "frere", "fille", "soeur")}
    fathers, mothers = [*relatives["pere"], *relatives["papa"]], [*relatives["mere"], *relatives["maman"]]
    if _LOOSE_TIES.search(note.flat):
        return
    child = next((p for p in note.people if p.role is Role.PATIENT and p.family and not p.born), None)
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
    for son in (*relatives["fils"], *relatives["frere"], *(relatives["fille"] if _minor(note) else ())):
        if male and _surname(son) and not same_family(_surname(son), child.family):
            if not any(same_family(son.family, p.family) for p in note.people if p.kin in ("epouse", "femme", "mere", "compagne")):
                yield Kind.FAMILY_NAME, child.at, son.at
                return


def _surname(one: Person) -> tuple[str, ...]:
    """The surname of a person who is told with a title, or with more than a given name."""
    if one.title or len(one.words) > 1:
        return tuple(w for w in one.family if w not in one.given) or (one.family if one.title else ())
    return ()


def _is_child(note: Note, one: Person) -> bool:
    return bool(re.search(r"\benfant|nourrisson|bebe", note.flat[max(0, one.at[0] - 30) : one.at[0]]))


def _minor(note: Note) -> bool:
    return bool(re.search(r"\b(?:ecole|scolarise|college|creche|ecoliere?)\b", note.flat))


def notes_of_one(notes: Sequence[Note]) -> Iterator[tuple[Note, Note, At, At]]:
    """Pairs of notes of one patient whose headers have two surnames that nothing joins."""
    headed = [(note, one) for note in notes if (one := note.patient()) is not None and one.family]
    for (note, one), (other, two) in zip(headed, headed[1:], strict=False):
        names = (*one.family, *one.born, *one.given), (*two.family, *two.born, *two.given)
        if not same_family(*names):
            yield note, other, one.at, two.at


