"""Sections on one page of HTML: no script, no network, readable in print and in the dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final, Literal
from xml.etree.ElementTree import Element

from dpdeid.evaluate.report.markup import tag, text_of
from dpdeid.evaluate.report.words import Words

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. A column that ends in `_share` holds shares between 0 and 1.

    Args:
        columns: names of the columns, the same in every language: they are the keys of the JSON.
        rows: of them; a label stands as in the program, and the page has the reader's word for it.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = field(repr=False)

    def data(self) -> list[dict[str, Cell]]:
        """One object a row; null for what is not known."""
        return [
            {
                name: None if _is_nan(cell) else cell
                for name, cell in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page: what it says, shows and counts.

    Args:
        key: its name in the JSON and in links, the same in every language.
        said: paragraphs under the heading.
        chart: a drawing of the table, if there is one.
        is_open: whether the table is shown without a click.
    """

    key: str
    title: str
    said: tuple[str, ...]
    table: Table
    chart: Element | None = None
    is_open: bool = False


def page(sections: Sequence[Section], words: Words, *, title: str, foot: Sequence[str]) -> str:
    """The whole page."""
    links = (tag("li", tag("a", one.title, href=f"#{one.key}")) for one in sections)
    body = tag(
        "main",
        tag("h1", title),
        tag("nav", tag("ul", *links), aria_label=words("contents")),
        *(_section(one, words) for one in sections),
        tag("footer", *(tag("p", line) for line in foot)),
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("title", title),
        tag("style", (files("dpdeid.evaluate.report") / "style.css").read_text("utf-8")),
    )
    return (
        "<!doctype html>\n" + text_of(tag("html", head, tag("body", body), lang=words.lang)) + "\n"
    )


def _section(one: Section, words: Words) -> Element:
    table = tag(
        "details",
        tag("summary", words("as a table")),
        tag("div", _table(one.table, words), class_="wide"),
    )
    if one.is_open:
        table.set("open", "open")
    figure = None if one.chart is None else tag("figure", one.chart)
    parts = [tag("h2", one.title), *(tag("p", text) for text in one.said)]
    parts += [figure] if figure is not None else []
    return tag("section", *parts, table, id=one.key)


def _table(table: Table, words: Words) -> Element:
    heads = (tag("th", words.column(name), scope="col") for name in table.columns)
    rows = []
    for row in table.rows:
        cells = [_cell(cell, name, words) for cell, name in zip(row, table.columns, strict=True)]
        first = tag("th", cells[0], scope="row")
        rows.append(tag("tr", first, *(tag("td", cell) for cell in cells[1:])))
    return tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))


def _cell(cell: Cell, column: str, words: Words) -> str:
    if cell is None or _is_nan(cell):
        return "–"
    if isinstance(cell, float) and column.endswith("_share"):
        return words.share(cell, _ENDS.get(column))
    if isinstance(cell, float):
        return words.number(cell)
    return words.said(f"label {cell}", str(cell)) if column == "label" else str(cell)


def _is_nan(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


_ENDS: Final[Mapping[str, Literal["low", "high"]]] = {
    "low_share": "low",
    "high_share": "high",
    "bound_share": "high",
}
"""Columns whose shares are rounded outwards."""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
