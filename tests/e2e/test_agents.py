"""Agents in rooms, as users start them: a foreign one, and our bots as agents of the course."""

import asyncio
import re
import sys
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from tests.e2e.serving import RunningServer, serving
from tests.e2e.terminal import LIMIT_S, PROGRAM
from tests.lab.agents import course

LIMIT = "0.5"
"""Seconds for a move that are usual in the course."""

LINES = 60
"""Lines of 5×5 boxes, the course's usual board."""


@asynccontextmanager
async def running(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that is killed at the end of the context."""
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        await process.communicate()


async def first_match(process: asyncio.subprocess.Process, pattern: str) -> str:
    """Return the group of `pattern` in the next line of output that matches."""
    assert process.stdout is not None
    async with asyncio.timeout(LIMIT_S):
        while line := (await process.stdout.readline()).decode():
            if found := re.search(pattern, line):
                return found[1]
    raise AssertionError(f"it ended without {pattern}")


@asynccontextmanager
async def seated(url: str, server: RunningServer, room: str, name: str) -> AsyncIterator[None]:
    """Seat the agent at `url` in `room` during the context."""
    place = ("--server", f"127.0.0.1:{server.port}", "--room", room, "--name", name)
    async with running(*PROGRAM, "robot", url, *place, "--time", LIMIT) as robot:
        assert robot.stdout is not None
        reading = asyncio.create_task(robot.stdout.read())  # lest it waits for its reader
        try:
            yield
        finally:
            reading.cancel()


async def play(server: RunningServer, room: str, urls: tuple[str, str], games: int) -> None:
    """Have the agents at `urls` play `games` whole games; none of them may resign."""
    talk = await server.call("Ada")
    board = {"options": {"rows": 5, "cols": 5}}
    await talk.do("create_room", token=f"token of {room}", room=room, watch=True, settings=board)
    async with AsyncExitStack() as stack:
        for url, name in zip(urls, ("first", "second"), strict=True):
            await stack.enter_async_context(seated(url, server, room, name))
            await talk.event("sat")
        for _ in range(games):
            await talk.do("start")
            await talk.event("ended")
            assert talk.room is not None
            assert len(talk.room.tokens) == LINES
            assert not any(token.startswith("~") for token in talk.room.tokens)
    await talk.hang_up()


async def refusals(server: RunningServer) -> list[str]:
    """Return the lines of the server's metrics that count refusals."""
    url = re.search(r"http://\S+/metrics", server.printed)
    assert url is not None, server.printed
    with await asyncio.to_thread(urllib.request.urlopen, url[0], timeout=LIMIT_S) as answer:
        counted: str = answer.read().decode()
    return [line for line in counted.splitlines() if line.startswith("boxroom_refusals")]


async def compete(bots: Sequence[str], games: int) -> None:
    """Have a foreign agent play `games` games with each of `bots`, in either order."""
    async with AsyncExitStack() as stack:
        # Without limits: these agents play hundreds of moves a second.
        server = await stack.enter_async_context(
            serving(None, "--memory", "--messages-per-s", "10000", "--metrics-host", "127.0.0.1")
        )
        stranger = await stack.enter_async_context(
            running(sys.executable, str(Path(course.__file__)), "0")
        )
        theirs = "ws://127.0.0.1:" + await first_match(stranger, r"(\d+)")
        for bot in bots:
            agent = await stack.enter_async_context(
                running(*PROGRAM, "robot", "serve", bot, "--port", "0")
            )
            ours = await first_match(agent, r"listens on (ws://\S+);")
            for order, urls in enumerate(((theirs, ours), (ours, theirs))):
                await play(server, f"{bot}-{order}", urls, games)
        assert await refusals(server) == []


async def test_agents_play_in_rooms_and_no_move_is_refused() -> None:
    await compete(["chain"], 1)


@pytest.mark.long
async def test_agents_play_a_hundred_games_and_more() -> None:
    await compete(["greedy", "chain", "expert"], 17)
