"""What opens the rows of a grid are days, all or none; who signs them is somebody."""

from __future__ import annotations

import pytest

from dpdeid.detect.grids import days, rows_of_days
from dpdeid.document import Document
from dpdeid.labels import Label

DAYS = {
    "blanks": ("3/5    5x4    urgotul   lise\n9/5    4x4    urgotul   lise", "3/5 9/5"),
    "pipes": ("| 1-08 | 71,3 |\n| 2-08 | 70,9 |", "1-08 2-08"),
    "tabs": ("12.03\t1 FEC\n02.04\t2 FEC", "12.03 02.04"),
    "behind a weekday": ("lun 4/3;6x5\nmar 5/3;6x4", "lun 4/3,mar 5/3"),
    "behind a day of a course": ("J1 5/9    EVA 4    RAS\nJ2 6/9    EVA 3    RAS", "5/9 6/9"),
    "a new year": ("28/12 | sat 95\n03/01 | sat 97", "28/12 03/01"),
    "backwards": ("06/06  TA 12\n05/06  TA 13\n02/06  TA 12", "06/06 05/06 02/06"),
    "dashes": ("4.7 - tulle, RAS\n7.7 - tulle, RAS\n11.7 - stop", "4.7 7.7 11.7"),
    "numbers of parts": ("3.1 - Motif\n3.2 - Examen\n3.3 - Suite", ""),
    "no mark": ("0611 1.02 0.98\n0711 1.10 0.87\n0811 0.99 1.20", "0611 0711 0811"),
    "hours without a mark": ("0800 12 13\n0900 12 14\n1000 11 14", ""),
    "below a month": ("Cahier de juin 2022\n5 : vu\n6 : revu\n9 : mieux", "5 6 9"),
    "numbers below a month": ("Vue en mai 2022\n1 : vu\n2 : revu\n3 : mieux", ""),
    "no order": ("3/5    4/5    a\n20/2    5/5    b\n4/5    5/5    c", ""),
    "no day of the calendar": ("31/2 | 4\n12/3 | 5", ""),
    "over columns": ("Poids\n    5/4   6/6   8/11\nkg   4,1   5,2   6,3", "5/4 6/6 8/11"),
    "scores over columns": ("Testing  1/5  2/5  3/5\ndeltoïde  2  3  4", ""),
    "days over nothing": ("5/4   6/6   8/11\nrevue ensuite", ""),
    "scores": ("3/5  deltoïde\n4/5  biceps\n5/5  mollet", ""),
    "decimals": ("7.4   3.2\n7.5   3.3", ""),
    "one row": ("12/3    4 x 3 cm", ""),
    "sentences": ("12/3 vue ce jour\nElle va bien\n14/3 revue", ""),
}


@pytest.mark.parametrize(("text", "expected"), DAYS.values(), ids=DAYS)
def test_days_open_rows(text: str, expected: str) -> None:
    found = [text[start:end] for start, end in days(text)]
    assert found == (expected.split(",") if "," in expected else expected.split())


SIGNED = {
    "initials": ("04/06 | TA 12/7 | MC\n05/06 | TA 13/8 | SL", "MC SL"),
    "initials with dots": ("1-08|71,3|18|J.F.\n2-08|71,1|18|T.M.", "J.F. T.M."),
    "names in small letters": ("22/10  7/4 cm  zora\n29/10  6/4 cm  béné", "zora béné"),
    "hours": ("08h00  TA 13/8  MB\n12h00  TA 12/8  JP", "MB JP"),
    "states": ("04/06 | TA 12/7 | RAS\n05/06 | TA 13/8 | OK", ""),
    "protocols": ("04/06 | C1 | FEC\n25/06 | C2 | TXT", ""),
    "words": ("04/06 | C1 | refait\n25/06 | C2 | sortie", ""),
}


@pytest.mark.parametrize(("text", "expected"), SIGNED.values(), ids=SIGNED)
def test_rows_are_signed(text: str, expected: str) -> None:
    spans = rows_of_days(Document("a", text), ())
    found = [text[s.start : s.end] for s in spans if s.label is Label.FIRST_NAME]
    assert found == expected.split()
