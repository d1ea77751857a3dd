"""Several readers of one queue: nobody gets a word that another has in hand, and whatever they said
is in the file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.document import Document, Span
from dpdeid.errors import UsageError
from dpdeid.fasdim.reading.answers import ANSWERS, Answer, answered, record
from dpdeid.fasdim.reading.places import Design, Key, Left, Place
from dpdeid.fasdim.reading.queue import LEASE, Queue
from dpdeid.fasdim.review import IDLE
from dpdeid.labels import Label

DESIGN = Design(share=0.5, sample=3, seed=2)
TEXT = "Soazig mange peu ce soir"
NAME = (0, 6)


@dataclass
class Desk:
    """Two notes of four words, one of them found; a queue, and a clock that tests turn."""

    path: Path
    time: float = 0.0
    queue: Queue = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        notes = [_note(name, risk) for name, risk in (("a", 0.4), ("b", 0.9))]
        known = answered(self.path)
        known.check(note.document for note in notes)
        self.queue = Queue(notes, known, DESIGN, lambda: self.time)

    @property
    def rows(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]


def _note(name: str, risk: float) -> Left:
    words = [(7, 12), (13, 16), (17, 19), (20, 24)]
    places = tuple(Place(name, *word, 1, risk / (at + 1), TEXT) for at, word in enumerate(words))
    spans = (Span(*NAME, Label.LAST_NAME),)
    return Left(Document(name, TEXT), spans, places, 5, (frozenset({0}),))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "answers.jsonl")


def test_the_riskiest_first_then_the_drawn(desk: Desk) -> None:
    order = list[Place]()
    while (number := desk.queue.take("Ana")) is not None:
        order.append(desk.queue.places[number])
        assert desk.queue.answer("Ana", number, Answer.HARMLESS)
    assert tuple(order) == (*desk.queue.chosen.riskiest, *desk.queue.chosen.drawn)
    assert [place.note for place in order[:2]] == ["b", "b"]
    assert desk.queue.waiting == 0


def test_two_readers_never_share_a_word(desk: Desk) -> None:
    first, second = desk.queue.take("Ana"), desk.queue.take("Bo")
    assert (first, second) == (0, 1)
    assert desk.queue.take("Ana") == 0  # a page that is opened again has the same word
    assert not desk.queue.answer("Bo", 0, Answer.NAME)
    assert not desk.path.exists()


def test_a_word_that_is_left_lying_goes_to_another(desk: Desk) -> None:
    assert desk.queue.take("Ana") == 0
    desk.time += LEASE
    assert desk.queue.take("Bo") == 0
    assert not desk.queue.answer("Ana", 0, Answer.NAME)
    assert desk.queue.answer("Bo", 0, Answer.DATE)
    assert [row["answer"] for row in desk.rows] == ["date"]


def test_whoever_comes_back_late_may_answer_what_nobody_took(desk: Desk) -> None:
    desk.queue.take("Ana")
    desk.time += 10 * LEASE
    assert desk.queue.answer("Ana", 0, Answer.NAME)


def test_undo_takes_back_ones_own_last_answer(desk: Desk) -> None:
    for reader, answer in (("Ana", Answer.NAME), ("Bo", Answer.PLACE), ("Ana", Answer.DATE)):
        number = desk.queue.take(reader)
        assert number is not None
        desk.queue.answer(reader, number, answer)
    assert desk.queue.undo("Bo")
    assert desk.queue.take("Bo") == 1
    assert {g.answer for g in answered(desk.path).given.values()} == {Answer.NAME, Answer.DATE}
    assert not desk.queue.undo("Bo")
    assert desk.queue.undo("Ana")
    assert desk.queue.take("Ana") == 2
    assert not desk.queue.undo("Cy")


def test_what_detection_took_can_be_wrong_and_right_again(desk: Desk) -> None:
    assert desk.queue.take("Ana") == 0
    assert not desk.queue.wrong("Ana", 0, 1, 6)  # no span
    assert not desk.queue.wrong("Ana", 1, *NAME)  # not in hand
    assert desk.queue.wrong("Ana", 0, *NAME)
    assert desk.queue.known.wrong == {("b", *NAME)}
    assert desk.queue.take("Ana") == 0
    assert desk.queue.wrong("Ana", 0, *NAME)
    assert desk.queue.known.wrong == set()
    desk.queue.wrong("Ana", 0, *NAME)
    desk.queue.undo("Ana")
    assert desk.queue.known.given == {}
    assert desk.queue.take("Ana") == 0


def test_minutes_are_each_readers_own_and_nobody_thinks_long(desk: Desk) -> None:
    desk.queue.take("Ana")
    desk.time += 6
    desk.queue.take("Bo")
    desk.time += 12
    desk.queue.answer("Bo", 1, Answer.NAME)
    desk.queue.take("Bo")
    desk.time += 100 * IDLE
    desk.queue.answer("Bo", 2, Answer.NAME)
    desk.queue.answer("Ana", 0, Answer.NAME)
    assert [row["minutes"] for row in desk.rows] == [0.2, 1.0, 1.0]


def test_the_command_and_the_page_alternate(desk: Desk) -> None:
    assert desk.queue.take("Ana") == 0
    record(desk.path, [(desk.queue.places[0], Answer.UNSURE)], 0.1, DESIGN)
    assert not desk.queue.answer("Ana", 0, Answer.NAME)
    assert desk.queue.take("Ana") == 1
    assert not desk.queue.undo("Ana")
    assert desk.queue.answer("Ana", 1, Answer.NAME)
    with desk.path.open("ab") as file:
        file.write(b'{"note": "a", "sta')  # somebody is interrupted
    assert desk.queue.take("Ana") == 2
    assert desk.queue.answer("Ana", 2, Answer.DATE)
    assert [row["answer"] for row in desk.rows] == ["unsure", "name", "date"]
    desk.path.write_bytes(b"nothing\n" * 99)
    with pytest.raises(UsageError, match="line"):
        desk.queue.take("Ana")


READERS = ("Ana", "Bo", "Cy")
ACTS = st.lists(
    st.tuples(
        st.sampled_from(READERS),
        st.sampled_from(("take", "take", "answer", "answer", "undo", "wrong", "restart")),
        st.sampled_from(tuple(ANSWERS.values())),
        st.sampled_from((1.0, 40.0, LEASE)),
    ),
    max_size=25,
)


@dataclass
class Model:
    """What there is to a queue without a file: who said what, and who has which word since when."""

    keys: list[Key]
    time: float = 0.0
    said: list[tuple[str, Key, Answer]] = field(default_factory=list)
    hands: dict[str, tuple[int, float]] = field(default_factory=dict)

    def free(self, reader: str) -> list[int]:
        """The words that this reader may get, or keep."""
        others = [n for r, (n, at) in self.hands.items() if r != reader and at > self.time - LEASE]
        said = [key for _, key, _ in self.said]
        return [n for n, key in enumerate(self.keys) if key not in said and n not in others]

    def take(self, reader: str) -> int | None:
        """The word in hand; the first that is free if it is none."""
        free = self.free(reader)
        kept = self.hands.pop(reader, (-1, 0.0))[0]
        number = kept if kept in free else next(iter(free), None)
        if number is not None:
            self.hands[reader] = (number, self.time)
        return number

    def undo(self, reader: str) -> bool:
        """Whether there was something of this reader's own; then it is in hand."""
        own = [one for one in self.said if one[0] == reader]
        if own:
            self.said.remove(own[-1])
            if own[-1][1] in self.keys:
                self.hands[reader] = (self.keys.index(own[-1][1]), self.time)
        return bool(own)


@given(ACTS)
@settings(max_examples=80, deadline=None)
def test_whatever_readers_do(acts: list[tuple[str, str, Answer, float]]) -> None:
    """The file is what they said, an undo is one's own last, and no word is in two hands."""
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "answers")
        model = Model([place.key for place in desk.queue.places])
        for reader, act, answer, seconds in acts:
            model.time = desk.time = desk.time + seconds
            if act == "restart":
                desk.start()
                model.hands.clear()
            if act == "undo":
                assert desk.queue.undo(reader) == model.undo(reader)
            number = desk.queue.take(reader)
            assert number == model.take(reader)
            if act == "answer" and number is not None:
                assert desk.queue.answer(reader, number, answer)
                model.said.append((reader, model.keys[number], answer))
                del model.hands[reader]
            if act == "wrong" and number is not None:
                key = (model.keys[number][0], *NAME)
                assert desk.queue.wrong(reader, number, *NAME)
                right = [one for one in model.said if one[1] == key]
                model.said = [one for one in model.said if one[1] != key]
                model.said += [] if right else [(reader, key, Answer.WRONG)]
            given = answered(desk.path).given
            assert {key: one.answer for key, one in given.items()} == {
                key: answer for _, key, answer in model.said
            }
            assert desk.queue.known.given == given
