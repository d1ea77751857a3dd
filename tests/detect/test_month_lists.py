"""Bare days below a month or a date are dates, all or none; what counts or measures is none."""

from __future__ import annotations

import pytest

from dpdeid.detect.month_lists import listed

LISTS = {
    "rows under a month": ("Mars 2021 :\n3 : chute\n5 : radio\n12 : IRM", "3,5,12"),
    "a single row": ("Avril 2021\n2 : infiltration", "2"),
    "points and single blanks": ("MARS 2021\n- 3 chute\n- 5 SAU\n- 12 IRM", "3,5,12"),
    "with an article": ("Juin 2019\n- le 4, douleur\n- le 9, scanner", "le 4,le 9"),
    "the first": ("Juin 2019 :\n1er : entrée\n9 : scanner", "1er,9"),
    "items on a line": ("Mars 2021 : 3 : chute ; 5 : SAU ; 12 : IRM. Vu.", "3,5,12"),
    "items without marks": ("Janvier 2020 : 15 scanner, 22 biopsie, 29 RCP", "15,22,29"),
    "in brackets": ("Janvier 2020 (15 : scanner ; 22 : biopsie), puis rien", "15,22"),
    "two months": ("Mai 2020 : 3 : chute\nJuin 2020 : 4 : chute", "3,4"),
    "below a date": ("12/10/2021 : entrée\n13 : apyrexie\n16 : sortie", "13,16"),
    "below a date in words": ("Le 12 octobre : entrée\n13 : apyrexie\n16 : sortie", "13,16"),
    "in a sentence": ("Cahier de juin 2022\n5 : vu\n6 : revu\n9 : mieux", "5,6,9"),
    "doses": ("Mars 2021 : 15 mg, 30 mg, 45 mg", ""),
    "doses in rows": ("Mars 2021\n2 cp le matin\n3 cp le soir", ""),
    "counts": ("Bilan de mars 2021 : rien\nAvril 2021 : 3 chutes, 5 consultations", ""),
    "a numbered list": ("Mars 2021\n1 : clinique\n2 : biologie\n3 : suite", ""),
    "one number of a list": ("Mars 2021\n1 : clinique", ""),
    "falling": ("Mars 2021\n12 : clinique\n3 : biologie", ""),
    "no month": ("Bilan\n3 : chute\n5 : radio\n12 : IRM", ""),
    "no day": ("Mars 2021 :\n32 : chute\n45 : radio", ""),
    "a date below": ("3 : chute\n5 : radio\n12 : IRM\nMars 2021", ""),
    "before the date": ("12/10/2021 : entrée\n3 : apyrexie\n6 : sortie", ""),
    "a single count": ("Avril 2021 : 2 infiltrations", ""),
    "results": ("Mars 2021 : 12,5 puis 13,1 ; 14 : mieux", ""),
}


@pytest.mark.parametrize(("text", "expected"), LISTS.values(), ids=LISTS)
def test_days_of_a_month_are_found(text: str, expected: str) -> None:
    assert ",".join(text[start:end] for start, end in listed(text)) == expected
