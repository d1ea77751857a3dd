"""`dpdeid run --exclude`: patients who object are not in the output, and the run says how many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.options import read_patients
from dpdeid.errors import UsageError
from tests.conftest import KEY

ROWS = (
    {"id": "a", "text": "Mme Durand.", "patient_id": "p"},
    {"id": "b", "text": "M. Petit.", "patient_id": "q"},
    {"id": "c", "text": "Mme DURAND.", "patient_id": "p"},
    {"id": "d", "text": "RAS.", "patient_id": 7},
)


def run(source: Path, *args: object) -> Result:
    command = ["run", source, "--policy", "redact", "--keep-ids", *args]
    return CliRunner().invoke(app, list(map(str, command)), env={"DPDEID_KEY": KEY.hex()})


def rows(path: Path, *given: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in given), encoding="utf-8")
    return path


def ids(result: Result) -> list[tuple[str, bool]]:
    """Id of each output row, and whether it is an error."""
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return [(row["id"], "error" in row) for row in lines]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return rows(tmp_path / "n.jsonl", *ROWS)


def excluding(source: Path, content: str, *args: object) -> Result:
    (source.parent / "no.txt").write_text(content, encoding="utf-8")
    return run(source, "--exclude", source.parent / "no.txt", *args)


def test_their_rows_are_not_in_the_output_and_are_counted(source: Path) -> None:
    result = excluding(source, "p\nnobody\n", "--absent-ok")
    assert result.exit_code == 0
    assert ids(result) == [("b", False), ("d", False)]
    assert "2 rows of 1 patient left out (--exclude lists 2 patients; 1 without a row here)" in (
        result.stderr
    )


def test_an_id_without_a_row_stops_the_run_before_anything_is_released(source: Path) -> None:
    """A typing error would release somebody who objects."""
    out = source.parent / "out.jsonl"
    for options in ((), ("-o", out)):
        result = excluding(source, "p\n\nP\nnobody\n", *options)
        assert isinstance(result.exception, UsageError)
        said = str(result.exception)
        assert "no.txt: no row is of the patient of line 3 and of 1 line more" in said
        assert "nobody" not in said
        assert result.stdout == ""
        assert not out.exists()


def test_the_others_are_released_as_if_nobody_objected(source: Path) -> None:
    everybody = {json.loads(x)["id"]: x for x in run(source).stdout.splitlines()}
    rest = excluding(source, "p").stdout.splitlines()
    assert rest == [everybody["b"], everybody["d"]]


@pytest.mark.parametrize(
    "content", ["p\n7\n", "7\r\n  p  \r\n\r\n", "\ufeff7\np", "p\np\n7\n", "p\u20287"]
)
def test_the_file_may_be_written_in_any_editor(content: str, source: Path) -> None:
    assert ids(excluding(source, content)) == [("b", False)]


def test_if_all_object_nothing_failed(source: Path) -> None:
    result = excluding(source, "p\nq\n7\n")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "4 rows of 3 patients left out" in result.stderr


def test_if_the_one_note_of_a_file_is_left_out_nothing_is_released(tmp_path: Path) -> None:
    source, out = tmp_path / "n.xml", tmp_path / "out.xml"
    source.write_text("<a><ipp>p</ipp></a>", encoding="utf-8")
    result = excluding(source, "p", "-o", out)
    assert isinstance(result.exception, UsageError)
    assert str(result.exception) == "nothing is released: every note is left out"
    assert not out.exists()


def test_nobody_objects(source: Path) -> None:
    result = excluding(source, "")
    assert result.exit_code == 0
    assert len(ids(result)) == 4
    assert "0 rows of 0 patients left out (--exclude lists 0 patients" in result.stderr
    assert "patients left out" not in run(source).stderr


def test_a_note_that_may_be_anybody_s_is_not_released(tmp_path: Path) -> None:
    """Without an id nobody can tell that it is not of somebody who objects."""
    source = rows(tmp_path / "n.jsonl", {"id": "x", "text": "Mme Durand."}, *ROWS)
    result = excluding(source, "p")
    assert result.exit_code == 3
    assert ids(result) == [("b", False), ("d", False), ("x", True)]
    assert "row 1: no patient_id, and --exclude" in result.stdout
    assert run(source).exit_code == 0


def test_also_a_row_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    bad = {"id": "x", "text": "y", "patient_id": "p", "note_date": "soon"}
    source = rows(tmp_path / "n.jsonl", bad, *ROWS, {"id": "b", "text": "z", "patient_id": "p"})
    result = excluding(source, "p")
    assert result.exit_code == 0
    assert ids(result) == [("b", False), ("d", False)]


def test_no_private_file_knows_them(source: Path) -> None:
    (source.parent / "no.txt").write_text("p")
    files = {kind: source.parent / kind for kind in ("spans", "mapping", "ledger")}
    options = [x for kind, path in files.items() for x in (f"--{kind}", path)]
    run(source, "--exclude", source.parent / "no.txt", *options)
    assert "Durand" not in "".join(path.read_text() for path in files.values())
    assert json.loads(files["ledger"].read_text())["left_out_rows"] == 2


def test_a_file_that_cannot_be_read_stops_everything(source: Path) -> None:
    missing = run(source, "--exclude", source.parent / "none")
    assert isinstance(missing.exception, UsageError)
    assert "none" in str(missing.exception)
    assert missing.stdout == ""
    (source.parent / "latin").write_bytes(b"p\nq\nDur\xe9\n")
    with pytest.raises(UsageError, match="latin, line 3: not UTF-8"):
        read_patients(source.parent / "latin")
