"""Places beyond what rows tell: the parts of an address, and what the lists say of a place's name.

- The value of an address field, whatever it says: "Adresse : derrière la mosquée, case bleue".
- Postal codes and towns by their place: behind a street, in brackets after a capital name.
- One street of its parts on a line: "Résidence X, 6 allée des Pins", the flat before it, too.
- What the people of a town are called, which says the town.
- Looks at the names of places, of care and other, that rows ask for.

A new kind of street is a word of `places.yaml`; towns are the business of `detect.places`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names.first_or_last_name import LEANING
from dpdeid.detect.names.vocabulary import (
    ABBREVIATIONS,
    EVIDENCE,
    FIRST,
    FREQUENT,
    LAST,
    TRAITS,
    WORD,
    is_compound,
)
from dpdeid.detect.rules.context import line_before
from dpdeid.detect.rules.fragments import pattern
from dpdeid.detect.rules.word_trees import one_of
from dpdeid.document import Document, Span
from dpdeid.french import demonyms
from dpdeid.french.letters.abbreviations import LISTED
from dpdeid.french.measures import HEADS
from dpdeid.french.tables import words_by_key
from dpdeid.french.titles import TITLES
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.spans import Overlaps

_STREET: Final = Label.STREET
_JOINT: Final = re.compile(r" ?[,–-] ?| ")
_FLAT_BEFORE: Final = re.compile(
    r"(?<!\w)(?:(?:(?i:app(?:t|art|artement)?|apt|b[âa]t(?:iment)?|esc(?:alier)?|porte|logement|lgt|entr[ée]e|hall)"
    r"\.? ?(?:n° ?)?(?:\d{1,4}[A-Za-z]?|[A-Z]\d{0,3})\b|\d{1,2}(?:er|e|ème"
    r"|eme)(?: [ée]t(?:age)?\b\.?)?"
    r"(?: (?:gauche|droite|gche|dte))?|[Cc]ase \d{1,4})(?: ?[,–-] ?|\n(?=\d{1,4}))){1,4}\Z"
)
_REACH: Final = 60
_USUAL: Final = 4
"""Frequency from which a word of medicine is one of any street, "Place Centrale"."""
_MADE_FOR: Final = re.compile(
    r"(?i) à (?:l'|la )?(?:chaux|pain|pl[âa]tre|tuiles?|briques?|ban|verre|roues?|eau|vent|huile"
    r"|tan|papier|poudre|poulie|b[œo]e?ufs?|foulon|farine|bl[ée]|[âa]nes?|cailloux|vaches|sable|sel)\b"
)
"""What the thing is for that a street is called after: "rue du Four à Chaux"."""


def joined_streets(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """One span for streets that follow each other, and for a street with the flat before it."""
    text = doc.text
    last: Span | None = None
    for span in sorted((s for s in spans if s.label is _STREET), key=lambda s: (s.start, -s.end)):
        if last is not None and span.end <= last.end:
            continue
        start = span.start
        if last is not None and last.end <= start and _JOINT.fullmatch(text, last.end, start):
            start = last.start
        elif flat := _FLAT_BEFORE.search(text[max(0, start - _REACH) : start]):
            start -= len(flat[0])
        made_for = _MADE_FOR.match(text, span.end)
        stop = made_for.end() if made_for else span.end
        last = Span(start, stop, _STREET, span.score, "patterns/places.joined")
        if start < span.start or stop > span.end:
            yield last


_CALLED_AFTER: Final = frozenset(
    ("salade", "sauce", "bouvier", "cafe", "ecole", "methode", "classification", "score")
)
"""Before the demonym of a town: what is only called after it."""
_CARE: Final = frozenset(chain(*words_by_key("town_kinds").values())) | {"clinique", "maternite"}
"""Before one: a house of that town."""


def people_of_towns(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """What the people of a town are called: "un Brestois", "l'équipe lyonnaise".

    Rules, and not lists that second nobody: no tagger was taught that these words identify.
    """
    folded, overlaps, known = doc.tokens.folded, Overlaps(spans), demonyms.known()
    for at in (at for at, word in enumerate(folded) if word in known):
        before = folded[at - 1] if at else ""
        start, end = doc.tokens.starts[at], doc.tokens.ends[at]
        named = TRAITS[before] & FIRST and doc.tokens.texts[at - 1].istitle()
        if named or before in _CALLED_AFTER or before in TITLES:
            continue
        if before in _CARE:
            start = doc.tokens.starts[at - 1]
            yield Span(start, end, Label.HOSPITAL, 0.85, "patterns/places.people")
        elif not any(overlaps.over(start, end)):
            yield Span(start, end, Label.CITY, 0.85, "patterns/places.people")


_FIELD: Final = re.compile(
    r"(?i:\b(?:(?:adresse|adr)\.?(?: (?:actuelle|postale|du patient|patient|domicile|exacte))?"
    r"|(?P<home>domicile)|r[ée]sidence actuelle) {0,12}: {0,12})"
    r"|(?P<verb>(?i:\b(?:domicili[ée]e?s?|demeurant|r[ée]sidant|habitant)"
    r"(?: (?:actuellement|maintenant))?(?:,| au| [àa] l'adresse)?) "
    r"(?=\d|(?!(?:[AÀ]|AUX?|EN|DANS|CHEZ|AVEC|SEULE?)\b)[A-ZÀ-Þ]))"
)
_VALUE: Final = re.compile(r"[^\n;|<>@]{2,90}")
_NAMED: Final = re.compile(r"\d|[A-ZÀ-Þ][\w'.-]{0,24} (?:[a-z]{2,3} ){0,2}(?:\d|[A-ZÀ-Þ])")
_NEXT_FIELDS: Final = """
tél, téléphone, mob, gsm, port, né, née, nés, nées, nir, ipp, mail, email, code, digicode, repère,
depuis, chez, avec, qui, est, vit, seul, seule, marié, mariée, profession, portail, mme, mr, sexe,
école
"""
_ENDS: Final = re.compile(
    r" {2,}|\t|(?<=[a-zé)])\. |\.$| ?[([]| – | - | [àa] (?=[A-ZÀ-Þ]|\d{4,5}\b)|,? ?(?:F-|B-|L-"
    r"|CH-)?\b\d{4,5}\b"
    rf"|\b{one_of(_NEXT_FIELDS)}\b"
)
_LETTERS: Final = (
    "dresse", "DRESSE", "dr :", "DR :", "dr:", "DR:", "omicil", "OMICIL", "emeurant", "EMEURANT",
    "habitant ",
)  # fmt: skip
_BACK: Final = 12
_AHEAD: Final = 60
_EMPTY: Final = re.compile(
    r"(?:inconnue?|idem|sans|non|voir|cf|nc|neant|a preciser|hors|visite|fiche|retour|sdf|ccas|oui"
    r"|le |la |l'|ehpad|foyer|home|hopital|clinique|chu?\b|maison|c/o|age|stable|urgence|bloc"
    r"|autonom|aide|essay|hospital|date|heure|nom|prenom|avis|par |\W|lieu|ok|libre|scolaire)"
)
_CODE: Final = re.compile(r"\A(?:[A-Z]-|CH-)?\d{4,5}[ -]+")
"""A postal code before a town: "1015-Lausanne"."""
_LEAST: Final = 4
_INSIDE: Final = frozenset(
    (Label.STREET, Label.ROOM, Label.TIME, Label.LAST_NAME, Label.FIRST_NAME, Label.DATE)
)
"""What other rules may see in the name of a street."""


def address_fields(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The pieces of addresses that no other rule has found."""
    text, overlaps = doc.text, Overlaps(spans)
    for field in _fields(text):
        value = _VALUE.match(text, field.end())
        if value is None or (field["home"] and not _NAMED.match(value[0])):
            continue  # "Domicile : seule en maison"
        end = _ENDS.search(text, value.start() + 1, value.end())
        stop = end.start() if end else value.end()
        yield from _pieces(doc, overlaps, value.start(), stop, prose=bool(field["verb"]))


def _fields(text: str) -> Iterator[re.Match[str]]:
    """The fields and verbs, found by their letters: a search at every place costs more."""
    for letters in _LETTERS:
        at = text.find(letters)
        while at >= 0:
            field = _FIELD.search(text, max(0, at - _BACK), at + _AHEAD)
            if field is not None and field.start() <= at:
                yield field
            at = text.find(letters, at + len(letters))


def _pieces(doc: Document, spans: Overlaps, start: int, end: int, *, prose: bool) -> Iterator[Span]:
    """The address between two offsets, without the towns in it; prose may go on behind it."""
    first = last = -1
    for piece in re.finditer(r"[^,]+", doc.text[start:end]):
        inside = piece[0].strip()
        at = start + piece.start() + piece[0].index(inside) if inside else start
        known = {span.label for span in spans.over(at, at + len(inside))}
        name = _CODE.sub("", inside)
        town = not name[:1].isdigit() and bool(gazetteers.places_named(fold(name)))
        other = known - _INSIDE
        goes_on = inside[:1].islower() and not doc.text[first:last].isdigit()
        if prose and first >= 0 and goes_on and Label.STREET not in known:
            break
        if first < 0 and (_EMPTY.match(fold(inside)) or "?" in inside):
            return
        if not inside or town or other:
            if first >= 0:
                break
            if other - {Label.CITY}:
                return
            continue
        first = at if first < 0 else first
        last = at + len(inside)
    if last - first >= _LEAST and any(map(str.isalpha, doc.text[first:last])):
        yield Span(first, last, Label.STREET, 0.75, "patterns/places.field")


_AFTER_STREET: Final = r"""
    (?: ?(?i:bp|cs) ?\d{1,6})?[ \t,–|/>-]{0,60}(?:\n[ \t]{0,80})?(?:(?:CH|B|L|F)-)?
    (?P<ZIP>(?:<<FRENCH_ZIP>>|[1-9]\d{3}(?= {1,4}[<<UPPER>>])))\b(?![.,/]\d)
    (?: {1,4}| ?[-–] ?)?(?P<CITY>(?!(?i:cedex|tel|tél))<<TOWN>>)?"""
_ABOVE_CODE: Final = r"""
    (?:^|[\n,;:|–—(]|\s-|  )[ \t]{0,4}
    (?P<STREET>\d{1,4}(?: bis| ter)?,? [^\W\d_][^\d\n,;:|(–—]{2,40}[^\s\d\n,;:|(–—-]
    |(?i:manoir|ch[âa]teau|tour|chalet|villa|section|quartier|ferme|moulin|mas|immeuble|ker
    |r[ée]sidence|le clos|route) [^\d\n;:|(–—]{2,40}[^\s\d\n;:|(–—,-]
    |[<<UPPER>>][\w' -]{2,30} \d{1,3}[a-z]?(?=[\s,–-]+(?:CH-|B-|L-)?\d{4}$))
    [\s,–-]{1,60}(?:CH-|B-|L-)?\d{4,5}$"""
"""What stands right above or before a postal code, by its house number or the noun of a house."""
_BRACKETED: Final = r"\((?P<ZIP><<FRENCH_ZIP>>)\)"
_TOWN_BEFORE: Final = r"(?<!\w)(?P<CITY><<TOWN>>) ?$"


def towns_by_address(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The code and town behind a street; a code in brackets and the capital name before it."""
    for bracket in pattern(_BRACKETED).finditer(doc.text):
        yield Span(*bracket.span("ZIP"), Label.ZIP, 0.8, "patterns/places.bracket")
        start = max(0, bracket.start() - 60, doc.text.rfind("\n", 0, bracket.start()) + 1)
        if town := pattern(_TOWN_BEFORE).search(doc.text[start : bracket.start()]):
            first, last = town.span("CITY")
            yield Span(start + first, start + last, Label.CITY, 0.7, "patterns/places.bracket")
    streets = sorted({span.end for span in spans if span.label is Label.STREET})
    for code in [span for span in spans if span.label is Label.ZIP]:
        before = bisect_right(streets, code.start)
        if not before or code.start - streets[before - 1] > 60:
            begin = max(0, code.start - 110)
            if above := pattern(_ABOVE_CODE).search(doc.text[begin : code.end]):
                first, last = above.span("STREET")
                yield Span(begin + first, begin + last, Label.STREET, 0.7, "patterns/places.above")
    for behind in streets:
        if match := pattern(_AFTER_STREET).match(doc.text, behind):
            for label in (Label.ZIP, Label.CITY):
                start, end = match.span(label)
                if start < end:
                    yield Span(start, end, label, 0.9, "patterns/places.after_street")


_NO_BODIES: Final = LISTED - frozenset(words_by_key("abbreviations")["admin"])
_INSURER: Final = re.compile(r"(?i)mutu|assur|caiss|garant|syndic")
_SPECIALTY: Final = re.compile(r"(?:de |d')[a-zà-ÿ]{5,}")
_LOOSE_BODY: Final = re.compile(r"association|foyer|r[ée]seau", re.IGNORECASE)
_COMMON_HEAD: Final = re.compile(r"clinique|h[oô]pital|home|maternit")


def place_of_care(match: re.Match[str]) -> bool:
    """The noun heads no sentence, "CLINIQUE Souffle", no practice, and no medicine, "CHC HER2"."""
    return not (_is_heading(match[0]) or _is_practice(match[0]))


def _is_heading(text: str) -> bool:
    head, _, name = text.partition(" ")
    heads = name.istitle() and (head == "CLINIQUE" or fold(head) in ("clin", "clin."))
    word = fold(name) in gazetteers.words() and fold(name) not in gazetteers.surnames()
    return (heads and word) or (name.isupper() and fold(name) in ABBREVIATIONS)


def _is_practice(text: str) -> bool:
    """Whether a practice bears surnames: "cabinet Morvan-Le Dantec"."""
    head, _, names = text.partition(" ")
    if head not in ("cabinet", "Cabinet") or _SPECIALTY.match(names):
        return False
    return surnames(names, ("le", "la", "et"), r"[-/ ]")


def surnames(names: str, between: tuple[str, ...], joint: str) -> bool:
    """Whether the words are surnames, or in no list of words, and no town is called so."""
    parts = [fold(part) for part in re.split(joint, names)]
    known = gazetteers.surnames()
    return (
        not gazetteers.places_named(fold(names).replace("-", " "))
        and any(part in known for part in parts)
        and all(
            part in known or part in between or part not in gazetteers.words() for part in parts
        )
    )


def named_body(match: re.Match[str]) -> bool:
    """An association is one of people, not of drugs: its name is no ordinary word."""
    if not place_of_care(match):
        return False
    if not _LOOSE_BODY.match(match[0]):
        return True
    named = re.findall(r"[A-ZÀ-Þ]\w+", match[0].partition(" ")[2])
    return any(_may_name(fold(word)) for word in named)


def _may_name(word: str) -> bool:
    """Whether a folded word is none of French nor of medicine."""
    if word in gazetteers.words() or TRAITS[word] & WORD or gazetteers.medical().get(word):
        return False
    return word not in ABBREVIATIONS and not is_compound(word)


def employer(match: re.Match[str]) -> bool:
    """Whether somebody may work there or be insured: no disease, no abbreviation of medicine."""
    listed = frozenset[str]() if _INSURER.match(match[0]) or ":" in match[0] else _NO_BODIES
    words = map(fold, re.findall(r"[^\W\d_]+", match["ORGANIZATION"]))
    return not all(word in listed or EVIDENCE[word].medical for word in words)


def lower_case_place_of_care(match: re.Match[str]) -> bool:
    """A name in lower case is a place, or no ordinary word; any name does for an EHPAD."""
    last = fold(match[2])
    if line_before(match, 10).endswith(("chambre ", "ch ")) or last in ("service", "jour", "garde"):
        return False
    if last in ABBREVIATIONS:
        return False  # "taxi vsl"
    return match[0].startswith(("ehpad l", "ehpad be", "ehpad bon ")) or bool(
        last not in gazetteers.common_words()
        and (
            gazetteers.places_named(last) or (_may_name(last) and not _COMMON_HEAD.match(match[0]))
        )
    )


def named_after_somebody(match: re.Match[str]) -> bool:
    """A compound is somebody's name and no town: "Charles-Nicolle"."""
    first, _, rest = match["HOSPITAL"].partition("-")
    return bool(
        TRAITS[fold(first)] & FREQUENT
        and LEANING[fold(rest)] < 0
        and not gazetteers.places_named(fold(match["HOSPITAL"]).replace("-", " "))
    )


def shop_of_town(match: re.Match[str]) -> bool:
    """The shop is said to be in a town: "au leclerc de plouzané"."""
    return bool(gazetteers.places_named(fold(match[0].split()[-1]).removeprefix("d'")))


def no_french_word(match: re.Match[str]) -> bool:
    """No word of French stands before the number: "Terrain 2", "Parrain 3 fois"."""
    return fold(match[0]).split()[0] not in gazetteers.words()


_LANDFORM: Final = re.compile(r"piton|mont\b|cirque|étang|etang", re.IGNORECASE)
"""Nouns of nature that are no words of medicine."""


def spot(match: re.Match[str]) -> bool:
    """Whether a capital name behind the noun of a spot is a compound or no ordinary word."""
    name = fold(match["CITY"]).removeprefix("les ").removeprefix("la ").removeprefix("le ")
    return (
        re.search(r"\w-[A-ZÀ-ÖØ-Þ]", match["CITY"]) is not None
        or bool(gazetteers.places_named(name))
        or any(word not in gazetteers.words() for word in re.findall(r"\w{3,}", name))
    )


def landscape(match: re.Match[str]) -> bool:
    """Whether it is a landscape: no word of medicine, or no ordinary one behind "col"."""
    named = re.findall(r"\w{3,}", fold(match["CITY"]))[1:]
    if any(gazetteers.medical().get(word) for word in named):
        return False
    return _LANDFORM.match(match[0]) is not None or any(
        word not in gazetteers.words() for word in named if word not in ("des", "les")
    )


_BY_DOSE: Final = re.compile(
    r"\b(?:sondes?|drains?|redons?|kt|catheter|bougies?|lames?|pigtail|gastrostomie|gpe|jj)\b"
    r"[^.;,]{0,32}\Z"
)
"""What has a calibre: "sonde vésicale 16 CH"."""
_SHORT_WAY: Final = re.compile(r"\d{0,4} ?(?:av|bd|pl)\b")
"""What stands for "avant", "bord" and "plaie" as well."""
_SURE_WAY: Final = re.compile(r"\d{0,4} ?(?:rue|avenue|boulevard|quai|allee|chemin|square)\b")
_WAYS: Final = re.compile(r"\d{0,4} ?[a-z.]{1,10} +([a-z-]{3,})\Z")


def no_medicine(match: re.Match[str]) -> bool:
    """Whether a street is none of medicine, as "16 CH Foley" behind a tube, "av. Repas" and "PLACE
    MEOPA" are; a town is no measurement ("NTproBNP 14200 INR 3,9"), if it is not of that code.
    """
    found = match.groupdict()
    if (street := found.get("STREET")) is None:
        town = found.get("CITY")
        return town is None or fold(town).split()[0] not in HEADS or town_of_zip(match)
    written = fold(street)
    if re.match(r"\d{1,2} ch\b", written) and _BY_DOSE.search(line_before(match, 48)):
        return False
    if not (way := _WAYS.match(written)):
        return True
    bits = TRAITS[word := way[1]]
    if bits & (FIRST | LAST) or gazetteers.places_named(word):
        return word not in ABBREVIATIONS
    medical = gazetteers.medical().get(word) and EVIDENCE[word].frequency < _USUAL
    if (medical or word in ABBREVIATIONS) and not _SURE_WAY.match(written):
        return False
    return not (bits & WORD and _SHORT_WAY.match(written))


def town_of_zip(match: re.Match[str]) -> bool:
    """The code with a space inside is one of a town of that name."""
    town = fold(match["CITY"]).replace("-", " ").split()
    return any(
        fold(place.name).replace("-", " ").split()[:2] == town[:2]
        for place in gazetteers.places_with_zip(match["ZIP"].replace(" ", ""))
    )
