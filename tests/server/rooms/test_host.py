"""A host and its log, without sockets: commands, timers, bots, and the end of a room."""

import asyncio
import multiprocessing
from collections.abc import Iterator
from typing import Any, TypeVar, cast

import pytest
from tests.cases import each
from tests.server import bad_bots
from tests.server.hosting import (
    LOG,
    FailingLog,
    GateLog,
    Outage,
    activity,
    bots_of,
    create,
    done,
    event_after,
    hosted,
    is_at_rest,
    refused,
)
from tests.server.manual_clock import ManualClock
from tests.server.talk import until

from boxroom_engine.games.protocol import Move
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.events import MoveSource
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import OnDrop, Phase
from boxroom_server.bots.jobs import BotAnswer
from boxroom_server.bots.pool import BotPool
from boxroom_server.rooms.activities.bot_turns import BotTurns
from boxroom_server.rooms.host import RETRY_S, RoomHost
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.room_log import Conflict

ONE_LOOP = True


def asked(id: int, member: str, command: str, **fields: object) -> cmd.FromMember:
    """Return the command of that class name, given by `member`."""
    return cmd.FromMember(member, getattr(cmd, command)(id=id, **fields))


def play(id: int, member: str, seat: int, move: str, ply: int) -> cmd.FromMember:
    return asked(id, member, "Play", seat=seat, move=move, ply=ply)


def ended(event: ev.Event) -> bool:
    return isinstance(event, ev.Ended)


async def playing(host: RoomHost, **settings: Any) -> None:
    """Start a game between Ada and Bob."""
    await done(host, create(**settings))
    await done(host, cmd.Enter("Bob"))
    await done(host, asked(1, "Ada", "Start"))


@pytest.fixture(scope="module")
def bots() -> Iterator[BotPool]:
    """Bots of all rooms, which play in one process."""
    pool = bots_of()
    yield pool
    asyncio.run(pool.stop())


Wanted = TypeVar("Wanted", bound=ev.Event)


async def expected(log: MemoryLog, kind: type[Wanted]) -> asyncio.Future[Wanted]:
    """Begin to wait for the next event of that kind."""
    waiting = asyncio.ensure_future(event_after(log, lambda it: isinstance(it, kind)))
    await asyncio.sleep(0)
    return cast("asyncio.Future[Wanted]", waiting)


# Commands


async def test_commands_lead_to_numbers_and_a_repeat_to_the_same_number() -> None:
    host = hosted(MemoryLog(), ManualClock())
    assert await done(host, create()) == 3
    say = asked(1, "Ada", "Say", text="hello")
    assert await done(host, say) == 4
    assert await done(host, asked(2, "Ada", "Say", text="again")) == 5
    assert await done(host, say) == 4
    assert host.has_accepted(say)
    assert not host.has_accepted(asked(3, "Ada", "Leave"))
    assert host.room.seq == 5
    await host.close()


async def test_a_refused_command_changes_nothing_and_is_not_remembered() -> None:
    host = hosted(MemoryLog(), ManualClock())
    await done(host, create())
    before = host.room
    assert await refused(host, asked(1, "Ada", "Start")) == "empty_seats"
    assert host.room == before
    await done(host, cmd.Enter("Bob"))
    assert await done(host, asked(1, "Ada", "Start")) == host.room.seq
    await host.close()


async def test_a_log_that_conflicts_with_nothing_new_is_an_error_and_no_endless_loop() -> None:
    log = MemoryLog()
    host = hosted(log, ManualClock())
    await done(host, create())
    log._tails[LOG].next_seq += 1  # skips a number
    async with asyncio.timeout(20):
        with pytest.raises(Conflict):
            await host.perform(asked(1, "Ada", "Say", text="hello"))
    await host.close()


async def test_a_closed_room_takes_no_commands() -> None:
    host = hosted(MemoryLog(), ManualClock())
    await done(host, create())
    say = asked(1, "Ada", "Say", text="hello")
    seq = await done(host, say)
    await host.close()
    assert await refused(host, asked(2, "Ada", "Say", text="hello?")) == "no_such_room"
    assert await refused(host, cmd.Enter("Bob")) == "no_such_room"
    assert await done(host, say) == seq
    await host.close()


# The end


async def test_a_room_expires_once_and_again_if_it_was_used_in_between() -> None:
    clock = ManualClock()
    host = hosted(MemoryLog(), clock)
    await done(host, create())
    clock.advance(1000)
    await done(host, cmd.Drop(("Ada",)))
    clock.advance(59)
    await done(host, cmd.Enter("Ada"))
    clock.advance(1000)
    await done(host, cmd.Drop(("Ada",)))
    clock.advance(59)
    await asyncio.sleep(0)
    assert not host.ended.done()
    clock.advance(1)
    await host.ended
    clock.advance(1000)
    assert clock.waiting == 0


async def test_a_room_that_was_never_made_expires() -> None:
    clock = ManualClock()
    host = hosted(MemoryLog(), clock)
    clock.advance(60)
    await host.ended


async def test_a_room_does_not_expire_while_a_member_is_coming_in() -> None:
    log, clock = GateLog(), ManualClock()
    host = hosted(log, clock)
    await done(host, create())
    await done(host, cmd.Drop(("Ada",)))
    log.gate.clear()
    coming = asyncio.ensure_future(host.perform(cmd.Enter("Ada")))
    await log.at_gate.wait()
    clock.advance(60)
    log.gate.set()
    assert await coming == host.room.seq
    clock.advance(1000)
    assert not host.ended.done()
    await host.close()


async def test_closing_leaves_nothing_behind() -> None:
    clock, bots = ManualClock(), bots_of(bad_bots.choose, limit_s=1000.0)
    host = hosted(MemoryLog(), clock, bots)
    await done(host, create(clock_s=30))
    await done(host, asked(1, "Ada", "SeatBot", bot="greedy"))
    await done(host, asked(2, "Ada", "Start"))
    await done(host, play(3, "Ada", 0, "h0", 0))
    await done(host, cmd.Drop(("Ada",)))
    await host.close()
    assert clock.waiting == 0
    assert is_at_rest(host)
    await bots.stop()


async def test_closing_in_the_middle_of_everything(bots: BotPool) -> None:
    for turns in range(12):
        clock = ManualClock()
        host = hosted(MemoryLog(), clock, bots)
        await playing(host, clock_s=10)
        await done(host, cmd.Drop(("Ada",)))
        clock.advance(10)
        work = [
            asyncio.ensure_future(host.perform(asked(id, "Bob", "Say", text="hello")))
            for id in range(1, 6)
        ]
        for _ in range(turns):
            await asyncio.sleep(0)
        await host.close()
        await asyncio.gather(*work)
        assert clock.waiting == 0
        assert is_at_rest(host)


# The clock of a move


async def test_a_clock_that_runs_out_has_a_bot_play_that_one_move(bots: BotPool) -> None:
    log, clock = MemoryLog(), ManualClock()
    host = hosted(log, clock, bots)
    await playing(host, clock_s=30)
    clock.advance(29.999)
    assert activity(host, BotTurns)._thinking == set()
    soon = await expected(log, ev.Played)
    clock.advance(0.001)
    played = await soon
    assert (played.seat, played.by, played.to_move) == (0, MoveSource.CLOCK, 1)
    assert played.deadline_ms == clock.now_ms() + 30_000
    await done(host, play(1, "Bob", 1, "h0" if played.move != "h0" else "h1", 1))
    await host.close()


async def test_a_clock_begins_when_the_move_before_it_is_saved(bots: BotPool) -> None:
    log, clock = GateLog(), ManualClock()
    host = hosted(log, clock, bots)
    await playing(host, clock_s=10)
    log.gate.clear()
    moving = asyncio.ensure_future(done(host, play(2, "Ada", 0, "h0", 0)))
    await log.at_gate.wait()
    clock.advance(9)  # a slow disk
    log.gate.set()
    await moving
    clock.advance(9)
    await host.perform(cmd.Enter("Cy", watch=True))  # which sets the timer anew
    clock.advance(0.999)
    assert activity(host, BotTurns)._thinking == set()
    clock.advance(0.001)
    await until(lambda: bool(activity(host, BotTurns)._thinking))
    await host.close()


async def test_no_clock_runs_while_nothing_can_be_saved(bots: BotPool) -> None:
    log, clock = MemoryLog(), ManualClock()
    outage = Outage(log)
    host = hosted(log, clock, bots, storage=outage.storage)
    await playing(host, clock_s=10)
    for _ in range(2):
        clock.advance(2)
        outage.begin()
        clock.advance(60)
        outage.end()
    await host.perform(cmd.Enter("Cy", watch=True))  # which sets the timer anew
    clock.advance(5.999)
    await asyncio.sleep(0)
    assert activity(host, BotTurns)._thinking == set()
    clock.advance(RETRY_S)
    await until(lambda: bool(activity(host, BotTurns)._thinking))
    await host.close()


async def test_a_move_in_the_very_same_millisecond_stops_no_clock(bots: BotPool) -> None:
    log, clock = MemoryLog(), ManualClock()
    host = hosted(log, clock, bots)
    await playing(host, clock_s=30)
    await done(host, play(2, "Ada", 0, "h0", 0))  # the same deadline again, for another seat
    soon = await expected(log, ev.Played)
    clock.advance(30)
    played = await soon
    assert (played.seat, played.by) == (1, MoveSource.CLOCK)
    await host.close()


async def test_a_clock_that_is_set_back_delays_a_move_and_doesnt_lose_it(bots: BotPool) -> None:
    log, clock = MemoryLog(), ManualClock()
    host = hosted(log, clock, bots)
    await playing(host, clock_s=30)
    soon = await expected(log, ev.Played)
    clock.behind_s = 10
    clock.advance(30)
    await until(lambda: not activity(host, BotTurns)._thinking)
    assert not soon.done()
    clock.advance(10)
    played = await soon
    assert played.by is MoveSource.CLOCK
    await host.close()


async def test_three_clocks_in_a_row_count_as_dropping_out(bots: BotPool) -> None:
    log, clock = MemoryLog(), ManualClock()
    host = hosted(log, clock, bots)
    await playing(host, clock_s=30, options={"rows": 2, "cols": 2})
    clocks = 0
    while host.room.seats[0].bot is None:
        ply = host.room.state.ply if host.room.state else 0
        soon = await expected(log, ev.Played)
        if host.room.state and host.room.state.to_move == 0:
            clocks += 1
            clock.advance(30)
        else:
            assert host.room.state
            move = host.room.state.game.format_move(host.room.state.legal_moves()[0])
            await done(host, play(ply + 10, "Bob", 1, move, ply))
        await soon
    assert clocks == 3
    assert host.room.seats[0].bot == "easy"
    assert host.room.seats[0].member == "Ada"
    await host.close()


async def test_a_clock_is_asked_for_one_move_however_much_happens_meanwhile(
    bots: BotPool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, clock = MemoryLog(), ManualClock()
    asked_for: list[int] = []
    answer: asyncio.Future[Move] = asyncio.get_running_loop().create_future()

    async def choose(room: str, bot: str, state: object, begun: object) -> BotAnswer:
        asked_for.append(1)
        return BotAnswer(await answer)

    monkeypatch.setattr(bots, "choose", choose)
    host = hosted(log, clock, bots)
    await playing(host, clock_s=30)
    clock.advance(30)
    await asyncio.sleep(0)
    for name in ("Cy", "Dan", "Eve"):
        await done(host, cmd.Enter(name))
        clock.advance(1)
        await asyncio.sleep(0)
    assert asked_for == [1]
    soon = await expected(log, ev.Played)
    answer.set_result(Move(0))
    await soon
    await host.close()


# Dropping out


@each(
    "on_drop, kind",
    [(OnDrop.BOT, ev.StoodIn), (OnDrop.FORFEIT, ev.Withdrew), (OnDrop.WAIT, ev.GraceOver)],
)
async def test_the_end_of_the_grace_time(
    bots: BotPool, on_drop: OnDrop, kind: type[ev.Event]
) -> None:
    log, clock = MemoryLog(), ManualClock()
    host = hosted(log, clock, bots)
    await playing(host, on_drop=on_drop)
    await done(host, cmd.Drop(("Ada",)))
    clock.advance(119.999)
    assert host.room.members["Ada"].grace_until_ms is not None
    soon = await expected(log, kind)
    clock.advance(0.001)
    await soon
    assert host.room.host == "Bob"
    await host.close()


async def test_those_who_are_lost_during_a_commit_drop_out_together() -> None:
    log = GateLog()
    host = hosted(log, ManualClock())
    await done(host, create(seats=4))
    for name in ("Bob", "Cy", "Di"):
        await done(host, cmd.Enter(name))
    before = host.room.seq
    log.gate.clear()
    host.drop("Bob", "")
    await log.at_gate.wait()
    host.drop("Cy", "")
    host.drop("Di", "")
    log.gate.set()
    await until(lambda: [it.name for it in host.room.members.values() if it.connected] == ["Ada"])
    entries = host.replay_buffer.after(before, host.room.seq)
    assert entries is not None
    assert [len(entry.events) for entry in entries] == [1, 2]
    await host.close()


async def test_each_of_several_grace_times_ends_at_its_own_time() -> None:
    log, clock = MemoryLog(), ManualClock()
    host = hosted(log, clock)
    await done(host, create(seats=3))
    left: list[tuple[str, int]] = []
    began_ms = clock.now_ms()
    for name in ("Bob", "Cy"):
        await done(host, cmd.Enter(name))
    for name in ("Cy", "Bob"):
        await done(host, cmd.Drop((name,)))
        clock.advance(20)

    def look(event: ev.Event) -> bool:
        if isinstance(event, ev.Left):
            left.append((event.member, (clock.now_ms() - began_ms) // 1000))
        return len(left) == 2

    looking = asyncio.ensure_future(event_after(log, look))
    await asyncio.sleep(0)
    for _ in range(200):
        clock.advance(1)
        for _ in range(5):
            await asyncio.sleep(0)
    await looking
    assert left == [("Cy", 120), ("Bob", 140)]
    await host.close()


# Bots


async def test_a_game_with_a_bad_bot_comes_to_its_end() -> None:
    log, bots = MemoryLog(), bots_of(bad_bots.choose, limit_s=0.2)
    host = hosted(log, ManualClock(), bots, limits=RoomLimits(bots={"dots": ("raises",)}))
    await done(host, create())
    await done(host, asked(1, "Ada", "Unseat", seat=0))
    await done(host, asked(2, "Ada", "Fill", bot="raises"))
    end = asyncio.ensure_future(event_after(log, ended))
    await done(host, asked(3, "Ada", "Start"))
    await end
    assert host.room.phase is Phase.OVER
    assert list(bots._queue_of_room) == ["attic"]
    await host.close()
    assert not bots._queue_of_room
    await bots.stop()


async def test_the_process_of_a_bot_starts_with_the_game_and_before_its_turn() -> None:
    bots = bots_of()
    host = hosted(MemoryLog(), ManualClock(), bots)
    before = multiprocessing.active_children()
    await done(host, create())
    await done(host, asked(1, "Ada", "SeatBot", bot="greedy"))
    assert multiprocessing.active_children() == before
    await done(host, asked(2, "Ada", "Start"))
    assert activity(host, BotTurns)._thinking == set()
    assert len(multiprocessing.active_children()) == len(before) + 1
    await host.close()
    await bots.stop()


async def test_a_bot_takes_its_time_so_that_eyes_can_follow(bots: BotPool) -> None:
    log, clock = MemoryLog(), ManualClock()
    host = hosted(log, clock, bots, pace_s=0.3)
    await done(host, create())
    await done(host, asked(1, "Ada", "Unseat", seat=0))
    await done(host, asked(2, "Ada", "Fill", bot="random"))
    await done(host, asked(3, "Ada", "Start"))
    for ply in range(1, 5):
        soon = asyncio.ensure_future(event_after(log, lambda it: isinstance(it, ev.Played)))
        for _ in range(20):
            await asyncio.sleep(0)
        assert host.room.state is not None
        assert host.room.state.ply == ply - 1
        clock.advance(0.3)
        await soon
    assert host.room.phase is Phase.OVER
    await host.close()


async def test_a_bot_whose_person_comes_back_meanwhile_plays_nothing(
    bots: BotPool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, clock = MemoryLog(), ManualClock()
    answers: list[asyncio.Future[Move]] = []

    async def choose(room: str, bot: str, state: object, begun: object) -> BotAnswer:
        answers.append(asyncio.get_running_loop().create_future())
        return BotAnswer(await answers[-1])

    monkeypatch.setattr(bots, "choose", choose)
    host = hosted(log, clock, bots)
    await playing(host)

    async def ada_drops_out() -> None:
        await done(host, cmd.Drop(("Ada",)))
        soon = await expected(log, ev.StoodIn)
        clock.advance(120)
        await soon
        await asyncio.sleep(0)

    await ada_drops_out()
    assert len(answers) == 1
    await done(host, cmd.Enter("Ada"))
    answers[0].set_result(Move(0))
    for _ in range(10):
        await asyncio.sleep(0)
    assert host.room.state is not None
    assert host.room.state.ply == 0
    # It isn't forgotten that a bot has to play when she drops out again.
    await ada_drops_out()
    assert len(answers) == 2
    soon = await expected(log, ev.Played)
    answers[1].set_result(Move(0))
    played = await soon
    assert played.by is MoveSource.BOT
    await host.close()


async def test_what_a_bot_thought_in_one_game_is_not_played_in_the_next(
    bots: BotPool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = MemoryLog()
    answers: list[asyncio.Future[Move]] = []

    async def choose(room: str, bot: str, state: object, begun: object) -> BotAnswer:
        answers.append(asyncio.get_running_loop().create_future())
        return BotAnswer(await answers[-1])

    monkeypatch.setattr(bots, "choose", choose)
    host = hosted(log, ManualClock(), bots)
    await done(host, create())
    await done(host, asked(1, "Ada", "Unseat", seat=0))
    await done(host, asked(2, "Ada", "SeatBot", bot="random"))
    await done(host, asked(3, "Ada", "Sit"))
    for id in (10, 20):  # the bot is to move at ply 0 in either game
        await done(host, asked(id, "Ada", "Start"))
        await asyncio.sleep(0)
        if id == 10:
            await done(host, asked(11, "Ada", "Resign", seat=1))
    assert len(answers) == 2
    answers[0].set_result(Move(3))
    for _ in range(10):
        await asyncio.sleep(0)
    assert host.room.state is not None
    assert host.room.state.ply == 0
    soon = await expected(log, ev.Played)
    answers[1].set_result(Move(0))
    played = await soon
    assert played.move == "h0"
    await host.close()


# A log that fails


async def test_what_is_due_is_tried_again_when_the_log_fails(bots: BotPool) -> None:
    log, clock = FailingLog(), ManualClock()
    host = hosted(log, clock, bots)
    await done(host, create())
    await done(host, asked(1, "Ada", "Unseat", seat=0))
    await done(host, asked(2, "Ada", "Fill", bot="random"))
    await done(host, asked(3, "Ada", "Start"))
    log.failures = 2
    end = asyncio.ensure_future(event_after(log, ended))
    for failures in (1, 0):
        await until(lambda failures=failures: log.failures == failures and clock.waiting > 0)  # type: ignore[misc]
        assert host.room.state is not None
        assert host.room.state.ply == 0
        await until(lambda: not activity(host, BotTurns)._thinking)
        clock.advance(RETRY_S)
    await end
    await host.close()


async def test_the_end_of_a_grace_time_is_tried_again_when_the_log_fails() -> None:
    log, clock = FailingLog(), ManualClock()
    host = hosted(log, clock)
    await done(host, create())
    await done(host, cmd.Enter("Bob"))
    await done(host, cmd.Drop(("Bob",)))
    log.failures = 3
    for _ in range(5):
        assert "Bob" in host.room.members or log.failures == 0
        clock.advance(120)
        for _ in range(5):
            await asyncio.sleep(0)
    assert "Bob" not in host.room.members
    await host.close()
