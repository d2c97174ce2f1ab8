"""The review of a game on the page: each player sees the own costly moves, and better ones."""

import re

import pytest
from playwright.async_api import Browser, expect
from tests.engine.games.dots.recorded_games import SMALL
from tests.web.axe import check_with_axe
from tests.web.browser import Visitor, serving
from tests.web.rooms import table

from boxroom_engine.games.record import Record

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def play_small(ada: Visitor, bob: Visitor) -> None:
    """Play `SMALL`, which is a draw: each loses something once."""
    record = Record.parse(SMALL)
    for position, move in zip(record.positions(), record.tokens, strict=False):
        assert position.to_move is not None
        await (ada, bob)[position.to_move].play(move)
    await bob.page.get_by_role("button", name="Rematch").wait_for()


async def test_each_player_sees_the_own_costly_moves(browser: Browser) -> None:
    async with serving() as server, table(browser, server, rows=1, cols=2) as (ada, bob):
        await play_small(ada, bob)
        for player, lost, better in (
            (ada, "gave away a better result with h0", "v1"),
            (bob, "turned a win into a draw with h1", "v1"),
        ):
            await player.press("What could you do better?")
            finding = player.page.locator(".finding")
            told = rf"You {lost}, move \d.* {better} was better.* After {better} you get .+\."
            await expect(finding).to_have_text(re.compile(told))
            await expect(player.page.locator(".line.hint")).to_have_attribute("data-name", better)
            await expect(player.page.locator(".review li")).to_have_count(1)
        await bob.page.get_by_text("The words").click()
        await bob.wait_for("the boxes of one player less those of the other")
        await check_with_axe(bob.page)
        await bob.press("To the end")
        await expect(bob.page.locator(".finding")).to_have_count(0)
        await bob.page.locator(".review li button").click()
        await expect(bob.page.locator(".status")).to_have_text("Move 3 of 7")


async def test_both_lines_are_stepped_through_on_the_board(browser: Browser) -> None:
    async with serving() as server, table(browser, server, rows=1, cols=2) as (ada, bob):
        await play_small(ada, bob)
        await bob.press("What could you do better?")
        status, page = bob.page.locator(".status"), bob.page
        await expect(page.locator(".line.mistake")).to_have_attribute("data-name", "h1")
        await expect(page.locator(".line.hint")).to_have_attribute("data-name", "v1")
        await expect(page.locator(".names text")).to_have_text(["h1", "v1"])
        for move, boxes in (("v1", 2), ("h1", 1)):
            await bob.press(f"After {move}")
            await expect(status).to_have_text(f"Best play after {move}: move 1 of 4")
            await expect(page.locator(".line.recent")).to_have_attribute("data-name", move)
            await page.keyboard.press("End")
            await expect(status).to_have_text(f"Best play after {move}: move 4 of 4")
            await expect(page.locator(".box.seat-1")).to_have_count(boxes)
        await bob.press("Back to the game")
        await expect(status).to_have_text("Move 3 of 7")


async def test_the_host_tries_again_from_the_move_that_lost_and_all_see_that_position(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server, rows=1, cols=2) as (ada, bob):
        await play_small(ada, bob)
        await bob.press("What could you do better?")
        await expect(bob.page.get_by_role("button", name="Try again")).to_have_count(0)
        await ada.press("Back by a move")
        await ada.press("Back by a move")
        await ada.press("Try again from here")
        for player in (ada, bob):
            await expect(player.page.locator(".line.drawn")).to_have_count(5)
            await player.wait_for("The first 5 moves were played before.")
        await expect(ada.page.locator(".box.seat-0")).to_have_count(1)
        await ada.play("h3")
        await bob.play("v2")
        await expect(ada.page.get_by_role("button", name="Rematch")).to_have_count(1)


async def test_a_game_is_stepped_through_by_keys_swipes_slider_and_the_curve(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server, rows=1, cols=2) as (ada, bob):
        await play_small(ada, bob)
        lines, page = ada.page.locator(".line.drawn"), ada.page
        await page.keyboard.press("ArrowLeft")
        await expect(lines).to_have_count(7)  # it is for the board, whose line has the focus
        await page.locator(".status").click()
        await page.keyboard.press("ArrowLeft")
        await expect(lines).to_have_count(6)
        await page.keyboard.press("Home")
        await expect(lines).to_have_count(0)
        await page.get_by_role("slider").fill("5")
        await expect(lines).to_have_count(5)
        curve = await page.locator(".lead").bounding_box()
        assert curve is not None
        await page.locator(".lead").click(position={"x": curve["width"] * 3.5 / 8, "y": 9})
        await expect(lines).to_have_count(3)
        box = await bob.page.locator(".board").bounding_box()
        assert box is not None
        y = box["y"] + box["height"] / 2
        await bob.touch((80, y), (120, y), (200, y))
        await expect(bob.page.locator(".line.drawn")).to_have_count(6)
        await bob.touch((200, y), (150, y), (80, y))
        await expect(bob.page.locator(".status")).to_contain_text("You win together with Ada")


async def test_a_spectator_sees_all_costly_moves_and_a_rematch_ends_the_review(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server, rows=1, cols=2) as (ada, bob):
        await play_small(ada, bob)
        await bob.press("Players")
        await bob.press("Stand up")
        await bob.press("Close")
        await bob.press("Where was it lost?")
        await expect(bob.page.locator(".review li")).to_have_count(2)
        told = re.compile("Bob turned a win into a draw with h1")
        await expect(bob.page.locator(".finding")).to_have_text(told)
        await ada.press("Players")
        await ada.page.get_by_label("Seat a bot").select_option("easy")
        await ada.press("Close")
        await ada.press("Rematch")
        await expect(bob.page.locator(".review")).to_have_count(0)
        await bob.page.locator(".board").wait_for()
