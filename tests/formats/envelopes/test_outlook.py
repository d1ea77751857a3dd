"""Mail of Outlook comes out as any mail, without its headers."""

from __future__ import annotations

from email import message_from_bytes, policy
from struct import pack

import pytest

from tests.formats.documents.made_up import LETTER_SEGMENTS, message
from tests.formats.documents.marked import released, row_of
from tests.formats.envelopes.compound import compound, stored

pytest.importorskip("oxmsg")

SAID = "Mme QUEMENEUR, FEVG 45 %"


def mail(values: dict[int, str | bytes | int], *attached: dict[int, str | bytes | int]) -> bytes:
    own = {0x1A: "IPM.Note", 0x37: "CR QUEMENEUR", 0x42: "Goulven LARVOR", 0x340D: 0x40000}
    head = bytes(8) + pack("<IIII", 1, len(attached), 1, len(attached)) + bytes(8)
    one = {0x3001: "Armelle QUEMENEUR", 0x39FE: "armelle.quemeneur@exemple.fr"}
    tree = {
        **stored(own | values, head),
        "__nameid_version1.0": {},
        "__recip_version1.0_#00000000": stored(one, bytes(8)),
    }
    for number, part in enumerate(attached):
        tree[f"__attach_version1.0_#{number:08X}"] = stored({0x3705: 1} | part, bytes(8))
    return compound(tree)


def test_bodies_and_attachments_are_released_and_no_header() -> None:
    letter = {0x3701: message(*LETTER_SEGMENTS).encode(), 0x3707: "QUEMENEUR.hl7"}
    logo = {0x3701: b"\x89PNG", 0x370E: "image/png", 0x3712: "logo"}
    values = {0x1000: f"{SAID}\nG. Larvor", 0x1013: f"<p title='QUEMENEUR'>{SAID}</p>".encode()}
    data, _ = released(mail(values | {0x3FDE: 65001}, letter, logo), "in.msg")
    new = message_from_bytes(data, policy=policy.default)
    types = [part.get_content_type() for part in new.iter_attachments()]
    assert types == ["text/plain", "text/html", "application/hl7-v2"]
    everything = "".join(str(part.get_payload(decode=True)) for part in new.iter_attachments())
    assert everything.count("Mme [LAST_NAME], FEVG 45 %") == 2
    gone = ("quemeneur", "larvor", "exemple", "8004512377")
    assert [one for one in gone if one in (everything + data.decode()).lower()] == []


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\xd0\xcf\x11\xe0QUEMENEUR", ": damaged, or no .msg file"),
        (mail({}), ": holds no document"),
        (mail({0x1009: b"QUEMENEUR"}), " › body 1: is RTF alone"),
        (mail({0x1000: SAID}, {0x3707: "QUEMENEUR"}), " › attachment 1: is a mail of its own"),
        (
            mail({0x1000: SAID}, {0x3701: b"x", 0x3707: "a.pdf.exe"}),
            " › attachment 1: its name",
        ),
    ],
)
def test_what_is_refused_names_the_part(data: bytes, error: str) -> None:
    row = row_of(data, "in.msg")
    assert row.document is None
    assert row.error.startswith(f"file in.msg{error}")
