"""T-tests of two teams: which values they take, and that they are those of the thesis."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dpdeid.annotate.agreement.alignment import Aligned, Column
from dpdeid.annotate.agreement.compared import Compared, compared, less
from dpdeid.annotate.agreement.reference import Voted, references
from dpdeid.annotate.units import Answer, Marked
from dpdeid.cli.app import app
from dpdeid.errors import AnnotationError, UsageError
from dpdeid.synth.dice import Dice
from tests.annotate.agreement.answers import DAY, FIRST_NAME, NAME, said, unit

PEOPLE = {"a": "with", "b": "with", "c": "without", "d": "without"}


def answers(of: str, **marked: tuple[Marked, ...]) -> list[Answer]:
    return [said(who, *marks, of=of, team=PEOPLE[who]) for who, marks in marked.items()]


def column(of: str, **marks: Marked | None) -> Voted:
    """A unit with one column, aligned by hand."""
    votes = {who: (mark,) if mark else () for who, mark in marks.items()}
    aligned: Column = dict(marks)
    return Voted(unit(of), votes, Aligned((aligned,), None))


def measures(told: list[Compared]) -> dict[str, Compared]:
    return {one.measure: one for one in told}


VALUES = st.lists(st.integers(0, 50).map(float), min_size=2, max_size=12)


@given(VALUES, VALUES)
def test_the_test_is_welchs(one: list[float], other: list[float]) -> None:
    stats = pytest.importorskip("scipy.stats")
    assume(len({*one}) > 1 < len({*other}))
    own = stats.ttest_ind(one, other, equal_var=False, alternative="less").pvalue
    assert less(one, other) == pytest.approx(float(own))


@pytest.mark.parametrize(
    ("one", "other", "p"), [((1, 1), (2, 3), 0.1024), ((2, 3), (1, 1), 0.8976)]
)
def test_one_side_may_be_alike(one: list[float], other: list[float], p: float) -> None:
    """t is 3 at one degree of freedom: atan(1 / 3) / pi."""
    pytest.importorskip("scipy")
    assert less(one, other) == pytest.approx(p, abs=1e-4)


@pytest.mark.parametrize(
    ("one", "other"),
    [((1.0,), (2.0, 3.0)), ((), ()), ((1.0, 1.0), (2.0, 2.0)), ((0.1 * 3, 0.3), (0.6, 0.6))],
)
def test_too_few_or_all_alike_are_no_test(one: list[float], other: list[float]) -> None:
    assert less(one, other) is None


def test_seconds_are_of_each_answer_that_has_some() -> None:
    pytest.importorskip("scipy")
    told = [
        *(
            said(who, seconds=(4.0 if team == "with" else 8.0) + at, of=f"n#{at}", team=team)
            for who, team in PEOPLE.items()
            for at in (0, 1)
        ),
        said("a", of="n#2", team="with"),
        said("a", of="n#3", team="with", seconds=200.0, ignored=True),
        said("boss", of="n#3", team="with", seconds=200.0, corrects=True),
    ]  # fmt: skip
    seconds = measures(compared(told, [], ("with", "without")))["seconds"]
    assert (seconds.means, seconds.values, seconds.people) == ((4.5, 8.5), (4, 4), (2, 2))
    assert seconds.p is not None
    assert seconds.p < 0.001
    assert seconds.p_people is None, "both persons of a team are alike"


def test_penalties_are_of_columns_with_a_reference() -> None:
    voted = [
        column("n#0", a=NAME, b=NAME, c=NAME, d=FIRST_NAME),
        column("n#1", a=NAME, b=NAME, c=None, d=None),
        column("n#2", a=DAY, b=DAY, c=DAY, d=None),
    ]
    told = [one for v in voted for one in answers(v.unit.id, **v.votes)]
    found = measures(compared(told, references(voted), ("with", "without")))
    segments, categories = found["segments"], found["categories"]
    assert segments.values == categories.values == (2, 2), "n#1 is undecided"
    assert segments.means == (0, 0.5)
    assert categories.means == (0, 0.25)


def test_only_units_with_as_many_of_both_teams_count() -> None:
    voted = [
        column("n#0", a=NAME, b=NAME, c=NAME),
        column("n#1", a=NAME, c=NAME),
        column("n#2", a=NAME, b=NAME, c=NAME, d=None),
    ]
    told = [one for v in voted for one in answers(v.unit.id, **v.votes)]
    found = measures(compared(told, references(voted), ("with", "without")))
    assert found["segments"].values == (1, 1)
    assert found["segments"].means == (0, 0.5)


def test_a_team_must_be_somebody_and_nobody_is_of_both() -> None:
    told = answers("n#0", a=(NAME,), c=(NAME,))
    with pytest.raises(AnnotationError, match="nobody answered as team red"):
        compared(told, [], ("with", "red"))
    with pytest.raises(AnnotationError, match="a answered as team with and as team without"):
        compared([*told, said("a", team="without")], [], ("with", "without"))


def test_help_is_seen_and_none_is_not() -> None:
    """600 answers a team, with the means of the thesis's table 4.3, and with one mean for both."""
    pytest.importorskip("scipy")
    dice = Dice.of(1, "seconds")

    def p(mean: int) -> float | None:
        told = [
            said(who, of=f"n#{at}", team=team, seconds=dice.between(0, 20 * slow) / 10)
            for who, team in PEOPLE.items()
            for slow in [mean if team == "with" else 92]
            for at in range(300)
        ]
        return compared(told, [], ("with", "without"))[0].p

    helped, alike = p(60), [p(92) for _ in range(20)]
    assert helped is not None
    assert helped < 1e-9
    assert sum(one is not None and one < 0.05 for one in alike) <= 4


def test_the_report_prints_and_writes_them(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    told = [
        said(who, NAME, of=f"n#{at}", team=team, seconds=float(at + (team == "without")))
        for who, team in PEOPLE.items()
        for at in range(4)
    ]
    file, out = tmp_path / "a.jsonl", tmp_path / "r.json"
    file.write_text("".join(json.dumps(one.row()) + "\n" for one in told))
    words = ["annotate", "report", str(file), "--json", str(out), "--compare"]
    done = CliRunner().invoke(app, [*words, "with=without"], env={"COLUMNS": "160"})
    assert done.exit_code == 0, done.output
    assert "p of people" in done.output
    seconds, segments, _ = json.loads(out.read_text())["compared"]
    assert (seconds["means"], seconds["values"]) == ([1.5, 2.5], [16 // 2, 8])
    assert segments["p"] is None
    wrong = CliRunner().invoke(app, [*words, "with"])
    assert isinstance(wrong.exception, UsageError)
