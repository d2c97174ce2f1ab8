"""Frames that complete no message: few are allowed, a flood ends its connection and no other."""

from typing import Any

from tests.cases import each
from tests.server.bad_peer import BadPeer, bad_peer
from tests.server.talk import Lobby, Talk, lobby
from websockets.frames import Frame, Opcode

from boxroom_server.ops.metrics import Metrics

FLOODS = {
    "pings": Frame(Opcode.PING, b""),
    "pongs": Frame(Opcode.PONG, b"unasked"),
    "empty pieces of a message without an end": Frame(Opcode.CONT, b"", fin=False),
    "pieces of a message without an end": Frame(Opcode.CONT, b"x", fin=False),
}
BEGUN = Frame(Opcode.TEXT, b"begun", fin=False)


async def come_in(place: Lobby, peer: BadPeer) -> Talk:
    """Let Eve join Ada's room, and return Ada."""
    ada = await place.create("Ada")
    await peer.open("Eve")
    await peer.say(type="join_room", id=1, room="attic")
    await ada.event("joined", member="Eve")
    return ada


@each("flood", FLOODS)
async def test_a_flood_ends_its_connection_and_no_other(flood: str) -> None:
    limits: dict[str, Any] = {"frames_per_s": 0.001, "frames_burst": 20}
    async with lobby(**limits) as place, bad_peer(place.server.port) as eve:
        ada = await come_in(place, eve)
        start = BEGUN.serialize(mask=True) if FLOODS[flood].opcode is Opcode.CONT else b""
        await eve.send_raw(start + FLOODS[flood].serialize(mask=True) * 21)
        await eve.hear_all()
        eve.reset()
        assert eve.close_code == 1008
        await ada.event("dropped", member="Eve")
        await ada.do("say", text="what was that?")


async def test_the_rest_of_a_flood_is_not_even_read() -> None:
    metrics = Metrics()
    limits: dict[str, Any] = {"messages_per_s": 0.001, "burst": 20}
    async with lobby(metrics=metrics, **limits) as place, bad_peer(place.server.port) as eve:
        ada = await come_in(place, eve)
        await eve.send_raw(Frame(Opcode.TEXT, b"").serialize(mask=True) * 40_000)
        await ada.event("dropped", member="Eve")  # although Eve hasn't read or closed anything
        assert metrics.refusals["too_fast"] < 50


async def test_as_many_as_a_client_needs_are_nothing() -> None:
    async with lobby(frames_per_s=0.001, frames_burst=20) as place:
        ada = await place.create("Ada")
        for _ in range(10):
            await (await ada.connection.ping())
        await ada.connection.send(['{"type":', '"say","id":7,', "", '"text":"in pieces"}'])
        assert (await ada.answer(7))["type"] == "done"


async def test_pieces_end_at_the_longest_message() -> None:
    async with lobby(message_bytes=1000) as place, bad_peer(place.server.port) as eve:
        ada = await come_in(place, eve)
        piece = Frame(Opcode.CONT, b"x" * 100, fin=False)
        await eve.send_raw(BEGUN.serialize(mask=True) + piece.serialize(mask=True) * 10)
        await eve.hear_all()
        eve.reset()
        assert eve.close_code == 1009
        await ada.event("dropped", member="Eve")
