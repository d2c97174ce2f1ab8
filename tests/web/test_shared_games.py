"""Finished games that everybody sees by their links, and pictures of them."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.web.axe import check_with_axe
from tests.web.browser import visitor_at
from tests.web.rooms import saving, table
from tests.web.test_review import play_small

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_stranger_opens_the_link_of_a_game_and_gives_no_name(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        saving(tmp_path) as server,
        table(browser, server, rows=1, cols=2) as (ada, bob),
    ):
        told = "When it is over, everybody who has its link can see this game."
        await ada.wait_for(told)
        await play_small(ada, bob)
        await ada.press("Share")
        link = await ada.page.get_by_role("dialog").get_by_role("textbox").input_value()
        assert f":{server.port}/games/" in link
        async with visitor_at(browser, link) as eve:
            page = eve.page
            await expect(page.locator(".line.drawn")).to_have_count(7)
            await expect(page.locator(".status")).to_contain_text("Ada and Bob win together")
            await eve.press("Back by a move")
            await expect(page.locator(".status")).to_have_text("Move 6 of 7")
            await check_with_axe(eve.page)
            assert page.url == link
            await eve.press("Close")
            await eve.come_in("Eve")
            await eve.wait_for("I have a code")
            assert page.url == f"http://127.0.0.1:{server.port}/"
            await page.goto(link)
            await eve.press("Where was it lost?")
            await eve.wait_for("Bob turned a win into a draw with h1")
            await page.reload()
            await expect(page.locator(".line.drawn")).to_have_count(7)
            await eve.press("Close")
            await eve.wait_for("I have a code")


async def test_a_link_that_leads_nowhere_says_so(browser: Browser, tmp_path: Path) -> None:
    async with saving(tmp_path) as server:
        link = f"http://127.0.0.1:{server.port}/games/{'x' * 22}"
        async with visitor_at(browser, link) as eve:
            await eve.wait_for("there is no game with that link")
            await eve.come_in("Eve")
            await eve.wait_for("I have a code")


async def test_a_picture_of_the_board_is_saved_where_files_are_not_shared(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        saving(tmp_path) as server,
        table(browser, server, rows=1, cols=2) as (ada, bob),
    ):
        await play_small(ada, bob)
        await ada.press("Share")
        async with ada.page.expect_download() as downloading:
            await ada.press("A picture of the board")
        saved = tmp_path / "board.png"
        await (await downloading.value).save_as(saved)
        picture = saved.read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(picture[16:20], "big") == 1080
