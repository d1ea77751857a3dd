"""Which sections a page has, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpdeid.evaluate.report import attacked, illustrated, measured
from dpdeid.evaluate.report.changed import changed
from dpdeid.evaluate.report.figures import Evaluations
from dpdeid.evaluate.report.page import Section
from dpdeid.evaluate.report.summary import summary
from dpdeid.evaluate.report.words import Words
from dpdeid.policy import Policy


def sections(
    evaluations: Evaluations, policies: Sequence[Policy], words: Words
) -> tuple[Section, ...]:
    """What was missed, what an attacker gains, what was kept, and what policies do."""
    every = (
        summary(evaluations, words),
        *(measured.found(name, data, words) for name, data in evaluations.detection.items()),
        *(measured.types(name, data, words) for name, data in evaluations.detection.items()),
        *_attacks(evaluations, words),
        measured.kept(evaluations.utility, words),
        changed(evaluations.utility, words),
        *(measured.jaccard(name, data, words) for name, data in evaluations.utility.items()),
        *(illustrated.moved(policy, words) for policy in policies),
        illustrated.dates(policies, words),
    )
    return tuple(section for section in every if section is not None)


def _attacks(evaluations: Evaluations, words: Words) -> Iterator[Section | None]:
    attacks = evaluations.attack
    yield attacked.worth(attacks, words)
    yield attacked.linkage(attacks, words, towns=False)
    yield attacked.linkage(attacks, words, towns=True)
    for name, data in attacks.items():
        yield from attacked.games(name, data, words)
    yield attacked.unique(attacks, words)
