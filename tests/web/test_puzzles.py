"""Puzzles on the page: a wrong answer is played out, a right one leads on, and progress stays."""

import pytest
from playwright.async_api import Browser, Page, expect
from tests.web.axe import check_with_axe
from tests.web.browser import serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def tap(page: Page, name: str) -> None:
    """Tap on a line in its middle."""
    box = await page.locator(f'[data-name="{name}"]').bounding_box()
    assert box is not None
    await page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def test_puzzles_are_solved_without_a_name(browser: Browser) -> None:
    async with serving() as server:
        context = await browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, locale="en"
        )
        page = await context.new_page()
        await page.goto(f"http://127.0.0.1:{server.port}/")
        await page.get_by_role("button", name="Puzzles").click()
        await expect(page.locator("h1")).to_contain_text("Puzzle 1 of 10")
        free, best = await page.evaluate(
            "(({free, best}) => [free, best])(boxroom.state.course.puzzle)"
        )
        await tap(page, next(move for move in free if move not in best))
        await expect(page.locator(".told")).to_contain_text("doesn't win")
        await page.get_by_role("button", name="Next move").click()
        await expect(page.locator(".line.recent")).to_have_count(2)
        await check_with_axe(page)
        await page.get_by_role("button", name="Try again").click()
        await tap(page, best[0])
        await expect(page.locator(".told")).to_contain_text("Right!")
        await page.get_by_role("button", name="Next puzzle").click()
        await expect(page.locator("h1")).to_contain_text("Puzzle 2 of 10")
        await page.reload()
        await page.get_by_role("button", name="Puzzles").click()
        await expect(page.locator("h1")).to_contain_text("Puzzle 2 of 10")
        await page.get_by_role("combobox").select_option(label="make a chain")
        await expect(page.locator("h1")).to_contain_text("Puzzles")
        await page.go_back()
        await expect(page.get_by_label("Your name")).to_be_visible()
        await context.close()
