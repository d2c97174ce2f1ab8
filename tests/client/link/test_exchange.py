"""Connections that swallow packets without closing, and servers that are only slow."""

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from tests.client.cutting_proxy import CuttingProxy, cutting_proxy
from tests.client.test_connection_to_strange_servers import Strange, strange_server
from tests.client.update_reader import LIMIT_S, UpdateReader, quick_backoff

from boxroom_client.link.backoff import Backoff
from boxroom_client.link.connection import Create, Join, RoomConnection, list_rooms
from boxroom_client.link.conversation import Conversation
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.sockets import web_socket
from boxroom_client.link.updates import (
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    SessionEnded,
)
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.messages import Done
from boxroom_server.options import Options
from boxroom_server.server import Server, serve

ANN, BOB = Identity.make("Ann"), Identity.make("Bob")
KIWA = Create(Settings(options={"rows": 2, "cols": 2}), room="kiwa")


class Clock:
    """A clock that stands still until the test lets a wait for an answer end."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.waits_s: asyncio.Queue[float] = asyncio.Queue()
        """Waits for answers that have begun."""
        self.passing = asyncio.Semaphore(0)
        """Released to let one wait end."""
        self.pulses: asyncio.Queue[asyncio.Event] = asyncio.Queue()
        """Pauses between pings that have begun; setting one ends it."""

    async def wait(self, seconds: float) -> None:
        """Wait until time passes, and let `seconds` pass."""
        self.waits_s.put_nowait(seconds)
        await self.passing.acquire()
        self.now_s += seconds

    async def rest(self, seconds: float) -> None:
        """Wait for the end of a pause between pings, or for ever for silence."""
        ended = asyncio.Event()
        if seconds == Backoff().pulse_s:
            self.pulses.put_nowait(ended)
        await ended.wait()

    def backoff(self) -> Backoff:
        """Return a backoff by this clock."""
        return replace(quick_backoff(), now=lambda: self.now_s, wait=self.wait, rest=self.rest)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serve(Options(host="127.0.0.1", port=0, pace_s=0)) as server:
        yield server


@pytest.fixture
async def proxy(server: Server) -> AsyncIterator[CuttingProxy]:
    async with cutting_proxy(server.port) as proxy:
        yield proxy


@pytest.fixture
async def ann(server: Server) -> AsyncIterator[RoomConnection]:
    """Return the connection of the host of a room, which has no trouble."""
    async with RoomConnection(
        Address("127.0.0.1", server.port), ANN, KIWA, backoff=quick_backoff()
    ) as connection:
        yield connection


async def test_a_connection_that_swallows_packets_is_replaced(
    ann: RoomConnection, proxy: CuttingProxy
) -> None:
    clock, others = Clock(), UpdateReader(ann)
    async with RoomConnection(proxy.address, BOB, Join("kiwa"), backoff=clock.backoff()) as bob:
        reader = UpdateReader(bob)
        await others.until(EventApplied, lambda update: isinstance(update.event, ev.Joined))
        proxy.stall()
        said = [asyncio.create_task(bob.ask(cmd.Say(1, text))) for text in ("one", "two")]
        clock.passing.release()
        async with asyncio.timeout(LIMIT_S):
            assert all(isinstance(answer, Done) for answer in await asyncio.gather(*said))
        assert clock.now_s == 5.0
        assert proxy.connections == 2
        await reader.until(ConnectionRestored)
        await reader.until_said("two")
        await others.until_said("two")
        proxy.go_on()  # what was swallowed arrives late
        await ann.ask(cmd.Say(1, "three"))
        await reader.until_said("three")
        await others.until_said("three")
    assert reader.said() == others.said() == ["one", "two", "three"]
    assert not any(isinstance(update, ConnectionLost | SessionEnded) for update in reader.read)
    assert not any(
        isinstance(update, EventApplied) and isinstance(update.event, ev.Dropped | ev.Returned)
        for update in others.read
    )


async def test_a_move_that_was_done_unheard_is_done_once(
    ann: RoomConnection, proxy: CuttingProxy
) -> None:
    clock, others = Clock(), UpdateReader(ann)
    async with RoomConnection(proxy.address, BOB, Join("kiwa"), backoff=clock.backoff()) as bob:
        await ann.ask(cmd.Start(1))
        await ann.ask(cmd.Play(1, 0, "h0", 0))
        await UpdateReader(bob).until(EventApplied, lambda u: isinstance(u.event, ev.Played))
        proxy.mute()
        asked = asyncio.create_task(bob.ask(cmd.Play(1, 1, "h1", 1)))
        for _ in range(2):
            await others.until(EventApplied, lambda u: isinstance(u.event, ev.Played))
        proxy.open()
        clock.passing.release()
        async with asyncio.timeout(LIMIT_S):
            assert isinstance(await asked, Done)
        assert bob.room is not None
        assert bob.room.ply == 2
        assert proxy.connections == 2


async def test_an_answer_that_comes_meanwhile_counts(
    ann: RoomConnection, proxy: CuttingProxy
) -> None:
    clock, second_opened = Clock(), asyncio.Event()

    class Late(RoomConnection):
        async def _open_conversation(self, name: str | None = None) -> Conversation:
            conversation = await super()._open_conversation(name)
            proxy.go_on()
            await answered
            second_opened.set()
            return conversation

    async with Late(proxy.address, BOB, Join("kiwa"), backoff=clock.backoff()) as bob:
        reader = UpdateReader(bob)
        await reader.until(EnteredRoom)
        proxy.stall()
        answered = asyncio.create_task(bob.ask(cmd.Say(1, "slowly")))
        clock.passing.release()
        async with asyncio.timeout(LIMIT_S):
            assert isinstance(await answered, Done)
            await second_opened.wait()
        await ann.ask(cmd.Say(1, "and then"))
        await reader.until_said("and then")
        assert proxy.connections == 2
        assert not any(isinstance(update, ConnectionRestored) for update in reader.read)


async def test_a_server_that_answers_pings_is_only_slow() -> None:
    clock, answer = Clock(), asyncio.Event()

    async def be_slow(strange: Strange) -> None:
        await strange.let_in()
        asked = await strange.hear()
        assert isinstance(asked, cmd.Say)
        await answer.wait()
        await strange.say(Done(asked.id, 3))
        await strange.wait()

    async with (
        asyncio.timeout(LIMIT_S),
        strange_server(be_slow) as address,
        RoomConnection(address, ANN, Join("kiwa"), backoff=clock.backoff()) as ann,
    ):
        asked = asyncio.create_task(ann.ask(cmd.Say(1, "hello")))
        assert await clock.waits_s.get() == 5.0
        clock.now_s = 4.0
        (await clock.pulses.get()).set()
        await clock.pulses.get()  # the server has answered the ping
        clock.now_s = 0.0
        clock.passing.release()
        assert await clock.waits_s.get() == 4.0
        answer.set()
        assert await asked == Done(2, 3)


async def test_a_handshake_that_is_swallowed_is_repeated_beside_it(
    server: Server, proxy: CuttingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_socket, "SECOND_S", 0.05)
    proxy.swallow_next()
    assert await list_rooms(proxy.address, ANN) == ()
    assert proxy.connections == 2


async def test_a_name_whose_first_address_swallows_packets_is_reached_by_its_second(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as silent, socket.socket() as first, socket.socket() as second:
        silent.bind(("127.0.0.2", server.port))
        silent.listen(0)
        for filling in (first, second):  # the system drops what comes after these
            filling.setblocking(False)
            filling.connect_ex(silent.getsockname())
        addresses = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", (host, server.port))
            for host in ("127.0.0.2", "127.0.0.1")
        ]

        async def resolve(*_: object, **__: object) -> list[Any]:
            return addresses

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
        async with asyncio.timeout(LIMIT_S):
            assert await list_rooms(Address("both.test", server.port), ANN) == ()


async def test_of_two_handshakes_that_fail_the_first_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web_socket, "SECOND_S", 0.05)
    arrived: list[asyncio.StreamWriter] = []

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        arrived.append(writer)
        if len(arrived) == 2:
            for number, each in enumerate(arrived):
                each.write(b"HTTP/1.1 50%d No\r\nContent-Length: 0\r\n\r\n" % number)
                each.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as listener:
        address = Address("127.0.0.1", listener.sockets[0].getsockname()[1])
        with pytest.raises(Unreachable, match="HTTP 500"):
            await list_rooms(address, ANN)
