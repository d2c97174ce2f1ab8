"""A real Chromium for tests of the page, and a server that it visits."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    async_playwright,
)
from tests.faults.server_process import ServerProcess

from boxroom_server.options import Options
from boxroom_server.server import Server, serve
from boxroom_server.storage.storage import Storage

_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Names of Chromium; without a user interface it needs little more than half of the time."""

CHROMIUM = next(filter(None, map(shutil.which, _PROGRAMS)), None)

NO_BROWSER = "needs Chromium: apt install chromium-headless-shell"
"""Reason of a skip where there is none."""

LIMIT_MS = 20_000
"""Time after which a wait has failed, on a busy machine."""

PHONE: ViewportSize = {"width": 360, "height": 740}
TABLET: ViewportSize = {"width": 768, "height": 1024}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}

_FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


@asynccontextmanager
async def chromium(
    program: str | Path | None = CHROMIUM, *, is_root: bool = os.geteuid() == 0
) -> AsyncIterator[Browser]:
    """Run a browser; as root, in containers, it has no sandbox."""
    flags = (*_FLAGS, "--no-sandbox") if is_root else _FLAGS
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=list(flags))
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def serving(storage: Storage | None = None, **options: Any) -> AsyncIterator[Server]:
    """Run a server on a free port of the loopback interface, with its real clock."""
    chosen = {"host": "127.0.0.1", "port": 0, "pace_s": 0.0, **options}
    async with serve(Options(**chosen), storage=storage) as server:
        yield server


@dataclass
class Visitor:
    """A person with a browser of their own, and the complaints of its console."""

    page: Page
    context: BrowserContext
    complaints: list[str] = field(default_factory=list)

    def forgive_failures(self) -> None:
        """Forget the browser's complaints about connections that failed."""
        self.complaints = [text for text in self.complaints if "WebSocket" not in text]

    async def come_in(self, name: str) -> None:
        """Give the name that the page asks for."""
        await self.page.get_by_label("Your name").fill(name)
        await self.page.locator("form button.primary").click()

    async def press(self, name: str) -> None:
        """Press the button that has exactly this name."""
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def press_rare(self, name: str) -> None:
        """Press a button among those that are seldom wanted, which open first."""
        if await self.page.locator(".rarely:not([open])").count():
            await self.page.locator(".rarely summary").click()
        await self.press(name)

    async def wait_for(self, text: str) -> None:
        """Wait until the page shows a text."""
        await self.page.get_by_text(text).first.wait_for()

    async def place_of(self, line: str) -> tuple[float, float]:
        """Return the middle of a line on the screen, in CSS pixels."""
        x, y = await self.page.locator(f'[data-name="{line}"]').evaluate(
            "it => { const box = it.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; }"
        )
        return float(x), float(y)

    async def tap(self, line: str) -> None:
        """Touch the middle of a line."""
        await self.page.touchscreen.tap(*await self.place_of(line))

    async def touch(self, *places: tuple[float, float]) -> None:
        """Put a finger down at the first place, move it to each of the others, and lift it."""
        session = await self.context.new_cdp_session(self.page)
        for number, (x, y) in enumerate(places):
            kind = "touchStart" if number == 0 else "touchMove"
            points = [{"x": x, "y": y}]
            await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await session.detach()

    async def play(self, move: str) -> None:
        """Choose a line with the keyboard, once it is this player's turn."""
        await self.page.locator(".board.can-move").wait_for()
        await self.page.locator(f'[data-name="{move}"]').focus()
        await self.page.keyboard.press("Enter")


@asynccontextmanager
async def visitor(
    browser: Browser,
    server: Server | ServerProcess,
    *,
    path: str = "/",
    through: int | None = None,
    **more: Any,
) -> AsyncIterator[Visitor]:
    """Open the page of `server`, or of the proxy at port `through`; see `visitor_at`."""
    async with visitor_at(
        browser, f"http://127.0.0.1:{through or server.port}{path}", **more
    ) as guest:
        yield guest


@asynccontextmanager
async def visitor_at(
    browser: Browser, url: str, *, viewport: ViewportSize = PHONE, **more: Any
) -> AsyncIterator[Visitor]:
    """Open the page at `url` in a context of its own, which has the options `more`.

    The page's console must stay without errors.
    """
    chosen = {"has_touch": True, "locale": "en-GB", "reduced_motion": "reduce", **more}
    context = await browser.new_context(viewport=viewport, **chosen)
    context.set_default_timeout(LIMIT_MS)
    page = await context.new_page()
    guest = Visitor(page, context)

    def complain(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            guest.complaints.append(message.text)

    page.on("console", complain)
    page.on("pageerror", lambda error: guest.complaints.append(str(error)))
    try:
        await page.goto(url)
        yield guest
        assert not guest.complaints, guest.complaints
    finally:
        await context.close()
