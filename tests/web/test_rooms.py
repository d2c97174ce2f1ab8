"""The page from one room to another."""

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import DESKTOP, serving, visitor
from tests.web.rooms import create_room, table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_from_a_game_to_another_room_after_a_question(browser: Browser) -> None:
    async with (
        serving() as server,
        table(browser, server) as (ada, bob),
        visitor(browser, server, viewport=DESKTOP) as cleo,
    ):
        await cleo.come_in("Cleo")
        code = await create_room(cleo)
        here = await bob.page.evaluate("boxroom.state.picture.room")
        await bob.press("Players")
        await bob.press("Other rooms")
        sheet = bob.page.get_by_role("dialog", name="Other rooms")
        await sheet.get_by_text("you are here").wait_for()
        await sheet.get_by_label("Code of a room").fill("nowhere")
        await sheet.get_by_role("button", name="Join").last.click()
        await bob.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await bob.wait_for("there is no room")
        assert await bob.page.evaluate("boxroom.state.picture.room") == here
        await bob.page.evaluate(f"location.hash = '#{code}'")
        await bob.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await cleo.wait_for("Bob comes in.")
        await ada.wait_for("Bob leaves.")
        await expect(bob.page.locator("h1")).to_contain_text(code)
        assert await bob.page.evaluate("location.hash") == f"#{code}"
