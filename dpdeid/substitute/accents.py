"""Surrogates without accents where their note writes none: "ETIENNE", not "ÉTIENNE".

French capitals are mostly written without accents. Whether a note is one of these is read from its
words in capitals outside the mentions, so that nothing is told of an original; only what has no
bound, a name or a shifted date, may also speak for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Surrogate
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.substitute.redact import Keep

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_DATES: Final = (Label.DATE, Label.BIRTH_DATE)
_LOUD: Final = re.compile(r"\b(?=\w*[À-ÖØ-ÞŒŸ])[A-ZÀ-ÖØ-ÞŒŸ]{2,}\b")
"""A word in capitals with an accent."""
_ENOUGH: Final = 300
"""So many characters of French without a single accent are written without them."""


def unaccented(text: str, surrogates: Sequence[Surrogate]) -> Iterator[Surrogate]:
    """The surrogates of a text, sorted by start: those in capitals without accents, unless the text
    writes capitals with them; all of them without accents if the whole text is.
    """
    if all(s.text.isascii() for s in surrogates):
        yield from surrogates
        return
    outside = "".join(_outside(text, surrogates))
    bare = outside.isascii() and len(outside) >= _ENOUGH
    accented = _LOUD.search(outside) is not None
    for surrogate in surrogates:
        new = surrogate.text
        loud = new.isupper() and sum(map(str.isalpha, new)) > 1
        if surrogate.strategy == Keep.name or new.isascii() or not (bare or loud):
            yield surrogate
        elif bare or _is_bare(surrogate, accented):
            yield surrogate._replace(text=_stripped(new))
        else:
            yield surrogate


def _outside(text: str, surrogates: Iterable[Surrogate]) -> Iterator[str]:
    done = 0
    for surrogate in surrogates:
        yield text[done : surrogate.mention.span.start]
        done = surrogate.mention.span.end
    yield text[done:]


def _is_bare(surrogate: Surrogate, accented: bool) -> bool:
    """Whether a mention in capitals is to have no accents."""
    mention = surrogate.mention
    if not mention.text.isascii() and _has_no_bound(surrogate):
        return False
    if mention.label in _NAMES and fold(mention.text) in _accented_names():
        return True
    return not accented


def _has_no_bound(surrogate: Surrogate) -> bool:
    """Whether the form of a mention may show: it is a name, or a date moved without a guarantee,
    whose form is kept.
    """
    label = surrogate.mention.label
    losses = [charge.loss for charge in surrogate.charges]
    moved = bool(losses) and all(isinstance(loss, NoGuarantee) for loss in losses)
    return label in _NAMES or (label in _DATES and moved)


@cache
def _accented_names() -> frozenset[str]:
    """Folded first names that are always written with an accent: "HELENE" leaves it out."""
    written = [name for sex in Sex for name in gazetteers.first_name_list(sex)]
    plain = {name.lower() for name in written if name.isascii()}
    return frozenset(fold(name) for name in written if not name.isascii()) - plain


def _stripped(text: str) -> str:
    """A text without accents, case for case."""
    return "".join(_plain(c) if c.isalpha() else c for c in text)


def _plain(character: str) -> str:
    bare = fold(character)
    if not bare.isascii():
        return character
    return bare.upper() if character.isupper() else bare
