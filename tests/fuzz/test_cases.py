"""The fuzz itself: it finds what it looks for, and the same again."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random

import pytest

from dpdeid.errors import UsageError
from tests.fuzz import cases
from tests.fuzz.files import FILES, ROWS, SECRETS
from tests.fuzz.mutations import LARGEST, of_bytes, of_json, of_text


def test_a_failing_case_is_named_and_comes_again() -> None:
    def case(dice: Random) -> None:
        if dice.random() > 0.9:
            raise ValueError(dice.random())

    found = []
    for _ in range(2):
        with pytest.raises(AssertionError, match=r"^f, case \d+ of seed ") as caught:
            cases.run("f", case, 1_000)
        found.append((str(caught.value), str(caught.value.__cause__)))
    assert found[0] == found[1]


def test_a_case_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def case(dice: Random) -> None:
        while True:
            with suppress(Exception):  # as a part may that takes all errors for the note's
                time.process_time()

    monkeypatch.setattr(cases, "_LIMIT", 0.1)
    with pytest.raises(AssertionError) as caught:
        cases.run("f", case, 1)
    assert isinstance(caught.value.__cause__, cases.HangError)


def test_a_message_that_repeats_a_note_is_none_of_ours() -> None:
    with cases.refused() as said:
        raise UsageError("row 3: no text")
    assert said == ["row 3: no text"]
    with pytest.raises(AssertionError, match="repeats"), cases.refused():
        raise UsageError(f"row 3: {SECRETS[0].upper()}")
    with pytest.raises(KeyError), cases.refused():
        raise KeyError("of nobody")


@pytest.mark.parametrize("ending", ["csv", "hl7", "html", "json", "jsonl", "txt", "xml"])
def test_files_follow_from_their_dice_and_differ(ending: str) -> None:
    made = [FILES[ending](Random(number)) for number in range(50)]
    assert made == [FILES[ending](Random(number)) for number in range(50)]
    assert len({*made}) > 40


def test_mutations_change_and_stay_within_bounds() -> None:
    data, text = b"<p>Mme, vue</p>" * 9, "Mme Durand, vue le 12/03/2021"
    made = [of_bytes(data, Random(number)) for number in range(500)]
    assert sum(one != data for one in made) > 450
    assert max(map(len, made)) <= LARGEST
    assert len({of_text(text, Random(number)) for number in range(200)}) > 100
    before = repr(ROWS)
    assert len({repr(of_json(dict(ROWS[0]), Random(number))) for number in range(200)}) > 100
    assert repr(ROWS) == before
