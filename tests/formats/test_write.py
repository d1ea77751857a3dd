"""Files of figures: private, and JSON whatever the names in them hold."""

from __future__ import annotations

import gzip
import json
import stat
from pathlib import Path

import pytest

from dpdeid.errors import UsageError
from dpdeid.formats.write import open_private, without_identity, write_json


@pytest.mark.parametrize("name", ["Été", "\ud800"])
def test_figures_are_private_and_come_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write_json(path, {"types": {name: 1}})
    assert json.loads(path.read_text(encoding="utf-8")) == {"types": {name: 1}}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["a.jsonl.gz", "A.GZ"])
def test_a_file_is_packed_if_its_name_says_so(name: str, tmp_path: Path) -> None:
    with open_private(tmp_path / name) as file:
        file.write("é\n")
    assert gzip.decompress((tmp_path / name).read_bytes()).decode() == "é\n"
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_identifying_keys_are_left_out_at_any_depth() -> None:
    row = {"ward": [{"SSN": "1", "bed": {"patient": {}, "n": 4}}], "n": "ssn"}
    assert without_identity(row) == {"ward": [{"bed": {"n": 4}}], "n": "ssn"}


def test_identifying_keys_are_left_out_of_tuples_and_arrays() -> None:
    held = ({"ssn": "1", "n": 4},)
    assert without_identity({"ward": held}) == {"ward": [{"n": 4}]}
    np = pytest.importorskip("numpy", reason="needs numpy")
    array = np.array([{"beds": np.array(held, dtype=object)}, held], dtype=object)
    assert without_identity(array) == [{"beds": [{"n": 4}]}, [{"n": 4}]]
    assert without_identity(numbers := np.array([1.5])) is numbers


def test_a_file_that_cannot_be_written_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        write_json(tmp_path / "none" / "figures.json", {})
