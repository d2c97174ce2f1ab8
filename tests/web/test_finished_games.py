"""Finished games on the page: their list, every move, and the review."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.web.axe import check_with_axe
from tests.web.browser import Visitor, serving, visitor
from tests.web.rooms import saving, table
from tests.web.test_review import play_small

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def open_finished_games(person: Visitor) -> None:
    """Leave the room, and list the person's games."""
    await person.page.locator(".room header button.icon").first.click()
    await person.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    await person.press("My finished games")


async def test_a_person_looks_at_a_finished_game_again(browser: Browser, tmp_path: Path) -> None:
    async with (
        saving(tmp_path) as server,
        table(browser, server, rows=1, cols=2) as (ada, bob),
    ):
        await play_small(ada, bob)
        page = bob.page
        await open_finished_games(bob)
        game = page.get_by_role("dialog").get_by_role("listitem")
        await expect(game).to_have_count(1)
        await expect(game).to_contain_text("Ada 1, Bob 1Ada and Bob win together, with 1 box each.")
        await game.get_by_role("button").click()
        await expect(page.locator(".line.drawn")).to_have_count(7)
        await expect(page.locator(".box")).to_have_count(2)
        await bob.press("To the beginning")
        await expect(page.locator(".status")).to_have_text("Move 0 of 7")
        await expect(page.locator(".line.drawn")).to_have_count(0)
        await bob.press("What could you do better?")
        await bob.wait_for("You turned a win into a draw with h1, move 4")
        await check_with_axe(bob.page)
        await bob.press("Close")
        await bob.wait_for("I have a code")


async def test_a_finished_game_is_tried_again_against_a_bot(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        saving(tmp_path) as server,
        table(browser, server, rows=1, cols=2) as (ada, bob),
    ):
        await play_small(ada, bob)
        page = bob.page
        await open_finished_games(bob)
        await page.get_by_role("dialog").get_by_role("listitem").get_by_role("button").click()
        for _ in range(4):
            await bob.press("Back by a move")
        await bob.press("Try again from here")
        await expect(page.get_by_label("starts after 3 moves of an earlier game")).to_be_checked()
        await page.locator("[name=opponent]").select_option("greedy")
        await bob.press("Create the room")
        await expect(page.locator(".line.drawn")).to_have_count(3)
        await bob.play("v1")  # it is Bob's turn, who takes the box this time
        await expect(page.locator(".box.seat-0")).to_have_count(1)


async def test_a_link_leads_from_a_finished_game_into_its_room(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        saving(tmp_path) as server,
        table(browser, server, rows=1, cols=2) as (ada, bob),
    ):
        await play_small(ada, bob)
        page = bob.page
        room = await page.evaluate("boxroom.state.picture.room")
        await open_finished_games(bob)
        await page.get_by_role("dialog").get_by_role("listitem").get_by_role("button").click()
        await page.get_by_role("button", name="Close").wait_for()
        await page.evaluate("room => { location.hash = room; }", room)
        await ada.wait_for("Bob comes in.")
        await page.get_by_placeholder("A message or a move").wait_for()


async def test_without_finished_games_the_list_says_so(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as eve:
        await eve.come_in("Eve")
        await eve.press("My finished games")
        await eve.wait_for("This server has no finished game of yours.")
