"""What rows and columns of measurements are called, and what they are counted in, folded."""

from __future__ import annotations

from typing import Final

from dpdeid.french.tables import words_by_key

_BY_KIND: Final = words_by_key("measures")
UNITS: Final = frozenset(_BY_KIND["unit"])
HEADS: Final = frozenset(word for k, words in _BY_KIND.items() if k != "unit" for word in words)
SURE: Final = HEADS - {
    word for kind in ("fluid", "drug", "dialysis", "heading") for word in _BY_KIND[kind]
}
"""Those that stand before nothing else, as "entrée" and "dose" do."""
