"""Numbers that stand for one person, stay, order, caregiver or thing.

Two ways lead to an identifier: a word before it (IPP, séjour, lot, RPPS), which also says its
label, or a form of its own (a NIR with its key, an AVS number, a plate, an IBAN). What is left of
long numbers and of codes is proposed last and with a low score (`grow`): an identifier nobody
foresaw leaks more than a masked code costs.

Which label "dossier", "n°" or "réf." stands for differs between hospitals; the words around decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Final

from dpdeid.detect.patterns import id_cues, id_forms, id_words, logins, social_security
from dpdeid.detect.patterns.codes import (
    CODE,
    DATE,
    FAR,
    GLUE,
    LINK,
    MARK,
    WORD,
    evident,
    likely,
    more,
    numbered,
    solid,
)
from dpdeid.detect.patterns.id_forms import after_caregiver
from dpdeid.detect.patterns.table import Row, Word, words
from dpdeid.document import Document, Span
from dpdeid.labels import Label

_PLATE: Final = (
    r"(?:[A-Z]{2}[ \-]?\d{3}[ \-]?[A-Z]{2}|\d{1,4}[ \-]?[A-Z]{2,3}[ \-]?(?:\d\d|2[AB]|97\d)"
    r"|[A-Z]{2}[ \-]?\d{1,3}[ .']?\d{3}|[1-9]-[A-Z]{3}-\d{3}|[A-Z]{3}[ \-]?\d{3}|[A-Z]{2} ?\d{4}"
    r"|\d{3} ?\d{3} ?NC|(?:F-[A-Z]{4}|HB-[A-Z]{3}|OO-[A-Z]{3}|LX-[A-Z]{3})"
    r"|[A-Z]\d{2,3}[ \-]?[A-Z]{3}|[A-Z]{2}\d [ ]?\d{4}|[A-Z]{3}\d [ ]?\d{3,4})(?![^\W_])"
)


def _by_word(
    name: str, label: Label, anchor: str, example: str, never: tuple[str, ...], *, sure: bool
) -> Row:
    return Row(
        f"id.{name}",
        words(anchor),
        rf"{WORD}{LINK}(?P<{label}>{CODE}){more(label)}",
        example,
        score=0.95 if sure else 0.92,
        check=evident if sure else likely,
        never=never,
    )


ROWS: Final[tuple[Row, ...]] = (
    *social_security.ROWS,
    *id_forms.ROWS,
    *logins.ROWS,
    *(_by_word(*entry, sure=True) for entry in id_words.SURE),
    *(_by_word(*entry, sure=False) for entry in id_words.LIKELY),
    *(
        Row(
            f"id.{name}",
            words(anchor),
            rf"{WORD}{FAR}(?P<{label}>{CODE})",
            example,
            score=0.8,
            check=solid,
            never=never,
        )
        for name, label, anchor, example, never in id_words.FAR_AWAY
    ),
    Row(
        "id.patient.far",
        words("ipp nip"),
        rf"{WORD}{FAR}(?P<PATIENT_ID>{CODE})",
        "IPP receveur ... «PATIENT_ID:CHT-190554»",
        score=0.94,
        check=numbered,
        never=("IPP double dose 8 semaines", "IPP pendant 28 jours", "IPP le soir 2019"),
    ),
    Row(
        "id.provider.far",
        words("rpps adeli finess inami"),
        rf"{WORD}{FAR}(?P<PROVIDER_ID>{CODE})",
        "N° FINESS établissement : «PROVIDER_ID:210987319»",
        score=0.9,
        check=solid,
        never=("FINESS non connu le 12/03/2020",),
    ),
    *(
        Row(
            f"id.dotted.{label.lower()}",
            words(anchor),
            rf"(?i:{dotted})\.?{LINK}(?P<{label}>{CODE})",
            example,
            score=0.95,
            check=evident,
        )
        for label, anchor, dotted, example in (
            (Label.PATIENT_ID, "i n", r"I\.P\.P|N\.I\.P", "I.P.P. : «PATIENT_ID:8001234567»"),
            (Label.VISIT_ID, "n i", r"N\.D\.A|I\.E\.P", "N.D.A. n° «VISIT_ID:8001234567»"),
            (Label.PROVIDER_ID, "r", r"R\.P\.P\.S", "R.P.P.S. «PROVIDER_ID:10101338846»"),
        )
    ),
    Row(
        "id.patient_and_visit",
        words("ipp nip"),
        rf"{WORD} ?[/|,] ?(?i:n° ?)?(?i:iep|nda|s[ée]jour){GLUE}"
        r"(?P<PATIENT_ID>[A-Z]?\d{4,12})[ /|,;\-]{1,4}(?P<VISIT_ID>[A-Z]?\d{4,14})(?![^\W_])",
        "| IPP / IEP | «PATIENT_ID:0700418822» / «VISIT_ID:230120077» |",
        score=0.97,
    ),
    Row(
        "id.provider_spaced",
        words("rpps adeli finess am"),
        rf"(?:AM|(?i:rpps|adeli|finess)){LINK}(?P<PROVIDER_ID>\d{{1,2}}[AB]?(?: ?\d){{7,9}})"
        r"(?![^\W_]| ?\d)",
        "ADELI «PROVIDER_ID:57 1 04412 8»",
        score=0.96,
    ),
    Row(
        "id.residence",
        words("carte titre certificat"),
        rf"{WORD} de (?i:s[ée]jour|r[ée]sident|r[ée]sidence)[^\d\n]{{0,12}}?{LINK}"
        rf"(?P<OTHER_ID>{CODE})",
        "Titre de séjour n° «OTHER_ID:9903217845».",
        score=0.95,
        check=likely,
        never=("carte de séjour 10 ans",),
    ),
    Row(
        "id.serial",
        Word(words("s n"), r"[/.][nNsS]"),
        rf"(?i:s/n|n/s|s\.n\.?){GLUE}(?P<OTHER_ID>{CODE})",
        "séquenceur s/n «OTHER_ID:NB552-118»",
        score=0.95,
        check=evident,
        never=("s'il a 12",),
    ),
    Row(
        "id.account",
        words("compte iban rib bancaire"),
        rf"{WORD}{LINK}"
        rf"(?P<OTHER_ID>[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{2,7}}(?: ?[A-Z0-9]{{1,3}})?)"
        r"(?![^\W_])",
        "compte «OTHER_ID:FR76 1130 6000 4417 2209 8841 075»). Retraits",
        score=0.97,
    ),
    Row(
        "id.after_exam",
        words(id_words.EXAMS),
        rf"{WORD}[^\n;]{{0,60}}?(?=[#№bBdDiInNrR])(?<![^\W_])"
        rf"(?i:{MARK}|dossier|r[ée]f|demande|bon){GLUE}"
        rf"(?P<ORDER_ID>{CODE}){more('ORDER_ID')}",
        "scanner normal ce jour (n° «ORDER_ID:TDM 4410 7720»).",
        score=0.93,
        check=numbered,
        never=("scanner au n° 12 de la rue",),
    ),
    Row(
        "id.office_file",
        words(id_words.OFFICES),
        rf"{WORD}[^\n;]{{0,45}}?(?<![^\W_])(?i:dossier|r[ée]f[ée]rence|r[ée]f)\b{LINK}"
        rf"(?P<OTHER_ID>{CODE})",
        "assurance MAIF, dossier «OTHER_ID:M210044718R».",
        score=0.94,
        check=likely,
        never=("police, dossier vu le 12/03/2020",),
    ),
    Row(
        "id.numbered",
        words("n no nos num numero numeros № #"),
        rf"(?<!&){MARK}(?: ?[A-Za-zéè]{{2,12}}(?= )){{0,2}}?{GLUE}"
        rf"(?P<OTHER_ID>{CODE}){more('OTHER_ID')}",
        "appareil posé n° «OTHER_ID:774 201 996» en février",
        score=0.6,
        check=numbered,
        never=("n° 12", "n° 3 bis", "numéro du 12/03/2020", "n'a pas 12", "&#8594; 64"),
    ),
    Row(
        "id.reference",
        words("ref reference"),
        rf"{WORD}{LINK}(?P<OTHER_ID>{CODE}){more('OTHER_ID')}",
        "office AI, réf. «OTHER_ID:AI-19-550128»",
        score=0.9,
        check=likely,
        never=("réf. 2019", "référence du 12/03/2020"),
    ),
    Row(
        "id.am",
        words("am ordre permis"),
        rf"(?:AM|(?i:ordre(?: des [a-zé\-]{{5,24}})?(?: sous le)?|permis)){GLUE}(?:{MARK}{GLUE})"
        rf"(?P<PROVIDER_ID>{CODE})",
        "inscrit à l'Ordre sous le n° «PROVIDER_ID:64/4417», certifie",
        check=numbered,
        score=0.93,
    ),
    Row(
        "id.order.laboratory",
        words("dossier dossiers"),
        rf"{WORD} (?:du |de )?(?i:labo(?:ratoire)?|anapath|imagerie|radio(?:logie)?)\b{LINK}"
        rf"(?P<ORDER_ID>{CODE})",
        "Dossier labo «ORDER_ID:250111-882»",
        check=likely,
        score=0.95,
        never=("dossier radio du 12/03/2020",),
    ),
    Row(
        "id.plate",
        words(
            "plaque plaques immat immatricule immatriculee immatriculation vehicule vehic voiture"
            " auto"
            " camion scooter moto vl corbillard fourgon utilitaire taxi trafic kangoo clio twingo"
            " golf"
            " peugeot renault citroen dacia toyota audi tracteur remorque avion helico helicoptere"
        ),
        rf"{WORD}[^\n;]{{0,30}}?(?<![^\W_])(?P<OTHER_ID>{_PLATE})",
        "véhicule immatriculé «OTHER_ID:VD 284 611» stationné",
        score=0.93,
        never=("plaque de 12 mm", "voiture en 2019"),
    ),
    Row(
        "id.matricule",
        words("matricule mat"),
        rf"{WORD}(?: [a-zé]{{4,12}})?{LINK}(?P<OTHER_ID>{CODE})",
        "matricule entreprise «OTHER_ID:D-5512»",
        score=0.93,
        check=likely,
        never=("mat 12", "matricule du 12/03/2020"),
    ),
    Row(
        "id.booking",
        words("ecrou pdl pce rae"),
        rf"{WORD}{LINK}(?P<OTHER_ID>\d(?: ?\d){{3,17}})(?![^\W_]|[.,/]\d)",
        "écrou «OTHER_ID:52 614», cellule",
        score=0.95,
    ),
    Row(
        "id.provider.signed",
        words("permis id code cachet agrement"),
        rf"{WORD}{LINK}(?P<PROVIDER_ID>{CODE})",
        "Dre Anna Vézina (permis «PROVIDER_ID:61408»)",
        score=0.96,
        check=lambda match: after_caregiver(match) and evident(match),
        never=("permis 61408", "Dr Vézina, code 12"),
    ),
    Row(
        "id.network_card",
        words("mac"),
        r"(?i:mac)(?i: address| adresse)?[ :=]{0,3}"
        r"(?P<OTHER_ID>[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5})\b",
        "MAC «OTHER_ID:4C:1B:86:2F:9D:0E», VLAN 12",
        score=0.97,
    ),
    Row(
        "id.position",
        words("gps coord coordonnees latitude lat geolocalisation position"),
        rf"{WORD}(?: GPS)?{GLUE}"
        r"(?P<OTHER_ID>-?\d{1,2}[.,]\d{3,7} ?[,;/ ] ?-?\d{1,3}[.,]\d{3,7})"
        r"(?!\d)",
        "Coord. GPS «OTHER_ID:47.8812, -3.9104», chemin",
        score=0.97,
        never=("position 12,5 / 13,5",),
    ),
    Row(
        "id.provider.permit",
        words("permis"),
        rf"\b(?i:permis)(?: d'exercice)?{LINK}(?P<PROVIDER_ID>\d\d ?-?\d{{3}})(?=[),;]|\s|$)",
        "Maude Charlebois MD (permis «PROVIDER_ID:81 224»), neurologue",
        score=0.96,
        never=("permis B 12 345", "permis 812 245", "permis 81 2245"),
    ),
    Row(
        "id.code",
        words("code digicode portail porte interphone"),
        rf"{WORD}(?: (?:portail|porte|(?:d')?entr[ée]e|immeuble|(?:d')?acc[èe]s|interphone))?"
        rf"(?: (?:c'est|est(?: le)?))?{LINK}"
        rf"(?P<OTHER_ID>\d{{2,5}}[A-Z]\d{{0,2}}|[A-Z]\d{{2,5}}[A-Z]?|\d{{4}}(?= ?(?:[,.;)]|$)))"
        r"(?![^\W_])",
        "code portail «OTHER_ID:38B2» puis",
        check=lambda match: not "1930" <= match["OTHER_ID"] <= "2039",
        score=0.94,
        never=("code CIM C50", "porte 12", "la porte est 12"),
    ),
)


_LEAST, _MOST = 3, 24
"""Digits in a row of a code."""
_AROUND: Final = re.compile(r"[A-Z\d./\-]{0,32}")
_PATHOLOGY: Final = re.compile(r"\d\d[A-Z]{1,2}\d{4,6}(?:-\d{1,2})?|\d\d-\d{5,6}")
_CODED: Final = re.compile(
    r"\d{8,20}|\d\d-\d{5,6}|[A-Z]{1,4}-\d\d-\d{2,6}|\d{2,6}(?:-\d{3,6}){2,3}|[A-Z]{2}-\d{3}-[A-Z]{2}|[1-9]-[A-Z]{3}-\d{3}"
    r"|(?![RLDA]\.?\d{3,4}-\d)(?=[A-Z\d\-/.]{0,16}\d{4})(?=[\d\-/.]{0,12}[A-Z])"
    r"[A-Z\d]{1,16}(?:[\-/.][A-Z\d]{1,16}){0,5}"
    r"|(?=(?:[A-Z]{0,8}\d){5})(?=(?:\d{0,8}[A-Z]){2})[A-Z\d]{8,16}"
)
_ELSE: Final = re.compile(
    r"\d+(?:UI|U|MG|ML|G|H|M|KG|MCG|MUI)|[A-Z]+-?(?:19|20)\d\d|[A-Z]{1,3}-\d{4,5}"
    r"|[A-Z]\d{4}[A-Z]?|NCT\d{8}|HL7\d{4}"
)
"""A dose, a name with a year, a postal code with its country, a diagnosis or mutation, a trial, a
table of HL7."""


_BIRTH: Final = Label.BIRTH_DATE
_BESIDE_BIRTH: Final = re.compile(
    r"[ \t|;*–/-]{1,24}(?:[MFH][ \t|;*–-]{1,12})?([A-Z]?\d{6,10})(?![^\W_]|[.,/ ]\d)"
)
"""The number in the column behind a birth date, which in a list is the patient's."""


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The code that holds a run of digits: capitals, digits and marks, no mark at its ends."""
    before = text[max(0, start - 32) : start]
    kept = _AROUND.match(before[::-1])
    start -= len(kept[0].rstrip("./-")) if kept else 0
    after = _AROUND.match(text, end)
    end += len(after[0].rstrip("./-")) if after else 0
    return start, end


def grow(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """Long numbers and codes that no row explains, with a low score; doubtful ones by their cue."""
    text, last = doc.text, 0
    found: list[Span] = []
    explained = bytearray(len(text))
    for span in spans:
        explained[span.start : span.end] = b"\x01" * (span.end - span.start)
    tokens = doc.tokens
    for index in compress(range(len(tokens)), map(str.isdecimal, tokens.texts)):
        start, end = tokens.starts[index], tokens.ends[index]
        if not _LEAST <= end - start <= _MOST or start < last or explained[start]:
            continue
        start, end = _word_around(text, start, end)
        last = end
        if end - start < 5 or text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
            continue
        code = text[start:end]
        if not _CODED.fullmatch(code) or DATE.fullmatch(code) or _ELSE.fullmatch(code):
            continue
        if text[max(0, start - 2) : start] == "&#" or _decimal(text, start, end):
            continue
        if explained.find(1, start, end) < 0:
            label = Label.ORDER_ID if _PATHOLOGY.fullmatch(code) else Label.OTHER_ID
            found.append(Span(start, end, label, 0.5, "patterns/id.unexplained"))
    found.extend(
        Span(*cell.span(1), Label.PATIENT_ID, 0.7, "patterns/id.beside_birth")
        for span in spans
        if span.label is _BIRTH and (cell := _BESIDE_BIRTH.match(text, span.end))
    )
    yield from found
    yield from id_cues.relabelled(doc, (*spans, *found))


def _decimal(text: str, start: int, end: int) -> bool:
    return (text[start - 1 : start] == "," and text[start - 2 : start - 1].isdigit()) or (
        text[end : end + 1] == "," and text[end + 1 : end + 2].isdigit()
    )
