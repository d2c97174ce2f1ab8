"""Limits that HAProxy itself has: connections of a source, time for a request, what a peer says."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.certificates import Authority
from tests.cluster.proxy import HaProxy
from tests.faults.server_process import ServerProcess, free_port
from tests.namespaces import namespaces
from tests.server.talk import Lobby, Talk, lobby, say_hello
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage
from websockets.typing import Origin

BYSTANDER = "127.0.9.9"

MOST_SILENT = 200
"""Connections of one source without a request."""

FEW_FILES = ("prlimit", "--nofile=1024:1024")
"""Command that runs HAProxy with so few open files that it takes less than 500 connections."""

LIMIT_S = 20.0


@asynccontextmanager
async def behind(**options: Any) -> AsyncIterator[tuple[Lobby, HaProxy]]:
    """Run a server with HAProxy before it, which takes it for three."""
    async with (
        lobby(trust_proxy="127.0.0.1") as place,
        HaProxy(free_port(), [place.server.port] * 3, **options) as proxy,
    ):
        yield place, proxy


async def silent(stack: AsyncExitStack, proxy: HaProxy, source: str) -> asyncio.StreamReader | None:
    """Open a connection from `source` that says nothing; None if it is reset at once."""
    try:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", proxy.port, local_addr=(source, 0)
        )
    except ConnectionResetError:
        return None
    stack.callback(writer.close)
    return reader


async def come(place: Lobby, proxy: HaProxy, source: str) -> Talk:
    connection = await connect(f"ws://127.0.0.1:{proxy.port}", local_addr=(source, 0))
    talk = place.keep(connection, "Ada")
    await say_hello(talk)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def ended(reader: asyncio.StreamReader | None) -> bytes:
    """Return what is received until the end: 408 when the time for a request is over."""
    if reader is None:
        return b""
    try:
        async with asyncio.timeout(LIMIT_S):
            return await reader.read()
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(("sources", "each"), [(1, 700), (50, 14)])
async def test_silent_connections_keep_nobody_out_and_are_ended(sources: int, each: int) -> None:
    async with behind(within=FEW_FILES) as (place, proxy), AsyncExitStack() as stack:
        readers = [
            await silent(stack, proxy, f"127.0.1.{source + 1}")
            for source in range(sources)
            for _ in range(each)
        ]
        await come(place, proxy, BYSTANDER)
        answers = await asyncio.gather(*map(ended, readers))
    timed_out = [it for it in answers if it.startswith(b"HTTP/1.1 408 ")]
    assert MOST_SILENT <= len(timed_out) < 500
    assert answers.count(b"") == len(answers) - len(timed_out)


async def test_a_source_has_only_so_many_connections_that_are_used() -> None:
    async with behind(per_source=5) as (place, proxy):
        for _ in range(5):
            await come(place, proxy, "127.0.1.1")
        with pytest.raises((InvalidMessage, ConnectionResetError)):
            await come(place, proxy, "127.0.1.1")
        await come(place, proxy, BYSTANDER)


SOURCES = f"""
import json, socket, sys
from contextlib import suppress

def counted(port, *sources):
    kept = []
    for source in sources:
        for _ in range({MOST_SILENT} // 2 + 10):
            kept.append(socket.create_connection((sys.argv[2 + (":" in source)], port),
                                                 source_address=(source, 0)))
            kept[-1].settimeout({LIMIT_S})
    answered = 0
    for it in kept:
        with suppress(OSError):
            it.sendall(b"GET /healthz HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
            answered += it.recv(8) == b"HTTP/1.1"  # 408 if this was slow
        it.close()
    return answered

port = int(sys.argv[1])
print(json.dumps([
    counted(port, "2001:db8:0:1::1", "2001:db8:0:1::2"),
    counted(port, "2001:db8:0:2::1"),
    counted(port, "127.0.0.7", "127.0.0.8"),
]))
"""
"""Program that counts the answers to connections from one /64, another one, and two of IPv4."""


async def test_a_source_is_a_64_of_ipv6_and_one_address_of_ipv4(tmp_path: Path) -> None:
    addresses = ("2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:2::1")
    given = "".join(f" && ip address add {each}/128 dev lo" for each in addresses)
    with namespaces("net", prepare=f"ip link set lo up{given}") as machine:
        program = tmp_path / "sources.py"
        program.write_text(SOURCES)
        async with (
            ServerProcess(
                8701, tmp_path / "log", "--memory", "--no-web", within=machine.within
            ) as server,
            HaProxy(
                tmp_path / "haproxy", [server.port] * 3, also_at=":::8700", within=machine.within
            ),
        ):
            process = await asyncio.create_subprocess_exec(
                *(*machine.within, sys.executable, str(program), "8700", "127.0.0.1", "::1"),
                stdout=asyncio.subprocess.PIPE,
            )
            printed, _ = await process.communicate()
    one, other, ipv4 = json.loads(printed)
    tried = 2 * (MOST_SILENT // 2 + 10)
    assert MOST_SILENT <= one < tried  # HAProxy's threads may count some a moment late
    assert other == MOST_SILENT // 2 + 10
    assert ipv4 == tried


async def test_what_a_peer_says_of_its_address_is_replaced() -> None:
    heads = list[str]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with HaProxy(free_port(), [port] * 3) as proxy:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", proxy.port, local_addr=("127.0.1.1", 0)
            )
            writer.write(
                b"GET /forged HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                b"X-Forwarded-For: 192.0.2.1\r\nx-forwarded-for: 192.0.2.2, 192.0.2.3\r\n"
                b"X-Haproxy-Server-State: UP; weight=1/1; scur=0/0\r\n\r\n"
            )
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
            writer.close()
    (head,) = (it for it in heads if "/forged" in it)
    lines = head.lower().splitlines()
    assert [it for it in lines if it.startswith(("x-forwarded-for", "x-haproxy"))] == [
        "x-forwarded-for: 127.0.1.1"
    ]


async def test_tls_is_a_matter_of_the_environment(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    files = authority.issue()
    pair = tmp_path / "pair.pem"
    pair.write_bytes(files.chain.read_bytes() + files.key.read_bytes())
    async with (
        lobby(trust_proxy="127.0.0.1", public_url="https://localhost") as place,
        HaProxy(free_port(), [place.server.port] * 3, certificate=pair) as proxy,
    ):
        url, page = f"wss://localhost:{proxy.port}", Origin("https://localhost")
        talk = place.keep(await connect(url, ssl=authority.trusting(), origin=page), "Ada")
        await say_hello(talk)
        assert (await talk.hear())["type"] == "welcome"
        with pytest.raises(InvalidMessage):
            await connect(f"ws://localhost:{proxy.port}")
