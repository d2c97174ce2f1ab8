"""Contact sheets: pictures of the page side by side, and how far two sheets differ.

Chromium draws and reads them, so that nothing else has to be installed.
"""

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Literal

from playwright.async_api import Browser, Page
from tests.web.scenes import SIZES, scenes

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")

SCALE = 0.4
"""Size of the pictures on a sheet, of that on a screen."""

QUALITY = 70
"""Quality of the sheets, which are WebP files, in percent."""

BLOCK_PX = 4
LEVELS = 24
"""A block of a sheet has changed if the mean of one of its colours did by more, of 255."""

STYLE = """
body { margin: 0; padding: 8px; background: #808080; display: grid; gap: 8px 24px;
  grid-template-columns: repeat(2, max-content); width: max-content; }
section { display: grid; gap: 4px 8px; grid-template-columns: repeat(3, max-content); }
h2 { font: bold 14px sans-serif; margin: 0; grid-column: 1 / -1; color: #ffffff; }
"""

SHARES = """
async ([sheets, blockPx, levels]) => {
  const contexts = await Promise.all(sheets.map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = new OffscreenCanvas(width / blockPx, height / blockPx);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return context;
  }));
  const shareIn = ({ x, y, width, height }) => {
    const place = [x, y, width, height].map((it) => Math.round(it / blockPx));
    const [before, after] = contexts.map((context) => context.getImageData(...place).data);
    let changed = 0;
    for (let at = 0; at < before.length; at += 4) {
      const by = [0, 1, 2].map((colour) => Math.abs(before[at + colour] - after[at + colour]));
      if (Math.max(...by) > levels) changed += 1;
    }
    return changed / (before.length / 4);
  };
  const images = document.querySelectorAll('section img');
  return [...images].map((image) => [image.alt, shareIn(image.getBoundingClientRect())]);
}
"""
"""The share of changed blocks in each picture of the page, between the sheets at two addresses."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the page in one state, as a PNG file."""

    state: str
    size: str
    theme: Theme
    png: bytes

    @property
    def name(self) -> str:
        return f"{self.state}, {self.size}, {self.theme}"


async def take_pictures(browser: Browser) -> list[Picture]:
    """Take a picture of every state, at every size and in every theme."""
    return [
        Picture(scene.name, size, theme, await _screenshot(scene.person.page, size, theme))
        async for scene in scenes(browser)
        for size in scene.sizes
        for theme in THEMES
    ]


async def _screenshot(page: Page, size: str, theme: Theme) -> bytes:
    await page.set_viewport_size(SIZES[size])
    await page.emulate_media(color_scheme=theme)
    await page.locator(f":root[data-theme={theme}]").wait_for()
    return await page.screenshot(animations="disabled")


class ContactSheet:
    """A page with pictures side by side."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def webp(self) -> bytes:
        """Return a picture of the whole sheet."""
        session = await self._page.context.new_cdp_session(self._page)
        shown = {"format": "webp", "quality": QUALITY, "captureBeyondViewport": True}
        size = await self._page.locator("body").bounding_box()
        clip = {"clip": {**(size or {}), "scale": 1}}
        answer = await session.send("Page.captureScreenshot", {**shown, **clip})
        return b64decode(answer["data"])

    async def changed(self, before: bytes, after: bytes) -> dict[str, float]:
        """Return the share of blocks in each picture that differ between two such sheets."""
        urls = [_url("webp", before), _url("webp", after)]
        return dict(await self._page.evaluate(SHARES, [urls, BLOCK_PX, LEVELS]))


@asynccontextmanager
async def contact_sheet(
    browser: Browser, pictures: Sequence[Picture]
) -> AsyncIterator[ContactSheet]:
    """Lay pictures side by side: a section for every state."""
    async with await browser.new_context(device_scale_factor=1) as context:
        page = await context.new_page()
        states = groupby(pictures, key=lambda picture: picture.state)
        sections = "".join(_section(state, list(some)) for state, some in states)
        await page.set_content(f"<!doctype html><style>{STYLE}</style>{sections}")
        yield ContactSheet(page)


def _section(state: str, pictures: Sequence[Picture]) -> str:
    ordered = sorted(pictures, key=lambda picture: list(SIZES).index(picture.size))
    return f"<section><h2>{escape(state)}</h2>{''.join(map(_image, ordered))}</section>"


def _image(picture: Picture) -> str:
    size = SIZES[picture.size]
    width, height = (round(SCALE * size[side]) for side in ("width", "height"))
    name, url = escape(picture.name), _url("png", picture.png)
    return f'<img alt="{name}" width="{width}" height="{height}" src="{url}">'


def _url(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{b64encode(content).decode()}"
