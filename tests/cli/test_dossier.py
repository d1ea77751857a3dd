"""`dpdeid dossier` from files to an annex."""

from __future__ import annotations

import json
import stat
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cohort import account, manifest
from dpdeid.errors import UsageError
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import EpsilonPerKm
from tests.dossier.making import attack, effort
from tests.evaluate.report import making


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["dossier", *map(str, arguments)])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    found = {
        "site.detection.json": making.detection(),
        "site.utility.json": making.utility(),
        "site.attack.json": attack(),
        "site.effort.json": effort(),
    }
    for name, data in found.items():
        (tmp_path / name).write_text(json.dumps(data), encoding="utf-8")
    return [tmp_path / name for name in found]


@pytest.mark.parametrize("ending", ["html", "docx"])
def test_a_private_annex_of_either_kind(ending: str, files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / f"annexe.{ending}"
    result = call("dp", *files, "-o", out, "--lang", "fr", "--review", "2027-06-30")
    assert result.exit_code == 0, result.output
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    if ending == "html":
        text = out.read_text(encoding="utf-8")
        assert "30 juin 2027" in text
        for path in files:
            assert path.name in text
            assert sha256(path.read_bytes()).hexdigest() in text


def test_another_ending_is_refused(tmp_path: Path) -> None:
    result = call("dp", "-o", tmp_path / "annexe.pdf")
    assert isinstance(result.exception, UsageError)
    assert ".docx" in str(result.exception)


@pytest.mark.parametrize(("text", "why"), [("{", "not JSON"), ('{"kept": 1}', "no evaluation")])
def test_another_file_is_refused_by_name(tmp_path: Path, text: str, why: str) -> None:
    path, out = tmp_path / "other.json", tmp_path / "annexe.html"
    path.write_text(text, encoding="utf-8")
    result = call("dp", path, "-o", out)
    assert isinstance(result.exception, UsageError)
    assert why in str(result.exception)
    assert "other.json" in str(result.exception)
    assert not out.exists()


def test_an_attack_on_another_policy_is_refused_by_name(files: list[Path], tmp_path: Path) -> None:
    result = call("aphp", *files, "-o", tmp_path / "annexe.html")
    assert isinstance(result.exception, UsageError)
    assert "the attack site is on the policy dp" in str(result.exception)


def test_no_input_is_overwritten(files: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "x.html"
    target.write_text(files[0].read_text(encoding="utf-8"), encoding="utf-8")
    assert isinstance(call("dp", target, "-o", target).exception, UsageError)


@pytest.fixture
def cohort(tmp_path: Path) -> Path:
    """A cohort in which one patient lost .2 per km, and another .05."""
    made = tmp_path / "cohort"
    manifest.create(made, "dp")
    loss = EpsilonPerKm(Fraction(1, 20))
    ledger = Ledger.of(
        Charge(unit, f"{unit}-{at}", "planar", loss)
        for unit, draws in (("unit-a", 4), ("unit-b", 1))
        for at in range(draws)
    )
    with account.committing(made) as held:
        held.commit(ledger)
    return made


def test_a_cohort_is_shown_without_its_key(cohort: Path, tmp_path: Path) -> None:
    out = tmp_path / "annexe.html"
    assert call("dp", "-o", out, "--cohort", cohort, "--lang", "en").exit_code == 0
    text, own = out.read_text(encoding="utf-8"), manifest.read(cohort)
    assert {own.e0, own.key, own.created} <= {*text.replace("<", ">").split(">")}
    assert "ε = 0.2 per kilometre apart" in text  # of the patient that lost most
    assert "unit-a" not in text
    key = (cohort / manifest.KEY).read_bytes()
    assert key.hex() not in text
    assert key.decode("latin-1").strip() not in text


def test_a_closed_cohort_says_since_when(cohort: Path, tmp_path: Path) -> None:
    out = tmp_path / "annexe.html"
    manifest.close(cohort)
    assert call("dp", "-o", out, "--cohort", cohort).exit_code == 0
    assert "no: the key exists" not in out.read_text(encoding="utf-8")


def test_a_cohort_of_another_policy_is_refused(cohort: Path, tmp_path: Path) -> None:
    result = call("aphp", "-o", tmp_path / "annexe.html", "--cohort", cohort)
    assert isinstance(result.exception, UsageError)
    assert "made with the policy dp" in str(result.exception)


def test_no_file_of_a_cohort_is_overwritten(cohort: Path) -> None:
    (cohort / "key").rename(cohort / "kept.html")
    (cohort / "key").symlink_to(cohort / "kept.html")
    result = call("dp", "-o", cohort / "kept.html", "--cohort", cohort)
    assert isinstance(result.exception, UsageError)
