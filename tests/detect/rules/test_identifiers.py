"""Identifiers after their words and by their forms, and the codes of medicine that are none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.detect.rules.codes import unexplained_codes
from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document, Span
from dpdeid.french import check_digits as checks
from dpdeid.labels import Label
from dpdeid.spans import disjoint
from tests.detect.anywhere import plain, spans_lie_in_any_text

TABLE = Table(rows("identifiers"))
MARK = re.compile(r"«([A-Z_]+):([^»]*)»")


def proposals(text: str) -> list[Span]:
    doc = Document("identifiers", text)
    found = TABLE.scan(doc)
    return [*found, *unexplained_codes(doc, tuple(found))]


def spans(text: str) -> tuple[Span, ...]:
    return disjoint(proposals(text))


def marked(text: str) -> str:
    """The text with what the rows find in it marked."""
    out, done = [], 0
    for span in spans(text):
        out += [text[done : span.start], f"«{span.label}:{text[span.start : span.end]}»"]
        done = span.end
    return "".join(out) + text[done:]


@pytest.mark.parametrize(
    "line",
    [
        # social security
        "NIR «SSN:1 85 05 78 006 084 36», n° SS : «SSN:185057800608436»",
        "N° Sécurité Sociale «SSN:2 69 05 49 588 157 80», securite sociale: «SSN:269054958815780»",
        "sécu : «SSN:2 69 05 2A 588 157 80» et NSS «SSN:269052B588157» clé «SSN:80»",
        "INS : «SSN:269054958815780»; matricule INS «SSN:269054958815780» (NIR)",
        "N.I.R. : «SSN:1.85.05.78.006.084.36», NIR|«SSN:1-85-05-78-006-084-36»",
        "né à Lyon, «SSN:1 85 05 78 006 084 36», marié",
        "AVS «SSN:756.1234.5678.97», «SSN:756 1234 5678 97», NAVS «SSN:7569217076985»",
        "NISS «SSN:85073003328», N° national : «SSN:85.07.30-033.28», vu «SSN:85.07.30-033.28»",
        "Matricule «SSN:1985073012345», NAM : «SSN:TREM 8507 3015»",
        # patients and stays
        "IPP: «PATIENT_ID:8001234567», ipp n°«PATIENT_ID:8001234567»",
        "I.P.P. : «PATIENT_ID:8001234567» N.I.P. «PATIENT_ID:123456789»",
        "IPP\n«PATIENT_ID:8001234567»\nNIP | «PATIENT_ID:400187725» |",
        "<td>IPP</td><td>«PATIENT_ID:MYT-330091»</td>",
        "n° dossier «PATIENT_ID:123456»; N° de dossier : «PATIENT_ID:A-123456»",
        "Dossier patient: «PATIENT_ID:00123456», dossier n°«PATIENT_ID:123/456»",
        "N° patient «PATIENT_ID:12345», patient no «PATIENT_ID:H-604412», PID «PATIENT_ID:123456»",
        "NDA «VISIT_ID:123456789», IEP : «VISIT_ID:220209117», EDS «VISIT_ID:11470823»",
        "n° de séjour «VISIT_ID:230012345», SEJOUR n°«VISIT_ID:23-0012345»",
        "séj. «VISIT_ID:21-347120»",
        "N° d'hospitalisation : «VISIT_ID:1234567», venue «VISIT_ID:350221887»",
        "| IPP / IEP | «PATIENT_ID:0700418822» / «VISIT_ID:230120077» |",
        # orders
        "N° de bon: «ORDER_ID:B1234567»; demande n° «ORDER_ID:23-12345»",
        "Examen «ORDER_ID:22H12345»",
        "Accession number «ORDER_ID:ABC123456», N° d'échantillon: «ORDER_ID:1234567890»",
        "tubes «ORDER_ID:22092801147» et «ORDER_ID:22092900312»",
        "EEG du vendredi 23 novembre (n° «ORDER_ID:EEG-18-0442»)",
        "purpura («ORDER_ID:20H18804»)",
        "n° «ORDER_ID:CRO 2017/3118», flacons «ORDER_ID:24-1182», affaire n° «ORDER_ID:D-24-3107»",
        # caregivers
        "RPPS: «PROVIDER_ID:10001234567», RPPS n° «PROVIDER_ID:1000 1234 567»",
        "ADELI «PROVIDER_ID:75 1 23456 7», FINESS : «PROVIDER_ID:2A0000014»",
        "N° FINESS établissement : «PROVIDER_ID:750712184»",
        "INAMI «PROVIDER_ID:1/12345/67/890», GLN «PROVIDER_ID:7601000123456»",
        # things
        "véhicule «OTHER_ID:AB-123-CD», plaque «OTHER_ID:VD 123456», immat. «OTHER_ID:1234 AB 75»",
        "Clio «OTHER_ID:AB-123-CD» garée, Golf «OTHER_ID:1-ABC-234»",
        "N° de série : «OTHER_ID:SN12345678»; S/N «OTHER_ID:12AB345»; lot n° «OTHER_ID:AB1234»",
        "stent (lot «OTHER_ID:0011284-771», UDI «OTHER_ID:(01)08717648205774»)",
        "IBAN «OTHER_ID:FR76 3000 6000 0112 3456 7890 189», «OTHER_ID:BE68 5390 0754 7034»",
        "passeport «OTHER_ID:12AB34567», carte d'identité n° «OTHER_ID:880692310285»",
        "Titre de séjour n° «OTHER_ID:9903217845»",
        "N° adhérent «OTHER_ID:12345678», police d'assurance n° «OTHER_ID:45.123.456»",
        "digicode «OTHER_ID:12A34», code porte «OTHER_ID:1234A», Code d'entrée : «OTHER_ID:B4521»",
        "n° «OTHER_ID:SG2-7714-90» / «OTHER_ID:SG2-7714-91»",
        "| «OTHER_ID:A21CD443A» | cuisse | «OTHER_ID:770034118» |",
        # bookings, parcels, names on networks
        "Réservation «OTHER_ID:J7QWXB», billet d'avion «OTHER_ID:4XKRTB», PNR : «OTHER_ID:WQZTKB»",
        "Billet TP réf. «OTHER_ID:YB3NNQ», n° de réservation : «OTHER_ID:ZKWTRB»",
        "colis «OTHER_ID:6K88214XB» perdu, confirmation Kotelia «OTHER_ID:QW4TZ»",
        "résa «OTHER_ID:P4WZTK» et «OTHER_ID:B7KQXM», RIB «OTHER_ID:40021 00733 0009120K455 17»",
        "parcelles «OTHER_ID:BD 17», «OTHER_ID:BD 18»; réf. cadastrale «OTHER_ID:000 ZH 0412»",
        "cadastre : section «OTHER_ID:C» n° «OTHER_ID:88», parcelle n° «OTHER_ID:61 section BE»",
        "snap : «OTHER_ID:mael_tvr», insta @«OTHER_ID:mael.tvr», Discord «OTHER_ID:Tarvik#0291»",
        "TikTok @«OTHER_ID:zulma-kr», (@«OTHER_ID:zulmakr» sur le mur)",
    ],
)
def test_identifiers_are_found_whole(line: str) -> None:
    assert marked(MARK.sub(r"\2", line)) == line


@pytest.mark.parametrize(
    "line",
    [
        "IPP 40 mg le matin, IPP double dose 8 semaines, sous IPP depuis 2019",
        "CIM-10 C50.9, F32.1, Z6020, CCAM DZQM006, ATC N05BA01, HLA-B27, CD34, T4N1M0, BRCA1",
        "mutations V600E, G1244E, S1251N, del 17p13, 46,XY",
        "metformine 1000 mg, ZYMAD 50000UI, 850 000 UI, 2500 kcal, NT-proBNP 12345 ng/L",
        "plaquettes 250000/mm3, 1500000 copies/ml, TA 143/76, FC 77, FR 19, examen : 12/8",
        "patient de 72 ans, dossier de 2019, examen 12, carte 2020, contact 2021, lot de 3",
        "Entrée le 03/04/2022. Séjour du 12 au 15 mars. Cas 3, hospit. 12-16/01/2021",
        "examen du 25-JAN-2018, vu le 17.IX.2019, 2023-05-01T20:14:03Z",
        "loi n° 2002-303 du 4 mars 2002, décret n° 2016-914, article L. 1111-2",
        "n° 12, n° 3 bis, chambre n° 112, 12e séance, J21, C3J8",
        "CH-1011 Lausanne, B-5000 Namur, 13005 Marseille",
        "sécurité 12 h, ss 100 ml, plaque de 12 mm, titre 1/80, code 2",
        "1.123456789 mg",
        "Réservation SSR, réservation d'un VSL, confirmation COVID19, ticket 2, commande PCA",
        "section A du plan, parcelle 12, section C2, coupe @40x, @domicile, Facebook. Il va",
        "Bilan : GGT 184, CRP 112, analyse : CK 2210, LDH 450, K 5",
    ],
)
def test_codes_of_medicine_and_law_are_left(line: str) -> None:
    assert marked(line) == line


def test_nothing_explained_is_proposed_again() -> None:
    doc = Document("x", "vu 770034118 et 770034119")
    explained = Span(3, 12, Label.PATIENT_ID)
    assert [s.start for s in unexplained_codes(doc, (explained,))] == [16]
    assert [s.score for s in unexplained_codes(doc, ())] == [0.5, 0.5]


TRIGGERS = {
    Label.PATIENT_ID: ("IPP", "ipp", "Ipp", "NIP", "N° patient", "dossier n°", "DOSSIER N°"),
    Label.VISIT_ID: ("NDA", "iep", "Séjour", "SÉJOUR", "n° de séjour", "sejour numéro", "N° venue"),
    Label.ORDER_ID: ("bon n°", "N° d'examen", "Demande no", "ACCESSION", "prélèvement n°"),
    Label.OTHER_ID: (
        "lot",
        "LOT N°",
        "n° de série",
        "S/N",
        "passeport",
        "n° adhérent",
        "Police n°",
    ),
    Label.PROVIDER_ID: ("RPPS", "rpps n°", "ADELI", "N° FINESS"),
}
GLUE = (" ", " : ", ":", "  ", "\n", " | ", "\t", " = ", " n° ", " N°", " #", " : «", "&nbsp;")


@given(
    st.sampled_from([(label, word) for label, ws in TRIGGERS.items() for word in ws]),
    st.sampled_from(GLUE),
    st.from_regex(
        r"[1-9][0-9]{6,9}|[A-Z][1-9][0-9]{5,8}|[1-9][0-9]-[1-9][0-9]{5,6}", fullmatch=True
    ),
    st.sampled_from((" ", ", suite", "\n", ")", ".", " | ", "")),
)
@settings(deadline=None, max_examples=150)
def test_any_word_takes_any_glue(
    trigger: tuple[Label, str], glue: str, code: str, after: str
) -> None:
    label, word = trigger
    start = len("x ") + len(word) + len(glue)
    found = spans(f"x {word}{glue}{code}{after}")
    assert [(s.start, s.end, s.label) for s in found] == [(start, start + len(code), label)]


@given(st.integers(1, 2), st.integers(0, 99), st.integers(1, 12), st.integers(1, 95), st.data())
@settings(deadline=None, max_examples=60)
def test_any_nir_with_its_key_needs_no_word(
    sex: int, year: int, month: int, department: int, data: st.DataObject
) -> None:
    commune, order = data.draw(st.integers(1, 999)), data.draw(st.integers(1, 999))
    parts = [str(sex), f"{year:02}", f"{month:02}", f"{department:02}"]
    parts += [f"{commune:03}", f"{order:03}"]
    parts.append(f"{97 - int(''.join(parts)) % 97:02}")
    number = data.draw(st.sampled_from([" ", "", ".", "-"])).join(parts)
    assert checks.nir(checks.compact(number))
    assert marked(f"vu ce jour {number} ok") == f"vu ce jour «SSN:{number}» ok"


def test_spans_lie_inside_any_text() -> None:
    spans_lie_in_any_text(proposals, plain(rows("identifiers")), "0123456789 ./-:°nNIPtlod(,\n")
