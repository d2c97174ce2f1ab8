"""The metrics server: an address of its own for monitoring programs."""

import asyncio
import socket
from contextlib import AsyncExitStack

import pytest
from tests.cases import each
from tests.server.bad_peer import bad_peer
from tests.server.http_requests import http_request, metrics_port
from tests.server.talk import lobby, until
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from boxroom_server.ops.metrics_server import MOST_CONNECTIONS
from boxroom_server.options import Options
from boxroom_server.server import serve


async def test_without_the_options_there_is_none() -> None:
    async with lobby() as place:
        assert place.server.metrics_address is None


async def test_everything_is_there_and_metrics_are_nowhere_else() -> None:
    async with lobby(metrics_host="127.0.0.1") as place:
        for path in ("/healthz", "/readyz", "/metrics"):
            assert (await http_request(metrics_port(place), path)).status == 200
        assert (await http_request(place.server.port, "/metrics")).status == 404
        for path in ("/healthz", "/readyz"):  # for load balancers
            assert (await http_request(place.server.port, path)).status == 200


async def test_a_port_alone_is_one_of_the_loopback_interface() -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    async with lobby(metrics_port=port) as place:
        assert place.server.metrics_address == ("127.0.0.1", port)


@each("path", ["/", "/nothing"])
async def test_nothing_else_is_there(path: str) -> None:
    async with lobby(metrics_host="127.0.0.1") as place:
        assert (await http_request(metrics_port(place), path)).status == 404


async def test_nobody_plays_there() -> None:
    async with lobby(metrics_host="127.0.0.1") as place:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{metrics_port(place)}/")
        assert refused.value.response.status_code == 404


async def test_a_client_has_only_so_long_to_ask() -> None:
    async with lobby(metrics_host="127.0.0.1", handshake_s=7.0) as place:
        async with bad_peer(metrics_port(place)) as slow:
            await slow.send_raw(b"GET /metrics HT")
            pending = place.server._metrics_server._handshakes.pending
            await until(lambda: any(each._received for each in pending))
            place.clock.advance(7)
            assert await slow.hear_line() == "HTTP/1.1 408 Request Timeout"
        assert (await http_request(metrics_port(place), "/healthz")).status == 200


async def test_so_many_clients_are_answered_at_once_and_no_player_is_kept_out() -> None:
    async with lobby(metrics_host="127.0.0.1", connections=1) as place, AsyncExitStack() as flood:
        port = metrics_port(place)
        for _ in range(MOST_CONNECTIONS):
            await flood.enter_async_context(bad_peer(port))
        assert (await http_request(port, "/metrics")).status == 503
        await place.create("Ada")


async def test_stopping_waits_for_none_of_them() -> None:
    async with (
        lobby(metrics_host="127.0.0.1", handshake_s=1000.0) as place,
        bad_peer(metrics_port(place)) as silent,
        bad_peer(metrics_port(place)) as answered,
    ):
        await answered.send_raw(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await http_request(metrics_port(place), "/healthz")
        await place.server.stop()
        assert await silent.hear_all() == []


async def test_a_server_that_stops_tells_so_until_the_end() -> None:
    async with (
        lobby(metrics_host="127.0.0.1", drain_s=1000.0) as place,
        bad_peer(place.server.port) as eve,
    ):
        await eve.open("Eve")
        await eve.send_raw(b"\x88\x82\x00\x00\x00\x00\x03\xe8")  # goodbye, and she stays
        ada = await place.create("Ada")
        stopping = asyncio.ensure_future(place.server.stop())
        assert (await ada.close_code())[0] == 1012
        port = metrics_port(place)
        answer = await http_request(port, "/readyz")
        assert (answer.status, answer.body) == (503, "Not ready: the server is stopping.\n")
        place.clock.advance(1000)
        await stopping
        with pytest.raises(ConnectionRefusedError):
            await http_request(port, "/readyz")


async def test_a_server_that_cannot_start_leaves_no_such_address_behind() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        reserved.close()
        options = Options(host="127.0.0.1", port=taken.getsockname()[1], metrics_port=port)
        with pytest.raises(OSError, match="another program does"):
            async with serve(options):
                pass
        socket.create_server(("127.0.0.1", port)).close()
