"""Random games of a page and a terminal's client with a network that fails.

After each game both pictures of the room equal the server's.
"""

import asyncio
import random

import msgspec
import pytest
from playwright.async_api import Browser
from tests.client.cutting_proxy import CuttingProxy, cutting_proxy
from tests.client.update_reader import quick_backoff
from tests.web.browser import LIMIT_MS, Visitor, serving, visitor

from boxroom_client.link.connection import Join, RoomConnection
from boxroom_client.profile.identity import Identity
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Audience, Phase, Room
from boxroom_engine.room.view import Snapshot, snapshot
from boxroom_server.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")

CUTS_IN_A_GAME = 3

PLAY_ON = """
async () => {
  const app = globalThis.boxroom;
  const random = (items) => items[Math.floor(Math.random() * items.length)];
  const game = app.picture.game_number;
  while (app.picture.game_number === game && app.picture.phase === 'playing') {
    if (app.isMyTurn && !app.isPlaying && app.board.board) {
      const free = [...app.board.board.free];
      if (free.length) await app.play(random(free));
    }
    await new Promise((done) => setTimeout(done, 5));
  }
}
"""
"""Plays random lines on the page until the game is over."""


@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.long)])
async def test_pictures_equal_the_servers(browser: Browser, games: int) -> None:
    rng = random.Random(games)
    async with (
        serving(messages_per_s=10_000, burst=10_000) as server,
        cutting_proxy(server.port) as proxy,
        visitor(browser, server, through=proxy.address.port) as ada,
    ):
        await ada.come_in("Ada")
        await ada.press("New room")
        for name, value in (("rows", "2"), ("cols", "3")):
            await ada.page.locator(f'[name="{name}"]').fill(value)
        await ada.press("Create the room")
        await ada.wait_for("1 seat is empty")
        code = str(await ada.page.evaluate("boxroom.picture.room"))
        identity = Identity("Bob", "the secret of Bob")
        bob = RoomConnection(proxy.address, identity, Join(code), backoff=quick_backoff())
        async with bob:
            listening = asyncio.create_task(follow(bob))
            for number in range(games):
                await play(ada, bob, proxy, rng, is_first=number == 0)
                await check(ada, bob, server, code)
        await listening
        ada.complaints = [text for text in ada.complaints if "WebSocket connection" not in text]


async def play(
    ada: Visitor, bob: RoomConnection, proxy: CuttingProxy, rng: random.Random, *, is_first: bool
) -> None:
    """Play a game to its end, with cuts at random moments."""
    if is_first:
        await ada.press("Start the game")
    else:
        await ada.press("Rematch")
        await bob.ask(cmd.Rematch(0))
    await ada.page.wait_for_function("() => boxroom.picture.phase === 'playing'", timeout=LIMIT_MS)
    page = asyncio.create_task(ada.page.evaluate(PLAY_ON))
    terminal = asyncio.create_task(play_on(bob, rng))
    for _ in range(CUTS_IN_A_GAME):
        await ada.page.wait_for_timeout(rng.uniform(5, 150))
        proxy.cut()
        # As when a phone wakes; else a page whose connections never last waits longer and longer.
        await ada.page.evaluate("boxroom.link.wake()")
    async with asyncio.timeout(60):
        await asyncio.gather(page, terminal)


async def follow(bob: RoomConnection) -> None:
    """Read all updates, as a terminal does."""
    async for _ in bob.updates():
        pass


async def play_on(bob: RoomConnection, rng: random.Random) -> None:
    """Play random lines at the terminal's client until the game is over."""
    while bob.room is None or bob.room.phase is not Phase.OVER:
        room = bob.room
        state = room.running if room is not None else None
        if room is None or state is None or state.to_move not in room.seats_of("Bob"):
            await asyncio.sleep(0.002)
            continue
        assert state.to_move is not None
        move = state.game.format_move(rng.choice(state.legal_moves()))
        await bob.ask(cmd.Play(0, state.to_move, move, room.ply))


async def check(ada: Visitor, bob: RoomConnection, server: Server, code: str) -> None:
    """Check both pictures against the server's, once nothing is under way any more."""
    async with asyncio.timeout(60):
        while True:
            room = server_room(server, code)
            shown = await ada.page.evaluate("boxroom.picture")
            if bob.room is not None and room.seq == shown["seq"] == bob.room.seq:
                break
            await ada.page.wait_for_timeout(20)
    seen = snapshot(room, Audience.PLAYER)
    assert normal(msgspec.convert(shown, Snapshot)) == normal(seen)
    assert normal(snapshot(bob.room, Audience.PLAYER)) == normal(seen)
    free = await ada.page.evaluate("boxroom.board.board.free.size")
    assert free == 0


def normal(seen: Snapshot) -> Snapshot:
    """Return a snapshot with its `ply` as a number, as the page has it."""
    ply = len(seen.tokens) if seen.ply is None else seen.ply
    return msgspec.structs.replace(seen, ply=ply)


def server_room(server: Server, code: str) -> Room:
    """Return the server's own state of a room."""
    return next(room for room in server._directory.rooms() if room.code == code)
