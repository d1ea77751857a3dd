"""Files of lines that outlive a crash: one writer, whole lines, all or nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.cohort import durable
from dpdeid.cohort.durable import append, beside, is_stream, open_end, replace
from dpdeid.errors import CohortError


@pytest.mark.parametrize("block", [1, 3, 1 << 16])
def test_a_torn_line_is_cut_off_and_nothing_else(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "_BLOCK", block)
    path = tmp_path / "f"

    @given(st.lists(st.binary(max_size=9).map(lambda b: b.replace(b"\n", b"")), max_size=4))
    def cut(parts: list[bytes]) -> None:
        path.write_bytes(b"\n".join(parts))
        whole = b"".join(part + b"\n" for part in parts[:-1])
        with open_end(path) as file:
            assert path.read_bytes() == whole
            append(file, [b"one\n", b"two\n"])
        assert path.read_bytes() == whole + b"one\ntwo\n"

    cut()


def test_a_new_file_is_its_owner_s(tmp_path: Path) -> None:
    for path in (tmp_path / "a", tmp_path / "b"):
        if path.name == "a":
            open_end(path).close()
        else:
            replace(path, [b"x\n"], CohortError)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with open_end(tmp_path / "f"), pytest.raises(BlockingIOError):
        open_end(tmp_path / "f")
    open_end(tmp_path / "f").close()


def test_whoever_waited_does_not_write_into_a_file_that_was_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old\n")
    lock = durable._lock

    def replaced_meanwhile(file: object, wait: bool, shared: bool) -> None:
        lock(file, wait, shared)  # type: ignore[arg-type]
        replace(path, [b"new\n"], CohortError)

    monkeypatch.setattr(durable, "_lock", replaced_meanwhile)
    with pytest.raises(BlockingIOError):
        open_end(path)
    assert path.read_bytes() == b"new\n"


def test_a_replacement_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old\n")

    def lines() -> object:
        yield b"new\n"
        raise OSError(28, "disk full")

    with pytest.raises(CohortError, match="disk full"):
        replace(path, lines(), CohortError)  # type: ignore[arg-type]
    assert path.read_bytes() == b"old\n"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]
    replace(path, [b"new\n"], CohortError)
    assert path.read_bytes() == b"new\n"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_the_old_file_stands_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    path.chmod(0o640)
    for private, mode in ((False, 0o640), (True, 0o600)):
        with beside(path, private=private) as file:
            file.write(b"new")
            (part,) = tmp_path.glob("f.*.part")
            assert stat.S_IMODE(part.stat().st_mode) == mode
            assert path.read_bytes() == (b"old" if not private else b"new")
        assert stat.S_IMODE(path.stat().st_mode) == mode
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_new_file_follows_the_user_s_mask(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        with beside(tmp_path / "f", private=False):
            pass
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o640


@pytest.mark.parametrize("path", ["/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_nothing_takes_the_place_of_a_device(path: str, tmp_path: Path) -> None:
    assert is_stream(Path(path))
    assert not is_stream(tmp_path / "f")
    with beside(Path("/dev/null")) as file:
        file.write(b"x")
    assert Path("/dev/null").is_char_device()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old\n")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    replace(tmp_path / "link", [b"new\n"], CohortError)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new\n"


def test_what_is_written_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "f", []

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        synced.append("folder" if stat.S_ISDIR(found.st_mode) else found.st_size)

    monkeypatch.setattr(os, "fsync", fsync)
    with open_end(path) as file:
        assert synced == [0, "folder"]
        append(file, [b"one\n"])
        assert synced[-1] == 4
    replace(path, [b"other\n"], CohortError)
    assert synced[-2:] == [6, "folder"]


def test_what_killed_processes_were_writing_goes_with_the_next_one(tmp_path: Path) -> None:
    path, other = tmp_path / "f", tmp_path / "f.12ab34cd.part.txt"
    stays = [other, *(tmp_path / f"{one}.part" for one in ("f", "ff.12ab34cd", "f.12AB34CD"))]
    for file in (*stays, tmp_path / "f.12ab34cd.part", tmp_path / "f.00000000.part"):
        file.write_text("left")
    (tmp_path / "f.0000000a.part").mkdir()
    (tmp_path / "f.0000000a.part" / "note").write_text("left")
    with beside(path) as file:
        file.write(b"new")
    assert {*tmp_path.iterdir()} == {path, *stays}


def test_what_one_alive_is_writing_stays(tmp_path: Path) -> None:
    path = tmp_path / "f"
    folder = durable.part_of(path)
    folder.mkdir()
    with durable.claimed(folder), beside(path) as late:
        with beside(path) as early:
            early.write(b"early")
        assert len([*tmp_path.iterdir()]) == 3
        late.write(b"late")
    assert path.read_bytes() == b"late"
    durable.sweep(path)
    assert {*tmp_path.iterdir()} == {path}
