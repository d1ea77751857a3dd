"""Pictures of a split, as SVG: how near each category is to its target, how good the parts are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dpdeid.annotate.agreement.pairs import mean
from dpdeid.annotate.agreement.split import BIN, Part, Sample
from dpdeid.evaluate.report.charts import Caption, Svg, alone, histogram, targets


def plots(parts: Sequence[Part], beside: Mapping[str, Sequence[Part]]) -> Iterator[tuple[str, Svg]]:
    """The name of each picture, without its ending, and the picture.

    Args:
        beside: other splits of the same samples, by their names.

    Raises:
        UsageError: Jinja2 is not installed.
    """
    ways = {"split": parts, **beside}
    for at, part in enumerate(parts):
        reached = {way: other[at].reached for way, other in ways.items()}
        rows = [
            (label, target, tuple(known[label] for known in reached.values()))
            for label, target in sorted(part.targets.items(), key=lambda one: -one[1])
        ]
        caption = Caption(
            f"targets-{part.name}",
            f"Marks by category: {part.name}",
            f"Of each category the target and the marks reached by {', '.join(ways)}.",
        )
        yield part.name, alone(targets(rows, caption, (*ways,)))
    every = [one for part in parts for one in part.samples]
    yield "annotators", alone(_annotators(every))
    yield "gamma", alone(_gammas(every))


def _annotators(samples: Sequence[Sample]) -> Svg:
    """Figure 5.1 of the thesis, and the mean gamma of each bar."""
    counts = Counter(round(one.annotators) for one in samples)
    bins = []
    for number in sorted(counts):
        gamma = mean([one.gamma for one in samples if round(one.annotators) == number])
        bins.append((str(number), counts[number], math.nan if gamma is None else max(0.0, gamma)))
    caption = Caption("annotators", "Samples by annotators", "How many samples, and mean gamma.")
    return histogram(bins, caption, axes=("annotators", "samples", "mean gamma"))


def _gammas(samples: Sequence[Sample]) -> Svg:
    counts = Counter(max(0, round(one.gamma / BIN)) for one in samples if one.gamma is not None)
    bins = [(f"{at * BIN:.2f}" if at % 2 == 0 else "", counts[at], math.nan) for at in range(21)]
    caption = Caption("gamma", "Samples by gamma", "In steps of .05; below 0 is counted as 0.")
    return histogram(bins, caption, axes=("gamma", "samples", ""))
