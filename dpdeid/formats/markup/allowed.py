"""What of a format passes: a table of elements and of the values that attributes may have.

A line "A B >" lists what may stand in elements A and B, a line "=FORM" the attributes whose values
may have that form (a regular expression) or be among the words, any other the names of a kind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Self


@dataclass(frozen=True, slots=True)
class Allowed:
    """What of one format passes.

    Args:
        inside: of an element: what may stand in it.
        forms: of an attribute.
        kinds: names by kind.
        kind_of: of a name the first kind that has it.
    """

    inside: Mapping[str, frozenset[str]]
    forms: Mapping[str, re.Pattern[str]]
    kinds: Mapping[str, frozenset[str]]
    kind_of: Mapping[str, str]

    @classmethod
    @cache
    def of(cls, room: str, name: str) -> Self:
        """The table of that name."""
        inside = defaultdict[str, frozenset[str]](frozenset)
        kinds = defaultdict[str, frozenset[str]](frozenset)
        forms, kind_of = dict[str, re.Pattern[str]](), dict[str, str]()
        for line in (files(room) / name).read_text(encoding="utf-8").splitlines():
            first, *names = line.split("\t")
            if first.startswith("="):
                forms |= dict.fromkeys(names, re.compile(first[1:]))
            elif first.endswith(" >"):
                for parent in first[:-2].split():
                    inside[parent] |= {*names}
            elif not first.startswith("#"):
                kinds[first] |= {*names}
                kind_of = dict.fromkeys(names, first) | kind_of
        return cls(inside, forms, kinds, kind_of)

    def passes(self, attribute: str, value: str) -> bool:
        """Whether an attribute may have that value."""
        form = self.forms.get(attribute)
        return form is not None and (
            form.fullmatch(value) is not None or value in self.kinds["words"]
        )
