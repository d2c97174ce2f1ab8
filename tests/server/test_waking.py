"""Rooms on disk or in etcd continue in the next server, after a stop and after a crash.

Servers are stopped and started again in this process, with real sockets. A crash is a copy of what
is saved, taken while the server runs.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from tests.server.manual_clock import ManualClock
from tests.server.storage.sqlite.writing import fail, hanging
from tests.server.stores import Ended, SqliteStore, Store, crashed, lobby_on, stopped
from tests.server.talk import ONE_BOX, Lobby, Talk, lobby, say_hello, until

from boxroom_engine.room import text
from boxroom_engine.room.room import Phase
from boxroom_server.admin import messages as admin
from boxroom_server.ops.readiness import Readiness
from boxroom_server.rooms import directory
from boxroom_server.rooms.activities import archive
from boxroom_server.rooms.cell import NoSuchRoom, State
from boxroom_server.rooms.host import RETRY_S
from boxroom_server.storage.etcd.room_log import EtcdLog
from boxroom_server.storage.room_log import CannotSave, Damaged, RoomLog, RoomRecord, StoredLog
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.room_log import SqliteLog
from boxroom_server.storage.sqlite.storage import sqlite_storage

ONE_LOOP = True

either_way = pytest.mark.parametrize("end", [stopped, crashed])


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


def is_awake(place: Lobby, room: str = "attic") -> bool:
    return place.server._directory.find(room).host is not None


async def awake(place: Lobby, room: str = "attic") -> None:
    await until(lambda: is_awake(place, room))


async def two_at_play(place: Lobby, **settings: Any) -> tuple[Talk, Talk]:
    """Start a game of Ada, the host, and Bob on a board of two boxes; Ada is to move."""
    wide = {"options": {"rows": 1, "cols": 2}, "clock_s": 60}
    return await place.game_of_two(**{**wide, **settings})


async def play(talk: Talk, seat: int, move: str) -> int:
    assert talk.seen.state is not None
    ply = talk.seen.state.ply
    return await talk.do("play", seat=seat, move=move, ply=ply, game=talk.seen.game_number)


@either_way
async def test_a_game_goes_on_where_it_was(store: Store, clock: ManualClock, end: Ended) -> None:
    async with lobby_on(store, clock) as place:
        ada, _ = await two_at_play(place)
        await ada.do("say", text="good luck")
        await play(ada, 0, "h0")
        clock.advance(20.0)
        before = place.room()
        left = await end(place, store)
    clock.advance(3600.0)
    async with lobby_on(left, clock) as place:
        ada, bob = await place.join("Ada"), await place.join("Bob")
        after = place.room()
        assert after.seats == before.seats
        assert after.host == "Ada"
        assert after.state == before.state
        assert after.chat == before.chat
        assert after.deadline_ms is not None
        left_s = (after.deadline_ms - clock.now_ms()) / 1000
        assert 40.0 <= left_s <= (40.0 if end is stopped else 40.0 + 20.0)
        await bob.until_seq(after.seq)
        await play(bob, 1, "h1")


@either_way
async def test_nobody_loses_a_seat_who_comes_back_within_the_grace_time(
    store: Store, clock: ManualClock, end: Ended
) -> None:
    async with lobby_on(store, clock) as place:
        await two_at_play(place, clock_s=None)
        left = await end(place, store)
    clock.advance(7 * 86_400.0)
    async with lobby_on(left, clock, grace_s=120.0) as place:
        await awake(place)
        clock.advance(119.0)
        ada = await place.join("Ada")
        assert place.room().seats[0].member == "Ada"
        assert place.room().seats[0].bot is None
        await play(ada, 0, "h0")


async def test_a_bot_to_move_goes_on_though_nobody_is_there(
    folder: DataFolder, clock: ManualClock
) -> None:
    store = SqliteStore(folder)
    async with lobby_on(store, clock, pace_s=10.0) as place:
        ada = await place.create("Ada", settings={"options": {"rows": 1, "cols": 2}})
        await ada.do("seat_bot", bot="random")
        await ada.do("start")
        await play(ada, 0, "h0")
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        await awake(place)

        def has_played() -> bool:
            state = place.room().state
            return state is not None and state.ply > 1

        await until(has_played)


@either_way
async def test_who_comes_back_is_told_what_was_missed_and_answered_as_before(
    store: Store, clock: ManualClock, end: Ended
) -> None:
    async with lobby_on(store, clock) as place:
        ada, bob = await two_at_play(place)
        await bob.until_seq(place.room().seq)
        log, seen = bob.seen.log, bob.seen.seq
        missed = await ada.do("say", id=7, text="are you there?")
        left = await end(place, store)
    async with lobby_on(left, clock) as place:
        bob = await place.call("Bob")
        await bob.do("join_room", room="attic", log=log, after=seen)
        assert bob.resumed_after == seen
        heard = [it for it in bob.heard if it["type"] == "events"]
        assert heard[0]["seq"] == seen + 1
        assert any(it["seq"] <= missed < it["seq"] + len(it["events"]) for it in heard)
        ada = await place.join("Ada")
        assert ada.last_id == 7
        assert await ada.do("say", id=7, text="are you there?") == missed
        assert [line.text for line in place.room().chat] == ["are you there?"]


@either_way
async def test_a_private_room_stays_private_and_its_token_good(
    store: Store, clock: ManualClock, end: Ended
) -> None:
    private = {**ONE_BOX, "private": True}
    async with lobby_on(store, clock) as place:
        await place.create("Ada", settings=private, password="opensesame")
        left = await end(place, store)
    async with lobby_on(left, clock) as place:
        ada = await place.create("Ada", settings=private, password="opensesame")
        assert len(place.server._directory) == 1
        bob = await place.call("Bob")
        wrong = await bob.refusal("join_room", room="attic", password="a wrong one")
        assert wrong == "wrong_password"
        await bob.do("join_room", room="attic", password="opensesame")
        rooms = await ada.ask("list_rooms")
        assert rooms["rooms"] == []


@either_way
async def test_names_that_are_none_any_more_stay_their_owners_and_their_rooms(
    store: Store, clock: ManualClock, end: Ended, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = "Ada\u1160", "Bob\u1160"
    monkeypatch.setattr(text, "_BLANKS", re.compile("(?!)"))  # as in an earlier version
    async with lobby_on(store, clock) as place:
        await place.create(old, "attic\u1160")
        left = await end(place, store)
    monkeypatch.undo()
    async with lobby_on(left, clock) as place:
        bob = await place.connect(new)
        await say_hello(bob)
        assert (await bob.hear())["code"] == "bad_name"
        ada = await place.join(old, "attic\u1160")
        assert place.room("attic\u1160").host == old
        room = {"token": "0123456789", "room": new}
        await ada.do("leave")
        assert await ada.refusal("create_room", **room) == "bad_name"


@either_way
async def test_names_stay_their_owners_and_rooms_count_for_who_made_them(
    store: Store, clock: ManualClock, end: Ended
) -> None:
    async with lobby_on(store, clock, rooms_per_name=1) as place:
        await place.create("Ada")
        left = await end(place, store)
    async with lobby_on(left, clock, rooms_per_name=1) as place:
        thief = await place.connect("ADA")
        await say_hello(thief, secret="guessed, wrongly")
        assert (await thief.hear())["code"] == "name_taken"
        ada = await place.connect("ada")
        await say_hello(ada)
        assert (await ada.hear())["name"] == "Ada"
        more = await ada.refusal(
            "create_room", token="another token", room="cellar", settings=ONE_BOX
        )
        assert more == "too_many_rooms"
        await ada.do("join_room", room="attic")
        listed = await ada.ask("list_rooms")
        assert [room["room"] for room in listed["rooms"]] == ["attic"]


@either_way
async def test_a_game_that_ended_is_saved_and_may_be_played_again(
    store: Store, clock: ManualClock, end: Ended
) -> None:
    async with lobby_on(store, clock) as place:
        ada, bob = await two_at_play(place, **ONE_BOX)
        for talk, seat, move in ((ada, 0, "h0"), (bob, 1, "h1"), (ada, 0, "v0"), (bob, 1, "v1")):
            await talk.until_seq(place.room().seq)
            await play(talk, seat, move)
        assert place.room().phase is Phase.OVER
        left = await end(place, store)
    if end is crashed:  # before the game was saved, too
        await left.delete_games()
    async with lobby_on(left, clock) as place:
        ada, bob = await place.join("Ada"), await place.join("Bob")
        await ada.do("say", text="again?")  # the game is saved before that
        (game,) = (await bob.ask("list_games"))["games"]
        assert (game["room"], game["scores"], game["winners"]) == ("attic", [0, 1], [1])
        await ada.do("rematch")
        await bob.do("rematch")
        assert place.room().phase is Phase.PLAYING
        assert place.room().game_number == 2


@either_way
async def test_a_long_log_is_read_from_its_checkpoint_on(
    store: Store, clock: ManualClock, end: Ended, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "CHECKPOINT_EVERY", every := 20)
    fast = {"messages_per_s": 1e6, "burst": 1_000_000, "chat_per_s": 1e6}
    async with lobby_on(store, clock, **fast) as place:
        ada = await place.create("Ada")
        await place.until_owned()
        for number in range(every + 10):
            await ada.do("say", text=f"line {number}")
        before = place.room()
        left = await end(place, store)
    async with left.opened(clock) as storage:
        checkpoint = (await storage.room_log.read(before.log)).checkpoint
    assert checkpoint is not None
    assert checkpoint.seen.seq in (every, every + 1)
    async with lobby_on(left, clock, **fast) as place:
        ada = await place.join("Ada")
        assert place.room().chat == before.chat
        replay_buffer = place.host().replay_buffer
        assert replay_buffer.after(every + 1, place.room().seq) is not None
        assert replay_buffer.after(every - 2, place.room().seq) is None


# When a room is woken


class Reads:
    """Intercepted reads of room logs, which wait until `is_open`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.failures = 0
        self.is_open = False
        for kind in (SqliteLog, EtcdLog):
            patch.setattr(kind, "read", self._counted(kind.read))

    def _counted(self, read: Callable[..., Awaitable[StoredLog]]) -> Callable[..., Any]:
        async def counted(log: RoomLog, name: str) -> StoredLog:
            self.begun.append(name)
            await until(lambda: self.is_open)
            if self.failures:
                self.failures -= 1
                raise CannotSave("the disk fails")
            return await read(log, name)

        return counted


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(monkeypatch)


async def test_who_comes_early_wakes_the_room_which_happens_once(
    store: Store, clock: ManualClock, reads: Reads
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada", "cellar")
        await place.create("Bob")
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        ada, bob = await place.call("Ada"), await place.call("Bob")
        await ada.say("join_room", room="attic")
        await bob.say("join_room", room="attic")
        await until(lambda: len(reads.begun) == 2)  # the cellar for all, and the attic for both
        reads.is_open = True
        assert (await ada.answer(ada.last_id))["type"] == "done"
        assert (await bob.answer(bob.last_id))["type"] == "done"
        await awake(place, "cellar")
        assert len(reads.begun) == 2


async def test_a_name_that_expired_stays_its_owners_until_it_is_known_who_has_a_seat(
    store: Store, clock: ManualClock, reads: Reads
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        bob = await place.join("Bob")
        await bob.do("leave")
        left = await crashed(place, store)
    clock.advance(1)
    async with lobby_on(left, clock, name_days=0) as place:
        names = place.server._names
        assert names.claim("Bob", "another secret") is None
        reads.is_open = True
        await awake(place)
        assert names.claim("Bob", "another secret") == "Bob"
        assert names.claim("Ada", "another secret") is None


async def test_a_room_that_can_not_be_read_now_is_woken_later(
    store: Store, clock: ManualClock, reads: Reads
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        left = await crashed(place, store)
    reads.is_open, reads.failures = True, 1
    async with lobby_on(left, clock) as place:
        await until(lambda: reads.failures == 0)
        assert not is_awake(place)

        def is_awake_in_time() -> bool:
            clock.advance(RETRY_S)
            return is_awake(place)

        await until(is_awake_in_time)


async def test_a_look_wakes_a_room(store: Store, clock: ManualClock, reads: Reads) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        bob = await place.call("Bob")
        asked = await bob.say("look", room="attic")
        await until(lambda: len(reads.begun) == 1)
        assert not is_awake(place)
        reads.is_open = True
        (attic,) = (await bob.answer(asked))["rooms"]
        assert (attic["room"], attic["people"]) == ("attic", 1)
        assert is_awake(place)


@pytest.mark.parametrize("request_type", ["join_room", "look"])
async def test_who_waits_for_a_room_when_the_server_stops_is_told_that_it_stops(
    store: Store,
    clock: ManualClock,
    reads: Reads,
    caplog: pytest.LogCaptureFixture,
    request_type: str,
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        ada = await place.call("Ada")
        await ada.say(request_type, room="attic")
        await until(lambda: len(reads.begun) == 1)
        await until(lambda: place.server._directory.find("attic").state is State.WAKING)
        await place.server.stop()
        assert (await ada.close_code())[0] == 1012
        assert ada.heard[-1]["code"] == "stopping"
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


async def test_who_waits_for_a_room_that_another_server_closes_is_told_that_it_is_gone(
    store: Store, clock: ManualClock, reads: Reads
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        looking = asyncio.create_task(place.server._directory.look("attic", "192.0.2.1"))
        await close_elsewhere(place, reads)
        with pytest.raises(NoSuchRoom):
            await looking


@pytest.mark.parametrize("asked", [admin.ShowRoom("attic"), admin.Kick("attic", "Ada")])
async def test_an_operator_who_waits_for_a_room_that_another_server_closes_is_told_so(
    store: Store, clock: ManualClock, reads: Reads, asked: admin.Request
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        commands = place.server.admin_commands
        executing = asyncio.create_task(commands.execute(asked, lambda: None))
        await close_elsewhere(place, reads)
        answer = await executing
        assert isinstance(answer, admin.Refused)
        assert "there is no room 'attic' here" in answer.message


async def test_all_other_rooms_wake_though_another_server_closes_the_first(
    store: Store, clock: ManualClock, reads: Reads
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        clock.advance(1.0)
        await place.create("Bob", "cellar")
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        await close_elsewhere(place, reads)
        reads.is_open = True
        await awake(place, "cellar")
        assert len(place.server._directory) == 1


async def test_a_room_that_another_server_has_closed_is_not_woken(
    store: Store, clock: ManualClock, reads: Reads
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada", "cellar")
        clock.advance(1.0)
        await place.create("Bob")
        log = place.room().log
        left = await crashed(place, store)
    async with lobby_on(left, clock) as place:
        rooms = place.server._directory
        await until(lambda: len(reads.begun) == 1)
        rooms.expel("Bob")  # which would wake the attic next
        rooms.room_removed(log)
        reads.is_open = True
        await awake(place, "cellar")
        await until(lambda: not rooms._hosting.tasks._running)
        assert log not in reads.begun


async def test_names_are_free_when_both_of_two_rooms_with_one_code_are_closed(
    clock: ManualClock,
) -> None:
    async with lobby(clock=clock) as place:
        rooms = place.server._directory
        for log in ("1", "2"):
            rooms.room_added(RoomRecord(log, "attic", "Ada", f"token {log}", None, 0))
        assert rooms.is_in_a_room("Ada")
        for log in ("1", "2"):
            rooms.room_removed(log)
        assert not rooms.is_in_a_room("Ada")


async def close_elsewhere(place: Lobby, reads: Reads) -> None:
    """Report that another server has closed the attic while this one reads its log."""
    await asyncio.sleep(0)  # so that a task which the test has started waits for the room
    log = place.server._directory.find("attic").record.log
    await until(lambda: log in reads.begun)
    place.server._directory.room_removed(log)


async def test_a_damaged_room_stays_as_it_is_and_the_others_go_on(
    store: Store, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with lobby_on(store, clock) as place:
        await place.create("Ada")
        log = place.room().log
        await place.create("Bob", "cellar")
        await stopped(place, store)
    await store.damage_entries(log)
    async with lobby_on(store, clock) as place:
        ada = await place.call("Ada")
        assert await ada.refusal("look", room="attic") == "room_damaged"
        assert await ada.refusal("join_room", room="attic") == "room_damaged"
        await ada.do("join_room", room="cellar")
        assert not place.server._directory.is_in_a_room("Zoe")
    async with store.opened(clock) as storage:
        with pytest.raises(Damaged):
            await storage.room_log.read(log)
    assert "room attic stays as it is" in caplog.text


# A disk that fails, or does nothing

NO_DISK = "CREATE TRIGGER disk BEFORE INSERT ON commits BEGIN SELECT RAISE(ABORT, 'no'); END"
"""Makes every commit fail."""


async def test_a_server_stops_though_its_disk_does_nothing(
    folder: DataFolder, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "STOP_S", 0.01)
    async with lobby_on(SqliteStore(folder), clock) as place:
        ada = await place.create("Ada")
        with hanging(folder.database):
            await ada.say("say", text="is that saved?")
            await until(lambda: place.host().is_busy)
            await ada.say("list_rooms")  # which waits behind it
            await place.server.stop()
            assert (await ada.close_code())[0] == 1012
            answered = [it for it in ada.heard if it.get("id") == ada.last_id - 1]
            assert answered == []


async def test_a_server_stops_though_a_room_wakes_on_a_disk_that_does_nothing(
    folder: DataFolder, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "STOP_S", 0.01)
    async with lobby_on(SqliteStore(folder), clock) as place:
        await place.create("Ada")
        left = await SqliteStore(folder).copy()
    async with left.opened(clock) as storage:
        with hanging(left.folder.database):
            async with lobby(storage=storage, clock=clock) as place:
                writer = cast(Any, storage.room_log)._writer
                await until(
                    lambda: any(it and it.lines for it in (writer._committing, writer._next_batch))
                )
                find = place.server._directory.find
                assert find("attic").state is State.WAKING, "it appends that Ada is gone"
                await place.server.stop()
                assert find("attic").state is State.ASLEEP


async def test_a_clock_stands_still_until_the_disk_works_again(
    folder: DataFolder, clock: ManualClock
) -> None:
    async with lobby_on(SqliteStore(folder), clock) as place:
        await two_at_play(place)
        clock.advance(20.0)
        left_ms = (place.room().deadline_ms or 0) - clock.now_ms()
    clock.advance(3600.0)
    async with sqlite_storage(folder, clock) as storage:
        fail(folder.database, NO_DISK)
        await until(lambda: storage.saving.failure is not None)
        async with lobby(storage=storage, clock=clock) as place:
            ada = await place.call("Ada")
            assert await ada.refusal("look", room="attic") == "cannot_save"
            clock.advance(100.0)
            fail(folder.database, "DROP TRIGGER disk")
            await ada.hear_until(lambda it: it.get("code") == "saving_again")
            cell = place.server._directory.find("attic")

            def is_awake_in_time() -> bool:
                if cell.state is State.ASLEEP:
                    clock.advance(RETRY_S)
                return is_awake(place)

            await until(is_awake_in_time)
            assert (place.room().deadline_ms or 0) - clock.now_ms() == left_ms


async def test_a_room_whose_log_is_lost_while_it_wakes_is_woken_later(
    folder: DataFolder, clock: ManualClock
) -> None:
    async with lobby_on(SqliteStore(folder), clock) as place:
        await place.create("Ada")
        log = place.room().log
        left = await SqliteStore(folder).copy()
    async with left.opened(clock) as storage, AsyncExitStack() as stack:
        with hanging(left.folder.database):
            place = await stack.enter_async_context(lobby(storage=storage, clock=clock))
            tails = cast(Any, storage.room_log)._tails
            await until(lambda: log in tails and any(it.is_busy for it in tails[log].followers))
            show = place.server.admin_commands.execute(admin.ShowRoom("attic"), lambda: None)
            showing = asyncio.create_task(show)
            await asyncio.sleep(0)
            tails[log].followers[0].log_lost()
            answer = await showing
        assert isinstance(answer, admin.Refused)
        assert "its log was lost for a moment" in answer.message
        clock.advance(RETRY_S)
        await awake(place)


async def test_a_disk_that_fails_from_the_start_is_known_from_the_start(
    folder: DataFolder, clock: ManualClock
) -> None:
    readiness = Readiness()
    async with sqlite_storage(folder, clock) as storage:
        pass
    fail(folder.database, NO_DISK)
    async with sqlite_storage(folder, clock) as storage:
        await until(lambda: storage.saving.failure is not None)
        async with lobby(storage=storage, clock=clock, readiness=readiness) as place:
            assert readiness.reasons == ("the disk fails (no)",)
            ada, stranger = await place.call("Ada"), await place.connect("Bob")
            assert (await ada.hear())["code"] == "cannot_save"
            fail(folder.database, "DROP TRIGGER disk")
            assert (await ada.hear())["code"] == "saving_again"
            assert readiness.is_ready
            await say_hello(stranger)
            await stranger.ask("list_rooms")
            assert [it["type"] for it in stranger.heard] == ["welcome", "rooms"]
