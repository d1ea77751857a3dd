"""Packages are opened, read by the kinds of what they hold, and packed anew under numbers."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from gzip import compress
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from dpdeid.formats.kinds import Origin, Reading, kind_called
from tests.formats.documents.made_up import IDENTIFIERS, LETTER_SEGMENTS, base64, message, pdf
from tests.formats.documents.marked import released, row_of

METADATA = """<lcm:SubmitObjectsRequest xmlns:lcm="urn:l" xmlns="urn:r"><RegistryObjectList>
<ExtrinsicObject mimeType="text/xml"><Slot name="sourcePatientInfo"><ValueList>
<Value>PID-3|8004512377^^^&amp;1.2.250.1.71.4.2.7&amp;ISO^PI</Value>
<Value>PID-5|QUEMENEUR^Armelle^^^^^L</Value><Value>PID-7|19510314</Value></ValueList></Slot>
</ExtrinsicObject></RegistryObjectList></lcm:SubmitObjectsRequest>"""
SAID = "Mme QUEMENEUR, IPP 8004512377, FEVG 45 %"


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    with ZipFile(file := BytesIO(), "w", ZIP_DEFLATED) as package:
        for name, data in files.items():
            package.writestr(name, data)
    return file.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(data)) as package:
        assert package.testzip() is None
        return {name: package.read(name) for name in package.namelist()}


def test_a_package_is_written_anew_under_numbers() -> None:
    pytest.importorskip("pdfminer")
    files = {"QUEMENEUR/": "", "QUEMENEUR/Armelle.txt": SAID, "__MACOSX/QUEMENEUR.plist": b"x"}
    data, _ = released(zipped({**files, "QUEMENEUR.PDF": pdf(SAID)}), "lettres.zip")
    assert unzipped(data) == dict.fromkeys(
        ("00001.txt", "00002.txt"), b"Mme [LAST_NAME], IPP [PATIENT_ID], FEVG 45 %"
    )
    assert b"QUEMENEUR" not in data


def test_metadata_of_xdm_tell_of_the_patient_and_go() -> None:
    whole = zipped(
        {
            "INDEX.HTM": "<html>QUEMENEUR</html>",
            "README.TXT": "QUEMENEUR",
            "IHE_XDM/SUBSET01/METADATA.XML": METADATA,
            "IHE_XDM/SUBSET01/QUEMENEU.TXT": "Vue : quemeneur armelle, FEVG 45 %",
            "IHE_XDM/SUBSET01/CDA.XSL": "<x>QUEMENEUR</x>",
        }
    )
    assert row_of(whole, "xdm.zip").patient_id == "8004512377"
    files = unzipped(released(whole, "xdm.zip")[0])
    assert [*files] == ["INDEX.HTM", "README.TXT", "IHE_XDM/SUBSET01/DOC00001.TXT"]
    assert files["IHE_XDM/SUBSET01/DOC00001.TXT"].endswith(b", FEVG 45 %")
    everything = b"".join((*files.values(), *map(str.encode, files))).lower()
    assert b"quemeneu" not in everything
    assert b"armelle" not in everything


def test_what_lies_three_deep_is_released_and_nothing_of_its_headers() -> None:
    letter = message(*LETTER_SEGMENTS)
    inner = zipped({"QUEMENEUR.hl7": letter})
    outer = message(f"OBX|1|ED|||^application^zip^Base64^{base64(inner)}")
    data, _ = released(zipped({"m.hl7": outer}), "m.zip")
    (new,) = unzipped(data).values()
    packed = next(line for line in new.decode().split("\r") if line.startswith("OBX"))
    deep = unzipped(_of(packed))["00001.hl7"].decode()
    assert "TA 128/76 mmHg" in deep
    everything = (deep + new.decode()).lower()
    assert [one for one in IDENTIFIERS if one.lower() in everything] == []


def _of(segment: str) -> bytes:
    return b64decode(segment.split("|")[5].split("^")[4])


def nested(levels: int) -> bytes:
    data: str | bytes = SAID
    for at in range(levels):
        data = zipped({"a.zip" if at else "a.txt": data})
    assert isinstance(data, bytes)
    return data


OTHER = message("OBX|1|TX|||Vu", "NTE|1||").replace("QUEMENEUR^Armelle", "ROY^Yann")
OTHER = OTHER.replace("251032915504281", "153022915504281").replace("19510314", "19530201")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"QUEMENEUR", ": damaged, or no .zip file"),
        (zipped({}), ": holds no document"),
        (nested(7), " › part 1" * 7 + ": more than 6 envelopes in one another"),
        (zipped({"QUEMENEUR.txt": b" " * (64 << 20)}), " › part 1: a part is far larger"),
        (zipped({f"{at}.txt": b"" for at in range(5_000)}), ": more than 4,096 parts"),
        (zipped({"../QUEMENEUR.txt": SAID}), ": the name of a part leads out"),
        (zipped({"QUEMENEUR.pdf.exe": SAID}), " › part 1: its name has two endings"),
        (zipped({"QUEMENEUR.docx": pdf(SAID)}), " › part 1: said to be .docx, and its first"),
        (zipped({"QUEMENEUR.jsonl": '{"text":"QUEMENEUR"}'}), " › part 1: of a kind that is not"),
        (zipped({"a.csv.gz": compress(b"QUEMENEUR")}), " › part 1: of a kind that is not"),
        (zipped({"a.hl7": message("OBX|1|TX|||Vu"), "b.hl7": OTHER}), " › part 2: of another pat"),
    ],
)
def test_what_is_refused_names_the_part_and_repeats_nothing(data: bytes, error: str) -> None:
    row = row_of(data, "in.zip")
    assert row.document is None
    assert row.error.startswith(f"file in.zip{error}")
    assert "QUEMENEUR" not in row.error


def test_an_encrypted_package_is_refused() -> None:
    data = bytearray(zipped({"a.txt": SAID}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert row_of(bytes(data), "in.zip").error == "file in.zip: encrypted"


def test_six_deep_is_read() -> None:
    row = row_of(nested(6), "in.zip")
    assert row.document is not None, row.error
    assert row.document.text == SAID


def test_half_a_package_is_released_only_if_asked_for() -> None:
    data = zipped({"a.pdf": b"x", "b.txt": SAID, "c.exe": b"MZ\0\x01"})
    (row,) = kind_called("zip").reader(BytesIO(data), Origin("", "a"), Reading(partial=True))
    assert row.document is not None
    assert (row.document.text, row.lost.total()) == (SAID, 2)
    content = [{"attachment": {"contentType": "application/zip", "data": base64(data)}}]
    sent = json.dumps({"resourceType": "DocumentReference", "content": content}).encode()
    (row,) = kind_called("fhir").reader(BytesIO(sent), Origin("", "a"), Reading(partial=True))
    assert row.lost == {"left out: cannot be read (--partial)": 2}
