"""A site's lists: files that merge line by line, the forbidding line, the specialty."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import PolicyError
from dpdeid.fasdim import lists as site
from dpdeid.fasdim.lists import ANY, Entry, Lists
from dpdeid.fasdim.numbers import Number, Shape
from dpdeid.fasdim.starting import Verdict
from dpdeid.policy.policy import load_policy

KEYS = st.one_of(
    st.tuples(st.sampled_from(["acacia", "bouleau", "omi"])),
    st.tuples(st.sampled_from(["fc", ANY]), st.sampled_from(["mg", "ans"])),
)
ENTRIES = st.lists(
    st.builds(Entry, KEYS, st.sampled_from(list(Verdict)), st.sampled_from(["", "allergologie"])),
    max_size=8,
)


def number(before: str, after: str) -> Number:
    return Number(0, 1, before, after, 1, Shape.SMALL)


@given(ENTRIES, ENTRIES)
def test_lists_merge_in_any_order_as_their_files_do_line_by_line(
    one: list[Entry], other: list[Entry]
) -> None:
    def verdicts(lists: Lists) -> dict[object, Verdict]:
        return {place: entry.verdict for place, entry in lists.entries.items()}

    a, b = Lists.of(one), Lists.of(other)
    assert verdicts(site.merged(a, [b])) == verdicts(site.merged(b, [a]))
    assert verdicts(site.merged(a, [b])) == verdicts(Lists.of([*one, *other]))
    for entry in (*one, *other):
        if entry.verdict is Verdict.FORBIDDEN:
            place = (entry.key, entry.specialty)
            assert site.merged(a, [b]).entries[place].verdict is Verdict.FORBIDDEN


@given(ENTRIES)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, es: list[Entry]
) -> None:
    folder = tmp_path_factory.mktemp("lists")
    site.create(folder)
    written = Lists.of(es)
    site.write(folder, written)
    assert site.read(folder) == written


def test_acacia_is_a_street_or_an_allergy() -> None:
    entries = (
        Entry(("acacia",), Verdict.FORBIDDEN),
        Entry(("acacia",), Verdict.AUTHORIZED, "allergologie"),
    )
    assert Lists.of(entries).word("acacia") is Verdict.FORBIDDEN
    assert Lists.of(entries, specialty="allergologie").word("acacia") is Verdict.AUTHORIZED


def test_an_expert_outranks_the_starting_list_and_nobody_has_decided_what_none_knows() -> None:
    own = Lists.of([Entry(("infarctus",), Verdict.FORBIDDEN)])
    assert own.word("infarctus") is Verdict.FORBIDDEN
    assert Lists().word("infarctus") is Verdict.AUTHORIZED
    assert Lists().word("kervadecq") is None
    assert Lists(starting=False).word("infarctus") is None


def test_a_pattern_holds_for_the_word_before_the_word_after_or_both() -> None:
    own = Lists.of(
        [
            Entry((ANY, "respirations"), Verdict.AUTHORIZED),
            Entry(("zorg", "respirations"), Verdict.FORBIDDEN),
            Entry(("zorg", ANY), Verdict.AUTHORIZED),
        ]
    )
    assert own.number(number("a", "respirations")) is Verdict.AUTHORIZED
    assert own.number(number("zorg", "respirations")) is Verdict.FORBIDDEN
    assert own.number(number("zorg", "")) is Verdict.AUTHORIZED
    assert own.number(number("qui", "qui")) is None


def test_the_folder_is_private_and_its_policy_runs(tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    site.create(folder)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {0o600}
    (detector,) = load_policy(folder / site.POLICY).detectors
    assert getattr(detector, "lists", None) == folder / "."
    with pytest.raises(PolicyError, match="holds lists already"):
        site.create(folder)


def test_a_bad_line_is_named_and_not_repeated(tmp_path: Path) -> None:
    site.create(tmp_path / "l")
    path = tmp_path / "l" / site.WORDS
    path.write_text("# dpdeid fasdim 1\nkervadec\tperhaps\n", encoding="utf-8")
    with pytest.raises(PolicyError, match="line 2: no decision") as error:
        site.read(tmp_path / "l")
    assert "kervadec" not in str(error.value)
    path.write_text("# dpdeid fasdim 2\n", encoding="utf-8")
    with pytest.raises(PolicyError, match="its form is another"):
        site.read(tmp_path / "l")


def test_the_log_says_who_and_how_much(tmp_path: Path) -> None:
    site.record(tmp_path / site.LOG, "review", decided=3, minutes=1.5)
    (row,) = site.history(tmp_path)
    assert (row["what"], row["decided"], row["minutes"]) == ("review", 3, 1.5)
    assert {"when", "who"} <= row.keys()
    assert json.loads((tmp_path / site.LOG).read_text()) == row
