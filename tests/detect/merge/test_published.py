"""The decision rules, on the published examples and on everything Hypothesis thinks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.merge.published import Route, Tags, Union, sign, verdict
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.policy.policy import load_policy, names
from dpdeid.protocols import Merge
from dpdeid.spans import Overlaps, covered, disjoint
from dpdeid.testing.strategies import spans
from tests.linear import LIMIT, Work, growth

TEXT = "Mme Le Goff, 12 rue d'Arcole 29000 Brest"
DOC = Document("n", TEXT)


def span(text: str, label: Label, source: str, score: float = 0.9) -> Span:
    start = TEXT.index(text)
    return Span(start, start + len(text), label, score, source)


def proposals(
    *detectors: str,
) -> st.SearchStrategy[dict[str, list[Span]]]:
    kinds = st.sampled_from(detectors or ("crf", "patterns", "lookup"))
    return st.dictionaries(kinds, st.lists(spans(len(TEXT)), max_size=6))


def meant(all_spans: Sequence[Span]) -> set[int]:
    """The covered letters and digits."""
    return {i for i in covered(all_spans) if TEXT[i].isalnum()}


PUBLISHED = [Union(), Tags(), Route()]
EVERY = [*PUBLISHED, Decision(), Decision("cautious")]
SHIPPED = sorted({load_policy(name).merge for name in names()}, key=repr)
SMALL = {i for word in ("Le ", "d'") for i in range(TEXT.index(word), TEXT.index(word) + len(word))}


@pytest.mark.parametrize("merge", [*EVERY, *SHIPPED], ids=lambda m: m.name)
class TestEveryRule:
    @given(proposed=proposals())
    def test_sorted_disjoint_and_trimmed(
        self, merge: Merge, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        merged = merge(DOC, proposed)
        assert all(a.end <= b.start for a, b in pairwise(merged))
        assert all(TEXT[s.start : s.end] == TEXT[s.start : s.end].strip() for s in merged)

    @given(proposed=proposals(), random=st.randoms(use_true_random=False))
    def test_does_not_depend_on_any_order(
        self, merge: Merge, proposed: dict[str, list[Span]], random: object
    ) -> None:
        items = [(name, list(some)) for name, some in proposed.items()]
        random.shuffle(items)  # type: ignore[attr-defined]
        for _, some in items:
            random.shuffle(some)  # type: ignore[attr-defined]
        assert merge(DOC, dict(items)) == merge(DOC, proposed)

    @given(proposed=proposals())
    def test_gives_a_reason_for_every_span(
        self, merge: Merge, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        every = [s for some in proposed.values() for s in some]
        for merged in merge(DOC, proposed):
            rivals = [p for p in every if p.start < merged.end and merged.start < p.end]
            assert merge.reason(merged, rivals)


@pytest.mark.parametrize("merge", PUBLISHED, ids=lambda m: m.name)
@given(proposed=proposals())
def test_a_rule_without_options_covers_every_letter_that_was_proposed(
    merge: Merge, proposed: Mapping[str, Sequence[Span]]
) -> None:
    every = [s for some in proposed.values() for s in some]
    assert meant(every) <= meant(merge(DOC, proposed))


@pytest.mark.parametrize("merge", SHIPPED, ids=lambda m: m.name)
class TestWhatShippedMergesDrop:
    """`decision` drops what is hardly likely, never what was told; `route` drops nothing."""

    @given(proposed=proposals("crf", "transformer", "patterns", "metadata", "lookup"))
    def test_what_the_hospital_told_stays_covered(
        self, merge: Merge, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        said = {name: [replace(s, source=name) for s in some] for name, some in proposed.items()}
        assert meant(said.get("metadata", ())) - SMALL <= meant(merge(DOC, said))

    @pytest.mark.parametrize(
        ("name", "score"), [("lookup", 0.9), ("lookup_places", 0.9), ("crf", 0.05)]
    )
    def test_a_list_or_an_unsure_tagger_alone_is_dropped_by_the_decision_only(
        self, merge: Merge, name: str, score: float
    ) -> None:
        doc = Document("n", "toux grasse depuis trois jours")
        said = {"crf": [], "transformer": [], name: [Span(5, 11, Label.CITY, score, name)]}
        merged = merge(doc, said)
        assert any(s.label is Label.CITY for s in merged) == (merge.name != "decision")

    @pytest.mark.parametrize("other", ["patterns", "transformer"])
    def test_a_second_voice_keeps_what_one_alone_would_lose(self, merge: Merge, other: str) -> None:
        said = {name: [span("rue", Label.CITY, name, 0.5)] for name in ("crf", other)}
        assert meant([said["crf"][0]]) <= meant(merge(DOC, said))


class TestWhatIsSaidOfASpan:
    """Source, score and role of what came out, and the reason that `explain` gives."""

    BREST = span("Brest", Label.CITY, "crf", 0.6)

    @pytest.mark.parametrize(
        ("others", "why"),
        [
            ([], "only proposal"),
            ([span("29000 Brest", Label.CITY, "crf")], "only proposal"),
            ([span("29000 Brest", Label.CITY, "patterns/zip")], "all agree"),
            ([span("Brest", Label.LAST_NAME, "crf")], "a conflict"),
            ([span("Brest", Label.LAST_NAME, "lookup")], "a conflict"),
        ],
    )
    def test_a_reason_tells_agreement_from_conflict(self, others: list[Span], why: str) -> None:
        assert verdict(self.BREST, [self.BREST, *others], "a conflict") == why

    def test_a_tie_of_two_labels_is_a_tie_and_of_one_label_is_none(self) -> None:
        name = span("Brest", Label.LAST_NAME, "lookup")
        assert Union().reason(self.BREST, [self.BREST, name]) == "tie: the learned tagger"
        assert Union().reason(name, [self.BREST, name]) == "tie: the better score"
        again = replace(self.BREST, source="lookup")
        assert Union().reason(self.BREST, [self.BREST, again]) == "all agree"

    def test_a_span_is_signed_by_the_best_of_its_label_that_overlaps_it(self) -> None:
        best = replace(span("29000 Brest", Label.CITY, "patterns/zip", 0.8), role=Role.RELATIVE)
        other_label = span("Brest", Label.LAST_NAME, "lookup", 0.9)
        beside = [
            span("29000 ", Label.CITY, "lookup", 1.0),
            span("Goff", Label.CITY, "lookup", 1.0),
        ]
        before = replace(self.BREST, source="tags", score=1.0)
        signed = sign(before, Overlaps([self.BREST, best, other_label, *beside]))
        assert signed == replace(self.BREST, source=best.source, score=0.8, role=Role.RELATIVE)


class TestUnion:
    def test_the_largest_wins(self) -> None:
        small, large = (
            span("Arcole", Label.LAST_NAME, "lookup"),
            span("12 rue d'Arcole", Label.STREET, "patterns"),
        )
        assert Union()(DOC, {"lookup": [small], "patterns": [large]}) == (large,)

    def test_a_learned_tagger_wins_a_perfect_tie(self) -> None:
        rule, learned = (
            span("Brest", Label.CITY, "patterns", 1.0),
            span("Brest", Label.LAST_NAME, "crf", 0.5),
        )
        assert Union()(DOC, {"patterns": [rule], "crf": [learned]}) == (learned,)
        assert Union(learned=())(DOC, {"patterns": [rule], "crf": [learned]}) == (rule,)

    def test_the_loser_keeps_its_remainder(self) -> None:
        """The year of a rule's date stays covered when a tagger saw a longer street before it."""
        street, rest = (
            span("rue d'Arcole 29000", Label.STREET, "crf"),
            span("29000 Brest", Label.CITY, "patterns"),
        )
        merged = Union()(DOC, {"crf": [street], "patterns": [rest]})
        assert merged == (street, span("Brest", Label.CITY, "patterns"))

    def test_a_remainder_without_letters_is_dropped(self) -> None:
        name, comma = (
            span("Le Goff", Label.LAST_NAME, "crf"),
            span("Goff, ", Label.CITY, "patterns"),
        )
        assert Union()(DOC, {"crf": [name], "patterns": [comma]}) == (name,)

    def test_a_role_comes_from_whoever_knew_it(self) -> None:
        plain = span("Le Goff", Label.LAST_NAME, "crf")
        roled = Span(plain.start, plain.end, plain.label, 0.8, "metadata", Role.PATIENT)
        (merged,) = Union()(DOC, {"crf": [plain], "metadata": [roled]})
        assert (merged.source, merged.role) == ("crf", Role.PATIENT)


class TestTags:
    """HNFC's rule on its published example, its classes read as the nearest labels."""

    def test_bermont(self) -> None:
        crf = ["O", "B-FIRST_NAME", "O", "O", "B-FIRST_NAME", "B-CITY"]
        tagger = ["O", "B-FIRST_NAME", "O", "O", "B-CITY", "O"]
        decided = Tags(winners=("transformer", "crf")).decide({"crf": crf, "transformer": tagger})
        assert decided == ("O", "B-FIRST_NAME", "O", "O", "B-CITY", "B-CITY")

    def test_bermont_over_text(self) -> None:
        doc = Document("n", "M. Jean habite à Bermont 90400")
        jean, bermont, code = (3, 7), (17, 24), (25, 30)
        crf = [
            Span(*jean, Label.FIRST_NAME, source="crf"),
            Span(*bermont, Label.FIRST_NAME, source="crf"),
            Span(*code, Label.ZIP, source="crf"),
        ]
        tagger = [
            Span(*jean, Label.FIRST_NAME, source="transformer"),
            Span(*bermont, Label.CITY, source="transformer"),
        ]
        merged = Tags()(doc, {"crf": crf, "transformer": tagger})
        assert [(s.start, s.end, s.label) for s in merged] == [
            (*jean, Label.FIRST_NAME),
            (*bermont, Label.CITY),
            (*code, Label.ZIP),
        ]

    @pytest.mark.parametrize(
        ("one", "other", "decided"),
        [
            ("B-CITY", "B-CITY", "B-CITY"),  # same tag: that tag
            ("O", "B-CITY", "B-CITY"),  # one is O: the other
            ("B-DATE", "O", "B-DATE"),
            ("B-DATE", "B-CITY", "B-DATE"),  # both differ: the winner
            ("O", "O", "O"),
        ],
    )
    def test_the_three_cases(self, one: str, other: str, decided: str) -> None:
        rule = Tags(winners=("first",))
        assert rule.decide({"first": [one], "second": [other]}) == (decided,)

    def test_torn_tags_are_repaired(self) -> None:
        decided = Tags(winners=("a",)).decide(
            {"a": ["B-CITY", "O"], "b": ["B-LAST_NAME", "I-LAST_NAME"]}
        )
        assert decided == ("B-CITY", "B-LAST_NAME")


class TestRoute:
    def test_the_owner_is_taken_and_others_are_not(self) -> None:
        owned, other = span("Brest", Label.CITY, "patterns"), span("Brest", Label.CITY, "crf")
        stray = span("Le Goff", Label.CITY, "crf")
        route = Route(owners={Label.CITY: "patterns"})
        assert route(DOC, {"patterns": [owned], "crf": [other, stray]}) == (owned,)

    def test_a_label_without_owner_is_taken_from_all(self) -> None:
        route = Route(owners={Label.CITY: "patterns"})
        name = span("Le Goff", Label.LAST_NAME, "crf")
        assert route(DOC, {"crf": [name]}) == (name,)

    @given(proposed=proposals())
    def test_with_every_label_owned_only_the_owner_speaks(
        self, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        route = Route(owners=dict.fromkeys(Label, "crf"))
        alone = route(DOC, {"crf": proposed.get("crf", [])})
        assert route(DOC, proposed) == alone
        assert meant(disjoint(proposed.get("crf", []))) == meant(alone)


@pytest.mark.parametrize("merge", PUBLISHED, ids=lambda m: m.name)
def test_a_long_note_is_merged_in_linear_time(merge: Merge) -> None:
    def work(names: int) -> Work:
        doc = Document("n", "vu par Zorglub. " * names)
        found = [Span(at, at + 7, Label.LAST_NAME) for at in range(7, 16 * names, 16)]
        said = {
            name: [replace(s, source=name) for s in found] for name in ("patterns", "crf", "flair")
        }
        assert len(merge(doc, said)) == names  # and the tokens of the note are made
        return partial(merge, doc, said)

    assert growth(work, 1_000) <= LIMIT
