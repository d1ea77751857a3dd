"""What a note says in each form, and the exact way back."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.document import Span
from dpdeid.labels import Label
from dpdeid.testing.strategies import texts
from dpdeid.views.plain import reading_of
from dpdeid.views.reading import Edit, Reading
from tests.linear import LIMIT, growth

FORMS = {
    "named entities": ("n&eacute;e &agrave; Saint-&Eacute;tienne", "née à Saint-Étienne"),
    "named entities in capitals": (
        "N&EACUTE;E &AGRAVE; SAINT-&EACUTE;TIENNE&NBSP;: C&OElig;UR",
        "NÉE À SAINT-ÉTIENNE : CŒUR",
    ),
    "json in capitals": (r"N\U00C9E \U00e0 3", "NÉE À 3"),
    "numbers": ("n&#233;e, l&#x2019;aîné", "née, l'aîné"),
    "escaped twice": ("n&amp;eacute;e &amp;lt; 3", "née < 3"),
    "spaces": ("le 3&nbsp;mars", "le 3 mars"),
    "superscript": ("le 1<sup>er</sup> mars, m<sub>2</sub>", "le 1er mars, m2"),
    "measures are no tags": ("CRP <5 et Hb >12, K < 3", "CRP <5 et Hb >12, K < 3"),
    "names are no tags": ("de <DUPONT> à <Martin>", "de <DUPONT> à <Martin>"),
    "json": (r"n\u00e9e le 3\n\u00c0 voir", "née le 3\nÀ voir"),
    "rtf": (r"{\rtf1 n\'e9e\par Dr \b Roy\b0}", "{née\nDr Roy}"),
    "a path is no rtf": (r"D:\patients\notes\tab_dupont", r"D:\patients\notes\tab_dupont"),
    "quoted": ("n=C3=A9e =\nle 3", "née le 3"),
    "a result is not quoted": ("TA=90 pH=7 Hb=95", "TA=90 pH=7 Hb=95"),
    "percent": ("n%C3%A9e%20le", "née le"),
    "mojibake": ("nÃ©e Ã\u00a0 BÃ©ziers, 37Â°", "née à Béziers, 37°"),
    "mojibake of Latin-1": (
        "Ã\x89meric Ã\x80 YÄ±lmaz JarosÅ\x82aw Å\x93dÃ¨me lâ\x80\x99an",
        "Émeric À Yılmaz Jarosław œdème l'an",
    ),
    "mojibake of other letters": ("JarosÅ‚aw YÄ±lmaz", "Jarosław Yılmaz"),
    "entities and mojibake": ("PÃ©li &#8212; &amp;", "Péli — &"),
    "json behind entities": (r"M.&nbsp;G\u00e9 &eacute;t\u00e9", "M. Gé été"),
    "hl7": (r"suivi\.br\Roy \T\ fils", "suivi\nRoy & fils"),
    "letters in boxes": ("Nom |D|U|P|O|N|T| Lit [A][D][B][K]", "Nom DUPONT Lit ADBK "),
    "two or three boxes behind a word": ("clé |5|4|  Lit : [1][2]", "clé  54   Lit :  12 "),
    "boxes of a measure": ("Poids [0][5][2] kg, Age |1|2|3|", "Poids [0][5][2] kg, Age |1|2|3|"),
    "cells of a table": ("Aldrete|7|8|\n| 3| 3| 2|\n|1|2|", None),
    "spaced out": ("D U P O N T   M A R I E", "DUPONT MARIE"),
    "a date in boxes": ("né le 1 2 / 0 3 / 1 9 5 8", "né le 12/03/1958"),
    "rows of days and scores": ("5/4   6/6   8/8   9/1", "5/4   6/6   8/8   9/1"),
    "wide boxes": ("D | U | P | O | N | T |  | L | E | A", "DUPONT LEA"),
    "underscores": ("L_E_-_G_O_F_F", "LE-GOFF"),
    "slashes": (
        "NIP 8/0/0/3/3/7/1        N° 4 né 3/1 . 1/2 . 1/9/6/4",
        "NIP 8003371        N° 4 né 31.12.1964",
    ),
    "a posology": ("Kardegic 1/0/1/0", "Kardegic 1/0/1/0"),
    "brackets": ("[T][H][I][-][L][A][N]", " THI-LAN "),
    "a word broken where lines were joined": (
        "consul- tation de Kermar- rec, post- opératoire, anti- TNF",
        "consultation de Kermarrec, post- opératoire, anti- TNF",
    ),
    "a scale": ("EVA 0 1 2 3 4 5 6 7 8 9", "EVA 0 1 2 3 4 5 6 7 8 9"),
    "a few scores": ("TNM 2 0 0, Apgar 9 8 9", "TNM 2 0 0, Apgar 9 8 9"),
    "days of letters alone": ("IO/O6/24, IO/l1/2O24", "10/06/24, 10/11/2024"),
    "times misread": ("I4h, 2Oh, 9h4O, ll:O3, 8 h 3O", "14h, 20h, 9h40, 11:03, 8 h 30"),
    "no times": ("Bh, OH, lh, O2:15 L/min", "Bh, OH, lh, O2:15 L/min"),
    "a date misread": ("vu le O5/l2/2O21 à l4h3O", "vu le 05/12/2021 à 14h30"),
    "a phone misread": ("tel O6 l2 34 S6 78", "tel 06 12 34 56 78"),
    "a Roman month": ("le 11.II.1980, 4/III/1980", "le 11.II.1980, 4/III/1980"),
    "an article misread": (
        "Ie 3 mai, mail de I'Ourcq, stade Ia",
        "le 3 mai, mail de l'Ourcq, stade Ia",
    ),
    "a day misread": ("le 2l octobre, l5 mai, 2l par jour", "le 21 octobre, 15 mai, 2l par jour"),
    "a year misread": ("en l96B", "en 1968"),
    "a word misread": ("Mrne Leg0uff, m0nsieur", "Mme Leg0uff, monsieur"),
    "a name misread": ("MARTlN, DUP0NT, 5imon", "MARTIN, DUPONT, Simon"),
    "digits between letters": ("NGUY3N TH1 H0A, Br3st, CHAM8ON", "NGUYEN THI HOA, Brest, CHAMBON"),
    "a broken given name": ("Dr Béran gère Orsini gère", "Dr Bérangère Orsini gère"),
    "a surname and a verb": ("Béran gère cela, M. Roy va", "Béran gère cela, M. Roy va"),
    "a capital for a small l": (
        "rénaIe, pIace, fiIs, de Ia mairie, Ie:",
        "rénale, place, fils, de la mairie, le:",
    ),
    "capitals that stay": (
        "Ionie, Ibrahim, McIntosh, IRM, IgG",
        "Ionie, Ibrahim, McIntosh, IRM, IgG",
    ),
    "digits that stay": (
        "TH1 DUP0NT 1ER T1a, T4L, CYP3A4, MUC1, ROS1",
        "TH1 DUPONT 1ER T1a, T4L, CYP3A4, MUC1, ROS1",
    ),
    "a small letter stays one": ("rnere, rnari, 0livier", "mere, mari, Olivier"),
    "a sector is no number": ("secteur 59I03", None),
    "a diagnosis is no number": ("ccam JQGA004  cim O14.2\nI50.1", None),
    "another number with a letter": ("dossier 59I03", "dossier 59103"),
    "a name broken in two": ("Dr Zbig niew, psy Kow alski", "Dr Zbigniew, psy Kowalski"),
    "two words": (
        "Mme Roux va, Jean est, le Dr Petit on, Il en va, Anne marie, Szw  arc",
        None,
    ),
    "doses apart": (
        "EXACYL 1 G A L INCISION, 5 U I I V L, I V S E, H T A D N I D",
        "EXACYL 1 G A L INCISION, 5 U I I V L, IVSE, H T A D N I D",
    ),
    "dotted abbreviations": (
        "H.T.A., B.P.C.O. sous V.N.I; t.v.p. en 2019. R.A.S.\nS.p.O2 91 %, anti-T.N.F., T.M.6",
        "HTA, BPCO sous VNI; tvp en 2019. RAS.\nSpO2 91 %, anti-TNF, TM6",
    ),
    "spaced abbreviations": ("Selles : R A S, S A D en place", "Selles : RAS, SAD en place"),
    "unlisted where things stand": (
        "pas de Q.B.H. franc, Q.E.P. 12, score Q.X.Z., une Q.U.V.W.",
        "pas de QBH franc, QEP 12, score QXZ, une QUVW.",
    ),
    "unlisted among many": (
        "ATCD : H.T.A., B.P.C.O., A.I.T. ; Q.A.Z. faite, L.Z. clair ; vu par Q.V.K. ce jour, N.Z. "
        "prévenu",
        "ATCD : HTA, BPCO, AIT ; QAZ faite, LZ clair ; vu par Q.V.K. ce jour, N.Z. prévenu",
    ),
    "two that a hyphen joins": ("L.I.-R.A.D.S. 5, M.-J.A., N.B.-S.", "LI-RADS 5, M.-J.A., N.B.-S."),
    "initials of kin": ("tante T.H., optométriste D.T.", None),
    "initials of people": (
        "Vu avec P.L., Dr A.M.O., dictée par T.V.P./sv, IDE : S.K., M.-P. L., Schyns J.M. ; O.J.",
        None,
    ),
    "a chat's initials": ("12:02 — C.N. : reprise du Xarelto", None),
    "who signs": ("Bien cordialement,\nT.V.P.\n17.02 G.R.\nstable. T.P.\n", None),
    "words that a scanner cut": (
        "Hospi tali sation pour insuf fisance car diaque. Fu rosé mide. Mme Petit en va",
        "Hospitalisation pour insuffisance cardiaque. Furosémide. Mme Petit en va",
    ),
    "names that a scanner cut": (
        "D r Ro be rt Mé nard, M ad ame KOE NIG Lise lotte, mr va nden brouck jules",
        "Dr Robert Ménard, Madame KOENIG Liselotte, mr vandenbrouck jules",
    ),
    "names that a scanner cut anywhere": (
        "som meil cor rect, hu meur stable, séan ce, trai tement ; tampon : Cher rier J., Al ban",
        "sommeil correct, humeur stable, séance, traitement ; tampon : Cherrier J., Alban",
    ),
    "names that stand whole elsewhere": (
        "Mme LANTERNIER ; Mme LAN TERNIER, Mme Lan ternier ; PIRESROCHA, PIRES ROCHA",
        "Mme LANTERNIER ; Mme LANTERNIER, Mme Lanternier ; PIRESROCHA, PIRES ROCHA",
    ),
    "abbreviations in a crowd": (
        "H.T.A., I.R.C., F.A., E.T.T., I.R.M., E.C.G., C.R.P., N.F.S. ; M.Z. 57 ; revu par M.Z.",
        "HTA, IRC, FA, ETT, IRM, ECG, CRP, NFS ; MZ 57 ; revu par M.Z.",
    ),
    "a name that is spelt with dots": ("H.T.A., épelé : R.O.U.X.", "HTA, épelé : R.O.U.X."),
    "words that no scanner cut": (
        "Mme Béa tourne en rond, le Dr Petit est sous traitement, CHU DE CIMIEZ, M. Le Roux",
        None,
    ),
    "names among doses": ("1 G I V; D U R A N D", "1 G I V; DURAND"),
    "medicine is not misread": (
        "B12, HbA1c 7, SpO2 97, T4L, H1N1, CO2, 2l/min, S1Q3, 1er",
        "B12, HbA1c 7, SpO2 97, T4L, H1N1, CO2, 2l/min, S1Q3, 1er",
    ),
    "stuck names": ("MmeDUPONTJean, mmemartin", "Mme DUPONT Jean, mme martin"),
    "stuck words": ("DUPONTnée, Alexiset, filsyacine", "DUPONT née, Alexis et, fils yacine"),
    "a unit that begins as a title": ("712 mGy.cm, mDupont", "712 mGy.cm, mDupont"),
    "columns of decimals": ("GB\t12.1\t9.9\t9.1\t8.8 K 4.1 3.9 4.2 4.0", None),
    "a date with dots": ("né 1 2.0 3.1 9 5 8", "né 12.03.1958"),
    "stuck numbers": ("lotJ21K0442 IPPR0051 FaxO247", "lot J21K0442 IPP R0051 Fax 0247"),
    "looks of letters": ("ﬁèvre, ＤＵＰＯＮＴ ６０ ans, 𝐌𝐦𝐞 Ⅳ", "fièvre, DUPONT 60 ans, Mme IV"),
    "signs that mean more": ("m², 10⁹/L, ½, µg, ㎎, 37 ℃, №", "m², 10⁹/L, ½, µg, ㎎, 37 ℃, n°"),
    "stamps": ("|20231107083412|, 202311070834.", "|20231107 083412|, 20231107 0834."),
    "long numbers": ("20239907083412 0202311070834 202311072534", None),
    "acronyms are one word": ("MoCA, PaCO2, HbA1c, IgG", "MoCA, PaCO2, HbA1c, IgG"),
    "numbered lines": ("003: TA 12/8\n004: FC 80\n005: vue", "TA 12/8\nFC 80\nvue"),
    "lines numbered in brackets": ("[08] Roy\n\n[09] vu\n[10] ici", "Roy\n\nvu\nici"),
    "lines numbered with a letter": ("L07 Roy\nL08\nL09 vu", "Roy\n\nvu"),
    "lines with a word": ("Ligne 1 - Roy\nLigne 2 - vu\nLigne 3 - ici", "Roy\nvu\nici"),
    "lines with a slash": ("1/ Roy\n2/ vu\n3/ ici", "Roy\nvu\nici"),
    "lines below a heading": ("CH\n[1] Roy\n[2] vu\n[3] ici", "CH\nRoy\nvu\nici"),
    "lines that open with days": ("1/2 vu\n2/2 revu\n3/2 ici", None),
    "lines numbered by tens": ("0010|Roy\n0020|vu\n0030|ici", "Roy\nvu\nici"),
    "lines that are not all numbered": ("1. vu\n2. revu\nici", None),
    "lines that do not count up": ("12: vu\n14: revu\n15: ici", None),
    "lines that open with values": ("12 45\n13 47\n14 48\n15 49\n16 50", None),
    "few lines with bare numbers": ("12 vu\n13 revu\n14 ici", None),
    "broken": ("Du-\npont, consul-\n  tation", "Dupont, consultation"),
    "hyphens stay": ("Marie-\nClaire, SAINT-\nDENIS", "Marie-Claire, SAINT-DENIS"),
    "dictated": (
        "vu virgule ouvrez la parenthèse ce jour fermez la parenthèse point à la ligne m point roy",
        "vu, (ce jour).\nm. roy",
    ),
    "no dictation": ("un point à la jambe, deux points de suture", None),
    "spelt": ("il s'écrit G comme Gaston B comme Berthe A G U I D I", "il s'écrit GBAGUIDI"),
    "compared": ("comme Gaston, elle a comme amie Anne", None),
    "a mail": (
        "jean point roy arobase chu tiret brest point fr",
        "jean.roy@chu-brest.fr",
    ),
}


@pytest.mark.parametrize(("raw", "plain"), FORMS.values(), ids=FORMS)
def test_forms_are_read(raw: str, plain: str | None) -> None:
    said = re.sub(r"(?<=[(\n]) | (?=[,).])", "", reading_of(raw).text)
    assert said == (plain or raw)


PAGES = {
    "cells": (
        "<table><tr><td>Nom</td><td>DUPONT</td></tr></table>",
        "Nom\tDUPONT",
    ),
    "cells without ends": ("<tr><td>Nom<td>DUPONT<tr><td>Lit<td>4", "Nom\tDUPONT\nLit\t4"),
    "a cell in another": ("<td><table><tr><td>Vue</td></tr></table></td>", "Vue"),
    "lines": (
        "<p>Vue ce jour.<br/>Va <b>mieux</b></p><!-- fin -->",
        "Vue ce jour.\nVa mieux\n fin",
    ),
    "fields": ("<nomUsuel>DUPONT</nomUsuel>", "nom usuel : DUPONT"),
    "known fields": ("<ns:family>DUPONT</ns:family>", "nom : DUPONT"),
    "values": ('<birthTime value="19580312"/>', "né(e) le : 19580312"),
    "other values": ('<person alias="Loulou"/>', "alias : Loulou"),
    "stamps": ('<time value="202412041530+0100"/>', "date : 20241204 1530+0100"),
    "heads": ('<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE html><p>Vue</p>', "Vue"),
    "other heads": ("<?xml Roy?><!DOCTYPE Dupont><p>Vue</p>", "Roy Dupont>\nVue"),
    "lines of the file": (
        "<p>Vu le 3\r\n   mai<br>\n ici</p>\nRoy\nva",
        "Vu le 3 mai\n ici\nRoy\nva",
    ),
    "lines that are shown": ("<td><pre>Vu\nici</pre>Roy\nva</td>", "Vu\nici\nRoy va"),
    "lines of no paragraph": ("<p>Vu\nici<p>Roy</p>", "Vu\nici\nRoy"),
    "names of things": (
        "<medicament><nom>Doliprane</nom></medicament><mesure nom='Hb'/><nom>Roy</nom>",
        "medicament : \nmedicament : Doliprane\nmesure : Hb\nnom : Roy",
    ),
    "names in things": (
        "<produit><medecin><nom>Roy</nom></medecin></produit>",
        "produit : \nmedecin : \nnom : Roy",
    ),
    "ranges": ('<low value="3.5" unit="g"/>', "low : 3.5"),
    "signs in values": ('<mesure note="> 3 g"/>', "note : > 3 g"),
    "prefixes": ("<v3:text>Vue <v3:content>ce jour</v3:content></v3:text>", "Vue ce jour"),
    "links": ('<a class="x" href="mailto:a@b.fr">ici</a>', "mailto:a@b.fr\tici"),
    "hidden values": (
        """<p class="c" data-nom="ROY" onclick='o("4011")'>Vue</p>""",
        """ROY\no("4011")\nVue""",
    ),
    "data": ("<![CDATA[<p>Vue</p>]]>", "Vue"),
}


@pytest.mark.parametrize(("raw", "plain"), PAGES.values(), ids=PAGES)
def test_pages_are_read(raw: str, plain: str) -> None:
    assert re.sub(r"\n+", "\n", reading_of(raw).text).strip() == plain


@pytest.mark.parametrize(
    ("raw", "value", "stretch"),
    [
        ("n&eacute;e &agrave; Saint-&Eacute;tienne.", "Saint-Étienne", "Saint-&Eacute;tienne"),
        ("<b>DUPONT</b> vue", "DUPONT", "DUPONT"),
        ("le 1<sup>er</sup> mars", "1er mars", "1<sup>er</sup> mars"),
        ('<given value="Léa"/>', "Léa", "Léa"),
        ("|D|U|P|O|N|T|", "DUPONT", "D|U|P|O|N|T"),
        ("vu le O5/l2/2O21.", "05/12/2021", "O5/l2/2O21"),
        ("MmeDUPONT", "DUPONT", "DUPONT"),
        ("Mme Du-\npont.", "Dupont", "Du-\npont"),
        ("<p>le 3\n mai</p>", "3 mai", "3\n mai"),
        ("dosage de ﬁbrine", "fibrine", "ﬁbrine"),
        ("né en １９５８.", "1958", "１９５８"),
        ("He\u0301le\u0300ne\u200b va", "Hélène", "He\u0301le\u0300ne\u200b"),
    ],
)
def test_a_value_is_where_it_stands(raw: str, value: str, stretch: str) -> None:
    reading = reading_of(raw)
    at = reading.text.index(value)
    (span,) = reading.raw_spans([Span(at, at + len(value), Label.OTHER_ID)])
    assert raw[span.start : span.end] == stretch


def test_what_only_the_reading_says_is_no_span() -> None:
    reading = reading_of("<family>DUPONT</family>")
    at = reading.text.index("nom")
    assert reading.raw_spans([Span(at, at + 3, Label.LAST_NAME)]) == ()
    (span,) = reading.raw_spans([Span(at, len(reading.text), Label.LAST_NAME)])
    assert reading.raw[span.start : span.end] == "DUPONT"


def messy() -> st.SearchStrategy[str]:
    """Texts of pieces that the views look for, whole and broken."""
    pieces = st.sampled_from(
        ["<b>", "</td>", "<td class='x'>", "<nom>", "</nom>", "<a href=\"x@y.fr\">", "<", ">",
         "&lt;", "&eacute;", "&#233;", "&amp;amp;", "Ã©", "\\u00e9", "\\'e9", "\\par ", "=C3=A9",
         "D|U|P|O", "1 2 / 0 3 / 1 9 5 8", " | ", "O5/l2/2O21", "DUP0NT", "MmeDupont", "Du-\npont",
         " virgule ", " point à la ligne ", " arobase ", "<!--", "]]>", "e\u0301", "\u200b"]
    )  # fmt: skip
    return st.lists(st.one_of(pieces, texts()), max_size=12).map("".join)


@settings(max_examples=300)
@given(messy())
def test_every_character_leads_back(raw: str) -> None:
    reading = reading_of(raw)
    assert reading.raw == raw
    done = 0
    for at in range(len(reading.text)):
        stretch = reading.to_raw(at, at + 1)
        if stretch is not None:
            assert 0 <= stretch[0] < stretch[1] <= len(raw)
            assert stretch[0] >= done
            done = stretch[0]


@settings(max_examples=300)
@given(messy(), st.data())
def test_spans_stay_sorted_and_apart(raw: str, data: st.DataObject) -> None:
    reading = reading_of(raw)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(reading.text)), max_size=8)))
    spans = [Span(a, b, Label.DATE) for a, b in pairwise(cuts)]
    back = reading.raw_spans(spans[::2])
    assert all(one.start <= other.start for one, other in pairwise(back))


@settings(max_examples=300)
@given(messy(), st.data())
def test_raw_spans_are_read_apart_and_back(raw: str, data: st.DataObject) -> None:
    reading = reading_of(raw)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(raw)), max_size=8)))
    spans = [Span(a, b, Label.DATE) for a, b in pairwise(cuts)]
    found = reading.plain_spans(spans[::2])
    assert all(0 <= s.start < s.end <= len(reading.text) for s in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for span in reading.raw_spans(found):
        assert any(old.start <= span.start < old.end for old in spans[::2])


def test_a_marked_value_in_boxes_and_entities_is_read_whole() -> None:
    raw = "Nom : <b>Lef&egrave;vre</b> né le 1 2|0 3|1 9 5 8 à L&rsquo;Île"
    reading = reading_of(raw)
    for value, plain in (("Lef&egrave;vre", "Lefèvre"), ("L&rsquo;Île", "L'Île")):
        at = raw.index(value)
        (span,) = reading.plain_spans([Span(at, at + len(value), Label.LAST_NAME)])
        assert reading.text[span.start : span.end] == plain


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("dicté le treize du six virgule", "dicté le 13/06,"),
        ("née le premier du quatre cinquante-huit à la ligne", "née le 01/04/58\n"),
        ("vu le vingt et un du douze deux mille dix-neuf virgule", "vu le 21/12/2019,"),
        ("né le deux du onze mille neuf cent quatre-vingt-un virgule", "né le 02/11/1981,"),
        ("le trois du treize virgule", "le trois du treize,"),
        (
            "bloc du premier degré virgule trois du service",
            "bloc du premier degré, trois du service",
        ),
    ],
)
def test_days_whose_month_is_said_by_its_number(said: str, read: str) -> None:
    reading = reading_of(f"Courrier virgule à la ligne {said} fin")
    assert reading.text.partition("\n")[2].strip() == f"{read} fin"
    assert reading_of(said.replace("virgule", "")).text == said.replace("virgule", "")


def test_what_has_no_form_is_the_same() -> None:
    raw = "Mme Dupont, née le 12/03/1958 à Brest. HbA1c 7,2 %.\n"
    assert reading_of(raw) == Reading(raw, raw)


def test_of_two_edits_of_one_stretch_the_first_is_made() -> None:
    edits = [Edit(0, 3, "X"), Edit(2, 4, "Y"), Edit(4, 5, "Z")]
    reading = Reading("abcdef", "abcdef").edited(edits)
    assert reading.text == "XdZf"
    assert [reading.to_raw(at, at + 1) for at in range(4)] == [(0, 3), (3, 4), (4, 5), (5, 6)]


def test_no_span_goes_over_a_tag_that_parts() -> None:
    linked = reading_of('M. <a title="Jean">Roy</a>')
    parts = linked.parted([Span(0, len(linked.text), Label.LAST_NAME)])
    assert [linked.raw[s.start : s.end] for s in linked.raw_spans(parts)] == ["M. ", "Jean", "Roy"]
    raw = "<rue>12</rue><ville>Brest</ville>le 3&nbsp;<b>mars</b> de MmeROY"
    reading = reading_of(raw)
    every = reading.parted([Span(0, len(reading.text), Label.STREET)])
    found = [raw[span.start : span.end] for span in reading.raw_spans(every)]
    assert found == ["12", "Brest", "le 3&nbsp;<b>mars</b> de MmeROY"]
    same = [Span(0, 3, Label.DATE)]
    assert reading_of("le 3").parted(same) == tuple(same)


def test_what_was_written_as_an_abbreviation_is_no_name() -> None:
    text = "C.S.E. informé, D.U.E.R.P. à jour, Mme DUERP"
    reading = reading_of(text)
    at = [found.start() for found in re.finditer("DUERP", reading.text)]
    names = [Span(start, start + 5, Label.LAST_NAME, 0.9) for start in at]
    town = Span(at[0], at[0] + 5, Label.CITY, 0.9)
    assert reading.parted((town, *names)) == (town, names[1])


def test_edits_of_edits_lead_back() -> None:
    once = Reading("a<b>c", "a<b>c").edited([Edit(1, 4, "\n", hollow=True)])
    assert once.text == "a\nc"
    twice = once.edited([Edit(0, 3, "X")])
    assert twice.to_raw(0, 1) == (0, 5)
    assert once.to_raw(1, 2) is None
    assert once.to_raw(0, 2) == (0, 1)
    assert once.to_raw(1, 3) == (4, 5)


def test_reading_is_linear() -> None:
    for piece in (
        "<",
        "<a ",
        "<a b=",
        "&amp;",
        "A|",
        "1 ",
        "O5/",
        "virgule ",
        "Du-\n",
        "0rn",
        "De- du ",
        "Nom de : ",
    ):
        assert growth(lambda n, piece=piece: lambda: reading_of(piece * n)) < LIMIT, piece
    for piece in (" ", "\n", " \n", "<nom>", "ﬁ"):
        assert growth(lambda n, p=piece: lambda: reading_of(f"<p>{p * n}</p>")) < LIMIT, piece
