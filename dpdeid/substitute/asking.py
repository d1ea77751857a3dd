"""What a strategy gives for its mentions, looked through before anything is replaced by it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.protocols import Context, Strategy

_log: Final = logging.getLogger(__name__)

_mention: Final = attrgetter("mention")


def asked_for(given: Iterable[Surrogate]) -> set[int]:
    """The mentions that surrogates answer for."""
    return set(map(id, map(_mention, given)))


def ask(
    strategy: Strategy, mentions: Sequence[Mention], record: Record, context: Context
) -> tuple[Surrogate, ...]:
    """What a strategy gives for its mentions; nothing at all if it fails or answers wrongly.

    It answers with the mentions themselves, so that nobody else's text can be replaced.
    """
    try:
        given = tuple(strategy.substitute(mentions, record, context))
    except Exception as error:  # a strategy may be anybody's; the engine redacts instead
        _log.warning(
            "strategy %s failed (%s); %d mentions are redacted",
            strategy.name,
            type(error).__name__,
            len(mentions),
        )
        return ()
    answered = asked_for(given)
    if len(answered) != len(given) or not answered.issubset(map(id, mentions)):
        _log.warning("strategy %s answered for what it was not asked; redacted", strategy.name)
        return ()
    return given
