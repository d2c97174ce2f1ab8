"""Discovery of a server on this machine."""

import asyncio
import ipaddress
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.cases import each

from boxroom_client.servers import localhost
from boxroom_client.servers.address import Address
from boxroom_client.servers.discovery import FoundServer
from boxroom_client.servers.localhost import (
    LOCALHOST,
    guests_address,
    local_server,
    with_local_server,
)
from boxroom_engine.wire.messages import PROTOCOL
from boxroom_server.options import Options
from boxroom_server.server import serve

OWN = [ipaddress.ip_interface("127.0.0.1/8"), ipaddress.ip_interface("192.168.1.3/24")]
HERE = FoundServer("Boxroom on this machine", LOCALHOST, PROTOCOL)


async def test_a_server_here_is_found_and_hears_nothing_strange(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serve(Options(host="127.0.0.1", port=0), rng=random.Random(1)) as server:
        address = Address("127.0.0.1", server.port)
        found = await local_server(address, limit_s=20)
    assert found == FoundServer("Boxroom on this machine", address, PROTOCOL)
    assert caplog.text == ""


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[Address]:
    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(converse, "127.0.0.1", 0) as server:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"220 mail ready\r\n",
        b"HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\n",
        b"HTTP/1.1 404 Not Found\r\nServer: boxroom/1.0\r\n\r\n",
        b"x" * 1_000_000,
    ],
    ids=["nothing", "no-http", "other", "not-found", "flood"],
)
async def test_what_is_no_boxroom_server_isnt_found(answer: bytes) -> None:
    async with answering(answer) as address:
        assert await local_server(address, limit_s=20) is None


async def test_where_nothing_answers_nothing_is_found() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # and not listening
        address = Address("127.0.0.1", bound.getsockname()[1])
        assert await local_server(address, limit_s=20) is None


async def test_who_doesnt_answer_in_time_isnt_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = Address("127.0.0.1", silent.getsockname()[1])
        assert await local_server(address, limit_s=0.05) is None


def test_the_server_here_comes_first_and_once() -> None:
    announced = FoundServer("Boxroom on kiwa", Address("192.168.1.3"), PROTOCOL + 1)
    beside = FoundServer("Boxroom on kiwa-2", Address("192.168.1.3", 9001), PROTOCOL)
    other = FoundServer("Boxroom on den", Address("192.168.1.4"), PROTOCOL)
    both = FoundServer("Boxroom on kiwa", LOCALHOST, PROTOCOL + 1)
    assert with_local_server([other, announced, beside], HERE, OWN) == (both, other, beside)
    assert with_local_server([other], HERE, OWN) == (HERE, other)
    assert with_local_server([other, announced], None, OWN) == (other, announced)


async def test_guests_get_an_address_of_the_network_at_which_the_server_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`localhost` stands for an address of a network, which this machine may not have."""
    async with serve(Options(host="127.0.0.1", port=0)) as server:
        here = Address("127.0.0.1", server.port)
        monkeypatch.setattr(localhost, "lan_hosts", lambda: ["no-such.invalid", "localhost"])
        assert await guests_address(here, limit_s=20) == Address("localhost", server.port)
        monkeypatch.setattr(localhost, "lan_hosts", lambda: ["no-such.invalid"])
        assert await guests_address(here, limit_s=20) == here


@each("text", ["192.168.1.5", "example.org", "wss://localhost", "wss://[::1]"])
async def test_other_addresses_are_for_guests_as_they_are(text: str) -> None:
    address = Address.parse(text)
    assert await guests_address(address) == address
