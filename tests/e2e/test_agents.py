"""Agents in rooms, as people start them: one of the course's protocol, and our bots behind it."""

import asyncio
import re
import sys
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from tests.client.agents import course
from tests.e2e.serving import Serving, serving
from tests.e2e.terminal import LIMIT_S, PROGRAM

LIMIT = "0.5"
"""The course's usual seconds for a move."""

LINES = 60
"""On the course's usual board, 5×5."""


@asynccontextmanager
async def running(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program that is ended afterwards."""
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        await process.communicate()


async def heard(process: asyncio.subprocess.Process, pattern: str) -> str:
    """What stands in the group of `pattern`, in the next line that it is found in."""
    assert process.stdout is not None
    async with asyncio.timeout(LIMIT_S):
        while line := (await process.stdout.readline()).decode():
            if found := re.search(pattern, line):
                return found[1]
    raise AssertionError(f"it ended without {pattern}")


@asynccontextmanager
async def seated(url: str, server: Serving, room: str, name: str) -> AsyncIterator[None]:
    """The agent at `url` sits in `room`."""
    place = ("--server", f"127.0.0.1:{server.port}", "--room", room, "--name", name)
    async with running(*PROGRAM, "robot", url, *place, "--time", LIMIT) as robot:
        assert robot.stdout is not None
        reading = asyncio.create_task(robot.stdout.read())  # lest it waits for its reader
        try:
            yield
        finally:
            reading.cancel()


async def play(server: Serving, room: str, urls: tuple[str, str], games: int) -> None:
    """So many whole games of the agents at `urls` against each other, and nobody gives up."""
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


async def refusals(server: Serving) -> list[str]:
    """What the server has counted of requests and commands that it refused."""
    url = f"http://127.0.0.1:{server.port}/metrics"
    with await asyncio.to_thread(urllib.request.urlopen, url, timeout=LIMIT_S) as answer:
        counted: str = answer.read().decode()
    return [line for line in counted.splitlines() if line.startswith("boxroom_refusals")]


async def compete(bots: Sequence[str], games: int) -> None:
    """An agent of the course and each of `bots`, as agents: so many games in either order."""
    async with AsyncExitStack() as stack:
        # Nobody is told to slow down: these agents play hundreds of moves a second.
        server = await stack.enter_async_context(
            serving(None, "--memory", "--messages-per-s", "10000")
        )
        stranger = await stack.enter_async_context(
            running(sys.executable, str(Path(course.__file__)), "0")
        )
        theirs = "ws://127.0.0.1:" + await heard(stranger, r"(\d+)")
        for bot in bots:
            agent = await stack.enter_async_context(
                running(*PROGRAM, "robot", "serve", bot, "--port", "0")
            )
            ours = await heard(agent, r"listens on (ws://\S+);")
            for order, urls in enumerate(((theirs, ours), (ours, theirs))):
                await play(server, f"{bot}-{order}", urls, games)
        assert await refusals(server) == []


async def test_agents_play_in_rooms_and_no_move_is_refused() -> None:
    await compete(["chain"], 1)


@pytest.mark.long
async def test_agents_play_a_hundred_games_and_more() -> None:
    await compete(["greedy", "chain", "expert"], 17)
