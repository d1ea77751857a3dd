"""Files of figures: private, and JSON whatever the names in them hold."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from dpdeid.errors import UsageError
from dpdeid.formats.write import write_json


@pytest.mark.parametrize("name", ["Été", "\ud800"])
def test_figures_are_private_and_come_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write_json(path, {"types": {name: 1}})
    assert json.loads(path.read_text(encoding="utf-8")) == {"types": {name: 1}}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_written_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        write_json(tmp_path / "none" / "figures.json", {})
