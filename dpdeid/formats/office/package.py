"""Packages of parts (OPC: a .docx is one): what is read of them, and new ones.

Only parts that are asked for are unpacked, in memory and up to a limit, whatever a package says of
their sizes. Errors are `ValueError`, say why a package is refused and repeat nothing of it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any, Final
from xml.etree import ElementTree as Xml
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, LargeZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError  # noqa: N812 - a class

MEMBERS: Final = 4_096
PACKED: Final = 256 << 20
UNPACKED: Final = 64 << 20
"""Bytes of all parts that are read."""
RATIO: Final = 200
"""Most bytes of a part for one packed byte; a part of less than a megabyte may have more."""
DEPTH: Final = 120
_BOMB: Final = "a part is far larger than a document's (a zip bomb?)"
_FREE: Final = 1 << 20
_OLE: Final = b"\xd0\xcf\x11\xe0"
_RELATIONS: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


class Package:
    """The parts of a package.

    Args:
        kind: what the names of such files end with, for messages.

    Raises:
        ValueError: it is none, or one that is refused.
    """

    def __init__(self, data: bytes, kind: str = ".docx") -> None:
        if data.startswith(_OLE):
            raise ValueError(f"has a password, or is older than {kind}: save it so, without one")
        if len(data) > PACKED:
            raise ValueError("larger than 256 MB")
        try:
            self._zip = ZipFile(BytesIO(data))
        except (BadZipFile, LargeZipFile, ValueError, OverflowError, NotImplementedError):
            raise ValueError(f"damaged, or no {kind} file") from None
        members = self._zip.infolist()
        names = [member.filename for member in members]
        if len(members) > MEMBERS:
            raise ValueError(f"more than {MEMBERS:,} parts")
        if any(_leads_out(name) for name in names) or len({*map(str.lower, names)}) < len(names):
            raise ValueError("the name of a part leads out of the file, or comes twice")
        if any(member.flag_bits & 1 for member in members):
            raise ValueError("encrypted")
        self._members = {member.filename: member for member in members}
        self._left = UNPACKED

    @property
    def names(self) -> Iterable[str]:
        """Of its parts, without folders."""
        return (name for name in self._members if not name.endswith("/"))

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def check(self, most: int) -> None:
        """Nothing, if all parts are no larger than that, and none by far than it is packed.

        Raises:
            ValueError: they are.
        """
        sizes = [
            (one.file_size, max(_FREE, RATIO * one.compress_size)) for one in self._members.values()
        ]
        if sum(size for size, _ in sizes) > most or any(size > held for size, held in sizes):
            raise ValueError(_BOMB)

    def part(self, name: str) -> bytes:
        """The bytes of a part.

        Raises:
            ValueError: it is not there, damaged, or too large.
        """
        member = self._members.get(name)
        if member is None:
            raise ValueError("damaged: a part is missing")
        most = min(self._left, max(_FREE, RATIO * member.compress_size))
        try:
            with self._zip.open(member) as file:
                data = file.read(most + 1)
        except (BadZipFile, ZlibError, EOFError, OSError, ValueError, NotImplementedError):
            raise ValueError("damaged") from None
        if len(data) > most:
            raise ValueError(_BOMB)
        self._left -= len(data)
        return data

    def relations(self, name: str) -> Iterator[tuple[str, str, str]]:
        """The parts that one refers to: the id there, the end of the kind, and the name of each;
        what lies outside the package is left out. "" is the package itself.

        Raises:
            ValueError: they cannot be read.
        """
        folder, base = posixpath.split(name)
        beside = posixpath.join(folder, "_rels", f"{base}.rels")
        if beside not in self:
            return
        for one in parsed(self.part(beside), Xml.TreeBuilder()).iter(_RELATIONS):
            target = one.get("Target", "")
            place = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            if one.get("TargetMode") != "External" and place in self:
                yield one.get("Id", ""), one.get("Type", "").rpartition("/")[2], place


def _leads_out(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]


class Checked:
    """A target of an XML parser that passes on to another, and refuses a document type declaration
    before any entity is declared, and elements deeper than `DEPTH`.
    """

    def __init__(self, target: Any) -> None:
        self._target, self._depth = target, 0
        self.end, self.data, self.close = self._end, target.data, target.close

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        raise ValueError("has a document type declaration")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEPTH:
            raise ValueError("damaged: nested too deep")
        self._target.start(tag, attributes)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._target.end(tag)


def parsed(data: bytes, target: Any) -> Any:
    """What the target makes of XML.

    Raises:
        ValueError: it is refused, or no XML.
    """
    parser = Xml.XMLParser(target=Checked(target))
    try:
        parser.feed(data)
        return parser.close()
    except (Xml.ParseError, LookupError):
        raise ValueError("damaged: a part is not valid XML") from None


def packed(parts: Mapping[str, bytes]) -> bytes:
    """A package of the parts in their order. Equal parts give equal bytes: it holds no time."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, data in parts.items():
            member = ZipInfo(name, _EPOCH)
            member.compress_type = ZIP_STORED if name == "mimetype" else ZIP_DEFLATED
            file.writestr(member, data)
    return out.getvalue()
