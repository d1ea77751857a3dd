"""Rows and grids of measurements identify nobody; what stands beside them may."""

from __future__ import annotations

from functools import partial

import pytest

from dpdeid.detect.grids import days, grids
from dpdeid.detect.measurements import measured
from dpdeid.document import Document
from tests.linear import LIMIT, growth

VITAL = "TA 128/76 131/82 119/70\nFC 78 82 91\nSpO2 97 96 95"
ROWS = {
    "vital signs": (VITAL, "128 76 82 91 95"),
    "one line": ("Na 139 K 4,1 Cl 102 CRP 23", "139 4 102 23"),
    "units": ("FC 78 bpm, TA 128/76 mmHg, SpO2 97 %", "78 128 97"),
    "a named value": ("Poids 72,5 kg", "72"),
    "columns": ("FC;TA;SpO2\n78;128/76;97\n82;131/82;96", "78 131 96"),
    "strange names in columns": (
        "CRP      | 182 | 140 | 76\nZorblémie | 12,4 | 8,8 | 2,1",
        "182 8",
    ),
    "steps": ("        H0  H2  H4\nFC      78  82  91", "78 91"),
    "quoted": ('"CRP";"182";"140";"76"\n"Zorb";"12";"8";"2"', "182 8"),
    "audiogram": ("Hz   250  500  1000  2000  4000\nOD   15   20   25    40    55", "2000 55"),
    "a result in a sentence": (
        "On trouve des plaquettes à 120 000/mm3, un fer à 3 pg/ml (14-72) et 160850 mUI/L.",
        "120 000 3 14 72 160850",
    ),
    "copies in a sentence": ("La charge virale était de 1000000 copies/ml ce jour.", "1000000"),
    "doses in a sentence": ("Irradiée de 70 Gy, puis une aiguille de 25 gauge.", "70 Gy 25"),
    "limits": (
        "La vitamine B1 était basse (N = 67-200), LH normale (VN: 4.04-15.20).",
        "67 200 15",
    ),
    "hours of doses": (
        "Médicament    | 08h | 12h | 18h | 22h |\nAmlodipine 5  |  1  |     |     |",
        "08 12 18 22",
    ),
    "hours of a day and a night": ("|08|10|12|14|16|18|20|22|00|02|04|06|", "08 22 00 06"),
    "columns that are called so": (
        "N° don\tProduit\tVolume\tTA av/ap\tT° av/ap\tPoseur\n"
        "53124 877\tCGR\t284\t110/61-118/64\t36.8/37.0\tQ. Roy",
        "110 61 118 64 36 37",
    ),
    "articles of laws": (
        "Soins selon l'art. L. 3212-1 et L. 3213-1 du CSP, article R4127-35, loi n° 2002-303.",
        "3212 3213 4127 2002 303",
    ),
    "calls for help": (
        "Appel du 15 par la voisine, puis régulation 15. Transport par le 18, appelle le 112.",
        "15 18 112",
    ),
    "values as long as years": (
        "Troponine 2011 puis 1987, troponines à 1992 ; myoglobine 2015, procalcitonine 1901 ng/L",
        "2011 1987 1992 2015 1901",
    ),
    "a flow before its tube": ("sat 92 -> O2 2L lun. APPEL", "2 lun"),
    "flows": ("O2 lun. 3 l, puis oxygène 2 l/min aux lunettes 4 L.", "lun 3 2 4"),
    "gauges": ("SV posée ( ch 16 ), drain ch. 24, sonde vésicale charrière 18.", "16 24 18"),
    "editions": ("Critères de Mac Donald 2017, CLASSIFICATION DE CHICAGO 2015.", "2017 2015"),
    "dilutions and titres": (
        "Xylocaïne à 1/200 000, articaïne 1/100000, AAN au titre 1:1280.",
        "200 100000 1280",
    ),
    "scores": ("Vue ce jour, BREF 11/18, HAMD 21, aldrete 9, revue.", "11 18 21 9"),
    "wards' names of drugs": ("Sous vanco 2000, genta 320 et lev 6-8-6 ce jour.", "2000 320 6 8"),
    "weights": ("Arrivée 71,2, départ 68,9 ; K 5,1.", "71 2 68 9 5 1"),
    "separators": ("CRP.....87, créat (143), ferritine - 412, GB | 12400", "87 143 412 12400"),
    "long counts": ("Culture 100000, pl 45000, DSA 12450.", "100000 45000 12450"),
    "before and after": ("Séance, PA 148/72 puis 121/64 ce soir.", "148 72 121 64"),
    "a sentence above": ("Bon état général, vue au lit.\nTA 128 FC 82 SpO2 97", "128 82 97"),
    "a day before named results": (
        "16.04 Hb 9,8 K 5,9 PTH 812\n17.04 Hb 9,5 K 5,8 PTH 802",
        "812 802",
    ),
    "oxygen": ("Sat 97 98 99\nO2 3 2 2", "97 3 2"),
    "misread results": ("Hb     8,2  9,6  9,9\nCRP    l87  96   4l", "96 87 4"),
    "days before results": (
        "date        Hb    K     PTH\n09/10/23    9,8   5,9   812\n2024-03-25  10,8  5,4   901",
        "8 5 812 10 901",
    ),
    "hours before signs": (
        "heure | TA | FC\n02:00 | 104/55 | 108 | 97\n4h | 110/60 | 104",
        "108 97 104",
    ),
    "blood groups": ("CGR O+ et AB-, groupe A+.", "O AB A"),
    "births and chromosomes": ("Ménagère G6P3023, caryotype 46,XX.", "6 3023 46 XX"),
    "results of any length": (
        "Plaquettes 98000 (150000 - 400000), GR 4500000, d-dimères : 12500 puis 4200, CPK 45000",
        "98000 150000 400000 4500000 12500 4200 45000",
    ),
    "ten digits before a unit": (
        "charge virale 5120347268 UI/L, volume 2345678901 fL",
        "5120347268 2345678901",
    ),
    "a result behind a day": ("HCG 98000 le 02/12, contrôle 131500 le 04/12", "98000 131500"),
    "a result that looks like a year": (
        "PNN 1900, diurèse 2000, poids ce jour 1950",
        "1900 2000 1950",
    ),
    "a result that looks like a day": ("le psa c'est 12.03 et INR à 2.5", "12 03 2 5"),
    "results behind one label": ("bili 212 242 187, glyc 0.48", "212 242 187 0 48"),
    "results in words": ("hémoglobine à onze virgule trois", "onze trois"),
    "doses without a unit": (
        "INNOHEP 14000 20h, FRAGMINE 7500x2, Biktarvy 50/200/25, Lovenox 2000",
        "14000 7500 50 200 25 2000",
    ),
    "gases of blood": ("GDS à 16h: 7,31/55/96, puis 7.38 / 42 / 88", "7 31 55 96 38 42 88"),
    "alleles": ("A*02:01, DRB1*15:01 ; B 07:02 44:02", "02 01 15 07 44"),
    "alleles in a column": ("A        *02:01  *68:02           *11:01", "02 01 68 11"),
    "alleles that could be hours": ("HLA (SSO)\nfrère ...15:01 04:01", "15 01 04"),
    "flagged": ("INR 5.4 H, chute ; K 6.2H ; 70,4 H", "5 4 6 2 70 4 H"),
    "under a row of names": (
        "NOM        TA     FC   T°\nDURAND     12/8   80   37,2\nMARTIN     13/7   76   37,0",
        "12 8 80 37 2 13 7 76 0",
    ),
    "heads": ("h    FC   PA    Sévo   Remi\n08:00  62  110/60  1,2  0,05", "Sévo Remi"),
    "catheter": ("NPO, Replogle Ch 8, amoxi", "8"),
    "group told": ("épouse (Gr AB, exclue)", "AB"),
    "unknown cells": (
        "BIO dem. 06/11/24   dem n° 1106\nNA 139|K 3,4 L|CL 101|XKDEPI >90|ZGLU 6,3 H|FER 1980",
        "139 101 1980",
    ),
    "alleles beside one that is no hour": ("soeur 01:01 24:02 | 08:01 44:02", "01 24 02 08 44"),
    "units in capitals": ("UNE FILLE DE 4120 GRAMMES", "4120 GRAMMES"),
    "weights under hours": (
        "03h     06h     09h     12h\n2940    2915    2905    2930\n35      30      40      36",
        "2940 2930 35 36",
    ),
    "numbers before words in a grid": (
        "heure TA PV\n08:00  84/49  104 -198 160\n08:30  84/49  104 -198 160  malaise, vu\n"
        "09:00  121/70  92 -188 154",
        "84 49 198 160",
    ),
    "weights behind hours": ("15h00 | 3980\n19h30 | 3875\n07h45 | 3740", "3980 3875 3740"),
    "weights behind days of a course": ("J1 3350\nJ2 3290", "3350 3290"),
    "heads by blanks": ("Date Plaq GB\n12/03 98000 4500\n14/03 120000 5200", "98000 5200"),
    "one head beside a day": ("Date;Poids\n12/03;3980\n14/03;3740", "3980 3740"),
    "a file beside results": ("| Dossier | Plaq | Hb |\n| 4471882 | 98000 | 9.8 |", "98000 9 8"),
    "codes": ("I50.1 ok, groupé en 04M05, acte NEKA020", "50 04 05 NEKA 020"),
    "a rise in a row": (
        "     Théo   Pré  %th   Z    Post\nCVF L  4.11  3.02  73  -1.9  3.20  +180 ml",
        "4 11 02 73 180",
    ),
    "results of HL7": ("OBX|1|NM|2160-0^Creat^LN||112|umol/L|45-84", "2160 112 84"),
}


@pytest.mark.parametrize(("text", "values"), ROWS.values(), ids=ROWS)
def test_measurements(text: str, values: str) -> None:
    doc = Document("a", text)
    found = [doc.tokens.texts[at] for at in sorted(measured(doc))]
    assert set(values.split()) <= set(found)


OTHERS = {
    "a phone": "CRP 182 140 76\nTél 04 77 66 58 02",
    "a phone abroad": "T +41 21 314 12 09",
    "a social security number": "CRP 182 140 76\nNIR 1850378006084 36",
    "dates": "CRP 182 140 76\n12/03/2021 13/03/2021 14/03/2021",
    "days": "TA  128/76  131/82\nLe  12/3  13/3  14/3",
    "days in the first column": "Date  CRP  Hb  Na\n16.04  182  9,8  139\n20.04  140  10,2  141",
    "numbers of people": "Le | IPP | TA | FC\n2/03/24 | 445566 | 2 | 98\n3/03/24 | 447788 | 1 | 88",
    "numbers of people, lined up": "Dossier  Poids  FC   SpO2\n445566   72     98   97",
    "rooms": "Heure  Chambre  TA   FC\n08:00  312      12   98\n09:00  315      11   88",
    "numbers of files": "Sérologie, dossier 1/400, IPP 1/1280, AAN + en 1/2000, NDA 1/45678",
    "numbers of people, by blanks": "IPP TA FC SpO2\n445566 12 72 98\n447788 13 71 97",
    "who signs in units": "heure | TA | FC\n02:00 | 104/55 | 108 | ML\n06:00 | 110/60 | 104 | PA",
    "numbers of caregivers": "Date | FC | RPPS\n2/03/24 | 72 | 445566\n3/03/24 | 71 | 447788",
    "who signs a row": "heure | TA | FC | Qui\n02:00 | 104/55 | 108 | Zorblic\n4h | 11/6 | 99 | Zo",
    "days of courses": "- 19/11 : C3\n- 10/12 : C4",
    "a day behind a label": "Ag BK 1er déc neg",
    "numbers of people behind hours": (
        "heure dossier box\n08:00 4412 3 12 5 vu\n08:30 4415 2 14 5 vu\n09:00 4416 1 11 4 vu"
    ),
    "hours beside each other": "Passages 08:30 12:45 | 18:00 24:00",
    "a date behind a comma": "vus les 11,12/03/21",
    "a month and a year": "CRP 182 140 76\nVue 1/2020, puis 1/12",
    "years": "CRP 182 140 76\nVisites 2019 2020 2021",
    "times": "FC 78 82 91\nPassages 8h30 12h45 18h00",
    "numbers alone": "4471 182 140",
    "prose": "Mme Roy, 72 ans, chambre 12, lit 2, CRP 23.",
    "a list of patients": (
        "Lit | Patient | Âge | FC\n1 | ROY Anne, opérée hier de la hanche | 83 | 78\n"
        "2 | PETIT Luc, sortie prévue demain matin | 57 | 82"
    ),
    "a day": "Entrée 12/3, sortie 15/3",
    "numbers called so": "dossier N: 1234-5678, bon N = 204417, vu le 12-03-1960 par N° 67-200",
    "hours of a day": "Passages 8h 12h puis 8h30\n|08|10|10|08|",
    "numbers beside columns that are called so": "Nom;Tél;TA;FC\nRoy;4471;;",
    "numbers of orders": "Arrêté n° 2024-118, bât. A 12-3, dossier L 4412-1, lot R4127-35",
    "an extension": "Mme Roy   poste 6 71 40   le 12 mai",
    "the key of a social security number": "clé 97   lit 3",
    "a year before a result": "Vue en mars 2019 - revue sans bilan le 12/03/2020, 4471182 au dos",
    "hours where no tissues are typed": "vu de 15:01 04:01",
    "rooms and days": "Mme Roy ch 14, lun. 2 avril, sonde retirée ; chambre 16, vue lun 3",
    "days of calls": "Appel du 15 mars, appelé le 17, vu par le 18 avril, appel du 18/03",
    "who measured": "OBX|1|NM|718-7^Hb^LN||10.2|g/dL|12-16|L|||F|||20210312||4471^ROY",
}
OTHERS |= {
    "a file behind a label of others": "IPP 4500000 plaquettes, dossier GB 4471882, lot CK8840",
    "a phone behind a label": "labo CRP 0320114578, sat 06 12 34 56 78",
    "days and months behind a drug": "Prevenar 11/24, Tahor 12.03, Augmentin 16 au 23, Humira 2019",
    "an age behind a score": "Eva 3 ans, Eva 12 mois",
    "a house": "rue de Fer 22",
    "the file beside results": "| Dossier | Plaq | Hb |\n| 4471882 | 98000 | 9.8 |",
    "hours of rooms": "Heure | Chambre\n08h30 | 214\n09h00 | 312",
    "days that open rows": "3/5    60   2\n5/5    50   2\n10/5    50   1",
}
KEPT = {
    "a file behind a label of others": "IPP 4471882 CK8840 8840",
    "the file beside results": "4471882",
    "days that open rows": "10 3 5",
    "prose": "Mme Roy 72 ans 12 2",
    "who signs a row": "Zorblic 02 00",
    "a month and a year": "2020 1 12",
    "numbers of people": "445566 447788 03",
    "numbers of people, lined up": "445566",
    "hours where no tissues are typed": "15 01 04",
    "numbers beside columns that are called so": "4471 Roy Nom",
    "rooms": "312 315",
    "who signs in units": "ML PA",
    "numbers of caregivers": "445566 447788",
    "a phone": "04 77 66 58 02",
    "who measured": "20210312 4471 ROY",
    "days of calls": "15 17 18 03",
    "dates": "12 03 2021 13 14",
    "days": "12 13 14",
    "days in the first column": "16 20 04",
    "years": "2019 2020 2021",
    "times": "8 30 12 45 18 00",
    "a social security number": "1850378006084 36",
}


@pytest.mark.parametrize(("name", "text"), OTHERS.items(), ids=OTHERS)
def test_what_is_none(name: str, text: str) -> None:
    doc = Document("a", text)
    found = {doc.tokens.texts[at] for at in measured(doc)}
    assert found.isdisjoint(KEPT[name].split() if name in KEPT else doc.tokens.texts)


def test_reading_grids_is_linear() -> None:
    for line in ("CRP 182 140 76\n", "12 | 13 | 14\n", "CRP ", "1 2 3 ", "OBX|1|NM|"):

        def work(n: int, line: str = line):
            doc = Document("a", line * n)
            return lambda: _read_anew(doc)

        assert growth(work, 500) <= LIMIT, line


def test_blanks_behind_an_hour_are_read_in_linear_time() -> None:
    """The gap between two columns was three runs of blanks, and took the cube of their number."""
    assert growth(lambda n: partial(_read_anew, Document("a", "8h" + "\t" * n)), 500) <= LIMIT


def _read_anew(doc: Document) -> object:
    """The measurements of a note that was not read before: what is remembered takes no time."""
    grids.cache_clear()
    days.cache_clear()
    return measured.__wrapped__(doc)
