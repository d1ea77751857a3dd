"""What every detector and every strategy that a policy can name must do."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given

from dpdeid.detect.known_facts.site import Site
from dpdeid.detect.taggers.flair import Flair
from dpdeid.document import Document, Mention, Record, Span, Surrogate
from dpdeid.engine import Deidentifier
from dpdeid.errors import ModelError
from dpdeid.labels import Label
from dpdeid.policy.policy import (
    DETECTORS,
    MERGES,
    PROPAGATORS,
    STRATEGIES,
    _registry,
    load_policy,
    names,
)
from dpdeid.protocols import Detector, Guarantee, Merge, Propagator, Strategy
from dpdeid.testing import notes
from dpdeid.testing.strategies import texts
from tests.conftest import KEY, OTHER_KEY

NEEDS = {"crf": "pycrfsuite", "flair": "flair"}
"""Detectors that need an extra, and the module that tells whether it is there."""


def runnable(name: str, make: Callable[[], type]) -> object:
    absent = name in NEEDS and find_spec(NEEDS[name]) is None
    skip = pytest.mark.skipif(absent, reason=f"needs the extra {name}")
    return pytest.param(make, id=name, marks=skip)


detectors = pytest.mark.parametrize(
    "make", [runnable(name, make) for name, make in _registry(DETECTORS).items()]
)
built_in = pytest.mark.parametrize("name", names())


def strategies() -> Iterator[object]:
    """Every strategy of every built-in policy, once each."""
    seen = set()
    for name in names():
        policy = load_policy(name)
        for strategy in (*policy.strategies, policy.default):
            if strategy not in seen:
                seen.add(strategy)
                yield pytest.param(strategy, id=f"{name}-{strategy.name}")


each_strategy = pytest.mark.parametrize("strategy", list(strategies()))


@pytest.fixture
def detector(make: Callable[[], type], request: pytest.FixtureRequest) -> Detector:
    """The detector as it ships, or with a tiny model or lists where none ship."""
    if make() is Flair:
        return Flair(str(request.getfixturevalue("flair_model")))
    if make() is Site:
        return Site(Path(__file__).parent / "detect" / "known_facts" / "site_lists")
    made: Detector = make()()
    return made


@pytest.fixture
def usable(detector: Detector) -> Detector:
    """The same; skips where its model or its extra is not at hand."""
    try:
        tuple(detector(Document("n", "vue")))
    except ModelError as error:
        pytest.skip(str(error))
    return detector


@detectors
class TestDetectors:
    def test_contract(self, make: Callable[[], type], detector: Detector) -> None:
        assert isinstance(detector, Detector)
        assert DETECTORS[detector.name].endswith(make().__name__)
        assert pickle.loads(pickle.dumps(detector)) == detector
        with pytest.raises(TypeError):
            make()(colour="red")

    def test_spans_lie_in_the_text_and_name_their_source(self, usable: Detector) -> None:
        for doc, _ in notes():
            for span in usable(doc):
                assert span.end <= len(doc.text)
                assert span.source.partition("/")[0] == usable.name
                assert 0 < span.score <= 1

    def test_it_is_a_function_of_the_document(self, usable: Detector) -> None:
        other = pickle.loads(pickle.dumps(usable))
        for doc, _ in notes():
            assert sorted(usable(doc)) == sorted(other(doc))

    def test_it_survives_any_text(self, usable: Detector) -> None:
        known = {Label.LAST_NAME: ("Dupont",), Label.BIRTH_DATE: ("2021-03-12",)}

        @given(texts())
        def survives(text: str) -> None:
            for span in usable(Document("n", text, known=known)):
                assert span.end <= len(text)

        survives()


def test_propagators_and_merges() -> None:
    for make in _registry(PROPAGATORS).values():
        assert isinstance(make()(), Propagator)
        assert pickle.loads(pickle.dumps(make()())) == make()()
    for make in _registry(MERGES).values():
        assert isinstance(make()(), Merge)


def test_every_strategy_stands_in_a_built_in_policy() -> None:
    used = {p.values[0].name for p in strategies()}  # type: ignore[attr-defined]
    assert used == set(STRATEGIES)


@each_strategy
class TestStrategies:
    def test_contract(self, strategy: Strategy) -> None:
        assert isinstance(strategy, Strategy)
        assert pickle.loads(pickle.dumps(strategy)) == strategy
        assert strategy.labels
        assert all(isinstance(g, Guarantee) for g in strategy.guarantees())
        assert {x for g in strategy.guarantees() for x in g.labels} <= set(strategy.labels)
        with pytest.raises(TypeError):
            type(strategy)(colour="red")  # type: ignore[call-arg]
        assert all(f.name == f.name.lower() for f in fields(strategy))  # type: ignore[arg-type]


@built_in
class TestPolicies:
    def run(self, name: str, key: bytes) -> list[tuple[str, tuple[Surrogate, ...]]]:
        results = Deidentifier(name, key=key).pipe([doc for doc, _ in notes()])
        return [(r.text, r.surrogates) for r in results]  # type: ignore[union-attr]

    def test_same_key_same_release(self, name: str) -> None:
        assert self.run(name, KEY) == self.run(name, KEY)

    def test_another_key_draws_again(self, name: str) -> None:
        one, other = ([text for text, _ in self.run(name, key)] for key in (KEY, OTHER_KEY))
        same = one == other
        assert same == (name in ("chuv", "fasdim", "redact", "safe-harbor"))

    def test_order_of_the_notes_does_not_matter(self, name: str) -> None:
        docs = [doc for doc, _ in notes()]
        engine = Deidentifier(name, key=KEY)
        forward = {r.id: r.text for r in engine.pipe(docs)}  # type: ignore[union-attr]
        backward = {r.id: r.text for r in engine.pipe(docs[::-1])}  # type: ignore[union-attr]
        assert forward == backward

    def test_text_outside_the_spans_is_untouched(self, name: str) -> None:
        engine = Deidentifier(name, key=KEY)
        for doc, _ in notes():
            result = engine(doc)
            done = at = 0
            for s in result.surrogates:
                between = doc.text[done : s.mention.span.start]
                assert result.text[at : at + len(between)] == between
                at += len(between) + len(s.text)
                done = s.mention.span.end
            assert result.text[at:] == doc.text[done:]

    def test_every_charge_belongs_to_the_unit(self, name: str) -> None:
        for result in Deidentifier(name, key=KEY).pipe([doc for doc, _ in notes()]):
            assert len(result.ledger.units) <= 1  # type: ignore[union-attr]

    def test_names_and_numbers_never_equal_their_original(self, name: str) -> None:
        for _, surrogates in self.run(name, KEY):
            for s in surrogates:
                if s.mention.label.is_direct and s.mention.label is not Label.BIRTH_DATE:
                    assert s.text.lower() != s.mention.text.lower()

    def test_it_survives_any_text(self, name: str) -> None:
        engine = Deidentifier(name, key=KEY)

        @given(texts())
        def survives(text: str) -> None:
            assert isinstance(engine(text).text, str)

        survives()


def test_mentions_and_records_are_plain_values() -> None:
    doc = Document("n", "x")
    assert Record("u", (doc,)) == Record("u", (doc,))
    assert Mention(0, Span(0, 1, Label.CITY), "x").label is Label.CITY
