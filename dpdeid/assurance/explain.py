"""Why each span of a note was found, and what replaced it, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.decision.evidence import by_voice
from dpdeid.detect.decision.grounds import grounds
from dpdeid.detect.merge.published import LEARNED
from dpdeid.document import Deidentified, Document, Finding, Record, Span, mentions_of
from dpdeid.engine import Deidentifier
from dpdeid.protocols import Showing


def explained(doc: Document, engine: Deidentifier, shown: bool) -> dict[str, Any]:
    """The spans of a note, each with its surrogate, the strategy, the rule that chose it and who
    proposed it; and what was proposed and let go.

    Args:
        shown: whether the original texts are among it.

    Raises:
        InputError: the note cannot be processed.
    """
    return reasons(doc, engine.detect(doc), engine(doc), engine, shown)


def reasons(
    doc: Document, finding: Finding, done: Deidentified, engine: Deidentifier, shown: bool
) -> dict[str, Any]:
    """The same of a note that was read and released already."""
    proposals, shows = finding.proposals, skeleton_of(doc, finding, engine)
    why = _weighed(doc, proposals, [one.mention.span for one in done.surrogates], engine)
    spans = []
    for surrogate in done.surrogates:
        span = surrogate.mention.span
        rivals = [p for p in proposals if p.start < span.end and span.start < p.end]
        spans.append(
            {
                "start": span.start,
                "end": span.end,
                "label": span.label.value,
                **({"original": surrogate.mention.text} if shown else {}),
                "surrogate": surrogate.text,
                "strategy": surrogate.strategy,
                **({"shows": shows[span.end]} if span.end in shows else {}),
                "rule": engine.policy.merge.reason(span, rivals),
                **why.get(span, {}),
                "proposed": _proposed(rivals),
            }
        )
    gone = [
        {
            "start": span.start,
            "end": span.end,
            "label": span.label.value,
            **({"original": doc.text[span.start : span.end]} if shown else {}),
            "source": span.source,
            "score": round(span.score, 2),
        }
        for span in sorted(proposals)
        if not any(s.start < span.end and span.start < s.end for s in finding.spans)
    ]
    return {"spans": spans, "let_go": gone}


def skeleton_of(doc: Document, finding: Finding, engine: Deidentifier) -> dict[int, str]:
    """What of the skeleton a note shows, by the end of each date, birth or place: what agrees with
    a surrogate ("au Havre" for "à Brest") widens it to the left.

    Roles and numbers are those of the note alone, as `explain` releases it.
    """
    record = Record("", (doc,))
    mentions = mentions_of(record, (finding,))
    shown: dict[int, str] = {}
    for strategy in engine.policy.strategies:
        if isinstance(strategy, Showing):
            mine = [mention for mention in mentions if mention.label in strategy.labels]
            told = strategy.shows(mine, record, engine.cohort.e0)
            shown.update((m.span.end, text) for m, text in told if m.where == "text")
    return shown


def _weighed(
    doc: Document, proposals: Sequence[Span], spans: Sequence[Span], engine: Deidentifier
) -> dict[Span, dict[str, Any]]:
    """The chance of each span and what spoke for and against it, under a learned decision."""
    merge, detectors = engine.policy.merge, engine.policy.detectors
    if not isinstance(merge, Decision) or not any(d.name in LEARNED for d in detectors):
        return {}
    return {
        span: {
            "chance": round(own.chance, 3),
            "for": list(own.speaks_for),
            "against": list(own.against),
        }
        for span, own in grounds(doc, by_voice(proposals), spans, merge.trees).items()
    }


def _proposed(rivals: Sequence[Span]) -> list[dict[str, Any]]:
    found = {(p.source, p.label.value, p.start, p.end, round(p.score, 2)) for p in rivals}
    keys = ("source", "label", "start", "end", "score")
    return [dict(zip(keys, one, strict=True)) for one in sorted(found)]
