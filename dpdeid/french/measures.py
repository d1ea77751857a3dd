"""What rows, columns and values of measures are called, and what they are counted in, folded."""

from __future__ import annotations

from typing import Final

from dpdeid.french.tables import words_by_key

_BY_KIND: Final = words_by_key("measures")
UNITS: Final = frozenset(_BY_KIND["unit"])
HEADS: Final = frozenset(word for k, words in _BY_KIND.items() if k != "unit" for word in words)
COUNTS: Final = frozenset(_BY_KIND["count"])
"""Those whose values have any number of digits, years' among them: "PNN 1900"."""
ANY_LENGTH: Final = frozenset(_BY_KIND["titre"])
"""Those whose values have any number of digits, but hardly a year's: "VHC 6200000"."""
RATIOS: Final = frozenset(_BY_KIND["ratio"])
"""Those whose values have a slash: "TA 12/8", "EVA 4/10"."""
SURE: Final = (
    COUNTS
    | ANY_LENGTH
    | RATIOS
    | HEADS.difference(*(_BY_KIND[kind] for kind in ("fluid", "drug", "dialysis", "heading")))
)
"""Those that stand before nothing else, as "entrée" and "dose" do."""
_SHORTEST: Final = 3
SAID: Final = frozenset(word for word in SURE if len(word) >= _SHORTEST).difference(
    _BY_KIND["ordinary"]
) | frozenset(_BY_KIND["short"])
"""Those that are no words of prose: what stands behind one in a sentence is its value."""
