"""Clients that connect within a second and all reconnect at once; readers that stop reading.

The clients are in the test's process and the server is in one of its own. The times are printed
and not asserted: every client has to get in and receive everything, and to leave nothing behind.
"""

import asyncio
import resource
import socket
import time
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.faults.resources import open_sockets, resident_bytes
from tests.faults.server_process import NO_LIMITS, ServerProcess, free_port
from tests.server.bad_peer import bad_peer
from tests.server.talk import Lobby, Talk, lobby, say_hello, until
from websockets.asyncio.client import connect

IN_A_ROOM = 10
PER_ADDRESS = 200
"""Connections from one address; the server allows 256."""

DESCRIPTORS = 2_500
LIMIT_S = 120.0
SLOW = 20
LINE = "x" * 4000


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """Raise the limit of descriptors, here and in the server that is started from here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard not in (resource.RLIM_INFINITY, -1) and hard < DESCRIPTORS:
        pytest.skip(f"impossible here: a process may have {hard} descriptors, not {DESCRIPTORS}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, DESCRIPTORS), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Crowd:
    """All clients, in rooms of ten; the first of each room has made it."""

    def __init__(self, port: int, people: int) -> None:
        self._port = port
        self._people = people
        self.talks: list[Talk] = []

    async def connect(self, number: int) -> Talk:
        """Return client `number`, connected from one of several addresses and welcomed."""
        address = f"127.0.0.{2 + number // PER_ADDRESS}"
        connection = await connect(
            f"ws://127.0.0.1:{self._port}",
            compression=None,
            max_size=None,
            open_timeout=LIMIT_S,
            local_addr=(address, 0),
        )
        talk = Talk(connection, f"Person {number}")
        await say_hello(talk)
        await talk.hear()
        return talk

    async def connect_and_join(self, number: int) -> Talk:
        """Come at the moment that is one's own within a second, and go into one's room."""
        await asyncio.sleep(number / self._people)
        talk = await self.connect(number)
        await talk.do("join_room", room=_room_of(number))
        return talk

    async def make_rooms(self) -> None:
        """Make the rooms, by clients that stay there."""
        for number in range(0, self._people, IN_A_ROOM):
            talk = await self.connect(number)
            await talk.do("create_room", token=f"token of {number}", room=_room_of(number))
            self.talks.append(talk)

    async def join(self) -> None:
        """Have all other clients join, within a second."""
        others = [number for number in range(self._people) if number % IN_A_ROOM]
        self.talks += await asyncio.gather(*map(self.connect_and_join, others))

    async def chat_in_all_rooms(self) -> None:
        """Have a member of every room say something, and all members of the room receive it."""
        rooms: dict[str, list[Talk]] = {}
        for talk in self.talks:
            rooms.setdefault(_room_of(_number_of(talk)), []).append(talk)
        await asyncio.gather(*map(_chat, rooms.values()))

    async def reconnect(self, lost: Talk) -> Talk:
        """Reconnect and resume, with nothing missed."""
        assert lost.room is not None
        talk = await self.connect(_number_of(lost))
        talk.room = lost.room
        await talk.do(
            "join_room", room=lost.room.code, watch=True, after=lost.room.seq, log=lost.room.log
        )
        assert talk.resumed_after == lost.room.seq
        return talk

    async def reconnect_all(self) -> None:
        """Cut all connections at once, and have all clients come back at once."""
        lost = self.talks
        for talk in lost:
            talk.cut()
        self.talks = list(await asyncio.gather(*map(self.reconnect, lost)))

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(talk.hang_up() for talk in self.talks))


def _number_of(talk: Talk) -> int:
    return int(talk.name.split()[1])


def _room_of(number: int) -> str:
    return f"room {number // IN_A_ROOM}"


async def _chat(room: list[Talk]) -> None:
    seq = await room[0].do("say", text="is everybody here?")
    for talk in room:
        await talk.until_seq(seq)


async def timed(what: str, work: Coroutine[Any, Any, None]) -> None:
    """Wait for `work`, and print how long it took."""
    began_s = time.monotonic()
    async with asyncio.timeout(LIMIT_S):
        await work
    print(f"{what}: {time.monotonic() - began_s:.1f} s")


@pytest.mark.usefixtures("many_descriptors")
@pytest.mark.parametrize("people", [120, pytest.param(2_000, marks=pytest.mark.long)])
async def test_all_come_in_a_second_and_come_back_at_once(tmp_path: Path, people: int) -> None:
    async with ServerProcess(free_port(), tmp_path / "errors", *NO_LIMITS, "--memory") as server:
        crowd = Crowd(server.port, people)
        before = open_sockets(server.pid)
        await crowd.make_rooms()
        await timed(f"{people} join", crowd.join())
        await timed("all hear", crowd.chat_in_all_rooms())
        assert open_sockets(server.pid) == before + people
        await timed("all come back", crowd.reconnect_all())
        await timed("all hear", crowd.chat_in_all_rooms())
        print(f"the server holds {resident_bytes(server.pid) / 2**20:.0f} MiB")
        await crowd.close()
        await until(lambda: open_sockets(server.pid) == before)
        assert await server.stop() == 0
        assert server.logged_errors() == ""


# Readers that stop reading


def take_kernel_buffers_away(place: Lobby) -> None:
    """Make the kernel's send buffers small, so that the server soon has to buffer."""
    for session in place.server._sessions:
        one = session.connection._transport.get_extra_info("socket")
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)


def waiting_bytes(place: Lobby) -> int:
    """Return the bytes that the server buffers for all of its readers."""
    return sum(session.connection.waiting_bytes for session in place.server._sessions)


async def test_twenty_readers_that_stop_while_a_game_goes_on() -> None:
    limit = 60_000
    async with (
        lobby(unread_bytes=limit, chat_chars=len(LINE), burst=100_000) as place,
        AsyncExitStack() as stack,
    ):
        ada = await place.create("Ada", settings={"options": {"rows": 5, "cols": 5}})
        bob = await place.join("Bob")
        for number in range(SLOW):
            peer = await stack.enter_async_context(bad_peer(place.server.port))
            await peer.open(f"Slow {number}")
            await peer.say(type="join_room", id=1, room="attic", watch=True)
            await bob.event("joined", member=f"Slow {number}")
        take_kernel_buffers_away(place)
        await ada.do("start")
        while sum(it.connection.is_closing for it in place.server._sessions) < SLOW:
            await play_and_talk(place, ada, bob)
            assert waiting_bytes(place) <= SLOW * (limit + 2 * len(LINE))
        place.clock.advance(5)
        await bob.event("left", member=f"Slow {SLOW - 1}")
        await until(lambda: waiting_bytes(place) == 0)
        assert set(place.room().members) == {"Ada", "Bob"}
        for talk in (ada, bob):
            await talk.until_seq(place.room().seq)


async def play_and_talk(place: Lobby, ada: Talk, bob: Talk) -> None:
    """Play a move while the game goes on, and say a long line; both players receive both."""
    state = place.room().running
    if state is not None:
        assert state.to_move is not None
        player = (ada, bob)[state.to_move]
        move = state.game.format_move(state.legal_moves()[0])
        await player.until_seq(place.room().seq)
        await player.do("play", seat=state.to_move, move=move, ply=state.ply)
    seq = await ada.do("say", text=LINE)
    await ada.until_seq(seq)
    await bob.until_seq(seq)
