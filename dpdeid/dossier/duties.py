"""What the site has to do and to decide: purpose, flow, keys, retention, rights, law, review."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from dpdeid.cohort import account, manifest
from dpdeid.cohort.account import Spent
from dpdeid.cohort.manifest import Manifest
from dpdeid.dossier.promised import fate
from dpdeid.dossier.texts import by_draws, columns, day_text, items, losses_text, rows
from dpdeid.dossier.tree import Blanks, Block, Grid, Head, Missing, Said, Ticks
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.page import Words
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.privacy.losses import Amount


@dataclass(frozen=True, slots=True)
class Kept:
    """A cohort as it may be shown: its manifest and its account, no key."""

    made: Manifest
    spent: Spent = field(repr=False)

    @classmethod
    def of(cls, directory: Path, policy: Policy) -> Self:
        """That of a folder.

        Raises:
            UsageError: there is none, or it was made with another policy.
        """
        made = manifest.read(directory)
        if made.policy_sha256 != policy.sha256:
            raise UsageError(
                f"the cohort {directory} was made with the policy {made.policy} "
                f"({made.policy_sha256[:12]}), not with {policy.name} ({policy.sha256[:12]})"
            )
        return cls(made, account.read(directory))


def purpose(said: Words) -> Iterator[Block]:
    """What only the site knows."""
    yield Said(said("purpose said"))
    yield Blanks(items(said, "purpose blanks"))


def flow(said: Words) -> Iterator[Block]:
    """What comes in, where it is processed, what goes out and what stays."""
    steps = tuple(
        (said(f"flow {step}"), said(f"flow {step} what"), said(f"flow {step} where"))
        for step in ("in", "work", "out", "stays")
    )
    yield Grid(columns(said, "step", "what", "where"), steps)
    yield Blanks(items(said, "flow blanks"))


def keys(policy: Policy, cohort: Kept | None, said: Words, blank: str) -> Iterator[Block]:
    """Who holds what and when it is destroyed; the manifest of a cohort."""
    yield Said(by_draws(said, "keys said", policy))
    secrets = tuple(
        (
            said(f"key {one}"),
            by_draws(said, f"key {one} opens", policy),
            f"{said(f'key {one} holder')} {blank}",
            said(f"key {one} end"),
        )
        for one in ("cohort", "vault", "seal", "ledger", "plain")
    )
    yield Grid(columns(said, "key", "opens", "holder", "destroyed"), secrets)
    yield Head(said("cohort title"))
    if cohort is None:
        yield Missing(said("cohort none"))
        return
    yield Said(said("cohort text"))
    yield Grid(columns(said, "entry", "value"), tuple(_of_cohort(cohort, said)))


def _of_cohort(cohort: Kept, said: Words) -> Iterator[tuple[str, str]]:
    made, ledger = cohort.made, cohort.spent.ledger
    models = ", ".join(f"{name} {print_[:12]}" for name, print_ in made.models.items())
    shown = {
        "policy": f"{made.policy} ({made.policy_sha256[:12]})",
        "created": made.created,
        "e0": made.e0,
        "key": made.key,
        "ledger_key": made.ledger_key,
        "gazetteers": made.gazetteers[:12],
        "models": models or "–",
        "scheme": str(made.scheme),
        "closed": made.closed or said("cohort open"),
        "charges": said.count(len(ledger.charges)),
        "units": said.count(len(ledger.units)),
        "forgotten": said.count(len(cohort.spent.forgotten)),
        "spent": losses_text(_most_spent(cohort.spent), said) or "–",
    }
    yield from ((said(f"cohort {entry}"), text) for entry, text in shown.items())


def _most_spent(spent: Spent) -> list[Amount]:
    """Of each kind of loss the most that one unit was charged."""
    counts = Counter(
        (one.unit, one.loss) for one in spent.ledger.charges if isinstance(one.loss, Amount)
    )
    sums: dict[tuple[str, type], Amount] = {}
    for (unit, loss), draws in counts.items():
        more, before = loss.times(draws), sums.get((unit, type(loss)))
        sums[unit, type(loss)] = more if before is None else before + more
    most: dict[type, Amount] = {}
    for (_, kind), total in sums.items():
        if kind not in most or most[kind].amount < total.amount:
            most[kind] = total
    return [most[kind] for kind in sorted(most, key=lambda kind: kind.__name__)]


def retention(said: Words, blank: str) -> Iterator[Block]:
    """What lies where, how it goes and after how long."""
    yield Said(said("retention said"))
    data = tuple(
        (said(f"kept {one}"), said(f"kept {one} end"), blank)
        for one in ("originals", "released", "keys", "ledgers", "answers")
    )
    yield Grid(columns(said, "kept_what", "erased_by", "period"), data)


def rights(policy: Policy, said: Words) -> Iterator[Block]:
    """What patients may ask, what the program does for it, and what erasure cannot do."""
    asked = tuple(
        (said(f"right {one}"), said(f"right {one} done"), said(f"right {one} duty"))
        for one in ("information", "objection", "erasure", "closed", "access")
    )
    yield Grid(columns(said, "right", "done", "duty"), asked)
    yield Said(said("rights limits", holder=by_draws(said, "rights key", policy)))
    yield Blanks(items(said, "rights blanks"))


def law(policy: Policy, said: Words) -> Iterator[Block]:
    """Requirements of each law, what supports them, what stays the site's duty."""
    heads = columns(said, "demand", "support", "own_duty")
    birth = said(f"birth {fate(policy, Label.BIRTH_DATE)}")
    yield Said(said("law said"))
    yield Head(said("cnil title"))
    yield Grid(heads, rows(said, "law cnil", birth=birth))
    yield Head(said("gdpr title"))
    yield Said(said("gdpr said"))
    yield Grid(heads, rows(said, "law gdpr"))
    yield Head(said("swiss title"))
    yield Said(said("swiss said"))
    yield Grid(heads, rows(said, "law swiss"))


def review(day: dt.date, said: Words) -> Iterator[Block]:
    """When all this is redone, what is checked before, and who signs."""
    yield Said(said("review said", day=day_text(day, said)))
    yield Head(said("checks title"))
    yield Ticks(items(said, "checks"))
    yield Head(said("signatures title"))
    yield Blanks(items(said, "signatures"))
