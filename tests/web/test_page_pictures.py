"""The page looks as its pictures in docs/page-light.webp and docs/page-dark.webp.

BOXROOM_UPDATE_GOLDEN=1 writes them; look at them by the checklist in docs/how-to/web.md.
"""

import os

import pytest
from playwright.async_api import Browser
from scripts.write_page_pictures import of_theme, sheet_path, write_pictures
from tests.web.browser import serving, visitor
from tests.web.contact_sheet import (
    THEMES,
    Picture,
    contact_sheet,
    take_pictures,
)
from tests.web.scenes import SIZES

pytestmark = pytest.mark.asyncio(loop_scope="session")

TOLERANCE = 0.01
"""Share of a picture's blocks that may change, as by another version of a font."""

STATES = 12


@pytest.mark.long
async def test_the_page_looks_as_in_its_pictures(browser: Browser) -> None:
    pictures = await take_pictures(browser)
    assert len({picture.name for picture in pictures}) == STATES * len(SIZES) * len(THEMES)
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        await write_pictures(browser, pictures)
    changed: dict[str, float] = {}
    for theme in THEMES:
        async with contact_sheet(browser, of_theme(pictures, theme)) as sheet:
            changed |= await sheet.changed(sheet_path(theme).read_bytes(), await sheet.webp())
    assert {name: share for name, share in changed.items() if share > TOLERANCE} == {}


async def test_what_moves_is_noticed(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        sheets = []
        for margin_px in (0, 0, 12):
            script = "margin => { document.querySelector('form').style.marginTop = margin; }"
            await ada.page.evaluate(script, f"{margin_px}px")
            picture = Picture("greeting", "phone", "light", await ada.page.screenshot())
            async with contact_sheet(browser, [picture]) as sheet:
                sheets.append(await sheet.webp())
                changed = await sheet.changed(sheets[0], sheets[-1])
            assert (changed[picture.name] > TOLERANCE) == (margin_px > 0)
