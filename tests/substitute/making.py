"""Records from marked notes: "Mme «LAST_NAME:Durand»" gives the text, its spans and mentions."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dpdeid.document import Document, Mention, Record, Span, Surrogate, rewrite
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.rng import Streams
from dpdeid.protocols import Context
from dpdeid.substitute.dates.strategy import Dates

MARK = re.compile(r"«([A-Z_]+):([^»]*)»")
KEY = b"k" * 32


def marked(*notes: str, **facts: Any) -> tuple[Record, list[Mention]]:
    """A record of marked notes, and its mentions. `facts` are fields of every document."""
    documents, mentions = [], []
    for index, note in enumerate(notes):
        text, done = "", 0
        for mark in MARK.finditer(note):
            text += note[done : mark.start()]
            span = Span(len(text), len(text) + len(mark[2]), Label(mark[1]))
            mentions.append(Mention(index, span, mark[2]))
            text += mark[2]
            done = mark.end()
        documents.append(Document(f"n{index}", text + note[done:], **facts))
    return Record("u1", tuple(documents)), mentions


def dates(policy: str) -> Dates:
    """What a policy makes of dates."""
    (found,) = (s for s in load_policy(policy).strategies if isinstance(s, Dates))
    return found


def context(key: bytes = KEY, unit: str = "u1", before: Iterable[Surrogate] = ()) -> Context:
    """A context as the engine makes it."""
    return Context(Streams(key, unit), dt.date(2030, 1, 1), tuple(before))


def surrogates(
    strategies: Any,
    *notes: str,
    key: bytes = KEY,
    unit: str = "u1",
    kept: frozenset[Label] = frozenset(),
    **facts: Any,
) -> list[Surrogate]:
    """What one strategy, or several in their order, make of marked notes, in text order."""
    record, mentions = marked(*notes, **facts)
    ctx = replace(context(key, unit), mentions=mentions, kept=kept)
    for strategy in strategies if isinstance(strategies, (list, tuple)) else [strategies]:
        mine = [m for m in mentions if m.label in strategy.labels]
        given = strategy.substitute(mine, record, ctx)
        ctx = replace(ctx, before=(*ctx.before, *given))
    return sorted(ctx.before, key=lambda s: (s.mention.document, s.mention.span))


def texts(strategies: Any, *notes: str, **options: Any) -> list[str]:
    """The texts of `surrogates`."""
    return [s.text for s in surrogates(strategies, *notes, **options)]


def rewritten(strategies: Any, *notes: str, **options: Any) -> list[str]:
    """The notes with their surrogates in place."""
    record, _ = marked(*notes)
    given = surrogates(strategies, *notes, **options)
    return [
        rewrite(doc.text, [s for s in given if s.mention.document == index])
        for index, doc in enumerate(record.documents)
    ]
