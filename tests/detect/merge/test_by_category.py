"""CHUV's hybrid: who owns a category says what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.merge.by_category import CATEGORIES, ByCategory
from dpdeid.detect.merge.published import Union
from dpdeid.document import Document, Span
from dpdeid.errors import PolicyError
from dpdeid.labels import Label, Role
from dpdeid.policy.policy import load_policy, parse_policy, policy_text
from dpdeid.spans import covered
from tests.detect.merge.test_published import DOC, TEXT, meant, proposals, span

NAMED = ByCategory(("PATIENT_E",))
NAME = span("Le Goff", Label.LAST_NAME, "flair")
STREET = span("rue d'Arcole", Label.STREET, "patterns")


def merged(merge: ByCategory, *said: Span) -> tuple[Span, ...]:
    proposed: dict[str, list[Span]] = {}
    for one in said:
        proposed.setdefault(one.source, []).append(one)
    return merge(DOC, proposed)


class TestWhoOwnsIt:
    def test_a_category_of_the_rules_is_not_the_taggers(self) -> None:
        wider = span("12 rue d'Arcole", Label.STREET, "flair")
        assert merged(NAMED, STREET, wider) == (STREET,)

    def test_a_category_of_the_tagger_is_not_the_rules_where_the_tagger_speaks(self) -> None:
        wider = span("Mme Le Goff", Label.LAST_NAME, "patterns")
        assert merged(NAMED, NAME, wider) == (NAME,)

    @pytest.mark.parametrize("backing", [True, False])
    def test_where_the_tagger_is_silent_the_rules_back_it_unless_it_is_as_published(
        self, backing: bool
    ) -> None:
        merge = ByCategory(("PATIENT_E", "RUE"), backing=backing)
        assert merged(merge, NAME, STREET) == ((NAME, STREET) if backing else (NAME,))

    def test_names_of_staff_and_patients_are_two_categories(self) -> None:
        doctor = replace(NAME, role=Role.STAFF, source="patterns")
        assert merged(NAMED, NAME) == (NAME,)
        assert merged(NAMED, doctor) == (doctor,)
        assert merged(NAMED, replace(doctor, source="flair")) == ()

    def test_each_says_why(self) -> None:
        merge = ByCategory(("EMPLACEMENT_GÉOGRAPHIQUE", "PATIENT_E"))
        assert merge.reason(STREET, [STREET]) == "the rules own RUE"
        assert merge.reason(NAME, [NAME]) == "flair owns PATIENT_E"
        city = span("Brest", Label.CITY, "lookup")
        other = span("Brest", Label.LAST_NAME, "patterns")
        assert merge.reason(city, [city, other]) == "flair marks nothing here"


CHOSEN = st.lists(st.sampled_from(sorted(CATEGORIES)), unique=True).map(tuple)


class TestLaws:
    @given(proposed=proposals("flair", "patterns", "lookup"), chosen=CHOSEN)
    def test_all_that_the_rules_find_stays_covered_or_the_tagger_overlaps_it(
        self, proposed: Mapping[str, Sequence[Span]], chosen: tuple[str, ...]
    ) -> None:
        out = meant(ByCategory(chosen)(DOC, proposed))
        tagged = covered(proposed.get("flair", ()))
        for name, some in proposed.items():
            for one in some:
                letters = meant([one])
                assert name == "flair" or letters <= out or tagged & set(range(one.start, one.end))

    @given(proposed=proposals("flair", "patterns", "lookup"))
    def test_with_no_category_the_tagger_is_not_heard(
        self, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        every = ByCategory(())
        alone = {name: some for name, some in proposed.items() if name != "flair"}
        assert every(DOC, proposed) == every(DOC, alone)
        assert meant(every(DOC, alone)) == meant(Union()(DOC, alone))

    @given(proposed=proposals("flair", "patterns"))
    def test_as_published_with_every_category_the_rules_are_not_heard(
        self, proposed: Mapping[str, Sequence[Span]]
    ) -> None:
        published = ByCategory(tuple(CATEGORIES), backing=False)
        assert published(DOC, proposed) == published(DOC, {"flair": proposed.get("flair", [])})


POLICY = policy_text("chuv").replace("merge: route", "merge: {by_category: {%s}}")


def policy(options: str) -> str:
    return POLICY.replace("%s", options)


class TestInAPolicy:
    def test_it_can_be_chosen(self) -> None:
        used = parse_policy(policy("tagger: crf, categories: [RUE, ÂGE], backing: false"))
        assert used.merge == ByCategory(("RUE", "ÂGE"), "crf", backing=False)

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ("tagger: crf, categories: [STREET]", "no category 'STREET'; allowed: AUTRES"),
            ("tagger: crf, categories: [RUE, RUE]", "a category stands twice"),
            ("categories: [RUE], tagger: lookup", "tagger must be one of transformer, crf, flair"),
            ("categories: [RUE]", "the merge gives labels to flair, which is no detector here"),
        ],
    )
    def test_what_it_cannot_mean_is_refused(self, options: str, said: str) -> None:
        with pytest.raises(PolicyError, match=said):
            parse_policy(policy(options))

    def test_route_too_refuses_an_owner_that_is_not_there(self) -> None:
        text = policy_text("chuv").replace(
            "merge: route", "merge: {route: {owners: {CITY: flair}}}"
        )
        with pytest.raises(PolicyError, match="gives labels to flair, which is no detector here"):
            parse_policy(text)

    def test_propagated_names_are_of_the_rules(self) -> None:
        """A name that is found once is found again, whoever owns its category."""
        twice = Document("n", f"{TEXT}. Le Goff va bien.")
        again = Span(len(TEXT) + 2, len(TEXT) + 9, Label.LAST_NAME, source="propagate")
        assert load_policy("chuv").propagators
        assert NAMED(twice, {"flair": [NAME], "propagate": [again]}) == (NAME, again)
