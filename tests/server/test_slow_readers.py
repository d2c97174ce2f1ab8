"""Readers that read slowly or not at all, and connections that die, disturb no other session."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.cases import each
from tests.server.bad_peer import BadPeer, bad_peer
from tests.server.talk import ONE_BOX, Lobby, Talk, lobby
from websockets.frames import Frame, Opcode

from boxroom_server.net.connection import PING_INTERVAL_S

UNREAD_BYTES = 60_000
LINE = "x" * 4000

LIMITS: dict[str, Any] = {
    "unread_bytes": UNREAD_BYTES,
    "chat_chars": len(LINE),
    "drain_s": 5.0,
    "burst": 100_000,
}


@asynccontextmanager
async def attic(**options: Any) -> AsyncIterator[Lobby]:
    async with lobby(**LIMITS | options) as place:
        place.limit_send_buffers()
        yield place


async def come_in(peer: BadPeer, name: str, **fields: Any) -> None:
    await peer.open(name)
    await peer.say(type="join_room", id=1, room="attic", **fields)


def waiting_bytes(place: Lobby) -> int:
    """Return how much the server buffers for all connections."""
    return sum(session.connection.waiting_bytes for session in place.server._sessions)


async def fill_up(place: Lobby, ada: Talk, bob: Talk) -> int:
    """Let Ada chat until one connection is over its limit; return the number of lines."""
    lines = 0
    while not any(it.connection.is_closing for it in place.server._sessions):
        assert lines < 5000, "that must be more than any kernel takes"
        await ada.do("say", text=LINE)
        lines += 1
        await bob.event("said")  # at once, while another client doesn't read
        assert waiting_bytes(place) <= UNREAD_BYTES + 2 * len(LINE)
    return lines


async def test_who_reads_nothing_is_cut_and_the_others_notice_nothing() -> None:
    async with attic() as place, bad_peer(place.server.port) as eve:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        await come_in(eve, "Eve")
        await bob.event("joined", member="Eve")
        await fill_up(place, ada, bob)
        kept = waiting_bytes(place)
        for _ in range(50):
            await ada.do("say", text=LINE)
            await bob.event("said")
        assert waiting_bytes(place) <= kept + 100  # the close frame
        assert "Eve" in place.room().members
        place.clock.advance(5)
        await bob.event("left", member="Eve")
        assert waiting_bytes(place) == 0


async def test_who_reads_too_slowly_is_told_so_and_can_resume() -> None:
    async with attic() as place, bad_peer(place.server.port) as eve:
        ada, bob = await place.create("Ada"), await place.join("Bob", watch=True)
        await come_in(eve, "Eve")
        in_room = await eve.hear("in_room")
        await bob.event("sat", member="Eve")
        lines = await fill_up(place, ada, bob)
        for _ in range(10):  # which Eve doesn't receive over that connection
            await ada.do("say", text="after")
        heard = [it for it in await eve.hear_all() if it["type"] == "events"]
        assert eve.close_code == 1013
        numbers = [it["seq"] + index for it in heard for index in range(len(it["events"]))]
        first = in_room["room"]["seq"] + 1
        assert numbers == list(range(first, first + lines))
        again = await place.join("Eve", after=numbers[-1], log=in_room["room"]["log"])
        assert again.heard[1]["type"] == "resumed"
        missed = [it["events"][0] for it in again.heard if it["type"] == "events"]
        assert [event.get("text") for event in missed[:10]] == ["after"] * 10


async def test_a_slow_player_keeps_the_seat_for_the_grace_time() -> None:
    async with attic() as place, bad_peer(place.server.port) as eve:
        ada, bob = await place.create("Ada"), await place.join("Bob", watch=True)
        await come_in(eve, "Eve")
        await bob.event("sat", member="Eve")
        await fill_up(place, ada, bob)
        place.clock.advance(5)
        await bob.event("dropped", member="Eve")
        again = await place.join("Eve")
        assert again.heard[1]["audience"] == "player"


async def test_a_slow_reader_that_comes_back_before_it_is_cut() -> None:
    async with attic() as place, bad_peer(place.server.port) as eve:
        ada, bob = await place.create("Ada"), await place.join("Bob", watch=True)
        await come_in(eve, "Eve")
        await bob.event("sat", member="Eve")
        await fill_up(place, ada, bob)
        again = await place.join("Eve")
        place.clock.advance(5)
        await again.do("say", text="here I am")
        await bob.event("said", text="here I am")
        assert place.room().is_connected("Eve")
        assert not [it for it in bob.heard if "'dropped'" in str(it)]


async def test_a_connection_that_dies_while_it_is_written_to() -> None:
    async with lobby(**LIMITS) as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        for number in range(5):
            async with bad_peer(place.server.port) as eve:
                await come_in(eve, f"Eve {number}", watch=True)
                await bob.event("joined")
                ids = [await ada.say("say", text=LINE) for _ in range(20)]
                eve.reset()
                for id in ids:
                    assert (await ada.answer(id))["type"] == "done"
                heard: list[str] = []
                while heard.count("said") < 20 or "left" not in heard:
                    heard += [event["type"] for event in (await bob.hear())["events"]]
        assert set(place.room().members) == {"Ada", "Bob"}
        await ada.do("start")
        await bob.event("started")


async def test_pings_whose_pongs_nobody_reads_end_the_connection() -> None:
    ping = Frame(Opcode.PING, b"x" * 125).serialize(mask=True)
    async with attic(frames_burst=1_000_000) as place, bad_peer(place.server.port) as eve:
        ada = await place.create("Ada")
        await come_in(eve, "Eve", watch=True)
        await ada.event("joined", member="Eve")
        before = place.clock.waiting
        sent = 0
        while place.clock.waiting == before:
            assert sent < 200_000, "that must be more than any kernel takes"
            await eve.send_raw(ping * 100)
            sent += 100
        place.clock.advance(5)
        await ada.event("left", member="Eve")


async def test_a_reader_with_much_to_read_is_pinged_like_the_others() -> None:
    """A ping that waited for the reader would never time out, so the reader would stay."""
    async with attic(unread_bytes=10_000_000) as place, bad_peer(place.server.port) as eve:
        ada = await place.create("Ada")
        await come_in(eve, "Eve", watch=True)
        await ada.event("joined", member="Eve")
        while waiting_bytes(place) < 100_000:
            await ada.do("say", text=LINE)
        for _ in range(2):
            for _ in range(PING_INTERVAL_S):
                place.server._connections.ping()
            for _ in range(2):  # the second ping comes behind Ada's pong
                await (await ada.connection.ping())
        place.clock.advance(5)
        await ada.event("left", member="Eve")


async def test_a_reader_that_only_pauses_is_not_cut_for_it() -> None:
    async with lobby(**LIMITS) as place, bad_peer(place.server.port) as eve:
        ada = await place.create("Ada")
        await come_in(eve, "Eve", watch=True)
        await ada.event("joined", member="Eve")
        for _ in range(10):
            await ada.do("say", text=LINE)
        place.clock.advance(60)
        for _ in range(10):
            assert (await eve.hear("events"))["events"][0]["type"] == "said"
        assert "Eve" in place.room().members


async def test_a_list_or_a_room_that_is_long_is_no_reason_to_let_anybody_go() -> None:
    async with lobby(**LIMITS) as place:
        ada = await place.create("Ada", settings={**ONE_BOX, "seats": 50})
        for number in range(300):
            await ada.do("say", text=f"line {number}")
        bob = await place.join("Bob")
        await bob.do("say", text="what a lot of chat")


@each("frame", [b"", b"\x81", b"\x81\xfe", b"\xff" * 50, b"GET / HTTP/1.1\r\n"])
async def test_half_a_frame_or_none_at_all_disturbs_nobody(frame: bytes) -> None:
    async with lobby(**LIMITS) as place, bad_peer(place.server.port) as eve:
        ada = await place.create("Ada")
        await come_in(eve, "Eve", watch=True)
        await ada.event("joined", member="Eve")
        await eve.send_raw(frame)
        await ada.do("say", text="hello")
        eve.reset()
        await ada.event("left", member="Eve")


async def test_nobody_waits_for_a_peer_that_does_not_shake_hands() -> None:
    async with (
        lobby(**LIMITS) as place,
        bad_peer(place.server.port),
        bad_peer(place.server.port) as other,
    ):
        await other.send_raw(b"GET / HT")
        ada = await place.create("Ada")
        await ada.do("say", text="hello")
