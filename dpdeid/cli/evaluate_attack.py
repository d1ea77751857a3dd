"""`dpdeid evaluate attack`: what an attacker gets out of a release, or out of a policy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from dpdeid.cli.counted import counted
from dpdeid.cli.ending import Console
from dpdeid.errors import UsageError
from dpdeid.evaluate.attacks.games import NO_BOUND
from dpdeid.evaluate.attacks.on_files import attack_files
from dpdeid.evaluate.attacks.patients import Setting
from dpdeid.evaluate.attacks.simulated import CLOSE, Sizes, attack_policy
from dpdeid.evaluate.rounding import high_percent, low_percent, percent
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.write import write_json
from dpdeid.policy import load_policy

KIND = (
    "lower bounds on risk: an attacker who is better than these finds more. "
    "Nothing here proves that a release is safe."
)
_IDLE = 99.9
Json = Mapping[str, Any]


def attack(
    before: Path | None,
    after: Sequence[Path],
    *,
    policy: str,
    simulate: int | None,
    setting: Setting = "stays",
    known: Sequence[int] = (1, 2, 3),
    spans: Path | None = None,
    output: Path | None = None,
) -> None:
    """Prints what the attacks find and writes it to `output`.

    Raises:
        UsageError: neither or both of files and `simulate` are given, or a file is refused.
    """
    if (simulate is None) == (before is None):
        raise UsageError("give BEFORE and AFTER, or --simulate")
    if Path("-") in (before, *after, spans):
        raise UsageError("attacks read their files more than once: give them by name, not as -")
    keep_apart((before, *after, spans), output)
    rules = load_policy(policy)
    if simulate is not None:
        found = attack_policy(rules, sizes=Sizes.of(simulate), setting=setting, known=known)
        told = f"policy {rules.name} on {simulate:,} made-up patients, setting {setting}"
    elif before is None or not after:
        raise UsageError("give at least one release: dpdeid evaluate attack BEFORE AFTER")
    else:
        found = attack_files(before, after, policy=rules, spans=spans, known=known)
        told = f"{counted(found['notes'], 'note')} of {counted(found['records'], 'record')}"
    show(found, told)
    if output is not None:
        report = {"kind": KIND, "policy": rules.name, "policy_sha256": rules.sha256, **found}
        write_json(output, report)


def show(found: Json, told: str) -> None:
    """Prints the findings; what was not attacked is left out."""
    console = Console()
    console.print(f"[bold]{escape(told)}[/bold]", highlight=False)
    console.print(KIND, highlight=False)
    for title, table in _tables(found):
        if table.row_count:
            console.print(f"\n[bold]{escape(title)}[/bold]", highlight=False)
            console.print(table)


def _tables(found: Json) -> Iterable[tuple[str, Table]]:
    yield "Uniqueness: records whose dates, or intervals, nobody else has", _unique(found)
    yield (
        "Linkage: whose record is it? All records are searched; they read differently, so there "
        f"is {NO_BOUND}",
        _linked(found["linkage"]),
    )
    for close in (False, True):
        apart = f"within {CLOSE} days of one another" if close else "drawn apart"
        games = [game for game in found.get("games", ()) if game["close"] is close]
        yield f"Linkage of records that read alike, their dates {apart}", _games(games)
    yield "Averaging: the middle of several releases of one record", _averaged(found)
    if "residual" in found:
        yield "What is left of the originals", _residual(found["residual"]["labels"])
        yield "Words that look like names", _suspects(found["residual"]["suspects"])
    yield "Names, by how often they come", _frequency(found["frequency"])
    yield "A missed name: how often the attacker tells which it is", _hidden(found)
    yield "Who may submit notes, without the key", _oracle(found)


def _table(*columns: str) -> Table:
    return Table(*columns, box=SIMPLE_HEAD, pad_edge=False)


def rate(one: Json) -> str:
    """A share with its interval, of how many."""
    if not one["trials"]:
        return "–"
    interval = f"{low_percent(one['low'])}–{high_percent(one['high'])}"
    return f"{percent(one['share'])} % ({interval}) of {one['trials']:,}"


def _unique(found: Json) -> Table:
    table = _table("", "records", "date sets", "with intervals", "interval sequences")
    unique = found["uniqueness"]
    for when in ("before", "after"):
        own = unique[when]
        names = ("records", "date_sets", "with_intervals", "interval_sequences")
        table.add_row(when, *(f"{own[name]:,}" for name in names))
    table.add_row("the same in both", "", "", f"{unique['kept_intervals']:,}")
    return table


def _linked(rows: Sequence[Json]) -> Table:
    table = _table("known", "found", "bound", "at random")
    for row in rows:
        chance = f"{100 / row['records']:.3f} %"
        table.add_row(
            _known(row["known"], " and towns" * row["towns"]), rate(row["found"]), NO_BOUND, chance
        )
    return table


def _known(dates: int, towns: str) -> str:
    return counted(dates, "date") + towns


def _games(rows: Sequence[Json]) -> Table:
    table = _table("which of", "known", "named", "bound", "at random")
    for row in rows:
        many = row["game"] == "many_releases"
        game = f"{row['records']} releases" if many else f"{row['records']} originals"
        chance, towns = f"{100 / row['records']:.1f} %", row["known_towns"]
        table.add_row(
            game,
            _known(row["known_dates"], f", {counted(towns, 'town')}" if towns else ""),
            rate(row["found"]),
            _bound(row["bound"]),
            chance,
        )
    return table


def _bound(bound: float | None) -> str:
    if bound is None:
        return NO_BOUND
    shown = math.ceil(1_000 * bound) / 10
    return f"≤ {shown:.1f} %" if shown < _IDLE else "≤ 100 %"


def _averaged(found: Json) -> Table:
    rows = found.get("averaging", ())
    if rows and "same_key" in rows[0]:
        table = _table(
            "releases", "key", "error of a date", "of its gap", "of a town", "towns found"
        )
        for row in rows:
            towns = ("–", "–")
            if row["km_error"] is not None:
                towns = (f"{row['km_error']:.0f} km", f"{100 * row['exact_towns']:.0f} %")
            days = (f"{row['day_error']:.0f} days", f"{row['gap_error']:.0f} days")
            key = "same" if row["same_key"] else "new"
            table.add_row(str(row["releases"]), key, *days, *towns)
        return table
    table = _table("releases", "dates", "median error", "exact")
    for row in rows:
        if row["dates"]:
            error, exact = f"{row['day_error']:.0f} days", f"{100 * row['exact_days']:.1f} %"
            table.add_row(str(row["releases"]), f"{row['dates']:,}", error, exact)
    return table


def _residual(labels: Json) -> Table:
    table = _table("label", "left whole", "words left", "anywhere in the note", "4 characters left")
    for label, row in labels.items():
        names = ("whole", "words", "anywhere", "runs")
        table.add_row(label, *(rate(row[name]) for name in names))
    return table


def _suspects(row: Json | None) -> Table:
    table = _table("who reads", "words that no list has, true ones among them")
    if row is not None:
        table.add_row("the release", rate(row["read"]))
        table.add_row("the release and its --spans", rate(row["subtracted"]))
    return table


def _frequency(row: Json) -> Table:
    table = _table("", "")
    if row["surrogates"]:
        table.add_row("different names", f"{row['names']:,}")
        table.add_row("different surrogates", f"{row['surrogates']:,}")
        table.add_row("surrogates whose name their rank tells", rate(row["matched"]))
        table.add_row("… at random", f"{100 * row['blind']:.2f} %")
        table.add_row("two records of one name with the same surrogate", rate(row["shared"]))
    return table


def _hidden(found: Json) -> Table:
    table = _table("replaced by", "mentions", "recall", "told", "at random")
    for row in found.get("hidden", ()):
        recall, blind = f"{100 * row['recall']:.0f} %", f"{100 * row['blind']:.0f} %"
        table.add_row(row["replaced"], str(row["mentions"]), recall, rate(row["named"]), blind)
    return table


def _oracle(found: Json) -> Table:
    table = _table("", "")
    if (row := found.get("oracle")) is not None:
        table.add_row("notes submitted for a patient", str(row["submitted"]))
        table.add_row("days that fit, on average", f"{row['left']:.1f}")
        table.add_row("the true day is among them", rate(row["held"]))
        table.add_row("the true day is named", rate(row["named"]))
    return table
