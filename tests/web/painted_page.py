"""A page with nothing but a painter, in a real Chromium, without a server."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, CDPSession, Locator, Page
from tests.web.module_page import ROOT, module_page

SHOW = """import { Board } from '/board/board.js';
import { Painter } from '/board/painter.js';
import { LANGUAGES } from '/languages.js';
import { translator } from '/words.js';
window.moves = [];
window.make = (geometry) => {
  const t = translator(LANGUAGES, 'en');
  const onMove = (move) => window.moves.push(move);
  const onMagnify = (on) => { window.isMagnified = on; };
  window.board = new Board(new Painter(geometry, t), { t, onMove, onMagnify });
  document.querySelector('main').replaceChildren(window.board.element);
};
window.show = (picture, canMove) => window.board.show({
  picture,
  markOf: (seat) => ({ glyph: `${seat + 1}`, className: `seat-${seat}` }),
  marked: new Set([picture.tokens.length - 1]),
  canMove,
  isMagnified: canMove && window.isMagnified,
});
"""

IS_SMALL = "document.querySelector('.board').getScreenCTM().a * 100 < 40"
"""An expression that is true where the shapes of the board are too small for a finger."""

IN_LENS = """element => {
  const { x, y, width, height } = element.getBBox();
  const matrix = document.querySelector('.lens').getScreenCTM();
  const at = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(matrix);
  return [at.x, at.y];
}"""
"""The middle of an element of the board, on the screen, in the magnifier."""


class PaintedPage:
    """A painter on a page."""

    def __init__(self, page: Page, touches: CDPSession) -> None:
        self.page = page
        self._touches = touches

    async def make(self, geometry: dict[str, Any]) -> None:
        """Make the painter."""
        await self.page.locator("html.ready").wait_for(state="attached")
        await self.page.evaluate("geometry => window.make(geometry)", geometry)

    async def show(self, picture: dict[str, Any], *, can_move: bool = True) -> None:
        """Show a picture."""
        script = "([picture, canMove]) => window.show(picture, canMove)"
        await self.page.evaluate(script, [picture, can_move])

    async def tap(self, selector: str) -> None:
        """Choose an element by a finger: on a small board by a second tap, in the magnifier."""
        is_small = await self.page.evaluate(IS_SMALL)
        await self.page.touchscreen.tap(*await self.middle_of(selector))
        if is_small:
            await self.page.locator(".magnifier").wait_for()
            x, y = await self.page.locator(selector).evaluate(IN_LENS)
            await self.page.touchscreen.tap(x, y)

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
        await self._touches.send("Input.dispatchTouchEvent", message)

    @property
    def previews(self) -> Locator:
        """The shapes that show what a move would do."""
        return self.page.locator(".preview")

    async def pending(self) -> int:
        """Return the number of shapes with a move that waits for the server."""
        count: int = await self.page.locator(".pending").count()
        return count


@asynccontextmanager
async def painted_page(browser: Browser) -> AsyncIterator[PaintedPage]:
    """Open the page at a phone, and check that it reported no error."""
    async with module_page(browser, SHOW) as shown:
        yield PaintedPage(shown.page, shown.touches)
        assert shown.errors == []


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
        "legal_moves": game["legal"][moves],
    }
