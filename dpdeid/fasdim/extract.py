"""Step 1 of FASDIM: the words and number patterns of notes that nobody has decided, with how often
they stand there, and where.

Read from prepared notes: without known names and without what stands behind titles.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TextIO

from dpdeid.detect.known_facts.metadata import Metadata
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.document import Document
from dpdeid.errors import PolicyError
from dpdeid.fasdim.beside import is_title, titled
from dpdeid.fasdim.lists import ANY, Entry, Key, Lists
from dpdeid.fasdim.numbers import WORDS, Shape, is_elision, is_number, numbers
from dpdeid.fasdim.starting import Verdict, is_name
from dpdeid.normalize import clean, fold

CONTEXT: Final = 40
"""Characters on each side of a word in its context."""
COLUMNS: Final = ("word", "before", "after", "count", "notes", "context", "verdict")
"""Of the table that goes to a spreadsheet and back; a word, or the words beside a number."""


@dataclass(frozen=True, slots=True)
class Found:
    """A word or number pattern that waits for a decision.

    Args:
        count, notes: how often it stands there, and in how many notes.
    """

    key: Key = field(repr=False)
    count: int
    notes: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """What notes hold.

    Args:
        waiting: what nobody has decided, most frequent first.
        notes, tokens: how many were read; tokens are words and numbers.
        vouched: tokens that a list authorises by themselves.
    """

    waiting: tuple[Found, ...]
    notes: int
    tokens: int
    vouched: int


def extract(docs: Iterable[Document], lists: Lists) -> Extraction:
    """The words and number patterns of notes. Texts must be clean (`dpdeid.normalize.clean`)."""
    counts, notes = Counter[Key](), Counter[Key]()
    read = tokens = vouched = 0
    for doc in docs:
        own = Counter[Key]()
        for key, verdict in _keys(doc, lists):
            tokens += 1
            vouched += verdict in (Verdict.AUTHORIZED, Verdict.LOWER)
            if verdict is None:
                own[key] += 1
        counts.update(own)
        notes.update(own.keys())
        read += 1
    order = sorted(counts, key=lambda key: (-counts[key], key))
    waiting = tuple(Found(key, counts[key], notes[key]) for key in order)
    return Extraction(waiting, read, tokens, vouched)


def _keys(doc: Document, lists: Lists) -> Iterator[tuple[Key, Verdict | None]]:
    for key, _, verdict in _places(view_of(doc), doc, lists):
        yield key, verdict


def _places(view: View, doc: Document, lists: Lists) -> Iterator[tuple[Key, int, Verdict | None]]:
    """Every word and measure of a prepared note: its key, its token, the verdict on it."""
    gone = {at for span in Metadata()(doc) for at in doc.tokens.over(span.start, span.end)}
    gone.update(at for at, _ in titled(view, lists, published=True))
    for at, text in enumerate(view.texts):
        word = text.isalpha() and not is_number(view, at) and not is_elision(view, at)
        if word and at not in gone and len(text) > 1 and not is_title(view, at):
            yield (view.folded[at],), at, lists.word(view.folded[at])
    for number in numbers(view):
        if number.first not in gone and number.shape is not Shape.OTHER:
            key = tuple(
                word if word[-1:].isalnum() else ANY for word in (number.before, number.after)
            )
            verdict = lists.number(number)
            if verdict is not None or key != (ANY, ANY):
                yield key, number.first, verdict


def contexts(
    docs: Iterable[Document], lists: Lists, keys: Iterable[Key], most: int
) -> dict[Key, list[str]]:
    """The first places of each word or pattern, each on one line with the words beside it."""
    found: dict[Key, list[str]] = {key: [] for key in keys}
    for doc in docs:
        view = view_of(doc)
        for key, at, _ in _places(view, doc, lists):
            if key in found and len(found[key]) < most:
                found[key].append(_line(doc.text, view.starts[at], view.ends[at]))
    return found


def _line(text: str, start: int, end: int) -> str:
    before = text[max(0, start - CONTEXT) : start]
    shown = f"{before:>{CONTEXT}}[{text[start:end]}]{text[end : end + CONTEXT]}"
    return shown.replace("\n", "⏎")


def lines(waiting: Iterable[Found]) -> Iterator[str]:
    """The lines of the private file of what waits."""
    return ("\t".join((*one.key, str(one.count), str(one.notes))) for one in waiting)


def parse(text: Sequence[str]) -> tuple[Found, ...]:
    """What these lines say.

    Raises:
        PolicyError: a line is none of them; has its number.
    """
    found = []
    for number, line in enumerate(text, 1):
        *key, count, notes = ["", "", *line.split("\t")][-4:]
        key = [word for word in key if word]
        if not key or not (count + notes).isdigit():
            raise PolicyError(f"found.tsv, line {number}: no word or pattern with its counts")
        found.append(Found(tuple(key), int(count), int(notes)))
    return tuple(found)


def write_table(file: TextIO, rows: Iterable[tuple[Found, str]]) -> None:
    """Writes what waits as a table for a spreadsheet; each has a context, or ""."""
    table = csv.writer(file)
    table.writerow(COLUMNS)
    for one, context in rows:
        own = (*one.key, "", "") if len(one.key) == 1 else ("", *one.key)
        table.writerow((*own, one.count, one.notes, context, ""))


def read_table(file: TextIO, specialty: str = "", source: str = "") -> list[Entry]:
    """The decisions of such a table; rows without a verdict are still open.

    Raises:
        PolicyError: it has other columns, or a verdict is none; names the line.
    """
    table = csv.DictReader(file)
    if missing := {"word", "before", "after", "verdict"} - set(table.fieldnames or ()):
        raise PolicyError(f"the table has no column {sorted(missing)[0]!r}")
    entries = []
    for row in table:
        verdict = (row["verdict"] or "").strip().lower()
        key = (row["word"],) if row["word"] else (row["before"], row["after"])
        if verdict and (verdict not in list(Verdict) or not all(key)):
            allowed = ", ".join(Verdict)
            raise PolicyError(f"the table, line {table.line_num}: a verdict is one of {allowed}")
        if verdict:
            entries.append(Entry(tuple(key), Verdict(verdict), specialty, source))
    return entries


@dataclass(frozen=True, slots=True)
class Learned:
    """What readers' answers on words in their notes decide.

    Args:
        both: words that were answered both ways: still open.
        others: answers on numbers, single letters and rows, which decide nothing: a pattern vouches
            for all numbers between two words.
    """

    entries: tuple[Entry, ...]
    both: int
    others: int


def learn(said: Iterable[tuple[str, bool]], lists: Lists, source: str = "") -> Learned:
    """Words that identify are forbidden; harmless ones that no list knows authorised, in small
    letters only if people or places bear them as names.

    Args:
        said: words as notes have them, and whether they identify there.
    """
    ways: dict[str, set[bool]] = {}
    others = 0
    for raw, identifies in said:
        word = clean(raw).text
        if word.isalpha() and len(word) > 1 and fold(word) not in WORDS:
            ways.setdefault(fold(word), set()).add(identifies)
        else:
            others += 1
    entries = []
    for word, own in sorted(ways.items()):
        if own == {True}:
            entries.append(Entry((word,), Verdict.FORBIDDEN, lists.specialty, source))
        elif own == {False} and lists.word(word) is None:
            verdict = Verdict.LOWER if is_name(word) else Verdict.AUTHORIZED
            entries.append(Entry((word,), verdict, lists.specialty, source))
    return Learned(tuple(entries), sum(len(own) > 1 for own in ways.values()), others)
