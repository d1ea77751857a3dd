"""Who went back: a line each time, by the operating system's word, before anything is shown."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from dpdeid.cohort import access_log
from dpdeid.cohort.access_log import path_of, record, user
from dpdeid.errors import SealError


def test_every_use_adds_a_line(tmp_path: Path) -> None:
    sealed = tmp_path / "sealed"
    record(sealed, "restore", "k1", ["r1", "r2"])
    record(sealed, "refused: wrong key", "k2")
    assert path_of(sealed) == tmp_path / "sealed.log"
    assert stat.S_IMODE(path_of(sealed).stat().st_mode) == 0o600
    one, two = map(json.loads, path_of(sealed).read_text().splitlines())
    assert (one["what"], one["key"], one["rows"]) == ("restore", "k1", ["r1", "r2"])
    assert (two["what"], two["key"], two["rows"]) == ("refused: wrong key", "k2", [])
    assert one["who"] == two["who"] == user()
    assert one["when"] <= two["when"]
    assert one["when"].endswith("+00:00")


def test_the_user_cannot_choose_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    before = user()
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME", "SUDO_USER"):
        monkeypatch.setenv(name, "somebody-else")
    assert user() == before
    assert "somebody-else" not in before


@pytest.mark.skipif(os.name == "nt", reason="users have no number there")
def test_a_user_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 3_999_999_999)
    assert user() == "(3999999999)"


def test_a_log_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    path_of(tmp_path / "sealed").mkdir()
    with pytest.raises(SealError, match=r"sealed\.log.*nothing is shown"):
        record(tmp_path / "sealed", "restore", "k")


def test_an_interrupted_line_spoils_no_other(tmp_path: Path) -> None:
    sealed = tmp_path / "sealed"
    record(sealed, "restore", "k")
    with path_of(sealed).open("a") as file:
        file.write('{"when": "20')
    record(sealed, "forget", "k")
    lines = [json.loads(line) for line in path_of(sealed).read_text().splitlines()]
    assert [line["what"] for line in lines] == ["restore", "forget"]


def test_a_second_writer_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[bool] = []
    monkeypatch.setattr(access_log.durable, "_lock", lambda file, wait, shared: waits.append(wait))
    record(tmp_path / "sealed", "restore", "k")
    assert waits == [True]
