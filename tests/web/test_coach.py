"""The coach on the page: it comes by the form, speaks over a phone's board, and ends in puzzles."""

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, expect
from tests.web.browser import serving, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_move_that_the_coach_regrets_is_taken_back(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        page = ada.page
        coach = page.locator(".coach")
        await ada.come_in("Ada")
        await ada.press("New room")
        for name, size in (("rows", "1"), ("cols", "2")):
            await page.locator(f'[name="{name}"]').fill(size)
        await expect(page.get_by_label("Coach")).to_have_count(0)
        await page.locator('[name="opponent"]').select_option("greedy")
        await page.get_by_label("Coach").check()
        await ada.press("Create the room")
        await ada.wait_for("Your turn")
        await ada.play("h0")
        await expect(coach).to_contain_text("h0 gave the draw away; v1 was better.")
        await ada.wait_for("Your turn")
        results = await Axe().run(page)
        assert not results.violations_count, results.generate_report()
        await coach.get_by_role("button", name="Take back").click()
        await expect(coach).to_have_count(0)
        await expect(page.locator(".line.drawn")).to_have_count(0)
