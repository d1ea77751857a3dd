"""The whole engine as a black box: what a policy states, it keeps; what the paper claims, fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dpdeid.assurance.audit import around, audit, cases, engine, mechanisms, telling
from dpdeid.assurance.forecast import timeline_of
from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from dpdeid.policy.policy import Policy, parse_policy, policy_text
from dpdeid.privacy.timeline import chain, drawing
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Metric
from tests.conftest import KEY
from tests.testing.test_coupled_leaks import kind_of_the_true_town


def policy(name: str, *changes: tuple[str, str]) -> Policy:
    text = policy_text(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_policy(text)


@pytest.mark.slow
def test_the_published_mode_fails_across_categories_and_the_strict_ones_pass() -> None:
    """A date 50 days before its note never prints more than 61, one of 700 days nearly always."""
    published = policy("hnfc", ("epsilon: 8", "epsilon: 4"))
    (case,) = [c for c in cases(published) if c.claimed]
    found = engine(published, case, 300)
    assert case.stated == 3
    assert not found.passed
    assert found.found > 3
    for name in ("dp-strict", "hnfc-strict"):
        sound = policy(name)
        same = next(c for c in cases(sound) if c.texts == case.texts)
        assert engine(sound, same, 300).passed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dp", "dp-strict", "hnfc-strict"])
def test_what_a_policy_states_it_keeps(name: str) -> None:
    stated = policy(name)
    for case in cases(stated):
        check = engine(stated, case, 300)
        assert check.passed, check


def test_the_notes_of_a_case_have_one_skeleton() -> None:
    from dpdeid.engine import Deidentifier

    for name in ("dp", "dp-strict", "hnfc", "hnfc-strict", "aphp"):
        one = policy(name)
        found = Deidentifier(one, key=KEY)
        for case in cases(one):
            shapes = []
            for text in case.texts:
                spans = found.detect(text).spans
                shapes.append(([s.label for s in spans], _between(text, spans)))
            assert shapes[0] == shapes[1]
            assert shapes[0][0], case.what


def _between(text: str, spans: tuple) -> list[str]:  # type: ignore[type-arg]
    cuts = [0, *(cut for span in spans for cut in (span.start, span.end)), len(text)]
    return [text[a:b] for a, b in zip(cuts[::2], cuts[1::2], strict=True)]


@pytest.mark.slow
def test_a_looser_engine_than_stated_is_caught() -> None:
    """The same case against a tenth of the loss."""
    from dataclasses import replace

    dp = policy("dp")
    case = next(iter(cases(dp)))
    mode = timeline_of(dp)
    assert isinstance(mode, Metric)
    assert case.stated == mode.noise(Role.BEFORE).loss(50, 90)
    assert case.stated is not None
    assert 0.5 < case.stated < 2
    assert not engine(dp, replace(case, stated=case.stated / 10), 1_000).passed


def test_the_history_of_dp_is_told_by_its_share_and_not_by_days() -> None:
    """A date twenty or forty years before is no easier to tell than one of one or two years."""
    mode = timeline_of(policy("dp"))
    assert isinstance(mode, Metric)
    noise = mode.noise(Role.BEFORE)
    assert noise.loss(7_300, 14_600) < noise.loss(365, 730) < 1.5


@pytest.mark.parametrize("name", ["aphp", "redact"])
def test_without_a_guarantee_nothing_is_exceeded(name: str) -> None:
    checks = list(audit(policy(name), 200))
    assert all(check.passed and check.stated is None for check in checks)
    assert bool(checks) == (name == "aphp")


@pytest.mark.statistical
@pytest.mark.parametrize("name", ["dp", "dp-strict", "hnfc-strict"])
def test_the_whole_audit_passes(name: str) -> None:
    assert [check for check in audit(policy(name)) if not check.passed] == []


def test_certificates_and_samplers_of_the_default_pass() -> None:
    checks = list(mechanisms(policy("dp")))
    assert {check.check for check in checks} == {"exact", "sampler", "certificate"}
    assert all(check.passed for check in checks)


@pytest.mark.slow
def test_an_audit_looks_for_what_goes_around_the_mechanisms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a policy of one's own; a role that is chosen by the gap is seen."""
    own = policy("dp", ("cap: 200", "cap: 7"), ("shift_days: 3650", "shift_days: 0"))
    check = around(own, 60)
    assert (check.passed, check.found) == (True, 0)
    assert check.over.startswith("60 templates, ")
    plan = chain.chain

    def by_gap(*given: Any, **options: Any) -> chain.Chain:
        made = plan(*given, **options)
        for at, link in made.skeleton.links.items():
            if link.role is Role.BEFORE and made.gaps[at] < 400:
                made.skeleton.links[at] = link._replace(role=Role.STAY)
        return made

    monkeypatch.setattr(drawing, "chain", by_gap)
    assert not around(own, 60).passed


def test_a_policy_with_a_guarantee_is_looked_at_and_another_is_not() -> None:
    assert [c.check for c in audit(policy("aphp"), 20) if c.check == "coupled"] == []
    checks = audit(policy("dp"), 20)
    assert next(c for c in checks if c.check == "coupled").over == "2 templates, 0 discarded"


def test_telling_is_enough() -> None:
    assert telling(6) < 7_000


def test_the_command_writes_its_checks_and_fails_for_the_published_design(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(policy_text("hnfc").replace("epsilon: 8", "epsilon: 4"))
    out = tmp_path / "audit.json"
    result = CliRunner().invoke(app, ["audit", str(mine), "--json", str(out), "--draws", "300"])
    assert result.exit_code == 1
    report = json.loads(out.read_text())
    failed = [check for check in report["checks"] if not check["passed"]]
    assert [check["check"] for check in failed] == ["engine"]
    assert "published design" in failed[0]["what"]
    assert CliRunner().invoke(app, ["audit", "redact"]).exit_code == 0


def notes_in(tmp_path: Path) -> Path:
    text = "M. Canarinique, opéré le 12/03/2024, habite à Kerfeuntein-Izella, né à Lyon."
    rows = [{"id": f"Canari-{n}", "text": text, "note_date": "2024-06-14"} for n in range(9)]
    path = tmp_path / "notes" / "Canarinique.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_own_notes_are_looked_at_and_nothing_of_them_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "audit.json"
    asked = ["audit", "dp", "--json", str(out), "--notes"]
    monkeypatch.setattr("dpdeid.cli.check.checks_of", lambda *_: [])
    file = notes_in(tmp_path)
    for source, leaky in ((file, False), (file.parent, True)):
        if leaky:
            kind_of_the_true_town(monkeypatch)
        result = CliRunner().invoke(app, [*asked, str(source)])
        assert result.exit_code == leaky
        report = json.loads(out.read_text())
        assert report["notes"] | {"differences": []} == {
            **{"notes": 9, "records": 9, "slots": 27, "left": 9},
            **{"discarded": 0, "differences": []},
        }
        assert bool(report["notes"]["differences"]) == leaky == ("differs: " in result.output)
        told = (result.output + result.stderr + out.read_text()).lower()
        assert not any(word in told for word in ("canari", "kerfeuntein", "lyon."))
        assert "12/03" not in told


@pytest.mark.parametrize(
    ("name", "rows", "why"),
    [("aphp", "Vu ce jour.", "no loss"), ("dp", "", "no notes"), ("dp", "{", "row 1")],
)
def test_own_notes_that_cannot_be_looked_at_are_refused(
    name: str, rows: str, why: str, tmp_path: Path
) -> None:
    source = tmp_path / ("notes.jsonl" if name == "dp" else "note.txt")
    source.write_text(rows, "utf-8")
    result = CliRunner().invoke(app, ["audit", name, "--notes", str(source)])
    assert isinstance(result.exception, UsageError)
    assert why in str(result.exception)


def test_the_figures_are_not_written_over_the_policy(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("name: mine\n", "utf-8")
    result = CliRunner().invoke(app, ["audit", str(mine), "--json", str(mine)])
    assert isinstance(result.exception, UsageError)
    assert mine.read_text("utf-8") == "name: mine\n"
