"""Time of the page in a browser: from a link to a button, and from a move to its drawing.

`start` opens the page as a guest does, with the browser's processor as it is and four times
slower, until the button that comes in can be pressed. `move` plays on a large board: the page
and another client by turns. A move's time is from the arrival of its message at the browser's
main thread until that has handed the new picture to the compositor, read from the browser's own
trace; where other programs use the machine, its processor time says more. It needs Chromium.

    python benchmarks/page.py start
    python benchmarks/page.py move --size 30 --played 900
"""

import argparse
import asyncio
import json
import random
import shutil
import statistics
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page, async_playwright
from websockets.asyncio.client import ClientConnection, connect

from boxroom_server.options import Options
from boxroom_server.server import serve

STAGES = ("FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")

CATEGORIES = "devtools.timeline,disabled-by-default-devtools.timeline"

SHORTEST_MOVE = 100
"""Characters of a message that tells a move, at least; an answer has fewer."""

Trace = list[dict[str, Any]]


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run a browser."""
    async with async_playwright() as playwright:
        path = shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        await browser.close()


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    """Run a server that takes moves as fast as they come; return its port."""
    options = Options(host="127.0.0.1", port=0, messages_per_s=100_000, burst=100_000)
    async with serve(options) as server:
        yield server.port


# From a link to a button


async def measure_starts(rounds: int) -> None:
    """Print the milliseconds until the page can be used."""
    async with serving() as port, chromium() as browser:
        for slower in (1, 4):
            spent = [await start_ms(browser, port, slower) for _ in range(rounds)]
            print(f"processor {slower}× slower: {statistics.median(spent):.0f} ms", spread(spent))


async def start_ms(browser: Browser, port: int, slower: int) -> float:
    """Open the page with an empty cache; return the milliseconds until the button is there."""
    context = await browser.new_context(viewport={"width": 360, "height": 740})
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    await page.add_init_script(
        """new MutationObserver((_, self) => {
          if (!document.querySelector('form button.primary')) return;
          self.disconnect();
          requestAnimationFrame(() => setTimeout(() => { window.readyMs = performance.now(); }));
        }).observe(document, { childList: true, subtree: true });"""
    )
    await page.goto(f"http://127.0.0.1:{port}/")
    await page.wait_for_function("() => window.readyMs !== undefined")
    spent = float(await page.evaluate("window.readyMs"))
    await context.close()
    return spent


# From a move to its drawing


async def measure_moves(size: int, played: int, moves: int) -> None:
    """Print the milliseconds of the browser's main thread for each of `moves`."""
    async with serving() as port, chromium() as browser:
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        page = await context.new_page()
        async with connect(f"ws://127.0.0.1:{port}", compression=None) as other:
            listener = await seat_two(page, other, port, size)
            names = await page.evaluate("[...boxroom.board.board.drawing.free]")
            random.Random(1).shuffle(names)
            for name in names[:played]:
                await play(page, other, name)
            session = await browser.new_browser_cdp_session()
            trace: Trace = []
            session.on("Tracing.dataCollected", lambda part: trace.extend(part["value"]))
            complete = asyncio.Event()
            session.on("Tracing.tracingComplete", lambda _: complete.set())
            await session.send(
                "Tracing.start",
                {"categories": CATEGORIES, "transferMode": "ReportEvents"},
            )
            for name in names[played : played + moves]:
                await play(page, other, name)
                await page.wait_for_timeout(random.uniform(20, 60))
            await session.send("Tracing.end")
            await complete.wait()
            listener.cancel()
        report(trace)


async def seat_two(page: Page, other: ClientConnection, port: int, size: int) -> asyncio.Task[None]:
    """Begin a game of the page and another client; return the task that reads for the latter."""
    await page.goto(f"http://127.0.0.1:{port}/")
    await page.locator("form button.primary").click()
    await page.get_by_role("button", name="New room").wait_for()
    settings = {"options": {"rows": size, "cols": size}}
    await page.evaluate(
        "settings => boxroom.link.enter({ type: 'create_room', settings }).then(() => 0)", settings
    )
    room = await page.evaluate("boxroom.state.picture.room")
    hello = {"type": "hello", "protocol": 1, "name": "Other", "secret": "s" * 32, "client": "other"}
    for message in (hello, {"type": "join_room", "room": room, "id": 1}):
        await other.send(json.dumps(message))
    await page.wait_for_function("() => boxroom.state.picture.members.length === 2")
    await page.evaluate("boxroom.link.command({ type: 'start' })")
    await page.locator(".board").wait_for()

    async def read() -> None:
        async for _ in other:
            pass

    return asyncio.create_task(read())


async def play(page: Page, other: ClientConnection, move: str) -> None:
    """Have the player whose turn it is draw a line, and wait until the page has it."""
    seat, ply = await page.evaluate("[boxroom.state.picture.to_move, boxroom.state.picture.ply]")
    if seat == 0:
        await page.evaluate("move => boxroom.dispatch({ type: 'play', move })", move)
    else:
        message = {"type": "play", "id": ply + 2, "seat": seat, "move": move, "ply": ply}
        await other.send(json.dumps(message))
    await page.wait_for_function("ply => boxroom.state.picture.ply > ply", arg=ply)


def report(trace: Trace) -> None:
    """Print how long the moves in a trace took, and on what."""
    received = [event for event in trace if event["name"] == "WebSocketReceive"]
    thread = {(event["pid"], event["tid"]) for event in received}
    assert len(thread) == 1, "the page's main thread receives all messages"
    events = [event for event in trace if (event["pid"], event["tid"]) in thread and "dur" in event]
    commits = sorted((each["ts"], each["ts"] + each["dur"]) for each in events_of(events, "Commit"))
    windows: list[tuple[int, int]] = []
    for start in sorted(event["ts"] for event in received if is_move(event)):
        end = next((end for begin, end in commits if begin > start), None)
        if end is not None and (not windows or end > windows[-1][1]):
            windows.append((start, end))
    print(f"{len(windows)} moves                ms   half of the moves")
    row("arrival to commit", [(end - start) / 1000 for start, end in windows])
    row("processor time", [cpu_ms(events, start, end) for start, end in windows])
    for name in STAGES:
        parts = [(event["ts"], event["dur"] / 1000) for event in events_of(events, name)]
        row(f"  {name}", sums(parts, windows))
    restyled = [
        (event["ts"], event["args"].get("elementCount", 0))
        for event in events_of(events, "UpdateLayoutTree")
    ]
    row("elements restyled", sums(restyled, windows))


def is_move(received: dict[str, Any]) -> bool:
    """Whether a message tells a move, and isn't the short answer to one of the page's own."""
    return bool(received["args"]["data"]["dataLength"] > SHORTEST_MOVE)


def cpu_ms(events: Trace, start: int, end: int) -> float:
    """Return the processor time of the thread's tasks that lie at least partly in a window."""
    tasks = [task for task in events if task["name"] == "RunTask" and "tdur" in task]
    inside = (task for task in tasks if task["ts"] < end and task["ts"] + task["dur"] > start)
    return float(sum(task["tdur"] for task in inside) / 1000)


def events_of(events: Trace, name: str) -> Trace:
    """Return the events with that name."""
    return [event for event in events if event["name"] == name]


def sums(parts: list[tuple[int, float]], windows: list[tuple[int, int]]) -> list[float]:
    """Return for each window the sum of the parts that begin in it."""
    return [sum(part for at, part in parts if start <= at < end) for start, end in windows]


def row(name: str, values: list[float]) -> None:
    """Print a median and its spread."""
    print(f"{name:20} {statistics.median(values):8.2f}  ", spread(values))


def spread(values: Iterable[float]) -> str:
    """Return the range in which the middle half of the values lies."""
    low, _, high = statistics.quantiles(values, n=4)
    return f"{low:.1f} to {high:.1f}"


def main() -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("what", choices=("start", "move"))
    parser.add_argument("--rounds", type=int, default=15, help="starts of each kind (%(default)s)")
    parser.add_argument("--size", type=int, default=30, help="boxes each way (%(default)s)")
    parser.add_argument("--played", type=int, default=300, help="moves before (%(default)s)")
    parser.add_argument("--moves", type=int, default=200, help="moves to measure (%(default)s)")
    arguments = parser.parse_args()
    if arguments.what == "start":
        asyncio.run(measure_starts(arguments.rounds))
    else:
        asyncio.run(measure_moves(arguments.size, arguments.played, arguments.moves))


if __name__ == "__main__":
    main()
