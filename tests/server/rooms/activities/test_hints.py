"""Hints: their recipients, failing bots, and games that go on meanwhile."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.server import bad_bots
from tests.server.hosting import activity, create, done, hosted, is_at_rest
from tests.server.manual_clock import ManualClock
from tests.server.talk import lobby

from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.wire.codec import decode_from_server
from boxroom_engine.wire.messages import Hint, Notice, ServerMessage
from boxroom_server.bots.fair_queue import Asker
from boxroom_server.bots.pool import BotPool
from boxroom_server.net.frames import Outgoing
from boxroom_server.rooms.activities.hints import Hints
from boxroom_server.rooms.host import RoomHost
from boxroom_server.rooms.room_connections import Membership
from boxroom_server.storage.memory.room_log import MemoryLog

ONE_LOOP = True
WITH_HINTS = {"options": {"rows": 1, "cols": 1}, "hints": True}


class Inbox:
    """The connection of a member in this process, which keeps what it is sent."""

    is_closing = False

    def __init__(self) -> None:
        self._sent: asyncio.Queue[ServerMessage] = asyncio.Queue()

    def send(self, outgoing: Outgoing) -> None:
        self._sent.put_nowait(decode_from_server(outgoing.payload))

    def close(self, code: int, reason: str) -> None:
        raise AssertionError(reason)

    async def hint_or_notice(self) -> Hint | Notice:
        """Wait for the next message that is a hint or a notice."""
        while not isinstance(message := await self._sent.get(), Hint | Notice):
            pass
        return message

    async def notice(self) -> str:
        """Return the code of the next notice, which no hint comes before."""
        message = await self.hint_or_notice()
        assert isinstance(message, Notice)
        return message.code


async def asked(bots: BotPool, *names: str) -> tuple[RoomHost, Inbox]:
    """Have Ada ask for a hint in a room whose bots are `names`, the weakest first."""
    limits = RoomLimits(bots={"dots": names})
    host, inbox = hosted(MemoryLog(), ManualClock(), bots, limits=limits), Inbox()
    await host.enter(Membership("Ada", inbox), create(hints=True))
    await done(host, cmd.Enter("Bob"))
    await done(host, cmd.FromMember("Ada", cmd.Start(1)))
    await done(host, cmd.FromMember("Ada", cmd.AskHint(2, 0, 0)))
    return host, inbox


@asynccontextmanager
async def bots(limit_s: float = 5.0) -> AsyncIterator[BotPool]:
    workers = BotPool(1, limit_s, random.Random(1), bad_bots.choose)
    try:
        yield workers
    finally:
        await workers.stop()


async def test_the_strongest_bot_thinks_for_the_member_who_asked() -> None:
    async with bots() as workers:
        host, ada = await asked(workers, "raises", "good")
        assert await ada.hint_or_notice() == Hint(0, "h0", 0, 1, "good")
        await host.close()


async def test_a_bot_that_fails_has_no_hint_and_not_any_move_instead(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with bots() as workers:
        host, ada = await asked(workers, "good", "raises")
        assert await ada.notice() == "no_hint"
        assert "no idea" in caplog.text
        await host.close()


async def test_a_hint_for_a_position_that_is_past_is_not_given() -> None:
    async with bots() as workers:
        host, ada = await asked(workers, "good")
        await done(host, cmd.FromMember("Ada", cmd.Play(3, 0, "h0", 0)))
        assert await ada.notice() == "hint_late"
        await host.close()


async def test_one_hint_at_a_time_is_coming_for_a_member() -> None:
    async with bots(limit_s=1000.0) as workers:
        host, _ = await asked(workers, "sleeps")
        hints = activity(host, Hints)
        assert hints.is_pending_for("Ada")
        assert not hints.is_pending_for("Bob")
        await host.close()
        assert not hints.is_pending_for("Ada")


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
            await queue._wait_for_turn(
                Asker("Bob", "cellar")
            )  # as if other rooms were thinking there
        await ada.do("ask_hint", seat=0, ply=0)
        assert await ada.refusal("ask_hint", seat=0, ply=0) == "hint_coming"
        for queue in queues:
            queue._end_turn()
        await ada.hear_until(lambda it: it["type"] == "hint")
        await ada.do("ask_hint", seat=0, ply=0)


async def test_no_bot_thinks_for_a_member_who_is_not_connected() -> None:
    host = hosted(MemoryLog(), ManualClock())
    await done(host, create(hints=True))
    await done(host, cmd.Enter("Bob"))
    await done(host, cmd.FromMember("Ada", cmd.Start(1)))
    await done(host, cmd.FromMember("Ada", cmd.AskHint(2, 0, 0)))  # over another host of the room
    assert is_at_rest(host)
    late = Notice("no_hint", "no hint was found in time: ask again")
    host.connections.send_one("Ada", late)
    await host.close()
