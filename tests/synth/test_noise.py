"""Noise: labels and their order stay, and the words can still be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.synth import noise
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece, join
from dpdeid.synth.noise import Noise, noisy, profiles

STEPS: list[Noise] = sorted({step for steps in profiles().values() for step, _ in steps}, key=repr)
NOTE = [
    Piece("Vu le "),
    Piece("12/03/2021", Label.DATE),
    Piece(" avec Mme "),
    Piece("Lefèvre", Label.LAST_NAME),
    Piece(" "),
    Piece("Zoé", Label.FIRST_NAME),
    Piece(", à jeun ; opérée du genou, l'évolution est bonne.\nHb : "),
    Piece("Œdémec", Label.LAST_NAME),
    Piece(" : fin"),
]
pieces = st.lists(
    st.builds(Piece, st.text("aéœ'\n ,.:l0ŒÉ'", max_size=20), st.sampled_from([None, *Label])),
    max_size=12,
)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
class TestEveryStep:
    def test_labels_and_their_order_stay(self, step: Noise) -> None:
        @given(pieces, st.integers(0, 99))
        def stays(drawn: list[Piece], seed: int) -> None:
            out = step(drawn, Dice.of(seed, "noise"))
            assert [(p.label, p.role) for p in out] == [(p.label, p.role) for p in drawn]

        stays()

    def test_it_leaves_its_argument(self, step: Noise) -> None:
        before = list(NOTE)
        step(NOTE, Dice.of(1, "noise"))
        assert before == NOTE


@pytest.mark.parametrize(
    "step",
    [noise.lower, noise.upper, noise.no_accents, noise.no_names_accents, noise.wrapped],
    ids=lambda step: step.__name__,
)
def test_spans_read_the_same_but_for_case_accents_and_spaces(step: Noise) -> None:
    def plain(text: str) -> str:
        return "".join(fold(text).split())

    text, entities = join(step(NOTE, Dice.of(3, "noise")))
    found = [plain(text[e.start : e.end]) for e in entities]
    assert found == [plain(piece.text) for piece in NOTE if piece.label]


def test_what_each_step_does() -> None:
    dice = Dice.of(1, "noise")
    assert join(noise.no_punctuation(NOTE, dice))[0].count(",") == 0
    assert "l’évolution" in join(noise.curly(NOTE, dice))[0]
    assert "\r\nHb" in join(noise.windows_lines(NOTE, dice))[0]
    assert "\n\nHb" in join(noise.double_lines(NOTE, dice))[0]
    assert "Œ" not in join(noise.no_accents(NOTE, dice))[0]
    assert any("&eacute;" in join(noise.html(NOTE, Dice.of(n, "h")))[0] for n in range(9))
    stuck = {join(noise.stuck(NOTE * 20, Dice.of(n, "s")))[0] for n in range(9)}
    assert any("MmeLefèvre" in text for text in stuck)
    glued = [join(noise.glued(NOTE, Dice.of(n, "g")))[0].count(" ") for n in range(200)]
    assert sum(join(NOTE)[0].count(" ") - spaces for spaces in glued) > 200


def test_a_page_header_comes_between_two_lines() -> None:
    lines = [Piece(f"ligne {n}\n") for n in range(9)]
    header = [Piece("Dubreuil", Label.LAST_NAME), Piece("   page 2")]
    out = noise.layout(lines, header, Dice.of(1, "page"))
    text, (entity,) = join(out)
    assert text.replace("Dubreuil   page 2\n", "") == join(lines)[0]
    assert text[entity.start - 1] == "\n"
    assert noise.layout(lines[:2], header, Dice.of(1, "page")) == lines[:2]


@pytest.mark.parametrize("profile", sorted(profiles()))
def test_every_profile_is_a_function_of_the_dice(profile: str) -> None:
    first, second = (noisy(list(NOTE), profile, Dice.of(5, profile)) for _ in range(2))
    assert first == second
