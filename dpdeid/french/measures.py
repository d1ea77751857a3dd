"""What rows, columns and values of measures are called, and what they are counted in, folded."""

from __future__ import annotations

from typing import Final

from dpdeid.french.tables import words_by_key

_BY_KIND: Final = words_by_key("measures")
UNITS: Final = frozenset(_BY_KIND["unit"])
_NO_HEADS: Final = ("unit", "scale", "eponym", "beside", "decimal", "weighed", "dosed", "far")
HEADS: Final = frozenset(w for k, words in _BY_KIND.items() if k not in _NO_HEADS for w in words)
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
) | frozenset(_BY_KIND["short"] + _BY_KIND["beside"])
"""Those that are no words of prose, or before a number of nobody: what stands behind one in a
sentence is its value."""
FAR: Final = frozenset(_BY_KIND["far"])
"""The same of counts that may be long, as "culture 10000"."""
SCALES: Final = frozenset(_BY_KIND["scale"])
"""Scores, whose values may be told with the most there is: "BREF 12/18"."""
EPONYMS: Final = frozenset(_BY_KIND["eponym"])
"""Scores called after somebody."""
DECIMALS: Final = frozenset(_BY_KIND["decimal"])
"""Labels whose numbers are values only if they have decimals: "K 4,2"."""
WEIGHED: Final = frozenset(_BY_KIND["weighed"])
"""The same of words that a day may follow too: "départ 74,6"."""
DOSED: Final = frozenset(_BY_KIND["dosed"])
"""Drugs as wards call them: "vanco"."""
