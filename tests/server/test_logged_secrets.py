"""No secret, password, token or chat text gets into the log.

Whole sessions run over real sockets at DEBUG level, with every private text marked: well-formed,
malformed in many ways, and with failures of the server.
"""

import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from io import StringIO

import pytest
from tests.server.bad_peer import bad_peer
from tests.server.http_requests import http_request
from tests.server.log_capture import captured_log
from tests.server.talk import Lobby, Talk, in_handshake, lobby, until
from websockets.asyncio.client import connect

from boxroom_server.ops.logs import SERVER_LOGGER, JsonFormatter, LineFormatter
from boxroom_server.people.names import Names
from boxroom_server.rooms import sequencer
from boxroom_server.rooms.directory import Directory

ONE_LOOP = True

MARK = "MARKED"
"""Part of every private text."""

DEBUG_LOGGERS = (SERVER_LOGGER, "asyncio", "websockets.server")

HELLO = {"type": "hello", "protocol": 1, "name": "Ada", "secret": f"{MARK} secret of Ada"}
CREATE = {
    "type": "create_room",
    "id": 1,
    "token": f"{MARK} token",
    "room": "attic",
    "settings": {"private": True},
    "password": f"{MARK} password",
}
SAY = {"type": "say", "id": 2, "text": f"{MARK} hello"}


@pytest.fixture(params=[LineFormatter, JsonFormatter])
def out(request: pytest.FixtureRequest) -> Iterator[StringIO]:
    """Capture the log of the test, and check that nothing in it is marked."""
    with captured_log(request.param(), *DEBUG_LOGGERS) as written:
        yield written
    assert MARK not in written.getvalue()


async def send(talk: Talk, message: object) -> None:
    await talk.connection.send(json.dumps(message))


async def create(place: Lobby) -> Talk:
    """Let Ada create a room."""
    talk = await place.connect()
    await send(talk, HELLO)
    await send(talk, CREATE)
    await talk.answer(1)
    return talk


@asynccontextmanager
async def a_room() -> AsyncIterator[tuple[Lobby, Talk]]:
    async with lobby() as place:
        yield place, await create(place)


async def test_a_conversation_as_it_should_be(out: StringIO) -> None:
    async with a_room() as (place, ada):
        await send(ada, SAY)
        await ada.answer(2)
        bob = await place.connect()
        await send(bob, {**HELLO, "name": "Bob", "client": "a client of Bob's"})
        for number, password in enumerate((f"{MARK} guess", CREATE["password"]), 1):
            join = {"type": "join_room", "id": number, "room": "attic", "password": password}
            await send(bob, {**join, "watch": True})
            await bob.answer(number)
        await send(bob, {**SAY, "id": 9})
        await bob.answer(9)
        await bob.connection.close(1000, f"{MARK} goodbye")
        await ada.event("left")
        await ada.hang_up()
        await until(lambda: not place.room().is_connected("Ada"))
        place.clock.advance(place.options.empty_room_s)
        await until(lambda: "room closed" in out.getvalue())
    text = out.getvalue()
    for event in ("started", "connection opened", "greeted", "room made", "connection closed"):
        assert event in text
    assert "stopped" in text
    assert "a client of Bob's" in text
    assert "wrong_password" in text


async def test_messages_in_the_handshake(out: StringIO) -> None:
    async with lobby() as place:
        offered = in_handshake(HELLO, CREATE)
        url = f"ws://127.0.0.1:{place.server.port}"
        async with connect(url, subprotocols=offered) as opened:
            await Talk(opened, "Ada").answer(1)
    text = out.getvalue()
    assert "greeted" in text
    assert not any(name in text for name in offered[1:])


async def test_an_identity_on_its_way_to_another_device(out: StringIO) -> None:
    async with a_room() as (place, ada):
        masked = {"type": "offer_identity", "id": 2, "masked": f"{MARK}-masked-secret"}
        await send(ada, masked)
        code = (await ada.answer(2))["code"]
        phone = await place.connect()
        for each in (code, code, f"{MARK} guess"):
            await send(phone, {"type": "take_identity", "code": each})
            await phone.hear()
        await send(phone, HELLO)
        await ada.hear_until(lambda it: it["type"] == "notice")
    text = out.getvalue()
    assert "greeted" in text
    assert code not in text


MALFORMED: list[str | bytes] = [
    f'{{"type":"{MARK}","id":3}}',
    f'{{"type":"say","id":3,"text":["{MARK}"]}}',
    f'{{"type":"say","id":3,"text":"hello","{MARK}":1}}',
    f'{{"type":"play","id":3,"seat":0,"move":"{MARK}","ply":0}}',
    f'{{"type":"seat_bot","id":3,"seat":0,"bot":"{MARK}"}}',
    f'{{"type":"say","id":"{MARK}","text":"hello"}}',
    f'{{"type":"join_room","id":3,"room":"{MARK}"}}',
    f'{{"type":"offer_identity","id":3,"masked":"{MARK} with spaces"}}',
    f'{{"type":"say","id":3,"text":"{MARK}',
    f'{{"type":"say","id":3,"text":"{MARK} {"x" * 1000}"}}',
    f"{MARK}",
    f'"{MARK}"',
    f'{"[" * 5000}"{MARK}"',
    b"\xff\xfe" + MARK.encode(),
    b'{"type":"say","id":3,"text":"\xff' + MARK.encode() + b'"}',
]


async def test_what_is_malformed(out: StringIO) -> None:
    async with a_room() as (_, ada):
        for raw in MALFORMED:
            await ada.connection.send(raw, text=True)
            assert (await ada.hear())["type"] == "refused", raw
        await ada.connection.send(f'"{MARK} {"x" * 20_000}"')
        assert (await ada.close_code())[0] == 1009
    assert "greeted" in out.getvalue()


async def test_no_greeting(out: StringIO) -> None:
    async with lobby() as place:
        for hello in (
            f"{MARK}",
            json.dumps({**HELLO, "protocol": 2}),
            json.dumps({**HELLO, "name": "!"}),
            json.dumps({**HELLO, "secret": f"{MARK}"}),
            json.dumps({**HELLO, "secret": f"{MARK}" * 100}),
            json.dumps({**HELLO, "secret": [f"{MARK}"]}),
            json.dumps(SAY),
        ):
            talk = await place.connect()
            await talk.connection.send(hello)
            assert (await talk.close_code())[0] == 4000, hello
    assert "connection closed" in out.getvalue()


async def test_requests_that_are_no_websocket(out: StringIO) -> None:
    async with lobby() as place, bad_peer(place.server.port) as eve:
        await http_request(place.server.port, f"/{MARK}")
        await http_request(place.server.port, "/", "GET", f"Authorization: {MARK}")
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {MARK}")
        await http_request(place.server.port, f"/?{MARK}", "GET", *upgrade)
        await eve.send_raw(f"{MARK}\r\n\r\n".encode())
        await eve.hear_all()
    assert "started" in out.getvalue()


# The server fails


async def test_a_rule_that_fails(out: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(*args: object) -> None:
        raise RuntimeError(repr(args))

    async with a_room() as (_, ada):
        monkeypatch.setattr(sequencer, "decide", decide)
        await send(ada, SAY)
        assert (await ada.close_code())[0] == 1011
        monkeypatch.undo()
    assert "a command failed" in out.getvalue()
    assert "RuntimeError" in out.getvalue()


@pytest.mark.parametrize(("owner", "name"), [(Directory, "create"), (Names, "claim")])
async def test_a_session_that_fails(
    owner: type, name: str, out: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise KeyError(repr(args)) from ValueError(repr(args))

    monkeypatch.setattr(owner, name, fail)
    async with lobby() as place:
        talk = await place.connect()
        await send(talk, HELLO)
        await send(talk, CREATE)
        assert (await talk.close_code())[0] == 1011
    assert re.search("a message couldn't be handled|a background task failed", out.getvalue())
    assert "KeyError" in out.getvalue()


async def test_the_log_in_which_this_looks_has_what_is_marked_if_it_is_logged() -> None:
    with captured_log(LineFormatter(), *DEBUG_LOGGERS) as out:
        async with lobby() as place:
            await place.call("Ada")
            logging.getLogger("websockets.server").debug("< TEXT %s", MARK)
            await until(lambda: MARK in out.getvalue())
