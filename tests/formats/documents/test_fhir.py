"""FHIR: notes come out of bundles with what is known of their patient, and go back by lists."""

from __future__ import annotations

import json
import pickle
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.document import Deidentified, Document
from dpdeid.engine import Deidentifier
from dpdeid.formats.documents.fhir import read, write
from dpdeid.formats.envelopes import parts
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.rows import Row
from dpdeid.labels import Label, Sex
from tests.formats.documents.made_up import (
    IDENTIFIERS,
    LETTER,
    MEDICINE,
    attachment,
    base64,
    bundle,
    composition,
    message,
    patient,
    pdf,
    reference,
    report,
)


def rows(*resources: dict[str, Any], name: str = "out.json") -> list[Row]:
    """The rows of a file of lines, one if it is a resource."""
    data = "\n".join(map(json.dumps, resources)).encode()
    return list(read(BytesIO(data), Origin("", name), Reading()))


def released(row: Row, result: Deidentified) -> dict[str, Any]:
    assert row.form is not None
    found: dict[str, Any] = json.loads(row.form.written(result, "0" * 32))
    return found


def unchanged(row: Row, note_date: str | None = None) -> dict[str, Any]:
    """The resource that a note is released as if nothing in it is replaced."""
    assert row.document is not None
    return released(row, Deidentified(row.document.id, row.document.text, note_date))


def unpacked(value: object) -> Iterator[str]:
    """All texts of a resource, and those that its data hold."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from [b64decode(inner).decode()] if key == "data" else unpacked(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from unpacked(inner)
    else:
        yield str(value)


@pytest.mark.parametrize("kind", ["collection", "document", "searchset", "transaction"])
def test_the_notes_of_a_bundle(kind: str) -> None:
    letter, composed, conclusion, page = rows(
        bundle(reference(), composition(), report(), kind=kind)
    )
    assert [row.error for row in (letter, composed, conclusion, page)] == ["", "", "", ""]
    assert letter.document is not None
    assert letter.document.text == LETTER
    assert letter.document.note_date == date(2023, 11, 9)
    assert composed.document is not None
    assert (
        "<h3>Biologie</h3>\n<div><p>HbA1c 7,2 %<br/>FEVG 45 %</p></div>" in composed.document.text
    )
    assert conclusion.document is not None
    assert conclusion.document.text == "Mme QUEMENEUR : FEVG 45 %, pas de thrombus."
    assert page.document is not None
    assert page.document.text == (
        "<html><head></head><body><p>Mme&nbsp;QUEMENEUR, vue le 06/11/2023.</p>"
        "<table><tr><td colspan='2'>FEVG</td><td>45 %</td></tr></table>"
    )
    assert [row.id for row in (letter, composed, conclusion, page)] == [
        *("out.json#DocumentReference/DOSSIER-77", "out.json#Composition/DOSSIER-77"),
        *("out.json#DiagnosticReport/dr-77", "out.json#DiagnosticReport/dr-77#2"),
    ]


@pytest.mark.parametrize("number", range(4))
def test_the_patient_of_each_note_is_known(number: int) -> None:
    document = rows(bundle(reference(), composition(), report()))[number].document
    assert document is not None
    assert document.patient_id == "8004512377"
    assert document.sex is Sex.FEMALE
    assert set(document.known[Label.LAST_NAME]) == {"QUEMENEUR", "LE BIHANNIC"}
    assert document.known[Label.FIRST_NAME] == ("Armelle",)
    assert document.known[Label.BIRTH_DATE] == ("1951-03-14",)
    assert document.known[Label.PATIENT_ID] == ("8004512377",)
    assert document.known[Label.SSN] == ("251032915504281",)
    assert document.known[Label.PHONE] == ("+33644912735",)
    assert document.known[Label.ZIP] == ("29217",)


def test_a_contained_patient_and_one_that_is_elsewhere() -> None:
    inside = reference(contained=[patient() | {"id": "p"}], subject={"reference": "#p"})
    (row,) = rows(inside)
    assert (row.id, row.patient_id) == ("out.json", "8004512377")
    elsewhere = reference(subject={"reference": "https://a.example/fhir/Patient/x7/_history/1"})
    assert [row.patient_id for row in rows(elsewhere)] == ["x7"]
    logical = reference(subject={"identifier": {"value": "251032915504281", "system": "urn:x"}})
    assert [row.patient_id for row in rows(logical)] == ["251032915504281"]
    assert [row.patient_id for row in rows(reference(subject={"display": "Mme ROY"}))] == [None]


def test_a_birth_year_alone_is_left_out() -> None:
    half = reference(contained=[patient() | {"id": "p", "birthDate": "1951", "gender": "x"}])
    (row,) = rows(half | {"subject": {"reference": "#p"}})
    assert row.document is not None
    assert Label.BIRTH_DATE not in row.document.known
    assert row.document.sex is Sex.UNKNOWN


@pytest.mark.parametrize("name", ["a.ndjson", "a.json"])
def test_lines_of_resources(name: str) -> None:
    first, second = rows(reference(), patient(), report() | {"presentedForm": []}, name=name)
    assert first.document is not None
    assert second.document is not None
    assert first.document.known == second.document.known != {}
    assert (first.where, second.where) == ("row 1", "row 3")
    data = json.dumps(reference()).encode() + b"\n{broken QUEMENEUR\n"
    _, broken = read(BytesIO(data), Origin("", "a.ndjson"), Reading())
    assert broken.error == "row 2: not valid JSON"


def test_a_file_beside_a_reference_is_read_and_no_address_is_fetched() -> None:
    one = {"contentType": "text/plain", "url": "urn:uuid:b"}
    letter = reference(content=[{"attachment": one}])
    binary = {"resourceType": "Binary", "contentType": "text/plain", "data": base64("Vu.")}
    packed = bundle(letter)
    packed["entry"].append({"fullUrl": "urn:uuid:b", "resource": binary})
    (row,) = rows(packed)
    assert row.document is not None
    assert row.document.text == "Vu."
    (row,) = rows(bundle(letter))
    assert row.error == "row 1 › content 1: has no data (no address is fetched)"
    (row,) = rows(packed | {"entry": [packed["entry"][0], packed["entry"][-1]]})
    assert row.document is not None
    assert (row.document.text, row.patient_id) == ("Vu.", "8004512377")
    assert unchanged(row) == {
        **{"resourceType": "Binary", "id": "0" * 32, "data": base64("Vu.")},
        "contentType": "text/plain; charset=utf-8",
    }


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ({"contentType": "application/x-QUEMENEUR", "data": "QUJD"}, "of a type that"),
        ({"contentType": "application/msword", "data": "0M8R4A=="}, "not read here (.doc)"),
        ({"contentType": "text/plain", "data": "QUEMENEUR!"}, "no Base64"),
        ({"contentType": "text/plain; charset=utf-8", "data": "6ek="}, "not in the charset"),
        ({"contentType": "text/plain; charset=QUEMENEUR", "data": "QUJD"}, "in a charset that"),
        ({"contentType": "text/plain", "data": 7}, "no data"),
        ({}, "no data"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_repeats_nothing(
    content: dict[str, Any], error: str
) -> None:
    (row,) = rows(bundle(reference(content=[{"attachment": content}])))
    assert row.document is None
    assert error in row.error
    assert "QUEMENEUR" not in row.error
    assert row.patient_id == "8004512377"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"[1]", "not a JSON object"),
        (b"{}", "no FHIR resource"),
        (b'{"resourceType": "Bundle", "entry": [', "not valid JSON"),
        (b"\xff\xfe\xff", "not UTF-8 (byte 0)"),
        (b'{"resourceType": "Patient"}', "holds no note"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "not valid JSON|in each other"),
        (b"", "holds no note"),
    ],
)
def test_a_file_that_is_none(data: bytes, error: str) -> None:
    (row,) = read(BytesIO(data), Origin("", "out.json"), Reading())
    assert row.document is None
    assert any(part in row.error for part in error.split("|"))
    assert row.error.startswith("file out.json: ")


@dataclass(frozen=True)
class Lines:
    """A kind of file that has a line of its patient's name, and a form of its own."""

    releases: str = ".rtf"
    ending: str = ".rtf"

    def reader(self, file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
        name, _, text = file.read().decode().partition("\n")
        known = {Label.LAST_NAME: (name,)}
        where = origin.file
        yield Row(where, "x", Document("x", text, "p9", None, known, Sex.MALE), form=self)

    def written(self, result: Deidentified, released_id: str) -> bytes:
        return f"{{{result.text}}}".encode()


def test_an_attachment_of_another_kind_of_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "kind_of", lambda name: Lines() if name.endswith(".rtf") else None)
    one = attachment("ROY\nMme ROY, vue.", "Application/RTF")
    (row,) = rows(reference(content=[{"attachment": one}], subject={}))
    assert row.document is not None
    assert (row.document.text, row.document.patient_id) == ("Mme ROY, vue.", "p9")
    assert (row.document.known[Label.LAST_NAME], row.document.sex) == (("ROY",), Sex.MALE)
    new = unchanged(row)["content"][0]["attachment"]
    assert (new["contentType"], b64decode(new["data"])) == ("application/rtf", b"{Mme ROY, vue.}")
    one = attachment("x", "application/pdf")
    (row,) = rows(reference(content=[{"attachment": one}]))
    assert row.error == "row 1 › content 1: of a kind that is not read here (.pdf)"


def test_an_attachment_holds_what_messages_and_documents_hold() -> None:
    pytest.importorskip("pdfminer")
    letter = pdf("Mme QUEMENEUR, FEVG 45 %")
    inner = message(f"OBX|2|ED|||^application^pdf^Base64^{base64(letter)}")
    given = {"contentType": "application/hl7-v2", "data": base64(inner)}
    (row,) = rows(bundle(reference(content=[{"attachment": given}])))
    assert row.document is not None
    assert row.document.text == "Mme QUEMENEUR, FEVG 45 %"
    given["data"] = base64(inner.replace(base64(letter), "JVBERi0xLjQK"))
    (row,) = rows(bundle(reference(content=[{"attachment": given}])))
    assert row.error == "row 1 › content 1 › OBX 2: damaged: its pages cannot be read"
    other = inner.replace("QUEMENEUR^A", "ROY^B").replace("19510314", "19620505")
    other = other.replace("251032915504281", "162052915504281")
    given["data"] = base64(other)
    (row,) = rows(bundle(reference(content=[{"attachment": given}])))
    assert row.error == "row 1 › content 1: of another patient than what stands before it"


def test_an_attachment_of_xml() -> None:
    xml = "<note><nomNaissance>ROY</nomNaissance><texte>Mme ROY, FEVG 45 %</texte></note>"
    (row,) = rows(reference(content=[{"attachment": attachment(xml, "text/xml")}]))
    assert row.document is not None
    assert "ROY" in row.document.known[Label.LAST_NAME]
    new = unchanged(row)["content"][0]["attachment"]
    assert new["contentType"] == "application/xml"
    assert "FEVG 45 %" in b64decode(new["data"]).decode()


def test_encodings_of_attachments() -> None:
    for media, encoding in (
        ("text/plain", "cp1252"),
        ("text/plain;charset=ISO-8859-1", "latin-1"),
        ('Text/Plain; charset="utf-8"', "utf-8"),
        ("text/plain; charset=utf-16", "utf-16"),
    ):
        one = {"contentType": media, "data": base64("Née à Brest, 38,5 °C", encoding)}
        (row,) = rows(reference(content=[{"attachment": one}]))
        assert row.document is not None, media
        assert row.document.text == "Née à Brest, 38,5 °C"


def test_only_what_is_listed_is_released() -> None:
    (row,) = rows(bundle(reference()))
    assert unchanged(row, "2024-01-02") == {
        "resourceType": "DocumentReference",
        "id": "0" * 32,
        "status": "current",
        "type": {"coding": [{"system": "http://loinc.org", "code": "11490-0"}]},
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain; charset=utf-8",
                    "data": base64(LETTER),
                    "language": "fr-FR",
                    "creation": "2024-01-02",
                }
            }
        ],
    }


ANYWHERE = ("id", "display", "text", "url", "version", "userSelected", "name", "x", "size", "date")


def planted(value: Any) -> Any:
    """A resource with a word in all elements that are not its text, and in many that it lacks."""
    if isinstance(value, list):
        return [planted(one) for one in value]
    if not isinstance(value, dict):
        return value
    more = dict.fromkeys(ANYWHERE, "ZORGUELEC") | {
        "extension": [{"url": "ZORGUELEC", "valueString": "ZORGUELEC"}],
        "_status": {"id": "ZORGUELEC"},
        "meta": {"tag": [{"code": "ZORGUELEC"}]},
        "relatesTo": [{"target": {"reference": "ZORGUELEC"}}],
    }
    return {k: v for k, v in more.items() if k not in value} | {
        k: v if k in ("title", "div", "data", "conclusion") else planted(v)
        for k, v in value.items()
    }


@pytest.mark.parametrize("resource", [reference(), report(), composition()])
def test_nothing_passes_because_it_is_new(resource: dict[str, Any]) -> None:
    found = rows(bundle(planted(resource)))
    assert found
    for row in found:
        new = json.dumps(unchanged(row, "2024-01-02"))
        assert "ZORGUELEC" not in new
        assert '"status": ' in new


def test_dates_and_words_of_a_report() -> None:
    conclusion, page = rows(bundle(report()))
    new = unchanged(conclusion, "[DATE]")
    assert new["conclusion"] == "Mme QUEMENEUR : FEVG 45 %, pas de thrombus."
    assert "effectiveDateTime" not in new
    assert "text" not in new["code"]
    assert new["conclusionCode"][0]["coding"][0]["code"] == "49436004"
    assert unchanged(page, "2024-01")["effectiveDateTime"] == "2024-01"


def test_forms_go_to_another_process() -> None:
    for row in rows(bundle(reference(), composition(), report())):
        assert pickle.loads(pickle.dumps(row.form)) == row.form


def test_sections_keep_their_nesting() -> None:
    (row,) = rows(bundle(composition()))
    assert row.document is not None
    first, last = unchanged(row)["section"]
    assert first["title"] == "Antécédents de Mme QUEMENEUR"
    assert first["section"][0]["title"] == "Biologie"
    assert "&amp; HTA" in first["text"]["div"]
    assert last["title"] == "Suite"
    assert "entry" not in json.dumps([first, last])


def test_a_surrogate_over_two_sections_stands_in_the_first(
    deidentifiers: dict[str, Deidentifier],
) -> None:
    (row,) = rows(bundle(composition()))
    assert row.document is not None
    result = deidentifiers["redact"](row.document)
    (one, *_) = result.surrogates
    end = row.document.text.index("HbA1c") + len("HbA1c")
    span = type(one.mention.span)(one.mention.span.start, end, Label.LAST_NAME)
    wide = one._replace(mention=one.mention._replace(span=span), text="[X]")
    first = released(row, Deidentified("", "", surrogates=(wide,)))["section"][0]
    assert first["title"] == "Antécédents de Mme [X]"
    assert first["section"][0]["text"]["div"].count("7,2 %") == 1


def test_a_composition_with_a_narrative_alone() -> None:
    div = {"status": "generated", "div": "<div>Fièvre</div>"}
    (row,) = rows(composition() | {"section": [], "text": div})
    assert unchanged(row)["section"][0]["text"]["status"] == "generated"
    (row,) = rows(composition() | {"section": []})
    assert row.error == "row 1: the sections of a Composition have no text"


@pytest.fixture
def run(tmp_path: Path) -> Any:
    (tmp_path / "out").mkdir()
    other = attachment("ÐÏ\x11à", "application/msword", "cp1252")
    whole = bundle(
        *(reference(), composition(), report()),
        reference(id="scan", content=[{"attachment": other}]),
    )
    (tmp_path / "QUEMENEUR.json").write_text(json.dumps(whole), encoding="utf-8")

    def invoke(target: str, policy: str = "redact") -> Result:
        source, output = str(tmp_path / "QUEMENEUR.json"), str(tmp_path / target)
        return CliRunner().invoke(app, ["run", source, "-o", output, "--policy", policy])

    return invoke


def test_a_release_is_a_bundle(run: Any, tmp_path: Path) -> None:
    result = run("out.json")
    assert result.exit_code == 3, result.output
    text = (tmp_path / "out.json").read_text(encoding="utf-8")
    new = json.loads(text)
    kinds = sorted(entry["resource"]["resourceType"] for entry in new["entry"])
    assert kinds == [
        *("Composition", "DiagnosticReport", "DiagnosticReport"),
        *("DocumentReference", "OperationOutcome"),
    ]
    everything = "\n".join((text, *unpacked(new))).lower()
    assert [one for one in IDENTIFIERS if one.lower() in everything] == []
    assert [one for one in MEDICINE if one.lower() not in everything] == []
    assert "row 5 › content 1: of a kind that is not read here (.doc)" in everything


def test_a_release_is_a_folder_or_rows(run: Any, tmp_path: Path) -> None:
    assert run("out").exit_code == 3
    files = sorted((tmp_path / "out").iterdir(), key=lambda file: file.suffix)
    assert [file.suffix for file in files] == [".json"] * 4 + [".jsonl"]
    everything = "\n".join(
        text for file in files[:4] for text in unpacked(json.loads(file.read_text()))
    )
    assert [one for one in IDENTIFIERS if one.lower() in everything.lower()] == []
    assert run("out.jsonl").exit_code == 3
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert sorted("error" in line for line in lines) == [False] * 4 + [True]


@pytest.mark.parametrize("policy", ["redact", "dp"])
def test_what_is_released_is_valid(policy: str, run: Any, tmp_path: Path) -> None:
    judge = pytest.importorskip("fhir.resources.R4B.bundle", reason="needs fhir.resources")
    run("out.ndjson", policy)
    whole = judge.Bundle.model_validate_json((tmp_path / "out.ndjson").read_bytes())
    assert len(whole.entry) == 5
    dated = [entry.resource for entry in whole.entry if hasattr(entry.resource, "section")]
    assert (dated[0].date is None) is (policy == "redact")
    again = BytesIO((tmp_path / "out.ndjson").read_bytes())
    found = [row.error for row in read(again, Origin("", "out.ndjson"), Reading())]
    assert found == [""] * 4


def test_notes_of_other_kinds_are_attached() -> None:
    file = BytesIO()
    write(
        [
            {"id": "a", "content": b"Vu.", "ending": ".txt"},
            {"id": "b", "content": b"x", "ending": ".exe"},
            {"id": None, "error": "row 2: no id"},
            {"id": "../p/é" * 30, "content": b"<p/>", "ending": ".html"},
        ],
        file,
    )
    text, other, failed, page = (e["resource"] for e in json.loads(file.getvalue())["entry"])
    assert text["content"][0]["attachment"]["data"] == base64("Vu.")
    assert other["issue"][0]["diagnostics"] == "a note that is a .exe file is no resource"
    assert failed["issue"][0]["diagnostics"] == "row 2: no id"
    assert page["id"] == ("..-p--" * 30)[:64]
    judge = pytest.importorskip("fhir.resources.R4B.bundle", reason="needs fhir.resources")
    assert judge.Bundle.model_validate_json(file.getvalue())
    write([], empty := BytesIO())
    assert json.loads(empty.getvalue()) == {"resourceType": "Bundle", "type": "collection"}
