"""The words of an annex beside those of the report, and what it lists, in one language."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Literal

from dpdeid.dossier.tree import Block, Grid, Head, Said
from dpdeid.evaluate.report.page import Section, Words, texts_in, words, written
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.privacy.losses import Amount, rounded_up, small


@cache
def annex_words(lang: str) -> Words:
    """The words of a language, those of the report among them.

    Raises:
        UsageError: there is no such language.
    """
    report = words(lang)
    return replace(report, texts={**report.texts, **texts_in("dpdeid.dossier", lang)})


def items(said: Words, key: str, **values: str) -> tuple[str, ...]:
    """The items of a text."""
    return tuple(said(key, **values).split("\n"))


def rows(said: Words, key: str, **values: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a text whose cells stand between bars."""
    return tuple(
        tuple(cell.strip() for cell in row.split("|")) for row in items(said, key, **values)
    )


def by_draws(said: Words, key: str, policy: Policy, **values: str) -> str:
    """The text of a key; that of "KEY system", if there is one, where no draw hangs on a key."""
    own = f"{key} {policy.randomness}"
    return said(own if own in said.texts else key, **values)


def columns(said: Words, *names: str) -> tuple[str, ...]:
    """The heads of columns."""
    return tuple(said(f"column {name}") for name in names)


def listed(labels: Iterable[Label], said: Words) -> str:
    """The names of labels."""
    return ", ".join(said(f"label {label}") for label in labels)


def day_text(day: dt.date, said: Words) -> str:
    """A day as the language writes it.

    >>> day_text(dt.date(2026, 12, 1), annex_words("fr"))
    '1er décembre 2026'
    """
    number = "1er" if said.lang == "fr" and day.day == 1 else str(day.day)
    return f"{number} {said('months').split()[day.month - 1]} {day.year}"


def decimal(text: str, said: Words) -> str:
    """A figure as the language writes it."""
    return text.replace(".", ",") if said.lang == "fr" else text


def loss_text(loss: Amount, said: Words) -> str:
    """A loss with what it counts by, never below its true value."""
    told = said(f"loss {type(loss).__name__}", amount=decimal(rounded_up(loss.amount), said))
    return f"{told} (δ = {small(loss.delta)})" if loss.delta else told


def losses_text(losses: Iterable[Amount], said: Words) -> str:
    """Losses of different kinds, side by side."""
    return (" ; " if said.lang == "fr" else "; ").join(loss_text(one, said) for one in losses)


def share(value: float, said: Words, end: Literal["low", "high"] | None = None) -> str:
    """A share in per cent, a dash for what is not known."""
    return "–" if math.isnan(value) else said.share(value, end)


def of_section(section: Section, said: Words) -> tuple[Block, ...]:
    """A section of the report as blocks."""
    table = section.table
    cells = tuple(
        tuple(
            written(cell, column, said).replace(" %", "\u00a0%")
            for cell, column in zip(row, table.columns, strict=True)
        )
        for row in table.rows
    )
    heads = tuple(map(said.column, table.columns))
    grid = Grid(heads, cells, of_figures=True, chart=section.chart)
    return (Head(section.title), *map(Said, section.said), grid)
