"""Searches have no bound, games have their own, and every figure of a file is shown."""

from __future__ import annotations

from typing import Any

import pytest

from dpdeid.evaluate.attacks.linkage import attackers
from dpdeid.evaluate.attacks.simulated import Sizes, attack_policy
from dpdeid.evaluate.report import attacked
from dpdeid.evaluate.report.page import words
from dpdeid.policy.policy import load_policy
from tests.evaluate.report.reading import drawn

SIZES = Sizes(patients=40, targets=20, alike=4, trials=10, releases=2, notes=4, submitters=2)
EN = words("en")


def attack(policy: str) -> dict[str, Any]:
    rules = load_policy(policy)
    found = attack_policy(rules, sizes=SIZES, known=(1, 2))
    return {"policy": rules.name, "policy_sha256": rules.sha256, **found}


@pytest.fixture(scope="module")
def attacks() -> dict[str, dict[str, Any]]:
    return {name: attack(name) for name in ("aphp", "dp")}


@pytest.mark.parametrize("towns", [False, True])
def test_every_search_is_in_the_table(attacks: dict[str, Any], towns: bool) -> None:
    section = attacked.linkage(attacks, EN, towns=towns)
    assert section is not None
    rows = section.table.data()
    said = [
        (name, row["known"], row["found"]["share"], row["found"]["trials"])
        for name, data in attacks.items()
        for row in data["linkage"]
        if row["towns"] is towns
    ]
    columns = ("release", "known_dates", "found_share", "trials")
    assert {row["records"] for row in rows} == {40}
    assert [tuple(row[c] for c in columns) for row in rows] == said
    assert "no bound" in section.said[0]
    assert "lower bound" in section.said[0]


def test_each_game_stands_beside_its_own_bound(attacks: dict[str, Any]) -> None:
    sections = list(attacked.games("dp", attacks["dp"], EN))
    assert [section.key for section in sections] == [
        "games-one_release-dp",
        "games-many_releases-dp",
    ]
    for section, game in zip(sections, ("one_release", "many_releases"), strict=True):
        own = [row for row in attacks["dp"]["games"] if row["game"] == game]
        bounds = {row["bound"] for row in own}
        assert {row["bound_share"] for row in section.table.data()} == bounds
        assert len(section.table.rows) == len(own)


def test_a_curve_goes_through_a_number_of_known_dates_once(attacks: dict[str, Any]) -> None:
    """Games with and without a known town are curves of their own, and rows that tell it."""
    for section in attacked.games("dp", attacks["dp"], EN):
        rows = [(row["apart"], row["known_dates"]) for row in section.table.data()]
        assert len(set(rows)) == len(rows)
        assert {apart for apart, _ in rows} == {
            "dates close", "dates close + town", "dates apart", "dates apart + town",
        }  # fmt: skip


def test_every_attacker_is_described_in_french() -> None:
    french = words("fr")
    for one in (*attackers(), *attackers(per_km=0.0)):
        for part in str(one).split(", "):
            assert french.said(f"attacker {part}", "") not in ("", part)


def test_releases_of_different_sizes_are_said_to_be(attacks: dict[str, Any]) -> None:
    small = {"linkage": [{**row, "records": 7} for row in attacks["dp"]["linkage"]]}
    section = attacked.linkage({"a": attacks["aphp"], "b": small}, EN, towns=False)
    assert section is not None
    assert "7–40" in section.said[0]


def test_where_nothing_is_proved_no_bound_is_drawn(attacks: dict[str, Any]) -> None:
    for section in attacked.games("aphp", attacks["aphp"], EN):
        assert {row["bound_share"] for row in section.table.data()} == {"no bound"}
        texts = [text.text for text in drawn(section.chart).iter("text")]
        assert texts
        assert not [text for text in texts if "bound" in (text or "")]


def test_a_release_of_files_has_no_games(attacks: dict[str, Any]) -> None:
    data = {key: of for key, of in attacks["dp"].items() if key != "games"}
    assert list(attacked.games("dp", data, EN)) == []


def test_the_counts_of_lonely_records_are_those_of_the_files(attacks: dict[str, Any]) -> None:
    section = attacked.unique(attacks, EN)
    assert section is not None
    (before, after) = [row for row in section.table.data() if row["release"] == "aphp"]
    assert before["interval_sequences"] == after["interval_sequences"]
    assert before["records"] == 40
    assert attacked.unique({}, EN) is None


def test_policies_are_weighed_by_what_they_cost(attacks: dict[str, Any]) -> None:
    section = attacked.worth(attacks, EN)
    assert section is not None
    costs = {row["policy"]: row["interval_days"] for row in section.table.data()}
    assert costs["aphp"] == 0
    assert 1 < float(costs["dp"] or 0) < 100


def test_a_policy_of_ones_own_is_not_weighed_by_the_built_in_one(attacks: dict[str, Any]) -> None:
    changed = {name: {**data, "policy_sha256": "0"} for name, data in attacks.items()}
    assert attacked.worth(changed, EN) is None


def test_a_release_of_files_is_not_weighed_by_the_policy_that_searched_it(
    attacks: dict[str, Any],
) -> None:
    files = {key: of for key, of in attacks["dp"].items() if key != "games"}
    both, alone = attacked.worth({**attacks, "of files": files}, EN), attacked.worth(attacks, EN)
    assert both is not None
    assert alone is not None
    assert both.table == alone.table


def test_bits_stand_side_by_side_and_a_dash_where_nothing_is_proved() -> None:
    policies = [load_policy(name) for name in ("dp", "aphp", "dp-strict")]
    section = attacked.leakage(policies, words("fr"))
    assert section is not None
    rows = {row[1]: row[2:] for row in section.table.rows}
    town, nothing, strict = rows["une commune de métropole"]
    assert nothing is None
    assert isinstance(town, float)
    assert isinstance(strict, float)
    assert strict < town < 10
    assert rows["une naissance"] == (6.9, None, 2.8)
    assert attacked.leakage(policies[1:2], words("en")) is None
