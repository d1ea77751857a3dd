"""The review as a reader has it in a browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.fasdim.reading.answers import ANSWERS
from tests.serve.reviewing import answers, reviewed, written
from tests.serve.serving import TOKEN, Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Served]:
    with reviewed(monkeypatch, tmp_path) as own:
        yield own


@contextmanager
def reading(browser: Browser, service: Served, name: str = "Ana", **how: Any) -> Iterator[Page]:
    """The page of a reader who came in by the keyboard; no script may fail."""
    context = browser.new_context(**{"locale": "fr-FR", **how})
    page, failed = context.new_page(), list[object]()
    page.on("pageerror", lambda error: failed.append(error))
    page.goto(f"{service.url}/login#{TOKEN}")
    page.wait_for_selector("#name:focus")  # where the page begins, once it is drawn
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{service.url}/")
    page.goto(f"{service.url}/review")
    page.wait_for_selector("#figures table")
    yield page
    context.close()
    assert not failed


def word(page: Page) -> str | None:
    """What is asked."""
    found = page.locator("mark.asked")
    return found.inner_text() if found.count() else None


def after(page: Page, key: str) -> str | None:
    """What is asked once a key has been pressed and answered."""
    with page.expect_response(lambda answer: "/review/figures" not in answer.url):
        page.keyboard.press("Space" if key == " " else key)
    page.wait_for_selector("#item:not([aria-busy])")
    return word(page)


def test_every_answer_has_a_button(chromium: Browser, service: Served, tmp_path: Path) -> None:
    with reading(chromium, service) as page:
        for key, answer in ANSWERS.items():
            asked = word(page)
            with page.expect_response("**/review/answer"):
                page.click(f'[data-key="{key}"]')
            page.wait_for_selector("#item:not([aria-busy])")
            assert [answers(tmp_path)[-1][name] for name in ("word", "answer")] == [asked, answer]
        with page.expect_response("**/review/undo"):
            page.click('[data-key="u"]')
        page.wait_for_selector("#item:not([aria-busy])")
        assert word(page) == answers(tmp_path)[-1]["word"]
        assert answers(tmp_path)[-1]["answer"] is None
        assert "annulée" in page.inner_text("#told")


def test_more_of_the_note_and_back(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A note of 100,000 characters: around the word at first, then whole, the word in view."""
    text = "Yann dort bien. " * 5_000 + "kermarrec ce jour. " + "Nolwenn va mieux. " * 1_112
    written(tmp_path / "notes.jsonl", [text])
    with reviewed(monkeypatch, tmp_path, share=0.001) as own, reading(chromium, own) as page:
        assert len(page.inner_text(".note")) < 2_500
        page.click('[data-key="c"]')
        page.wait_for_selector('[data-whole="true"]')
        assert len(page.inner_text(".note")) > 100_000
        box, asked = (page.locator(it).bounding_box() for it in (".note", "mark.asked"))
        assert box is not None
        assert asked is not None
        assert box["y"] < asked["y"] < box["y"] + box["height"]
        assert page.locator(".tag[tabindex='0']").count() == 1
        page.keyboard.press("c")
        page.wait_for_selector('[data-whole="false"]')
        assert after(page, "n") is not None
        assert answers(tmp_path)[-1]["word"] == "kermarrec"


def test_a_found_span_is_called_wrong_by_click_and_by_key(
    chromium: Browser, service: Served, tmp_path: Path
) -> None:
    with reading(chromium, service) as page:
        asked = word(page)
        page.keyboard.press("w")
        assert page.evaluate("document.activeElement.className") == "tag"
        assert after(page, "w") == asked
        assert (answers(tmp_path)[-1]["word"], answers(tmp_path)[-1]["answer"]) == (
            "Nolwenn",
            "wrong",
        )
        assert page.locator(".tag[aria-pressed='true']").count() == 1
        after(page, "Enter")
        assert answers(tmp_path)[-1]["answer"] is None
        with page.expect_response("**/review/wrong"):
            page.click(".tag >> nth=0")
        assert answers(tmp_path)[-1]["answer"] == "wrong"


def test_twenty_notes_by_keyboard_alone(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = ["kerbrat", "kermarrec", "kervella", "abgrall"]
    texts = [f"Note {at}. vu ce jour par {names[at % 4]}, tout va bien" for at in range(20)]
    written(tmp_path / "notes.jsonl", texts)
    with reviewed(monkeypatch, tmp_path, sample=20) as own, reading(chromium, own) as page:
        met = 0
        while (asked := word(page)) is not None:
            after(page, "n" if asked in names else "h")
            met += 1
        rows = answers(tmp_path)
        assert len(rows) == met > 80
        assert {row["word"] for row in rows if row["answer"] == "name"} == set(names)
        assert "Tous les mots" in page.inner_text("#asked")
        page.wait_for_selector("#recall:has-text('intervalle à 95 %')")
        assert page.locator("svg .line").get_attribute("points")
        assert after(page, "u") == rows[-1]["word"]


def test_a_key_is_no_answer_where_it_means_something_else(
    chromium: Browser, service: Served, tmp_path: Path
) -> None:
    with reading(chromium, service) as page:
        asked = word(page)
        for key in ("Control+h", "Alt+n", "Meta+d", "x", "q"):
            page.keyboard.press(key)
        page.focus("#single")
        page.keyboard.press("n")
        page.keyboard.press("Space")  # turns single keys off
        page.focus("#asked")
        page.keyboard.press("n")
        page.reload()
        page.wait_for_selector("#figures table")
        assert not page.is_checked("#single")
        page.keyboard.press("n")
        assert (word(page), (tmp_path / "answers.jsonl").exists()) == (asked, False)
        page.focus('[data-key="h"]')
        after(page, "Enter")
        assert [row["answer"] for row in answers(tmp_path)] == ["harmless"]
        page.check("#single")
        page.focus("#asked")
        page.evaluate(
            "for (const repeat of [true, false, false]) document.getElementById('asked')"
            ".dispatchEvent(new KeyboardEvent('keydown', {key: 'n', repeat, bubbles: true}))"
        )
        page.wait_for_selector("#item:not([aria-busy])")
        page.wait_for_timeout(300)
        assert len(answers(tmp_path)) == 2  # held down, and faster than the disk


def in_hand(page: Page) -> str:
    """The number of the word in hand, "" if there is none."""
    return page.locator("[data-item]").get_attribute("data-item") or ""


def test_two_readers_side_by_side(chromium: Browser, service: Served, tmp_path: Path) -> None:
    with reading(chromium, service) as ana, reading(chromium, service, "Bo", locale="en-GB") as bo:
        said = list[tuple[str, str]]()
        while in_hand(ana) or in_hand(bo):
            for name, page in (("Ana", ana), ("Bo", bo)):
                assert in_hand(ana) != in_hand(bo) or not in_hand(ana)
                if number := in_hand(page):
                    assert number not in dict(said)
                    said.append((number, name))
                    after(page, "h")
                elif page.locator(".again").count():
                    page.click(".again")
                    page.wait_for_selector("#item:not([aria-busy])")
        rows = answers(tmp_path)
        assert [row["who"].split(" / ")[0] for row in rows] == [name for _, name in said]
        assert dict(said).keys() == {str(at) for at in range(len(rows))}
        after(bo, "u")
        assert in_hand(bo) == [number for number, name in said if name == "Bo"][-1]
        assert "taken back" in bo.inner_text("#told")


def test_a_thousand_notes_wait(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = [f"Note {at}. " + "vu ce jour, tout va bien ; " * 40 for at in range(1_000)]
    written(tmp_path / "notes.jsonl", texts)
    with (
        reviewed(monkeypatch, tmp_path, share=0.02, sample=300) as own,
        reading(chromium, own) as page,
    ):
        assert len(page.content()) < 20_000
        start = time.monotonic()
        for _ in range(5):
            after(page, "h")
        assert time.monotonic() - start < 10  # 0.2 s on a machine at rest
        assert "sans réponse" in page.inner_text("#item")


def test_answers_are_put_to_use(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lists = tmp_path / "lists"
    CliRunner().invoke(app, ["fasdim", "init", str(lists), "--empty"])
    with reviewed(monkeypatch, tmp_path, lists=lists) as own, reading(chromium, own) as page:
        while word(page) is not None:
            after(page, "h")
        page.wait_for_selector("text=Notes complètes : 3.")
        with page.expect_download() as download:
            page.click("#notes")
        assert download.value.suggested_filename == "notes.jsonl"
        assert len(download.value.path().read_text(encoding="utf-8").splitlines()) == 3
        page.click("#lists")
        page.wait_for_selector("#learned:has-text('Interdits : 0')")


def test_when_the_service_is_gone_nothing_is_said_to_be_saved(
    chromium: Browser, service: Served
) -> None:
    with reading(chromium, service) as page:
        asked = word(page)
        page.route("**/review/answer", lambda route: route.abort())
        page.keyboard.press("n")
        page.wait_for_selector("#told.fault")
        assert "pas pu enregistrer" in page.inner_text("#told")
        assert word(page) == asked
        page.unroute("**/review/answer")
        assert after(page, "n") != asked


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_serious_stands_in_the_way(
    chromium: Browser, service: Served, width: int, locale: str, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    how = {"locale": locale, "color_scheme": scheme, "viewport": {"width": width, "height": 800}}
    with reading(chromium, service, **how) as page:
        after(page, "n")
        page.keyboard.press("w")
        after(page, "w")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width
        found = axe.run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
