"""Dates, births, times and ages as the whole family finds them, in sentences of their own."""

from __future__ import annotations

import datetime as dt
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.detect.rules.dates import birth_dates
from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.spans import disjoint
from tests.detect.anywhere import plain, spans_lie_in_any_text
from tests.linear import LIMIT, Work, growth

TABLE = Table(rows("dates", "times"))
MARK = re.compile(r"«([A-Z_]+):([^»]*)»")
MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)


def spans(text: str, note_date: dt.date | None = None) -> list[Span]:
    doc = Document("line", text, note_date=note_date)
    found = TABLE.scan(doc)
    return [*found, *birth_dates(doc, tuple(found))]


def found(text: str, note_date: dt.date | None = None) -> list[tuple[str, str]]:
    """What the family finds in a line, durations apart, in order: (label, text)."""
    return [
        (str(s.label), text[s.start : s.end])
        for s in disjoint(spans(text, note_date))
        if s.label is not Label.DURATION
    ]


def durations(text: str) -> list[str]:
    spans = TABLE.scan(Document("line", text))
    return [text[s.start : s.end] for s in disjoint(spans) if s.label is Label.DURATION]


def check(line: str, note_date: dt.date | None = None) -> None:
    text = MARK.sub(lambda m: m[2], line)
    assert found(text, note_date) == [(m[1], m[2]) for m in MARK.finditer(line)]


@pytest.mark.parametrize(
    "line",
    [
        "Opérée le «DATE:07/11/2018» puis le «DATE:8.12.18» à Brest.",
        "Vue le «DATE:7 sep.», le «DATE:11 Sep 2019» et «DATE:sam. 3 sep» ; 2 SEP chez ses soeurs.",
        "Pose le «DATE:21#05#2016», dépose le «DATE:02_04_2022».",
        "Consultation du «DATE:3 / 04 / 2021».",
        "Courrier du «DATE:12/03/\n2019» bien reçu",
        "Erreur de frappe : le «DATE:31/02/2021» elle chute",
        "Bilan du «DATE:45/13/2021»",
        "Reçu «DATE:2021-05-03» par fax",
        "Tabac arrêté en «DATE:05/2014».",
        "Arthroscopie («DATE:09.2016»)",
        "En «DATE:2011», cholécystectomie ; «DATE:1998» : appendicectomie",
        "coloscopie («DATE:2007»)",
        "Ouvrier de «DATE:1967»-«DATE:1989»",
        "du «DATE:6» au «DATE:9 mai 2018»",
        "du «DATE:25» au «DATE:26/02»",
        "les «DATE:4», «DATE:5» et «DATE:6 juin»",
        "congé «DATE:17-21/08/2015» accordé",
        "«DATE:3-4.12.2020»",
        "cure du «DATE:06»-«DATE:14/10»",
        "«DATE:13/11» : PL normale",
        "revu le «DATE:9/2» en consultation",
        "retrait des fils le «DATE:18.06».",
        "tapé le «DATE:14».",
        "de garde la nuit du «DATE:23»",
        "opération prévue au «DATE:25» avec l'anesthésiste",
        "lot périmé «DATE:07/23»",
        "le «DATE:29/02/21» «TIME:10h05»",
        "RDV «DATE:01/12» «TIME:17h»",
        "vu en urgence le «DATE:O9/06»",
        "revoir «DATE:2» ou «DATE:9 octobre»",
        "opérée du genou en «DATE:98», reprise en «DATE:2004»",
        "attendu le «DATE:27» à «TIME:7h10»",
        "prise de sang le «DATE:21» au laboratoire",
    ],
)
def test_dates_in_digits(line: str) -> None:
    check(line)


@pytest.mark.parametrize(
    "line",
    [
        "Elle a chuté le «DATE:12 mars 2019» à domicile",
        "depuis le «DATE:1er août»",
        "entré le «DATE:17oct» («DATE:mardi»)",
        "COMPTE RENDU DU «DATE:3 FEVRIER 2020»",
        "scanner de «DATE:mars 2019», IRM en «DATE:décembre»",
        "TDM «DATE:aout 2020» stable",
        "bilan «DATE:sept. 2021», contrôle «DATE:14 nov.» à «TIME:9h»",
        "Intervention du «DATE:16-FEV-2011»",
        "Fait à Dole, le «DATE:23.IV.2014»",
        "Fait le «DATE:six décembre deux mille vingt et un» à Nice",
        "revue «DATE:mardi douze mars» par le médecin",
        "Le «DATE:lundi 4 mars 2019» au matin",
        "revient «DATE:vendredi 5» ou «DATE:samedi»",
        "dialyse les «DATE:mardis» et «DATE:jeudis»",
        "repas de «DATE:Noël», puis fêtes de «DATE:Pâques 2011»",
        "douleurs depuis la «DATE:Toussaint»",
        "chute le «DATE:lundi de Pentecôte»",
        "le «DATE:14 juillet»",
        "rechute à l'«DATE:été 2019»",
        "né en ville, opéré dans les «DATE:années 90»",
        "Date : «DATE:Fri, 7 Apr 2017» «TIME:09:52:16»",
        "Gesendet: «DATE:Montag, 9. Oktober 2017» «TIME:08:21»",
        "sortie «DATE:mer 12» si ok, «DATE:lun»-«DATE:mer»-«DATE:ven»",
        "«DATE:début avril», «DATE:fin mai 2020», «DATE:mi-juin»",
        "le «DATE:5 mai» «TIME:13h30»",
    ],
)
def test_dates_in_words(line: str) -> None:
    check(line)


@pytest.mark.parametrize(
    "line",
    [
        "TA 12/7, FC 80, sat 98%",
        "Tension à 13/8 couché, 11/6 debout.",
        "EVA 5/10, EN 7/10 au repos, MMSE 24/30, Apgar 9/10/10",
        "Hb 11.04 g/dL, CRP 3.4 mg/L, K 4.1, pH 7.08",
        "lésion de 11.04 mm, nodule de 1.1 cm",
        "lexomil 1/2 cp le soir, 3x/j, 24h/24, 7j/7",
        "acuité 10/10 à droite, AV 8/10",
        "hernie L4-L5, T2, M1, G2P1, stade 3",
        "terme 34SA + 3 jours, accouche à 38 SA",
        "FIGO 2018, recommandations ESC 2020, TNM 8e édition 2017, OMS 2016",
        "1/5342, diluée au 1/80, page 2/3",
        "tél 02 40 51 73 28 ou 06.12.05.21.33 ou +33 2 98 04 05 06",
        "AVS 756.1234.5678.97, IP 192.168.1.12",
        "PN 2010 g, 2000 UI, 1950 ml, 2000 kcal",
        "M. Dimanche, Mme Mars, Dr Avril et le Pr JUILLET",
        "le 15 est appelé : appeler le 15",
        "un comprimé le matin, 2 le soir, les 3 premiers jours",
        "échographie du 1er trimestre, déchirure du 1er degré, le 3ème doigt, le 5 FU",
        "en 45 minutes, depuis 48 heures, en 12 jours, vers 38,5",
        "les 2 jambes, les 4 membres, du 3 au 5 %",
        "a été 3 fois hospitalisée",
        "toutes les 6h, 4g/8h, pendant 48 h, après 48h, 5 h de sommeil, 2h par jour",
        "matin midi et soir, l'après-midi",
        "depuis 15 ans, il y a 3 mois, dans 2 ans, pendant 10 ans, tous les 5 ans",
        "10 ans de tabac, survie à 5 ans de 40 %",
        "contrôle à 6 mois, traitement pendant 3 mois, QSP 1 mois",
        "visite à 4 mois, appui à 7 semaines, radio à 45 jours, rechute à 11 mois",
        "À 3 mois de la transplantation, à 5 semaines d'une arthroplastie, fièvre à 9 jours",
        "péricardite à 2 mois, endocardite à 3 mois de la pose, varicelle, à revoir à 2 mois",
        "scanner à 2 ans, à 4 ans d'un pontage",
        "classé ACR 4A, curage 2A, bâtiment 3A",
        "fissure anale à 6h",
        "durée 1h30, temps d'ischémie 2 h 12",
    ],
)
def test_measures_scores_and_numbers_are_no_dates(line: str) -> None:
    assert found(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "examiné à «TIME:14h05» puis «TIME:9 h 20»",
        "départ «TIME:16:47», arrivée [«TIME:20:00»]",
        "à «TIME:11h», vers «TIME:17 heures», avant «TIME:8 h»",
        "de «TIME:13h25» à «TIME:16h»",
        "ORDONNANCE À «TIME:9 H 30»",
        "vers «TIME:vingt-deux heures»",
        "vomissement à «TIME:minuit»",
        "à jeun depuis «TIME:20h»",
        "levodopa à «TIME:7h», «TIME:11h», «TIME:15h»",
        "vue_«TIME:07_h_45»_bis, scan «TIME:16_h_02»",
        "| L «DATE:23/5» | M «DATE:24/5» |",
        "L. «DATE:3/11» M. «DATE:4/11» M. «DATE:5/11» J. «DATE:6/11»",
    ],
)
def test_times(line: str) -> None:
    check(line)


@pytest.mark.parametrize(
    "line",
    [
        "patiente de «AGE:63 ans», veuve",
        "M. Ferrand «AGE:79a» stable",
        "enfants de «AGE:3» et «AGE:5 ans»",
        "Petite fille de «AGE:4 ans et demi», frère de «AGE:18 mois»",
        "nourrisson de «AGE:3 mois» fébrile",
        "âgée de «AGE:treize mois»",
        "un homme de «AGE:soixante-trois ans»",
        "Âge : «AGE:45»",
        "elle avait «AGE:15 ans» quand sa mère est morte à «AGE:47 ans»",
        "garçon de «AGE:7 ans et 4 mois»",
        "convulsions à «AGE:16 mois» puis «AGE:3 ans», roséole à «AGE:9 mois»",
        "coqueluche grave à «AGE:5 semaines», ictère à «AGE:4 jours» de vie",
        "opéré à «AGE:12 jours» de vie, à «AGE:7 mois» : bronchiolite, BCG à «AGE:2 mois»",
        "fracture à «AGE:19 mois», en «DATE:mai 2015», rechute à 11 mois en «DATE:avril 2014»",
        "entrée en crèche à «AGE:5 mois», premiers signes à «AGE:14 mois»",
        "opérée à «AGE:9 ans» d'une appendicectomie",
        "femme de «AGE:septante ans»",
    ],
)
def test_ages(line: str) -> None:
    check(line)


@pytest.mark.parametrize(
    "line",
    [
        "née le «BIRTH_DATE:19/07/1951» à Brest",
        "NÉ LE : «BIRTH_DATE:11 FÉVRIER 1974»",
        "DDN «BIRTH_DATE:01.02.59»",
        "né(e) le «BIRTH_DATE:12-05-2001»",
        "née Delmotte le «BIRTH_DATE:17/6/1952», opérée le «DATE:3/4/2019»",
        "née à Lyon (69) le «BIRTH_DATE:4/5/1960»",
        "né à terme par césarienne le «BIRTH_DATE:5/02/2020»",
        "Date de naissance du patient : «BIRTH_DATE:7 mars 1988»",
        "Naissance le «BIRTH_DATE:14 octobre»",
        "né en «BIRTH_DATE:1938», arrivé en France en «DATE:1960»",
        "des jumeaux nés en «BIRTH_DATE:2009» et «BIRTH_DATE:2013»",
        "DUPONT Jean, M, «BIRTH_DATE:12/05/1961»",
        "naissance : «BIRTH_DATE:Noël 1953»",
        "née le «BIRTH_DATE:12/05/1961». Rappel : «BIRTH_DATE:12.05.61».",
        "patient né «BIRTH_DATE:14081947»",
        "3 enfants : Paul («BIRTH_DATE:2005»), Lise («BIRTH_DATE:2008»)",
        "Naissance d'une fille le «BIRTH_DATE:03/05/2021» à «TIME:14h02»",
        "accouchée le «DATE:03/05/2021» d'un garçon",
        "Anna Rossi (* «BIRTH_DATE:12.03.1956»)",
        "ROSSI Anna °«BIRTH_DATE:12.03.1956», Namur",
        "T° 38,2 le «DATE:12.03.2021»",
        "née Bianchi, vue le «DATE:12/03/2021»",
    ],
)
def test_births(line: str) -> None:
    check(line, dt.date(2022, 6, 1))


def test_an_age_that_fits_makes_the_date_beside_it_a_birth() -> None:
    now = dt.date(2021, 10, 3)
    check("Sabine V. («BIRTH_DATE:21/05/1936», «AGE:85 ans») revue", now)
    check("Sabine V., «AGE:85 ans», «BIRTH_DATE:21/05/36», revue", now)
    check("Sabine V., «AGE:40 ans», «DATE:21/05/2019», revue", now)
    check("Sabine, «AGE:41 ans» bientôt fêtés ! («BIRTH_DATE:21 mai 1980» dit-elle)", now)
    check("Sabine, «AGE:40 ans», opérée du genou («DATE:21 mai 1998» à Brest)", now)


def test_an_old_date_after_a_name_is_a_birth_but_not_after_a_caregiver() -> None:
    now = dt.date(2021, 10, 3)
    check("Concerne : Monsieur MARTIN Jean, «BIRTH_DATE:28.05.1954», rue Basse", now)
    check("Concerne : Monsieur MARTIN Jean, «DATE:28.05.2021», rue Basse", now)
    check("Dr Jean Martin, «DATE:28.05.1999»", now)
    check("Opérée à la clinique Sainte Anne, «DATE:28.05.1999»", now)


def test_relative_time_is_a_duration() -> None:
    assert durations("toux depuis 3 jours, chute il y a 15 ans, revoir dans 2 mois, à J+3") == [
        "depuis 3 jours",
        "il y a 15 ans",
        "dans 2 mois",
        "J+3",
    ]
    assert durations("depuis 2014, depuis 17h, dans le service") == []


DAYS = st.dates(dt.date(1900, 1, 1), dt.date(2049, 12, 31))


@settings(deadline=None, max_examples=60)
@given(
    DAYS, st.sampled_from("/.-#_"), st.booleans(), st.sampled_from(["vu le ", "Le ", "du ", "("])
)
def test_every_full_date_is_found_whole(day: dt.date, mark: str, pad: bool, cue: str) -> None:
    d, m = (f"{day.day:02}", f"{day.month:02}") if pad else (str(day.day), str(day.month))
    written = f"{d}{mark}{m}{mark}{day.year}"
    assert found(f"{cue}{written} au bloc.") == [("DATE", written)]


@settings(deadline=None, max_examples=60)
@given(DAYS, st.sampled_from([str, str.upper, str.title]), st.booleans())
def test_every_written_date_is_found_whole(day: dt.date, case: type[str], accents: bool) -> None:
    month = MONTHS[day.month - 1]
    if not accents:
        month = month.replace("é", "e").replace("û", "u")
    written = f"{day.day} {case(month)} {day.year}"
    assert found(f"vue le {written} au bloc.") == [("DATE", written)]


def test_spans_lie_inside_any_text() -> None:
    spans_lie_in_any_text(spans, plain(rows("dates", "times")), string.digits + "/.-: hnéamj\n")


HOSTILE = (
    "1/",
    "12/03/",
    "1.",
    "01-",
    "1 ",
    "né le ",
    "née A ",
    "naissance ",
    "lundi ",
    "mars ",
    "12 mars ",
    "vingt ",
    "vingt et ",
    "2020 ",
    "le 3, ",
    "du 3 au ",
    "à 1h",
    "12:",
    "3 ans ",
    "3, ",
    "depuis ",
    "dans un ",
    "J+",
    "é",
    " ",
    "\n",
    "(",
    "Jean MARTIN, 12/03/1960 ",
    "temps ",
    "12 mars 1960, 3 ans ",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_is_linear_in_the_length(piece: str) -> None:
    def work(size: int) -> Work:
        doc = Document("hostile", (piece * (size // len(piece) + 1))[:size])
        assert len(doc.tokens) <= size
        return lambda: list(birth_dates(doc, tuple(TABLE.scan(doc))))

    assert growth(work) <= LIMIT
