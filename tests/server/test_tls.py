"""Games, limits and handshakes over TLS, which work as without it."""

import asyncio
import errno
import socket
import ssl
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from tests.certificates import Authority
from tests.server.bad_peer import RECEIVE_BYTES, bad_peer
from tests.server.talk import ONE_BOX, Lobby, Talk, lobby, say_hello, until
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def call(place: Lobby, authority: Authority, name: str, **options: Any) -> Talk:
    """Connect a client over TLS, and greet."""
    url = f"wss://localhost:{place.server.port}"
    connection = await connect(url, ssl=authority.trusting(), compression=None, **options)
    talk = place.keep(connection, name)
    await say_hello(talk)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def create(place: Lobby, authority: Authority) -> Talk:
    ada = await call(place, authority, "Ada")
    await ada.do("create_room", token="a token of Ada", room="attic", settings=ONE_BOX)
    return ada


async def test_a_game_is_played_over_tls_and_resumed_in_its_midst(authority: Authority) -> None:
    async with lobby(**authority.issue().options) as place:
        ada = await create(place, authority)
        bob = await call(place, authority, "Bob")
        await bob.do("join_room", room="attic")
        await ada.do("start")
        await ada.do("play", seat=0, move="h0", ply=0)
        await bob.do("play", seat=1, move="h1", ply=1)
        log, seq = ada.seen.log, ada.seen.seq
        ada.cut()
        await bob.event("dropped", member="Ada")
        again = await call(place, authority, "Ada")
        again.room = ada.seen
        await again.do("join_room", room="attic", log=log, after=seq)
        assert again.resumed_after == seq
        await again.do("play", seat=0, move="v0", ply=2)
        last = await bob.do("play", seat=1, move="v1", ply=3)
        await again.until_seq(last)
        ended = await again.event("ended")
        assert ended["winners"] == [1]


async def test_many_messages_at_once_are_answered_in_order(authority: Authority) -> None:
    async with lobby(**authority.issue().options) as place:
        ada = await create(place, authority)
        ids = [
            await ada.say("say", text=f"line {number} " + "long " * (number % 3 * 40))
            for number in range(100)
        ]
        assert [(await ada.answer(id))["type"] for id in ids] == ["done"] * 100


async def test_a_reader_who_reads_nothing_is_let_go_over_tls_too(authority: Authority) -> None:
    options = authority.issue().options
    limits: dict[str, Any] = {
        "unread_bytes": 60_000,
        "chat_chars": 4000,
        "burst": 10_000,
        "drain_s": 5.0,
    }
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        async with lobby(**options, **limits) as place:
            place.limit_send_buffers()
            ada = await create(place, authority)
            one.connect(("127.0.0.1", place.server.port))
            eve = await call(place, authority, "Eve", sock=one)
            await eve.do("join_room", room="attic", watch=True)
            eve.connection.transport.pause_reading()
            while not any(it.connection.is_closing for it in place.server._sessions):
                await ada.do("say", text="x" * 4000)
            place.clock.advance(5)
            await ada.event("left", member="Eve")
            eve.cut()


async def test_who_does_not_shake_hands_is_cut(authority: Authority) -> None:
    async with (
        lobby(handshake_s=7.0, **authority.issue().options) as place,
        bad_peer(place.server.port) as silent,
        bad_peer(place.server.port) as slow,
    ):
        ada = await create(place, authority)
        await slow.send_raw(b"\x16\x03\x01")
        pending = place.server._handshakes.pending
        await until(lambda: len(pending) == 2)
        place.clock.advance(7)
        assert [await silent.hear_all(), await slow.hear_all()] == [[], []]
        await until(lambda: not pending)
        await ada.do("say", text="hello")


async def test_the_limit_of_a_handshake_goes_by_the_servers_clock(authority: Authority) -> None:
    async with lobby(handshake_s=0.1, **authority.issue().options) as place:
        with socket.create_connection(("127.0.0.1", place.server.port)) as peer:
            await until(lambda: len(place.server._handshakes.pending) == 1)
            end_s = monotonic() + 0.2  # as after a hold-up, which that clock leaves out
            await until(lambda: monotonic() > end_s)
            tls = authority.trusting()
            secured = await asyncio.to_thread(tls.wrap_socket, peer, server_hostname="localhost")
            secured.close()
            await until(lambda: not place.server._handshakes.pending)


async def test_who_speaks_no_tls_is_hung_up_on_and_no_longer_counted(authority: Authority) -> None:
    limits: dict[str, Any] = {"connections_per_address": 1}
    async with lobby(**authority.issue().options, **limits) as place:
        with pytest.raises((InvalidMessage, ConnectionError)):
            await place.connect()
        await until(lambda: not place.server._handshakes.pending)
        await create(place, authority)


async def test_who_trusts_somebody_else_does_not_come_in(
    authority: Authority, tmp_path: Path
) -> None:
    async with lobby(**authority.issue().options) as place:
        with pytest.raises(ssl.SSLCertVerificationError):
            await call(place, Authority(tmp_path), "Ada")


async def test_stopping_waits_for_nobody_in_the_midst_of_the_handshake(
    authority: Authority,
) -> None:
    async with (
        lobby(handshake_s=1000.0, **authority.issue().options) as place,
        bad_peer(place.server.port) as silent,
    ):
        ada = await create(place, authority)
        stopping = asyncio.ensure_future(place.server.stop())
        assert (await ada.close_code())[0] == 1012
        assert await silent.hear_all() == []
        async with asyncio.timeout(20):
            await stopping


async def test_a_peer_that_is_gone_before_it_was_looked_at_leaves_nothing(
    authority: Authority,
) -> None:
    async with lobby(**authority.issue().options) as place:
        for _ in range(20):
            async with bad_peer(place.server.port) as hasty:
                hasty.reset()
        await create(place, authority)
        await until(lambda: not place.server._handshakes.pending)


async def test_without_open_files_it_is_cut_and_the_next_one_served(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    async with lobby(connections=1, **authority.issue().options) as place:
        with monkeypatch.context() as patch:
            patch.setattr(socket, "fromfd", fail)
            async with bad_peer(place.server.port) as unlucky:
                assert await unlucky.hear_all() == []
        await until(lambda: not place.server._handshakes.pending)
        await create(place, authority)
