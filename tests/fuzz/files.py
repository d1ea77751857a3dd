"""Small valid files of every kind, all about the same made-up patients, and mutations of them.

Files that are packed are mutated inside as well: outside nearly every change ends at a checksum.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from email import policy
from email.message import EmailMessage
from functools import cache
from io import BytesIO
from random import Random
from struct import pack
from types import MappingProxyType
from typing import Any, Final
from zipfile import ZipFile

from tests.formats.documents import made_up
from tests.formats.documents.test_cda import LETTER as CDA
from tests.formats.envelopes.compound import compound, stored
from tests.fuzz.mutations import LARGEST, VALUES, of_bytes, of_json, of_text

SECRETS: Final = (
    *("quemeneur", "armelle", "bihannic", "kervadec", "goélands", "plougonvelin", "kervallon"),
    *("8004512377", "2510329155", "0644912735", "10003456789", "dossier-77", "fibrillation"),
    *("schaeffli", "odile", "wurtzler", "tanneurs", "kestenholz", "80045521", "pneumopathie"),
)
"""Of the notes and their patients, in small letters: what no message may repeat."""

NOTE: Final = (
    "Mme QUEMENEUR Armelle, née le 14/03/1951, vue le 06/11/2023 par le Dr KERVADEC pour une "
    "fibrillation. Tél. 06 44 91 27 35, 29217 PLOUGONVELIN"
)
ROWS: Final[tuple[Mapping[str, Any], ...]] = (
    {"id": "a1", "text": NOTE, "patient_id": "p1", "note_date": "2023-11-06", "service": "cardio"},
    {"id": "a2", "text": "Revue, FEVG 45 %.\nLe Dr Solène KERVADEC", "patient_id": "p1"},
    {
        "id": "a3",
        "text": '=1+1 ; "Mme QUEMENEUR" va bien',
        "patient": {"last_name": "QUEMENEUR", "birth_date": "1951-03-14", "sex": "F", "zip": 29217},
    },
)
_COLUMNS: Final = ("id", "text", "patient_id", "note_date", "last_name", "birth_date", "service")
_CELLS: Final = (
    ("a1", NOTE, "p1", "2023-11-06", "QUEMENEUR", "14/03/1951", "cardio"),
    ("a2", 'Le Dr "KERVADEC"\nl\'a revue', "p1", "", "", "", "-1"),
    ("a3", "Revue, FEVG 45 %", "p2", "06/11/2023", "LE BIHANNIC", "", "'=x"),
)


def _table(sign: str) -> bytes:
    def cell(text: str) -> str:
        quoted = '"' + text.replace('"', '""') + '"'
        return quoted if {sign, '"', "\n"} & {*text} else text

    return "\r\n".join(sign.join(map(cell, row)) for row in (_COLUMNS, *_CELLS)).encode()


def _lines() -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()


_PAGE: Final = (
    f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>QUEMENEUR</title></head><body>"
    f"<p class='Armelle'>{NOTE}</p><table><tr><td>FEVG</td><td>45&nbsp;%</td></tr></table>"
    "<ul><li>Dr&nbsp;<b>KERVA</b>DEC</li></ul><!-- QUEMENEUR --><script>'Armelle'</script></body>"
).encode()
_XML: Final = (
    (
        '<?xml version="1.0" encoding="UTF-8"?><lettre id="8004512377"><!-- Armelle -->'
        "<nom>QUEMENEUR"
        f"</nom><date>2023-11-06</date><corps>{NOTE}<br/>&#233;t&eacute; &amp; suite</corps>"
        '<n xmlns="urn:x" xml:space="preserve"> <![CDATA[Dr KERVADEC]]></n></lettre>'
    )
    .replace("&eacute;", "é")
    .encode()
)
_RESOURCES: Final = (
    made_up.reference(),
    made_up.composition(),
    made_up.report(),
    made_up.bundle(made_up.reference(), made_up.report()),
)
_MESSAGES: Final = (
    made_up.message(*made_up.LETTER_SEGMENTS).encode(),
    made_up.message(*made_up.RESULT_SEGMENTS, kind="ORU^R01^ORU_R01").encode(),
    made_up.message(
        f"OBX|1|ED|||^text^XML^Base64^{made_up.base64(CDA)}",
        f"OBX|2|RP|||{made_up.base64(NOTE)}^^text^plain",
        f"OBX|3|TX|||{made_up.base64(made_up.pdf(NOTE))}",
    ).encode(),
    (
        "\x0b"
        + made_up.message(*made_up.RESULT_SEGMENTS[3:5], kind="ORU^R01", charset="8859/1")
        + "\x1c\r"
    ).encode("cp1252"),
)


@cache
def _docx() -> Mapping[str, bytes]:
    """The parts of a Word document."""
    import docx

    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "CH KERVALLON\tMme QUEMENEUR"
    document.core_properties.author = "KERVADEC"
    document.add_heading("Compte rendu", 1)
    document.add_paragraph("Mme QUE").add_run("MENEUR Armelle, vue le 06/11/2023").bold = True
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "FEVG", "45 %"
    out = BytesIO()
    document.save(out)
    small = ("[Content_Types].xml", "_rels/", "word/document", "word/header", "word/_rels/")
    with ZipFile(BytesIO(out.getvalue())) as file:
        return {name: file.read(name) for name in file.namelist() if name.startswith(small)}


_ODT: Final = b"""<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
xmlns:g="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><o:body><o:text>
<t:p>Mme QUE<t:span>MENEUR</t:span><t:s t:c="2"/>vue le 06/11/2023<t:note><t:note-body>
<t:p>KERVADEC</t:p></t:note-body></t:note></t:p>
<g:table><g:table-column g:visibility="collapse"/><g:table-row>
<g:table-cell><t:p>FEVG</t:p></g:table-cell>
<g:table-cell g:number-columns-repeated="2"/></g:table-row></g:table>
</o:text></o:body></o:document-content>"""
_ODT_PARTS: Final = dict.fromkeys(("content.xml", "meta.xml", "settings.xml"), _ODT)
_RTF: Final = rb"""{\rtf1\ansi{\fonttbl{\f0\fcharset238 Arial;}}{\info{\author KERVADEC}}
{\header CH\par}\pard Mme {\b QUEMENEUR}\'e9 \u233?{\v vue}{\footnote le 06/11/2023\par}\par
\trowd\cellx900\intbl FEVG\cell 45 %\cell\row\pard{\field{\*\fldinst X}{\fldrslt Y}}
{\pict\bin3 abc}}"""


@cache
def _xlsx() -> Mapping[str, bytes]:
    """The parts of a workbook."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (_COLUMNS, *_CELLS):
        book.active.append([value if isinstance(value, str | int) else None for value in row])
    out = BytesIO()
    book.save(out)
    with ZipFile(BytesIO(out.getvalue())) as file:
        return {name: file.read(name) for name in file.namelist() if "theme" not in name}


def _mutated(parts: Mapping[str, bytes], main: str, dice: Random) -> bytes:
    """A package of which the bytes, a part or two, or the names are mutated."""
    if dice.random() < 0.2:
        return of_bytes(_zipped(parts), dice)
    name, made = dice.choice((main, main, *parts)), dict(parts)
    made[name] = of_bytes(made[name], dice)
    if dice.random() < 0.1:
        made.pop(dice.choice(tuple(made)))
    return _zipped(made)


def _zipped(parts: Mapping[str, bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


@cache
def _pdf() -> bytes:
    """A file of two pages whose streams are not packed."""
    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    paper = Canvas(out, pageCompression=0, invariant=True)
    for number in (1, 2):
        paper.drawString(40, 810, "CH de KERVALLON")
        paper.drawString(150, 700, "Mme QUEMENEUR Armelle, vue le 06/11/2023 par le Dr KERVADEC")
        paper.drawString(150, 686, "pour une fibrillation, FEVG 45 %")
        paper.drawString(40, 30, f"IPP 8004512377 page {number}/2")
        paper.showPage()
    paper.save()
    return out.getvalue()


def _parquet(dice: Random) -> bytes:
    """A table of the same cells, some columns with values of another type."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = dict(zip(_COLUMNS, map(list, zip(*_CELLS, strict=True)), strict=True))
    for name in dice.sample(_COLUMNS, dice.randint(0, 3)):
        value = dice.choice([one for one in VALUES if one not in ({}, [{}])])  # it has no such type
        try:
            columns[name] = pa.array([value, None, dice.choice((value, None))])
        except (pa.ArrowException, OverflowError, UnicodeError):
            columns[name] = pa.array([None] * 3)
    if dice.random() < 0.2:
        columns["text"] = pa.array([b"Mme QUEMENEUR", b"\xff", None]).view(
            dice.choice((pa.string(), pa.binary()))
        )
    out = BytesIO()
    pq.write_table(pa.table(columns), out, compression="none")
    return out.getvalue()


def _of(*valid: bytes) -> Callable[[Random], bytes]:
    return lambda dice: of_bytes(dice.choice(valid), dice)


def _rows(dice: Random) -> bytes:
    if dice.random() < 0.5:
        return of_bytes(_lines(), dice)
    return b"\n".join(json.dumps(of_json(row, dice)).encode() for row in ROWS)


def _packed(make: Callable[[Random], bytes]) -> Callable[[Random], bytes]:
    """One in ten is packed by gzip, and half of these are damaged then."""

    def made(dice: Random) -> bytes:
        data = make(dice)
        if dice.random() < 0.9:
            return data
        data = gzip.compress(data, 1, mtime=0)
        return of_bytes(data, dice) if dice.random() < 0.5 else data

    return made


def _fhir(dice: Random) -> bytes:
    some = [dice.choice(_RESOURCES) for _ in range(dice.choice((1, 1, 2)))]
    if dice.random() < 0.3:
        return of_bytes("\n".join(map(json.dumps, some)).encode(), dice)
    return "\n".join(json.dumps(of_json(one, dice)) for one in some).encode()


def _pages(dice: Random) -> bytes:
    data = _pdf()
    if dice.random() < 0.2:
        stream = zlib.compress(of_bytes(b"BT /F1 12 Tf 40 800 Td (Mme QUEMENEUR) Tj ET", dice))
        data = data.replace(b"/Length", b"/Filter /FlateDecode /Length", 1)
        at, end = data.index(b"stream\n") + 7, data.index(b"endstream")
        return data[:at] + stream + data[end:]
    return of_bytes(data, dice)


def _columnar(dice: Random) -> bytes:
    data = _parquet(dice)
    return of_bytes(data, dice) if dice.random() < 0.3 else data


def _mailed(data: bytes, name: str) -> bytes:
    mail = EmailMessage(policy.SMTP)
    mail["From"] = "Dr Solène KERVADEC <kervadec@kervallon.fr>"
    mail["Date"] = "Thu, 09 Nov 2023 16:20:00 +0100"
    mail.set_content(NOTE)
    mail.add_attachment(data, "application", "octet-stream", filename=name)
    mail.set_boundary("=_KERVADEC")
    return mail.as_bytes()


def _sent(data: bytes, name: str) -> bytes:
    media = "text^XML" if name.endswith("xml") else f"application^{name.rpartition('.')[2]}"
    return made_up.message(f"OBX|1|ED|||^{media}^Base64^{made_up.base64(data)}").encode()


def _holding(outer: str) -> Callable[[Random], bytes]:
    """An envelope in which a file lies one to four deep; any of them may be damaged."""
    wraps: Mapping[str, Callable[[bytes, str], bytes]] = {
        "zip": lambda data, name: _zipped({f"QUEMENEUR/{name}": data, "lettre.txt": NOTE.encode()}),
        "eml": _mailed,
        "hl7": _sent,
    }

    def made(dice: Random) -> bytes:
        ending = dice.choice(("csv", "hl7", "html", "json", "odt", "rtf", "txt", "xml"))
        data = FILES[ending](dice) if dice.random() < 0.5 else NOTE.encode()
        for kind in (*dice.choices(tuple(wraps), k=dice.randint(0, 3)), outer):
            data, ending = wraps[kind](data, f"armelle.{ending}"), kind
            if dice.random() < 0.15:
                data = of_bytes(data, dice)
        return data[: 2 * LARGEST]

    return made


def _outlook(dice: Random) -> bytes:
    """Mail of Outlook with a file."""
    ending = dice.choice(("csv", "hl7", "txt", "xml"))
    part: dict[int, str | bytes | int] = {0x3705: 1, 0x3707: f"armelle.{ending}"}
    part[0x3701] = FILES[ending](dice)[:4_000]
    own: dict[int, str | bytes | int] = {0x1A: "IPM.Note", 0x42: "Solène KERVADEC", 0x1000: NOTE}
    head = bytes(8) + pack("<IIII", 1, 1, 1, 1) + bytes(8)
    tree = {
        **stored(own, head),
        "__nameid_version1.0": {},
        "__recip_version1.0_#00000000": stored({0x3001: "Armelle QUEMENEUR"}, bytes(8)),
        "__attach_version1.0_#00000000": stored(part, bytes(8)),
    }
    data = compound(tree)
    return of_bytes(data, dice) if dice.random() < 0.5 else data


FILES: Final[Mapping[str, Callable[[Random], bytes]]] = MappingProxyType(
    {
        "jsonl": _packed(_rows),
        "csv": _packed(_of(_table(","), _table(";"))),
        "tsv": _packed(_of(_table("\t"))),
        "parquet": _columnar,
        "docx": lambda dice: _mutated(_docx(), "word/document.xml", dice),
        "eml": _holding("eml"),
        "odt": lambda dice: _mutated(_ODT_PARTS, "content.xml", dice),
        "rtf": _of(_RTF),
        "xlsx": lambda dice: _mutated(_xlsx(), "xl/worksheets/sheet1.xml", dice),
        "json": _fhir,
        "hl7": _of(*_MESSAGES),
        "html": _of(_PAGE, made_up.PAGE.encode()),
        "msg": _outlook,
        "pdf": _pages,
        "txt": lambda dice: of_bytes(of_text(NOTE, dice).encode("utf-8", "surrogatepass"), dice),
        "xml": _of(_XML, CDA.encode()),
        "zip": _holding("zip"),
    }
)
"""Ending of a file → a mutated one."""
