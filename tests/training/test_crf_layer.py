"""The loss of the CRF head is minus the log-likelihood over all sequences."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

torch = pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.detect.taggers.sequences import constraints  # noqa: E402
from dpdeid.training.fitting import CrfLayer  # noqa: E402

pytestmark = pytest.mark.model
TAGS = ("O", "B-DATE", "I-DATE")


def layer() -> CrfLayer:
    torch.manual_seed(1)
    crf = CrfLayer(*(torch.from_numpy(a) for a in constraints(TAGS)))
    torch.nn.init.normal_(crf.start)
    torch.nn.init.normal_(crf.steps)
    return crf


def test_it_is_the_likelihood_among_all_sequences() -> None:
    crf = layer()
    start, steps = constraints(TAGS)
    start, steps = start + crf.start.detach().numpy(), steps + crf.steps.detach().numpy()
    scores = torch.randn(2, 4, 3)
    tags = torch.tensor([[0, 1, 2, 0], [1, 2, 0, 0]])
    lengths = (4, 2)
    real = torch.tensor([[True] * 4, [True, True, False, False]])

    def total(row: int, path: tuple[int, ...]) -> float:
        own = sum(float(scores[row, i, t]) for i, t in enumerate(path))
        return own + float(start[path[0]]) + sum(float(steps[a, b]) for a, b in pairwise(path))

    expected = 0.0
    for row, length in enumerate(lengths):
        every = torch.tensor([total(row, p) for p in product(range(3), repeat=length)])
        own = total(row, tuple(tags[row, :length].tolist()))
        expected += float(torch.logsumexp(every, 0)) - own
    assert crf(scores, tags, real).item() == pytest.approx(expected / 6, abs=1e-3)


def test_padding_changes_nothing() -> None:
    crf = layer()
    scores, tags = torch.randn(1, 3, 3), torch.tensor([[0, 1, 2]])
    real = torch.ones(1, 3, dtype=torch.bool)
    padded = torch.cat((scores, torch.randn(1, 2, 3)), 1)
    more = torch.cat((real, torch.zeros(1, 2, dtype=torch.bool)), 1)
    longer = torch.tensor([[0, 1, 2, 0, 0]])
    assert crf(scores, tags, real).item() == pytest.approx(crf(padded, longer, more).item())
