"""The flair detector: contract, seams, agreement with flair's own decoding, models it refuses."""

from __future__ import annotations

import logging
import os
import pickle
import shutil
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

np = pytest.importorskip("numpy", reason="the taggers need numpy")

from dpdeid.detect.merge.published import LEARNED  # noqa: E402
from dpdeid.detect.taggers.card import ModelCard, check_shareable, digests, read_card, write_card  # noqa: E402
from dpdeid.detect.taggers.flair import Flair, Tagger, load, read_plan  # noqa: E402
from dpdeid.detect.taggers.sequences import PLAN, UNKNOWN, WEIGHTS, FlairPlan, bio_tags  # noqa: E402
from dpdeid.document import Document  # noqa: E402
from dpdeid.errors import ModelError, PolicyError  # noqa: E402
from dpdeid.labels import Label  # noqa: E402
from dpdeid.policy.policy import parse_policy  # noqa: E402
from dpdeid.protocols import Learned  # noqa: E402
from dpdeid.testing.strategies import texts  # noqa: E402
from tests.training import tiny  # noqa: E402

SMALL = FlairPlan(
    tags=bio_tags((Label.LAST_NAME,)), vocabulary=(*UNKNOWN, "vue", "le"), words=11, overlap=4
)
CARD = ModelCard(
    name="small",
    kind="flair",
    labels=SMALL.labels,
    data=(),
    trained_on_identified=False,
    date="2026-02-03",
)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder that is right but for its weights: for what is told before flair is needed."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / PLAN).write_text(SMALL.to_json(), encoding="utf-8")
    (folder / WEIGHTS).write_bytes(b"weights")
    write_card(folder, CARD)
    return sign(folder)


def sign(folder: Path, **change: object) -> Path:
    """Writes the card anew, for files that were changed on purpose."""
    files = digests(folder, [PLAN, WEIGHTS])
    write_card(folder, replace(read_card(folder), files=files, **change))  # type: ignore[arg-type]
    return folder


# without flair


def network(ids: Any) -> Any:
    """Sees a name where two unknown words in title case follow one another."""
    scores = np.zeros((len(ids), 3), np.float32)
    scores[:, 0] = 1
    title = ids == UNKNOWN.index("<Title>")
    scores[title, 1:] = 5, 4
    scores[1:][title[1:] & title[:-1], 2] = 9
    return scores


def test_no_span_is_lost_at_a_seam() -> None:
    tagger = Tagger(SMALL, network, None)
    for before in range(40):
        text = "vue le " * before + "Kerdoncuff Ollivaux" + " vue le" * 30
        (span,) = tagger.tag(Document("n", text))
        assert text[span.start : span.end] == "Kerdoncuff Ollivaux"
        assert span.source == Flair.name in LEARNED
        assert 0.9 < span.score <= 1


def test_every_token_is_judged_once_and_windows_are_bounded() -> None:
    sizes = []

    def counting(ids: Any) -> Any:
        sizes.append(len(ids))
        return network(ids)

    doc = Document("n", "vue le Kerdoncuff\n" * 50)
    assert len(Tagger(SMALL, counting, None).scores(doc)) == len(doc.tokens)
    assert max(sizes) <= SMALL.words


def test_learned_steps_count() -> None:
    doc = Document("n", "vue Kerdoncuff Ollivaux")
    apart = np.zeros((3, 3), np.float32)
    apart[1, 1] = 20  # one name, then another
    learned = np.array([50, 0, 0], np.float32), apart
    assert len(Tagger(SMALL, network, learned).tag(doc)) == 2


def test_a_policy_must_name_the_model() -> None:
    text = (
        "name: x\nunit: note\ndetectors:\n  - flair{0}\n"
        "merge: union\nstrategies: []\ndefault: redact\n"
    )
    assert parse_policy(text.format(": {model: here}")).detectors == (Flair("here"),)
    with pytest.raises(PolicyError, match="line 4: flair needs model"):
        parse_policy(text.format(""))


def test_a_pickle_is_refused_and_not_read(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, Any]:
            return os.mkdir, (str(tmp_path / "run"),)

    path = tmp_path / "best-model.pt"
    path.write_bytes(pickle.dumps(Trap()))
    write_card(path, replace(CARD, files=digests(tmp_path, [path.name])))
    for attempt in (
        lambda: list(Flair(str(path))(Document("n", "x"))),
        Flair(str(path)).model_files,
    ):
        with pytest.raises(ModelError, match=r"best-model\.pt is a file: .*pickles"):
            attempt()
    assert not (tmp_path / "run").exists()


def test_a_missing_folder_a_missing_card_and_a_missing_plan(small: Path) -> None:
    with pytest.raises(ModelError, match=r"no model at .*absent"):
        load(small / "absent")
    (small / PLAN).unlink()
    with pytest.raises(ModelError, match=r"plan\.json is missing"):
        load(small)
    (small / "card.json").unlink()
    with pytest.raises(ModelError, match="has no card"):
        load(small)


def test_a_card_of_another_kind_or_of_other_labels_is_refused(small: Path) -> None:
    with pytest.raises(ModelError, match="of the kind transformer, not flair"):
        load(sign(small, kind="transformer"))
    with pytest.raises(ModelError, match=r"plan\.json has other labels than its card"):
        load(sign(small, kind="flair", labels=(Label.CITY,)))


@pytest.mark.parametrize("name", [PLAN, WEIGHTS])
def test_a_file_that_is_not_of_the_card_is_refused(small: Path, name: str) -> None:
    (small / name).write_bytes((small / name).read_bytes() + b" ")
    with pytest.raises(ModelError, match=f"{name} is damaged or not the one of its card"):
        load(small)


def test_without_flair_it_says_what_to_install(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "flair", None)
    monkeypatch.setitem(sys.modules, "flair.data", None)
    monkeypatch.delitem(sys.modules, "dpdeid.detect.taggers.flair_network", raising=False)
    with pytest.raises(ModelError, match=r"\.\[flair\]"):
        load(small)


def test_the_files_of_the_model_are_known_without_flair(small: Path) -> None:
    detector = Flair(str(small))
    assert isinstance(detector, Learned)
    assert detector.model_files() == digests(small, [PLAN, WEIGHTS])


def test_a_model_of_identified_notes_does_not_leave(small: Path) -> None:
    with pytest.raises(ModelError, match="--identified"):
        check_shareable(read_card(sign(small, trained_on_identified=True)), identified=False)


# with flair


@pytest.fixture
def copied(flair_model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(flair_model, tmp_path / "copy"))


@pytest.mark.model
class TestWithFlair:
    def test_it_learned_its_notes(self, flair_model: Path) -> None:
        detector = Flair(str(flair_model))
        for doc, gold in tiny.corpus():
            found = list(detector(doc))
            assert {(s.start, s.end, s.label) for s in found} == {
                (s.start, s.end, s.label) for s in gold
            }
            assert all(span.source == "flair" for span in found)
            assert all(0 < span.score <= 1 for span in found)

    def test_it_survives_any_text(self, flair_model: Path) -> None:
        detector = Flair(str(flair_model))

        @given(texts())
        def survives(text: str) -> None:
            spans = list(detector(Document("n", text)))
            assert all(0 <= span.start < span.end <= len(text) for span in spans)
            assert all(a.end <= b.start for a, b in pairwise(spans))

        survives()

    def test_it_travels_to_other_processes_without_its_model(self, flair_model: Path) -> None:
        detector = Flair(str(flair_model))
        list(detector(Document("n", "vue")))
        assert len(pickle.dumps(detector)) < 500
        assert pickle.loads(pickle.dumps(detector)) == detector

    def test_it_needs_no_network_and_prints_nothing(
        self, flair_model: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        def closed(*args: object) -> None:
            raise AssertionError("a connection was tried")

        monkeypatch.setattr(socket.socket, "connect", closed)
        monkeypatch.setattr(socket, "getaddrinfo", closed)
        load(flair_model).tag(tiny.corpus()[0][0])
        assert capfd.readouterr() == ("", "")

    def test_it_keeps_to_one_thread_and_leaves_the_others_alone(self, flair_model: Path) -> None:
        torch = pytest.importorskip("torch", reason="needs the extra flair")
        from dpdeid.detect.taggers.flair import tagger_of
        from dpdeid.detect.taggers.flair_network import read_network

        plan, before, seen = read_plan(flair_model), torch.get_num_threads(), []
        network = read_network(flair_model, plan)
        network.linear.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
        torch.set_num_threads(3)
        try:
            tagger_of(plan, network).tag(tiny.corpus()[0][0])
            assert torch.get_num_threads() == 3
        finally:
            torch.set_num_threads(before)
        assert set(seen) == {1}

    @pytest.mark.parametrize(("layers", "crf"), [(1, False), (2, False), (1, True)])
    def test_flair_itself_decodes_the_same(self, tmp_path: Path, layers: int, crf: bool) -> None:
        """What flair predicts for a window is what we read out of its network, and what was written
        is what was trained."""
        pytest.importorskip("flair", reason="needs the extra flair")
        from flair.data import Sentence

        from dpdeid.detect.taggers.flair import Numbering
        from dpdeid.detect.taggers.flair_network import read_network
        from dpdeid.spans import repair

        folder = tiny.flair_tagger(tmp_path / "m", layers=layers, crf=crf)
        plan = read_plan(folder)
        own, tagger = read_network(folder, plan), load(folder)
        for doc, gold in tiny.corpus():
            ids = Numbering(plan.vocabulary).ids(doc.tokens.texts)
            sentence = Sentence([plan.vocabulary[number] for number in ids])
            own.predict(sentence, force_token_predictions=True)
            tags = repair([token.get_label("entity").value for token in sentence])
            assert tags == own_tags(tagger, doc)
            assert {s.label for s in tagger.tag(doc)} == {s.label for s in gold}

    def test_damaged_weights_are_named(self, copied: Path) -> None:
        data = (copied / WEIGHTS).read_bytes()
        for damage in (b"", b"{", data[: len(data) // 2], pickle.dumps({"a": 1})):
            (copied / WEIGHTS).write_bytes(damage)
            with pytest.raises(ModelError, match=r"model\.safetensors is missing or damaged"):
                load(sign(copied))

    def test_weights_of_another_plan_are_refused(self, copied: Path) -> None:
        plan = read_plan(copied)
        for other in (replace(plan, layers=2), replace(plan, hidden=9), replace(plan, crf=True)):
            (copied / PLAN).write_text(other.to_json(), encoding="utf-8")
            with pytest.raises(ModelError, match=r"does not fit plan\.json"):
                load(sign(copied))

    def test_a_model_of_identified_notes_is_logged(
        self, copied: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.WARNING):
            load(copied)
            assert not caplog.records
            load(sign(copied, trained_on_identified=True))
        assert "trained on identified notes" in caplog.text


def own_tags(tagger: Tagger, doc: Document) -> Sequence[str]:
    from dpdeid.spans import encode

    return encode(tagger.tag(doc), doc.tokens)
