"""The table of a room's games on the page."""

import json
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.web.axe import check_with_axe
from tests.web.browser import serving
from tests.web.rooms import table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_table_is_shown_and_saved(browser: Browser, tmp_path: Path) -> None:
    async with serving() as server, table(browser, server, rows=1, cols=1) as (ada, bob):
        for move, player in zip(("h0", "h1", "v0", "v1"), (ada, bob) * 2, strict=True):
            await player.play(move)
        await ada.press("Table")
        await expect(ada.page.locator(".standings tr")).to_have_count(3)
        best = ada.page.locator(".standings tr").nth(1).locator("td")
        await expect(best).to_have_text(["Bob", "1", "1", "1", "2"])
        await check_with_axe(ada.page)
        async with ada.page.expect_download() as saving:
            await ada.page.get_by_role("link", name="Save as JSON").click()
        saved = await saving.value
        await saved.save_as(tmp_path / "table.json")
        rows = json.loads((tmp_path / "table.json").read_text())["table"]
        assert [(row["name"], row["points"]) for row in rows] == [("Bob", 2), ("Ada", 0)]
        await ada.press("Close")
