"""The number behind "CEDEX" goes with its town: "PARIS CEDEX 13" becomes "OTHIS CEDEX".

Only large towns have one, and high ones only Paris and Lyon. What comes out has none, whichever
town it is, so that nothing is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from dpdeid.document import Surrogate
from dpdeid.labels import Label
from dpdeid.substitute.places.earlier import Seat
from dpdeid.substitute.without_draws import Keep

_NUMBER: Final = re.compile(
    r"([ \u00a0]{0,2}[(,-]?[ \u00a0]{0,2}c[ée]dex)[ \u00a0]{0,2}(?:n°[ \u00a0]?)?"
    r"\d{1,2}(?:er?|ème)?(?!\w|[/.,]\d)",
    re.IGNORECASE,
)


def without_numbers(text: str, surrogates: Iterable[Surrogate]) -> Iterator[Surrogate]:
    """The sorted surrogates of a text, towns that move with the word "CEDEX" behind them."""
    every = [*surrogates]
    for at, one in enumerate(every):
        span = one.mention.span
        limit = every[at + 1].mention.span.start if at + 1 < len(every) else len(text)
        found = None
        if span.label is Label.CITY and one.strategy != Keep.name and type(one.value) is not Seat:
            found = _NUMBER.match(text, span.end)
        if found is None or found.end() > limit:
            yield one
            continue
        wide = replace(span, end=found.end())
        mention = one.mention._replace(span=wide, text=text[span.start : found.end()])
        yield one._replace(mention=mention, text=one.text + found[1])
