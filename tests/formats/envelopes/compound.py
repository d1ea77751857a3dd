"""Compound files, as small as a test needs them: what Outlook writes has the same parts."""

from __future__ import annotations

from collections.abc import Mapping
from struct import pack
from typing import Any, Final

_SECTOR: Final = 512
_SMALL: Final = 64
_NONE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_STRING, _BINARY, _NUMBER = 0x1F, 0x102, 0x3


def compound(tree: Mapping[str, Any]) -> bytes:
    """A file with storages (mappings) and streams (less than 4,096 bytes), of 64 kB at most."""
    entries: list[list[Any]] = [["Root Entry", 5, _NONE, _END, 0, _NONE]]
    small, places = b"", list[int]()

    def add(parent: int, children: Mapping[str, Any]) -> None:
        nonlocal small
        before = None
        for name, content in children.items():
            own = len(entries)
            entries.append([name, 2, _NONE, _END, 0, _NONE])
            entries[parent if before is None else before][2 if before is None else 5] = own
            before = own
            if not isinstance(content, bytes):
                entries[own][1] = 1
                add(own, content)
            elif content:
                assert len(content) < 4096
                entries[own][3:5] = len(places), len(content)
                count = -(-len(content) // _SMALL)
                small += content.ljust(count * _SMALL, b"\0")
                places.extend((*range(len(places) + 1, len(places) + count), _END))

    add(0, tree)
    entries[0][3:5] = 0, len(small)
    parts = (small, _numbers(places), b"".join(map(_entry, entries)))
    body, chain, starts = b"", list[int](), list[int]()
    for part, fill in zip(parts, (b"\0", b"\xff", b"\0"), strict=True):
        count = -(-len(part) // _SECTOR)
        body += part.ljust(count * _SECTOR, fill)
        starts.append(len(chain))
        chain.extend((*range(len(chain) + 1, len(chain) + count), _END))
    chain.append(_FAT)
    assert len(chain) <= _SECTOR // 4
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += pack("<IIIII", 0, 1, starts[2], 0, 4096)
    head += pack("<IIII", starts[1], -(-len(parts[1]) // _SECTOR), _END, 0)
    head += pack("<I", len(chain) - 1)
    return head.ljust(_SECTOR, b"\xff") + body + _numbers(chain).ljust(_SECTOR, b"\xff")


def _numbers(chain: list[int]) -> bytes:
    return b"".join(pack("<I", at) for at in chain)


def _entry(entry: list[Any]) -> bytes:
    name, kind, child, start, size, right = entry
    raw = (name + "\0").encode("utf-16-le")
    whole = raw.ljust(64, b"\0") + pack("<HBB", len(raw), kind, 1)
    return whole + pack("<III", _NONE, right, child) + bytes(36) + pack("<IQ", start, size)


def stored(values: Mapping[int, str | bytes | int], head: bytes) -> dict[str, Any]:
    """The properties of a message, a recipient or an attachment, by their numbers."""
    files, table = dict[str, Any](), head
    for number, given in values.items():
        if isinstance(given, int):
            kind, size = _NUMBER, given
        else:
            kind = _STRING if isinstance(given, str) else _BINARY
            data = given.encode("utf-16-le") if isinstance(given, str) else given
            files[f"__substg1.0_{number:04X}{kind:04X}"] = data
            size = len(data) + 2 * (kind == _STRING)
        table += pack("<IIQ", number << 16 | kind, 6, size)
    return {"__properties_version1.0": table, **files}
