"""Rules over spans and lines: joined addresses, columns of tables, numbers behind a letter."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules import Patterns, columns
from dpdeid.detect.rules import dates as glued
from dpdeid.document import Document
from dpdeid.testing import marked


def found(text: str, label: str) -> set[str]:
    return {text[s.start : s.end] for s in Patterns()(Document("d", text)) if s.label == label}


@pytest.mark.parametrize(
    "address",
    [
        "Résidence Les Mimosas, 6 allée des Pins",
        "Appt 12, 4 rue des Merles",
        "Bât. C, appt 4, 12 avenue Foch",
    ],
)
def test_the_parts_of_an_address_are_one_street(address: str) -> None:
    assert address in found(f"{address}, 83400 Hyères", "STREET")


def test_streets_on_two_lines_or_in_two_sentences_stay_apart() -> None:
    streets = found("8 rue des Lilas. Puis 9 rue du Port\n3 rue Basse", "STREET")
    assert {"8 rue des Lilas", "9 rue du Port", "3 rue Basse"} <= streets


@pytest.mark.parametrize("mark", [";", "|", "\t"])
def test_cells_get_the_label_of_their_column(mark: str) -> None:
    table = "nom;ddn;IPP\n«LAST_NAME:Prigent»;«BIRTH_DATE:04/06/2009»;«PATIENT_ID:4011»\n;;\nfin"
    text, expected = marked(table.replace(";", mark))
    spans = columns.table_cells(Document("d", text), ())
    assert {(s.start, s.end, s.label) for s in spans} == {
        (s.start, s.end, s.label) for s in expected
    }


@pytest.mark.parametrize(
    "text",
    [
        "nom : Durand; ville : Brest\nas;bc",
        "| Nom | DURAND | Prénom | Jean |\n| CP | 35000 | Ville | Rennes |",
        "TA;FC;nom\n12;80;x",
        "nom;ddn\nune;deux;trois",
    ],
    ids=["prose", "fields", "one name", "other width"],
)
def test_a_line_that_heads_no_table_labels_nothing(text: str) -> None:
    assert list(columns.table_cells(Document("d", text), ())) == []


@pytest.mark.parametrize(
    "line",
    [
        "Hospitaliséle«DATE:12/03/2021»",
        "joindreau«PHONE:06 12 34 56 78» svp",
        "joindreau«PHONE:0612345678»",
        "lot X0612345678",
        "TA12/32/2021",
    ],
)
def test_a_number_behind_a_letter_is_found_by_a_form_that_no_code_has(line: str) -> None:
    text, expected = marked(line)
    spans = glued.touched_numbers(Document("d", text), ())
    assert {(s.start, s.end, s.label) for s in spans} == {
        (s.start, s.end, s.label) for s in expected
    }


def test_a_list_of_beds_has_rooms_and_ages() -> None:
    text = "Lit | Patient | Âge | Motif\n3 | KERVELLA | 71 | chute\n4 | libre | - | ménage"
    spans = columns.table_cells(Document("d", text), ())
    assert [(s.label, text[s.start : s.end]) for s in spans] == [
        ("ROOM", "3"),
        ("AGE", "71"),
        ("ROOM", "4"),
    ]


STAFF_AND_OTHERS = {
    "who acted": (
        "HEURE  PATIENT        DN        IPP       MED   VALID\n"
        "-----  -------------  --------  --------  ----  -----\n"
        "08:30  KERVELLA Anne  «BIRTH_DATE:05/02/55»  «PATIENT_ID:10448812»  "
        "«FIRST_NAME:QBL»   OK\n"
        "09:00  RIVAL Jo       «BIRTH_DATE:30/11/48»  «PATIENT_ID:10093377»  "
        "«FIRST_NAME:KTR»   OK\n"
        "Notes : rappeler QBL"
    ),
    "initials in small letters": (
        "lit|pat|âge|motif|à faire|qui\n«ROOM:3»|RIVAL Jo|«AGE:71»|chute|TDM|«FIRST_NAME:qb»\n"
        "«ROOM:4»|VU Thi|«AGE:7 mois»|fièvre|-|ide"
    ),
    "ages lined up": (
        "Ch  Patient            Age  Motif\n«ROOM:12»  RIVAL Jo           «AGE:78»   chute"
    ),
    "other heads in the next line": (
        "Nom\tPrénom\tDDN\tSexe\n«LAST_NAME:RIVAL»\t«FIRST_NAME:Jo»\t«BIRTH_DATE:12/03/1951»\tM\n"
        "Service\tPrescripteur\tDate demande\tHeure\nHépato\tDr Vu\t3 mai\t8 h"
    ),
    "who gave doses": (
        "Tazocilline 4 g  | X|  |  |  | X|  |  |«FIRST_NAME:QG» «FIRST_NAME:QG» «FIRST_NAME:nt»\n"
        "Insuline         | 3| 3| 2|.5| 1|  |  |«FIRST_NAME:KR»\n"
        "Paracétamol 1 g  | X|  |  | X|  |  |  |\nHb | 12 | 13 | OK"
    ),
    "a form": "Nom : RIVAL   Prénom : Jo   Âge : 71\nDr    VU      KTR    12",
}


@pytest.mark.parametrize("line", STAFF_AND_OTHERS.values(), ids=STAFF_AND_OTHERS)
def test_tables_of_wards(line: str) -> None:
    text, expected = marked(line)
    spans = columns.table_cells(Document("d", text), ())
    assert {(s.start, s.end, s.label) for s in spans} == {
        (s.start, s.end, s.label) for s in expected
    }


def test_names_side_by_side_head_a_table_of_many_other_columns() -> None:
    head = "N°\tNOM\tPrénom\tVu le\tRéférent\tStatut\tTSO\tObservations"
    text, expected = marked(
        f"{head}\n7\t«LAST_NAME:RIVAL DIT BEAU»\t«FIRST_NAME:Jo»\t\t\t\t\tvu\n"
        "8\t«LAST_NAME:VU»\t«FIRST_NAME:Thi Minh»\t\t\t\t\t-"
    )
    spans = columns.table_cells(Document("d", text), ())
    assert {(s.start, s.end, s.label) for s in spans} == {
        (s.start, s.end, s.label) for s in expected
    }


@pytest.mark.parametrize(
    ("text", "word", "head"),
    [
        ("N°;Nom;Prénom;Référent;Vu;Statut\n1;a;b;c;d;e", "Référent", True),
        ("N°;Nom;Prénom;Référent;Vu;Statut\n1;a;b;Roy;d;e", "Roy", False),
        ("Nom;RIVAL;Prénom;Jo;Ville;Brest", "RIVAL", False),
        ("suivi par Roy", "Roy", False),
        ("Rang;Poste;Horaire\n2;Marin;8", "Rang", True),
        ("Rang;Poste;Horaire\n2;Marin;8", "Marin", False),
        ("Export\nVolet|Marge|Solde\n4|12|1", "Marge", True),
        ("Rang;Poste;Horaire\nRose;Petit;3", "Rose", False),
        ("Rose;Petit;Bernard\n4;12;1", "Rose", False),
        ("Rose;Petit\n4;12", "Rose", False),
    ],
)
def test_a_line_of_column_names_is_known(text: str, word: str, head: bool) -> None:
    assert columns.is_head(text, text.index(word)) is head


def test_a_letter_at_the_head_of_a_column_is_no_title() -> None:
    assert not found("PRODUIT\tDOSE\tM\tMi\tS\tC\nX\t1\t1\t0\t0\t0", "LAST_NAME")
    assert "DUPONT" in found("M\tDUPONT\t1", "LAST_NAME")


def test_columns_may_be_lined_up_with_spaces() -> None:
    text, expected = marked(
        "NOM            PRENOM        NE(E) LE     MOTIF\n"
        "«LAST_NAME:LE TALLEC»      «FIRST_NAME:Anne Lou»      «BIRTH_DATE:12/03/1951»   chute\n"
        "«LAST_NAME:VU»             «FIRST_NAME:Thi»                        fièvre, sortie demain\n"
        "2 entrants\nVU             Thi"
    )
    spans = columns.table_cells(Document("d", text), ())
    assert {(s.start, s.end, s.label) for s in spans} == {
        (s.start, s.end, s.label) for s in expected
    }


@pytest.mark.parametrize(
    "text",
    [
        "Nom : ROY      Prénom : Jo\nMotif    chute",
        "Nom      Prénom\nil est venu  avec son chien",
        "NOM      PRENOM\n\nCHUTE    HIER",
    ],
)
def test_fields_and_prose_are_no_columns(text: str) -> None:
    assert list(columns.table_cells(Document("d", text), ())) == []


ROSTER = """HEURE  PATIENT            IPP       PROTOCOLE   C/J   MED   PHARMA
08:30  KERVELLA Nolwenn   10448812  FOLFIRI     C4J1  JQL   OK
08:45  QUENTRIC Yann      10093377  AZACITIDINE C2J1  TRQ   OK
09:00  MORVAN Soizic      10577190  EC          C2J1  JQL   NFS
09:20  PETIT Loïc         10577191  EC          C3J1  TRQ   NFS"""
SIGNED = {"JQL", "TRQ"}


@pytest.mark.parametrize(
    "text",
    [
        ROSTER,
        ROSTER.replace("\n", " "),
        ROSTER.replace("  FOLF", "\nFOLF").replace("  AZ", "\nAZ").replace("  EC", "\nEC"),
    ],
    ids=["rows", "joined", "wrapped"],
)
def test_initials_below_who_acted_are_found_however_the_rows_were_broken(text: str) -> None:
    assert found(text, "FIRST_NAME") >= SIGNED


def test_cells_that_no_head_says_who_signs_are_no_initials() -> None:
    assert found(ROSTER.replace("MED ", "VOIE"), "FIRST_NAME").isdisjoint(SIGNED)
    once = ROSTER.replace("\n", " ").replace("TRQ   NFS", "JQL   NFS")
    assert "TRQ" not in found(once, "FIRST_NAME")
