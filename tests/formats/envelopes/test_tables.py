"""A table in an envelope is a document of cells: all that show are read, and released as a text."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO
from typing import Any

import pytest

from tests.formats.documents.made_up import base64, message
from tests.formats.documents.marked import released, row_of
from tests.formats.envelopes.test_zips import unzipped, zipped
from tests.formats.tables.test_xlsx import SECRET, plant

CELLS = (
    ("Nom", "Prénom", "Date de naissance", "IPP", "Commentaire"),
    ("QUEMENEUR", "Armelle", "14/03/1951", "8004512377", "FEVG 45 %"),
    ("BOIS", "Jean", "02/01/1960", "8004512378", "Revu, ras"),
)
RELEASED = (
    "Nom\tPrénom\tDate de naissance\tIPP\tCommentaire\n"
    "[LAST_NAME]\t[FIRST_NAME]\t[BIRTH_DATE]\t[PATIENT_ID]\tFEVG 45 %\n"
    "[LAST_NAME]\t[FIRST_NAME]\t[BIRTH_DATE]\t[PATIENT_ID]\tRevu, ras"
)
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def table(sign: str, codec: str = "utf-8") -> bytes:
    lines = (sign.join(f'"{cell}"' if "," in cell else cell for cell in row) for row in CELLS)
    return "\r\n".join(lines).encode(codec)


def book(*rows: tuple[str, ...], change: Callable[[Any], object] = lambda _: None) -> bytes:
    workbook = pytest.importorskip("openpyxl").Workbook()
    for row in rows:
        workbook.active.append(row)
    change(workbook)
    workbook.save(out := BytesIO())
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", table(",")),
        ("a.csv", table(";", "cp1252")),
        ("a.csv", table("\t", "utf-16")),
        ("a.tsv", table("\t")),
    ],
)
def test_a_table_of_a_package(name: str, data: bytes) -> None:
    new, result = released(zipped({name: data}), "in.zip")
    assert result.text == RELEASED
    assert unzipped(new) == {"00001.txt": RELEASED.encode()}


def test_a_workbook_that_is_attached() -> None:
    mail = EmailMessage(policy.SMTP)
    mail["From"] = "a@b.fr"
    mail.set_content("RAS")
    mail.add_attachment(book(*CELLS), *XLSX.split("/"), filename="QUEMENEUR.xlsx")
    new, _ = released(mail.as_bytes(), "in.eml")
    _, part = message_from_bytes(new, policy=policy.default).iter_attachments()
    assert part.get_content_type() == "text/plain"
    assert part.get_content().strip().replace("\r\n", "\n") == RELEASED


def test_all_sheets_that_show_are_read_and_nothing_that_is_hidden() -> None:
    def more(workbook: Any) -> None:
        plant(workbook)
        workbook.create_sheet("Suite").append(("Mme QUEMENEUR", 45.5, None))

    data = book(*CELLS, change=more)
    packed = message(f"OBX|1|ED|||^application^xlsx^Base64^{base64(data)}")
    row = row_of(packed.encode(), "m.hl7")
    assert row.document is not None, row.error
    assert SECRET not in row.document.text
    assert row.document.text.endswith("\n\nMme QUEMENEUR\t45.5")
    assert "Jean" in row.document.text


@pytest.mark.parametrize("data", [b"x", zipped({"a": "b"})])
def test_a_workbook_that_cannot_be_read_is_an_error(data: bytes) -> None:
    pytest.importorskip("openpyxl")
    row = row_of(zipped({"b.txt": "RAS", "a.xlsx": data}), "in.zip")
    assert row.error.startswith("file in.zip › part 2: damaged")


def test_a_workbook_without_a_cell_is_an_error() -> None:
    row = row_of(zipped({"a.xlsx": book()}), "in.zip")
    assert row.error == "file in.zip › part 1: no cell shows"


def test_a_sheet_that_is_far_too_wide_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({"a.xlsx": book(*CELLS)})
    monkeypatch.setattr("dpdeid.formats.tables.xlsx.LONGEST", 14)
    assert row_of(data, "in.zip").error == "file in.zip › part 1: a sheet of more than 14 cells"
