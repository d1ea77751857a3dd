"""The parts of an annex in their order, as one tree for both writers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import dpdeid
from dpdeid.dossier import duties, promised
from dpdeid.dossier.duties import Kept
from dpdeid.dossier.figures import Measured, residual_risk, three_questions
from dpdeid.dossier.texts import annex_words, day_text, items
from dpdeid.dossier.tree import Annex, Block, Listed, Part, Said


def annex(
    measured: Measured,
    lang: str,
    *,
    day: dt.date,
    review: dt.date | None = None,
    cohort: Kept | None = None,
) -> Annex:
    """The annex of a policy.

    Args:
        day: of the annex.
        review: when it is to be redone; by default a year later.

    Raises:
        UsageError: there is no such language, or Jinja2 is not installed.
    """
    said, policy = annex_words(lang), measured.policy
    blank = f"[{said('to fill')}]"
    numbered: dict[str, Iterable[Block]] = {
        "purpose": duties.purpose(said),
        "flow": duties.flow(said),
        "policy": promised.what_it_does(policy, measured.evaluations.utility, said),
        "guarantee": promised.what_is_guaranteed(policy, said),
        "bits": promised.what_leaks(policy, said),
        "risk": residual_risk(measured, said),
        "keys": duties.keys(policy, cohort, said, blank),
        "retention": duties.retention(said, blank),
        "rights": duties.rights(policy, said),
        "wp216": three_questions(measured, said),
        "law": duties.law(policy, said),
        "review": duties.review(review or _a_year_after(day), said),
    }
    opening = (
        Said(said("opening")),
        Listed(items(said, "opening conditions"), is_numbered=True),
        Said(said("opening after")),
    )
    return Annex(
        lang,
        said("annex title"),
        said(
            "annex about",
            policy=policy.name,
            sha=policy.sha256[:12],
            version=dpdeid.__version__,
            day=day_text(day, said),
        ),
        said("annex contents"),
        blank,
        (
            Part("opening", said("opening title"), opening),
            *(
                Part(key, f"{at}. {said(f'part {key}')}", tuple(blocks))
                for at, (key, blocks) in enumerate(numbered.items(), 1)
            ),
        ),
    )


def _a_year_after(day: dt.date) -> dt.date:
    """The same day of the next year, the last of February for a 29th."""
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return day.replace(year=day.year + 1, day=28)
