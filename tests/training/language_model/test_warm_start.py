"""First values that are counted: frequencies, and like neighbours give like vectors."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.training.small_model import log_frequencies, neighbour_vectors, waves  # noqa: E402

pytestmark = pytest.mark.model


def test_log_frequencies_are_those_of_the_counts() -> None:
    found = log_frequencies(torch.tensor([[0, 0, 0], [1, 1, 2]]), 4)
    assert found.exp().tolist() == pytest.approx([0.4, 0.3, 0.2, 0.1])


def test_pieces_with_like_neighbours_are_alike() -> None:
    torch.manual_seed(0)
    # 1 and 2 stand between 5 and 6; 3 and 4 between 7 and 8
    row: list[int] = []
    for at in torch.randint(2, (2000,)).tolist():
        inner = int(torch.randint(2, ())) + (3 if at else 1)
        row += [7, inner, 8] if at else [5, inner, 6]
    vectors = neighbour_vectors(torch.tensor(row), 9, 6)
    near = torch.nn.functional.cosine_similarity

    def alike(a: int, b: int) -> float:
        return float(near(vectors[a], vectors[b], dim=0))

    assert min(alike(1, 2), alike(3, 4)) > 0.9
    assert max(alike(1, 3), alike(2, 4)) < 0.5
    assert float(vectors.std()) == pytest.approx(0.04, rel=0.01)


def test_a_piece_never_seen_has_no_direction() -> None:
    vectors = neighbour_vectors(torch.tensor([0, 1, 0, 1, 2, 0]), 5, 3)
    assert not vectors[4].any()
    assert vectors.isfinite().all()


def test_a_step_is_the_same_turn_everywhere() -> None:
    found = waves(64, 32)
    assert found.shape == (64, 32)
    near = torch.nn.functional.cosine_similarity(found[:-1], found[1:])
    assert near.tolist() == pytest.approx([float(near[0])] * 63, abs=1e-4)
    assert float(torch.nn.functional.cosine_similarity(found[0], found[60], dim=0)) < float(near[0])
    assert float(found.square().mean().sqrt()) == pytest.approx(0.04, rel=0.05)
