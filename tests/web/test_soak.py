"""Random games of a page and a terminal's client with a network that fails.

After each game both pictures of the room equal the server's.
"""

import asyncio
import random

import msgspec
import pytest
from playwright.async_api import Browser
from tests.client.cutting_proxy import Allowance, CuttingProxy, cutting_proxy
from tests.client.update_reader import quick_backoff
from tests.web.browser import Visitor, serving, visitor

from boxroom_client.link.connection import Join, RoomConnection
from boxroom_client.profile.identity import Identity
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import Snapshot, snapshot
from boxroom_server.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")

CUTS_IN_A_GAME = 6

PLAY = """
() => {
  const page = globalThis.boxroom;
  const random = (items) => items[Math.floor(Math.random() * items.length)];
  const move = () => {
    const { picture, playing, you } = page.state;
    const isMine = picture?.phase === 'playing' && picture.seats[picture.to_move].member === you;
    if (isMine && playing === null) {
      page.dispatch({ type: 'play', move: random([...page.board.board.drawing.free]) });
    }
  };
  const { dispatch } = page;
  page.dispatch = (event) => {
    dispatch.call(page, event);
    // As when a phone wakes; else a page whose connections never last waits longer and longer.
    if (event.update?.kind === 'offline') page.link.wake();
    queueMicrotask(move); // once the board shows the update
  };
}
"""
"""Has the page play random lines, at its updates."""


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
        code = str(await ada.page.evaluate("boxroom.state.picture.room"))
        identity = Identity("Bob", "the secret of Bob")
        bob = RoomConnection(proxy.address, identity, Join(code), backoff=quick_backoff())
        async with bob:
            await ada.page.evaluate(PLAY)
            terminal = asyncio.create_task(play_on(bob, rng))
            for number in range(games):
                await play(ada, bob, proxy, rng, number + 1)
                await check(ada, bob, server, code)
            assert proxy.used_up > 0
        await terminal
        ada.forgive_failures()


async def play(
    ada: Visitor, bob: RoomConnection, proxy: CuttingProxy, rng: random.Random, number: int
) -> None:
    """Play game `number` to its end, with cuts after random numbers of bytes."""
    await ada.press("Start the game" if number == 1 else "Rematch")
    if number > 1:
        await bob.ask(cmd.Rematch(0))
    proxy.allow(
        rng.choice([Allowance(up=rng.randrange(2_000)), Allowance(down=rng.randrange(12_000))])
        for _ in range(CUTS_IN_A_GAME)
    )
    proxy.cut()
    await ada.page.wait_for_function(
        """number => {
          const { game_number: shown, phase } = boxroom.state.picture;
          return shown === number && phase === 'over';
        }""",
        arg=number,
    )
    proxy.hold()
    proxy.cut()


async def play_on(bob: RoomConnection, rng: random.Random) -> None:
    """Play random lines at the terminal's client, at its updates, until it leaves."""
    async for _ in bob.updates():
        room = bob.room
        state = room.running if room is not None else None
        if room is None or state is None or state.to_move not in room.seats_of("Bob"):
            continue
        assert state.to_move is not None
        move = state.game.format_move(rng.choice(state.legal_moves()))
        await bob.ask(cmd.Play(0, state.to_move, move, room.ply))


async def check(ada: Visitor, bob: RoomConnection, server: Server, code: str) -> None:
    """Check both pictures against the server's, once both have said that they are back."""
    assert await ada.page.evaluate("boxroom.link.command({ type: 'say', text: 'well played' })")
    async with asyncio.timeout(60):
        said = await bob.ask(cmd.Say(0, "well played"))
    await ada.page.wait_for_function("seq => boxroom.state.picture.seq === seq", arg=said.seq)
    seen = snapshot(server_room(server, code), Audience.PLAYER)
    shown = msgspec.convert(await ada.page.evaluate("boxroom.state.picture"), Snapshot)
    assert normal(shown) == normal(seen)
    assert bob.room is not None
    assert normal(snapshot(bob.room, Audience.PLAYER)) == normal(seen)
    assert await ada.page.evaluate("boxroom.board.board.drawing.free.size") == 0


def normal(seen: Snapshot) -> Snapshot:
    """Return a snapshot with its `ply` as a number, as the page has it."""
    ply = len(seen.tokens) if seen.ply is None else seen.ply
    return msgspec.structs.replace(seen, ply=ply)


def server_room(server: Server, code: str) -> Room:
    """Return the server's own state of a room."""
    host = server._directory.find(code).host
    assert host is not None
    return host.room
