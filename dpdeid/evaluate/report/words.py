"""Everything the page says, in French and in English, and how each writes numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal, get_args

import yaml

from dpdeid.errors import UsageError
from dpdeid.evaluate.rounding import high_percent, low_percent, percent

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

    def _decimal(self, text: str) -> str:
        return text.replace(".", ",") if self.lang == "fr" else text


def words(lang: str) -> Words:
    """The words of a language.

    Raises:
        UsageError: it is none of `LANGS`.
    """
    if lang not in LANGS:
        raise UsageError(f"language {lang!r}: choose one of {', '.join(LANGS)}")
    return Words(lang, {key: text[lang] for key, text in every_text().items()})


def every_text() -> Mapping[str, Mapping[str, str]]:
    """Key → language → text."""
    text = (files("dpdeid.evaluate.report") / "words.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))
