"""Values of HL7: what is written reads as it was, with the offsets back."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.formats.messages import segments
from dpdeid.formats.messages.segments import Marks, messages

MARKS = st.sampled_from([Marks(), Marks("*", ":", "+", "!", "%"), Marks("|", "^", "~", "\\", "")])
TEXT = st.text(
    st.sampled_from("a\\|^~&:*+!%é.brXEF09\n ") | st.characters(exclude_categories=["C"])
)


@given(MARKS, TEXT)
def test_a_text_that_is_written_reads_as_it_was(marks: Marks, text: str) -> None:
    raw = marks.written(text)
    assert marks.plain(raw) == text
    assert not set(raw) & {marks.field, marks.component, marks.repetition, "\r", "\n"}


@given(MARKS, TEXT)
def test_every_character_leads_back(marks: Marks, raw: str) -> None:
    reading = marks.read(settled := marks.settled(raw))
    assert reading.raw == settled
    for at, character in enumerate(reading.text):
        if (stretch := reading.to_raw(at, at + 1)) and stretch[1] - stretch[0] == 1:
            assert settled[stretch[0]] == character


@given(st.binary(max_size=60) | TEXT.map(str.encode))
def test_no_bytes_break_it(data: bytes) -> None:
    for head in (b"", b"MSH|^~\\&|", b"MSH"):
        for message in messages(BytesIO(head + data)):
            assert message


def test_a_text_without_an_escape_sign() -> None:
    marks = Marks("|", "^", "~", "", "")
    assert marks.written("a|b\nc") == "a b c"
    assert marks.plain("a\\T\\b") == "a\\T\\b"


@pytest.mark.parametrize("line", ["RAS", "HTA", "TVP", "PID", "NTE"])
def test_a_line_of_three_capitals_is_a_line_of_a_text(line: str) -> None:
    text = f"Antécédents :\r\n{line}\r\nRevu|||||F"
    (message,) = messages(BytesIO(f"MSH|^~\\&|\rOBX|1|TX|||{text}\rNTE|1||Suite".encode()))
    assert not isinstance(message, str)
    assert message.field("OBX", 5) == f"Antécédents :\n{line}\nRevu"
    assert message.field("NTE", 3) == "Suite"


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 1 << 20])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_messages_are_the_same_however_a_file_comes(
    size: int, codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [f"MSH|^~\\&|été{at}\rOBX|1|TX|||MSH|MS\n" for at in range(4)]
    text = "FHS|^~\\&|x\r\x0b" + "\x1c\r\x0b".join(some) + "\x1c\rBTS|MSHX\rMS"
    least = {"utf-16": 4, "utf-16-le": 64}.get(codec, 1)  # its encoding is told by the first bytes
    monkeypatch.setattr(segments, "_CHUNK", max(size, least))
    found = [*messages(BytesIO(text.encode(codec)))]
    assert [isinstance(one, segments.Message) and one.field("MSH", 3) for one in found] == [
        "été0", "été1", "été2", "été3",
    ]  # fmt: skip
    assert [one.field("OBX", 5) for one in found if not isinstance(one, str)] == ["MSH"] * 4
