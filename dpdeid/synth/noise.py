"""What typing, printing and scanning do to a text: one step changes texts of pieces, never labels.

Every function takes the pieces of a note and returns as many, in the same order with the same
labels and roles. `layout` is the exception: it puts the header of a page between two lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from html.entities import codepoint2name
from typing import Final

from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece, table

Noise = Callable[[list[Piece], Dice], list[Piece]]
_LIGATURES: Final = str.maketrans({"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "’": "'"})
_SPACE: Final = re.compile(r"[ \n]+")


def _bare(text: str) -> str:
    if text.isascii():
        return text
    split = unicodedata.normalize("NFD", text.translate(_LIGATURES))
    return "".join(sign for sign in split if not unicodedata.combining(sign))


def _changing(change: Callable[[str], str], *, inside: bool = True, outside: bool = True) -> Noise:
    """A step that changes the text of pieces inside spans, outside or both."""

    def step(pieces: list[Piece], dice: Dice) -> list[Piece]:
        return [
            p._replace(text=change(p.text)) if (inside if p.label else outside) else p
            for p in pieces
        ]

    return step


lower: Final = _changing(str.lower)
upper: Final = _changing(str.upper)
no_accents: Final = _changing(_bare)
"""As typed on a keyboard without accents."""
no_names_accents: Final = _changing(_bare, outside=False)
"""Accents lost in what came out of a form."""
no_punctuation: Final = _changing(
    lambda text: re.sub(r"(?<!\d)[,;:.](?!\d)| [:;!?](?= )", "", text), inside=False
)
spaced_punctuation: Final = _changing(
    lambda text: re.sub(r"(?<=[^\d\s.])([,.])(?=\s|$)", r" \1", text), inside=False
)
curly: Final = _changing(lambda text: text.replace("'", "’").replace(" :", "\u00a0:"))
"""Typographic apostrophes and unbreakable spaces."""
windows_lines: Final = _changing(lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"))
double_lines: Final = _changing(lambda text: re.sub(r"\n+", "\n\n", text), inside=False)
"""An empty line after each line, as office exports have them."""


def _losing(before: int, behind: int) -> Noise:
    """A step that loses the space before and behind a span, in so many of 100."""

    def step(pieces: list[Piece], dice: Dice) -> list[Piece]:
        out = list(pieces)
        for at in range(1, len(out)):
            left, here = out[at - 1], out[at]
            if here.label and not left.label and left.text.endswith(" ") and dice.chance(before):
                out[at - 1] = left._replace(text=left.text[:-1])
            elif left.label and not here.label and here.text[:1] in (" ", "\n"):
                out[at] = here._replace(text=here.text[dice.chance(behind) :])
        return out

    return step


stuck: Final = _losing(6, 2)
"""Spaces lost around some spans: "né le03/02", "mmeMartin", "MartinCHIRURGIE"."""
glued: Final = _losing(30, 20)
"""The same as often as where the cells of a table were copied one behind the other."""


def wrapped(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Lines broken at a fixed width, inside spans too."""
    width, column, out = dice.between(55, 105), 0, []
    for text, label, role, who in pieces:
        parts = []
        for part in re.split(r"(\s)", text):
            if part == " " and column > width:
                parts.append("\n")
                column = 0
            else:
                parts.append(part)
                column = 0 if part == "\n" else column + len(part)
        out.append(Piece("".join(parts), label, role, who))
    return out


def wide(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Columns: runs of spaces or tabs where one space was, before some spans."""
    gap = dice.choice(("   ", "      ", "\t", "          ", "  "))
    out = list(pieces)
    for at in range(1, len(out)):
        before = out[at - 1]
        if (
            out[at].label
            and not before.label
            and before.text.endswith((" : ", ": "))
            and dice.chance(70)
        ):
            out[at - 1] = before._replace(text=before.text.rstrip(" ") + gap)
    return out


def typos(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Letters swapped or lost in plain words."""
    out = []
    for piece in pieces:
        text = piece.text
        if not piece.label and len(text) > 12:
            for _ in range(dice.randbelow(1 + len(text) // 60)):
                at = dice.between(1, len(text) - 3)
                if text[at : at + 2].isalpha():
                    swapped = text[at + 1] + text[at] if dice.chance(50) else text[at]
                    text = text[:at] + swapped + text[at + 2 :]
        out.append(piece._replace(text=text))
    return out


_LOOKALIKE: Final = {
    "l": "1", "O": "0", "I": "l", "e": "c", "é": "e", "è": "e", "S": "5", "B": "8", "h": "b",
    "n": "ri", "m": "rn", "i": "í", "g": "q", "à": "a", "0": "O", "1": "l", "5": "S", ",": ".",
}  # fmt: skip


def scanned(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Letters misread, one in 80 or fewer, in spans too."""
    one_in = dice.choice((80, 150, 300))

    def misread(text: str) -> str:
        return "".join(
            _LOOKALIKE.get(sign, sign)
            if sign in _LOOKALIKE and not dice.randbelow(one_in)
            else sign
            for sign in text
        )

    return _changing(misread)(pieces, dice)


def html(pieces: list[Piece], dice: Dice) -> list[Piece]:
    """Leftovers of a web page: tags for line breaks, entities for accents and spaces."""
    brk = dice.choice(("<br>\n", "<br/>\n", "</p>\n<p>", "</div>\n<div>", "<br>"))
    entities, bold = dice.chance(60), dice.chance(40)
    out = []
    for text, label, role, who in pieces:
        new = text
        if label is None:
            new = _SPACE.sub(lambda run: brk if "\n" in run[0] else run[0], new)
            new = _entities(new) if entities else new
            if bold and new.endswith(" ") and dice.chance(20):
                new = new[:-1] + "&nbsp;"
        elif entities and dice.chance(20):
            new = _entities(new)
        out.append(Piece(new, label, role, who))
    return out


def _entities(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        f"&{codepoint2name[ord(s)]};" if ord(s) > 127 and ord(s) in codepoint2name else s
        for s in text
    )


def layout(pieces: list[Piece], header: list[Piece], dice: Dice) -> list[Piece]:
    """The pieces with the header of a page between two lines somewhere in the middle."""
    breaks = [at for at, p in enumerate(pieces) if not p.label and "\n" in p.text]
    if len(breaks) < 4:
        return pieces
    at = breaks[dice.between(len(breaks) // 3, len(breaks) - 2)]
    head, _, tail = pieces[at].text.partition("\n")
    return [*pieces[:at], Piece(head + "\n"), *header, Piece("\n" + tail), *pieces[at + 1 :]]


_STEPS: Final[dict[str, Noise]] = {
    "curly": curly,
    "double_lines": double_lines,
    "glued": glued,
    "html": html,
    "lower": lower,
    "no_accents": no_accents,
    "no_names_accents": no_names_accents,
    "no_punctuation": no_punctuation,
    "scanned": scanned,
    "spaced_punctuation": spaced_punctuation,
    "stuck": stuck,
    "typos": typos,
    "upper": upper,
    "wide": wide,
    "windows_lines": windows_lines,
    "wrapped": wrapped,
}


@cache
def profiles() -> dict[str, tuple[tuple[Noise, int], ...]]:
    """Profile ("scan") → its steps, in order, each with the percent of notes that it comes in."""
    return {
        name: tuple(
            (_STEPS[step], int(percent))
            for step, percent in (part.split(":") for part in given.split())
        )
        for name, given in table("noise_profiles")
    }


def noisy(pieces: list[Piece], profile: str, dice: Dice) -> list[Piece]:
    """The pieces as that profile leaves them."""
    for step, percent in profiles()[profile]:
        if dice.chance(percent):
            pieces = step(pieces, dice)
    return pieces
