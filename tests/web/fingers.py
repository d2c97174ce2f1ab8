"""Fingers at the page of one person: in a game alone, one or two of them, and double taps."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser
from tests.web.browser import Visitor, serving, visitor
from tests.web.rooms import create_room

Place = tuple[float, float]
"""A place on the screen, in CSS pixels."""


@asynccontextmanager
async def alone(browser: Browser, rows: int, cols: int, **more: Any) -> AsyncIterator[Visitor]:
    """Ada at a phone, in a game of one, where it is always her turn."""
    async with serving() as server, visitor(browser, server, **more) as ada:
        await ada.come_in("Ada")
        await create_room(ada, rows=rows, cols=cols, seats=1)
        await ada.press("Start the game")
        await ada.page.locator(".board.can-move").wait_for()
        yield ada


async def tokens(ada: Visitor) -> list[str]:
    """Return the lines that were drawn, once no move is on its way."""
    await ada.page.wait_for_function("() => boxroom.state.playing === null")
    drawn: list[str] = await ada.page.evaluate("boxroom.state.picture.tokens")
    return drawn


async def board_place(ada: Visitor, across: float, down: float) -> Place:
    """Return a place on the board, by its shares of the width and the height."""
    box = await ada.page.locator(".board").bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


@asynccontextmanager
async def finger(guest: Visitor) -> AsyncIterator[Callable[..., Awaitable[None]]]:
    """Give a function that touches the page at places, with events such as `touchStart`."""
    session = await guest.context.new_cdp_session(guest.page)

    async def send(kind: str, *places: Place, at_s: float | None = None) -> None:
        points = [{"x": x, "y": y, "id": int(x)} for x, y in places]
        when = {} if at_s is None else {"timestamp": at_s}
        message = {"type": kind, "touchPoints": points, **when}
        await session.send("Input.dispatchTouchEvent", message)

    yield send
    await session.detach()


async def double_tap(guest: Visitor, place: Place, shown: str) -> None:
    """Tap twice at nearly one place within 0.2 s; a selector finds something in between."""
    now_s = time.time()
    x, y = place
    async with finger(guest) as send:
        for at_s, at in ((now_s, (x, y)), (now_s + 0.2, (x + 3, y + 2))):
            await send("touchStart", at, at_s=at_s)
            await send("touchEnd", at_s=at_s + 0.05)
            await guest.page.locator(shown).wait_for()
