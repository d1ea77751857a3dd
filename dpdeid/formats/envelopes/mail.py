"""Mail (`.eml`): bodies and attachments are parts; headers tell who is in it, and never pass.

Senders and addressees are looked for in all parts; they need not be the patient. Signatures and
the pictures of a page go. What is released is a mail from nobody, with the parts under numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from itertools import count
from typing import BinaryIO, Final

from dpdeid.document import Deidentified
from dpdeid.formats.envelopes.parts import MEDIA, UNNAMED, Part, Placed, envelope, unpacked
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.messages.facts import Patient, Told
from dpdeid.formats.rows import Row
from dpdeid.labels import Label

_PEOPLE: Final = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Disposition-Notification-To")
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]+")
_LONGEST: Final = 5
"""Words of a person's name, with the title."""
_GONE: Final = re.compile(r"application/(?:x-)?p(?:kcs7|gp)-(?:signature|keys)")
_DEEPEST: Final = 50
"""Multiparts in one another."""


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a mail."""
    mail: Message = BytesParser(policy=policy.compat32).parse(file)
    if not mail.keys():
        raise ValueError("no mail: it has no headers")
    try:
        day = parsedate_to_datetime(str(mail["Date"])).date()
    except ValueError:
        day = None
    others = people([_header(mail, name) for name in _PEOPLE])
    return envelope(origin, _parts(mail), how, Mailed, Patient(others=others), day)


def people(headers: list[str]) -> Mapping[Label, tuple[str, ...]]:
    """Names and addresses of headers."""
    told = Told()
    for name, address in getaddresses(headers):
        told.add("email", address)
        if "@" not in name and 2 <= len(_WORD.findall(name)) <= _LONGEST:
            told.somebody(name)
    return told.others()


def _header(mail: Message, name: str) -> str:
    values = ", ".join(map(str, mail.get_all(name, [])))
    try:
        return str(make_header(decode_header(values)))
    except (LookupError, ValueError, HeaderParseError):
        return values


def _parts(mail: Message) -> Iterator[Part]:
    """Bodies and attachments, in their order."""
    bodies, attachments = count(1), count(1)
    todo: list[tuple[Message, bool, int]] = [(mail, False, 0)]
    while todo:
        one, is_page, depth = todo.pop()
        media = one.get_content_type()
        if one.is_multipart() and media != "message/rfc822":
            if depth > _DEEPEST:
                raise ValueError("its parts lie too deep in one another")
            inside = [part for part in one.get_payload() if isinstance(part, Message)]
            is_page = media == "multipart/related"
            todo += ((part, is_page, depth + 1) for part in reversed(inside))
            continue
        name = one.get_filename() or ""
        is_body = media in ("text/plain", "text/html") and not name
        is_body = is_body and one.get_content_disposition() != "attachment"
        if _GONE.fullmatch(media) or (is_page and media.startswith("image/")):
            continue
        path = f"body {next(bodies)}" if is_body else f"attachment {next(attachments)}"
        try:
            data, wrong = _content(one), ""
        except ValueError as error:
            data, wrong = b"", str(error)
        if data.strip() or wrong or not is_body:
            yield Part(path, data, media, name, wrong)


def _content(one: Message) -> bytes:
    """The bytes of a part, in UTF-8 if it is a text that names its charset.

    Raises:
        ValueError: they are not in its encoding.
    """
    if one.is_multipart():
        return b"".join(part.as_bytes() for part in one.get_payload() if isinstance(part, Message))
    if str(one.get("Content-Transfer-Encoding", "")).strip().lower() == "base64":
        packed = str(one.get_payload())
        data = unpacked(packed) if packed.strip() else b""
    else:
        whole = one.get_payload(decode=True)
        data = whole if isinstance(whole, bytes) else b""
    charset = one.get_content_charset()
    if one.get_content_maintype() != "text" or charset is None:
        return data
    try:
        return data.decode(charset).encode("utf-8-sig")
    except LookupError:
        return data


@dataclass(frozen=True, slots=True)
class Mailed:
    """A released mail."""

    parts: Placed
    ending: str = ".eml"

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The mail: no header of it is of the one that came in."""
        mail = EmailMessage(policy.SMTP)
        mail["From"], mail["Subject"] = "nobody@invalid", released_id
        mail["MIME-Version"] = "1.0"
        mail.make_mixed(f"=_{released_id}")
        for number, (start, part) in enumerate(self.parts, 1):
            data = part.written(start, result, f"{released_id}-{number}")
            kind, _, sub = MEDIA.get(part.ending, UNNAMED).partition(";")[0].partition("/")
            name = f"{number:05}{part.ending}"
            if part.ending == ".eml":
                mail.add_attachment(message_from_bytes(data, policy=policy.SMTP), filename=name)
            else:
                params = {"charset": "utf-8"} if part.ending == ".txt" else None
                mail.add_attachment(data, kind, sub, filename=name, params=params)
        return mail.as_bytes()
