"""`run --seal`, `restore` and `forget` as a user runs them."""

from __future__ import annotations

import json
import re
import shlex
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli import restore as command
from dpdeid.cli.app import app
from dpdeid.cohort.cohort import Cohort, read_key
from dpdeid.cohort.sealed import Seal
from dpdeid.errors import SealError, SealKeyError, UsageError
from dpdeid.policy.policy import policy_text

ROWS: tuple[dict[str, Any], ...] = (
    {"id": "a", "text": "Mme Durand,\r\nvue le 12/03/2021 à Lyon. \ud800 e\u0301\u202e\x00",
     "patient_id": "p", "note_date": "2021-03-12", "ward": 4},
    {"id": "b", "text": "M. Petit, vu à Brest 🫀.", "patient_id": "q"},
    {"id": "c", "text": "RAS", "patient_id": "p"},
    {"id": "d", "text": ""},
)  # fmt: skip


def invoke(*args: object, stdin: str | None = None) -> Result:
    env = {"DPDEID_KEY": None}
    return CliRunner().invoke(app, [str(a) for a in args], env=env, input=stdin)


def parsed(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def words(result: Result) -> str:
    return " ".join(result.output.split())


class Ward:
    """A folder in which notes were released and sealed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source, self.released = folder / "n.jsonl", folder / "r.jsonl"
        self.cohort, self.seal, self.key = folder / "c", folder / "sealed", folder / "seal.key"
        self.log = folder / "sealed.log"
        self.source.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        policy = folder / "policy.yaml"  # the rules alone: the models take time to load
        policy.write_text(policy_text("redact").replace(", crf, transformer]", "]"))
        assert invoke("cohort", "new", self.cohort, "-p", policy).exit_code == 0
        assert invoke("key", "new", self.key).exit_code == 0

    @property
    def sealing(self) -> tuple[object, ...]:
        return ("--seal", self.seal, "--seal-key-file", self.key)

    def run(self, *args: object) -> Result:
        options = ("--keep-order", *self.sealing, "-o", self.released, *args)
        return invoke("run", self.source, "-c", self.cohort, *options)

    def restore(self, *args: object) -> Result:
        return invoke("restore", self.released, *self.sealing, *args)

    def logged(self) -> list[dict[str, Any]]:
        return parsed(self.log.read_text())


@pytest.fixture
def ward(tmp_path: Path) -> Ward:
    ward = Ward(tmp_path)
    assert ward.run("--keep", "ward").exit_code == 0
    return ward


class TestRestore:
    def test_the_exact_rows_come_back(self, ward: Ward) -> None:
        result = ward.restore()
        assert result.exit_code == 0
        back = parsed(result.stdout)
        assert back == [{"patient_id": None, **row} for row in ROWS]
        assert [row["text"] for row in parsed(ward.released.read_text())] != [
            row["text"] for row in ROWS
        ]

    def test_what_comes_back_is_released_again_as_it_was(self, ward: Ward) -> None:
        before = ward.released.read_bytes(), ward.seal.read_bytes()
        assert ward.restore("-o", ward.source).exit_code == 0
        assert ward.run("--keep", "ward").exit_code == 0
        assert (ward.released.read_bytes(), ward.seal.read_bytes()) == before

    def test_into_a_file_that_only_its_owner_reads(self, ward: Ward) -> None:
        back = ward.folder / "back.jsonl"
        result = ward.restore("-o", back)
        assert (result.exit_code, result.stdout) == (0, "")
        assert stat.S_IMODE(back.stat().st_mode) == 0o600
        assert len(parsed(back.read_text())) == len(ROWS)

    def test_ids_alone(self, ward: Ward) -> None:
        result = ward.restore("--ids")
        assert result.exit_code == 0
        released = [row["id"] for row in parsed(ward.released.read_text())]
        assert parsed(result.stdout) == [
            {"released_id": out, "id": row["id"], "patient_id": row.get("patient_id")}
            for out, row in zip(released, ROWS, strict=True)
        ]
        assert ward.logged()[-1]["what"] == "reveal ids"

    @pytest.mark.parametrize("keep_ids", [True, False])
    def test_some_rows_in_any_order(self, keep_ids: bool, tmp_path: Path) -> None:
        ward = Ward(tmp_path)
        ward.run(*(["--keep-ids"] if keep_ids else []))
        lines = ward.released.read_text().splitlines(True)
        ward.released.write_text(lines[2] + lines[0])
        assert [row["id"] for row in parsed(ward.restore().stdout)] == ["c", "a"]

    def test_a_changed_text_is_not_taken_for_the_released_one(self, ward: Ward) -> None:
        rows = parsed(ward.released.read_text())
        rows[0]["text"] += " "
        ward.released.write_text("".join(json.dumps(row) + "\n" for row in rows))
        result = ward.restore()
        assert result.exit_code == 3
        first, *others = parsed(result.stdout)
        assert first == {
            "id": rows[0]["id"],
            "error": "row 1: the text is not the one that was released",
        }
        assert [row["id"] for row in others] == ["b", "c", "d"]
        assert "1 row could not be restored" in result.stderr
        assert parsed(ward.restore("--ids").stdout)[0]["id"] == "a"

    def test_rows_that_were_never_sealed_or_cannot_be_read(self, ward: Ward) -> None:
        ward.released.write_text('{"id": "x", "text": "y"}\n{"id": "z", "error": "row 1"}\n{\n')
        result = ward.restore()
        assert result.exit_code == 4
        assert [row["id"] for row in parsed(result.stdout)] == ["x", "z", None]
        assert all(set(row) == {"id", "error"} for row in parsed(result.stdout))
        assert "row 1: no entry in" in result.stdout

    def test_a_cut_file_gives_back_the_rest_and_says_so(self, ward: Ward) -> None:
        ward.seal.write_bytes(ward.seal.read_bytes()[:-40])
        result = ward.restore()
        assert result.exit_code == 3
        assert [("error" in row) for row in parsed(result.stdout)] == [False] * 3 + [True]
        assert "1 lines of" in result.stderr
        assert "cut off" in result.stderr

    def test_another_key_is_a_clear_error_and_is_logged(self, ward: Ward) -> None:
        other = ward.folder / "other.key"
        invoke("key", "new", other)
        refused = invoke("restore", ward.released, "--seal", ward.seal, "--seal-key-file", other)
        assert isinstance(refused.exception, SealKeyError)
        assert "wrong key" in str(refused.exception)
        assert refused.stdout == ""
        assert [line["what"] for line in ward.logged()] == ["refused: wrong key"]
        assert ward.logged()[0]["key"] == Seal.of(read_key(other)).fingerprint

    def test_nothing_to_restore_from(self, ward: Ward) -> None:
        for seal, message in ((ward.folder / "none", "none"), (ward.source, "n.jsonl")):
            refused = invoke("restore", ward.released, "--seal", seal, "--seal-key-file", ward.key)
            assert isinstance(refused.exception, SealError)
            assert message in str(refused.exception)


class TestLog:
    def test_each_use_says_who_when_and_which_notes(self, ward: Ward) -> None:
        ward.restore()
        (line,) = ward.logged()
        seal = Seal.of(read_key(ward.key))
        released = [row["id"] for row in parsed(ward.released.read_text())]
        assert line["rows"] == [seal.row(one) for one in released]
        assert line["who"]
        assert line["when"]
        assert stat.S_IMODE(ward.log.stat().st_mode) == 0o600

    def test_it_is_written_before_anything_is_shown(
        self, ward: Ward, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also where more rows come than are logged together."""
        monkeypatch.setattr(command, "_TOGETHER", 3)
        logged: list[int] = []
        line_of = command.json_line

        def line(row: dict[str, Any]) -> str:
            logged.append(sum(len(one["rows"]) for one in ward.logged()))
            return line_of(row)

        monkeypatch.setattr(command, "json_line", line)
        assert ward.restore().exit_code == 0
        assert logged == [3, 3, 3, 4]

    def test_without_a_log_nothing_is_shown(self, ward: Ward) -> None:
        ward.log.mkdir()
        refused = ward.restore()
        assert isinstance(refused.exception, SealError)
        assert "nothing is shown" in str(refused.exception)
        assert refused.stdout == ""

    def test_rows_that_were_not_restored_are_not_in_it(self, ward: Ward) -> None:
        ward.released.write_text('{"id": "x", "text": "y"}\n')
        ward.restore()
        assert ward.logged()[0]["rows"] == []


class TestRun:
    def test_sealing_is_off_by_default(self, tmp_path: Path) -> None:
        ward = Ward(tmp_path)
        invoke("run", ward.source, "-c", ward.cohort)
        assert not ward.seal.exists()

    def test_entries_are_sealed_before_rows_are_released(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ward = Ward(tmp_path)
        sealed: list[int] = []

        def line(row: dict[str, Any]) -> str:
            sealed.append(len(ward.seal.read_bytes().splitlines()) - 1)
            return "{}\n"

        monkeypatch.setattr("dpdeid.cli.releasing.release._TOGETHER", 3)
        monkeypatch.setattr("dpdeid.cli.releasing.release.json_line", line)
        assert ward.run().exit_code == 0
        assert sealed == [3, 3, 3, 4]

    def test_it_changes_nothing_of_what_is_released(self, ward: Ward) -> None:
        bare = invoke("run", ward.source, "-c", ward.cohort, "--keep-order", "--keep", "ward")
        assert bare.stdout == ward.released.read_text()

    @pytest.mark.parametrize("option", ["--seal", "--seal-key-file"])
    def test_file_and_key_go_together(self, option: str, ward: Ward) -> None:
        refused = invoke("run", ward.source, "-c", ward.cohort, option, ward.key)
        assert isinstance(refused.exception, UsageError)
        assert "go together" in str(refused.exception)

    def test_the_cohort_s_key_cannot_seal(self, ward: Ward) -> None:
        key = ward.cohort / "key"
        options = ("-c", ward.cohort, "--seal", ward.seal, "--seal-key-file", key)
        refused = invoke("run", ward.source, *options)
        assert isinstance(refused.exception, UsageError)
        assert "make another" in str(refused.exception)

    def test_options_the_wrong_way_round_destroy_no_key(self, ward: Ward) -> None:
        before = ward.key.read_bytes(), ward.seal.read_bytes()
        options = ("--seal", ward.key, "--seal-key-file", ward.seal)
        assert isinstance(
            invoke("run", ward.source, "-c", ward.cohort, *options).exception, UsageError
        )
        assert (ward.key.read_bytes(), ward.seal.read_bytes()) == before

    def test_two_runs_share_one_file(self, ward: Ward) -> None:
        first = ward.released.read_text()
        row = {"id": "e", "text": "Revue Mme Durand.", "patient_id": "p"}
        ward.source.write_text(json.dumps(row) + "\n")
        assert ward.run().exit_code == 0
        ward.released.write_text(first + ward.released.read_text())
        assert [row["id"] for row in parsed(ward.restore().stdout)] == ["a", "b", "c", "d", "e"]


class TestForget:
    def forget(self, ward: Ward, patient: str = "p", *args: object, **kw: str) -> Result:
        return invoke("forget", patient, "-c", ward.cohort, *ward.sealing, *args, **kw)

    def test_the_patient_is_gone_from_now_on(self, ward: Ward) -> None:
        done = self.forget(ward)
        assert done.exit_code == 0
        assert "sealed: 2 notes taken out" in words(done)
        assert "nothing of this patient" not in words(done)
        assert "later runs leave the patient out" in words(done)
        back = parsed(ward.restore().stdout)
        assert [(row["id"], "error" in row) for row in back][1::2] == [("b", False), ("d", False)]
        assert all("forgotten" in row["error"] for row in back[::2])
        again = ward.run()
        assert again.exit_code == 0
        assert "2 rows of forgotten patients left out" in again.stderr
        own = Cohort(read_key(ward.cohort / "key"))
        assert [row["id"] for row in parsed(ward.released.read_text())] == [
            own.released_id(note) for note in ("b", "d")
        ]
        assert "1 patient forgotten" in words(invoke("cohort", "show", ward.cohort))

    def test_it_names_what_was_released_and_not_the_patient(self, ward: Ward) -> None:
        own = Cohort(read_key(ward.cohort / "key"))
        done = self.forget(ward, "p")
        lines = done.stdout.splitlines()
        assert own.released_id("a") in lines
        assert own.released_id("c") in lines
        assert own.released_id("b") not in lines
        assert "What this command cannot reach" in done.stdout

    def test_twice(self, ward: Ward) -> None:
        self.forget(ward)
        content = ward.seal.read_bytes()
        again = self.forget(ward)
        assert again.exit_code == 0
        assert "sealed: 0 notes taken out" in words(again)
        assert "The patient was forgotten before" in words(again)
        assert "Released under these ids" not in again.stdout
        assert ward.seal.read_bytes() == content

    def test_an_unknown_id_is_an_error(self, ward: Ward) -> None:
        mapping = ward.folder / "m.jsonl"
        ward.run("--mapping", mapping)
        for done in (self.forget(ward, "P"), invoke("forget", "Zorg", "--mapping", mapping)):
            assert done.exit_code == 4
            assert "nothing of this patient was found in what was named" in done.stderr
            assert "Zorg" not in done.output
        assert self.forget(ward, "P").exit_code == 0  # the cohort knows it now

    def test_the_id_can_be_kept_out_of_the_shell_s_history(self, ward: Ward) -> None:
        assert "2 notes taken out" in words(self.forget(ward, "-", stdin="p\n"))

    def test_plain_mappings_too(self, ward: Ward) -> None:
        mapping = ward.folder / "m.jsonl"
        ward.run("--mapping", mapping)
        assert "Durand" in mapping.read_text()
        done = invoke("forget", "p", "--mapping", mapping)
        assert done.exit_code == 0
        assert "m.jsonl: 2 notes taken out" in words(done)
        assert "1 note without a patient id" in words(done)
        assert [row["id"] for row in parsed(mapping.read_text())] == ["b", "d"]
        assert stat.S_IMODE(mapping.stat().st_mode) == 0o600

    def test_a_closed_cohort_says_what_that_means(self, ward: Ward) -> None:
        invoke("cohort", "close", ward.cohort, "--yes")
        done = self.forget(ward)
        assert done.exit_code == 0
        assert "they lead to nobody" in words(done)
        assert "sealed: 2 notes taken out" in words(done)

    def test_wrong_usage(self, ward: Ward) -> None:
        for args, message in (
            ((), "name --cohort, --seal or --mapping"),
            (("--seal", ward.seal), "go together"),
            (("-c", ward.folder), "holds no cohort"),
            (("--mapping", ward.folder / "none"), "none"),
        ):
            refused = invoke("forget", "p", *args)
            assert isinstance(refused.exception, UsageError)
            assert message in str(refused.exception)


DOCS = Path(__file__).parents[2] / "docs" / "reversible.md"
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    for line in block.splitlines()
    if line.startswith("dpdeid ")
]


def test_the_commands_of_the_page_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {"id": "a", "text": "Mme Durand, vue à Lyon.", "patient_id": "12345"}
    Path("notes.jsonl").write_text(json.dumps(row) + "\n")
    Path("objections.txt").write_text("999\n")
    said = {}
    for line in COMMANDS:
        done = invoke(*shlex.split(line)[1:])
        assert done.exit_code == 0, (line, done.output, done.exception)
        said[line.split()[1]] = done.output
    assert {"cohort", "key", "run", "restore", "forget"} == set(said)
    assert parsed(said["restore"])[0]["patient_id"] == "12345"
    assert "sealed: 1 note taken out" in said["forget"]
    assert json.loads(Path("back.jsonl").read_text())["text"] == row["text"]


@pytest.mark.parametrize("name", ["restore", "forget"])
def test_help_is_in_plain_words(name: str) -> None:
    said = " ".join(invoke(name, "--help").stdout.split())
    assert "--seal-key-file" in said
    assert not {"cryptography", "AES", "entry point"} & set(said.split())
