"""The playground as a program sees it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import httpx
import pytest

from dpdeid.evaluate.report.page import every_text
from dpdeid.policy.policy import DETECTORS, PROPAGATORS, STRATEGIES, load_policy, names
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.timeline.proved import SHOWN
from dpdeid.testing import notes
from tests.serve.serving import Served

IDS = [doc.id for doc, _ in notes()]
LANGS = ("fr", "en")
Try = Callable[..., Any]


@pytest.fixture(scope="module")
def client(service: Served) -> Iterator[httpx.Client]:
    """A reader of its own: the language of a page is kept."""
    with service.client() as own:
        yield own


@pytest.fixture
def attempt(client: httpx.Client) -> Try:
    """Asks for a try; what is not told is the default of the page."""

    def ask(lang: str = "fr", **asked: object) -> Any:
        body = {"note": IDS[0], "policy": "dp", **asked}
        told = {"content": json.dumps(body), "headers": {"Content-Type": "application/json"}}
        return client.post("/try", params={"lang": lang}, **told)

    return ask


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", html))


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_offers_all_notes_policies_and_steps(client: httpx.Client, lang: str) -> None:
    html = client.get("/", params={"lang": lang}).text
    assert f'<html lang="{lang}">' in html
    for value in (*IDS, "pasted", *names()):
        assert f'<option value="{value}"' in html
    assert 'max="6"' in html
    assert "× 1/8" in html
    assert "<style" not in html
    assert not re.search(r'<[^>]+ style="|<script(?![^>]* src="/static/)', html)


@pytest.mark.parametrize("policy", names())
@pytest.mark.parametrize("lang", LANGS)
def test_every_note_is_shown_under_every_policy(attempt: Try, policy: str, lang: str) -> None:
    for doc, _ in notes():
        answer = attempt(lang, note=doc.id, policy=policy)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["cache-control"] == "no-store"
        spans = re.findall(r'data-at="(\d+)"', answer.text)
        assert len(spans) == 2 * len(set(spans)) > 0
        assert all(f'<template id="why-{at}">' in answer.text for at in spans)
        assert not re.search(r"<[^>]+ style=", answer.text)
        released = re.search(r'<textarea id="released".*?>\n(.*?)</textarea>', answer.text, re.S)
        assert released is not None
        assert doc.known.get("LAST_NAME", ("Zzz",))[0].lower() not in released[1].lower()


@pytest.mark.parametrize("step", range(7))
@pytest.mark.parametrize("policy", ["dp", "dp-strict", "hnfc", "hnfc-strict"])
def test_each_step_of_the_slider_answers(attempt: Try, policy: str, step: int) -> None:
    answer = attempt("en", policy=policy, step=step)
    factor = ("1/8", "1/4", "1/2", "1", "2", "4", "8")[step]
    assert answer.status_code == 200
    assert f"ε × {factor}." in answer.text
    assert 'class="land"' in answer.text
    assert answer.text.count("<svg") >= 3


def test_a_policy_without_noise_has_no_price(attempt: Try) -> None:
    told = attempt("en", policy="aphp").text
    assert "What ε says" not in told
    assert "made-up patients" in words(told)


def test_a_larger_epsilon_is_printed_in_its_unit(attempt: Try) -> None:
    told = words(attempt("fr", step=4).text)
    assert re.search(r"première date d'une note\s+0,1\s+par jour", told)
    assert re.search(r"deux villes\s+0,1\s+par km", told)


def test_a_pasted_note_is_shown_and_forgotten(
    attempt: Try, client: httpx.Client, service: Served
) -> None:
    # Words that no list has: in another note any name or town may be drawn.
    text = "Mme Zéphyrtude QUILLÉVÉRÉ-OSTROWSKA, vue le 3 août 2019 à Zwirbelheim. HTA."
    told = attempt(note="pasted", text=text)
    assert told.status_code == 200
    assert "QUILLÉVÉRÉ-OSTROWSKA" in told.text
    released = re.search(r'<textarea id="released".*?>\n(.*?)</textarea>', told.text, re.S)
    assert released is not None
    assert "QUILL" not in released[1].upper()
    assert "I10" in told.text
    later = [attempt().text, client.get("/").text, client.get("/metrics").text, *service.log]
    assert not any(re.search("quillévéré|zéphyrtude|zwirbel", one, re.I) for one in later)


def test_a_pasted_note_is_escaped(attempt: Try) -> None:
    text = "<img src=x onerror=alert(1)> Mme Durand & Dr <b>Petit</b>, le 12/03/2021 \ud800"
    told = attempt(note="pasted", text=text)
    assert told.status_code == 200
    assert "<img" not in told.text
    assert "<b>" not in told.text
    assert "&lt;img" in told.text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "asked",
    [
        {"policy": "none"},
        {"policy": "../policies/dp.yaml"},
        {"note": "exemple-0"},
        {"step": -1},
        {"step": 7},
        {"note": "pasted", "text": ""},
        {"note": "pasted", "text": " \n\t"},
        {"note": "pasted", "text": "secret " * 4_000},
        {"note": "pasted", "text": "secret", "step": 4},
    ],
    ids=str,
)
def test_what_cannot_be_tried_is_told(attempt: Try, asked: dict[str, Any], lang: str) -> None:
    answer = attempt(lang, **asked)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "secret" not in answer.text
    assert answer.text != attempt("en" if lang == "fr" else "fr", **asked).text


@pytest.mark.parametrize(
    "body", [{}, {"note": 3, "policy": "dp"}, {"note": "exemple-1", "policy": "dp", "key": "x"}]
)
def test_another_body_is_refused(client: httpx.Client, body: dict[str, Any]) -> None:
    assert client.post("/try", json=body).status_code == 422


def test_nobody_tries_without_a_token(service: Served) -> None:
    body = {"note": IDS[0], "policy": "dp"}
    assert httpx.post(f"{service.url}/try", json=body).status_code == 401


def test_what_the_engine_says_has_words_in_both_languages() -> None:
    policies = [load_policy(name) for name in names()]
    guarantees = [g for p in policies for s in p.strategies for g in s.guarantees()]
    reasons = {g.loss.reason for g in guarantees if isinstance(g.loss, NoGuarantee)}
    needed = {
        *(f"policy {name}" for name in names()),
        *(f"note {name}" for name in IDS),
        *(f"strategy {name}" for name in STRATEGIES),
        *(f"detector {d.name}" for p in policies for d in p.detectors),
        *(f"detector {name}" for name in PROPAGATORS),
        *(f"reason {reason}" for reason in reasons),
        *(f"price {what}" for *_, what in SHOWN),
    }
    assert {name for p in policies for name in (d.name for d in p.detectors)} <= set(DETECTORS)
    text = every_text("dpdeid.serve.pages")
    assert needed <= set(text)
    assert all(set(one) == set(LANGS) and all(one.values()) for one in text.values())
    places = [
        {lang: set(re.findall(r"{\w+}", one[lang])) for lang in LANGS} for one in text.values()
    ]
    assert all(one["fr"] == one["en"] for one in places)
