"""Peers that break off or break the rules at every stage: none of it is worth a warning."""

import asyncio
import json
import socket
import ssl
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from tests.certificates import Authority
from tests.server.log_capture import fresh_logging
from tests.server.talk import LIMIT_S, Lobby, lobby

from boxroom_server.ops import logs

UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)

UNMASKED = b"\x81\x01a"


def masked(first: int, payload: bytes) -> bytes:
    """Return a frame whose first byte is `first`."""
    return bytes((first, 0x80 | len(payload), 0, 0, 0, 0)) + payload


FRAMES = (
    UNMASKED,
    masked(0xF1, b"reserved bits"),
    masked(0x83, b"unknown opcode"),
    masked(0x09, b"ping in fragments"),
    masked(0x80, b"continuation of nothing"),
    masked(0x82, b"binary"),
    masked(0x81, b"\xff is no UTF-8"),
    masked(0x01, b"\xff") + masked(0x80, b"\xff"),
    masked(0x81, b"{}"),
    masked(0x81, b"half a frame")[:9],
    masked(0x88, b""),
    masked(0x88, b"\x03"),
    masked(0x88, b"\x00\x01"),
    masked(0x88, b"\x03\xf3"),  # 1011
    masked(0x88, b"\x03\xe8\xff") + masked(0x81, b"after the end"),
    masked(0x89, b"ping") * 300,
    b"\x81\xff\x7f" + b"\xff" * 7 + b"mask",
    b"\x81\xff" + b"\xff" * 8 + b"mask",
)


def requests() -> Iterator[bytes]:
    """Yield whole requests, half ones and malformed ones, some with data behind them."""
    for path in (b"/", b"/favicon.ico", b"/healthz", b"/readyz", b"/metrics", b"/nothing"):
        get = b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        yield from (get, get[:20], get + get, get + b"garbage" * 20_000)
        yield UPGRADE.replace(b"GET /", b"GET " + path) + UNMASKED
        yield get.replace(b"GET", b"POST").replace(b"\r\n\r\n", b"\r\nContent-Length: 9\r\n\r\nxy")
    yield from (b"\x16\x03\x01\x02\x00", b"GET \xff HTTP/1.1\r\n\r\n", b"GET /\r\n\r\n")
    for line in (b"If-None-Match: \xff, *", b"Accept-Encoding: \xff;q=;,"):
        yield b"GET / HTTP/1.1\r\n" + line + b"\r\n\r\n"
    for line in (b"no colon", b"\xff: \xff", b"Origin: \xff", b"Upgrade: \x01", b"Host: two"):
        yield UPGRADE.replace(b"\r\n\r\n", b"\r\n" + line + b"\r\n\r\n") + UNMASKED
    yield UPGRADE.replace(b"AAAA", b"!") + UNMASKED
    yield UPGRADE.replace(b" 13", b" 14") + UNMASKED
    yield b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 500
    yield b"GET /" + b"a" * 9_000
    yield b""


def conversations() -> Iterator[tuple[bytes, ...]]:
    """Yield what peers send, in pieces."""
    for request in requests():
        yield (request,)
    for frames in FRAMES:
        yield (UPGRADE + frames,)
        yield (UPGRADE, frames, frames * 20)


def reset(peer: socket.socket) -> None:
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def end_and_read(peer: socket.socket) -> None:
    """Send no more, and read until the server closes."""
    peer.shutdown(socket.SHUT_WR)
    while peer.recv(65_536):
        pass
    peer.close()


End = Callable[[socket.socket], None]

CUTS: tuple[End, ...] = (reset, socket.socket.close)


@contextmanager
def gone() -> Iterator[None]:
    """Allow for a server that closes the connection before all is sent."""
    try:
        yield
    except TimeoutError:
        raise
    except OSError:
        pass


def visit(port: int, ends: tuple[End, ...], tls: ssl.SSLContext | None = None) -> None:
    """Have all conversations with the server at `port`, one after the other."""
    for pieces, end in product(conversations(), ends):
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as peer, gone():
            secured = peer if tls is None else tls.wrap_socket(peer, server_hostname="localhost")
            with secured:
                for piece in pieces:
                    secured.sendall(piece)
                end(secured)


def visit_without_handshake(port: int) -> None:
    """Begin TLS handshakes with garbage and with half a hello."""
    for piece, end in product((b"", b"\x16\x03\x01\x02\x00", b"\x16\x03\x01\x00\x05xxxxx"), CUTS):
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as peer, gone():
            peer.sendall(piece)
            end(peer)


async def all_are_gone(place: Lobby) -> None:
    """Wait until the server has noticed the end of all connections."""
    server = place.server
    async with asyncio.timeout(LIMIT_S):
        for admission in (server._admission, server._metrics_server._admission):
            while not admission._all_released.is_set():
                place.clock.advance(60)
                await asyncio.sleep(0)


async def test_no_peer_can_cause_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    with fresh_logging():
        logs.set_up(1, as_json=True)
        async with lobby(metrics_host="127.0.0.1") as place:
            assert place.server.metrics_address is not None
            for port in (place.server.port, place.server.metrics_address[1]):
                await asyncio.to_thread(visit, port, (*CUTS, end_and_read))
            await all_are_gone(place)
    assert levels(capsys) == {"info"}


async def test_nor_over_tls(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with fresh_logging():
        logs.set_up(1, as_json=True)
        async with lobby(**authority.issue().options) as place:
            await asyncio.to_thread(visit_without_handshake, place.server.port)
            await asyncio.to_thread(visit, place.server.port, CUTS, authority.trusting())
            await all_are_gone(place)
    assert levels(capsys) == {"info"}


def levels(capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Return the levels of the lines in the log."""
    return {json.loads(line)["level"] for line in capsys.readouterr().err.splitlines()}
