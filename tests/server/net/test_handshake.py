"""Handshakes: their time limit, size limit and number, proxies and origins."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from tests.cases import each
from tests.server.bad_peer import bad_peer
from tests.server.talk import Lobby, lobby, until
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from boxroom_server.net.admission import MOST_REJECTED
from boxroom_server.net.clients import HANDSHAKE_WORK
from boxroom_server.net.handshake import KEPT_S
from boxroom_server.web.assets import page_assets

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def pending_handshakes(place: Lobby) -> int:
    """Return the number of connections whose request isn't complete."""
    return len(place.server._handshakes.pending)


async def test_a_request_may_come_one_byte_after_the_other() -> None:
    async with lobby() as place, bad_peer(place.server.port) as slow:
        for at in range(len(REQUEST)):
            await slow.send_raw(REQUEST[at : at + 1])
        assert (await slow.hear_line()).startswith("HTTP/1.1 101 ")


async def test_but_not_forever_and_nobody_waits_for_it() -> None:
    async with lobby(handshake_s=7.0) as place, bad_peer(place.server.port) as slow:
        ada = await place.create("Ada")
        await slow.send_raw(REQUEST[:20])
        await until(lambda: pending_handshakes(place) == 1)
        place.clock.advance(6.9)
        await ada.do("say", text="does anybody wait?")
        assert pending_handshakes(place) == 1
        place.clock.advance(0.1)
        assert await slow.hear_line() == "HTTP/1.1 408 Request Timeout"
        await ada.do("say", text="nobody does")


async def test_who_says_nothing_at_all_is_cut() -> None:
    async with lobby(handshake_s=7.0) as place, bad_peer(place.server.port) as silent:
        await until(lambda: pending_handshakes(place) == 1)
        place.clock.advance(7)
        assert await silent.hear_all() == []


async def test_the_time_for_the_request_is_over_with_the_request() -> None:
    async with lobby(handshake_s=7.0) as place:
        ada = await place.create("Ada")
        place.clock.advance(7)
        await ada.do("say", text="still here")


@each("end", [b"", b"\r\n\r\n"])
async def test_the_head_of_a_request_has_a_limit(end: bytes) -> None:
    async with lobby(header_bytes=1000) as place, bad_peer(place.server.port) as eve:
        ada = await place.create("Ada")
        await eve.send_raw(REQUEST[:16] + b"Cookie: " + b"x" * (977 + 20) + end)
        assert await eve.hear_line() == "HTTP/1.1 431 Request Header Fields Too Large"
        await ada.do("say", text="hello")


@each("start", [b"\x16\x03\x01\x02\x00", b"get / HTTP/1.1", b"\r\n", b"\x00"])
async def test_what_is_no_request_from_its_first_byte_on_is_not_waited_for(start: bytes) -> None:
    async with lobby() as place, bad_peer(place.server.port) as stranger:
        await stranger.send_raw(start)
        assert await stranger.hear_line() == "HTTP/1.1 400 Bad Request"


async def test_what_comes_behind_the_head_does_not_count() -> None:
    async with lobby(header_bytes=len(REQUEST)) as place, bad_peer(place.server.port) as eve:
        await eve.send_raw(REQUEST + b"\x81\xfe\x07\xd0" + b"x" * 4 + b" " * 2000)
        assert (await eve.hear_line()).startswith("HTTP/1.1 101 ")


async def test_connections_count_before_they_have_said_anything() -> None:
    async with (
        lobby(connections_per_address=2) as place,
        bad_peer(place.server.port) as silent,
        bad_peer(place.server.port) as slow,
    ):
        await slow.send_raw(b"GET")
        await until(lambda: pending_handshakes(place) == 2)
        with pytest.raises(InvalidStatus) as refused:
            await place.connect()
        assert refused.value.response.status_code == 429
        silent.reset()
        await until(lambda: pending_handshakes(place) == 1)
        await place.call("Ada")


async def test_a_server_has_only_so_many_connections() -> None:
    async with lobby(connections=2) as place:
        ada, _ = await place.create("Ada"), await place.call("Bob")
        with pytest.raises(InvalidStatus) as refused:
            await place.connect()
        assert refused.value.response.status_code == 503
        assert b"this server has its 2 connections" in refused.value.response.body
        await ada.do("say", text="hello")


async def test_a_flood_of_connections_is_cut_and_disturbs_nobody() -> None:
    async with lobby(connections=5) as place, AsyncExitStack() as flood:
        ada = await place.create("Ada")
        peers = [await flood.enter_async_context(bad_peer(place.server.port)) for _ in range(150)]
        assert [await peer.hear_all() for peer in peers[4 + MOST_REJECTED :]] == [[]] * (
            146 - MOST_REJECTED
        )
        assert pending_handshakes(place) == 4 + MOST_REJECTED
        await ada.do("say", text="what a crowd")


async def test_a_move_does_not_wait_until_all_of_a_crowd_are_in() -> None:
    async with lobby() as place, AsyncExitStack() as crowd:
        ada = await place.create("Ada")
        peers = [await crowd.enter_async_context(bad_peer(place.server.port)) for _ in range(60)]
        await until(lambda: pending_handshakes(place) == 60)
        for peer in peers:
            await peer.send_raw(REQUEST)
        await ada.do("say", text="come in")
        assert pending_handshakes(place) > 0
        assert [await peer.hear_line() for peer in peers] == [
            "HTTP/1.1 101 Switching Protocols"
        ] * 60


async def test_of_a_crowd_at_one_address_each_waits_for_credit() -> None:
    async with lobby() as place, AsyncExitStack() as crowd:
        await place.connect(address="127.0.0.2")
        peers = [await crowd.enter_async_context(bad_peer(place.server.port)) for _ in range(60)]
        await until(lambda: pending_handshakes(place) == 60)
        client = place.server._admission.clients.at("127.0.0.1")
        for peer in peers:
            await peer.send_raw(REQUEST)
        for peer in peers:
            assert await peer.hear_line() == "HTTP/1.1 101 Switching Protocols"
            assert client.credit > -HANDSHAKE_WORK


# Several requests

FILE = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST_FILE = b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
OK = "HTTP/1.1 200 OK"


async def test_a_connection_may_ask_for_several_files_and_then_for_a_websocket() -> None:
    async with lobby() as place, bad_peer(place.server.port) as guest:
        for _ in range(3):
            await guest.send_raw(FILE)
            assert await guest.hear_head() == OK
        await guest.send_raw(REQUEST)
        assert (await guest.hear_line()).startswith("HTTP/1.1 101 ")


async def test_requests_that_come_together_are_answered_in_order() -> None:
    async with lobby() as place, bad_peer(place.server.port) as guest:
        await guest.send_raw(FILE + FILE + LAST_FILE + FILE)
        assert (await guest.hear_bytes()).count(OK.encode()) == 3


async def test_a_connection_that_asks_for_no_other_file_is_closed_soon() -> None:
    async with lobby(handshake_s=60.0) as place, bad_peer(place.server.port) as guest:
        await guest.send_raw(FILE)
        assert await guest.hear_head() == OK
        place.clock.advance(KEPT_S - 0.1)
        assert pending_handshakes(place) == 1
        place.clock.advance(0.1)
        assert await guest.hear_bytes() == b""
        await until(lambda: pending_handshakes(place) == 0)


async def test_all_requests_of_a_connection_have_one_time_limit() -> None:
    async with lobby(handshake_s=7.0) as place, bad_peer(place.server.port) as slow:
        for _ in range(3):
            await slow.send_raw(FILE)
            assert await slow.hear_head() == OK
            place.clock.advance(2.0)
        await slow.send_raw(FILE[:10])
        await until(lambda: any(it._received for it in place.server._handshakes.pending))
        place.clock.advance(1.0)
        assert await slow.hear_line() == "HTTP/1.1 408 Request Timeout"


async def test_who_takes_no_answer_gets_no_other_one() -> None:
    path = next(path for path in page_assets().by_path if path.endswith("/main.js"))
    size = len(page_assets().by_path[path].body)
    async with lobby() as place:
        place.limit_send_buffers()
        async with bad_peer(place.server.port) as greedy:
            await greedy.send_raw(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 200)
            await until(lambda: any(waiting_bytes(place)))
            for _ in range(100):
                await asyncio.sleep(0)
                assert max(waiting_bytes(place)) <= size + 2_000


def waiting_bytes(place: Lobby) -> list[int]:
    """Return the bytes that each unfinished handshake has not sent yet."""
    transports = [handshake._transport for handshake in place.server._handshakes.pending]
    return [it.get_write_buffer_size() for it in transports if it is not None]


async def test_a_connection_of_a_proxy_is_for_one_request() -> None:
    async with lobby(trust_proxy="127.0.0.0/8") as place, bad_peer(place.server.port) as proxy:
        await proxy.send_raw(FILE + FILE)
        assert (await proxy.hear_bytes()).count(OK.encode()) == 1


# Behind proxies


async def connected_for(place: Lobby, forwarded: str) -> None:
    """Connect as a proxy does for a client; the connection stays open."""
    place.keep(
        await connect(
            f"ws://127.0.0.1:{place.server.port}",
            additional_headers={"X-Forwarded-For": forwarded},
        )
    )


async def test_clients_of_a_trusted_proxy_are_counted_one_by_one() -> None:
    async with lobby(trust_proxy="127.0.0.0/8", connections_per_address=1) as place:
        await connected_for(place, "192.0.2.1")
        await connected_for(place, "192.0.2.2")
        with pytest.raises(InvalidStatus) as refused:
            await connected_for(place, "192.0.2.1")
        assert refused.value.response.status_code == 429
        with pytest.raises(InvalidStatus):
            await connected_for(place, "198.51.100.1, 192.0.2.2")


async def test_a_header_from_anybody_else_is_ignored() -> None:
    async with lobby(trust_proxy="10.0.0.0/8", connections_per_address=1) as place:
        await connected_for(place, "192.0.2.1")
        with pytest.raises(InvalidStatus):
            await connected_for(place, "192.0.2.2")


# Pages


async def test_a_page_gets_in_only_if_it_is_on_the_list() -> None:
    async with lobby(origins="https://example.org") as place:
        url = f"ws://127.0.0.1:{place.server.port}"
        async with connect(url, additional_headers={"Origin": "https://example.org"}):
            await place.call("Ada")
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, additional_headers={"Origin": "https://evil.example"})
        assert refused.value.response.status_code == 403
        assert b"lets no page of that origin in" in refused.value.response.body
