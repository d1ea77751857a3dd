"""Several detectors of one kind in a policy: all are heard, each under a name of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from dpdeid.cli.check import found_by
from dpdeid.cohort.manifest import models
from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.merge.published import Route, Tags, Union, detector_of
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import PolicyError
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy, parse_policy
from dpdeid.protocols import Merge
from dpdeid.substitute.without_draws import Redact

TEXT = "vu par Zorglub puis par Champignac"


@dataclass(frozen=True)
class Word:
    """Finds one word, as a tagger of the kind "crf" would."""

    name: ClassVar[str] = "crf"
    word: str
    label: Label = Label.LAST_NAME
    score: float = 0.9

    def __call__(self, doc: Document) -> Iterable[Span]:
        for match in re.finditer(self.word, doc.text):
            yield Span(*match.span(), self.label, self.score, f"{self.name}/word")

    def model_files(self) -> Mapping[str, str]:
        return {"word": f"{self.word} {self.label}"}


@dataclass(frozen=True)
class Listed(Word):
    """The same of a hospital's list."""

    name: ClassVar[str] = "site"


@dataclass(frozen=True)
class Follow:
    """Finds one word in every note where anything was found."""

    name: ClassVar[str] = "propagate"
    word: str

    def __call__(
        self, documents: Sequence[Document], found: Sequence[Sequence[Span]]
    ) -> Sequence[Sequence[Span]]:
        word = Word(self.word)
        return [list(word(doc)) if spans else [] for doc, spans in zip(documents, found)]  # noqa: B905


def policy(merge: Merge, *detectors: Word, propagators: Sequence[Follow] = ()) -> Policy:
    return Policy("t", "note", detectors, merge, (), Redact(), propagators=tuple(propagators))


@pytest.mark.parametrize(
    "merge", [Union(), Tags(), Route({Label.LAST_NAME: "crf"}), Decision()], ids=lambda m: m.name
)
def test_what_each_of_two_finds_is_replaced(merge: Merge) -> None:
    two = policy(merge, Word("Zorglub"), Word("Champignac"))
    assert Deidentifier(two)(TEXT).text == "vu par [LAST_NAME] puis par [LAST_NAME]"


def test_each_says_what_it_proposed() -> None:
    finding = Deidentifier(policy(Union(), Word("Zorglub"), Word("Champignac"))).detect(TEXT)
    assert [s.source for s in finding.proposals] == ["crf/word", "crf#2/word"]
    assert [detector_of(s) for s in finding.spans] == ["crf", "crf#2"]


def test_propagators_of_one_kind_both_count() -> None:
    follow = [Follow("puis"), Follow("Champignac")]
    result = Deidentifier(policy(Union(), Word("Zorglub"), propagators=follow))(TEXT)
    assert result.text == "vu par [LAST_NAME] [LAST_NAME] par [LAST_NAME]"


def test_two_models_are_two_voices_and_two_lists_are_one() -> None:
    """The rules win a tie of one against one; two taggers outvote them, two lists do not."""
    city, name = Label.CITY, Label.LAST_NAME
    against = (Word("Zorglub", name), Word("Zorglub|x", name))
    taggers = policy(Decision(), Listed("Zorglub", city), *against)
    lists = policy(Decision(), Listed("Zorglub", city), Listed("Zorg", city, 0.8), against[0])
    one = policy(Decision(), Listed("Zorglub", city), against[0])
    labels = [Deidentifier(p).detect(TEXT).spans[0].label for p in (taggers, lists, one)]
    assert labels == [name, city, city]


def test_the_first_in_the_policy_decides_between_tags() -> None:
    two = [Word("Zorglub", Label.CITY), Word("Zorglub", Label.LAST_NAME)]
    for order in (two, two[::-1]):
        (span,) = Deidentifier(policy(Tags(), *order)).detect(TEXT).spans
        assert span.label is order[0].label


def test_one_voice_does_not_count_twice() -> None:
    with pytest.raises(PolicyError, match="crf stands twice with the same options"):
        policy(Union(), Word("Zorglub"), Word("Zorglub"))
    with pytest.raises(PolicyError, match="crf stands twice with the same model"):
        policy(Union(), Word("Zorglub"), Word("Zorglub", score=0.8))
    policy(Union(), Word("Zorglub"), Listed("Zorglub"))  # another kind, another voice


def test_a_cohort_is_bound_to_both_models() -> None:
    two = models(policy(Union(), Word("Zorglub"), Word("Champignac")))
    (one,) = models(policy(Union(), Word("Zorglub"))).items()
    assert list(two) == ["crf", "crf#2"]
    assert two["crf"] == one[1] != two["crf#2"]


def test_check_tells_them_apart() -> None:
    two = policy(Union(), Word("Zorglub"), Listed("x"), Word("Champignac", score=0.5))
    assert found_by(two) == "crf, site, crf#2 (word=Champignac, score=0.5)"


def test_two_folders_of_site_lists(tmp_path: Path) -> None:
    names = {"nord": "ZORGLUB", "sud": "CHAMPIGNAC"}
    for folder, name in names.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "staff.txt").write_text(f"{name}\tPacôme\n", encoding="utf-8")
    sites = ", ".join(f"{{site: {{folder: {json.dumps(str(tmp_path / f))}}}}}" for f in names)
    text = (
        f"name: t\nunit: note\ndetectors: [{sites}]\nmerge: decision\nstrategies: []\n"
        "default: {redact: {form: label}}\n"
    )
    assert Deidentifier(parse_policy(text))(TEXT).text.count("[LAST_NAME]") == 2
