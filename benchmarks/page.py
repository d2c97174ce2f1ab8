"""Time of the page in a browser: of a first visit, of a tap, and of another player's move.

A first visit is from the link to the button that comes in, with an empty cache. A tap draws a line
of the page's player, through the server; a move is one of the other player, from the arrival of
its message. Both end when the browser has made the picture with the line. Times are those of the
clock, and those of the processor in the page's main thread, which say more where other programs
run. It needs Chromium.

With another checkout of Boxroom both are measured in turns; a ratio is the median of those of
the pairs, and above 1 where this checkout takes longer.

    git worktree add ../before COMMIT && ../before/boxroom --version
    python -m benchmarks.page --against ../before
    python -m benchmarks.page --size 10 --visits 15 --slower 4
"""

import argparse
import asyncio
import json
import random
import statistics
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Browser, CDPSession, ViewportSize
from tests.faults.server_process import free_port
from tests.web.browser import Visitor, chromium, visitor_at
from websockets.asyncio.client import ClientConnection, connect

THIS = Path(__file__).parents[1]

SCREEN: ViewportSize = {"width": 1600, "height": 1100}
"""A screen at which a tap on the largest board needs no magnifier."""

WATCH = """
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...parts) {
      super(...parts);
      this.addEventListener('message', () => { window.arrivedMs ??= performance.now(); });
    }
  };
  addEventListener('pointerdown', () => { window.touchedMs = performance.now(); }, true);
  window.shownAt = (selector) => new Promise((resolve) => {
    const look = () => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    const observer = new MutationObserver(look);
    const what = { subtree: true, childList: true, attributeFilter: ['class'] };
    observer.observe(document, what);
    look();
  });
  window.readyMs = window.shownAt('form button.primary');
"""
"""Script that notes when messages and fingers arrive, and tells when a new picture is made."""


@dataclass(frozen=True)
class Spent:
    """Milliseconds of one visit or move."""

    clock_ms: float
    processor_ms: float


@asynccontextmanager
async def serving(checkout: Path) -> AsyncIterator[str]:
    """Run the server of a checkout, which takes moves as fast as they come; return its address."""
    port = free_port()
    flags = ("--memory", "--no-announce", "--messages-per-s", "100000", "--burst", "100000")
    server = await asyncio.create_subprocess_exec(
        *(checkout / "boxroom", "serve", "--host", "127.0.0.1", "--port", str(port), *flags),
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdout is not None
    try:
        while b"listen" not in (line := await server.stdout.readline()):
            if not line:
                raise SystemExit(f"the server of {checkout} doesn't start")
        yield f"127.0.0.1:{port}"
    finally:
        if server.returncode is None:
            server.terminate()
        await server.communicate()


@asynccontextmanager
async def watched(browser: Browser, slower: int = 1) -> AsyncIterator[tuple[Visitor, CDPSession]]:
    """Open an empty page that tells the time of its main thread."""
    async with visitor_at(browser, "about:blank", viewport=SCREEN) as guest:
        session = await guest.context.new_cdp_session(guest.page)
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        await session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        await guest.page.add_init_script(WATCH)
        yield guest, session


async def processor_ms(session: CDPSession) -> float:
    """Return what the tasks of a page's main thread have used so far."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return 1000 * next(float(it["value"]) for it in metrics if it["name"] == "TaskDuration")


async def visit(browser: Browser, address: str, slower: int) -> Spent:
    """Open the page with an empty cache."""
    async with watched(browser, slower) as (guest, session):
        await guest.page.goto(f"http://{address}/")
        clock_ms = float(await guest.page.evaluate("readyMs"))
        return Spent(clock_ms, await processor_ms(session))


class Table:
    """A game of the page, at seat 1, and a client of the protocol, at seat 0."""

    def __init__(self, guest: Visitor, session: CDPSession, other: ClientConnection) -> None:
        self._guest = guest
        self._session = session
        self._other = other
        self._ply = 0
        self._to_move = 0
        self._last_id = 2  # after those that open the room

    @classmethod
    @asynccontextmanager
    async def opened(cls, browser: Browser, address: str, size: int) -> AsyncIterator[Self]:
        """Begin a game on `size` rows and columns."""
        async with (
            watched(browser) as (guest, session),
            connect(f"ws://{address}", compression=None) as other,
        ):
            table = cls(guest, session, other)
            await table._send("hello", protocol=1, name="Other", secret="s" * 32)
            settings = {"options": {"rows": size, "cols": size}}
            await table._send("create_room", id=1, token="t" * 16, settings=settings)
            room = (await table._receive("in_room"))["room"]["room"]
            await guest.page.goto(f"http://{address}/#{room}")
            await guest.page.locator("form button.primary").click()
            await table._event("sat")
            await table._send("start", id=2)
            await guest.page.locator(".board").wait_for()
            yield table

    async def lines(self) -> list[str]:
        """Return the names of the lines that can be drawn."""
        lines = "[...document.querySelectorAll('.line')].map((line) => line.dataset.name)"
        return [name for name in await self._guest.page.evaluate(lines) if name]

    async def play(self, move: str) -> tuple[str, Spent]:
        """Draw a line for the player who is to move; return who did, and what that took."""
        page = self._guest.page
        kind = "tap" if self._to_move == 1 else "move"
        if kind == "tap":
            await page.locator(".board.can-move").wait_for()
        line = f'.line.drawn[data-name="{move}"]'
        watch = "line => { arrivedMs = undefined; window.drawn = shownAt(line); }"
        await page.evaluate(watch, line)
        before_ms = await processor_ms(self._session)
        if kind == "tap":
            await self._guest.tap(move)
        else:
            self._last_id += 1
            fields = {"seat": 0, "move": move, "ply": self._ply}
            await self._send("play", id=self._last_id, **fields)
        began = "touchedMs" if kind == "tap" else "arrivedMs"
        clock_ms = float(await page.evaluate(f"drawn.then((ms) => ms - {began})"))
        spent = Spent(clock_ms, await processor_ms(self._session) - before_ms)
        self._to_move = (await self._event("played"))["to_move"]
        self._ply += 1
        return kind, spent

    async def _send(self, kind: str, **fields: object) -> None:
        await self._other.send(json.dumps({"type": kind, **fields}))

    async def _receive(self, kind: str) -> dict[str, Any]:
        """Return the next message of a kind."""
        async for text in self._other:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == kind:
                return message
        raise SystemExit("the server has closed the connection")

    async def _event(self, kind: str) -> dict[str, Any]:
        """Return the event of a kind that comes next."""
        while True:
            events: list[dict[str, Any]] = (await self._receive("events"))["events"]
            for event in events:
                if event["type"] == kind:
                    return event


async def visits(
    browser: Browser, addresses: Sequence[str], count: int, slower: int
) -> dict[str, list[list[Spent]]]:
    """Return what visits to each address took, which are in turns; the first ones don't count."""
    spent: list[list[Spent]] = [[] for _ in addresses]
    for _ in range(count + 1):
        for address, those in zip(addresses, spent, strict=True):
            those.append(await visit(browser, address, slower))
    return {"first visit": [those[1:] for those in spent]}


async def moves(
    browser: Browser, addresses: Sequence[str], *, size: int, played: int, count: int
) -> dict[str, list[list[Spent]]]:
    """Return what taps and moves took at each address, where the same moves are played in turns."""
    spent: dict[str, list[list[Spent]]] = {
        kind: [[] for _ in addresses] for kind in ("tap", "move")
    }
    async with AsyncExitStack() as stack:
        tables = [
            await stack.enter_async_context(Table.opened(browser, address, size))
            for address in addresses
        ]
        names = await tables[0].lines()
        random.Random(1).shuffle(names)
        for number, name in enumerate(names[: played + count]):
            for at, table in enumerate(tables):
                kind, took = await table.play(name)
                if number >= played:
                    spent[kind][at].append(took)
    return spent


async def measure(arguments: argparse.Namespace) -> None:
    """Print what visits and moves take here and, in turns, at the other checkout."""
    checkouts = [THIS, arguments.against] if arguments.against else [THIS]
    async with AsyncExitStack() as stack:
        addresses = [await stack.enter_async_context(serving(each)) for each in checkouts]
        browser = await stack.enter_async_context(chromium())
        report(await visits(browser, addresses, arguments.visits, arguments.slower))
        size, played, count = arguments.size, arguments.played, arguments.moves
        report(await moves(browser, addresses, size=size, played=played, count=count))


def report(spent: Mapping[str, list[list[Spent]]]) -> None:
    """Print a row for the clock and one for the processor of each kind."""
    for kind, those in spent.items():
        row(f"{kind}, clock", [[each.clock_ms for each in them] for them in those])
        row(f"{kind}, processor", [[each.processor_ms for each in them] for them in those])


def row(name: str, sides: Sequence[Sequence[float]]) -> None:
    """Print the median of each side, the middle half of its values, and the ratio of two."""
    cells = [f"{statistics.median(side):8.2f} ms ({spread(side)})" for side in sides]
    ratios = [here / there for here, there in zip(*sides, strict=True)] if len(sides) > 1 else []
    if ratios:
        cells.append(f"ratio {statistics.median(ratios):.2f} ({spread(ratios, 2)})")
    print(f"{name:24}", "  ".join(cells), flush=True)


def spread(values: Iterable[float], digits: int = 1) -> str:
    """Return the range in which the middle half of the values lies."""
    low, _, high = statistics.quantiles(values, n=4)
    return f"{low:.{digits}f} to {high:.{digits}f}"


def main() -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout")
    parser.add_argument("--visits", type=int, default=15, help="first visits (%(default)s)")
    parser.add_argument("--slower", type=int, default=1, help="slow them so many times down")
    parser.add_argument("--size", type=int, default=20, help="boxes each way (%(default)s)")
    parser.add_argument("--played", type=int, default=100, help="moves before (%(default)s)")
    parser.add_argument("--moves", type=int, default=200, help="moves to measure (%(default)s)")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
