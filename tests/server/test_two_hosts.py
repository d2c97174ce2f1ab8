"""Two hosts of one room on one slow log: the first to append wins."""

import asyncio
import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.hosting import SlowLog, bots_of, create, done, event_after, hosted, outcome_of
from tests.server.manual_clock import ManualClock

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.events import MoveSource
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.room import Phase, Room
from boxroom_server.rooms.host import RoomHost

ONE_LOOP = True

MEMBERS = ("Ada", "Bob", "Cy")


def folded(log: SlowLog) -> Room:
    """Return the fold of the log."""
    room = Room("attic")
    for entry in log.saved:
        room = evolve_entry(room, entry)
    return room


def some_command(rng: random.Random, id: int) -> cmd.AnyMemberCommand:
    """Return a command with that id: chat, seats, or moves of which some are legal."""
    seat = rng.randrange(3)
    move = f"{rng.choice('hv')}{rng.randrange(4)}"
    commands: list[cmd.AnyMemberCommand] = [
        cmd.Say(id, f"line {id}"),
        cmd.Say(id, f"line {id}"),
        cmd.Sit(id),
        cmd.Stand(id),
        cmd.Start(id),
        cmd.Play(id, seat, move, rng.randrange(4)),
        cmd.Play(id, seat, move, rng.randrange(4)),
        cmd.Resign(id, seat),
        cmd.HandOver(id, rng.choice(MEMBERS)),
        cmd.Rematch(id),
    ]
    return rng.choice(commands)


async def give_in_turn(
    rng: random.Random, hosts: list[RoomHost], member: str, commands: int
) -> list[tuple[cmd.FromMember, int | CommandRefused]]:
    """Give commands of `member` one after the other, at any of `hosts`, some of them twice."""
    answered: list[tuple[cmd.FromMember, int | CommandRefused]] = []

    async def give(asked: cmd.FromMember) -> None:
        for _ in range(rng.randrange(6)):
            await asyncio.sleep(0)
        answered.append((asked, await outcome_of(rng.choice(hosts), asked)))

    for id in range(1, commands + 1):
        asked = cmd.FromMember(member, some_command(rng, id))
        await asyncio.gather(*(give(asked) for _ in range(rng.choice([1, 1, 1, 2, 3]))))
    return answered


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
async def test_both_agree_and_no_command_is_lost_or_done_twice(seed: int) -> None:
    rng = random.Random(seed)
    log, clock = SlowLog(rng), ManualClock()
    hosts = [hosted(log, clock), hosted(log, clock)]
    await done(hosts[0], create(seats=3, options={"rows": 1, "cols": 2}))
    await asyncio.gather(*(rng.choice(hosts).perform(cmd.Enter(name)) for name in MEMBERS[1:]))
    answers = await asyncio.gather(*(give_in_turn(rng, hosts, name, 18) for name in MEMBERS))
    assert hosts[0].room == hosts[1].room == folded(log)
    led_to = {(it.member, it.command_id): it.last_seq for it in log.saved if it.command_id}
    times = Counter((it.member, it.command_id) for it in log.saved if it.command_id)
    assert set(times.values()) <= {1}
    for asked, outcome in (answer for of_member in answers for answer in of_member):
        key = (asked.member, asked.command.id)
        if isinstance(asked.command, cmd.Say):
            assert outcome == led_to[key]
            said = log.events[led_to[key] - 1]
            assert isinstance(said, ev.Said)
            assert (said.member, said.text) == (asked.member, asked.command.text)
        elif key in led_to and not isinstance(outcome, CommandRefused):
            assert outcome == led_to[key]
    for host in hosts:
        await host.close()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30)
async def test_coming_going_and_kicking_at_once(seed: int) -> None:
    rng = random.Random(seed)
    log, clock = SlowLog(rng), ManualClock()
    hosts = [hosted(log, clock), hosted(log, clock)]
    await done(hosts[0], create(seats=3))
    for turn in range(8):
        work: list[cmd.Command] = [
            cmd.FromMember("Ada", cmd.Kick(turn + 1, rng.choice(MEMBERS[1:])))
        ]
        work += [cmd.Enter(name) for name in MEMBERS[1:] for _ in range(2)]
        work += [cmd.Drop((rng.choice(MEMBERS[1:]),))]
        rng.shuffle(work)
        await asyncio.gather(*(outcome_of(rng.choice(hosts), command) for command in work))
    assert hosts[0].room == hosts[1].room == folded(log)
    assert not set(hosts[0].room.members) & hosts[0].room.barred
    for host in hosts:
        await host.close()


async def test_a_timer_that_fires_at_both_happens_once() -> None:
    for seed in range(10):
        log, clock = SlowLog(random.Random(seed)), ManualClock()
        hosts = [hosted(log, clock), hosted(log, clock)]
        await done(hosts[0], create())
        await done(hosts[1], cmd.Enter("Bob"))
        await done(hosts[0], cmd.Drop(("Bob",)))
        soon = asyncio.ensure_future(event_after(log, lambda it: isinstance(it, ev.Left)))
        await asyncio.sleep(0)
        clock.advance(120)
        await soon
        for _ in range(50):
            await asyncio.sleep(0)
        assert sum(isinstance(event, ev.Left) for event in log.events) == 1
        assert hosts[0].room == hosts[1].room
        for host in hosts:
            await host.close()


async def test_bots_at_both_hosts_play_one_game() -> None:
    log, clock, bots = SlowLog(random.Random(1)), ManualClock(), bots_of()
    hosts = [hosted(log, clock, bots), hosted(log, clock, bots)]
    await done(hosts[0], create(options={"rows": 3, "cols": 3}))
    await done(hosts[0], cmd.FromMember("Ada", cmd.Unseat(1, 0)))
    await done(hosts[0], cmd.FromMember("Ada", cmd.Fill(2, "greedy")))
    end = asyncio.ensure_future(event_after(log, lambda it: isinstance(it, ev.Ended)))
    await done(hosts[1], cmd.FromMember("Ada", cmd.Start(3)))
    await end
    moves = [event for event in log.events if isinstance(event, ev.Played)]
    assert len(moves) == 24
    assert all(move.by is MoveSource.BOT for move in moves)
    for _ in range(50):
        await asyncio.sleep(0)
    assert hosts[0].room == hosts[1].room
    assert hosts[0].room.phase is Phase.OVER
    for host in hosts:
        await host.close()
    await bots.stop()
