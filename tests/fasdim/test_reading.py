"""Reading what was left in place: answers that outlive a crash, and what the effort is worth."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from functools import reduce
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid import testing
from dpdeid.cohort.access_log import user
from dpdeid.document import Document, Finding, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.evaluate.missed import FAILURE, missed
from dpdeid.fasdim.reading.answers import ANSWERS, Answer, Answers, Given, answered, record
from dpdeid.fasdim.reading.effort import effort
from dpdeid.fasdim.reading.places import Design, Left, Place, left
from dpdeid.fasdim.reading.use import corrected
from dpdeid.fasdim.reading.worth import growing, worth
from dpdeid.fasdim.review import Review, press
from dpdeid.labels import Label
from tests.conftest import KEY

TEXT = "Œdème. av zorguelec : ok pr sortie demain"
NAME = Span(TEXT.index("zorguelec"), TEXT.index("zorguelec") + 9, Label.LAST_NAME)


def nothing(doc: Document) -> Finding:
    return Finding((), ())


def meanings(_: object) -> Mapping[str, Answer]:
    return ANSWERS


def after(keys: str) -> Review:
    return reduce(press, keys, Review((1, 2, 3), meanings=meanings))


def test_the_keys_of_the_review() -> None:
    done = after("ixh ")
    assert done.decisions == (Answer.IDENTIFYING, Answer.HARMLESS, Answer.UNSURE)
    assert done.asked is None
    assert after("iu") == after("")
    assert after("c").shows_context
    assert after("iqh").decisions == (Answer.IDENTIFYING,)


@given(st.text(alphabet="ih cuqa", max_size=12))
def test_as_many_answers_as_places_at_most(keys: str) -> None:
    review = after(keys)
    assert len(review.decisions) <= 3
    assert (review.asked is None) == (review.ended or len(review.decisions) == 3)


def test_the_riskiest_first_with_offsets_of_the_raw_text() -> None:
    found = left(Document("a", TEXT), nothing).places
    assert found[0].word == "zorguelec"
    assert (found[0].start, found[0].end) == (NAME.start, NAME.end)
    assert all(one.risk >= other.risk for one, other in pairwise(found))
    assert "av [zorguelec] : ok" in found[0].line()
    assert "zorguelec" not in repr(found[0])


def test_what_detection_found_is_not_read() -> None:
    doc = next(doc for doc, _ in testing.notes())
    engine = Deidentifier("dp", key=KEY)
    spans = engine.detect(doc).spans
    found = left(doc, engine.detect).places
    assert found
    assert not any(p.start < s.end and s.start < p.end for p in found for s in spans)


def test_answers_are_added_and_the_last_one_holds(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    first, second = left(Document("a", TEXT), nothing).places[:2]
    record(path, [(first, Answer.IDENTIFYING), (second, Answer.UNSURE)], 0.2, Design())
    before = path.read_bytes()
    design = Design(share=0.5, sample=7, seed=3)
    record(path, [(first, None), (second, Answer.HARMLESS)], 0.1, design)
    found = answered(path)
    assert found.given == {second.key: Given(Answer.HARMLESS, second.word, 4, user())}
    assert found.minutes[first.key] == pytest.approx(0.3)
    assert found.design == design
    assert path.read_bytes().startswith(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_answers_yet_and_damaged_ones(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    assert answered(path).given == {}
    path.write_text(
        '{"note": "a", "start": 1, "end": 2, "answer": "perhaps", "word": "Durand", "minutes": 1}\n'
    )
    with pytest.raises(UsageError, match="line 1") as error:
        answered(path)
    assert "Durand" not in str(error.value)
    with pytest.raises(UsageError, match="cannot write"):
        record(tmp_path / "none" / "answers", [(Place("a", 0, 1, 1, 0.5, "x"), None)], 0, Design())


def test_the_curve_ends_with_all_notes_redacted() -> None:
    quiet = "Pas de fièvre, pas de toux, bon état général."
    notes = [(Document("a", TEXT), (NAME,)), (Document("b", quiet), ())]
    curve = effort(notes, nothing)
    assert curve.notes == 2
    assert curve.at(0) == 0.5
    assert curve.at(1) == 1
    assert curve.steps[1] == (1, 2)  # the name is the riskiest word of both
    assert curve.steps[-1] == (curve.words, 2)


def test_a_name_inside_what_a_policy_keeps_is_never_read() -> None:
    kept = Finding((Span(NAME.start, NAME.end, Label.PROFESSION),), ())
    assert effort([(Document("a", TEXT), (NAME,))], lambda doc: kept).at(1) == 0


def said(place: Place, answer: Answer) -> Given:
    return Given(answer, place.word, 1)


def test_answers_belong_to_their_notes(tmp_path: Path) -> None:
    doc = Document("a", TEXT)
    (name, *_) = left(doc, nothing).places
    own = Answers(tmp_path / "a.jsonl", {name.key: said(name, Answer.NAME)})
    own.check([doc])
    for other, reason in (
        (Document("a", "x" + TEXT), "the note has another text"),
        (Document("a", ""), "the note has another text"),
        (Document("b", TEXT), "a note that is not there"),
    ):
        with pytest.raises(UsageError, match=f"a.jsonl, line 1: .*{reason}") as error:
            own.check([other])
        assert "zorguelec" not in str(error.value)


def test_a_larger_sample_holds_the_smaller_and_each_word_has_its_chance() -> None:
    (note,) = [left(Document("a", TEXT), nothing)]
    small = Design(share=0.15, sample=2).choose([note])
    large = Design(share=0.15, sample=4).choose([note])
    assert small.riskiest == note.places[:1]
    assert large.drawn[:2] == tuple(
        Place(p.note, p.start, p.end, p.words, p.risk, p.text, large.drawn[0].chance)
        for p in small.drawn
    )
    assert {place.chance for place in small.drawn} == {2 / len(small.others)}
    assert {place.chance for place in small.riskiest} == {1}
    assert {p.key for p in small.others} == {p.key for p in note.places[1:]}
    every = Design(share=0, sample=99).choose([note]).drawn
    assert sorted(p.key for p in every) == sorted(p.key for p in note.places)


def population(often: Mapping[int, float]) -> tuple[list[Left], set[tuple[str, int, int]]]:
    """Ten notes of a hundred words, and which identify: a share of those of some notes."""
    notes, truth = [], set[tuple[str, int, int]]()
    for number in range(10):
        text = "a " * 100
        own = tuple(
            Place(f"n{number}", 2 * at, 2 * at + 1, 1, 1 / (at + 2), text) for at in range(100)
        )
        notes.append(
            Left(
                Document(f"n{number}", text),
                (Span(0, 200, Label.LAST_NAME),),
                own,
                100,
                (frozenset(range(50)),),
            )
        )
        truth |= {place.key for place in own if place.start % 199 < 199 * often.get(number, 0)}
    return notes, truth


@pytest.mark.statistical
@pytest.mark.parametrize(
    "often",
    [{}, {7: 0.03}, dict.fromkeys(range(10), 0.02), {3: 1.0}, dict.fromkeys(range(10), 0.3)],
    ids=["nothing", "three words", "the riskiest", "a whole note", "a third"],
)
@pytest.mark.parametrize("sample", [20, 300])
def test_the_interval_covers_what_is_missed(often: Mapping[int, float], sample: int) -> None:
    notes, truth = population(often)
    covered, seeds = 0, 300
    for seed in range(seeds):
        chosen = Design(0.01, sample, seed).choose(notes)
        answers = Answers(
            Path(),
            {
                place.key: said(place, ANSWERS["i" if place.key in truth else "h"])
                for place in (*chosen.riskiest, *chosen.drawn)
            },
        )
        asked = answers.asked(chosen.riskiest), answers.asked(chosen.drawn)
        found = missed(*asked, len(chosen.others))
        covered += found.low <= len(truth) <= found.high
    chance = 1 - FAILURE
    assert covered >= seeds * chance - 3 * sqrt(seeds * chance * FAILURE)


def test_what_was_taken_is_counted_as_what_was_left() -> None:
    text = "M. ZORGUELEC Jean, case D | U | P | O | N | T vue"
    stretches = [(3, 17, Label.LAST_NAME), (24, 30, Label.LAST_NAME), (31, 34, Label.KINSHIP)]
    finding = Finding(tuple(Span(*stretch) for stretch in stretches), ())  # of "… case DUPONT vue"
    note = left(Document("a", text), lambda _: finding)
    assert note.taken() == 3
    assert {place.word for place in note.places} == {"M", "case"}
    assert note.words == 6


def test_notes_are_corrected_by_answers() -> None:
    text = "vu av le Goff Zorguelec de Brest le 12"
    view = {place.word: place for place in left(Document("a", text), nothing).places}
    vu = Finding((Span(0, 2, Label.LAST_NAME),), ())
    note = left(Document("a", text), lambda _: vu)
    answers = {
        "Goff": Answer.NAME,
        "Zorguelec": Answer.IDENTIFYING,
        "de": Answer.HARMLESS,
        "Brest": Answer.PLACE,
        "12": Answer.IDENTIFYING,
        "av": Answer.UNSURE,
        "vu": Answer.HARMLESS,
    }
    given = {view[word].key: said(view[word], answer) for word, answer in answers.items()}
    spans = corrected(note, Answers(Path(), given))
    assert [(text[s.start : s.end], s.label) for s in spans] == [
        ("vu", Label.LAST_NAME),  # what detection found, no answer takes away
        ("Goff Zorguelec", Label.LAST_NAME),
        ("Brest", Label.CITY),
        ("12", Label.OTHER_ID),
    ]


def test_open_answers_are_unsure_or_none() -> None:
    places = left(Document("a", TEXT), nothing).places[:4]
    keys = [Answer.DATE, Answer.HARMLESS, Answer.UNSURE]
    answers = Answers(Path(), {p.key: said(p, a) for p, a in zip(places, keys, strict=False)})
    asked = answers.asked(places)
    assert (asked.words, asked.identifying, asked.open) == (4, 1, 2)


def test_what_detection_took_wrongly_is_neither_taken_nor_annotated(tmp_path: Path) -> None:
    text = "Mme ZORGUELEC JEAN suit une maladie de Basedow"
    finding = Finding((Span(4, 18, Label.LAST_NAME), Span(39, 46, Label.LAST_NAME)), ())
    note = left(Document("a", text), lambda _: finding)
    basedow = note.place(note.found[1])
    record(tmp_path / "a", [(basedow, Answer.WRONG)], 0.1, Design())
    known = answered(tmp_path / "a")
    known.check([note.document])
    assert [s.start for s in corrected(note, known)] == [4]
    assert (note.taken(), note.taken(known.wrong)) == (3, 2)
    chosen = Design(1).choose([note])
    own = worth([note], chosen, known)
    assert (own.taken, own.wrong) == (2, 1)
    assert known.unused([note]) == set()
    assert known.unused([left(note.document, nothing)]) == set()  # by now a word as any other
    assert known.unused([left(Document("a", text[:38]), nothing)]) == {basedow.key}


def test_a_row_in_two_spans_is_taken_while_one_of_them_is_right() -> None:
    halves = (Span(0, 3, Label.LAST_NAME), Span(4, 7, Label.LAST_NAME))
    row = frozenset({0})
    note = Left(Document("a", "D U P O"), halves, (), 1, (row, row))
    one, other = note.found
    assert [note.taken(wrong) for wrong in ((), {one}, {other}, {one, other})] == [1, 1, 1, 0]


def test_what_is_said_of_a_word_that_was_taken_is_open_nowhere() -> None:
    (name, *others) = left(Document("a", TEXT), nothing).places
    answers = Answers(Path(), {name.key: said(name, Answer.WRONG)})
    asked = answers.asked([name, *others])
    assert (asked.identifying, asked.open) == (0, len(others))


@given(st.lists(st.sampled_from(list(ANSWERS.values())), max_size=60), st.integers(1, 9))
def test_the_interval_grows_to_that_of_the_report(said_so: list[Answer], most: int) -> None:
    notes, _ = population({})
    chosen = Design(0.03, 25, 1).choose(notes)
    places = (*chosen.riskiest, *chosen.drawn)
    given_so = {
        place.key: Given(answer, place.word, at)
        for at, (place, answer) in enumerate(zip(places, said_so, strict=False), 1)
    }
    known = Answers(Path(), given_so)
    own = worth(notes, chosen, known)
    points = list(growing(chosen, known, own, most))
    assert [points[0].answers, points[-1].answers] == [0, len(given_so)]
    assert (points[-1].recall, points[-1].is_measured) == (own.recall(), own.is_measured)
    assert len(points) <= most + 2
    assert all(one.answers < other.answers for one, other in pairwise(points))
    assert all(one.recall[1] <= other.recall[1] for one, other in pairwise(points))
