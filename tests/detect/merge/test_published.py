"""The decision rules, on the published examples and on everything Hypothesis thinks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpdeid.detect.merge.majority import Majority
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


EVERY = [Union(), Tags(), Route(), Majority()]
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


@pytest.mark.parametrize("merge", EVERY, ids=lambda m: m.name)
@given(proposed=proposals())
def test_a_rule_without_options_covers_every_letter_that_was_proposed(
    merge: Merge, proposed: Mapping[str, Sequence[Span]]
) -> None:
    every = [s for some in proposed.values() for s in some]
    assert meant(every) <= meant(merge(DOC, proposed))


@pytest.mark.parametrize("merge", SHIPPED, ids=lambda m: m.name)
class TestWhatShippedMergesDrop:
    """`majority` drops what too few say, never what the patterns found; `route` drops nothing."""

    @given(proposed=proposals("crf", "transformer", "patterns", "metadata", "lookup"))
    def test_what_patterns_and_known_facts_find_stays_covered(
        self, merge: Merge, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        said = {name: [replace(s, source=name) for s in some] for name, some in proposed.items()}
        ours = [*said.get("patterns", ()), *said.get("metadata", ())]
        assert meant(ours) - SMALL <= meant(merge(DOC, said))

    @pytest.mark.parametrize(
        ("name", "score"), [("lookup", 0.9), ("lookup_places", 0.9), ("crf", 0.05)]
    )
    def test_a_list_or_an_unsure_tagger_alone_is_dropped_by_the_majority_only(
        self, merge: Merge, name: str, score: float
    ) -> None:
        said = {"crf": [], "transformer": [], name: [span("rue", Label.CITY, name, score)]}
        assert bool(merge(DOC, said)) == (merge.name != "majority")

    @pytest.mark.parametrize("other", ["patterns", "transformer"])
    def test_a_second_voice_keeps_what_one_alone_would_lose(self, merge: Merge, other: str) -> None:
        said = {name: [span("rue", Label.CITY, name, 0.5)] for name in ("crf", other)}
        (merged,) = merge(DOC, said)
        assert merged.label is Label.CITY


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


class TestMajority:
    CITY = span("Brest", Label.CITY, "lookup", 0.6)
    NAME = span("Brest", Label.LAST_NAME, "crf", 0.9)

    def test_two_voices_beat_one(self) -> None:
        agreeing = span("Brest", Label.LAST_NAME, "transformer", 0.5)
        (merged,) = Majority()(
            DOC, {"lookup": [self.CITY], "crf": [self.NAME], "transformer": [agreeing]}
        )
        assert (merged.label, merged.source, merged.score) == (Label.LAST_NAME, "crf", 0.9)

    def test_a_part_that_nobody_proposed_is_signed_as_the_whole(self) -> None:
        """The town and the land of one find."""
        text = "Katowice EN POLOGNE"
        said = {
            name: [Span(0, len(text), Label.CITY, score, name)]
            for name, score in (("crf", 0.8), ("transformer", 0.7))
        }
        found = Majority()(Document("a", text), said)
        assert [(s.label, text[s.start : s.end]) for s in found] == [
            (Label.CITY, "Katowice"),
            (Label.COUNTRY, "POLOGNE"),
        ]
        assert {(s.source, s.score) for s in found} == {("crf", 0.8)}

    def test_a_part_is_signed_by_its_own_proposal(self) -> None:
        text = "Katowice EN POLOGNE"
        said = {
            "crf": [Span(0, len(text), Label.CITY, 0.8, "crf")],
            "transformer": [Span(0, len(text), Label.CITY, 0.7, "transformer")],
            "lookup_places": [Span(12, len(text), Label.COUNTRY, 0.6, "lookup_places")],
        }
        land = Majority()(Document("a", text), said)[-1]
        assert (land.label, land.source, land.score) == (Label.COUNTRY, "lookup_places", 0.6)

    def test_the_rules_are_one_voice_and_win_a_tie(self) -> None:
        again = span("Brest", Label.CITY, "patterns", 0.5)
        for rules in ({"lookup": [self.CITY]}, {"lookup": [self.CITY], "patterns": [again]}):
            (merged,) = Majority()(DOC, {**rules, "crf": [self.NAME]})
            assert merged.label is Label.CITY
        others = {"crf": [self.NAME], "transformer": [replace(self.NAME, source="transformer")]}
        (merged,) = Majority()(DOC, {"lookup": [self.CITY], "patterns": [again], **others})
        assert merged.label is Label.LAST_NAME

    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("d'", ["12 rue d'Arcole"]),
            ("Arcole", ["12 rue d'", "Arcole"]),
            ("12 rue d'Arcole", ["12 rue d'Arcole"]),
        ],
    )
    def test_what_the_rules_find_is_not_broken_in_the_middle(
        self, text: str, parts: list[str]
    ) -> None:
        street = span("12 rue d'Arcole", Label.STREET, "patterns")
        both = {name: [span(text, Label.HOSPITAL, name)] for name in ("crf", "transformer")}
        merged = Majority()(DOC, {"patterns": [street], **both})
        assert [TEXT[s.start : s.end] for s in merged] == parts
        assert (merged[-1].label is Label.HOSPITAL) == (text != "d'")

    def test_a_form_of_dates_does_not_say_that_nobody_was_born(self) -> None:
        """Taggers alone decide between a date and a birth; where none speaks of one, it is none."""
        form = span("12", Label.DATE, "patterns", 0.9)
        born = span("12", Label.BIRTH_DATE, "transformer", 0.87)
        seen = span("12", Label.DATE, "crf", 0.63)
        for crf, label in ((seen, Label.BIRTH_DATE), (replace(seen, score=0.9), Label.DATE)):
            (merged,) = Majority()(DOC, {"patterns": [form], "crf": [crf], "transformer": [born]})
            assert merged.label is label

    def test_between_taggers_the_better_score_decides(self) -> None:
        sure = span("Brest", Label.CITY, "transformer", 0.95)
        (merged,) = Majority()(DOC, {"crf": [self.NAME], "transformer": [sure]})
        assert merged == sure

    def test_one_tagger_alone_must_be_sure_of_an_indirect_identifier_only(self) -> None:
        rule = Majority(alone=Fraction(7, 10))
        for score, kept in ((0.69, 0), (0.71, 1)):
            doubtful = span("Brest", Label.CITY, "crf", score)
            assert len(rule(DOC, {"crf": [doubtful]})) == kept
            seconded = replace(doubtful, source="transformer")
            assert len(rule(DOC, {"crf": [doubtful], "transformer": [seconded]})) == 1
            assert len(rule(DOC, {"lookup": [replace(doubtful, source="lookup")]})) == 1
            assert len(rule(DOC, {"crf": [replace(doubtful, label=Label.LAST_NAME)]})) == 1

    def test_lists_second_nobody_where_there_are_two_taggers(self) -> None:
        rule = Majority(backed=("lookup",), weak=Fraction(2, 5))
        listed = {"lookup": [span("Goff", Label.LAST_NAME, "lookup")]}
        unsure = {"crf": [span("Goff", Label.LAST_NAME, "crf", 0.3)]}
        assert len(rule(DOC, {**listed, "crf": []})) == 1
        assert rule(DOC, {**listed, "crf": [], "transformer": []}) == ()
        assert rule(DOC, {**listed, **unsure, "transformer": []}) == ()
        assert len(Majority()(DOC, {**listed, **unsure, "transformer": []})) == 1

    def test_a_doubted_name_beside_a_believed_one_stays(self) -> None:
        rule = Majority(weak=Fraction(2, 5))
        for score, kept in ((0.9, 2), (0.3, 0)):
            given = span("Le", Label.FIRST_NAME, "crf", score)
            surname = span("Goff", Label.LAST_NAME, "crf", 0.3)
            assert len(rule(DOC, {"crf": [given, surname]})) == kept

    def test_the_rules_say_which_name_initials_stand_for(self) -> None:
        doc = Document("n", "PYT/ml")
        rules = [Span(4, 6, Label.LAST_NAME, 0.9, "patterns")]
        both = {name: [Span(4, 6, Label.FIRST_NAME, 0.9, name)] for name in ("crf", "transformer")}
        (merged,) = Majority()(doc, {"patterns": rules, **both})
        assert merged.label is Label.LAST_NAME

    def test_the_file_says_which_name_of_the_patient_it_is(self) -> None:
        doc = Document("n", "Zorglub va bien")
        both = {name: [Span(0, 7, Label.FIRST_NAME, 0.9, name)] for name in ("crf", "transformer")}
        for source, score, label in (
            ("metadata", 1.0, Label.LAST_NAME),
            ("lookup", 0.9, Label.FIRST_NAME),
        ):
            named = [Span(0, 7, Label.LAST_NAME, score, source)]
            (merged,) = Majority()(doc, {source: named, **both})
            assert merged.label is label

    def test_a_sure_organization_keeps_its_town(self) -> None:
        doc = Document("n", "barreau de Brest")
        both = {name: [Span(11, 16, Label.CITY, 0.9, name)] for name in ("crf", "transformer")}
        for score, kept in ((0.97, 1), (0.85, 2)):
            body = Span(0, 16, Label.ORGANIZATION, score, "patterns")
            assert len(Majority()(doc, {"patterns": [body], **both})) == kept

    def test_a_department_with_its_article_is_no_surname(self) -> None:
        for before, name, label, inside in (
            ("vit dans ", "LE LOIRET", Label.CITY, "LOIRET"),
            ("département : ", "LES YVELINES", Label.CITY, "YVELINES"),
            ("dans ", "LA HAUTE-LOIRE", Label.CITY, "HAUTE-LOIRE"),
            ("vu par ", "LE LOIRET", Label.LAST_NAME, "LE LOIRET"),
        ):
            text, start = before + name, len(before)
            doc = Document("n", text)
            both = {
                tagger: [Span(start, len(text), Label.LAST_NAME, 0.9, tagger)]
                for tagger in ("crf", "transformer")
            }
            (merged,) = Majority()(doc, both)
            assert (merged.label, text[merged.start : merged.end]) == (label, inside)

    @pytest.mark.parametrize(
        ("text", "label"),
        [
            ("Dr Zorbec\nRoanne, le 12 mars 2021\nCher confrère", Label.CITY),
            ("Roanne le lundi 3/04/2022", Label.CITY),
            ("Dr Zorbec\nRoanne, le 12 mars 2021, va mieux", Label.FIRST_NAME),
            ("vue par Roanne, le 12 mars 2021", Label.FIRST_NAME),
            ("Zorblic, le 12 mars 2021", Label.FIRST_NAME),
        ],
    )
    def test_a_town_that_heads_a_letter_is_no_given_name(self, text: str, label: Label) -> None:
        name = "Roanne" if "Roanne" in text else "Zorblic"
        start = text.index(name)
        span = Span(start, start + len(name), Label.FIRST_NAME, 0.9, "crf")
        (merged,) = Majority()(Document("a", text), {"patterns": (), "crf": [span]})
        assert merged.label is label

    def test_the_article_of_a_department_alone_is_no_surname(self) -> None:
        doc = Document("n", "vit dans LE LOIRET")
        proposed = {
            "crf": [Span(12, 18, Label.CITY, 0.7, "crf")],
            "transformer": [Span(9, 11, Label.LAST_NAME, 0.7, "transformer")],
        }
        (merged,) = Majority()(doc, proposed)
        assert (merged.label, merged.start) == (Label.CITY, 12)

    def test_a_department_with_its_article_needs_no_tagger(self) -> None:
        rule = Majority(alone=Fraction(1, 2), weak=Fraction(2, 5), backed=("lookup_places",))
        for text, kept in (("né dans LA DROME.", 1), ("le projet LA DROME.", 0)):
            doc = Document("n", text)
            start = text.index("DROME")
            found = [Span(start, start + 5, Label.CITY, 0.95, "lookup_places")]
            merged = rule(doc, {"lookup_places": found, "crf": [], "transformer": []})
            assert len(merged) == kept

    @pytest.mark.parametrize("on", [" au", "-", " /", " à", " et", " ou", " – "])
    def test_what_leads_on_is_not_the_end_of_a_span(self, on: str) -> None:
        doc = Document("n", f"du 9{on} 15 mai")
        (merged,) = Majority()(doc, {"crf": [Span(3, 4 + len(on), Label.DATE, 0.9, "crf")]})
        assert (merged.start, merged.end) == (3, 4)

    @pytest.mark.parametrize(
        ("text", "known", "label", "parts"),
        [
            ("mi-avril 2022", "avril 2022", Label.DATE, ["mi-avril 2022"]),
            ("fin 2019", "2019", Label.DATE, ["fin 2019"]),
            ("Basse-Goulaine", "Goulaine", Label.CITY, ["Basse-Goulaine"]),
            ("26-27 mai", "27 mai", Label.DATE, ["26", "27 mai"]),
            ("3 et 5 ans", "5 ans", Label.AGE, ["3", "5 ans"]),
            ("3 à 5 ans", "5 ans", Label.AGE, ["3", "5 ans"]),
            ("lun-mer", "lun mer", Label.DATE, ["lun", "mer"]),
        ],
    )
    def test_the_rules_do_not_tear_what_taggers_see_as_one(
        self, text: str, known: str, label: Label, parts: list[str]
    ) -> None:
        doc = Document("n", text)
        rules = [Span(len(text) - len(known), len(text), label, 0.9, "patterns")]
        if known == "lun mer":
            rules = [Span(0, 3, label, 0.9, "patterns"), Span(4, 7, label, 0.9, "patterns")]
        whole = [Span(0, len(text), label, 0.9, "crf")]
        merged = Majority()(doc, {"patterns": rules, "crf": whole})
        assert [text[s.start : s.end] for s in merged] == parts

    def test_two_that_a_tagger_sees_as_two_stay_two(self) -> None:
        doc = Document("n", "Le Goff Tanguy")
        rules = [Span(3, 14, Label.LAST_NAME, 0.9, "patterns")]
        two = [Span(0, 7, Label.LAST_NAME, 0.9, "crf"), Span(8, 14, Label.LAST_NAME, 0.9, "crf")]
        assert len(Majority()(doc, {"crf": two})) == 2
        assert len(Majority()(doc, {"crf": two, "patterns": rules})) == 1

    def test_small_words_that_are_left_of_a_place_are_none(self) -> None:
        doc = Document("n", "originaire de la Martinique")
        rule = Span(17, 27, Label.CITY, 0.95, "lookup_places")
        rest = Span(11, 27, Label.ORGANIZATION, 0.9, "transformer")
        proposed = {
            "lookup_places": [rule],
            "crf": [replace(rule, source="crf")],
            "transformer": [rest],
        }
        (merged,) = Majority(alone=Fraction(1, 2), weak=Fraction(2, 5))(doc, proposed)
        assert doc.text[merged.start : merged.end] == "Martinique"

    def test_two_dates_side_by_side_stay_two(self) -> None:
        doc = Document("n", "le 12/03 13/03")
        spans = [Span(3, 8, Label.DATE, 0.9, "crf"), Span(9, 14, Label.DATE, 0.9, "crf")]
        assert len(Majority()(doc, {"crf": spans, "patterns": [], "transformer": []})) == 2

    @pytest.mark.parametrize("field", ["alone", "weak"])
    def test_a_score_that_is_none_is_refused(self, field: str) -> None:
        with pytest.raises(ValueError, match=field):
            Majority(**{field: Fraction(3, 2)})  # type: ignore[arg-type]

    @given(proposed=proposals())
    @example(
        proposed={
            "crf": [
                Span(0, 1, Label.DATE, 0.5, "crf"),
                Span(1, 2, Label.LAST_NAME, 0.5, "crf"),  # in the same token
            ]
        }
    )
    def test_direct_identifiers_stay_covered_however_sure_one_must_be(
        self, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        rules = [s for name, some in proposed.items() if name != "crf" for s in some]
        direct = [s for s in disjoint(proposed.get("crf", [])) if s.label.is_direct]
        merged = Majority(alone=Fraction(1))(DOC, proposed)
        assert meant(rules) <= meant(merged)
        assert meant(direct) <= meant(merged)


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


@pytest.mark.parametrize("merge", EVERY, ids=lambda m: m.name)
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
