"""Three parts of gold: the thesis's steps on cases made by hand, and laws of every way."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from dpdeid.annotate.agreement.split import PARTS, WAYS, Part, Sample, read_gold, split
from dpdeid.cli.app import app
from dpdeid.errors import AnnotationError, UsageError

TEXT = "Vu par Anne"


def row(
    name: str, labels: str = "", gamma: float | None = 1.0, people: int = 2, **more: object
) -> dict[str, Any]:
    """A row of gold with a mark for each letter."""
    entities = [{"start": 0, "end": 2, "label": letter} for letter in labels]
    return {
        "id": name, "document": name.partition("#")[0], "text": TEXT, "entities": entities,
        "gamma": gamma, "annotators": people, **more,
    }  # fmt: skip


def sample(name: str, labels: str = "", gamma: float | None = 1.0, people: float = 2) -> Sample:
    return Sample(name, (row(name, labels),), Counter(labels), gamma, people)


def written(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


def ids(part: Part) -> list[str]:
    return [one.id for one in part.samples]


SAMPLES = st.lists(
    st.tuples(st.text("ABCD", max_size=4), st.none() | st.floats(-1, 1), st.integers(1, 8)),
    max_size=40,
).map(lambda told: [sample(str(at), *one) for at, one in enumerate(told)])
SHARES = st.tuples(st.floats(0, 0.45), st.floats(0, 0.45))


@given(SAMPLES, SHARES, st.sampled_from([*WAYS]), st.integers(1, 5))
def test_every_sample_is_in_one_part(
    samples: list[Sample], shares: tuple[float, float], way: str, least: int
) -> None:
    parts = split(samples, shares, way, least=least)
    assert [part.name for part in parts] == list(PARTS)
    assert sorted(name for part in parts for name in ids(part)) == sorted(s.id for s in samples)
    assert sum(part.expected for part in parts) == len(samples)
    totals = sum((Counter(one.counts) for one in samples), Counter[str]())
    assert all(
        sum(part.targets[label] for part in parts) == totals[label] >= least
        for label in parts[0].targets
    )


@given(SAMPLES, SHARES)
def test_the_published_way_takes_no_category_beyond_its_target(
    samples: list[Sample], shares: tuple[float, float]
) -> None:
    for part in split(samples, shares, "published", least=1)[:2]:
        assert all(part.reached[label] <= target for label, target in part.targets.items())


@given(SAMPLES, st.integers(0, 99), st.sampled_from([*WAYS]))
def test_a_seed_repeats_it(samples: list[Sample], seed: int, way: str) -> None:
    assert split(samples, (0.2, 0.2), way, seed=seed) == split(samples, (0.2, 0.2), way, seed=seed)


def test_the_best_are_for_the_test_then_for_the_validation() -> None:
    gammas = (0.2, 1.0, None, 0.9, 0.6)
    samples = [sample(f"s{at}", "A", gamma) for at, gamma in enumerate(gammas)]
    parts = split(samples, (0.2, 0.2), "published", least=1)
    assert [ids(part) for part in parts[:2]] == [["s1"], ["s3"]]
    assert set(ids(parts[2])) == {"s0", "s2", "s4"}


def test_gamma_counts_in_steps_of_a_twentieth_then_the_annotators() -> None:
    samples = [sample("a", "A", 0.97, 2), sample("b", "A", 0.96, 5), sample("c", "A", 0.90, 8)]
    samples += [sample("d", "A", 0.5), sample("e", "A", 0.5)]
    parts = split(samples, (0.2, 0.2), "published", least=1)
    assert [ids(part) for part in parts[:2]] == [["b"], ["a"]]


def test_empty_samples_fill_up_best_first() -> None:
    samples = [sample(f"m{at}", "A") for at in range(2)]
    samples += [sample(f"e{at}", "", gamma) for at, gamma in enumerate((0.1, None, 0.8, 1.0))]
    parts = split(samples, (0.5, 0.0), "published", least=1)
    assert ids(parts[0])[1:] == ["e3", "e2"]
    assert len(parts[0].samples) == parts[0].expected == 3


def test_a_rare_category_is_had_before_a_frequent_one_is_full() -> None:
    """Of the rare B only poor samples, and each with the frequent A, which the best fill up."""
    samples = [sample(f"a{at}", "A", 1.0) for at in range(36)]
    samples += [sample(f"b{at}", "AB", 0.5) for at in range(4)]
    published = split(samples, (0.25, 0.0), "published", least=1)[0]
    rarest = split(samples, (0.25, 0.0), "rarest", least=1)[0]
    assert (published.reached["B"], published.off) == (0, ("B",))
    assert (rarest.reached, rarest.off) == ({"A": 10, "B": 1}, ())


def test_an_exchange_mends_what_does_not_fit() -> None:
    """Of eleven A six are wanted: the best sample has five, and then the other does not fit."""
    samples = [sample("a", "A" * 5, 1.0), sample("b", "A" * 6, 0.5)]
    assert ids(split(samples, (0.5, 0.0), "published", least=1)[0]) == ["a"]
    assert ids(split(samples, (0.5, 0.0), "rarest", least=1)[0]) == ["b"]


def test_what_is_within_a_tenth_is_left_to_the_best() -> None:
    samples = [sample("a", "A" * 9, 1.0), sample("b", "A" * 10, 0.5)]
    assert ids(split(samples, (0.5, 0.0), "rarest", least=1)[0]) == ["a"]


@given(st.lists(st.sampled_from("AAAAABBC"), min_size=1, max_size=80), st.integers(0, 9))
def test_samples_of_one_mark_reach_every_target(labels: list[str], seed: int) -> None:
    samples = [sample(str(at), label) for at, label in enumerate(labels)]
    for part in split(samples, (0.15, 0.15), least=1, seed=seed):
        assert part.reached == +Counter(part.targets)


@pytest.mark.parametrize("seed", range(5))
def test_whole_notes_come_near_every_target(seed: int) -> None:
    """200 notes of which each has some of six categories, the rarest in one of five."""
    dice = random.Random(seed)
    rates = {"A": 0.9, "B": 0.9, "C": 0.8, "D": 0.6, "E": 0.3, "F": 0.2}
    samples = []
    for at in range(200):
        held = "".join(k * dice.randint(1, 6) for k, rate in rates.items() if dice.random() < rate)
        samples.append(sample(str(at), held, dice.random()))
    off = {way: sum(len(part.off) for part in split(samples, (0.15, 0.15), way)) for way in WAYS}
    assert off["rarest"] == 0
    assert off["random"] > 0


def test_rare_categories_are_not_counted() -> None:
    samples = [sample(f"a{at}", "A") for at in range(20)] + [sample("b", "B")]
    parts = split(samples, (0.2, 0.2))
    assert [*parts[0].targets] == ["A"]


def test_shares_must_leave_something() -> None:
    with pytest.raises(AnnotationError, match="leave nothing to train"):
        split([sample("a")], (0.5, 0.5))


class TestReading:
    def test_what_several_left_empty_is_agreed(self, tmp_path: Path) -> None:
        rows = [row("a#0", "", None, 3), row("a#1", "A", None, 1), row("b#0", "A", 0.5, 2)]
        rows.append(row("c#0", "A", None, 2, corrected=True))
        found = read_gold([written(tmp_path / "g.jsonl", rows)])
        assert [one.gamma for one in found] == [1.0, None, 0.5, 1.0]

    def test_a_note_may_stay_whole(self, tmp_path: Path) -> None:
        rows = [row("a#0", "AB", 0.5, 2), row("a#1", "A", 1.0, 4), row("b#0")]
        first, second = read_gold([written(tmp_path / "g.jsonl", rows)], whole=True)
        assert (first.id, first.gamma, first.annotators) == ("a", 0.75, 3)
        assert first.counts == {"A": 2, "B": 1}
        assert second.id == "b"

    @pytest.mark.parametrize(
        ("second", "said"),
        [
            (row("a#0"), "a#0 a second time"),
            (row("b", people=True), "annotators is missing or not of its kind"),
            ({"id": "b"}, "document is missing"),
            (row("b", gamma="1"), "gamma is missing or not of its kind"),  # type: ignore[arg-type]
            (row("b") | {"entities": [{"start": 0}]}, "entities holds one without a label"),
            (row("b", "A", None), "no gamma; make the gold with --samples"),
            (row("b", "", None, undecided=1), "no gamma; make the gold with --samples"),
        ],
    )
    def test_what_is_wrong_is_named_and_not_repeated(
        self, tmp_path: Path, second: dict[str, Any], said: str
    ) -> None:
        path = written(tmp_path / "g.jsonl", [row("a#0"), second])
        with pytest.raises(AnnotationError, match=f"line 2: {said}") as raised:
            read_gold([path])
        assert "Anne" not in str(raised.value)


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["annotate", "split", *map(str, words)])


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    rows = [row(f"n{at // 4}#{at}", "AAB"[at % 3 :], 1 - at / 100, 1 + at % 4) for at in range(80)]
    return written(tmp_path / "gold.jsonl", rows)


def test_the_rows_are_written_as_they_were_and_each_once(gold: Path, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    done = run(gold, "-o", out, "--json", tmp_path / "s.json")
    assert done.exit_code == 0, done.output
    lines = [line for name in PARTS for line in (out / f"{name}.jsonl").read_text().splitlines()]
    wanted = gold.read_text().splitlines()
    assert sorted(map(json.loads, lines), key=str) == sorted(map(json.loads, wanted), key=str)
    assert all((out / f"{name}.jsonl").stat().st_mode & 0o777 == 0o600 for name in PARTS)
    told = json.loads((tmp_path / "s.json").read_text())
    assert set(told["ways"]) == {*WAYS}
    assert told["ways"]["rarest"]["test"]["labels"]["A"] == {"target": 12, "reached": 12}
    assert "Anne" not in done.output + json.dumps(told)


def test_whole_notes_stay_in_one_part(gold: Path, tmp_path: Path) -> None:
    done = run(gold, "-o", tmp_path / "parts", "--whole-notes", "--test", 0.3)
    assert done.exit_code == 0, done.output
    notes = [
        {json.loads(line)["document"] for line in path.read_text().splitlines()}
        for path in sorted((tmp_path / "parts").glob("*.jsonl"))
    ]
    assert sum(map(len, notes)) == len(set().union(*notes)) == 20


def test_plots_are_pictures_with_the_categories(gold: Path, tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    done = run(gold, "-o", tmp_path / "parts", "--plots")
    assert done.exit_code == 0, done.output
    pictures = {path.stem: ET.parse(path).getroot() for path in (tmp_path / "parts").glob("*.svg")}
    assert set(pictures) == {*PARTS, "annotators", "gamma"}
    words = {text.text for text in pictures["test"].iter("{http://www.w3.org/2000/svg}text")}
    assert {"A", "B", "target", "split", "published", "random"} <= words


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--way", "best"), "--way best: choose one of"), ((), "is not empty")],
)
def test_what_cannot_be_is_refused(
    gold: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    out = tmp_path / "parts"
    out.mkdir()
    (out / "kept").write_text("mine")
    done = run(gold, "-o", out, *words)
    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)
    assert [path.name for path in out.iterdir()] == ["kept"]


def test_no_gold_is_an_error(tmp_path: Path) -> None:
    done = run(written(tmp_path / "g.jsonl", []), "-o", tmp_path / "parts")
    assert isinstance(done.exception, AnnotationError)
