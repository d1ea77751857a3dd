"""Names of ten origins for measuring: known to no list and to no note or template to train on."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdeid import gazetteers
from dpdeid.document import Document, Span
from dpdeid.evaluate.report.page import every_text
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.synth.dice import Dice

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from made.cover import by_origin, may_come  # noqa: E402
from made.origins import origins, renamed  # noqa: E402
from made.told import origin_of, usual  # noqa: E402

FEWEST = {Label.LAST_NAME: 60, Label.FIRST_NAME: 40}
WORD = re.compile(r"[^\W\d_]+")
EVERY = [(o, name) for o, kinds in origins().items() for names in kinds.values() for name in names]


def parts(name: str) -> Iterator[str]:
    """The name, glued too, and each part of it that is no particle."""
    words = WORD.findall(fold(name))
    long = [word for word in words if len(word) > 3]
    yield from {fold(name), " ".join(words), "".join(words), *(long or words)}


def test_there_are_ten_origins_with_names_enough() -> None:
    assert len(origins()) == 10
    for origin, kinds in origins().items():
        for label, fewest in FEWEST.items():
            folded = list(map(fold, kinds[label]))
            assert len(folded) == len(set(folded)) >= fewest, origin
        assert f"origin {origin}" in every_text(), "the report has no word for it"


def test_no_list_has_one_of_them() -> None:
    lists = [
        gazetteers.surnames(), gazetteers.first_names(), gazetteers.words(),
        gazetteers.name_words(), gazetteers.frequency(), gazetteers.medical(),
        gazetteers.world_cities(), gazetteers.countries(), gazetteers.place_keys(),
    ]  # fmt: skip
    assert any("kerbiriou" in one for one in lists)
    assert not [n for _, n in EVERY if any(part in one for part in parts(n) for one in lists)]


def test_no_note_or_template_to_train_on_has_one_of_them() -> None:
    folders = ROOT / "benchmarks" / "recipes" / "written", ROOT / "dpdeid" / "synth" / "templates"
    texts = [path.read_text(encoding="utf-8") for f in folders for path in f.glob("*.txt")]
    words = {word for text in texts for word in WORD.findall(fold(text))}
    assert {"madame", "patient"} <= words
    assert not [name for _, name in EVERY if not words.isdisjoint(parts(name))]


@pytest.mark.slow
def test_of_every_origin_95_of_100_people_have_a_surname_that_may_be_drawn() -> None:
    """By the bearers of each name of the register, the origin told by one function for all."""
    shares = {origin: own["drawn"] for origin, own in by_origin().items()}
    assert len(shares) == 12
    assert not {origin: share for origin, share in shares.items() if share < 0.95}


@pytest.mark.parametrize("origin", origins())
def test_of_every_origin_95_of_100_surnames_of_no_list_may_be_made_up(origin: str) -> None:
    words = {
        word
        for name in origins()[origin][Label.LAST_NAME]
        for word in re.split(r"[-\s'’]+", fold(name))
        if len(word) > 3
    }
    assert sum(map(may_come, words)) >= 0.95 * len(words)


def test_the_origin_of_a_surname_is_told_by_its_letters() -> None:
    assert origin_of("nguyen") == usual()["nguyen"] == "east_asia"
    names = (
        "kervadec",
        "bendjelloul",
        "rakotovao",
        "yildizoglu",
        "jankowiak",
        "sivasamy",
        "renaudin",
    )
    assert [origin_of(name) for name in names] == [
        "regional", "maghreb", "east_africa", "turkey", "eastern_europe", "south_asia", "france",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_only_names_change_and_equal_ones_stay_equal(seed: int) -> None:
    text = "M. J. DUPONT-Rey vu ce jour. Mme Rey (Anne), écrit par Dr Rey. fait le 3/4, RMC/fgo"
    marked = {"J.": Label.FIRST_NAME, "DUPONT-Rey": Label.LAST_NAME, "Rey": Label.LAST_NAME,
              "Anne": Label.FIRST_NAME, "RMC": Label.LAST_NAME}  # fmt: skip
    spans = [
        Span(*match.span(), label)
        for value, label in marked.items()
        for match in re.finditer(rf"(?<![\w-]){re.escape(value)}(?!\w)", text)
    ]
    names = origins()["maghreb"]
    doc, found = renamed((Document("n", text), tuple(spans)), names, Dice.of(seed, "x"))
    values = [doc.text[s.start : s.end] for s in found]
    double, wife, first, doctor = values
    assert wife == doctor
    assert wife in names[Label.LAST_NAME]
    assert double.endswith(f"-{wife}")
    assert first in names[Label.FIRST_NAME]
    assert doc.text.startswith("M. ")
    assert doc.text.endswith(f"Mme {wife} ({first}), écrit par Dr {wife}. fait le 3/4, RMC/fgo")
