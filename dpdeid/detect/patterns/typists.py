"""Initials of who dictated, typed, read or signed a note: "PYT/ml", "frappe : sl"."""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.evidence import EVIDENCE
from dpdeid.detect.patterns.table import Row, Word
from dpdeid.detect.units import View
from dpdeid.document import Span
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

_UNITS: Final = voc.words(
    "mg kg ml cl dl ui mn min ta fc fr sat od og hta avc sa ag ac l h j g mm cm cp gel ug mui"
    " pa km nl pg ng mmhg mcg ul pv rx ecg irm tdm eva iv im sc po vo hb plq gb na ph"
)


_REFERENCE: Final = voc.words("ref tel fax obj")
"""What follows "N/" and "V/" in the head of a letter."""


def _unworded(match: re.Match[str]) -> bool:
    """The initials are no ordinary word ("frappe en salle"), nor what a sign is of."""
    if match[0].casefold().startswith("signe"):
        return False
    return not any(voc.TRAITS[g.lower()] & (voc.WORD | voc.STOP) for g in match.groups() if g)


_SPELT: Final = 4
"""Letters of a name that is spelt out."""
_NEAR: Final = 40
_CALLED: Final = voc.words("m mr mme mlle monsieur madame dr docteur nom prenom patient patiente")
"""How far before letters their word may stand, and what calls a name that they spell."""
_SOME: Final = r"[A-Z]{2,4}(?![\w-]|\.\w)"


def _attending(match: re.Match[str]) -> bool:
    """Initials, not abbreviations: nothing that medicine or the dictionary knows."""
    said = [group.lower() for group in match.groups() if group]
    known = sum(1 for one in said if EVIDENCE[one].shorthand or voc.TRAITS[one] & voc.WORD)
    return 2 * known < len(said)


_LETTER: Final = r"(?!à)[^\W\d_]"
_DOUBLE: Final = r"(?:(?i:deux|double) )"
_SAID: Final = r"(?i: accent (?:aigu|grave|circonflexe)| tr[ée]ma| c[ée]dille)"
_MARK: Final = r"(?i:tiret|trait d'union|apostrophe|espace)"
_FIRST: Final = rf"({_LETTER})(?:{_SAID}|(?i: comme \2)\w{{1,12}})?"
_STEP: Final = (
    rf"(?:[ -]|, ?)(?:{_MARK}|{_DOUBLE}?({_LETTER})(?:{_SAID}|(?i: comme \3)\w{{1,12}})?)(?![\w'])"
)
_ASIDE: Final = re.compile(rf"(?i){_SAID}| comme \w+|{_MARK}|\W")
_TWICE: Final = re.compile(rf"(?i){_DOUBLE}({_LETTER})\b")


def _spelt(match: re.Match[str]) -> bool:
    """The letters spell a name, or a word of the note; an ordinary word ("R A P P O R T") must
    stand right before them, or a title.
    """
    word = fold(_ASIDE.sub("", _TWICE.sub(r"\1\1", match["LAST_NAME"])))
    if len(word) < _SPELT:
        return False
    if word in gazetteers.words():
        start = match.start()
        before = re.findall(r"\w+", fold(match.string[max(0, start - _NEAR) : start]))
        return word in before or not _CALLED.isdisjoint(before[-1:])
    return (
        word in gazetteers.surnames()
        or word in gazetteers.first_names()
        or re.search(rf"\b{word}\b", fold(match.string)) is not None
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "people.attending",
        voc.words("presents presentes participants participantes excuses excusees absents"),
        r"\w{7,13}(?: (?:au|à la|en) \w{3,10})? ?: ?"
        rf"(?P<LAST_NAME>{_SOME})"
        + "".join(rf"(?:(?: ?[,/;+-] ?| et | )(?P<LAST_NAME_{n}>{_SOME}))?" for n in range(2, 10)),
        "Présents au staff : «LAST_NAME:KDL», «LAST_NAME:VB» et «LAST_NAME:YRT». Excusé",
        score=0.9,
        check=_attending,
        never=("Participants : IDE, AS", "Présents : Drs Roux"),
        role=Role.STAFF,
    ),
    Row(
        "people.operator",
        voc.words("operateur operatrice manip manipulateur manipulatrice technicien technicienne"),
        r"\w{5,14} ?: ?(?P<LAST_NAME>[A-Z]{2,3}|[a-z]{2,3})(?=$|[.,;)]|[ \t]?\n|  )",
        "Opératrice : «LAST_NAME:ybr»  Taille 171",
        score=0.9,
        check=_unworded,
        never=("opérateur : non.", "manip : oui", "Technicien : seul"),
        role=Role.STAFF,
    ),
    Row(
        "people.spelt",
        Word(voc.words("a b c d e f g h i j k l m n o p q r s t u v w x y z"), r"[ -][^\W\d_]|,"),
        r"(?=.(?: accent| comme|[ ,-]{1,2}(?:\w\b|[dDtTaAeE][eoirps])))"
        r"(?<![\w'-])(?<!\W[^\W\d_][ -])(?<!deux |uble |aigu |rave |lexe |iret |ophe |pace )"
        rf"(?P<LAST_NAME>{_FIRST}(?:{_STEP}){{2,19}})(?![\w'-])",
        "madame «LAST_NAME:k e r l u b a c» comme kerlubac",
        score=0.9,
        check=_spelt,
        never=("grilles a b c d e", "hépatite A B C D", "grade B deux C à deux D", "R A P P O R T"),
    ),
    Row(
        "people.typist_named",
        voc.words(
            "frappe saisie dactylo dact tape lecture secretariat sec visa sign sig signature"
            " validation valide relu redige dicte vise controle approuve pp lu signe"
            " saisi dispense edite transcrit transcription"
        ),
        r"\w{2,13}\b(?: par| le \d[\d/]{2,9})?\.? ?:? ?"
        r"(?P<LAST_NAME>[A-Z]\.(?: ?[A-Z]\.){1,2}|[a-z]\.(?: ?[a-z]\.){1,2}|[A-Z]{2,3}|[a-z]{2,3}"
        r"|(?<=: )[a-z]{4})"
        r"(?=$|[.,;)]|[ \t]?\n|[ \t]{1,9}[-–/(;]|  )",
        "Frappe : «LAST_NAME:sl»",
        score=0.9,
        check=_unworded,
        never=(
            "frappé par la porte",
            "saisie de données",
            "dactylo : non",
            "relu le matin",
            "au secrétariat",
        ),
        role=Role.STAFF,
    ),
)


def typists(view: View, slash: int) -> list[Span]:
    """Initials of who dictated and who typed: "PYT/ml", "février 2023/ RMC / fgo"."""
    first, second = slash - 1, slash + 1
    if first < 0 or second >= view.size:
        return []
    dictated, typed = view.texts[first], view.texts[second]
    if not typed.isalpha() or len(typed) > 3 or (dictated.isdigit() and len(dictated) != 4):
        return []
    stop = second + 1
    ends = stop == view.size or view.gap(stop)[:2] in ("\n", "\r\n", "  ")
    ends = ends or "\n" in view.gap(stop) or view.texts[stop] in ".;)-"
    again = dictated.isdigit() and view.texts[stop : stop + 1] == ("/",)
    if not (ends or again) or "\n" in view.gap(second):
        return []
    if dictated.isdigit():
        dated = view.texts[first - 1] in "/.-" or view.texts[first - 1].isalpha()
        dated = dated and typed.lower() not in _UNITS and len(typed) > 1
        return [_initials(view, second)] if dated else []
    if view.folded[second] in _REFERENCE:
        return []
    opens = (
        first == 0
        or len(view.gap(first)) > 1
        or "\n" in view.gap(first)
        or view.texts[first - 1] in ":./-–)"
        or view.folded[first - 1] == "ref"
    )
    shapes = (dictated.isupper() and typed.islower()) or (dictated.islower() and typed.isupper())
    if not opens or not shapes or len(dictated) > 4 or dictated.lower() in _UNITS:
        return []
    if len(typed) < 2 or (len(dictated) < 3 and typed.lower() in _UNITS):
        return []
    return [_initials(view, first), _initials(view, second)]


def _initials(view: View, at: int) -> Span:
    return view.span(at, at + 1, Label.LAST_NAME, 0.9, "patterns/people", Role.STAFF)
