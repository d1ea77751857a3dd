"""`dpdeid evaluate attack`: what an attacker gets out of a release, or out of a policy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape

from dpdeid.cli.terminal import Console, counted, table
from dpdeid.errors import UsageError
from dpdeid.evaluate.attacks.games import NO_BOUND
from dpdeid.evaluate.attacks.on_files import attack_files
from dpdeid.evaluate.attacks.patients import Setting
from dpdeid.evaluate.attacks.simulated import CLOSE, Sizes, attack_policy
from dpdeid.evaluate.counts import high_percent, low_percent, percent
from dpdeid.formats.write import keep_apart, write_json
from dpdeid.policy.policy import load_policy

KIND = (
    "lower bounds on risk: an attacker who is better than these finds more. "
    "Nothing here proves that a release is safe."
)
_IDLE = 99.9
Json = Mapping[str, Any]


def attack(
    before: Path | None = None,
    after: list[Path] | None = None,
    policy: str = "dp",
    simulate: int | None = None,
    setting: Setting = "stays",
    known: list[int] | None = None,
    spans: Path | None = None,
    output: Path | None = None,
) -> None:
    """Prints what the attacks find and writes it to `output`.

    Raises:
        UsageError: neither or both of files and `simulate` are given, or a file is refused.
    """
    releases, dates = after or (), known or (1, 2, 3)
    if (simulate is None) == (before is None):
        raise UsageError("give BEFORE and AFTER, or --simulate")
    if Path("-") in (before, *releases, spans):
        raise UsageError("attacks read their files more than once: give them by name, not as -")
    keep_apart((before, *releases, spans), output)
    rules = load_policy(policy)
    if simulate is not None:
        found = attack_policy(rules, sizes=Sizes.of(simulate), setting=setting, known=dates)
        told = f"policy {rules.name} on {simulate:,} made-up patients, setting {setting}"
    elif before is None or not releases:
        raise UsageError("give at least one release: dpdeid evaluate attack BEFORE AFTER")
    else:
        found = attack_files(before, releases, policy=rules, spans=spans, known=dates)
        told = f"{counted(found['notes'], 'note')} of {counted(found['records'], 'record')}"
    show(found, told)
    if output is not None:
        report = {"kind": KIND, "policy": rules.name, "policy_sha256": rules.sha256, **found}
        write_json(output, report)


def show(found: Json, told: str) -> None:
    """Prints the findings; what was not attacked is left out."""
    console = Console()
    console.print(f"[bold]{escape(told)}[/bold]")
    console.print(KIND)
    for title, columns, rows in _tables(found):
        shown = table(columns, rows, box=SIMPLE_HEAD, pad_edge=False)
        if shown.row_count:
            console.print(f"\n[bold]{escape(title)}[/bold]")
            console.print(shown)


def _tables(found: Json) -> Iterator[tuple[str, Sequence[str], Iterable[Sequence[str]]]]:
    """Title, columns and rows of each table."""
    yield (
        "Uniqueness: records whose dates, or intervals, nobody else has",
        ("", "records", "date sets", "with intervals", "interval sequences"),
        _unique(found["uniqueness"]),
    )
    yield (
        "Linkage: whose record is it? All records are searched; they read differently, so there "
        f"is {NO_BOUND}",
        ("known", "found", "bound", "at random"),
        map(_linked, found["linkage"]),
    )
    columns: Sequence[str]
    for close in (False, True):
        apart = f"within {CLOSE} days of one another" if close else "drawn apart"
        games = (game for game in found.get("games", ()) if game["close"] is close)
        columns = ("which of", "known", "named", "bound", "at random")
        yield f"Linkage of records that read alike, their dates {apart}", columns, map(_game, games)
    averaged = "Averaging: the middle of several releases of one record"
    rows = found.get("averaging", ())
    if rows and "same_key" in rows[0]:
        columns = ("releases", "key", "error of a date", "of its gap", "of a town", "towns found")
        yield averaged, columns, map(_averaged, rows)
    else:
        columns = ("releases", "dates", "median error", "exact")
        yield averaged, columns, (_averaged_files(row) for row in rows if row["dates"])
    if "residual" in found:
        yield (
            "What is left of the originals",
            ("label", "left whole", "words left", "anywhere in the note", "4 characters left"),
            (
                (label, *(rate(row[name]) for name in ("whole", "words", "anywhere", "runs")))
                for label, row in found["residual"]["labels"].items()
            ),
        )
        yield (
            "Words that look like names",
            ("who reads", "words that no list has, true ones among them"),
            _suspects(found["residual"]["suspects"]),
        )
    yield "Names, by how often they come", ("", ""), _frequency(found["frequency"])
    yield (
        "A missed name: how often the attacker tells which it is",
        ("replaced by", "mentions", "recall", "told", "at random"),
        (
            (
                *(row["replaced"], str(row["mentions"]), f"{100 * row['recall']:.0f} %"),
                *(rate(row["named"]), f"{100 * row['blind']:.0f} %"),
            )
            for row in found.get("hidden", ())
        ),
    )
    yield "Who may submit notes, without the key", ("", ""), _oracle(found.get("oracle"))


def rate(one: Json) -> str:
    """A share with its interval, of how many."""
    if not one["trials"]:
        return "–"
    interval = f"{low_percent(one['low'])}–{high_percent(one['high'])}"
    return f"{percent(one['share'])} % ({interval}) of {one['trials']:,}"


def _unique(unique: Json) -> Iterator[Sequence[str]]:
    names = ("records", "date_sets", "with_intervals", "interval_sequences")
    for when in ("before", "after"):
        yield when, *(f"{unique[when][name]:,}" for name in names)
    yield "the same in both", "", "", f"{unique['kept_intervals']:,}"


def _linked(row: Json) -> Sequence[str]:
    known = counted(row["known"], "date") + " and towns" * row["towns"]
    return known, rate(row["found"]), NO_BOUND, f"{100 / row['records']:.3f} %"


def _game(row: Json) -> Sequence[str]:
    which = "releases" if row["game"] == "many_releases" else "originals"
    known, towns = counted(row["known_dates"], "date"), row["known_towns"]
    if towns:
        known += f", {counted(towns, 'town')}"
    chance = f"{100 / row['records']:.1f} %"
    return f"{row['records']} {which}", known, rate(row["found"]), _bound(row["bound"]), chance


def _bound(bound: float | None) -> str:
    if bound is None:
        return NO_BOUND
    shown = math.ceil(1_000 * bound) / 10
    return f"≤ {shown:.1f} %" if shown < _IDLE else "≤ 100 %"


def _averaged(row: Json) -> Sequence[str]:
    towns = ("–", "–")
    if row["km_error"] is not None:
        towns = (f"{row['km_error']:.0f} km", f"{100 * row['exact_towns']:.0f} %")
    days = (f"{row['day_error']:.0f} days", f"{row['gap_error']:.0f} days")
    return str(row["releases"]), "same" if row["same_key"] else "new", *days, *towns


def _averaged_files(row: Json) -> Sequence[str]:
    error, exact = f"{row['day_error']:.0f} days", f"{100 * row['exact_days']:.1f} %"
    return str(row["releases"]), f"{row['dates']:,}", error, exact


def _suspects(row: Json | None) -> Iterator[Sequence[str]]:
    if row is not None:
        yield "the release", rate(row["read"])
        yield "the release and its --spans", rate(row["subtracted"])


def _frequency(row: Json) -> Iterator[Sequence[str]]:
    if row["surrogates"]:
        yield "different names", f"{row['names']:,}"
        yield "different surrogates", f"{row['surrogates']:,}"
        yield "surrogates whose name their rank tells", rate(row["matched"])
        yield "… at random", f"{100 * row['blind']:.2f} %"
        yield "two records of one name with the same surrogate", rate(row["shared"])


def _oracle(row: Json | None) -> Iterator[Sequence[str]]:
    if row is not None:
        yield "notes submitted for a patient", str(row["submitted"])
        yield "days that fit, on average", f"{row['left']:.1f}"
        yield "the true day is among them", rate(row["held"])
        yield "the true day is named", rate(row["named"])
