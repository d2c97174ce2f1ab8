"""A page with nothing but a painter, in a real Chromium, without a server.

It has the content security policy of a page of ours, so that a style or markup that the policy
forbids shows as an error on the console.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, Route
from tests.web.browser import PHONE

from boxroom_server.web.assets import source_files

ROOT = Path(__file__).parents[2]

ADDRESS = "http://painter.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'"
)
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}

INDEX = """<!doctype html><html lang="en"><head><title>Painter</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/painter.css"><script type="module" src="/show.js"></script>
</head><body><main></main></body></html>"""

SHOW = """import { Painter } from '/painter.js';
import { translatorFor } from '/languages.js';
window.moves = [];
window.make = (geometry) => {
  window.painter = new Painter(document.querySelector('main'), geometry, {
    onMove: (move) => window.moves.push(move),
    t: translatorFor('en'),
  });
};
window.show = (picture, canMove) => window.painter.show(picture, {
  markOf: (seat) => ({ glyph: `${seat + 1}`, className: `seat-${seat}` }),
  marked: new Set([picture.tokens.length - 1]),
  canMove,
});
document.documentElement.className = 'ready';
"""


class PaintedPage:
    """A painter on a page, and what the page said about errors."""

    def __init__(self, page: Page, touch: CDPSession) -> None:
        self.page = page
        self.errors: list[str] = []
        self._touch = touch

    async def make(self, geometry: dict[str, Any]) -> None:
        """Make the painter."""
        await self.page.locator("html.ready").wait_for(state="attached")
        await self.page.evaluate("geometry => window.make(geometry)", geometry)

    async def show(self, picture: dict[str, Any], *, can_move: bool = True) -> None:
        """Show a picture."""
        script = "([picture, canMove]) => window.show(picture, canMove)"
        await self.page.evaluate(script, [picture, can_move])

    async def moves(self) -> list[str]:
        """Return the moves that were played."""
        moves: list[str] = await self.page.evaluate("window.moves")
        return moves

    async def middle_of(self, selector: str) -> tuple[float, float]:
        """Return the place of an element on the screen."""
        box = await self.page.locator(selector).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def touch(
        self, kind: str, *points: tuple[float, float], at_s: float | None = None
    ) -> None:
        """Touch the screen, such as `touchStart`, with a finger at each point; `at_s`: then."""
        fingers = [{"x": x, "y": y} for x, y in points]
        message: dict[str, Any] = {"type": kind, "touchPoints": fingers}
        if at_s is not None:
            message["timestamp"] = at_s
        await self._touch.send("Input.dispatchTouchEvent", message)

    async def previewed(self) -> int:
        """Return the number of shapes that show what a move would do."""
        count: int = await self.page.locator(".preview").count()
        return count


@asynccontextmanager
async def painted_page(browser: Browser) -> AsyncIterator[PaintedPage]:
    """Open the page at a phone, and check that it reported no error."""
    async with await browser.new_context(viewport=PHONE, has_touch=True) as context:
        page = await context.new_page()
        painted = PaintedPage(page, await context.new_cdp_session(page))
        page.on("console", lambda message: painted.errors.append(message.text))
        page.on("pageerror", lambda error: painted.errors.append(str(error)))
        await page.route("**/*", _answer)
        await page.goto(ADDRESS)
        yield painted
        assert painted.errors == []


async def _answer(route: Route) -> None:
    name = route.request.url.removeprefix(ADDRESS).strip("/")
    pages = {"": INDEX, "show.js": SHOW}
    files = {path: content.decode() for path, content in source_files().items()} | pages
    if name not in files:
        await route.fulfill(status=204)
        return
    await route.fulfill(
        body=files[name],
        content_type=TYPES[Path(name).suffix or ".html"],
        headers={"content-security-policy": POLICY},
    )


def recorded(game: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the geometry of a game and a whole game on it, as the engine's golden files have."""
    path = ROOT / "tests" / "golden" / "games" / f"geometry-{game}.txt"
    read = json.loads(path.read_text(encoding="utf-8"))
    return read["geometry"], read["game"]


def after(game: dict[str, Any], moves: int) -> dict[str, Any]:
    """Return the picture of a recorded game after so many of its moves."""
    is_over = moves == len(game["tokens"])
    return {
        "phase": "over" if is_over else "playing",
        "tokens": game["tokens"][:moves],
        "movers": game["movers"][:moves],
        "taken": [taken for taken in game["taken"] if taken[0] < moves],
        "to_move": None if is_over else game["movers"][moves],
        "players": ["Ada", "Bob"],
    }
