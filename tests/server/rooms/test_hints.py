"""Hints: their recipients, failing bots, and games that go on meanwhile."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.engine.room.hosting import ONE_BOX, HostedRoom, playing
from tests.server import bad_bots
from tests.server.hosting import create, done, hosted
from tests.server.manual_clock import ManualClock
from tests.server.talk import lobby

from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.wire.messages import Hint, Notice
from boxroom_server.bots.pool import BotPool
from boxroom_server.rooms.hints import Hints
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.tasks import Tasks

WITH_HINTS = {"options": {"rows": 1, "cols": 1}, "hints": True}
ADA = Seat(0)


class HintedGame:
    """A game of Ada's, its hints, and the messages that they send."""

    def __init__(self, bots: BotPool, *names: str) -> None:
        self.hosted: HostedRoom = playing(ONE_BOX)
        self.sent: asyncio.Queue[tuple[str, Hint | Notice]] = asyncio.Queue()
        self.tasks = Tasks()
        self.hints = Hints(
            bots,
            RoomLimits(bots={"dots": names}),
            lambda: self.hosted.room,
            lambda member, message: self.sent.put_nowait((member, message)),
            self.tasks,
        )

    async def notice(self) -> str:
        """Return the code of the next message, a notice for Ada."""
        member, message = await self.sent.get()
        assert member == "Ada"
        assert isinstance(message, Notice)
        return message.code


@asynccontextmanager
async def bots(limit_s: float = 5.0) -> AsyncIterator[BotPool]:
    workers = BotPool(1, limit_s, random.Random(1), bad_bots.choose)
    try:
        yield workers
    finally:
        await workers.stop()


async def test_the_strongest_bot_thinks_for_the_member_who_asked() -> None:
    async with bots() as workers:
        game = HintedGame(workers, "raises", "good")
        game.hints.start("Ada", ADA)
        assert await game.sent.get() == ("Ada", Hint(0, "h0", 0, 1, "good"))


async def test_a_bot_that_fails_has_no_hint_and_not_any_move_instead(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with bots() as workers:
        game = HintedGame(workers, "good", "raises")
        game.hints.start("Ada", ADA)
        assert await game.notice() == "no_hint"
        assert "no idea" in caplog.text


async def test_a_hint_for_a_position_that_is_past_is_not_given() -> None:
    async with bots() as workers:
        game = HintedGame(workers, "good")
        game.hints.start("Ada", ADA)
        await asyncio.sleep(0)
        game.hosted.plays("Ada", "h0")
        assert await game.notice() == "hint_late"


async def test_one_hint_at_a_time_is_coming_for_a_member() -> None:
    async with bots(limit_s=1000.0) as workers:
        game = HintedGame(workers, "sleeps")
        ask_hint, say = cmd.AskHint(1, 0, 0), cmd.Say(1, "hello")
        assert not game.hints.is_pending_for(cmd.FromMember("Ada", ask_hint))
        game.hints.start("Ada", ADA)
        assert game.hints.is_pending_for(cmd.FromMember("Ada", ask_hint))
        assert not game.hints.is_pending_for(cmd.FromMember("Ada", say))
        assert not game.hints.is_pending_for(cmd.FromMember("Bob", ask_hint))
        await asyncio.sleep(0)
        await game.tasks.cancel()
        assert not game.hints.is_pending_for(cmd.FromMember("Ada", ask_hint))
        assert game.sent.empty()


# On a server


async def test_everybody_sees_the_question_and_only_who_asked_the_answer() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings=WITH_HINTS)
        bob = await place.join("Bob")
        await ada.do("start")
        await ada.do("ask_hint", seat=0, ply=0, game=1)
        hint = await ada.hear_until(lambda it: it["type"] == "hint")
        assert hint.pop("move") in ("h0", "h1", "v0", "v1")
        strongest = bots_for(KINDS["dots"])[-1]
        assert hint == {"type": "hint", "seat": 0, "ply": 0, "game": 1, "bot": strongest}
        await bob.event("hint_asked", seat=0)
        await bob.do("say", text="aha")
        assert "hint" not in {message["type"] for message in bob.heard}


async def test_who_asks_again_too_soon_is_refused_and_later_is_not() -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings=WITH_HINTS)
        await place.join("Bob")
        await ada.do("start")
        queues = (place.server._bots._quick_queue, *place.server._bots._queues)
        for queue in queues:
            await queue._turn.acquire()  # as if other rooms were thinking there
        await ada.do("ask_hint", seat=0, ply=0)
        assert await ada.refusal("ask_hint", seat=0, ply=0) == "hint_coming"
        for queue in queues:
            queue._turn.release()
        await ada.hear_until(lambda it: it["type"] == "hint")
        await ada.do("ask_hint", seat=0, ply=0)


async def test_no_bot_thinks_for_a_member_who_is_not_connected() -> None:
    host = hosted(MemoryLog(), ManualClock())
    await done(host, create(hints=True))
    await done(host, cmd.Enter("Bob"))
    await done(host, cmd.FromMember("Ada", cmd.Start(1)))
    await done(host, cmd.FromMember("Ada", cmd.AskHint(2, 0, 0)))  # over another host of the room
    assert not host._tasks._running
    host._connections.send_to("Ada", Notice("no_hint", "no hint was found in time: ask again"))
    await host.close()
