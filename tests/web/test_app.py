"""The page in a real browser, where things happen in an order that people don't expect."""

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import DESKTOP, serving, visitor
from tests.web.rooms import create_room, table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_who_is_sent_out_while_looking_at_the_players_is_in_the_lobby(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await bob.press("Players")
        await bob.page.get_by_role("dialog", name="Players").wait_for()
        await ada.press("Players")
        await ada.press("Send out")
        await ada.page.get_by_role("dialog").get_by_role("button", name="Send out").click()
        await bob.wait_for("The host has sent you out of the room")
        await expect(bob.page.get_by_role("dialog", name="Players")).to_have_count(0)
        await bob.press("Close")
        await bob.wait_for("I have a code")
        await expect(bob.page.get_by_role("button", name="New room")).to_be_enabled()


async def test_a_link_to_a_room_may_come_before_the_name_and_after_it(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server, viewport=DESKTOP) as ada:
        await ada.come_in("Ada")
        code = await create_room(ada)
        async with visitor(browser, server) as bob:
            await bob.page.evaluate(f"location.hash = '#{code}'")
            await bob.page.get_by_role("button", name=f"Join the room {code}").wait_for()
        async with visitor(browser, server) as cem:
            await cem.come_in("Cem")
            await cem.wait_for("I have a code")
            await cem.page.evaluate(f"location.hash = '#{code}'")
            await cem.page.locator(".room").wait_for()
        await ada.wait_for("Cem comes in.")


async def test_two_taps_on_join_are_one(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server, viewport=DESKTOP) as ada:
        await ada.come_in("Ada")
        code = await create_room(ada)
        async with visitor(browser, server) as bob:
            await bob.come_in("Bob")
            await bob.wait_for("I have a code")
            taps = [{"type": "join", "room": code}] * 2
            await bob.page.evaluate("taps => taps.forEach((tap) => boxroom.dispatch(tap))", taps)
            await bob.page.locator(".room").wait_for()
            assert await bob.page.locator(".toasts p").count() == 0


async def test_a_mouse_that_leaves_the_board_while_it_drags_lets_it_go(browser: Browser) -> None:
    async with serving() as server, table(browser, server, 12, 12) as (ada, _):
        mouse, board = ada.page.mouse, ada.page.locator(".board")
        await ada.press("Larger")
        box = await board.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await mouse.move(x, y)
        await mouse.down()
        await mouse.move(x + 50, y + 20)
        await mouse.move(box["x"] + box["width"] + 100, y)
        await mouse.up()
        before = await board.get_attribute("viewBox")
        await mouse.move(x, y)
        assert await board.get_attribute("viewBox") == before


async def test_a_move_that_is_on_its_way_can_be_taken_back(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        events = [{"type": "play", "move": "h0"}, {"type": "undo"}]
        await ada.page.evaluate("events => events.forEach((it) => boxroom.dispatch(it))", events)
        await bob.press("Agree")
        await ada.wait_for("Ada takes back h0, and is to move.")
