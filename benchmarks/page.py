"""Time of the page in a browser: of visits, of a tap, and of another player's move.

- A *first visit* is from the link to the button that comes in, with an empty cache.
- A *first board* is from the link of a game to its board, with an empty cache, for one of its
  players.
- A *reload* in that game shows the *last known* board, and then the *live* one.
- A *pending line* is from the end of a click to the line that waits for the server, and a *tap*
  from its beginning to the line that the server has taken.
- A *move* is one of the other player, from the arrival of its message to its line.

All end when the browser has made the picture. Times are those of the clock, and those of the
processor in the page's main thread, which say more where other programs run. It needs Chromium.

With a round trip the browser comes through a proxy that delays, see `tests/web/far_server.py`.
With another checkout of Boxroom both are measured in turns; a ratio is the median of those of the
pairs, and above 1 where this checkout takes longer.

    git worktree add ../before COMMIT && ../before/boxroom --version
    python -m benchmarks.page --against ../before
    python -m benchmarks.page --round-trip 400 --visits 5 --moves 40
    python -m benchmarks.page --size 30 --visits 15 --slower 4
"""

import argparse
import asyncio
import json
import random
import statistics
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple, Self

from playwright.async_api import Browser, CDPSession, StorageState, ViewportSize
from tests.faults.server_process import free_port
from tests.web.browser import Visitor, chromium, visitor_at
from tests.web.far_server import FarServer, far_server
from websockets.asyncio.client import ClientConnection, connect

THIS = Path(__file__).parents[1]

SCREEN: ViewportSize = {"width": 1600, "height": 1100}

WATCH = """
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...parts) {
      super(...parts);
      this.addEventListener('message', () => { window.arrivedMs ??= performance.now(); });
    }
  };
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
  addEventListener('pointerdown', () => { window.touchedMs = performance.now(); }, true);
  addEventListener('pointerup', () => { window.liftedMs = performance.now(); }, true);
  addEventListener('pointerup', () => { // behind the board's own listener
    if (window.line) window.pending = window.shownAt(window.line);
  });
  window.readyMs = window.shownAt('form button.primary');
  window.boardMs = window.shownAt('.board-place .board');
  window.liveMs = window.shownAt(
    '#app:not(:has(.banner)):has(.strip .mark) .board-place .board');
"""
"""Script that notes when messages and fingers arrive, and tells when a new picture is made."""


class Place(NamedTuple):
    """The server of one checkout: its port, and the proxy through which browsers come."""

    port: int
    far: FarServer

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://127.0.0.1:{self.far.port}/"


class Spent(NamedTuple):
    """Milliseconds of one visit or move."""

    clock_ms: float
    processor_ms: float


@dataclass
class Times:
    """All that was measured, by its name: a list for each place."""

    places: int
    by_name: dict[str, list[list[Spent]]] = field(init=False)

    def __post_init__(self) -> None:
        self.by_name = defaultdict(lambda: [[] for _ in range(self.places)])

    def add(self, at: int, found: Mapping[str, Spent]) -> None:
        """Add what was measured at one place."""
        for name, spent in found.items():
            self.by_name[name][at].append(spent)


@asynccontextmanager
async def serving(checkout: Path, round_trip_s: float) -> AsyncIterator[Place]:
    """Run the server of a checkout, which takes moves as fast as they come, and its proxy."""
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
        async with far_server(port, round_trip_s) as far:
            yield Place(port, far)
    finally:
        if server.returncode is None:
            server.terminate()
        await server.communicate()


@asynccontextmanager
async def watched(
    browser: Browser, slower: int, kept: StorageState | None = None
) -> AsyncIterator[tuple[Visitor, CDPSession]]:
    """Open an empty page that tells the time of its main thread; its browser has `kept` that."""
    async with visitor_at(browser, "about:blank", viewport=SCREEN, storage_state=kept) as guest:
        session = await guest.context.new_cdp_session(guest.page)
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        await session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        await guest.page.add_init_script(WATCH)
        yield guest, session


async def processor_ms(session: CDPSession) -> float:
    """Return what the tasks of a page's main thread have used so far."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return 1000 * next(float(it["value"]) for it in metrics if it["name"] == "TaskDuration")


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
    async def opened(
        cls, browser: Browser, place: Place, size: int, slower: int = 1
    ) -> AsyncIterator[Self]:
        """Begin a game on `size` rows and columns."""
        async with (
            watched(browser, slower) as (guest, session),
            connect(f"ws://127.0.0.1:{place.port}", compression=None) as other,
        ):
            table = cls(guest, session, other)
            await table._send("hello", protocol=1, name="Other", secret="s" * 32)
            settings = {"options": {"rows": size, "cols": size}}
            await table._send("create_room", id=1, token=token_hex(8), settings=settings)
            room = (await table._receive("in_room"))["room"]["room"]
            await guest.page.goto(f"{place.url}#{room}")
            await guest.page.locator("form button.primary").click()
            await table._event("sat")
            await table._send("start", id=2)
            await guest.page.locator(".board-place .board").wait_for()
            yield table

    @property
    def url(self) -> str:
        """The link of the game."""
        return self._guest.page.url

    async def kept(self) -> StorageState:
        """Return what the browser of the page has kept."""
        return await self._guest.context.storage_state()

    async def lines(self) -> list[str]:
        """Return the names of the lines that can be drawn."""
        lines = "[...document.querySelectorAll('.line')].map((line) => line.dataset.name)"
        return [name for name in await self._guest.page.evaluate(lines) if name]

    async def play(self, move: str) -> dict[str, Spent]:
        """Draw a line for the player who is to move; return what that took."""
        page = self._guest.page
        is_tap = self._to_move == 1
        if is_tap:
            await page.locator(".board.can-move").wait_for()
        drawn = f'.line.drawn[data-name="{move}"]'
        seen = f'.line:is(.pending, .preview, .drawn)[data-name="{move}"]'
        watch = """([drawn, seen]) =>
          Object.assign(window, { arrivedMs: undefined, line: seen, drawn: shownAt(drawn) }) && 0"""
        await page.evaluate(watch, [drawn, seen])
        before_ms = await processor_ms(self._session)
        if is_tap:
            # By mouse, which needs no magnifier on large boards.
            await page.mouse.click(*await self._guest.place_of(move))
        else:
            self._last_id += 1
            fields = {"seat": 0, "move": move, "ply": self._ply}
            await self._send("play", id=self._last_id, **fields)
        since = "touchedMs" if is_tap else "arrivedMs"
        clock_ms = float(await page.evaluate(f"drawn.then((ms) => ms - {since})"))
        spent = Spent(clock_ms, await processor_ms(self._session) - before_ms)
        self._to_move = (await self._event("played"))["to_move"]
        self._ply += 1
        if not is_tap:
            return {"move": spent}
        pending_ms = float(await page.evaluate("pending.then((ms) => ms - liftedMs)"))
        return {"tap": spent, "pending line": Spent(pending_ms, spent.processor_ms)}

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


async def visit(browser: Browser, place: Place, slower: int) -> dict[str, Spent]:
    """Open the page with an empty cache."""
    async with watched(browser, slower) as (guest, session):
        await guest.page.goto(place.url, wait_until="commit")
        clock_ms = float(await guest.page.evaluate("readyMs"))
        return {"first visit": Spent(clock_ms, await processor_ms(session))}


async def come_back(browser: Browser, table: Table, slower: int) -> dict[str, Spent]:
    """Open a game with an empty cache, and load its page again."""
    found: dict[str, Spent] = {}
    async with watched(browser, slower, await table.kept()) as (guest, session):

        async def note(name: str, clock: str) -> None:
            clock_ms = float(await guest.page.evaluate(clock))
            found[name] = Spent(clock_ms, await processor_ms(session))

        await guest.page.goto(table.url, wait_until="commit")
        await note("first board", "liveMs")
        await guest.page.reload(wait_until="commit")
        await note("reload, last known", "boardMs")
        await note("reload, live", "liveMs")
    return found


async def visits(
    browser: Browser, places: Sequence[Place], times: Times, *, count: int, slower: int, size: int
) -> None:
    """Measure visits of each place, in turns; the first ones don't count."""
    async with AsyncExitStack() as stack:
        opened = [Table.opened(browser, place, size) for place in places]
        tables = [await stack.enter_async_context(each) for each in opened]
        for number in range(count + 1):
            for at, (place, table) in enumerate(zip(places, tables, strict=True)):
                before = place.far.handshakes
                found = await visit(browser, place, slower)
                handshakes = place.far.handshakes - before
                found |= await come_back(browser, table, slower)
                if number > 0:
                    times.add(at, found)
                else:
                    print(f"handshakes of a first visit: {handshakes}", flush=True)


async def moves(
    browser: Browser,
    places: Sequence[Place],
    times: Times,
    *,
    count: int,
    slower: int,
    size: int,
    played: int,
) -> None:
    """Measure taps and moves at each place, where the same moves are played in turns."""
    async with AsyncExitStack() as stack:
        opened = [Table.opened(browser, place, size, slower) for place in places]
        tables = [await stack.enter_async_context(each) for each in opened]
        names = await tables[0].lines()
        random.Random(1).shuffle(names)
        for number, name in enumerate(names[: played + count]):
            for at, table in enumerate(tables):
                took = await table.play(name)
                if number >= played:
                    times.add(at, took)


async def measure(arguments: argparse.Namespace) -> None:
    """Print what visits and moves take here and, in turns, at the other checkout."""
    checkouts = [THIS, arguments.against] if arguments.against else [THIS]
    round_trip_s = arguments.round_trip / 1000
    async with AsyncExitStack() as stack:
        servers = [serving(each, round_trip_s) for each in checkouts]
        places = [await stack.enter_async_context(each) for each in servers]
        browser = await stack.enter_async_context(chromium())
        common = {"slower": arguments.slower, "size": arguments.size}
        times = Times(len(places))
        if arguments.visits:
            await visits(browser, places, times, count=arguments.visits, **common)
        if arguments.moves:
            more = {"count": arguments.moves, "played": arguments.played}
            await moves(browser, places, times, **common, **more)
        report(times)


def report(times: Times) -> None:
    """Print a row for the clock and one for the processor of each kind."""
    for kind, those in times.by_name.items():
        row(f"{kind}, clock", [[each.clock_ms for each in them] for them in those])
        row(f"{kind}, processor", [[each.processor_ms for each in them] for them in those])


def row(name: str, sides: Sequence[Sequence[float]]) -> None:
    """Print of each side median, middle half and 95th percentile, and the ratio of two."""
    cells = [f"{statistics.median(side):8.2f} ms ({spread(side)})" for side in sides]
    ratios = [here / there for here, there in zip(*sides, strict=True)] if len(sides) > 1 else []
    if ratios:
        cells.append(f"ratio {statistics.median(ratios):.2f} ({middle_half(ratios, 2)})")
    print(f"{name:30}", "  ".join(cells), flush=True)


def spread(values: Sequence[float]) -> str:
    """Return the middle half of the values, and the 95th percentile."""
    most = statistics.quantiles(values, n=20, method="inclusive")[-1]
    return f"{middle_half(values, 1)}; 95 %: {most:.1f}"


def middle_half(values: Iterable[float], digits: int) -> str:
    """Return the range in which the middle half of the values lies."""
    low, _, high = statistics.quantiles(values, n=4)
    return f"{low:.{digits}f} to {high:.{digits}f}"


def main() -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout")
    parser.add_argument("--round-trip", type=int, default=0, metavar="MS", help="to the server")
    parser.add_argument("--visits", type=int, default=15, help="visits of each (%(default)s)")
    parser.add_argument("--slower", type=int, default=1, help="slow the page so many times down")
    parser.add_argument("--size", type=int, default=20, help="boxes each way (%(default)s)")
    parser.add_argument("--played", type=int, default=100, help="moves before (%(default)s)")
    parser.add_argument("--moves", type=int, default=200, help="moves to measure (%(default)s)")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
