"""The review over HTTP: what is asked, what is written, who saw what."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError, UsageError
from dpdeid.evaluate.report import page
from dpdeid.fasdim.reading.answers import Answers
from dpdeid.fasdim.reading.places import Design
from dpdeid.fasdim.reading.places import left as left_by_the_engine
from dpdeid.fasdim.reading.queue import Queue
from dpdeid.formats.annotations import read_annotations
from dpdeid.serve.app import create_app
from dpdeid.serve.pages.review import AROUND, pieces
from dpdeid.serve.settings import Limits, Reviewing, Settings
from tests.serve.reviewing import (
    TEXTS,
    answers,
    entered,
    left,
    reviewed,
    seen,
    until_ready,
    written,
)
from tests.serve.serving import TOKEN, Served, served

WORDS = 10
"""What is asked of `TEXTS`: see `reviewed`."""


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Served]:
    with reviewed(monkeypatch, tmp_path) as own:
        yield own


def asked(page: str) -> str | None:
    """The word in hand."""
    found = re.search(r'<mark class="asked">(.*?)</mark>', page)
    return found and found[1]


def number(page: str) -> int:
    found = re.search(r'data-item="(\d+)"', page)
    assert found
    return int(found[1])


def test_an_answer_is_on_the_disk_before_the_next_word(service: Served, tmp_path: Path) -> None:
    with entered(service, "Ana Le Bihan") as ana:
        page = ana.get("/review").text
        assert asked(page) == "kermarrec"
        then = ana.post("/review/answer", json={"item": number(page), "key": "n"})
        (row,) = answers(tmp_path)
        assert (row["word"], row["answer"], row["note"]) == ("kermarrec", "name", "note-2")
        assert row["who"].startswith("Ana Le Bihan / ")
        assert stat.S_IMODE((tmp_path / "answers.jsonl").stat().st_mode) == 0o600
        assert asked(then.text) not in (None, "kermarrec")
        back = ana.post("/review/undo", json={})
        assert asked(back.text) == "kermarrec"
        assert [row["answer"] for row in answers(tmp_path)] == ["name", None]


def test_two_readers_have_two_words_and_one_file(service: Served, tmp_path: Path) -> None:
    with entered(service, "Ana") as ana, entered(service, "Bo") as bo:
        first, second = ana.get("/review").text, bo.get("/review").text
        assert asked(first) != asked(second)
        taken = bo.post("/review/answer", json={"item": number(first), "key": "h"})
        assert (taken.status_code, asked(taken.text)) == (409, asked(second))
        assert "Non enregistré" in taken.text
        for reader, page in ((bo, second), (ana, first)):
            reader.post("/review/answer", json={"item": number(page), "key": "h"})
        assert [row["who"][:3] for row in answers(tmp_path)] == ["Bo ", "Ana"]
        ana.post("/review/undo", json={})
        assert answers(tmp_path)[-1]["word"] == asked(first)


def test_who_sees_a_note_is_in_the_log_before(service: Served, tmp_path: Path) -> None:
    with entered(service, "Ana") as ana:
        ana.get("/review")
        ana.get("/review/item", params={"whole": True})
        ana.get("/review/notes.jsonl")
        first, whole, export = seen(tmp_path)
        assert (first["what"], first["reader"], first["note"]) == ("shown", "Ana", 2)
        assert (whole["what"], export["what"]) == ("shown whole", "export")
        assert export["reader"] == "Ana"
        assert not any(word in json.dumps(seen(tmp_path)) for word in ("kermarrec", "note-2"))
        log = tmp_path / "answers.jsonl.log"
        log.unlink()
        log.mkdir()
        for path in ("/review", "/review/item", "/review/notes.jsonl"):
            refused = ana.get(path)
            assert refused.status_code == 500
            assert "kermarrec" not in refused.text


def test_what_was_found_can_be_wrong(service: Served, tmp_path: Path) -> None:
    with entered(service, "Ana") as ana:
        page = ana.get("/review").text
        start = TEXTS[1].index("Nolwenn")
        span = {"item": number(page), "start": start, "end": start + 7, "whole": False}
        then = ana.post("/review/wrong", json=span).text
        assert asked(then) == asked(page)
        assert 'aria-pressed="true"' in then
        assert answers(tmp_path)[-1]["answer"] == "wrong"
        assert "Passages repérés à tort</th><td>1<" in ana.get("/review/figures").text
        assert ana.post("/review/wrong", json={**span, "end": start + 6}).status_code == 409
        assert 'aria-pressed="false"' in ana.post("/review/wrong", json=span).text


def test_stopped_and_started_it_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    met = []
    for _ in range(WORDS // 2):
        with reviewed(monkeypatch, tmp_path) as own, entered(own, "Ana") as ana:
            page = ana.get("/review").text
            for _ in range(2):
                met.append(asked(page))
                page = ana.post("/review/answer", json={"item": number(page), "key": "h"}).text
    assert None not in met
    with (
        reviewed(monkeypatch, tmp_path, share=None, sample=None) as own,
        entered(own, "Ana") as ana,
    ):
        assert {(row["share"], row["sample"]) for row in answers(tmp_path)} == {(0.5, 5)}
        ana.post("/review/undo", json={})
        assert asked(ana.get("/review").text) == met[-1]


def test_the_figures_are_those_of_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("dpdeid.cli.fasdim.reading.left", lambda doc, _: left(doc))
    with reviewed(monkeypatch, tmp_path) as own, entered(own, "Ana") as ana:
        page = ana.get("/review?lang=en").text
        while asked(page):
            key = "n" if asked(page) == "kermarrec" else "h"
            page = ana.post("/review/answer", json={"item": number(page), "key": key}).text
        told = ana.get("/review/figures").text
        exported = ana.get("/review/notes.jsonl").text
    path, gold = str(tmp_path / "answers.jsonl"), tmp_path / "gold.jsonl"
    given = ["review", str(tmp_path / "notes.jsonl"), "-a", path]
    printed = CliRunner().invoke(app, [*given, "--report"]).stdout
    (shares,) = re.findall(r"recall by words, % *│ (\S+) \[(\S+)–(\S+)\]", printed)
    assert "Recall by words: {} % [{} % – {} %]".format(*shares) in told
    assert CliRunner().invoke(app, [*given, "--export", str(gold)]).exit_code == 0
    assert exported == gold.read_text(encoding="utf-8")
    (_, second, _) = read_annotations(gold).notes
    assert [second.text[s.start : s.end] for s in second.spans] == ["kermarrec", "Nolwenn"]


def test_answers_go_into_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    CliRunner().invoke(app, ["fasdim", "init", str(folder), "--empty"])
    with reviewed(monkeypatch, tmp_path, lists=folder) as own, entered(own, "Ana") as ana:
        page = ana.get("/review").text
        assert 'id="lists"' in page
        assert "Interdits : 0" in ana.post("/review/lists").text
        ana.post("/review/answer", json={"item": number(page), "key": "n"})
        assert "Interdits : 1" in ana.post("/review/lists").text
    assert "kermarrec\tforbidden" in (folder / "words.tsv").read_text(encoding="utf-8")
    with reviewed(monkeypatch, tmp_path) as own, entered(own, "Ana") as ana:
        assert 'id="lists"' not in ana.get("/review").text
        assert ana.post("/review/lists").status_code == 404


@pytest.mark.parametrize(
    "body",
    [{}, {"item": "0", "key": "n"}, {"item": 0, "key": "q"}, {"item": 0, "key": "wrong"},
     {"item": 0, "key": "n", "who": "Bo"}],
)  # fmt: skip
def test_what_is_no_answer_writes_nothing(service: Served, tmp_path: Path, body: object) -> None:
    with entered(service, "Ana") as ana:
        ana.get("/review")
        assert ana.post("/review/answer", json=body).status_code == 422
        for item in (-1, 99):
            refused = ana.post("/review/answer", json={"item": item, "key": "n"})
            assert refused.status_code == 409
        assert not (tmp_path / "answers.jsonl").exists()


def test_a_note_is_text_and_nothing_else(service: Served) -> None:
    with entered(service, "Ana") as ana:
        page = ana.get("/review/item", params={"whole": True}).text
        assert "&lt;b&gt;demain&lt;/b&gt; &amp; suivi" in page


def test_a_half_of_a_pair_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(tmp_path / "notes.jsonl", ["vu \ud83d kerdoncuff"])
    with reviewed(monkeypatch, tmp_path) as own, entered(own, "Ana") as ana:
        assert asked(ana.get("/review").text) == "kerdoncuff"


def test_no_review_no_page() -> None:
    with served(Settings(TOKEN)) as own, own.client() as client:
        assert client.get("/review").status_code == 404


def test_what_cannot_be_reviewed_is_said_at_the_start(tmp_path: Path) -> None:
    notes, path = written(tmp_path / "notes.jsonl"), tmp_path / "answers.jsonl"
    other = {"note": "note-1", "start": 0, "end": 6, "word": "Gaëlle", "answer": "name"}

    def start(source: Path = notes, **told: str) -> None:
        create_app(Settings(TOKEN, reviewing=Reviewing(str(source), path, **told)))

    with pytest.raises(UsageError, match="no such file"):
        start(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="polic"):
        start(policy="none")
    with pytest.raises(UsageError, match="is an input"):
        start(tmp_path)
    path.write_text(json.dumps({**other, "minutes": 1}) + "\n")
    with pytest.raises(UsageError, match="line 1: the note has another text") as error:
        start()
    assert "Gaëlle" not in str(error.value)
    path.write_text("{}\n")
    with pytest.raises(UsageError, match="line 1: no answer of a review"):
        start()


def test_while_notes_are_prepared_the_page_says_how_far(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("dpdeid.serve.reviews.Reviews.prepare", _nothing)
    own = Reviewing(str(written(tmp_path / "notes.jsonl")), tmp_path / "answers.jsonl")
    with served(Settings(TOKEN, reviewing=own)) as service, service.client() as client:
        assert "<progress" in client.get("/review").text
        assert client.get("/review/state").json() == {"done": 0, "ready": False}
        for path in ("/review/item", "/review/figures", "/review/notes.jsonl"):
            assert client.get(path).status_code == 503


async def _nothing(*_: object) -> None:
    return None


def test_what_workers_prepare_is_what_the_command_reads(tmp_path: Path) -> None:
    texts = ["av zorguelec : ok pr sortie demain", "Mme Kervadec, née le 12/03/1958, va bien."]
    own = Reviewing(str(written(tmp_path / "notes.jsonl", texts)), tmp_path / "a", share=0.5)
    settings = Settings(TOKEN, limits=Limits(per_minute=0), reviewing=own)
    with served(settings) as service, service.client() as client:
        until_ready(service)
        page = client.get("/review").text
    engine = Deidentifier("dp")
    docs = [Document(f"note-{at}", text) for at, text in enumerate(texts, 1)]
    notes = [left_by_the_engine(doc, engine.detect) for doc in docs]
    queue = Queue(notes, Answers(tmp_path / "none"), Design(0.5))
    assert asked(page) == queue.places[0].word
    assert f"sur {len(queue.places)}, note" in page


def test_a_long_note_is_shown_around_the_word_and_whole_on_demand() -> None:
    text = "Yann dort bien. " * 6_000 + "kerjean " + "Yann dort. " * 800
    note = left(Document("a", text))
    place = next(place for place in note.places if place.word == "kerjean")
    near = pieces(note, place, set(), page.words("fr"), whole=False)
    assert all(one.end == other.start for one, other in pairwise(near))
    assert 2 * AROUND <= near[-1].end - near[0].start < 3 * AROUND
    assert "".join(piece.text for piece in near) == text[near[0].start : near[-1].end]
    whole = pieces(note, place, set(), page.words("fr"), whole=True)
    assert "".join(piece.text for piece in whole) == text
    assert sum(piece.is_asked for piece in whole) == 1
    assert sum(piece.label != "" for piece in whole) == 6_800


@pytest.mark.parametrize(
    ("error", "shows"),
    [
        (InputError("too long"), "pas pu être lues : 3"),
        (UsageError("no such list"), "no such list"),
    ],
)
def test_what_cannot_be_prepared_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception, shows: str
) -> None:
    async def ask(*_: object) -> None:
        raise error

    with reviewed(monkeypatch, tmp_path, ask=ask) as own, entered(own, "Ana") as ana:
        assert shows in ana.get("/review").text
