"""Rooms that people at pages make and enter."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser
from tests.faults.server_process import ServerProcess
from tests.web.browser import DESKTOP, Visitor, serving, visitor

from boxroom_engine.games.record import Record
from boxroom_server.clock import SystemClock
from boxroom_server.server import Server
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.storage import sqlite_storage


async def create_room(host: Visitor, **options: Any) -> str:
    """Have `host` create a room in the form, and return its code."""
    await host.press("New room")
    for name, value in options.items():
        field = host.page.locator(f'[name="{name}"]')
        if await field.evaluate("it => it.tagName") == "SELECT":
            await field.select_option(value)
        else:
            await field.fill(str(value))
    await host.press("Create the room")
    await host.page.locator(".room").wait_for()
    return str(await host.page.evaluate("boxroom.state.picture.room"))


@asynccontextmanager
async def table(
    browser: Browser, server: Server | ServerProcess, rows: int = 2, cols: int = 2, **guest: Any
) -> AsyncIterator[tuple[Visitor, Visitor]]:
    """Ada, the host, at a wide screen, and Bob at a phone, before their first move."""
    async with visitor(browser, server, viewport=DESKTOP, has_touch=False) as ada:
        await ada.come_in("Ada")
        code = await create_room(ada, rows=rows, cols=cols)
        async with visitor(browser, server, path=f"/#{code}", **guest) as bob:
            await bob.come_in("Bob")
            await ada.wait_for("All seats are taken.")
            await ada.press("Start the game")
            await bob.wait_for("Ada is to move")
            yield ada, bob


@asynccontextmanager
async def saving(folder: Path, **options: Any) -> AsyncIterator[Server]:
    """Run a server that keeps its rooms in `folder`."""
    async with (
        sqlite_storage(DataFolder(folder), SystemClock()) as storage,
        serving(storage, **options) as server,
    ):
        yield server


async def play_record(record: str, *players: Visitor) -> None:
    """Have the players make the moves of a recorded game, and wait until all of them see each."""
    game = Record.parse(record)
    for position, move in zip(game.positions(), game.tokens, strict=False):
        assert position.to_move is not None
        await players[position.to_move].play(move)
        for player in players:
            await player.page.locator(f'[data-name="{move}"].drawn').wait_for(state="attached")
