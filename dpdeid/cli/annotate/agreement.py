"""`dpdeid annotate report` and `gold`: how far annotators agree, and what they agree on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from dpdeid.annotate.agreement.alignment import SAMPLES
from dpdeid.annotate.agreement.compared import MEASURES, Compared, compared
from dpdeid.annotate.agreement.reference import references, votes_of, weights_of
from dpdeid.annotate.agreement.report import Report, disagreements, gold_row
from dpdeid.annotate.agreement.report import report as measured
from dpdeid.annotate.units import read_answers
from dpdeid.cli.terminal import Console, counted, table, tell
from dpdeid.errors import AnnotationError, UsageError
from dpdeid.evaluate.counts import percent
from dpdeid.formats.write import json_line, keep_apart, open_private, write_json


def report(
    files: list[Path],
    output: Path | None = None,
    differing: Path | None = None,
    compare: list[str] | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> None:
    """Prints the figures; names of annotators stand in them, text of notes does not.

    Raises:
        UsageError: a file or a pair of teams is refused, or people differ and pygamma-agreement is
            not installed.
    """
    keep_apart(files, output, differing)
    teams = [given.partition("=")[::2] for given in compare or ()]
    if not all(one and other for one, other in teams):
        raise UsageError("--compare needs two teams, as WITH=WITHOUT")
    answers = read_answers(files)
    if not answers:
        raise AnnotationError("there are no answers in these files")
    voted = votes_of(answers, samples=samples, seed=seed)
    found = measured(answers, voted)
    known = references(voted)
    tests = [one for pair in teams for one in compared(answers, known, pair)]
    _show(found)
    if tests:
        _show_tests(tests)
    if output is not None:
        write_json(output, found.row() | {"compared": [one.row() for one in tests]})
    if differing is not None:
        with open_private(differing) as file:
            file.writelines(map(json_line, disagreements(known)))


def gold(
    files: list[Path],
    out: Path,
    weighted: bool = False,
    least: int = 1,
    samples: int = SAMPLES,
    seed: int = 0,
) -> None:
    """Writes a row for each unit with its gold marks, gamma and number of annotators.

    Raises:
        UsageError: a file is refused, nothing is left, or pygamma-agreement is not installed.
    """
    keep_apart(files, out)
    voted = votes_of(read_answers(files), samples=samples, seed=seed)
    known = references(voted, weights_of(voted) if weighted else None)
    kept = [one for one in known if len(one.people) >= least or one.corrected]
    if not kept:
        raise AnnotationError(f"no unit was annotated by {counted(least, 'annotator')}")
    with open_private(out) as file:
        file.writelines(json_line(gold_row(one)) for one in kept)
    marks, undecided = sum(len(one.gold) for one in kept), sum(one.undecided for one in kept)
    tell(
        f"{counted(len(kept), 'unit')}, {counted(marks, 'gold mark')}; {undecided:,} undecided, "
        f"{len(known) - len(kept):,} left out with fewer annotators"
    )


def _show(found: Report) -> None:
    console = Console()
    console.print(
        f"{counted(found.units, 'unit')}: {found.several:,} by two annotators or more, "
        f"{found.empty:,} without a mark, {found.corrected:,} corrected"
    )
    console.print(
        f"gamma {_number(found.gamma)}, {_number(found.gamma_with_empty)} with empty units as 1; "
        f"quality index {_share(found.index)}; {found.undecided:,} of "
        f"{found.decided + found.undecided:,} columns undecided"
    )
    if found.pairs:
        rows: Iterable[tuple[str, ...]] = (
            (
                p.one,
                p.other,
                f"{p.units:,}",
                _number(p.kappa),
                _share(p.exact_f1),
                _share(p.token_f1),
            )
            for p in found.pairs
        )
        console.print(table(("annotator", "and", "units", "kappa", "exact F1", "token F1"), rows))
    rows = (
        (str(q.rank), q.annotator, q.team, f"{q.tasks:,}", f"{q.marks:,}", _number(q.rate),
         _share(q.index), *map(_share, q.penalties))
        for q in found.people
    )  # fmt: skip
    heads = ("rank", "annotator", "team", "units", "marks", "a minute", "index", "segments wrong",
             "categories wrong")  # fmt: skip
    console.print(table(heads, rows))


def _show_tests(tests: Sequence[Compared]) -> None:
    rows = (
        (
            " / ".join(one.teams),
            one.measure,
            *(
                _number(value) if one.measure == MEASURES[0] else _share(value)
                for value in one.means
            ),
            " / ".join(f"{n:,}" for n in one.values),
            _p(one.p),
            " / ".join(map(str, one.people)),
            _p(one.p_people),
        )
        for one in tests
    )
    heads = ("with / without suggestions", "less", "with", "without", "values", "p", "people",
             "p of people")  # fmt: skip
    Console().print(table(heads, rows))


def _p(value: float | None) -> str:
    return "–" if value is None else f"{value:.2g}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _share(value: float | None) -> str:
    return "–" if value is None else percent(value)
