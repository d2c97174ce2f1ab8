"""The title's neighbours: the icon and the colour of the browser's bars."""

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import LIMIT_MS, serving, visitor
from tests.web.rooms import table

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)

ICON = "() => fetch(document.querySelector('link[rel=icon]').href).then((it) => it.text())"
"""The icon that the browser is told to show."""

BAR_COLOURS = """() => [...document.querySelectorAll('meta[name=theme-color]')]
  .map((meta) => meta.content)"""

PAPER = {"paper": "#f6efe0", "light": "#ffffff", "dark": "#161616", "contrast": "#000000"}


async def test_the_icon_has_a_mark_at_ones_turn(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        mine, theirs = [await each.page.evaluate(ICON) for each in (ada, bob)]
        assert mine != theirs
        assert all(icon.startswith("<svg") for icon in (mine, theirs))
        await ada.play("h0")
        await bob.wait_for("Your turn")
        assert [await each.page.evaluate(ICON) for each in (ada, bob)] == [theirs, mine]


async def test_the_browsers_bars_have_the_colour_of_the_theme(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await ada.press("Settings")
        for theme, paper in PAPER.items():
            await ada.page.locator('dialog [name="theme"]').select_option(theme)
            await ada.page.locator(f":root[data-theme={theme}]").wait_for()
            assert await ada.page.evaluate(BAR_COLOURS) == [paper, paper]
