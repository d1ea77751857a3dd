"""The playground as a reader has it in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dpdeid.policy.policy import names
from dpdeid.testing import notes
from tests.serve.serving import TOKEN, Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PASTED = "Mme Odile PENNANEAC'H, vue le 4 juin 2018 à Douarnenez pour une HTA."


@contextmanager
def reading(chromium: Browser, service: Served, lang: str = "fr", **how: Any) -> Iterator[Page]:
    """The page of a reader who came in; no script may fail, nothing may be blocked."""
    context = chromium.new_context(**how)
    page, failed = context.new_page(), list[object]()
    page.on("pageerror", lambda error: failed.append(error))
    page.goto(f"{service.url}/login?lang={lang}#{TOKEN}")
    page.fill("#name", "Ana")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{service.url}/")
    page.on("console", lambda said: failed.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert not failed


def tried(page: Page) -> str:
    """The released text, once the button was pressed and answered."""
    with page.expect_response("**/try"):
        page.click("#go")
    page.wait_for_selector("#result:not([aria-busy]) #told")
    return page.input_value("#released")


def said(page: Page, wanted: str) -> None:
    """Waits until the page has said it; a `wait_for_function` may not: what it asks again is an
    eval, which the page forbids."""
    page.locator("#said", has_text=wanted).wait_for(state="attached")


def slid(page: Page, key: str) -> None:
    """Presses a key on the slider and waits for what it does."""
    with page.expect_response("**/try"):
        page.press("#step", key)
    page.wait_for_selector("#result:not([aria-busy]) #told")


def tabbed(page: Page, wanted: str) -> None:
    """Goes on by Tab until what is wanted has the focus."""
    for _ in range(120):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {wanted}")


def test_every_button(chromium: Browser, service: Served, tmp_path: Path) -> None:
    with reading(chromium, service) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        released = tried(page)
        assert "KERVADEC" in page.inner_text("#before")
        assert "KERVADEC" not in page.inner_text("#after").upper()
        page.click("#copy")
        said(page, "copié")
        assert page.evaluate("navigator.clipboard.readText()") == released
        with page.expect_download() as saving:
            page.click("#save")
        saving.value.save_as(tmp_path / "note.txt")
        assert (tmp_path / "note.txt").read_text(encoding="utf-8") == released
        for pane in ("#before", "#after"):
            for at in (0, 7, 20):
                page.click(f'{pane} [data-at="{at}"]')
                span = page.locator(f'#before [data-at="{at}"]')
                assert span.get_attribute("aria-pressed") == "true"
                original = span.evaluate("one => one.firstChild.textContent")
                assert original in page.inner_text("#why")
                assert page.locator("#why tbody tr").count() > 0
        assert page.locator("[aria-pressed=true]").count() == 1
        for fold in page.locator("#effects summary").all():
            fold.click()
        assert page.locator("#effects details[open] tbody tr").count() > 10


def test_a_slider_moves_dates_and_towns_and_keeps_what_is_chosen(
    chromium: Browser, service: Served
) -> None:
    with reading(chromium, service, "en") as page:
        tried(page)
        page.click('#before [data-at="9"]')
        page.locator("#effects summary").first.click()
        first, before = page.inner_text("#prices-title"), page.input_value("#released")
        slid(page, "ArrowRight")
        assert page.inner_text("#prices-title") != first
        assert "× 2" in page.inner_text("#prices-title")
        assert "× 2" in (page.get_attribute("#step", "aria-valuetext") or "")
        assert page.input_value("#released") != before
        assert page.locator('#before [data-at="9"][aria-pressed=true]').count() == 1
        assert page.locator("#effects details[open]").count() == 1
        assert page.evaluate("document.activeElement.id") == "step"
        slid(page, "Home")
        assert "× 1/8" in page.inner_text("#prices-title")
        wide = page.locator("circle.reach").first.get_attribute("r")
        slid(page, "End")
        narrow = page.locator("circle.reach").first.get_attribute("r")
        assert float(narrow or 0) < float(wide or 0)


def test_a_pasted_note_has_no_slider_and_no_trace(chromium: Browser, service: Served) -> None:
    with reading(chromium, service) as page:
        assert not page.is_visible("#text")
        page.select_option("#note", "pasted")
        page.fill("#text", PASTED)
        assert "PENNANEAC" not in tried(page)
        assert not page.is_visible("#noise")
        assert "PENNANEAC" in page.inner_text("#before")
        page.select_option("#note", notes()[0][0].id)
        assert not page.is_visible("#told")
        page.reload()
        assert "PENNANEAC" not in page.content()
        assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert not any("PENNANEAC" in line for line in service.log)


def test_what_is_wrong_is_told_beside_the_button(chromium: Browser, service: Served) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{service.url}/login?lang=fr#{TOKEN}")
    page.fill("#name", "Ana")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{service.url}/")
    page.select_option("#note", "pasted")
    page.click("#go")
    assert "Collez d'abord un texte" in page.inner_text("[role=alert]")
    context.set_offline(True)
    page.click("#go")
    said(page, "pas répondu")
    context.close()


def test_the_keyboard_is_enough(chromium: Browser, service: Served) -> None:
    with reading(chromium, service) as page:
        tabbed(page, "#note")
        page.keyboard.press("ArrowDown")
        tabbed(page, "#policy")
        page.keyboard.press("ArrowDown")
        chosen = page.input_value("#policy")
        assert chosen == names()[names().index("dp") + 1]
        tabbed(page, "#go")
        with page.expect_response("**/try"):
            page.keyboard.press("Enter")
        page.wait_for_selector("#result:not([aria-busy]) #told")
        for key in ("Enter", " "):
            page.keyboard.press("Tab")
            tabbed(page, "#before .span")
            page.keyboard.press("Space" if key == " " else key)
            at = page.evaluate("document.activeElement.dataset.at")
            assert page.locator(f'#before [data-at="{at}"][aria-pressed=true]').count() == 1
        for stop in ("#why", "#released", "#copy", "#save", "#step"):
            tabbed(page, stop)
        with page.expect_response("**/try"):
            page.keyboard.press("ArrowLeft")
        page.wait_for_selector("#result:not([aria-busy]) #told")
        tabbed(page, "#effects summary")
        page.keyboard.press("Enter")
        assert page.locator("#effects details[open]").count() == 1


@pytest.mark.parametrize(
    ("lang", "width", "scheme"),
    [("fr", 1280, "light"), ("fr", 390, "dark"), ("en", 1280, "dark"), ("en", 390, "light")],
)
def test_all_can_read_it(
    chromium: Browser, service: Served, lang: str, width: int, scheme: Any
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    size = {"width": width, "height": 900}
    with reading(chromium, service, lang, viewport=size, color_scheme=scheme) as page:
        for step in ("asked", "told"):
            if step == "told":
                tried(page)
                page.click('#before [data-at="2"]')
                page.evaluate(
                    "document.querySelectorAll('details').forEach(one => one.open = true)"
                )
            found = axe.run(page).response["violations"]
            grave = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
            assert not grave, step
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = [page.locator(pane).bounding_box() for pane in ("#before", "#after")]
        beside = boxes[0] is not None and boxes[1] is not None and boxes[0]["y"] == boxes[1]["y"]
        assert beside == (width == 1280)
