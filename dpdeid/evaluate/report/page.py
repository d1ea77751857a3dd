"""Sections on one page of HTML: no script, no network, readable in print and in the dark; and what
it says, in French and in English, with the numbers as each writes them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, get_args

import yaml

from dpdeid.errors import UsageError
from dpdeid.evaluate.counts import high_percent, low_percent, percent
from dpdeid.evaluate.report.charts import Caption, Svg, identifier, template

Lang = Literal["fr", "en"]
LANGS: Final[tuple[str, ...]] = get_args(Lang)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language.

    >>> words("fr").share(0.984), words("en").share(0.984)
    ('98,4 %', '98.4 %')
    """

    lang: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key with its places filled; KeyError for a key that no text has."""
        return self.texts[key].format(**values)

    def column(self, name: str) -> str:
        """The head of a column; a label, a policy or a code stands for itself."""
        return self.said(f"column {name}", name)

    def said(self, key: str, otherwise: str) -> str:
        """The text of a key, or another where it has none."""
        return self.texts.get(key, otherwise)

    def share(self, value: float, end: Literal["low", "high"] | None = None) -> str:
        """A share between 0 and 1 in per cent; rounded outwards if it is the end of an interval."""
        rounded = {"low": low_percent, "high": high_percent, None: percent}[end]
        return self._decimal(rounded(value)) + " %"

    def number(self, value: float) -> str:
        """One decimal, a comma in French."""
        return self._decimal(f"{value:.1f}")

    def count(self, value: int) -> str:
        """A whole number, its thousands apart."""
        return f"{value:,}".replace(",", "\u202f" if self.lang == "fr" else ",")

    def _decimal(self, text: str) -> str:
        return text.replace(".", ",") if self.lang == "fr" else text


@cache
def words(lang: str) -> Words:
    """The words of a language.

    Raises:
        UsageError: it is none of `LANGS`.
    """
    if lang not in LANGS:
        raise UsageError(f"language {lang!r}: choose one of {', '.join(LANGS)}")
    return Words(lang, texts_in("dpdeid.evaluate.report", lang))


def texts_in(package: str, lang: str) -> dict[str, str]:
    """The texts of a package in a language, by key."""
    return {key: text[lang] for key, text in every_text(package).items()}


@cache
def every_text(package: str = "dpdeid.evaluate.report") -> Mapping[str, Mapping[str, str]]:
    """Key → language → text, in the words of a package."""
    text = (files(package) / "words.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


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
        chart: a drawing of the table, "" if there is none.
        is_open: whether the table is shown without a click.
    """

    key: str
    title: str
    said: tuple[str, ...]
    table: Table
    chart: Svg = ""
    is_open: bool = False


def drawn(
    words: Words,
    key: str,
    said: str | Sequence[str],
    columns: tuple[str, ...],
    rows: Iterable[tuple[Cell, ...]],
    chart: Callable[[Caption], Svg] | None = None,
    name: str = "",
) -> Section:
    """A section with a drawing of its table, open without one; `name` is of a file or policy."""
    title, told = words(f"{key} title"), (said,) if isinstance(said, str) else tuple(said)
    link, table = identifier(key, name), Table(columns, tuple(rows))
    shown = f"{title} ({name})" if name else title
    if chart is None:
        return Section(link, shown, told, table, is_open=True)
    return Section(link, shown, told, table, chart(Caption(link, title, words(f"{key} alt"))))


def page(sections: Sequence[Section], words: Words, *, title: str, foot: Sequence[str]) -> str:
    """The whole page; a control character of a note is "�" on it.

    Raises:
        UsageError: Jinja2 is not installed; names the extra.
    """
    whole = template("page.html").render(
        sections=sections, words=words, title=title, foot=foot, written=written
    )
    return _CONTROLS.sub("\ufffd", whole)


def written(cell: Cell, column: str, words: Words) -> str:
    """A cell of a table as a language writes it."""
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
_CONTROLS: Final = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no page may hold, although a note may."""
