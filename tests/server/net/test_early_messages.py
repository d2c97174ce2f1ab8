"""Messages in the request for a WebSocket."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.bad_peer import bad_peer
from tests.server.talk import Message, Talk, in_handshake, lobby, secret_of, subprotocol_with
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from boxroom_server.net.early_messages import SUBPROTOCOL, early_frames

HEADER = "Sec-WebSocket-Protocol"


def hello(name: str) -> Message:
    return {"type": "hello", "protocol": 1, "name": name, "secret": secret_of(name)}


@given(st.lists(st.text().map(str.encode)))
def test_frames_carry_the_messages_in_their_order(messages: list[bytes]) -> None:
    offered = ", ".join([SUBPROTOCOL, *map(subprotocol_with, messages)])
    server = ServerProtocol(state=OPEN)
    server.receive_data(early_frames(Headers({HEADER: offered})))
    assert [frame.data for frame in server.events_received()] == messages  # type: ignore[union-attr]


def test_names_may_stand_in_several_headers() -> None:
    headers = Headers()
    headers[HEADER] = subprotocol_with(b"{}")
    headers[HEADER] = f"chat, {SUBPROTOCOL}"
    assert len(early_frames(headers)) == 2 + 4 + 2  # header, mask and payload


@pytest.mark.parametrize("offered", [[subprotocol_with(b"{}")], ["chat"], []])
def test_without_the_subprotocol_there_are_none(offered: list[str]) -> None:
    assert early_frames(Headers({HEADER: ", ".join(offered)} if offered else {})) == b""


async def test_a_client_is_in_its_room_before_it_sends_anything() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        join = {"type": "join_room", "id": 1, "room": ada.seen.code}
        url = f"ws://127.0.0.1:{place.server.port}"
        async with connect(url, subprotocols=in_handshake(hello("Bob"), join)) as opened:
            assert opened.subprotocol == SUBPROTOCOL
            bob = Talk(opened, "Bob")
            assert (await bob.answer(1))["type"] == "done"
            assert [it["type"] for it in bob.heard] == ["welcome", "in_room", "done"]
            assert await bob.ask("ping", id=2)


@pytest.mark.parametrize("payload", [b"", b"no message", b"\xff", b"{"])
async def test_a_malformed_one_is_refused_as_any_other(payload: bytes) -> None:
    async with lobby() as place:
        url = f"ws://127.0.0.1:{place.server.port}"
        async with connect(url, subprotocols=[SUBPROTOCOL, subprotocol_with(payload)]) as opened:
            assert json.loads(await opened.recv())["code"] == "bad_message"
            with pytest.raises(ConnectionClosed) as closed:
                await opened.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4000


async def test_what_is_no_base64_is_no_message() -> None:
    async with lobby() as place:
        url = f"ws://127.0.0.1:{place.server.port}"
        offered = [SUBPROTOCOL, Subprotocol(f"{SUBPROTOCOL}.a")]
        async with connect(url, subprotocols=offered) as opened:
            assert json.loads(await opened.recv())["code"] == "bad_message"


@pytest.mark.parametrize("upgrade", ["", "Connection: Upgrade\r\nUpgrade: websocket\r\n"])
async def test_a_malformed_header_opens_nothing(upgrade: str) -> None:
    async with lobby() as place, bad_peer(place.server.port) as eve:
        head = f"GET /nothing HTTP/1.1\r\nHost: localhost\r\n{upgrade}{HEADER}: boxroom, (\r\n\r\n"
        await eve.send_raw(head.encode())
        assert (await eve.hear_line()).split()[1] in ("400", "404")


async def test_another_subprotocol_is_not_selected() -> None:
    async with lobby() as place:
        url = f"ws://127.0.0.1:{place.server.port}"
        async with connect(url, subprotocols=[Subprotocol("chat")]) as opened:
            assert opened.subprotocol is None
            await opened.send(json.dumps(hello("Ada")))
            assert json.loads(await opened.recv())["type"] == "welcome"
