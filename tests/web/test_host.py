"""The host's menu on the page, with a pause and a mute, and what the others see of them."""

import pytest
from playwright.async_api import Browser, expect
from tests.web.axe import check_with_axe
from tests.web.browser import serving
from tests.web.rooms import table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_host_pauses_mutes_and_goes_on(browser: Browser) -> None:
    async with serving() as server, table(browser, server, rows=1, cols=2) as (ada, bob):
        await expect(bob.page.get_by_role("button", name="Host", exact=True)).to_have_count(0)
        await ada.press("Host")
        menu = ada.page.locator(".powers")
        await expect(menu.get_by_role("button", name="Starts the game.")).to_be_disabled()
        await expect(menu).to_contain_text("A game is on", ignore_case=True)
        await check_with_axe(ada.page)
        await ada.press("Pauses the game, with all clocks.")
        await expect(bob.page.locator(".status")).to_have_text("Paused by Ada")
        await ada.press("Refuses what Bob says.")
        await expect(menu.get_by_role("button", name="Lets Bob talk again.")).to_be_enabled()
        await ada.press("Goes on with the game.")
        await expect(bob.page.locator(".status")).not_to_contain_text("Paused")
        await ada.press("Close")
        await bob.page.locator("input[name=text]").fill("spam")
        await bob.page.keyboard.press("Enter")
        await expect(bob.page.locator(".toasts")).to_contain_text("muted")
