"""Mail as Outlook keeps it (`.msg`), read by python-oxmsg, and released as any mail is (`mail.py`).

A body that is RTF alone, and mail that is attached as such, are refused and never left out unsaid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from oxmsg import Message

from dpdeid.formats.envelopes.mail import Mailed, people
from dpdeid.formats.envelopes.parts import Part, envelope
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.messages.facts import Patient
from dpdeid.formats.rows import Row

_RTF: Final = 0x1009
_CONTENT_ID: Final = 0x3712


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a mail."""
    try:
        mail = Message.load(file.read())
        sent = mail.sent_date
        who = [f"{one.name} <{one.email_address}>" for one in mail.recipients]
        parts = [*_parts(mail)]
        others = people([mail.sender or "", *who])
    except Exception:  # whatever a damaged file makes the reader stumble over
        raise ValueError("damaged, or no .msg file") from None
    return envelope(origin, parts, how, Mailed, Patient(others=others), sent and sent.date())


def _parts(mail: Message) -> Iterator[Part]:
    page, plain = mail.html_body or "", mail.body or ""
    if plain.strip():
        yield Part("body 1", plain.encode("utf-8-sig"), "text/plain")
    if page.strip():
        yield Part("body 2", page.encode("utf-8-sig"), "text/html")
    if not (plain or page) and mail.properties.binary_prop_value(_RTF):
        yield Part("body 1", b"", wrong="is RTF alone, which is not read")
    for number, one in enumerate(mail.attachments, 1):
        media, data = one.mime_type or "", one.file_bytes
        if page and media.startswith("image/") and one.properties.str_prop_value(_CONTENT_ID):
            continue
        wrong = "" if data is not None else "is a mail of its own, or lies elsewhere"
        yield Part(f"attachment {number}", data or b"", media, one.file_name or "", wrong)
