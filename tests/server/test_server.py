"""The server as a whole: listening, limits on connections, and stopping."""

import asyncio
import multiprocessing
import socket

import pytest
from tests.cases import each
from tests.server.bad_peer import bad_peer
from tests.server.manual_clock import ManualClock
from tests.server.talk import ONE_BOX, lobby
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from boxroom_common.version import VERSION
from boxroom_server.options import Options
from boxroom_server.server import serve


async def fetch(port: int, request: str, host: str = "127.0.0.1") -> tuple[int, str, str]:
    """Return status, headers and body of a plain HTTP response."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(request.replace("\n", "\r\n").encode())
    async with asyncio.timeout(20):
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status = int(head.split()[1]) if head else 0
    return status, head, body


# Listening


async def test_the_health_check_is_plain_http_on_the_same_port() -> None:
    async with lobby() as place:
        for path in ("/healthz", "/healthz?verbose"):
            request = f"GET {path} HTTP/1.1\nHost: localhost\n\n"
            status, head, body = await fetch(place.server.port, request)
            assert (status, body) == (200, "ok\n")
            assert f"Server: boxroom/{VERSION}" in head


@each(
    "request_text, status",
    [
        ("GET / HTTP/1.1\nHost: localhost\nSec-WebSocket-Version: 13\nUpgrade: h2c\n\n", 426),
        ("GET /healthz/no HTTP/1.1\nHost: localhost\n\n", 404),
        ("POST / HTTP/1.1\nHost: localhost\n\n", 405),
        ("nonsense\n\n", 400),
        ("GET / HTTP/1.1\nHost: localhost\n" + "X: y\n" * 1000 + "\n", 431),
    ],
)
async def test_who_speaks_something_else_is_told_or_left_and_nobody_is_disturbed(
    request_text: str, status: int
) -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        answered, _, _ = await fetch(place.server.port, request_text)
        assert answered in (status, 0)
        await ada.do("say", text="hello")


async def test_a_port_that_is_taken_is_an_error() -> None:
    async with lobby() as place:
        with pytest.raises(OSError, match="another program does"):
            async with serve(Options(host="127.0.0.1", port=place.server.port)):
                pass


async def test_all_addresses_have_the_same_port() -> None:
    async with serve(Options(port=0), clock=ManualClock()) as server:
        assert server._listener is not None
        ports = {it.getsockname()[1] for it in server._listener.sockets}
        assert ports == {server.port}
        request = "GET /healthz HTTP/1.1\nHost: localhost\n\n"
        for it in server._listener.sockets:
            host = "::1" if it.family == socket.AF_INET6 else "127.0.0.1"
            assert (await fetch(server.port, request, host))[0] == 200


async def test_two_servers_have_nothing_to_do_with_one_another() -> None:
    async with lobby() as one, lobby() as other:
        ada = await one.create("Ada")
        bob = await other.call("Bob")
        assert await bob.refusal("join_room", room="attic") == "no_such_room"
        await ada.do("say", text="hello")


async def test_compression_is_off_whatever_a_client_offers() -> None:
    async with (
        lobby() as place,
        connect(f"ws://127.0.0.1:{place.server.port}", compression="deflate") as client,
    ):
        assert client.protocol.extensions == []


# Limits


async def test_an_address_has_only_so_many_connections() -> None:
    async with lobby(connections_per_address=3) as place:
        talks = [await place.call(name) for name in ("Ada", "Bob", "Cy")]
        with pytest.raises(InvalidStatus) as refused:
            await place.connect()
        response = refused.value.response
        assert response.status_code == 429
        assert b"at most 3 connections" in response.body
        healthy = await fetch(place.server.port, "GET /healthz HTTP/1.1\nHost: localhost\n\n")
        assert healthy[0] == 200
        await talks[0].hang_up()
        await place.call("Dan")


async def test_connections_that_were_refused_or_ended_are_not_counted() -> None:
    async with lobby(connections_per_address=1) as place:
        for _ in range(3):
            ada = await place.call("Ada")
            with pytest.raises(InvalidStatus):
                await place.connect()
            await ada.hang_up()
        await place.call("Ada")


async def test_many_handshakes_at_once_are_counted_too() -> None:
    async with lobby(connections_per_address=5) as place:
        outcomes = await asyncio.gather(
            *(place.connect() for _ in range(20)), return_exceptions=True
        )
        assert sum(isinstance(outcome, InvalidStatus) for outcome in outcomes) == 15


# Stopping


async def test_members_are_told_when_the_server_stops() -> None:
    async with lobby() as place:
        ada, stranger = await place.create("Ada"), await place.connect()
        stopping = asyncio.ensure_future(place.server.stop())
        for talk in (ada, stranger):
            assert await talk.close_code() == (1012, "the server is stopping")
        (notice,) = [it for it in ada.heard if it["type"] == "notice"]
        assert notice["code"] == "stopping"
        assert stranger.heard == []  # the first message is a welcome, or none
        await stopping
        with pytest.raises(ConnectionRefusedError):
            await place.connect()


class NotingClock(ManualClock):
    """A clock that notes for how long it is asked to sleep."""

    def __init__(self) -> None:
        super().__init__()
        self._sleeps: asyncio.Queue[float] = asyncio.Queue()

    async def sleep(self, delay_s: float) -> None:
        self._sleeps.put_nowait(delay_s)
        await super().sleep(delay_s)

    async def until_asked_for(self, delay_s: float) -> None:
        async with asyncio.timeout(20):
            while await self._sleeps.get() != delay_s:
                pass


async def test_it_is_unused_some_time_after_the_last_connection() -> None:
    clock = NotingClock()
    async with lobby(clock=clock) as place:
        ada = await place.call("Ada")
        unused = asyncio.ensure_future(place.server.wait_until_unused(600))
        clock.advance(10_000)
        assert not unused.done()
        await ada.hang_up()
        await clock.until_asked_for(600)
        clock.advance(599)
        await (await place.call("Bob")).hang_up()  # comes and goes
        clock.advance(1)
        await clock.until_asked_for(600)
        assert not unused.done()
        clock.advance(600)
        async with asyncio.timeout(20):
            await unused


async def test_the_port_is_free_again_and_can_be_taken_at_once() -> None:
    async with lobby() as place:
        port = place.server.port
        await place.create("Ada")
    async with lobby(port=port) as place:
        assert place.server.port == port
        ada = await place.call("Ada")
        assert (await ada.ask("list_rooms"))["rooms"] == []


async def test_stopping_while_bots_think_ends_their_processes() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings={"options": {"rows": 20, "cols": 20}})
        await ada.do("unseat", seat=0)
        await ada.do("fill", bot="greedy")
        await ada.do("start")
        await ada.event("played")
        assert multiprocessing.active_children()
    assert not multiprocessing.active_children()


async def test_stopping_in_the_middle_of_many_commands() -> None:
    async with lobby(burst=10_000) as place:
        talks = [await place.create("Ada")]
        talks += [await place.join(f"Guest {number}") for number in range(9)]
        for talk in talks:
            for number in range(50):
                await talk.say("say", text=f"line {number}")
        stopping = asyncio.ensure_future(place.server.stop())
        for talk in talks:
            assert (await talk.close_code())[0] == 1012
        await stopping


async def test_stopping_while_passwords_are_checked() -> None:
    async with lobby() as place:
        await place.create("Ada", settings={**ONE_BOX, "private": True}, password="open sesame")
        bob = await place.call("Bob")
        await bob.say("join_room", room="attic", password="open sesame")
        cy = await place.call("Cy")
        await cy.say(
            "create_room", token="0123456789", settings={"private": True}, password="please"
        )
        await cy.connection.ping()
        stopping = asyncio.ensure_future(place.server.stop())
        for talk in (bob, cy):
            assert (await talk.close_code())[0] == 1012
        await stopping
        assert len(place.server._directory) == 1


async def test_stopping_waits_for_nobody_who_has_not_shaken_hands() -> None:
    async with (
        lobby(hello_s=1000.0, drain_s=1000.0) as place,
        bad_peer(place.server.port) as silent,
        bad_peer(place.server.port) as slow,
    ):
        await slow.send_raw(b"GET / HTTP/1.1\r\n")
        await place.call("Ada")
        async with asyncio.timeout(20):
            await place.server.stop()
        assert await silent.hear_all() == []


async def test_stopping_waits_only_so_long_for_who_reads_nothing() -> None:
    async with lobby(drain_s=1000.0, unread_bytes=60_000, chat_chars=4000, burst=9999) as place:
        place.limit_send_buffers()
        ada = await place.create("Ada")
        async with bad_peer(place.server.port) as eve, bad_peer(place.server.port) as fay:
            for peer, name in ((eve, "Eve"), (fay, "Fay")):
                await peer.open(name)
                await peer.say(type="join_room", id=1, room="attic", watch=True)
                await ada.event("joined", member=name)
            while not any(it.connection.is_closing for it in place.server._sessions):
                await ada.do("say", text="x" * 4000)
            stopping = asyncio.ensure_future(place.server.stop())
            assert (await ada.close_code())[0] == 1012
            assert not stopping.done()
            place.clock.advance(1000)
            async with asyncio.timeout(20):
                await stopping


async def test_stopping_waits_only_so_long_for_who_says_goodbye_and_stays() -> None:
    async with lobby(drain_s=1000.0) as place, bad_peer(place.server.port) as eve:
        await eve.open("Eve")
        await eve.send_raw(b"\x88\x82\x00\x00\x00\x00\x03\xe8")  # close, 1000, masked with zeros
        ada = await place.create("Ada")
        stopping = asyncio.ensure_future(place.server.stop())
        assert (await ada.close_code())[0] == 1012
        place.clock.advance(1000)
        async with asyncio.timeout(20):
            await stopping


async def test_stopping_twice_does_nothing_more() -> None:
    async with lobby() as place:
        await place.create("Ada")
        await place.server.stop()
