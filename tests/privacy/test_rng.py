"""Keyed streams: the same anywhere, independent by name, uniform."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from hashlib import blake2b
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.rng import WIDE, Stream, Streams, derive, tag, wide_rank
from tests.privacy.helpers import STREAMS, chi_square_fits

names = st.lists(st.text(), min_size=1, max_size=4)


@given(names, st.integers(1, 2**400))
def test_equal_names_draw_equally_and_within_bounds(name: list[str], n: int) -> None:
    one, other = STREAMS.stream(*name), pickle.loads(pickle.dumps(STREAMS)).stream(*name)
    drawn = [one.randbelow(n) for _ in range(5)]
    assert drawn == [other.randbelow(n) for _ in range(5)]
    assert all(0 <= value < n for value in drawn)


@given(names, names)
def test_different_names_keys_and_units_draw_differently(one: list[str], other: list[str]) -> None:
    def draw(streams: Streams, name: list[str]) -> int:
        return streams.stream(*name).randbelow(2**128)

    if one != other:
        assert draw(STREAMS, one) != draw(STREAMS, other)
        assert STREAMS.event(*one) != STREAMS.event(*other)
    assert draw(STREAMS, one) != draw(Streams(STREAMS.key, "other"), one)
    assert draw(STREAMS, one) != draw(Streams(bytes(32), STREAMS.unit), one)
    assert draw(STREAMS, one) != draw(STREAMS.shared(), one)


@given(names)
def test_one_digest_of_a_name_is_its_event_its_first_bytes_and_its_seed(name: list[str]) -> None:
    stream, event = STREAMS.named(*name)
    assert event == STREAMS.event(*name)
    framed = "\0".join(name).encode("utf-8", "surrogatepass")
    if any("\0" in part for part in name):
        framed += b"\xff" + str([len(part) for part in name]).encode()
    opened = b"".join(
        len(part).to_bytes(8, "big") + part for part in (b"draw", STREAMS.scope.encode())
    )
    digest = blake2b(opened + framed, key=STREAMS.key, digest_size=64).digest()
    assert event == digest[:8].hex()
    assert stream.words(3) == STREAMS.stream(*name).words(3) == digest[8:32]
    assert stream.randbelow(2**600) == Stream(digest[32:]).randbelow(2**600)


@given(st.lists(st.text("\0a", max_size=3), min_size=1, max_size=4))
def test_names_with_the_mark_inside_stay_apart(name: list[str]) -> None:
    others = [["\0".join(name)], [*name, ""], ["", *name], "\0".join(name).split("\0")]
    for other in others:
        assert (STREAMS.event(*other) == STREAMS.event(*name)) is (other == name)


def test_parts_of_a_name_cannot_run_into_one_another() -> None:
    key = bytes(32)
    assert (
        len({tag(key, "ab", "c"), tag(key, "a", "bc"), tag(key, "abc"), tag(key, "abc", "")}) == 4
    )


def test_lone_surrogates_can_be_named() -> None:
    assert tag(bytes(32), "\ud800") != tag(bytes(32), "\udfff")


@pytest.mark.parametrize("n", [1, 2, 7, 62, 256])
def test_draws_are_uniform(n: int) -> None:
    stream = STREAMS.stream("uniform", str(n))
    counts = Counter(stream.randbelow(n) for _ in range(6_000))
    expected = {value: Fraction(1, n) for value in range(n)}
    assert set(counts) == {0} if n == 1 else chi_square_fits(counts, expected)


def test_the_uniform_test_has_power() -> None:
    stream = STREAMS.stream("uniform")
    counts = Counter(min(stream.randbelow(13), 9) for _ in range(6_000))
    assert not chi_square_fits(counts, {value: Fraction(1, 10) for value in range(10)})


def test_a_stream_draws_the_same_whatever_is_drawn_between_its_blocks() -> None:
    """Bits are used in order, so one large draw and the same bits in small ones agree."""
    whole = Stream(bytes(32)).randbelow(2**1024)
    stream = Stream(bytes(32))
    parts = [stream.randbelow(2**64) for _ in range(16)]
    assert whole == sum(part << (64 * (15 - place)) for place, part in enumerate(parts))


@pytest.mark.parametrize("before", [0, 2, 3, 66, 67, 68, 1_090, 1_091, 1_092, 2_500])
def test_words_are_the_next_draws_of_64_bits(before: int) -> None:
    """Also across the end of the head (3 words), of BLAKE2 (67) and of a SHAKE digest (1,091)."""
    one, other, third = (STREAMS.stream("words") for _ in range(3))
    for stream in (one, other):
        assert stream.randbelow(8) < 8
    head = one.words(before) + one.words(2_200)
    singly = [other.randbelow(1 << 64).to_bytes(8, "big") for _ in range(before + 2_200)]
    assert head == b"".join(singly)
    assert one.randbelow(1 << 70) == other.randbelow(1 << 70)
    assert third.words(before + 2_200) != head


def test_a_wide_rank_is_uniform_and_refuses_what_would_not_be() -> None:
    total = 3 << 118
    counts = Counter(wide_rank(total, STREAMS.stream("wide", str(n))) >> 118 for n in range(3_000))
    assert chi_square_fits(counts, {third: Fraction(1, 3) for third in range(3)})
    refused, kept = WIDE - 1, WIDE // total * total - 1
    words = iter([refused, kept])
    source = SimpleNamespace(randbelow=lambda n: next(words))
    assert wide_rank(total, source) == total - 1


def test_choice_and_shuffle_reach_everything() -> None:
    stream = STREAMS.stream("shuffle")
    assert {stream.choice("abc") for _ in range(60)} == set("abc")
    orders = Counter("".join(stream.shuffled("abc")) for _ in range(600))
    assert len(orders) == 6
    assert min(orders.values()) > 60


@pytest.mark.parametrize("n", [0, -4])
def test_an_empty_range_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="n >= 1"):
        STREAMS.stream("x").randbelow(n)


def test_keys_are_not_shown_and_purposes_derive_their_own() -> None:
    assert STREAMS.key.hex() not in repr(STREAMS)
    assert repr(STREAMS.key) not in repr(STREAMS)
    assert "…" in repr(STREAMS.stream("x"))
    assert len({derive(bytes(32), purpose) for purpose in ("a", "b", "")}) == 3


def test_fresh_streams_are_never_repeated_and_charge_every_draw_anew() -> None:
    one, other = Streams.fresh("u"), Streams.fresh("u")
    assert one.unit == other.unit == "u"
    assert one.stream("x").randbelow(2**128) == one.stream("x").randbelow(2**128)
    assert one.stream("x").randbelow(2**128) != other.stream("x").randbelow(2**128)
    assert one.event("x") != other.event("x")


def test_a_stream_and_its_event_are_the_same_together_as_apart() -> None:
    streams = Streams(bytes(32), "unit", scope="other")
    stream, event = streams.named("purpose", "valeur é")
    assert stream.words(9) == streams.stream("purpose", "valeur é").words(9)
    assert event == streams.event("purpose", "valeur é")


def test_the_scope_names_the_draws_and_the_unit_only_the_charges() -> None:
    one, other = Streams(bytes(32), "u", "scope"), Streams(bytes(32), "v", "scope")
    assert one.event("x") == other.event("x")
    assert one.stream("x").randbelow(2**128) == other.stream("x").randbelow(2**128)
