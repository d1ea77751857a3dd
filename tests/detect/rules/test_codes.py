"""Contacts in the forms people write them, and what only looks like one."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document
from dpdeid.spans import disjoint
from tests.detect.anywhere import plain, spans_lie_in_any_text

TABLE = Table(rows("contacts"))
MARK = re.compile(r"«([A-Z]+):([^»]*)»")


def marked(text: str) -> str:
    """The text with what the rows find in it marked."""
    out, done = [], 0
    for span in disjoint(TABLE.scan(Document("contacts", text))):
        out += [text[done : span.start], f"«{span.label}:{text[span.start : span.end]}»"]
        done = span.end
    return "".join(out) + text[done:]


@pytest.mark.parametrize(
    "line",
    [
        # France
        "Tél : «PHONE:01 42 34 56 78»",
        "tel:«PHONE:0142345678»",
        "«PHONE:01/42/34/56/78»",
        "au «PHONE:06-12-34-56-78» ou «PHONE:06 12345678» ou «PHONE:0612 345 678»",
        "vert «PHONE:0 805 12 34 56»",
        "«PHONE:06 51 90 4 4 1 8» car il",
        "Joindre le «PHONE:06 12 34\n56 78» demain",
        "T&eacute;l.&nbsp;«PHONE:0690&nbsp;41&nbsp;27&nbsp;66»",
        "Tél«PHONE:02 47 67 40 22»",
        "«PHONE:+33 1 42 34 56 78», «PHONE:+33142345678»",
        "«PHONE:+33 (0)6 12 34 56 78»",
        "«PHONE:0033 6 12 34 56 78» «PHONE:0033(0)612345678» («PHONE:+33612345678»)",
        "«PHONE:(+33) 6 12 34 56 78»",
        # Switzerland, Belgium, Luxembourg, Québec, elsewhere
        "«PHONE:021 314 12 09» «PHONE:021/314.12.09» «PHONE:079 123 45 67»",
        "«PHONE:076 / 123 45 67»",
        "«PHONE:+41 (0)21 314 12 09» et «PHONE:0041 79 123 45 67»",
        "GSM «PHONE:0475/12.34.56», «PHONE:0475/123456»",
        "«PHONE:02/555 31 11», «PHONE:04 223 41 09»",
        "«PHONE:+32 475 12 34 56» et «PHONE:0032 470 11 82 05»",
        "Tél. «PHONE:26 12 34 56», «PHONE:+352 621 123 456», «PHONE:(+352) 26 12 34 56»",
        "«PHONE:418 525-4444»",
        "«PHONE:(418) 525-4444» «PHONE:1-800-555-0199» «PHONE:514.555.0123»",
        "«PHONE:+49 30 12345678» «PHONE:+1-202-555-0143» «PHONE:+212 6 61 23 45 67»",
        "mob «PHONE:95 30 12», «PHONE:(687) 20 82 14», «PHONE:+687 45 11 82»",
        "«PHONE:02 40 16 57 99»/«PHONE:02 40 16 57 98» ou «PHONE:0240165799»/«PHONE:0240165798»",
        # extensions and short numbers
        "poste «PHONE:4512» ; poste «PHONE:4 38 21» ; poste : «PHONE:87 745»",
        "«PHONE:514 555-0199» poste «PHONE:2240»",
        "DECT «PHONE:5 12 34», bip «PHONE:123», bip : «PHONE:4421», Bip n° «PHONE:4512»",
        "tél : «PHONE:12 34» ou tel labo bacté «PHONE:4127»",
        "tél. int. «PHONE:214»",
        "☎ «PHONE:01 42 34 56 78»",
        # fax
        "Fax : «FAX:01 42 34 56 79»",
        "Tél «PHONE:01 42 34 56 78» / Fax «FAX:01 42 34 56 79»",
        "Tél.\t«PHONE:01 42 34 56 78»\tFax\t«FAX:01 42 34 56 79»",
        "Tél. / Fax «PHONE:04 72 11 73 11» / «FAX:04 72 11 73 12»",
        "T : «PHONE:01 42 34 56 78» F : «FAX:01 42 34 56 79»",
        "TELECOPIE\n«FAX:04 72 11 73 11»",
        "par fax au «FAX:+41 21 314 12 90».",
        "«FAX:04 50 63 60 99» (fax)",
        # mail
        "<«EMAIL:j_dupont+test@sub.hopital.ch»>.",
        "«EMAIL:J.DUPONT@HUG.CH»,",
        "«EMAIL:jean.dupont @ chu-lyon.fr» «EMAIL:jean.dupont@\nchu-lyon.fr»",
        "«EMAIL:m@chu-\nlyon.fr»",
        "«EMAIL:jean.dupont(at)chu-lyon.fr», «EMAIL:jean [at] chu-lyon [dot] fr»",
        "«EMAIL:jean point dupont arobase chu tiret lyon point fr» voilà",
        # web
        "«URL:http://www.chu-lyon.fr/page?x=1#a», «URL:https://chu.fr».",
        "(«URL:www.hug.ch») «URL:chuv.ch» et «URL:doctolib.fr/dr/martin»;",
        "«URL:HTTPS://IMAGES.PARC.FR» -",
        "IP «IP:192.168.1.1» et «IP:10.0.0.1» ; «IP:2001:db8::8a2e:370:7334», «IP:fe80::1»",
        # dictated
        "au «PHONE:zéro six douze trente-quatre zéro huit quatre-vingt-un»",
    ],
)
def test_contacts_are_found_whole(line: str) -> None:
    assert marked(MARK.sub(r"\2", line)) == line


@pytest.mark.parametrize(
    "line",
    [
        "En urgence composer le 15 ou le 112, 144 en Suisse, tél 15, tel : 3114",
        "le 12/03/2020 à 14h30, du 01/02/2021 au 03/02/2021",
        "du 03/04-05/06/2020 au 01.02.2020 12 h",
        "score 0 1 2 3 4 5 6 7 8 9",
        "Hb 12.3 g/dL, plaquettes 250 000/mm3, TA 120/80, 0,12 34 56",
        "1 500 000 copies/ml, + 2500 ml, (4+5+6), 1 200 000 UI",
        "poste de 12 h, interne depuis 2019, en poste 2 jours",
        "1.2.3.4 puis 12:30:45",
        "etc.Puis rien, a@b, rdv @ 10h, M.Martin",
        "13005 Marseille, BP 12345, 75013 Paris",
        "tel que 12 34",
    ],
)
def test_what_only_looks_like_a_contact_is_left(line: str) -> None:
    assert marked(line) == line


digits = st.text("0123456789", min_size=2, max_size=2)


@given(st.sampled_from("12345679"), st.tuples(digits, digits, digits, digits), st.data())
@settings(deadline=None, max_examples=60)
def test_any_french_number_is_found_with_any_separator(
    first: str, pairs: tuple[str, ...], data: st.DataObject
) -> None:
    groups = ["0" + first, *pairs]
    steps = {int(b) - int(a) for a, b in pairwise(groups)}
    if len(steps) == 1 or len(set("".join(groups))) < 3:
        return
    number = data.draw(st.sampled_from([" ", ".", "-", "", " - ", "/"])).join(groups)
    assert marked(f"au {number}, merci") == f"au «PHONE:{number}», merci"


def test_spans_lie_inside_any_text() -> None:
    spans_lie_in_any_text(
        lambda text: TABLE.scan(Document("contacts", text)),
        plain(rows("contacts")),
        "0123456789 ./-+()@:\nabtelfax",
    )
