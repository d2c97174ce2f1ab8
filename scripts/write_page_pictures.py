"""Write docs/page-light.webp and docs/page-dark.webp: the page in twelve states at three sizes.

They are contact sheets; tests/web/test_page_pictures.py compares the page with them. Two of their
pictures are docs/page-phone.png and docs/page-wide.png. It needs Chromium, and takes a minute:
`python -m scripts.write_page_pictures`. With a folder behind it, it writes all pictures there, too,
as large as they are on a screen.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Browser
from tests.web.browser import chromium
from tests.web.contact_sheet import THEMES, Picture, Theme, contact_sheet, take_pictures

DOCS = Path(__file__).resolve().parents[1] / "docs"

SHOWN_ALONE = {
    "page-phone.png": "their turn, phone, light",
    "page-wide.png": "chat open, wide, dark",
}


def sheet_path(theme: Theme) -> Path:
    """Return the place of the contact sheet with the pictures of a theme."""
    return DOCS / f"page-{theme}.webp"


def of_theme(pictures: Sequence[Picture], theme: Theme) -> list[Picture]:
    """Return the pictures of one theme."""
    return [picture for picture in pictures if picture.theme == theme]


async def write_pictures(browser: Browser, pictures: Sequence[Picture]) -> None:
    """Write those that docs/ shows."""
    for theme in THEMES:
        async with contact_sheet(browser, of_theme(pictures, theme)) as sheet:
            sheet_path(theme).write_bytes(await sheet.webp())
    pngs = {picture.name: picture.png for picture in pictures}
    for file_name, name in SHOWN_ALONE.items():
        (DOCS / file_name).write_bytes(pngs[name])


def write_all(pictures: Sequence[Picture], folder: Path) -> None:
    """Write each picture into a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        (folder / f"{picture.name}.png").write_bytes(picture.png)


async def take_and_write(*folders: Path) -> None:
    """Take the pictures, and write them; into folders all of them."""
    async with chromium() as browser:
        pictures = await take_pictures(browser)
        await write_pictures(browser, pictures)
    for folder in folders:
        write_all(pictures, folder)


if __name__ == "__main__":
    asyncio.run(take_and_write(*map(Path, sys.argv[1:])))
