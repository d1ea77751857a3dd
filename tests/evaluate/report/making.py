"""Evaluations as the commands write them, of the shipped fictitious notes."""

from __future__ import annotations

from typing import Any

from dpdeid.document import Span
from dpdeid.evaluate.evaluation import GoldNote, as_json, evaluate
from dpdeid.testing import notes


def gold() -> list[GoldNote]:
    """The notes, under two types."""
    return [GoldNote(doc, spans, f"type {at % 2}") for at, (doc, spans) in enumerate(notes())]


def found() -> list[tuple[Span, ...]]:
    """Of each note all spans but every third."""
    return [tuple(span for at, span in enumerate(note.spans) if at % 3 != 1) for note in gold()]


def detection(resamples: int = 50) -> dict[str, Any]:
    """The figures of `found`."""
    return as_json(evaluate(gold(), [found()], resamples=resamples))


def robustness() -> dict[str, Any]:
    """Two origins."""
    shares = {"maghreb": 0.985, "east_asia": 0.98}
    rows = {
        origin: {"words": 200, "recall": share, "interval": [share - 0.01, share + 0.01]}
        for origin, share in shares.items()
    }
    origins = {"notes": 20, "gap": {"points": 0.005, "interval": [0.0, 0.02]}, "origins": rows}
    return {"refilled": {}, "origins": origins, "eponyms": [1, 1]}


def utility() -> dict[str, Any]:
    """Ten notes, of which nine keep their codes."""
    shares = [0, 0, 0, 0, 1, 0, 0, 0, 0, 9]
    return {
        "notes": 12,
        "notes_without_codes": 2,
        "kept": {"all": 0.95, "icd10": 0.9, "atc": None},
        "codes": {
            "all": {"before": 20, "after": 19, "common": 19},
            "icd10": {"before": 10, "after": 9, "common": 9},
            "atc": {"before": 0, "after": 0, "common": 0},
        },
        "jaccard": {
            "equal": 0.9,
            "histogram": [
                {
                    "from": at / 10,
                    "to": (at + 1) / 10,
                    "notes": n,
                    "cumulative": sum(shares[at:]) / 10,
                }
                for at, n in enumerate(shares)
            ],
        },
    }
