"""HL7 v2 messages as segments of fields, and values with their escapes read and written.

Tolerated: frames of MLLP, batches, any segment ends, marks other than | ^ ~ \\ &, and lines that
belong to the value before them because a sender did not escape its line breaks.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, pairwise
from typing import BinaryIO, Final

from dpdeid.formats.encodings import decoded, encoding_of
from dpdeid.views.reading import Edit, Reading

_FRAMES: Final = bytes.maketrans(b"\x0b\x1c", b"\r\r")
_CHUNK: Final = 1 << 20
_BEGINS: Final = b"MSH"
_HEAD: Final = re.compile(rb"(?:\A|(?<=[\r\n]))MSH(?=[^\w\s])")
_ENDS: Final = re.compile(r"\r\n|\r|\n")
_NAME: Final = re.compile(r"[A-Z][A-Z0-9]{2}")
_CODECS: Final = {
    "8859/1": "cp1252",
    "8859/15": "iso-8859-15",
    "UNICODE UTF-8": "utf-8",
    "UNICODE": "utf-8",
    "UTF-8": "utf-8",
}
"""Character sets of MSH-18 (table 0211). Others go by the bytes."""
_COMMAND: Final = (
    r"(?:(?i:\.(?:br|sp|in|ti|ce|sk|fi|nf))[+-]?\d{0,3}|X(?:[0-9A-Fa-f]{2}){1,400}|[EFRSTHN]"
    r"|[CMZ][0-9A-Fa-f]{2,6})"
)


@dataclass(frozen=True, slots=True)
class Marks:
    """The separators of a message, from MSH-1 and MSH-2; "" where it has none."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    part: str = "&"

    @classmethod
    def of(cls, head: str) -> Marks:
        """Those of a line that begins with MSH."""
        mark = head[3]
        others = head[4:].split(mark)[0][:4]
        return cls(mark, *others, *[""] * (4 - len(others)))

    @property
    def used(self) -> str:
        """All that there are."""
        return self.field + self.component + self.repetition + self.escape + self.part

    def split(self, value: str, mark: str) -> list[str]:
        """A value at a separator."""
        return value.split(mark) if mark else [value]

    def repeated(self, value: str) -> list[list[str]]:
        """The components of each repetition of a value, with their escapes read."""
        return [
            [self.plain(one) for one in self.split(each, self.component)]
            for each in self.split(value, self.repetition)
        ]

    def plain(self, value: str) -> str:
        """A value with its escapes read."""
        return self.read(value).text

    def read(self, raw: str) -> Reading:
        """A textual value as it reads, with the offsets back. Repetitions are lines."""
        reading = Reading(raw, raw)
        edits = [*self._edits(raw)]
        return reading.edited(edits) if edits else reading

    def _edits(self, raw: str) -> Iterator[Edit]:
        commands = re.escape(self.escape) + _COMMAND + re.escape(self.escape)
        repetition = re.escape(self.repetition)
        pattern = "|".join([commands] * bool(self.escape) + [repetition] * bool(repetition))
        for found in re.finditer(pattern, raw) if pattern else ():
            plain = "\n" if found[0] == self.repetition else self._meant(found[0][1:-1])
            yield Edit(found.start(), found.end(), plain, hollow=not plain.strip())

    def _meant(self, command: str) -> str:
        own = {"F": self.field, "S": self.component, "R": self.repetition, "T": self.part}
        own["E"] = self.escape
        if command in own:
            return own[command]
        if command.startswith("X"):
            data = bytes.fromhex(command[1:])
            try:
                return data.decode()
            except UnicodeDecodeError:
                return data.decode("cp1252", "replace")
        return "\n" if command.lower().startswith((".br", ".sp", ".ce", ".sk")) else ""

    def settled(self, raw: str) -> str:
        """A textual value without bytes in hexadecimal, whose meaning hangs on how the message was
        encoded, and without line breaks.
        """
        if self.escape:
            hexadecimal = re.escape(self.escape) + r"X((?:[0-9A-Fa-f]{2}){1,400})"
            pattern = hexadecimal + re.escape(self.escape)
            raw = re.sub(pattern, lambda found: self.written(self._meant("X" + found[1])), raw)
        return self._broken(raw)

    def written(self, text: str) -> str:
        """A text as a value."""
        names = {self.field: "F", self.component: "S", self.repetition: "R", self.part: "T"}
        names = {mark: name for mark, name in names.items() if mark}
        if not self.escape:
            return self._broken("".join(" " if c in names else c for c in text))
        names[self.escape] = "E"
        escaped = (f"{self.escape}{names[c]}{self.escape}" if c in names else c for c in text)
        return self._broken("".join(escaped))

    def _broken(self, text: str) -> str:
        mark = f"{self.escape}.br{self.escape}" if self.escape else " "
        return _ENDS.sub(lambda _: mark, text)


@dataclass(frozen=True, slots=True)
class Message:
    """A message, or what is said of one patient in it.

    Args:
        marks: its separators.
        segments: its fields by number, the name of the segment first; those of MSH as well.
    """

    marks: Marks
    segments: Sequence[Sequence[str]] = field(repr=False)

    def field(self, segment: str, number: int) -> str:
        """A field of the first segment of a name, "" if there is none."""
        return next((value(one, number) for one in self.segments if one[0] == segment), "")

    def of_patients(self) -> Iterator[Message]:
        """The message for each patient that it names: with the head, and what follows the PID."""
        starts = [at for at, one in enumerate(self.segments) if one[0] == "PID"]
        if len(starts) < 2:
            yield self
            return
        for start, end in zip(starts, [*starts[1:], len(self.segments)], strict=True):
            head = self.segments[: starts[0]]
            yield Message(self.marks, (*head, *self.segments[start:end]))


def value(segment: Sequence[str], number: int) -> str:
    """A field of a segment, "" if it ends before it."""
    return segment[number] if number < len(segment) else ""


def messages(file: BinaryIO) -> Iterator[Message | str]:
    """The messages of an open file, each or what is wrong with it; no more than one is held."""
    for data in _each(_chunks(file)):
        try:
            yield _message(_text(data))
        except ValueError as error:
            yield str(error)


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    """A file in pieces, without its mark of byte order, and in UTF-8 if it was in UTF-16."""
    first = file.read(_CHUNK)
    name, start = encoding_of(first, whole=False)
    chunks = chain([first[start:]], iter(partial(file.read, _CHUNK), b""))
    if not name.startswith("utf-16"):
        yield from chunks
        return
    decoder = codecs.getincrementaldecoder(name)("replace")
    yield from (decoder.decode(chunk).encode("utf-8", "replace") for chunk in chunks)
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _each(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of each message, from its head to the next one."""
    held, starts = bytearray(), list[int]()
    for chunk in chunks:
        seen = max(len(held) - len(_BEGINS), 0)
        held += chunk.translate(_FRAMES)
        starts += (found.start() for found in _HEAD.finditer(held, seen))
        for begin, end in pairwise(starts):
            yield bytes(held[begin:end])
        if starts:
            del held[: starts[-1]]
            starts = [0]
    if starts:
        yield bytes(held)


def _text(data: bytes) -> str:
    """A message by the character set that it names, else by its bytes.

    Raises:
        ValueError: it is no text.
    """
    head = _ENDS.split(data.decode("latin-1"), maxsplit=1)[0]
    marks = Marks.of(head)
    named = marks.split(value(_fields(head, marks), 18), marks.repetition)[0]
    try:
        return data.decode(_CODECS[named.strip().upper()])
    except (KeyError, UnicodeDecodeError):
        return decoded(data)[0]


def _message(text: str) -> Message:
    lines = _ENDS.split(text)
    marks = Marks.of(lines[0])
    if len({*marks.used}) < len(marks.used) or any(c.isalnum() or c.isspace() for c in marks.used):
        raise ValueError("its separators are none")
    whole: list[str] = []
    for line in lines:
        begins = _NAME.fullmatch(line[:3]) and line[3:4] == marks.field  # "RAS" is a line of a text
        if begins or not whole:
            whole.append(line)
        elif line:  # a line break that was not escaped
            whole[-1] += "\n" + line
    return Message(marks, [_fields(line, marks) for line in whole])


def _fields(line: str, marks: Marks) -> list[str]:
    fields = line.split(marks.field)
    return ["MSH", marks.field, *fields[1:]] if line.startswith("MSH") else fields
