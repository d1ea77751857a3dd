"""Mail: bodies and attachments are released, headers tell who is in it and go."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO

import pytest

from dpdeid.document import Deidentified, Mention, Span, Surrogate
from dpdeid.formats.kinds import Origin, Reading, kind_called
from dpdeid.labels import Label
from tests.formats.documents.made_up import LETTER_SEGMENTS, base64, message, pdf
from tests.formats.documents.marked import released, row_of
from tests.formats.documents.test_hl7 import planted
from tests.formats.envelopes.test_zips import unzipped, zipped

SAID = "Mme QUEMENEUR, FEVG 45 %"
GONE = (
    "quemeneur",
    "armelle",
    "larvor",
    "goulven",
    "kervallon",
    "exemple",
    "mssante",
    "0644912735",
)


def mail(
    *attached: tuple[bytes, str, str], body: str = "Bonjour,\nGoulven Larvor\n"
) -> EmailMessage:
    new = EmailMessage(policy.SMTP)
    new["From"] = "Dr Goulven LARVOR <goulven.larvor@kervallon.mssante.fr>"
    new["To"] = "Armelle Quéméneur <armelle.quemeneur@exemple.fr>"
    new["Subject"] = "CR de Mme QUEMENEUR"
    new["Date"] = "Thu, 09 Nov 2023 16:20:00 +0100"
    new["X-QUEMENEUR"] = "0644912735"
    new.set_content(body, charset="iso-8859-1", cte="quoted-printable")
    new.add_alternative(f"<p title='QUEMENEUR'>{SAID}</p><!--QUEMENEUR-->", subtype="html")
    for data, media, name in attached:
        new.add_attachment(data, *media.split("/"), filename=name)
    return new


def test_bodies_and_attachments_are_released_and_no_header() -> None:
    pytest.importorskip("pdfminer")
    inner = message(f"OBX|1|ED|||^text^^Base64^{base64(SAID)}").encode()
    whole = mail(
        (pdf(SAID), "application/pdf", "QUEMENEUR.pdf"),
        (inner, "application/octet-stream", "m.hl7"),
    )
    whole.add_attachment(mail(), filename="QUEMENEUR.eml")
    data, result = released(whole.as_bytes(), "in.eml")
    new = message_from_bytes(data, policy=policy.default)
    assert sorted(key.lower() for key, _ in new.items()) == [
        *("content-type", "from", "mime-version", "subject"),
    ]
    parts = list(new.iter_attachments())
    types = [part.get_content_type() for part in parts]
    assert types == [
        *("text/plain", "text/html", "text/plain", "application/hl7-v2", "message/rfc822"),
    ]
    assert (
        parts[1].get_payload(decode=True).decode("utf-8-sig").strip()
        == "<p>Mme [LAST_NAME], FEVG 45 %</p>"
    )
    assert parts[2].get_content().strip() == "Mme [LAST_NAME], FEVG 45 %"
    everything = (result.text + "".join(str(part) for part in new.walk())).lower()
    assert [word for word in GONE if word in everything] == []
    assert base64("Mme [LAST_NAME], FEVG 45 %").lower() in parts[3].get_content().decode().lower()


def test_people_of_the_headers_are_looked_for() -> None:
    row = row_of(mail(body="revu avec larvor\n").as_bytes(), "in.eml")
    assert row.document is not None
    assert row.document.known == {}, "who sends it is not the patient"
    assert {one for values in row.document.others.values() for one in values} >= {
        *("LARVOR", "Goulven", "Quéméneur", "goulven.larvor@kervallon.mssante.fr"),
    }
    assert str(row.document.note_date) == "2023-11-09"


def test_signatures_and_pictures_of_a_page_go() -> None:
    whole = mail((b"QUEMENEUR", "application/pkcs7-signature", "smime.p7s"))
    page = whole.get_body(("html",))
    assert page is not None
    page.add_related(b"\x89PNGQUEMENEUR", "image", "png", cid="<logo>")
    data, _ = released(whole.as_bytes(), "in.eml")
    new = message_from_bytes(data, policy=policy.default)
    assert [part.get_content_type() for part in new.iter_attachments()] == [
        "text/plain",
        "text/html",
    ]


def encoded(text: str) -> bytes:
    head = b"From: a@b.fr\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: "
    return head + b"base64\r\n\r\n" + text.encode()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", ": no mail: it has no headers"),
        (b"From: a@b.fr\r\n\r\n", ": holds no document"),
        (encoded("TW1lI"), " › body 1: no Base64, or cut short"),
        (
            mail((b"MZ", "application/pdf", "QUEMENEUR.pdf.exe")),
            " › attachment 1: its name",
        ),
        (
            mail((b"\xd0\xcf\x11\xe0", "application/msword", "fax.doc")),
            " › attachment 1: of a kind that is not read here (.doc)",
        ),
        (
            mail((b"x", "application/x-QUEMENEUR", "a")),
            " › attachment 1: of a type that is not known",
        ),
        (mail((b"x", "text/xml", "a.pdf")), " › attachment 1: said to be .xml, and called .pdf"),
    ],
)
def test_what_is_refused_names_the_part(data: bytes | EmailMessage, error: str) -> None:
    data = data if isinstance(data, bytes) else data.as_bytes()
    row = row_of(data, "in.eml")
    assert row.document is None
    assert row.error.startswith(f"file in.eml{error}")
    assert "QUEMENEUR" not in row.error


def test_nothing_passes_because_it_is_new_at_any_depth() -> None:
    inner = message(*map(planted, LETTER_SEGMENTS))
    outer = mail((zipped({"zorguelec/zorguelec.hl7": inner}), "application/zip", "zorguelec.zip"))
    for name in ("X-Zorguelec", "Received", "Comments", "Organization", "Thread-Topic"):
        outer[name] = "zorguelec <zorguelec@zorguelec.fr>"
    outer.set_boundary("zorguelec")
    outer.preamble = outer.epilogue = "zorguelec"
    row = row_of(outer.as_bytes(), "in.eml")
    assert row.document is not None, row.error
    assert row.form is not None
    text = row.document.text
    found = (Span(*one.span(), Label.LAST_NAME) for one in re.finditer("zorguelec", text))
    surrogates = tuple(Surrogate(Mention(0, one, "zorguelec"), "[X]", "redact") for one in found)
    new = row.form.written(Deidentified("", "", surrogates=surrogates), "a")
    packed = next(
        part
        for part in message_from_bytes(new, policy=policy.default).iter_attachments()
        if part.get_content_type() == "application/zip"
    )
    files = unzipped(packed.get_content())
    whole = b"".join((new, *files.values(), *map(str.encode, files)))
    assert b"zorguelec" not in whole.lower()
    assert b"[X]" in whole


def test_half_a_mail_is_released_only_if_asked_for() -> None:
    data = mail((b"x", "image/tiff", "fax.tif")).as_bytes()
    (row,) = kind_called("eml").reader(BytesIO(data), Origin("", "a"), Reading(partial=True))
    assert row.document is not None
    assert row.lost.total() == 1
