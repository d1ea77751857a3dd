"""`dpdeid cohort` and `dpdeid ledger` as a user runs them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.releasing import release
from dpdeid.cohort.cohort import read_key
from dpdeid.cohort.manifest import Account
from dpdeid.errors import UsageError
from dpdeid.policy.policy import policy_text
from dpdeid.privacy.ledger import Ledger

ROW = {"id": "a", "text": "Mme Durand, vue le 12/03/2021 à Lyon.", "patient_id": "p"}


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, [str(a) for a in args], env={"DPDEID_KEY": None})


def notes(path: Path, *rows: dict[str, str]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def released(result: Result) -> list[str]:
    return [json.loads(line)["text"] for line in result.stdout.splitlines() if line[:1] == "{"]


def words(result: Result) -> str:
    return " ".join(result.stdout.split())


def test_the_life_of_a_cohort(tmp_path: Path) -> None:
    folder, source = tmp_path / "c", notes(tmp_path / "n.jsonl", ROW)
    made = invoke("cohort", "new", folder, "--policy", "dp-strict", "--e0", "2024-12-31")
    assert made.exit_code == 0
    assert "2024-12-31" in made.stdout
    one, again = (invoke("run", source, "--cohort", folder) for _ in range(2))
    assert released(one) == released(again) != [ROW["text"]]
    assert "2 charges on 1 unit" in words(invoke("cohort", "show", folder))
    closed = invoke("cohort", "close", folder, "--yes")
    assert closed.exit_code == 0
    said = words(closed)
    assert "Nobody can draw the same surrogates again" in said
    assert "destroy them yourself" in said
    assert "no longer who they are" in said
    refused = invoke("run", source, "--cohort", folder)
    assert isinstance(refused.exception, UsageError)
    assert "closed since" in str(refused.exception)


def test_a_cohort_is_not_closed_without_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "c"
    invoke("cohort", "new", folder, "--policy", "redact")
    refused = invoke("cohort", "close", folder)
    assert isinstance(refused.exception, UsageError)
    assert "--yes" in str(refused.exception)
    monkeypatch.setattr("dpdeid.cli.cohort._at_terminal", lambda: True)
    for answer, code, left in (("", 1, True), ("no\n", 1, True), ("yes\n", 0, False)):
        done = CliRunner().invoke(app, ["cohort", "close", str(folder)], input=answer)
        assert done.exit_code == code
        assert "Type yes" in done.stderr
        assert (folder / "key").exists() == left


@pytest.mark.parametrize("name", ["key", "manifest.json", "policy.yaml", "charges.jsonl"])
def test_no_output_destroys_the_cohort(name: str, tmp_path: Path) -> None:
    folder, source = tmp_path / "c", notes(tmp_path / "n.jsonl", ROW)
    invoke("cohort", "new", folder, "--policy", "dp-strict")
    invoke("run", source, "--cohort", folder)
    before = (folder / name).read_bytes()
    for option in ("-o", "--spans", "--mapping", "--ledger"):
        result = invoke("run", source, "--cohort", folder, option, folder / name)
        assert "is an input" in str(result.exception)
        assert (folder / name).read_bytes() == before
    assert invoke("run", source, "--cohort", folder, "-o", folder / "out.jsonl").exit_code == 0


def test_every_row_is_paid_for_before_it_is_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where more rows come than are paid for together."""
    folder, source, released = tmp_path / "c", tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    invoke("cohort", "new", folder, "--policy", "dp-strict")
    rows = [{"id": str(n), "text": f"Vue le {1 + n % 28:02}/03/20{n % 20:02}."} for n in range(70)]
    notes(source, *rows)
    rows_paid: list[int] = []
    commit = Account.commit

    def committed(account: Account, ledger: Ledger) -> None:
        rows_paid.append(len(ledger.units))
        commit(account, ledger)

    monkeypatch.setattr(Account, "commit", committed)
    monkeypatch.setattr(release, "json_line", lambda row: f"{sum(rows_paid)}\n")
    invoke("run", source, "--cohort", folder, "--keep-order", "-o", released)
    paid = [int(line) for line in released.read_text().splitlines()]
    assert len(paid) == len(rows)
    assert all(before >= number for number, before in enumerate(paid, 1))
    assert paid[0] < paid[-1] == len(rows)


@pytest.mark.parametrize("unit", ["note", "patient"])
def test_a_refused_run_charges_and_keeps_nothing(unit: str, tmp_path: Path) -> None:
    folder, mine = tmp_path / "c", tmp_path / "mine.yaml"
    mine.write_text(policy_text("dp-strict").replace("unit: patient", f"unit: {unit}"))
    source = notes(tmp_path / "in.jsonl", ROW, {**ROW, "id": "b", "patient_id": "q"})
    (tmp_path / "no.txt").write_text("p\nnobody\n")
    invoke("cohort", "new", folder, "--policy", mine)

    def held() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.stat().st_size}

    before = held()
    options = ("-c", folder, "--exclude", tmp_path / "no.txt")
    refused = invoke("run", source, *options)
    assert "no row is of the patient of line 2" in str(refused.exception)
    assert held() == before
    assert invoke("run", source, *options, "--absent-ok").exit_code == 0
    assert {"charges.jsonl", "vault.sqlite"} <= {k for k in held() if held()[k] != before.get(k)}


def test_run_refuses_what_the_cohort_was_not_made_with(tmp_path: Path) -> None:
    folder, source = tmp_path / "c", notes(tmp_path / "n.jsonl", ROW)
    invoke("cohort", "new", folder, "--policy", "redact")
    for options, message in (
        (("--policy", "dp"), "made with policy redact"),
        (("--key-file", folder / "key"), "leave out --key-file"),
        (("--e0", "2026-12-31"), "leave out --key-file and --e0"),
    ):
        refused = invoke("run", source, "--cohort", folder, *options)
        assert message in str(refused.exception)
    assert invoke("run", source, "-c", folder, "-p", "redact").exit_code == 0


def test_a_later_run_cannot_spend_what_an_earlier_one_did(tmp_path: Path) -> None:
    """Five dates are drawn a patient; six more in another file must not be."""
    folder = tmp_path / "c"
    policy = tmp_path / "mine.yaml"
    text = policy_text("dp-strict").replace("over_cap: prior", "over_cap: redact")
    policy.write_text(text.replace("default: words", "default: redact"))
    invoke("cohort", "new", folder, "--policy", policy)
    days = [f"vue le {day:02d}/04/2021" for day in range(1, 11)]
    first = notes(tmp_path / "1.jsonl", {**ROW, "text": ", ".join(days[:5])})
    second = notes(tmp_path / "2.jsonl", {**ROW, "id": "b", "text": ", ".join(days[5:])})
    assert "[DATE]" not in released(invoke("run", first, "-c", folder))[0]
    assert released(invoke("run", second, "-c", folder))[0].count("[DATE]") == 5
    assert "[DATE]" not in released(invoke("run", first, "-c", folder))[0]


class TestLedgers:
    @pytest.fixture
    def ledgers(self, tmp_path: Path) -> list[Path]:
        key = tmp_path / "ledger.key"
        invoke("key", "new", key)
        source, paths = notes(tmp_path / "n.jsonl", ROW), []
        for name in "ab":
            invoke("cohort", "new", tmp_path / name, "--ledger-key-file", key)
            paths.append(tmp_path / f"{name}.json")
            done = invoke(
                "run", source, "-c", tmp_path / name, "--ledger-key-file", key,
                "--ledger", paths[-1],
            )  # fmt: skip
            assert done.exit_code == 0, done.exception
        return paths

    def test_the_losses_of_a_patient_add_over_cohorts(self, ledgers: list[Path]) -> None:
        assert "ε = 0.0313 per step" in words(invoke("ledger", "add", ledgers[0]))
        both = words(invoke("ledger", "add", *ledgers))
        assert "ε = 0.0625 per step" in both
        assert both == words(invoke("ledger", "add", *ledgers, *ledgers))

    def test_bits_stand_beside_the_losses(self, ledgers: list[Path], tmp_path: Path) -> None:
        """A town and a first date; of the other cohort the shift hides no date any more."""
        table = json.loads(ledgers[0].read_text())["leakage"]["bits"]
        first, further = max(table.values(), key=lambda pair: pair[1] - pair[0])
        town = next(pair[0] for name, pair in table.items() if name.startswith("planar"))
        one = words(invoke("ledger", "add", ledgers[0]))
        assert f" {math.ceil(10 * (town + first)) / 10} " in one
        both = words(invoke("ledger", "add", *ledgers))
        assert f" {math.ceil(10 * (2 * town + first + further)) / 10} (may name)" in both
        bare = json.loads(ledgers[0].read_text())
        del bare["leakage"]
        (tmp_path / "bare.json").write_text(json.dumps(bare))
        told = words(invoke("ledger", "add", tmp_path / "bare.json"))
        assert "Leakage in bits" not in told
        assert "bits at most" in told

    def test_the_union_can_be_written_and_added_again(
        self, ledgers: list[Path], tmp_path: Path
    ) -> None:
        union = tmp_path / "union.json"
        before = words(invoke("ledger", "add", *ledgers, "-o", union))
        assert words(invoke("ledger", "add", union, ledgers[0])) == before

    def test_ledgers_under_different_keys_are_refused_with_both_names(
        self, ledgers: list[Path], tmp_path: Path
    ) -> None:
        other = tmp_path / "other.json"
        invoke("run", tmp_path / "n.jsonl", "--ledger", other)
        refused = invoke("ledger", "add", ledgers[0], other)
        assert isinstance(refused.exception, UsageError)
        assert "a.json" in str(refused.exception)
        assert "other.json" in str(refused.exception)

    def test_nothing_in_it_is_a_value_or_a_key(self, ledgers: list[Path], tmp_path: Path) -> None:
        text = ledgers[0].read_text()
        assert not any(word in text for word in ("Durand", "Lyon", "12/03/2021", "2021-03-12"))
        assert read_key(tmp_path / "ledger.key").hex() not in text

    @pytest.mark.parametrize("content", [None, "", "[]", '{"charges": [1]}'])
    def test_what_is_no_ledger_is_named(self, content: Any, tmp_path: Path) -> None:
        path = tmp_path / "x.json"
        if content is not None:
            path.write_text(content)
        refused = invoke("ledger", "add", path)
        assert isinstance(refused.exception, UsageError)
        assert "x.json" in str(refused.exception)
