"""The commands as a user runs them: rows in, rows out, exit codes, private files."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli import main
from dpdeid.cli.app import app
from dpdeid.cohort.cohort import Cohort
from dpdeid.errors import UsageError
from dpdeid.policy.policy import policy_text
from dpdeid.testing import notes
from tests.conftest import KEY

GOOD = {"id": "a", "text": "Mme Durand, vue le 12/03/2021 à Lyon.", "note_date": "2021-03-12"}


def invoke(*args: object, stdin: bytes | None = None, key: bool = True) -> Result:
    env = {"DPDEID_KEY": KEY.hex()} if key else {"DPDEID_KEY": None}
    return CliRunner().invoke(app, [str(a) for a in args], env=env, input=stdin)


def jsonl(path: Path, *rows: object) -> Path:
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in rows]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def parsed(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


class TestRun:
    def test_it_releases_keyed_ids_and_text_and_nothing_else(self, tmp_path: Path) -> None:
        source = jsonl(tmp_path / "n.jsonl", {**GOOD, "ward": "north", "patient_id": "p"})
        result = invoke("run", source, "--policy", "redact")
        assert result.exit_code == 0
        (row,) = parsed(result.stdout)
        assert row == {
            "id": Cohort(KEY).released_id("a"),
            "text": "Mme [LAST_NAME], vue le [DATE] à [CITY].",
        }

    def test_keys_that_are_asked_for(self, tmp_path: Path) -> None:
        source = jsonl(tmp_path / "n.jsonl", {**GOOD, "ward": "north"})
        result = invoke("run", source, "--keep-ids", "--keep", "ward", "--keep", "note_date")
        (row,) = parsed(result.stdout)
        assert (row["id"], row["ward"]) == ("a", "north")
        written = dt.date.fromisoformat(row["note_date"])
        assert written != dt.date(2021, 3, 12)
        assert f"vue le {written:%d/%m/%Y} à" in row["text"]

    @pytest.mark.parametrize(
        "key",
        ["patient", "text", "ssn", "entities", "patient_id", "last_name", "SSN", "Last_Name "],
    )
    def test_identifying_keys_are_refused(self, key: str, tmp_path: Path) -> None:
        result = invoke("run", jsonl(tmp_path / "n.jsonl", GOOD), "--keep", key)
        assert isinstance(result.exception, UsageError)
        assert key in str(result.exception)

    def test_what_is_kept_holds_no_identifying_key(self, tmp_path: Path) -> None:
        source = jsonl(tmp_path / "n.jsonl", {**GOOD, "stay": {"ward": "n", "last_name": "Durand"}})
        (row,) = parsed(invoke("run", source, "--keep", "stay").stdout)
        assert row["stay"] == {"ward": "n"}

    def test_a_kept_column_that_names_somebody_is_refused(self, tmp_path: Path) -> None:
        rows = [
            {"id": "a", "text": "Toux.", "motif": "toux grasse"},
            {"id": "b", "text": "Toux.", "motif": "Mme Durand, vue à Lyon"},
        ]
        source, ledger = jsonl(tmp_path / "n.jsonl", *rows), tmp_path / "ledger.json"
        asked = ("run", source, "--keep-ids", "-p", "hnfc", "--ledger", ledger)
        result = invoke(*asked, "--keep", "motif")
        assert result.exit_code == 3
        good, bad = sorted(parsed(result.stdout), key=lambda row: row["id"])
        assert good == {"id": "a", "text": "Toux.", "motif": "toux grasse"}
        assert set(bad) == {"id", "error"}
        assert "--keep motif: it holds 1 LAST_NAME, 1 CITY" in bad["error"]
        assert "--keep motif: rows refused: 1, with 1 LAST_NAME, 1 CITY" in result.stderr
        assert "Durand" not in result.output
        kept = json.loads(ledger.read_text(encoding="utf-8"))["kept"]
        assert kept["refused_rows"] == {"motif": 1}
        assert kept["refused_for"] == {"motif": {"LAST_NAME": 1, "CITY": 1}}
        look = invoke(*asked, "--keep", "motif", "--dry-run")
        assert look.exit_code == 3
        assert "1 LAST_NAME" in look.stdout

    def test_a_column_is_kept_as_it_is_where_that_is_said(self, tmp_path: Path) -> None:
        row = {"id": "a", "text": "Toux.", "motif": "Mme Durand"}
        source, ledger = jsonl(tmp_path / "n.jsonl", row), tmp_path / "ledger.json"
        asked = ("run", source, "--keep-ids", "-p", "hnfc", "--ledger", ledger)
        result = invoke(*asked, "--keep-as-it-is", "motif")
        assert result.exit_code == 0
        assert parsed(result.stdout) == [row]
        assert "--keep-as-it-is motif: no detector looked at this column" in result.stderr
        kept = json.loads(ledger.read_text(encoding="utf-8"))["kept"]
        assert (kept["columns"], kept["as_it_is"]) == (["motif"], ["motif"])
        result = invoke("run", source, "--keep-as-it-is", "text")
        assert isinstance(result.exception, UsageError)

    def test_no_error_that_is_released_names_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "kervadec.txt").write_bytes(b"\x81")
        (tmp_path / "in" / "morvan.jsonl").write_bytes(b"{")
        for source in (tmp_path / "in", tmp_path / "in" / "kervadec.txt"):
            result = invoke("run", source, "-p", "redact")
            assert "file 1: neither UTF-8" in result.stdout
            assert not {"kervadec", "morvan"} & set(re.findall("[a-z]+", result.stdout))
            assert "file 1 is file kervadec.txt" in result.stderr

    def test_released_rows_are_packed_if_the_name_says_so(self, tmp_path: Path) -> None:
        source, packed = jsonl(tmp_path / "n.jsonl", GOOD), tmp_path / "out.jsonl.gz"
        invoke("run", source, "-p", "redact", "-o", packed)
        (row,) = parsed(gzip.decompress(packed.read_bytes()).decode())
        assert row["text"] == "Mme [LAST_NAME], vue le [DATE] à [CITY]."
        assert invoke("detect", packed, "-p", "redact").exit_code == 0

    def test_one_row_out_for_each_row_in(self, tmp_path: Path) -> None:
        rows = [
            GOOD, b'{"id": "b", "text": "', {"id": "c"}, GOOD, {"id": "d", "text": ""},
            {"id": "e", "text": "\x00 \u202e pas de fie\u0300vre\r\n \ud800"},
            b'{"id":"f","text":"\xff"}', {"text": "x"},
        ]  # fmt: skip
        result = invoke("run", jsonl(tmp_path / "n.jsonl", *rows), "--keep-ids")
        assert result.exit_code == 3
        out = parsed(result.stdout)
        assert [(r["id"], "error" in r) for r in out] == [
            ("a", False), ("a", True), ("c", True), ("d", False),
            ("e", False), (None, True), (None, True), (None, True),
        ]  # fmt: skip
        assert [r["error"].split(":")[0] for r in out if "error" in r] == [
            "row 4", "row 3", "row 2", "row 7", "row 8",
        ]  # fmt: skip
        assert out[4]["text"] == "\x00 \u202e pas de fie\u0300vre\r\n \ud800"
        assert all(set(r) <= {"id", "text", "error"} for r in out)

    @pytest.mark.parametrize("rows", [[], [b"{"], [{"id": "a"}]])
    def test_nothing_processed_is_exit_code_4(self, rows: list[object], tmp_path: Path) -> None:
        result = invoke("run", jsonl(tmp_path / "n.jsonl", *rows))
        assert result.exit_code == 4
        assert "no row was processed" in result.stderr

    def test_private_files(self, tmp_path: Path) -> None:
        paths = {kind: tmp_path / f"{kind}.json" for kind in ("spans", "mapping", "ledger")}
        paths["spans"].write_text("old")
        paths["spans"].chmod(0o644)
        options = [x for kind, path in paths.items() for x in (f"--{kind}", path)]
        result = invoke("run", jsonl(tmp_path / "n.jsonl", GOOD), *options, "--policy", "redact")
        assert result.exit_code == 0
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in paths.values())
        (spans,) = parsed(paths["spans"].read_text())
        assert [e["label"] for e in spans["entities"]] == ["LAST_NAME", "DATE", "CITY"]
        (mapping,) = parsed(paths["mapping"].read_text())
        assert mapping["replacements"][0]["original"] == "Durand"
        ledger = json.loads(paths["ledger"].read_text())
        assert ledger["policy"] == "redact"
        assert ledger["mentions"]["LAST_NAME"] == {"redact": 1}
        assert "Durand" not in json.dumps(ledger)

    def test_the_ledger_of_dp_adds_up_to_its_charges(self, tmp_path: Path) -> None:
        path = tmp_path / "ledger.json"
        invoke("run", jsonl(tmp_path / "n.jsonl", {**GOOD, "patient_id": "p"}), "--ledger", path)
        ledger = json.loads(path.read_text())
        ((unit, totals),) = ledger["totals"].items()
        charged = [c for c in ledger["charges"] if c["loss"]["kind"] == "EpsilonPerStep"]
        assert len(charged) == 1
        assert all(c["unit"] == unit for c in ledger["charges"])
        assert {"kind": "EpsilonPerStep", "amount": "1/32"} in totals

    def test_same_key_same_output_and_no_key_says_so(self, tmp_path: Path) -> None:
        source = jsonl(tmp_path / "n.jsonl", GOOD)
        assert invoke("run", source).stdout == invoke("run", source).stdout
        bare = invoke("run", source, key=False)
        assert "cannot be resumed" in bare.stderr
        assert bare.stdout != invoke("run", source, key=False).stdout

    def test_input_forms(self, tmp_path: Path) -> None:
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes" / "a.txt").write_text(GOOD["text"])
        (tmp_path / "notes" / "b.txt").write_bytes(b"\x81")
        for source, codes in ((tmp_path / "notes" / "a.txt", 0), (tmp_path / "notes", 3)):
            result = invoke("run", source, "-p", "redact", "--keep-ids")
            assert result.exit_code == codes
            assert parsed(result.stdout)[0]["text"] == "Mme [LAST_NAME], vue le [DATE] à [CITY]."
        piped = invoke("run", "-", "-p", "redact", stdin=GOOD["text"].encode())
        assert parsed(piped.stdout)[0]["text"] == "Mme [LAST_NAME], vue le [DATE] à [CITY]."

    def test_a_patient_s_notes_agree_wherever_they_stand(self, tmp_path: Path) -> None:
        rows = [
            {"id": "1", "text": "Mme Durand.", "patient_id": "p"},
            {"id": "2", "text": "Mme Martin.", "patient_id": "q"},
            {"id": "3", "text": "MME DURAND.", "patient_id": "p"},
        ]
        out = parsed(invoke("run", jsonl(tmp_path / "n.jsonl", *rows), "--keep-ids").stdout)
        assert [r["id"] for r in out] == ["1", "2", "3"]
        assert out[0]["text"].upper() == out[2]["text"]
        assert out[0]["text"] != "Mme Durand."

    @pytest.mark.parametrize(
        "args",
        [
            ("run", "missing.jsonl"),
            ("run", ""),
            ("run", ".", "--policy", ""),
            ("run", ".", "--policy", "nope"),
            ("run", ".", "--key-file", "nope"),
            ("check", "nope"),
        ],
    )
    def test_wrong_usage(self, args: tuple[str, ...], tmp_path: Path, monkeypatch: Any) -> None:
        monkeypatch.chdir(tmp_path)
        assert isinstance(invoke(*args).exception, UsageError)

    @pytest.mark.parametrize("command", ["run", "detect"])
    def test_an_input_is_never_overwritten(self, command: str, tmp_path: Path) -> None:
        source = jsonl(tmp_path / "a.jsonl", {"id": "a", "text": "M. Kervadec"})
        before = source.read_bytes()
        result = invoke(command, source, "-o", source)
        assert result.exit_code != 0
        assert "is an input" in str(result.exception)
        assert source.read_bytes() == before

    @pytest.mark.parametrize("option", ["-o", "--spans", "--mapping", "--ledger"])
    def test_keys_and_policies_are_never_overwritten(self, option: str, tmp_path: Path) -> None:
        source = jsonl(tmp_path / "a.jsonl", GOOD)
        policy, key, spare = (tmp_path / name for name in ("my.yaml", "key", "spare"))
        policy.write_text(policy_text("redact"))
        key.write_bytes(KEY)
        spare.write_bytes(KEY[::-1])
        key.chmod(0o600)
        spare.chmod(0o600)
        given = ("-p", policy, "-k", key, "--ledger-key-file", spare)
        for path in (policy, key, spare):
            before = path.read_bytes()
            result = invoke("run", source, *given, option, path)
            assert "is an input" in str(result.exception)
            assert path.read_bytes() == before
        assert invoke("run", source, *given, option, tmp_path / "redact").exit_code == 0

    def test_detection_leaves_its_policy_alone(self, tmp_path: Path) -> None:
        source, policy = jsonl(tmp_path / "a.jsonl", GOOD), tmp_path / "my.yaml"
        policy.write_text(policy_text("redact"))
        result = invoke("detect", source, "-p", policy, "-o", policy)
        assert "is an input" in str(result.exception)
        assert policy.read_text() == policy_text("redact")

    def test_an_output_is_left_alone_if_there_is_no_input(self, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("of yesterday")
        assert invoke("run", tmp_path / "none.jsonl", "-o", tmp_path / "out").exit_code != 0
        assert (tmp_path / "out").read_text() == "of yesterday"

    def test_an_output_is_left_alone_if_another_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("of yesterday")
        source = jsonl(tmp_path / "a.jsonl", GOOD)
        result = invoke("run", source, "-o", tmp_path / "out", "--spans", tmp_path / "no" / "s")
        assert "cannot write" in str(result.exception)
        assert (tmp_path / "out").read_text() == "of yesterday"

    def test_a_full_disk_is_said(self, monkeypatch: Any, capsys: Any) -> None:
        def full() -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("dpdeid.cli.app", full)
        with pytest.raises(SystemExit) as stopped:
            main()
        assert stopped.value.code == 5
        assert capsys.readouterr().err == "dpdeid: No space left on device\n"

    def test_a_pipe_gets_one_summary_line(self, tmp_path: Path) -> None:
        said = invoke("run", jsonl(tmp_path / "n.jsonl", GOOD, {"id": "b"})).stderr.splitlines()
        assert re.fullmatch(
            r"dpdeid: 1 row released, 1 failed, 0 left out in \d+\.\d s \(\d+ notes/s\)", said[-1]
        )
        assert len(said) == 2  # and how many failed

    def test_towns_that_the_draw_left_as_they_are_are_counted(self, tmp_path: Path) -> None:
        rows = [
            {"id": str(n), "text": "Mme Rey, demeurant à 97370 Maripasoula.", "patient_id": str(n)}
            for n in range(8)
        ]
        result = invoke("run", jsonl(tmp_path / "n.jsonl", *rows), "-p", "hnfc-strict")
        assert re.search(r"\d of 8 towns came out unchanged, as the draw may", result.stderr)
        assert "unchanged" not in result.stdout
        result = invoke("run", jsonl(tmp_path / "n.jsonl", *rows), "-p", "aphp")
        assert "unchanged" not in result.stderr

    def test_rows_stand_in_the_order_of_their_released_ids(self, tmp_path: Path) -> None:
        """Not in that of the input, which an export sorts by date."""
        rows = [{"id": str(n), "text": f"Vue le {n + 1:02}/03/2021."} for n in range(28)]
        for policy in ("redact", "aphp"):  # by note and by patient
            orders = []
            for given in (rows, rows[::-1]):
                result = invoke("run", jsonl(tmp_path / "n.jsonl", *given), "-p", policy)
                orders.append([row["id"] for row in parsed(result.stdout)])
                assert "--keep-order" not in result.stderr
            assert orders[0] == orders[1] == sorted(Cohort(KEY).released_id(r["id"]) for r in rows)

    def test_the_order_of_the_input_can_be_kept_and_is_warned_of(self, tmp_path: Path) -> None:
        rows = [{"id": i, "text": "RAS.", "patient_id": p} for i, p in ("cx", "ay", "bx")]
        for policy in ("redact", "aphp"):
            source = jsonl(tmp_path / "n.jsonl", *rows[:2], b"{", rows[2])
            result = invoke("run", source, "-p", policy, "--keep-ids", "--keep-order")
            assert [row["id"] for row in parsed(result.stdout)] == ["c", "a", None, "b"]
            assert "sorted by date gives their dates away" in result.stderr

    def test_a_bad_note_names_its_own_row_and_takes_its_patient_only(self, tmp_path: Path) -> None:
        rows = [
            {**GOOD, "patient_id": "p"}, {**GOOD, "id": "b", "patient_id": "q"},
            {**GOOD, "id": "c", "patient_id": "p", "note_date": "2150-01-01"},
        ]  # fmt: skip
        result = invoke("run", jsonl(tmp_path / "n.jsonl", *rows), "--keep-ids", "-p", "aphp")
        a, b, c = parsed(result.stdout)
        assert a["error"] == "row 1: another note of this patient failed: row 3"
        assert "text" in b
        assert c["error"].startswith("row 3: note_date lies after")
        assert result.exit_code == 3

    def test_a_bad_note_of_a_folder_is_named_by_its_place(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        for name, day in (("durand", "2021-01-01"), ("petit", "2150-01-01")):
            row = {**GOOD, "id": name, "patient_id": "p", "note_date": day}
            jsonl(tmp_path / "in" / f"{name}.jsonl", row)
        result = invoke("run", tmp_path / "in", "--keep-ids", "-p", "aphp")
        error = "file 1, row 1: another note of this patient failed: file 2, row 1"
        assert parsed(result.stdout)[0]["error"] == error

    def test_a_folder_says_what_it_skips(self, tmp_path: Path) -> None:
        folder = tmp_path / "in"
        (folder / ".git").mkdir(parents=True)
        for name in ("a.txt", "b.GIF", "c.gif", "README", ".a.txt", ".git/d.txt"):
            (folder / name).write_text("RAS.")
        for command in ("run", "detect"):
            result = invoke(command, folder, "-p", "redact")
            assert len(parsed(result.stdout)) == 1
            told = f"5 files of {folder} not read (2 .gif, 2 hidden, 1 without a suffix)"
            assert told in result.stderr

    def test_a_run_that_fails_leaves_the_old_files(self, tmp_path: Path) -> None:
        files = {kind: tmp_path / kind for kind in ("output", "spans", "mapping", "ledger")}
        for path in files.values():
            path.write_text("old")
        (tmp_path / "no").write_text("nobody")
        source = jsonl(tmp_path / "n.jsonl", {**GOOD, "patient_id": "p"})
        options = [x for kind, path in files.items() for x in (f"--{kind}", path)]
        result = invoke("run", source, "-p", "redact", *options, "--exclude", tmp_path / "no")
        assert isinstance(result.exception, UsageError)
        assert {path.read_text() for path in files.values()} == {"old"}
        assert len(list(tmp_path.iterdir())) == 6

    def test_a_killed_run_leaves_the_old_files(self, tmp_path: Path) -> None:
        """Each of them, and nothing else under a final name."""
        files = {kind: tmp_path / kind for kind in ("output", "spans", "mapping", "ledger")}
        for path in files.values():
            path.write_text("old")
        source = tmp_path / "n.jsonl"
        jsonl(source, *({**GOOD, "id": str(n)} for n in range(9)))
        options = [str(x) for kind, path in files.items() for x in (f"--{kind}", path)]
        code = (
            "import os, signal, sys\n"
            "from dpdeid.cli import main\nfrom dpdeid.cli.releasing import release\n"
            "def killed(*args): os.kill(os.getpid(), signal.SIGKILL)\n"
            "release.ledger_report = killed\n"
            f"sys.argv = {['dpdeid', 'run', str(source), '-p', 'redact', *options]!r}\n"
            "main()\n"
        )
        done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
        assert done.returncode == -signal.SIGKILL
        assert {path.read_text() for path in files.values()} == {"old"}
        left = set(tmp_path.iterdir()) - {source, *files.values()}
        assert {path.suffix for path in left} == {".part"}
        assert len(left) == 4
        for kind in ("spans", "mapping", "ledger"):
            (path,) = (p for p in left if p.name.startswith(f"{kind}."))
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert invoke("run", source, "-p", "redact", *options).exit_code == 0
        assert set(tmp_path.iterdir()) == {source, *files.values()}  # the next run takes them away

    @pytest.mark.parametrize("out", ["out.jsonl", "out"])
    def test_a_run_killed_and_resumed_leaves_nothing_beside_its_files(
        self, out: str, tmp_path: Path
    ) -> None:
        folder = tmp_path / "notes"
        folder.mkdir()
        for n in range(4):
            (folder / f"{n}.txt").write_text(GOOD["text"], encoding="utf-8")
        files = {"output": tmp_path / out, "spans": tmp_path / "spans", "ledger": tmp_path / "led"}
        options = [str(x) for kind, path in files.items() for x in (f"--{kind}", path)]
        command = ["dpdeid", "run", str(folder), "-p", "redact", "--resume", *options]
        code = (
            "import os, signal, sys\n"
            "from dpdeid.cli import main\nfrom dpdeid.cli.releasing import release\n"
            "def killed(*args): os.kill(os.getpid(), signal.SIGKILL)\n"
            "release._write_private = killed\n"
            f"sys.argv = {command!r}\n"
            "main()\n"
        )
        for _ in range(2):
            environ = {**os.environ, "DPDEID_KEY": KEY.hex()}
            subprocess.run([sys.executable, "-c", code], check=False, env=environ)
        assert len([*tmp_path.glob("*.part")]) == 6
        assert invoke(*command[1:]).exit_code == 0
        assert set(tmp_path.iterdir()) == {folder, *files.values()}

    def test_a_named_pipe_and_standard_output_are_written_to(self, tmp_path: Path) -> None:
        source, pipe = jsonl(tmp_path / "n.jsonl", GOOD), tmp_path / "pipe"
        os.mkfifo(pipe)
        for out in (pipe, "/dev/stdout"):
            command = [sys.executable, "-m", "dpdeid", "run", source, "-p", "redact", "-o", out]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
                said = pipe.read_bytes() if out == pipe else done.stdout.read()  # type: ignore[union-attr]
            assert b"[LAST_NAME]" in said
        assert pipe.is_fifo()


def test_detect_gives_the_input_ids_and_offsets(tmp_path: Path) -> None:
    result = invoke("detect", jsonl(tmp_path / "n.jsonl", GOOD, b"{"))
    assert result.exit_code == 3
    good, bad = parsed(result.stdout)
    assert good["id"] == "a"
    found = {GOOD["text"][e["start"] : e["end"]]: e["label"] for e in good["entities"]}
    assert found == {"Durand": "LAST_NAME", "12/03/2021": "DATE", "Lyon": "CITY"}
    assert set(good["entities"][0]) == {"start", "end", "label", "score", "source", "role"}
    assert bad == {"id": None, "error": "row 2: not valid JSON"}


def test_explain_shows_who_proposed_and_hides_the_text(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "n.jsonl", GOOD)
    hidden = invoke("explain", source, "-p", "redact")
    assert hidden.exit_code == 0
    assert "Durand" not in hidden.stdout
    shown = invoke("explain", source, "-p", "redact", "--reveal")
    assert "Durand" in shown.stdout
    head, *told = shown.stdout.splitlines()
    assert head == "note a"
    lines, why = told[::2], told[1::2]
    assert all(line.split()[0] == "chance" for line in why)
    assert "; for the transformer" in why[0]
    assert [line.split()[1:5] for line in lines] == [
        ["LAST_NAME", "Durand", "→", "[LAST_NAME]"],
        ["DATE", "12/03/2021", "→", "[DATE]"],
        ["CITY", "Lyon", "→", "[CITY]"],
    ]
    assert all("[redact; " in line for line in lines)
    assert "patterns/people 0." in lines[0]


def test_explain_as_json_has_the_same_and_names_bad_rows(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "n.jsonl", GOOD, b"{")
    told = tmp_path / "told.jsonl"
    asked = ("explain", source, "-p", "redact", "--json", told)
    result = invoke(*asked)
    assert result.exit_code == 3
    assert "[LAST_NAME]" in result.stdout
    assert stat.S_IMODE(told.stat().st_mode) == 0o600
    good, bad = parsed(told.read_text())
    name, *_ = good["spans"]
    assert (name["start"], name["end"], name["label"]) == (4, 10, "LAST_NAME")
    assert (name["surrogate"], name["strategy"]) == ("[LAST_NAME]", "redact")
    assert {"source", "label", "start", "end", "score"} == set(name["proposed"][0])
    assert "original" not in name
    assert bad == {"id": None, "error": "row 2: not valid JSON"}
    assert invoke(*asked, "--reveal").exit_code == 3
    (shown, _) = parsed(told.read_text())
    assert [span["original"] for span in shown["spans"]] == ["Durand", "12/03/2021", "Lyon"]


@pytest.mark.parametrize("name", ["dp", "hnfc", "aphp", "chuv", "redact", "safe-harbor"])
def test_check_prints_mechanism_loss_and_statement(name: str) -> None:
    result = invoke("check", name)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert f"policy {name}" in text
    assert "Not protected" in text
    assert ("1/32 × (sum, over at most 200 noised dates" in text) == (name == "dp")
    assert ("0.1 × (sum, over at most" in text) == (name == "hnfc")
    assert ("at ε = 0" in text) == (name in ("dp", "hnfc", "aphp"))


def test_policies_are_listed() -> None:
    result = invoke("policies")
    assert all(name in result.stdout for name in ("dp", "hnfc", "aphp", "safe-harbor"))


def test_demo_shows_every_note_under_three_policies() -> None:
    result = invoke("demo")
    assert result.exit_code == 0
    assert all(doc.id in result.stdout for doc, _ in notes())
    assert "hnfc" in result.stdout


def test_key_new_writes_a_usable_key(tmp_path: Path) -> None:
    path = tmp_path / "cohort.key"
    assert invoke("key", "new", path).exit_code == 0
    source = jsonl(tmp_path / "n.jsonl", GOOD)
    one, two = (invoke("run", source, "-k", path, key=False).stdout for _ in range(2))
    assert one == two != ""
