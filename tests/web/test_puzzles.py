"""Puzzles, lessons and own mistakes on the page: wrong answers are played out, right ones lead on.

The progress stays.
"""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect
from tests.web.axe import check_with_axe
from tests.web.browser import serving, visitor
from tests.web.rooms import play_record, saving, table

from boxroom_common.lessons import all_lessons
from boxroom_engine.games.record import Record

RECORD = (
    "dots rows=2 cols=3 border=none | Ada, Bob | h0 h8 v0 v7 h3 v1 h1 h4 v4 v5 v2 h5 h2 v3 h6 h7 v6"
)
"""A game that Ada loses."""

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


async def test_two_tabs_keep_each_others_progress(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        tabs = [ada.page, await ada.context.new_page()]
        await tabs[1].goto(ada.page.url)
        for tab in tabs:
            await tab.get_by_role("button", name="Puzzles").click()
            await expect(tab.locator("h1")).to_contain_text("Puzzle 1 of 10")
        for tab, puzzles in ((tabs[1], 2), (tabs[0], 1)):
            for _ in range(puzzles):
                await tap(tab, await tab.evaluate("boxroom.state.course.puzzle.best[0]"))
                await expect(tab.locator(".told")).to_contain_text("Right!")
                await tab.get_by_role("button", name="Next puzzle").click()
        await expect(tabs[0].locator("h1")).to_contain_text("Puzzle 3 of 10")
        rating = await tabs[0].locator("h1 small").inner_text()
        await expect(tabs[1].locator("h1 small")).to_have_text(rating)


async def test_a_first_visit_leads_to_the_first_lesson_and_on_from_it(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        page = ada.page
        told, title = page.locator(".told"), page.locator("h1")
        await ada.press("New to the game? Take the first lesson.")
        for number, step in enumerate(all_lessons()[0].steps, 1):
            await expect(title).to_have_text(f"Your first game: {number} of 7")
            await expect(told).to_have_text(step.task["en"])
            if number == 1:
                await expect(page.locator(".line.hint")).to_have_attribute("data-name", "h0")
            if number == 3:
                await ada.tap("v0")
                await expect(told).to_contain_text("That was a third line.")
                await ada.press("Try again")
                await expect(told).to_contain_text("Again!")
            await ada.tap(step.right[0])
            await expect(told).to_contain_text("Right!")
            if number < 7:
                await ada.press("Go on")
        await expect(told).to_contain_text("You have won by 4 boxes to 0.")
        await check_with_axe(page)
        await ada.press("Next lesson")
        await expect(title).to_have_text("Safe lines: 1 of 5")
        await page.reload()
        await ada.come_in("Ada")
        await ada.press("Lessons")
        await expect(title).to_have_text("Safe lines: 1 of 5")
        await expect(page.get_by_role("combobox")).to_contain_text("✓ Your first game")


async def test_the_own_mistakes_are_found_and_asked_again(browser: Browser, tmp_path: Path) -> None:
    async with (
        saving(tmp_path) as server,
        table(browser, server, rows=2, cols=3) as (ada, bob),
    ):
        await play_record(RECORD, ada, bob)
        page, told = ada.page, ada.page.locator(".told")
        await page.locator(".room header button.icon").first.click()
        await page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await ada.press("My mistakes")
        await ada.wait_for("In your last game against one other player you missed these ideas:")
        await check_with_axe(page)
        await page.get_by_role("dialog").get_by_role("listitem").first.get_by_role("button").click()
        await expect(told).to_contain_text("From your own game.")
        number = await page.evaluate("boxroom.state.course.puzzle.number")
        played = Record.parse(RECORD).tokens[number - 1]
        await expect(page.locator(".line.drawn")).to_have_count(number - 1)
        await ada.play(played)
        await expect(told).to_contain_text(f"{played} isn't the best line.")
        await ada.press("Next move")
        await expect(page.locator(".line.recent")).to_have_count(2)
