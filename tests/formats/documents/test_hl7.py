"""HL7 v2: the texts of messages are notes, and go back byte for byte outside the surrogates."""

from __future__ import annotations

import pickle
import re
from base64 import b64decode
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.document import Deidentified, Mention, Span, Surrogate
from dpdeid.engine import Deidentifier
from dpdeid.formats.documents.hl7 import read, write
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.rows import Row
from dpdeid.labels import Label, Sex
from tests.formats.documents.made_up import (
    IDENTIFIERS,
    LETTER,
    LETTER_SEGMENTS,
    MEDICINE,
    RESULT_SEGMENTS,
    base64,
    message,
    pdf,
)
from tests.formats.documents.marked import engine

ORU = "ORU^R01^ORU_R01"


def rows(data: str | bytes) -> list[Row]:
    data = data.encode() if isinstance(data, str) else data
    return list(read(BytesIO(data), Origin("", "in.hl7"), Reading()))


def text_of(row: Row) -> str:
    assert row.document is not None, row.error
    return row.document.text


def unchanged(row: Row, note_date: str | None = None) -> list[str]:
    """The segments of a message in which nothing is replaced."""
    assert row.form is not None
    result = Deidentified("", text_of(row), note_date)
    return row.form.written(result, "0" * 32).decode().split("\r")[:-1]


def observed(value: str, kind: str = "TX") -> Row:
    """The row of a message with one result."""
    (row,) = rows(message(f"OBX|1|{kind}|CR||{value}||||||F", kind=ORU))
    return row


def test_the_letter_is_read_with_its_patient() -> None:
    (row,) = rows(message(*LETTER_SEGMENTS))
    assert text_of(row) == LETTER
    document = row.document
    assert document is not None
    assert (row.id, row.where, document.patient_id) == ("in.hl7#1", "row 1", "8004512377")
    assert document.note_date == date(2023, 11, 9)
    assert document.sex is Sex.FEMALE
    assert document.known == {
        Label.PATIENT_ID: ("8004512377",),
        Label.SSN: ("251032915504281", "251032915504281"),
        Label.LAST_NAME: ("QUEMENEUR", "LE BIHANNIC"),
        Label.FIRST_NAME: ("Armelle", "Marie", "Armelle"),
        Label.BIRTH_DATE: ("1951-03-14",),
        Label.STREET: ("18 rue des Goélands",),
        Label.CITY: ("PLOUGONVELIN",),
        Label.ZIP: ("29217",),
        Label.PHONE: ("0644912735",),
        Label.EMAIL: ("armelle.quemeneur@exemple.fr",),
        Label.VISIT_ID: ("700123456", "700123456", "DOSSIER-77"),
    }


def test_only_what_is_listed_is_released() -> None:
    (row,) = rows(message(*RESULT_SEGMENTS, kind=ORU))
    assert unchanged(row, "2024-01-02") == [
        "MSH|^~\\&|||||20240102||ORU^R01^ORU_R01|" + "0" * 32 + "|P|2.5||||||UNICODE UTF-8",
        "PID|1||" + "0" * 32,
        "OBR|1|||24323-8^^LN|||20240102||||||Mme QUEMENEUR, HTA||||||||||||F",
        "OBX|1|NM|2160-0^^LN||84|µmol/L|45-84|N|||F",
        "OBX|2|SN|^Protéine C réactive||<^5|mg/L|<5||||F",
        "OBX|3|CE|29308-4^^LN||I48.0^FA de Mme QUEMENEUR^I10||||||F",
        "OBX|4|TX|^Conclusion||Bilan de Mme QUEMENEUR~FEVG 45 % \\T\\ TA 128/76||||||F",
        "OBX|5|DT|^Naissance||||||||F",
        "NTE|1|L|Prélevé par Solène KERVADEC le 06/11/2023 : non hémolysé",
    ]
    assert text_of(row).startswith("Mme QUEMENEUR, HTA\nFA de Mme QUEMENEUR\nBilan")
    assert text_of(row).endswith("\n\nConclusion\n\nNaissance")


def test_a_form_goes_to_another_process() -> None:
    (row,) = rows(message(*LETTER_SEGMENTS))
    assert pickle.loads(pickle.dumps(row.form)) == row.form


def planted(segment: str) -> str:
    """A segment with a word in all fields and components that are blank, and in many behind."""
    name, *fields = segment.split("|")
    kept = {"OBX": 5, "OBR": 13, "NTE": 3}.get(name)
    new = [
        field if number == kept else "^".join(part or "zorguelec" for part in field.split("^"))
        for number, field in enumerate(fields, 1)
    ]
    return "|".join((name, *new, *["zorguelec"] * 30))


def test_nothing_passes_because_it_is_new() -> None:
    letter = message(*map(planted, LETTER_SEGMENTS))
    results = message(*map(planted, RESULT_SEGMENTS), "DG1|1||I10|zorguelec", kind=ORU)
    for row in rows(letter + results):
        text = text_of(row)
        spans = (Span(*found.span(), Label.LAST_NAME) for found in re.finditer("zorguelec", text))
        surrogates = tuple(Surrogate(Mention(0, s, "zorguelec"), "[X]", "redact") for s in spans)
        assert row.form is not None
        new = row.form.written(Deidentified("", "", "2024-01-02", surrogates=surrogates), "a")
        assert b"zorguelec" not in new
        assert new.count(b"[X]") >= 1  # a unit that is none is a text


def test_dates_that_are_none_are_blank() -> None:
    (row,) = rows(message(*LETTER_SEGMENTS))
    assert unchanged(row, "[DATE]")[2].split("|")[4] == ""
    assert unchanged(row, "2024-01")[2].split("|")[4] == "202401"


@pytest.mark.parametrize("value", ["8004512377", "voir Dr KERVADEC", "19510314", "12e5"])
def test_a_number_that_is_none_is_a_text(value: str) -> None:
    row = observed(value, "NM")
    assert text_of(row) == value
    assert unchanged(row)[2] == f"OBX|1|ST|||{value}||||||F"


@pytest.mark.parametrize(
    ("unit", "is_one"),
    [
        *(("mmol/L", True), ("10*9/L", True), (r"10\S\9/L", True), ("mm[Hg]", True), ("%", True)),
        *(("mL/min/1.73m2", True), ("m[IU]/L", True), ("QUEMENEUR", False), ("8004512", False)),
    ],
)
def test_a_unit_that_is_not_known_is_a_text(unit: str, is_one: bool) -> None:
    (row,) = rows(message(f"OBX|1|NM|||5|{unit}", kind=ORU))
    assert text_of(row) == ("" if is_one else unit)
    assert unchanged(row)[2].split("|")[6] == unit


@pytest.mark.parametrize("kind", ["ED", "XPN", "DTM", "quemeneur"])
def test_values_of_other_types_are_blank(kind: str) -> None:
    (row,) = rows(message(f"OBX|1|{kind}|||QUEMENEUR", "NTE|1||vu", kind=ORU))
    kind = kind if kind.isupper() else ""
    assert unchanged(row)[2:] == [f"OBX|1|{kind}" + "|" * 9, "NTE|1||vu"]


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (r"a\.br\b", "a\nb"),
        (r"\H\a\N\ \T\ b\.in+4\ ", "a & b "),
        (r"T\E\ \F\ \S\ \R\ ", "T\\ | ^ ~ "),
        (r"a\.sp2\b", "a\nb"),
        (r"C:\temp\a", r"C:\temp\a"),
        ("5 < 7 & 8^9", "5 < 7 & 8^9"),
        ("a~b", "a\nb"),
    ],
)
def test_escapes_are_read_and_kept(raw: str, plain: str) -> None:
    row = observed(raw)
    assert text_of(row) == plain
    assert unchanged(row)[2].split("|")[5] == raw


@pytest.mark.parametrize(
    ("raw", "plain", "new"),
    [
        (r"a\X0D0A\b", "a\nb", r"a\.br\b"),
        (r"n\XE9\e", "née", "née"),
        (r"n\XC3A9\e", "née", "née"),
        (r"a\X7C\b", "a|b", r"a\F\b"),
    ],
)
def test_bytes_in_hexadecimal_are_written_out(raw: str, plain: str, new: str) -> None:
    row = observed(raw)
    assert text_of(row).replace("\r", "") == plain
    assert unchanged(row)[2].split("|")[5] == new


@pytest.mark.parametrize("policy", ["redact", "dp"])
def test_surrogates_are_written_among_escapes(
    policy: str, deidentifiers: dict[str, Deidentifier]
) -> None:
    row = observed(r"\H\Mme QUEMENEUR\N\ \T\ Dr KERVADEC\.br\FEVG 45 % \T\ HTA")
    assert row.document is not None
    assert row.form is not None
    new = row.form.written(deidentifiers[policy](row.document), "a").decode()
    assert "QUEMENEUR" not in new
    assert "KERVADEC" not in new
    assert r"||\H\Mme " in new
    assert r"\N\ \T\ Dr " in new
    assert r"\.br\FEVG 45 % \T\ HTA||||||F" in new


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_segment_ends_frames_and_batches(end: str) -> None:
    one, two = message(*LETTER_SEGMENTS), message(*RESULT_SEGMENTS, kind=ORU)
    plain = [text_of(row) for row in rows(one + two)]
    framed = f"FHS|^~\\&|QUEMENEUR\rBHS|^~\\&\r\x0b{one}\x1c\r\x0b{two}\x1c\rBTS|2\rFTS|1\r"
    assert [text_of(row) for row in rows(framed.replace("\r", end))] == plain
    assert [unchanged(row)[-1][:3] for row in rows(framed)] == ["OBX", "NTE"]


def test_a_line_break_that_was_not_escaped() -> None:
    row = observed("Mme QUEMENEUR\nIRM : normale\n\nFEVG 45 %")
    assert text_of(row) == "Mme QUEMENEUR\nIRM : normale\nFEVG 45 %"
    assert unchanged(row)[2].split("|")[5] == r"Mme QUEMENEUR\.br\IRM : normale\.br\FEVG 45 %"


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        *(("8859/1", "latin-1"), ("8859/15", "iso-8859-15"), ("UNICODE UTF-8", "utf-8")),
        *(("", "utf-8"), ("", "cp1252"), ("8859/1~UNICODE UTF-8", "latin-1"), ("UTF-8", "cp1252")),
    ],
)
def test_character_sets(charset: str, codec: str) -> None:
    data = message("OBX|1|TX|||Née à Brest : 38,5 °C", charset=charset).encode(codec)
    (row,) = rows(data)
    assert text_of(row) == "Née à Brest : 38,5 °C"
    assert unchanged(row)[0].endswith("|UNICODE UTF-8")
    (row,) = rows(message("OBX|1|TX|||Née", charset="").encode("utf-16"))
    assert text_of(row) == "Née"


def test_other_separators() -> None:
    data = r"MSH*:+!%*****20231109**ORU:R01*1*P*2.3" + "\rPID*1**77:::X:PI**ROY:Anne\r"
    (row,) = rows(data + "OBX*1*TX***Mme ROY!S!!T!!.br!TA 12|8\r")
    assert text_of(row) == "Mme ROY:%\nTA 12|8"
    assert row.patient_id == "77"
    assert unchanged(row)[0].startswith("MSH*:+!%*****")
    assert unchanged(row)[2] == "OBX*1*TX***Mme ROY!S!!T!!.br!TA 12|8" + "*" * 6


def test_a_message_of_several_patients_is_a_note_of_each() -> None:
    two = message("OBX|1|TX|||un", "PID|2||99^^^^PI||ROY^Anne", "OBX|1|TX|||deux", kind=ORU)
    assert [(text_of(row), row.patient_id, row.id) for row in rows(two)] == [
        ("un", "8004512377", "in.hl7#1"),
        ("deux", "99", "in.hl7#2"),
    ]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "file in.hl7: holds no HL7 message"),
        (b"QUEMENEUR", "file in.hl7: holds no HL7 message"),
        (message("OBX|1|DT|||19510314"), "row 1: no text among"),
        (message("OBX|1|ED|RTF^QUEMENEUR||^a^RTF^Base64^QQ=="), "row 1 › OBX 1: no rich text"),
        (message("OBX|2|ED|||^text^XML^Base64^PENsaW5pY2Fs"), "row 1 › OBX 2: no well-formed XML"),
        (message("OBX|3|ED|||^text^^Base64^TW1lI"), "row 1 › OBX 3: no Base64, or cut short"),
        (message("OBX|3|ED|||^text^^Hex^QUEMENEUR"), "row 1 › OBX 3: non-hexadecimal"),
        (
            message("OBX|QUEMENEUR|ED|||^application^msword^Base64^0M8R4A=="),
            "row 1 › OBX: of a kind",
        ),
        (
            message(f"OBX|1|ED|||^text^plain^Base64^{base64(pdf())}"),
            "row 1 › OBX 1: said to be .txt",
        ),
        (b"MSH|^^~&|\r", "row 1: its separators are none"),
        (b"MSH|\\a~&|\xff\x81\r", "row 1: neither UTF-8 nor|row 1: its separators"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_repeats_nothing(
    data: str | bytes, error: str
) -> None:
    row = rows(data)[0]
    assert row.document is None
    assert row.error.startswith(tuple(error.split("|")))
    assert "QUEMENEUR" not in row.error


def test_a_release_is_a_file_of_messages(tmp_path: Path) -> None:
    source, target = tmp_path / "QUEMENEUR.hl7", tmp_path / "out.hl7"
    whole = (
        message(*LETTER_SEGMENTS) + message(*RESULT_SEGMENTS, kind=ORU) + message(kind="ADT^A08")
    )
    source.write_bytes(whole.encode())
    for output in (target, tmp_path / "out.jsonl", tmp_path / "folder"):
        if not output.suffix:
            output.mkdir()
        command = ["run", str(source), "-o", str(output), "--policy", "redact"]
        assert CliRunner().invoke(app, command).exit_code == 0
    new = target.read_bytes().decode()
    files = [*(tmp_path / "folder").iterdir(), target, tmp_path / "out.jsonl"]
    everything = "\n".join(file.read_text(encoding="utf-8") for file in files).lower()
    assert [one for one in IDENTIFIERS if one.lower() in everything] == []
    assert [one for one in MEDICINE if one.lower() not in new.lower()] == []
    assert [file.suffix for file in files[:-2]] == [".hl7", ".hl7"]
    assert new.count("MSH|^~\\&|") == 2


def test_what_is_released_is_valid() -> None:
    parser = pytest.importorskip("hl7apy.parser", reason="needs hl7apy")
    whole = message(*LETTER_SEGMENTS) + message(*RESULT_SEGMENTS, kind=ORU)
    letter, results = ("\r".join(unchanged(row, "2024-01-02")) + "\r" for row in rows(whole))
    parsed = parser.parse_message(letter, find_groups=False)
    assert parsed.msh.msh_9.msh_9_1.to_er7() == "MDM"
    assert parsed.txa.txa_12.to_er7() == "0" * 32
    assert "FEVG 45 %, HbA1c 7,2 %" in parsed.obx.obx_5.value
    parsed = parser.parse_message(results, find_groups=False)
    assert [one.obx_2.to_er7() for one in parsed.obx] == ["NM", "SN", "CE", "TX", "DT"]
    assert parsed.obx[0].obx_5.to_er7() == "84"
    assert parsed.obx[0].obx_3.obx_3_1.to_er7() == "2160-0"
    write([{"id": "a", "error": "row 1: 5 | 6"}], file := BytesIO())
    refused = parser.parse_message(file.getvalue().decode(), find_groups=False)
    assert refused.msa.msa_1.to_er7() == "AE"
    assert refused.msa.msa_3.to_er7() == r"row 1: 5 \F\ 6"


def test_notes_of_other_kinds_are_documents() -> None:
    file = BytesIO()
    write(
        [
            {"id": "a", "content": b"Vu.\nTA 12|8", "ending": ".txt"},
            {"id": "b", "content": b"x", "ending": ".pdf"},
            {"id": None, "error": "row 2: no id"},
        ],
        file,
    )
    text, other, failed = file.getvalue().decode().split("MSH")[1:]
    assert r"OBX|1|FT|||Vu.\.br\TA 12\F\8" in text
    assert "MSA|AE|b|a note that is a .pdf file is no message" in other
    assert "MSA|AE||row 2: no id" in failed
    (row,) = rows("MSH" + text)
    assert text_of(row) == "Vu.\nTA 12|8"


CDA = """<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole>
<id root="1.2.250.1.213.1.4.8" extension="251032915504281"/><patient><name>
<family>QUEMENEUR</family><given>Armelle</given></name><birthTime value="19510314"/>
</patient></patientRole></recordTarget>
<component><nonXMLBody><text mediaType="application/pdf" representation="B64">%s</text></nonXMLBody>
</component></ClinicalDocument>"""
SAID = "Mme QUEMENEUR, IPP 8004512377, FEVG 45 %"


def packed(row: Row) -> list[bytes]:
    """What the results of a message hold in Base64, under redaction."""
    assert row.document is not None, row.error
    assert row.form is not None
    new = row.form.written(engine()(row.document), "a").decode()
    fields = [line.split("|") for line in new.split("\r") if line.startswith("OBX")]
    assert [one for one in IDENTIFIERS if one.lower() in new.lower()] == []
    return [b64decode(one[5].split("^")[4]) for one in fields if one[2] == "ED"]


@pytest.mark.parametrize(
    "result",
    [
        f"ED|||^text^^Base64^{base64(SAID)}",
        f"ED|||^TEXT^plain^A^{SAID}",
        f"ED|||^application^octet-stream^Hex^{SAID.encode().hex()}",
        f"RP|||{base64(SAID)}^DPI^text^plain",
        f"TX|||{base64(SAID)[:40]}~{base64(SAID)[40:]}",
        f"ED|||^application^pdf^Base64^{base64(pdf(SAID))}",
    ],
)
def test_the_words_of_an_embedded_text_are_read_and_written_again(result: str) -> None:
    pytest.importorskip("pdfminer")
    row = observed(result.partition("|||")[2], result[:2])
    assert text_of(row) == SAID
    assert packed(row) == [b"Mme [LAST_NAME], IPP [PATIENT_ID], FEVG 45 %"]


def test_a_document_in_a_message_is_read_to_its_body() -> None:
    pytest.importorskip("pdfminer")
    whole = message(
        f"OBX|1|ED|||^text^XML^Base64^{base64(CDA % base64(pdf(SAID)))}",
        f"OBX|2|ED|||^text^^Base64^{base64('Cher confrère, ci-joint : Mme QUEMENEUR')}",
        "OBX|3|TX|||Vu par Mme QUEMENEUR",
    )
    (row,) = rows(whole)
    letter, mail = packed(row)
    assert b'mediaType="text/plain">Mme [LAST_NAME], IPP [PATIENT_ID], FEVG 45 %<' in letter
    assert mail == "Cher confrère, ci-joint : Mme [LAST_NAME]".encode()
    assert pickle.loads(pickle.dumps(row.form)) == row.form


@pytest.mark.parametrize(
    ("old", "new", "is_other"),
    [
        ("QUEMENEUR", "LE BIHANNIC", False),
        ("19510314", "19510413", False),
        ("251032915504281", "251032915504299", False),
        ('extension="251032915504281"', "", False),
        ("251032915504281", "151032915504281", True),
        ("251032915504281</given>", "", False),
    ],
)
def test_two_patients_in_a_message_are_refused(old: str, new: str, is_other: bool) -> None:
    other = CDA.replace(old, new)
    if is_other:
        other = other.replace("Armelle", "Yann").replace("19510314", "19530201")
    body = '<text mediaType="text/plain">Mme</text>'
    other = re.sub("<text .*</text>", body, other)
    (row,) = rows(message(f"OBX|4|ED|||^text^XML^Base64^{base64(other)}"))
    told = "row 1 › OBX 4: of another patient than what stands before it" if is_other else ""
    assert row.error == told
    if is_other:
        whole = message(f"OBX|4|ED|||^text^XML^Base64^{base64(other)}", "OBX|5|TX|||Vu").encode()
        (row,) = read(BytesIO(whole), Origin("", "in.hl7"), Reading(partial=True))
        assert (text_of(row), row.lost.total()) == ("Vu", 1)


def test_half_a_message_is_released_only_if_asked_for() -> None:
    whole = message(
        f"OBX|1|ED|||^^PDF^Base64^{base64('QUEMENEUR')}", "OBX|2|TX|||Vu ce jour"
    ).encode()
    (row,) = rows(whole)
    assert row.error.startswith("row 1 › OBX 1: ")
    (row,) = read(BytesIO(whole), Origin("", "in.hl7"), Reading(partial=True))
    assert (text_of(row), row.lost.total()) == ("Vu ce jour", 1)
    assert unchanged(row)[-2:] == ["OBX|1|ED" + "|" * 9, "OBX|2|TX|||Vu ce jour" + "|" * 6]


def test_envelopes_lie_in_one_another_to_a_depth() -> None:
    inner = message(f"OBX|1|TX|||{SAID}")
    for _ in range(6):
        inner = message(f"OBX|1|ED|||^application^hl7-v2^Base64^{base64(inner)}")
    (row,) = rows(inner)
    assert text_of(row) == SAID
    (row,) = rows(message(f"OBX|1|ED|||^application^hl7-v2^Base64^{base64(inner)}"))
    assert row.error == "row 1" + " › OBX 1" * 7 + ": more than 6 envelopes in one another"


def test_messages_without_a_document_are_counted_and_no_failure(tmp_path: Path) -> None:
    source, target = tmp_path / "in.hl7", tmp_path / "out.hl7"
    bare = message("NTE|1||Mme QUEMENEUR", kind="ADT^A08") + "MSH|^~\\&|||||||ACK|1\rMSA|AA|1\r"
    command = ["run", str(source), "-o", str(target), "--policy", "redact"]
    for whole, count in ((bare, 0), (bare + message(*LETTER_SEGMENTS), 1)):
        source.write_bytes(whole.encode())
        result = CliRunner().invoke(app, command)
        assert (result.exit_code, target.read_bytes().count(b"MSH")) == (0, count)
        told = "2 messages without a document not released (1 ACK, 1 ADT); --all-messages"
        assert told in result.stderr
        assert "2 messages without" in CliRunner().invoke(app, [*command, "--dry-run"]).output
    pytest.importorskip("pdfminer")
    source.write_bytes(
        message(f"OBX|1|ED|||^text^XML^Base64^{base64(CDA % base64(pdf()))}").encode()
    )
    looked = CliRunner().invoke(app, [*command, "--dry-run"])
    assert re.findall(r"opened, \d deep", looked.output) == ["opened, 1 deep", "opened, 2 deep"]
    source.write_bytes(whole.encode())
    assert CliRunner().invoke(app, [*command, "--all-messages"]).exit_code == 0
    new = target.read_bytes().decode()
    assert new.count("MSH") == 3
    assert "NTE|1||Mme [LAST_NAME]\r" in new


def test_an_error_in_a_release_names_the_part_and_no_file(tmp_path: Path) -> None:
    pytest.importorskip("pdfminer")
    (tmp_path / "in").mkdir()
    letter = message(f"OBX|3|ED|||^text^XML^Base64^{base64(CDA % 'JVBERi0xLjQK')}")
    (tmp_path / "in" / "QUEMENEUR.hl7").write_text(letter, encoding="utf-8")
    out = tmp_path / "out.jsonl"
    command = ["run", str(tmp_path / "in"), "-o", str(out), "--policy", "redact"]
    assert CliRunner().invoke(app, command).exit_code == 4
    assert "file 1, row 1 › OBX 3 › body: damaged" in out.read_text(encoding="utf-8")
