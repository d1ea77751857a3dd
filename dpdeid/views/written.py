"""Surrogates in the form of their note: in boxes, as entities, with its spaces and apostrophes.

What decides is the form of the mention and the text outside the mentions, never a value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from dpdeid.document import Span, Surrogate
from dpdeid.views.escapes import way
from dpdeid.views.reading import Reading

_BOXES: Final = re.compile(r"[ \t|_\[\]]{1,5}|/")
_TAG: Final = re.compile(
    r"<(/?)([A-Za-z][\w:.-]*)[^<>]*>|&(?:amp;)?lt;(/?)([A-Za-z][\w:.-]*)[^<>]{0,200}?&(?:amp;)?gt;"
    r"|<!\[CDATA\[|\]\]>"
)
"""Tags, also escaped ones, and what opens and closes a section of data."""
_ODD: Final = "\u00a0"
_SPACE: Final = "(?:&nbsp;|[\u00a0\u2007\u2009\u202f])"
_SPACES: Final = re.compile(_SPACE)
_BEFORE: Final = re.compile(
    rf"(?i)(?<!\w)(?:à|a|aux?|de|du|des|l[ae]s?|en|dans|que|cet?)({_SPACE})\Z"
)
"""A space behind a word that agrees with what follows: another word there would have its own."""
_BREAK: Final = re.compile(r"-[ \t]*\r?\n")
_LONGEST: Final = 16


@dataclass(frozen=True, slots=True)
class _Style:
    """How the text outside the mentions writes letters, spaces and apostrophes."""

    encode: Callable[[str], str]
    space: str
    apostrophe: str

    @classmethod
    def of(cls, outside: str) -> _Style:
        odd = " " not in outside and _SPACES.search(outside) is not None
        curly = "’" in outside and "'" not in outside
        return cls(way(outside), _ODD if odd else " ", "’" if curly else "'")


def written(
    reading: Reading, surrogates: Sequence[Surrogate], bare: Sequence[Surrogate] = ()
) -> tuple[Surrogate, ...]:
    """The surrogates of the plain text of a note, sorted by start, as those of its raw text.

    Args:
        bare: the same without the words that they took in from before them, if they did.
    """
    if reading.raw == reading.text:
        return tuple(surrogates)
    placed = [*_placed(reading, zip(surrogates, bare or surrogates, strict=True))]
    outside = "".join(_outside(reading.raw, [(start, end) for *_, start, end in placed]))
    style = _Style.of(outside)
    return tuple(_written(reading, *one, style) for one in placed)


def _placed(
    reading: Reading, surrogates: Iterable[tuple[Surrogate, Surrogate]]
) -> Iterator[tuple[Surrogate, Surrogate, int, int]]:
    """Each surrogate with its raw stretch; of two in one character the first."""
    done = 0
    for surrogate, bare in surrogates:
        span = surrogate.mention.span
        start, end = reading.to_raw(span.start, span.end) or (0, 0)
        start = max(start, done)
        if gap := _BEFORE.search(reading.raw, max(done, start - _LONGEST), start):
            start = gap.start(1)
        if start < end:
            yield surrogate, bare, start, end
            done = end


def _outside(raw: str, stretches: Sequence[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for start, end in stretches:
        yield raw[done:start]
        done = end
    yield raw[done:]


def _written(
    reading: Reading, surrogate: Surrogate, bare: Surrogate, start: int, end: int, style: _Style
) -> Surrogate:
    raw, mention = reading.raw[start:end], surrogate.mention
    if surrogate.text == mention.text and surrogate.strategy == _KEPT:
        return surrogate._replace(
            mention=mention._replace(span=replace(mention.span, start=start, end=end), text=raw),
            text=raw,
        )
    before, new = _parts(surrogate, bare)
    gap = _box(reading, bare.mention.span)
    first, _ = reading.to_raw(bare.mention.span.start, bare.mention.span.end) or (start, end)
    own = raw[max(first - start, 0) :]  # without the word that it took in: "au h|a|v|r|e"
    lead = " " if _SPACES.match(raw) else ""
    new = (lead + before + (_boxed(new, gap, own) if gap else new)).replace(" ", style.space)
    new = style.encode(new.replace("'", style.apostrophe)) + "".join(open_tags(raw))
    new += "\n" if _BREAK.search(raw) and "\n" not in new else ""
    span = replace(mention.span, start=start, end=end)
    return surrogate._replace(mention=mention._replace(span=span, text=raw), text=new)


_KEPT: Final = "keep"
"""What is kept is written as it stands; of a draw that comes out equal that would be told."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def _boxed(new: str, gap: str, raw: str) -> str:
    """A surrogate in boxes, but for the words that the original has between them: "|8| clé |5|"."""
    words = set(_WORD.findall(raw))
    whole = rf"(\s*(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)\s*)"
    parts = re.split(whole, new) if words else [new]
    return gap.join([part if at % 2 else gap.join(part) for at, part in enumerate(parts)])


def _parts(surrogate: Surrogate, bare: Surrogate) -> tuple[str, str]:
    """The word that a surrogate took in from before it, if it did, and what is left of its text."""
    text = surrogate.text
    if surrogate.mention.span.start == bare.mention.span.start:
        return "", text
    pairs = zip(reversed(text), reversed(bare.text), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    own = text[len(text) - same :].lstrip()
    return text[: len(text) - len(own)], own


def _box(reading: Reading, span: Span) -> str | None:
    """What stands between the characters of a span, if it stands in boxes."""
    if reading.starts is None or reading.ends is None:
        return None
    plain = reading.text
    within = range(span.start, span.end - 1)
    pairs = [at for at in within if plain[at].isalnum() and plain[at + 1].isalnum()]
    gaps = [reading.raw[reading.ends[at] : reading.starts[at + 1]] for at in pairs]
    if not pairs:  # of "3|/|1", the mark with its frames
        framed = ((at, reading.raw[reading.starts[at] : reading.ends[at]]) for at in within)
        gaps = [raw.partition(plain[at])[0] for at, raw in framed if not plain[at].isalnum()]
    boxes = Counter(gap for gap in gaps if _BOXES.fullmatch(gap))
    return boxes.most_common(1)[0][0] if boxes and boxes.total() * 2 >= len(gaps) else None


def open_tags(raw: str) -> Iterator[str]:
    """The tags of a stretch that are opened or closed outside of it."""
    opened: list[tuple[str, re.Match[str]]] = []
    alone: list[re.Match[str]] = []
    for tag in _TAG.finditer(raw):
        name = tag[2] or tag[4] or "data"
        if not (tag[1] or tag[3] or tag[0] == "]]>"):
            opened.append((name, tag))
        elif opened and opened[-1][0] == name:
            opened.pop()
        else:
            alone.append(tag)
    for tag in sorted((*alone, *(tag for _, tag in opened)), key=re.Match.start):
        yield tag[0]
