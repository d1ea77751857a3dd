"""People of a note: names with titles, roles and kinship, and what is said of the patient's sex.

Names come as spans; a title with words that no span covers is read here as well, so that a name
which detection misses is still judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Span
from dpdeid.evaluate.coherence.facts import At, Person, Role
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.french.titles import CIVILITIES, DEGREES, KIN_SEX, PLURALS, TITLE_SEX
from dpdeid.labels import NAMES, Label, Sex
from dpdeid.normalize import fold

_TITLE: Final = "|".join(sorted(CIVILITIES | DEGREES - {"me", "doc", "pre"}, key=len, reverse=True))
_BEFORE: Final = re.compile(
    rf"(?<![\w'-])((?:{_TITLE}))(?:\.| )[ .]{{0,2}}(?:le |la )?(?:(?:dr|docteur|pr|"
    rf"professeur|interne)[. ]{{1,2}})?(?:\| ?)?$"
)
_TITLED: Final = re.compile(
    r"(?<![\w'’-])(?:M|Mr|MR|Mme|MME|Mlle|MLLE|Monsieur|Madame|Mademoiselle|"
    r"MONSIEUR|MADAME|Dr|DR|Docteur|Pr)(?:\.| )"
    r" ?(?P<n>[A-ZÀ-Ü][\w'’]+(?:-[A-ZÀ-Ü]\w+)*(?: (?:(?:de|du|le|la|DE|DU|LE|LA|van|"
    r"Van|VAN) )?[A-ZÀ-Ü][\w'’]+(?:-[A-ZÀ-Ü]\w+)*){0,2})"
)
_LOW: Final = re.compile(
    r"\b(?:m\.|mr|mme|mlle|dr|pr|idel?|ids|ibode|iade|asd?|ash|interne|externe|sf|kine|ado|pte?|"
    r"patiente?|papa|maman|mere|pere|mari|femme|epouse|fils|fille|frere|soeur|nuit|jour|enfant|bb|"
    r"infirmiere?|secretaire|signe|par|jeune|nom|aide-soignante?|conjointe?|compagne|compagnon|medecin)"
    r"(?: :)? (?P<n>[a-z][a-z'-]{2,20} [a-z][a-z'-]{2,20})(?![\w'-])"
)
"""Words before a name in small letters, which is believed if lists know both of its words."""
_GAP: Final = re.compile(
    r"[ \t]{0,2}(?:,[ ]?)?(?:-|[ ](?:de|du|des|le|la|d'|van|von|da|el|ben)[ ])?[ ]?|'"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PARTICLES: Final = frozenset(
    [
        "de",
        "du",
        "des",
        "le",
        "la",
        "van",
        "von",
        "der",
        "den",
        "da",
        "dos",
        "di",
        "el",
        "al",
        "ben",
        "ep",
        "nee",
        "epouse",
        "veuve",
        "dit",
        "d",
        "l",
    ]
)
_KIN: Final = "|".join(sorted(map(re.escape, KIN_SEX.keys() - {"patiente"}), key=len, reverse=True))
_KIN_BEFORE: Final = re.compile(
    rf"(?<![\w-])({_KIN})(?: (?:aine|ainee|cadet|cadette|unique|adoptif|adoptive|biologique))?"
    r"(?: ?[,:(]? ?(?:est |s'appelle |prenommee? |nommee? )?|, (?:le |la )?| \(?)$"
)
_STAFF: Final = re.compile(
    r"(?:\b(?:ide|ids|infirmiere?s?|interne|externe|secretaire|medecin"
    r"(?: traitant)?|chirurgien(?:ne)?|kine(?:sitherapeute)?|"
    r"sage-femme|sf|aide-soignante?|as|ash|assistante? sociale?|cadre(?: de sante)?|"
    r"anesthesiste|radiologue|pharmacien(?:ne)?|"
    r"operat(?:eur|rice)|psychologue|orthophoniste|dieteticien(?:ne)?|confrere|"
    r"consoeur|me|maitre|juge|avocat|redacteur|"
    r"redige par|signe(?: par)?|valide par|par|prescripteur|technicien(?:ne)?|mt|"
    r"manip\w*|gyneco\w*|cardiologue|aide|"
    r"psychiatre|oncologue|brancardier|ambulancier|ergo\w*|educat\w+|tuteur|tutrice|"
    r"curat\w+|mandataire|voisine?|amie?|temoin)"
    r"(?: (?:de garde|traitant|referente?|sociale|liberale?))? ?[:,(]? ?)$"
)
_PATIENT: Final = re.compile(
    r"(?:\b(?:patient(?:e|\(e\))?|concerne|concernant|objet|interesse[e]?|assuree?|"
    r"beneficiaire|identite|resident[e]?|"
    r"nom(?: et prenoms?)?|nom prenom|nom de l'enfant|nom du patient|nom de famille|"
    r"l'enfant|blesse[e]?|victime|nom complet|(?:le |la )?jeune|ado(?:lescente?)?|fillette|garconnet|"
    r"nourrisson|il s'agit de|identite complete|resume|porteur|titulaire|usager|client[e]?|pte?|"
    r"\bre|etiquette|enfant(?= ?:)|"
    r"(?<=\n)enfant|(?<=^)enfant|nourrisson|le petit|la petite|je vois|j'ai vu|"
    r"j'ai recu|j'ai examine|vous adresse|votre patiente?|ref|nous avons recu|"
    r"avons vu|concernant|au sujet de|"
    r"suivi de|dossier(?: de)?|sejour de|hospitalisation de|etat de sante de|"
    r"adresse|revois|examine)"
    r"(?: (?:ce jour|en consultation|aujourd'hui|aux urgences|votre patiente?|"
    r"l'enfant|le patient|la patiente))*"
    r" ?(?:[:|]|n°)? ?(?:de )?)$"
)
_BORN: Final = re.compile(
    r",? ?[( ]{0,2}(?:nom de naissance|ne(?:e|\(e\))?(?! le\b| en\b| a\b| \d)|"
    r"n\.?j\.?f\.?|ep(?:ouse|x)?\.?|vve|veuve|nom d'usage|nom de jeune fille)"
    r" ?:? ?(?P<n>[a-z][a-z' -]{1,30}[a-z])"
)
_BORN_FIELD: Final = re.compile(
    r"\b(?:nom de (?:naissance|jeune fille|famille)|nom d'usage|nom marital|nom usuel|"
    r"nee|epouse|nom) ?[:|]? {0,3}(?P<n>(?!(?:de|du|des|le|la|en|a|un|une)\b)[a-z][a-z'-]{1,25}(?: (?!ne\b|prenom|"
    r"nom\b)[a-z'-]{2,25})?)"
)


def people(text: str, flat: str, spans: Sequence[Span]) -> tuple[Person, ...]:
    """The people whose names stand in the text, in its order."""
    found = [_person(text, flat, at) for at in _stretches(text, flat, spans)]
    return tuple(one for one in found if one is not None)


def _stretches(text: str, flat: str, spans: Sequence[Span]) -> list[At]:
    """Where names stand: neighbouring spans are one, then titled words that none covers."""
    out: list[At] = []
    last, family_only = None, False
    for span in (s for s in spans if s.label in NAMES):
        gap = text[out[-1][1] : span.start] if out else ""
        joined = out and last and _GAP.fullmatch(flat[out[-1][1] : span.start]) and "\n" not in gap
        if joined and last and "," in gap and not (family_only and span.label is Label.FIRST_NAME):
            joined = False
        if joined:
            out[-1] = out[-1][0], span.end
            family_only = family_only and span.label is Label.LAST_NAME
        else:
            family_only = span.label is Label.LAST_NAME
            out.append((span.start, span.end))
        last = span
    held = bytearray(len(text))
    for start, end in out:
        held[start:end] = b"\1" * (end - start)
    for match in _LOW.finditer(flat):
        start, end = match.span("n")
        words = match["n"].split()
        if not any(held[start:end]) or (len(words) > 1 and not all(held[start:end])):
            listed = [sex_of(w) is not None for w in words]
            known = [one or w in gazetteers.surnames() for one, w in zip(listed, words, strict=True)]
            if len(words) == 2 and any(listed) and all(known) and text[start].islower():
                out = [at for at in out if at[1] <= start or end <= at[0]] + [(start, end)]
                held[start:end] = b"\1" * (end - start)
    others = [s for s in spans if s.label in (Label.CITY, Label.HOSPITAL, Label.ORGANIZATION)]
    for match in _TITLED.finditer(text):
        start, end = match.span("n")
        if not any(held[start:end]) and not any(s.start < end and start < s.end for s in others):
            out.append((start, end))
    return sorted(out)


def _person(text: str, flat: str, at: At) -> Person | None:
    start, end = at
    shown = [m[0] for m in _WORD.finditer(text[start:end])]
    words = [fold(word.replace("’", "'")) for word in shown]
    if not words:
        return None
    title, begin = "", start
    if match := _BEFORE.search(flat[max(0, start - 24) : start]):
        title, begin = match[1], start - len(match[0])
    if title in PLURALS:
        return None
    given, family = _split(shown, words)
    born: tuple[str, ...] = ()
    if match := _BORN.match(flat, end):
        born = tuple(match["n"].replace("-", " ").split()[:2])
    role, kin = _role(flat, begin, end, title)
    sex = TITLE_SEX.get(title, Sex.UNKNOWN)
    return Person((begin, end), title, sex, tuple(words), given, family, born, role, kin)


def _split(shown: Sequence[str], words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given names and surnames, by capitals ("DURAND Paul"), else by lists and order."""
    named = [(s, w) for s, w in zip(shown, words, strict=True) if w not in _PARTICLES]
    if len(named) == 1:
        word = named[0][1]
        return ((word,), ()) if given_only(word) else ((), (word,))
    upper = [w for s, w in named if s.isupper() and len(s) > 1]
    if upper and len(upper) < len(named):
        return tuple(w for _, w in named if w not in upper), tuple(upper)
    listed = [w for _, w in named if sex_of(w) is not None]
    sure = [w for w in listed if _leans(w)]
    if len(named) == 2 and len(listed) == 1 and _doubtful(listed[0], *(w for _, w in named)):
        return tuple(w for _, w in named), tuple(w for _, w in named)
    if len(sure) == 1 or (sure and len(sure) < len(named)):
        return tuple(sure), tuple(w for _, w in named if w not in sure)
    if len(listed) == len(named):
        return tuple(listed), tuple(listed)
    return tuple(listed), tuple(w for _, w in named if w not in listed)


def sex_of(word: str) -> Sex | None:
    """The sex of a folded first name, UNKNOWN if both bear it; None if it is in no list.

    A compound that is in no list has the sex of its first part, unless that is "marie".
    """
    names = gazetteers.first_names()
    if word in _EITHER:
        return Sex.UNKNOWN
    if word in names:
        return names[word]
    first, _, rest = word.partition("-")
    if first in _EITHER and rest == "marie":
        return Sex.UNKNOWN
    if rest and first in names and rest in names and first != "marie":
        return names[first]
    return None


def _leans(word: str) -> bool:
    """Whether a word is rather a first name than a surname."""
    return sex_of(word) is not None and (gazetteers.surnames().get(word, 10**6) or 0) > 1500


def _doubtful(listed: str, one: str, other: str) -> bool:
    """Whether of two words that of the lists may be the surname, beside a given name that is in none."""
    surnames = gazetteers.surnames()
    rest = other if listed == one else one
    return listed in surnames and rest not in surnames


def given_only(word: str) -> bool:
    """Whether a word alone behind a title is a first name: hardly anybody is called so."""
    rank = gazetteers.surnames().get(word)
    return (
        sex_of(word) in (Sex.FEMALE, Sex.MALE) and _frequent(word) and (rank is None or rank > 3500)
    )


def _frequent(word: str) -> bool:
    """Whether a first name is one of the 1,000 most frequent; they stand first in their list."""
    return word in _first()


@cache
def _first() -> frozenset[str]:
    return frozenset(islice(gazetteers.first_names(), 1000)) - _EITHER


_EITHER: Final = frozenset(
    {"desire", "aime", "noel", "prince", "valery", "ange", "felicite", "rose-may"}
)
"""First names that no list has for both sexes although without accents they are, or surnames."""


def _role(flat: str, begin: int, end: int, title: str) -> tuple[Role, str]:
    before = flat[max(0, begin - 50) : begin]
    line = before.rpartition("\n")[2]
    if match := _KIN_BEFORE.search(before):
        return Role.RELATIVE, match[1]
    if match := re.match(
        rf" ?(?:\( ?|, )(?:sa |son |leur )?({_KIN})(?=[),.;\n]| (?:du|de la) patient)",
        flat[end : end + 25],
    ):
        return Role.RELATIVE, match[1]
    if title in DEGREES or _STAFF.search(line):
        return Role.STAFF, ""
    if _PATIENT.search(before):
        return Role.PATIENT, ""
    behind = flat[end : end + 40]
    if re.match(r"[ ,(]{1,3}\d{1,3} ?(?:ans?|a|mois|m|semaines|jours)\b", behind):
        return Role.PATIENT, ""
    if re.match(
        r"[ ,;:|(-]{0,5}(?:ne(?:e|\(e\))? (?:le\b|en\b|a\b|\d)|ddn\b|date de naissance|n[eé]e? ?:)",
        behind,
    ):
        return Role.PATIENT, ""
    return Role.OTHER, ""


def with_patient(people: Sequence[Person], flat: str) -> tuple[Person, ...]:
    """The people with one who is the patient, where the text tells; each mention of the name too.

    "Nom : DURAND" and "Prénom : Paul" are one.
    """
    first = next(
        (one for one in people if one.role is Role.PATIENT and _is_bearer(flat, one)), None
    )
    if first is None:
        first = next((one for one in people if one.role is Role.PATIENT), None)
    if first is None:
        titled = [one for one in people if one.sex is not Sex.UNKNOWN and one.role is Role.OTHER]
        others = [one for one in people if one.role is Role.OTHER and one.words]
        if not titled or others[0] is not titled[0] or len({one.family for one in titled}) > 1:
            return tuple(people)
        first = titled[0]
    own = set(first.family) | set(first.born)
    given = set(first.given)
    start, end = max(0, first.at[0] - 200), first.at[1] + 250
    for match in _BORN_FIELD.finditer(flat, start, end):
        if match.start() < first.at[0] - 1 or _same_form(flat, first.at[1], match.start()):
            own |= set(match["n"].replace("-", " ").split()) - _PARTICLES
    for match in re.finditer(r"prenoms? ?[:|]? {0,3}([a-z][a-z-]+)", flat[start:end]):
        given.add(match[1])
    whole = replace(
        first,
        given=tuple(sorted(given)),
        family=tuple(sorted(own - given or own)),
        role=Role.PATIENT,
    )
    out = []
    for one in people:
        if one is first:
            out.append(whole)
        elif one.role is Role.OTHER and one.family and set(one.family) & own and not one.kin:
            clash = one.given and given and not set(one.given) & given
            sexes = {one.sex, first.sex} == {Sex.MALE, Sex.FEMALE}
            out.append(one if clash or sexes else replace(one, role=Role.PATIENT))
        else:
            out.append(one)
    return tuple(out)


def _is_bearer(flat: str, one: Person) -> bool:
    start, _end = line_of(flat, one.at[0])
    return bool(one.family) and not re.search(r"medecin|dr |docteur", flat[start : one.at[0]])


def _same_form(flat: str, one: int, other: int) -> bool:
    return flat.count("\n", min(one, other), max(one, other)) <= 3


_F, _M = Sex.FEMALE, Sex.MALE
_VERB: Final = (
    r"(?:est|a ete|etait|sera|fut|est reste|reste)(?: \w+ment| bien| donc| alors|"
    r" ensuite| deja| toujours| actuellement)?"
)
_SUBJECT: Final = (
    (
        _F,
        re.compile(
            r"\b(?:la|cette|votre|une) patiente\b|\bpatiente (?:de|agee|vue|hospit)|"
            r"\bla residente\b|\bl'interessee\b"
            r"|\bla parturiente\b|\bla defunte\b"
        ),
    ),
    (
        _M,
        re.compile(
            rf"\b(?:le|ce) (?:patient|resident) (?:{_VERB}|presente|vit|a |se |n'|decrit|"
            rf"rapporte|dit|souffre|fume|"
            r"travaille|habite|signale|consulte|prend|beneficie|connu|age\b|ne le|de \d|"
            r"refuse|accepte|declare|sort)"
            r"|\bpatient de \d{1,3} ?ans|\bpatient age\b|\bce patient\b|\bun patient de \d|"
            r"\bl'interesse\b(?!e)"
        ),
    ),
    (
        _F,
        re.compile(
            rf"\belle (?:{_VERB} (?:veuve|mariee|divorcee|retraitee|agee|hospitalisee|admise|"
            rf"operee|transferee|venue|"
            r"revenue|adressee|sortie|entree|nee|autonome|separee|orientee|decedee)|vit "
            r"(?:seule|avec|chez|en)|"
            r"habite|travaille|fume|se plaint|a accouche|signale|rapporte|mange|dort|boit|marche|"
            r"souhaite|accepte|demande|refuse)"
        ),
    ),
    (
        _M,
        re.compile(
            rf"\bil (?:{_VERB} (?:veuf|marie|divorce|retraite|age|hospitalise|admis|opere|"
            rf"transfere|venu|"
            r"revenu|adresse|sorti|entre|ne|autonome|separe|oriente|decede)\b|vit (?:seul|"
            r"avec|chez|en)|"
            r"habite|travaille|fume|se plaint|signale|rapporte|a bien |mange|dort|boit|marche|"
            r"souhaite|accepte|demande|refuse)"
        ),
    ),
    (
        _F,
        re.compile(
            r"\bsexe ?[:|]? ?(?:f\b|feminin)|\bcivilite ?[:|] ?(?:mme|madame|mlle)|"
            r"\bfemme de \d{1,3} ?ans|\bsexe feminin"
        ),
    ),
    (
        _M,
        re.compile(
            r"\bsexe ?[:|]? ?(?:m\b|h\b|masculin)|\bcivilite ?[:|] ?(?:m\.|m\b|mr|monsieur)|"
            r"\bhomme de \d{1,3} ?ans|\bsexe masculin"
        ),
    ),
)


def sexes(flat: str, people: Sequence[Person]) -> tuple[tuple[At, Sex], ...]:
    """What the text says of the patient's sex, in its order."""
    return tuple(sorted(_sexes(flat, people)))


def _sexes(flat: str, people: Sequence[Person]) -> Iterator[tuple[At, Sex]]:
    for sex, words in _SUBJECT:
        yield from ((match.span(), sex) for match in words.finditer(flat))
    for one in people:
        if one.role is not Role.PATIENT:
            continue
        if one.sex is not Sex.UNKNOWN:
            yield one.at, one.sex
        if match := re.match(
            r"[^.;\n]{0,25}?[ ,(|]{1,3}(nee?)(?= (?:le (?!:)|en|a|\d))",
            flat[one.at[1] : one.at[1] + 45],
        ):
            at = one.at[1] + match.start(1), one.at[1] + match.end(1)
            yield at, _F if match[1] == "nee" else _M
    for match in re.finditer(r"(?m)(?:^|[|\t]|  )[ ]{0,4}(nee?) (?:le|en) ?(:?) ?\d", flat):
        if match[1] == "nee" or not match[2]:  # "Né le :" stands in forms for all
            yield match.span(1), _F if match[1] == "nee" else _M
