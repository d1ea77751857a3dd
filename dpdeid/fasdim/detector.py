"""FASDIM as a detector: known facts and names behind titles under their own labels, and all that no
list vouches for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ClassVar, Final

from dpdeid.detect.known_facts.metadata import Metadata
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.document import Document, Span
from dpdeid.fasdim.beside import titled
from dpdeid.fasdim.lists import Lists, read
from dpdeid.fasdim.removal import removed
from dpdeid.labels import Label, Role

_CONTACT: Final = re.compile(r"(?<!\S)\S*(?:(?P<EMAIL>@)|://|www\.)\S*")
_SCORE: Final = 0.6
_SURE: Final = 0.9


@dataclass(frozen=True, slots=True)
class Fasdim:
    """Finds what no list vouches for. Its label is OTHER_ID, since FASDIM cannot tell what a word
    is; names behind titles, known facts and addresses of mail have their own.

    Args:
        lists: the folder of a site's lists; without one the starting list alone. In a policy file a
            relative path starts where the file lies.
        specialty: whose entries hold before the others.
        published: as in the paper, without what was added to it.
    """

    name: ClassVar[str] = "fasdim"

    lists: Path | None = None
    specialty: str | None = None
    published: bool = False

    def __post_init__(self) -> None:
        _loaded(self.lists, self.specialty or "")

    def __call__(self, doc: Document) -> Iterable[Span]:
        """The spans of a note, disjoint but for known facts.

        Raises:
            PolicyError: the lists are missing or cannot be used.
        """
        return spans(doc, _loaded(self.lists, self.specialty or ""), published=self.published)


@cache
def _loaded(folder: Path | None, specialty: str) -> Lists:
    return Lists(specialty=specialty) if folder is None else read(folder, specialty)


def spans(doc: Document, lists: Lists, *, published: bool = False) -> list[Span]:
    """What is removed of a note: known facts, names behind titles, mail, then all that is left."""
    view = view_of(doc)
    found = [replace(span, source=f"{Fasdim.name}/known") for span in Metadata()(doc)]
    taken = {at for span in found for at in doc.tokens.over(span.start, span.end)}
    named = dict(titled(view, lists, published=published))
    found += _runs(view, {at: role for at, role in named.items() if at not in taken})
    taken |= named.keys()
    if not published:
        for match in _CONTACT.finditer(doc.text):
            label = Label.EMAIL if match["EMAIL"] else Label.URL
            found.append(Span(match.start(), match.end(), label, _SURE, f"{Fasdim.name}/mail"))
            taken.update(doc.tokens.over(match.start(), match.end()))
    gone = removed(view, lists, taken, published=published)
    return [*found, *_runs(view, dict.fromkeys(gone - taken))]


def _runs(view: View, tokens: Mapping[int, Role | None]) -> Iterator[Span]:
    """One span for tokens with at most one character between on their line."""
    run: list[int] = []
    for at in (*sorted(tokens), view.size + 1):
        if run and (at > view.size or not _beside(view, run[-1], at)):
            role = tokens[run[0]]
            label, score = (Label.OTHER_ID, _SCORE) if role is None else (Label.LAST_NAME, _SURE)
            source = Fasdim.name if role is None else f"{Fasdim.name}/title"
            yield view.span(run[0], run[-1] + 1, label, score, source, role or Role.UNKNOWN)
            run = []
        run.append(at)


def _beside(view: View, one: int, other: int) -> bool:
    between = view.text[view.ends[one] : view.starts[other]]
    return len(between) < 2 and between != "\n"
