"""Rooms of several clients whose bots wait for one process: each client gets its share."""

import asyncio

from tests.server.talk import ONE_BOX, Lobby, Talk, lobby, say_hello, until
from websockets.asyncio.client import connect

from boxroom_server.bots.fair_queue import Asker
from boxroom_server.bots.queue import BotQueue
from boxroom_server.rooms.activities.bot_turns import WAITING_SHOWN_AFTER_S, WAITING_SHOWN_EVERY_MS

ONE_LOOP = True

BOT = "mcts:time=0.01"
OTHERS = Asker("others", "elsewhere")
HOGS = 6


async def call_from(place: Lobby, address: str, name: str) -> Talk:
    """Connect a client behind the proxy of the tests, and greet as `name`."""
    connection = await connect(
        f"ws://127.0.0.1:{place.server.port}", additional_headers={"X-Forwarded-For": address}
    )
    talk = place.keep(connection, name)
    await say_hello(talk)
    assert (await talk.hear())["type"] == "welcome"
    return talk


async def create_with_bot(talk: Talk, room: str, *, watch: bool = False) -> None:
    """Create a room in which `talk`, or another bot if it watches, plays against a bot."""
    settings = {**ONE_BOX, "seats": 2}
    token = f"token of {talk.name}"
    await talk.do("create_room", token=token, room=room, settings=settings, watch=watch)
    await talk.do("fill", bot=BOT)
    await talk.do("start")


def queue_of(place: Lobby) -> BotQueue:
    (queue,) = place.server._bots._queues
    return queue


def ply_in(place: Lobby, room: str) -> int:
    state = place.room(room).state
    assert state is not None
    return state.ply


async def test_many_rooms_of_one_address_let_the_room_of_another_wait_for_one_turn() -> None:
    async with lobby(bot_workers=1, trust_proxy="127.0.0.1") as place:
        queue = queue_of(place)
        await queue._wait_for_turn(OTHERS)
        for number in range(HOGS):
            hog = await call_from(place, "192.0.2.1", f"Hog {number}")
            await create_with_bot(hog, f"sty {number}", watch=True)
        ada = await call_from(place, "192.0.2.2", "Ada")
        await create_with_bot(ada, "attic")
        await ada.do("play", seat=0, move="h0", ply=0)
        await until(lambda: queue.waiting == HOGS + 1)
        queue._end_turn()
        await until(lambda: ply_in(place, "attic") == 2)
        plies = [ply_in(place, f"sty {number}") for number in range(HOGS)]
        assert sum(plies) <= 2  # one before it, and one that may have been answered since


async def test_members_are_told_that_a_bot_waits_but_not_all_the_time() -> None:
    async with lobby(bot_workers=1) as place:
        queue, ada = queue_of(place), await place.call("Ada")
        await queue._wait_for_turn(OTHERS)
        await create_with_bot(ada, "attic", watch=True)
        for notices, pause_s in ((1, 0), (1, WAITING_SHOWN_EVERY_MS / 1000), (2, 0)):
            await until(lambda: queue.waiting == 1)
            place.clock.advance(WAITING_SHOWN_AFTER_S)
            await ada.do("say", text="so I see")
            heard = [it for it in ada.heard if it["type"] == "notice"]
            assert [it["code"] for it in heard] == ["bot_waits"] * notices
            assert heard[0]["message"].startswith(f"{BOT} waits for its turn to think")
            place.clock.advance(pause_s)
            others = asyncio.ensure_future(queue._wait_for_turn(OTHERS))
            await until(lambda: queue.waiting == 2)
            queue._waiting.charge(OTHERS, 1000.0)
            queue._end_turn()
            await others
        assert "thinking" not in {it["type"] for it in ada.heard}
        queue._end_turn()
        await ada.event("ended")
