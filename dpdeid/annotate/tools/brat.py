"""brat: a .txt and a .ann file a unit, and how categories look.

Offsets are code points; a mark over a line end is written in pieces, one a line
(https://brat.nlplab.org/standoff.html, https://brat.nlplab.org/configuration.html). Names of types
are ASCII there: ÂGE is written AGE, shown as ÂGE and read as either. brat knows neither annotators
nor times; everybody works on a copy of the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from dpdeid.annotate.schemes import Scheme
from dpdeid.annotate.tools.returned import Returned, Sent, found_in
from dpdeid.annotate.units import Marked
from dpdeid.errors import AnnotationError
from dpdeid.formats.annotation_files import brat_marks

_LINE: Final = re.compile(r"[^\n]+")


def files(sent: Sequence[Sent], scheme: Scheme) -> Iterator[tuple[str, str]]:
    """The collection: its configuration, then each unit as REF.txt and REF.ann."""
    every = scheme.categories.values()
    names = "".join(f"{one.plain}\n" for one in every)
    yield (
        "annotation.conf",
        f"[entities]\n{names}\n[relations]\n\n[events]\n\n[attributes]\n",
    )
    labels = "".join(f"{one.plain} | {one.name}\n" for one in every)
    colours = "".join(f"{one.plain}\tbgColor:{one.colour}, fgColor:black\n" for one in every)
    yield "visual.conf", f"[labels]\n{labels}\n[drawing]\n{colours}"
    yield "kb_shortcuts.conf", "".join(f"{one.key.upper()} {one.plain}\n" for one in every)
    for one in sent:
        yield f"{one.ref}.txt", one.text
        yield f"{one.ref}.ann", "".join(_lines(one, scheme))


def _lines(sent: Sent, scheme: Scheme) -> Iterator[str]:
    for number, (start, end, name) in enumerate(sent.marks, 1):
        stretches = [found.span() for found in _LINE.finditer(sent.text, start, end)]
        offsets = ";".join(f"{first} {last}" for first, last in stretches)
        inside = " ".join(sent.text[first:last] for first, last in stretches)
        yield f"T{number}\t{scheme.categories[name].plain} {offsets}\t{inside}\n"


def read(path: Path) -> Iterator[Returned]:
    """What every .ann file says; a mark with a gap that is more than white space is several."""
    for file in found_in(path, ".ann"):
        where = f"{path.name}/{file.name}" if path.is_dir() else file.name
        try:
            text = file.with_suffix(".txt").read_bytes().decode("utf-8")
            marks = list(brat_marks(file.read_bytes().decode("utf-8")))
        except FileNotFoundError:
            raise AnnotationError(f"{where}: no .txt file beside it") from None
        except (OSError, ValueError) as error:
            kind = "not UTF-8" if isinstance(error, UnicodeDecodeError) else "damaged"
            raise AnnotationError(f"{where}: {kind}") from None
        found = []
        for mark in marks:
            if refused := mark.refused(text):
                raise AnnotationError(f"{where}: {refused}")
            for start, end in _joined(mark.pieces, text):
                found.append(Marked(start, end, mark.label))
        yield Returned(where, file.stem, text, tuple(found))


def _joined(pieces: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(pieces):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
