"""The same id has the same answer and at most one effect, whatever becomes of the connection.

Hypothesis draws what two people ask, and for each command what happens to it: it is sent
twice, or the connection is cut before it arrives, or after it was done and before the answer
is read. Every kind of command of the protocol takes part.
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from enum import Enum
from itertools import count
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, seed, settings
from hypothesis import strategies as st
from msgspec.structs import asdict, replace
from tests.engine.wire.strategies import message_kinds
from tests.faults.parameters import SEED, UNLIMITED
from tests.faults.readable_log import ReadableLog
from tests.server.talk import Lobby, Message, Talk, lobby

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import (
    AbortRequest,
    ChatTo,
    Reaction,
    RequestedSettings,
    StandInRequest,
)
from boxroom_server.storage.memory.storage import memory_storage

NAMES = ("Ada", "Bob")
ROOM: dict[str, Any] = {"options": {"rows": 1, "cols": 2}, "seats": 3, "hints": True}


class Delivery(Enum):
    """Ways in which a command is delivered to the server, or isn't."""

    ANSWERED = "it is answered"
    TWICE = "it is sent twice in one go"
    CUT_BEFORE = "the connection is cut at once: it may have arrived, or not"
    CUT_AFTER = "it is done, and the connection is cut before the answer is read"


one = st.just(1)
seats = st.integers(0, 3)
maybe_a_seat = st.none() | seats
bots = st.sampled_from(("greedy", "random", "nobody"))
members = st.sampled_from(("Bob", "Ada", "Zoe"))
moves = st.sampled_from(("h0", "h1", "h2", "h3", "v0", "v1", "v2", "v9"))
plies = st.just(0)

COMMANDS: dict[type[cmd.AnyMemberCommand], st.SearchStrategy[cmd.AnyMemberCommand]] = {
    cmd.Leave: st.builds(cmd.Leave, one),
    cmd.Sit: st.builds(cmd.Sit, one, maybe_a_seat, st.sampled_from((None, "Fay"))),
    cmd.Stand: st.builds(cmd.Stand, one, maybe_a_seat),
    cmd.Play: st.builds(cmd.Play, one, seats, moves, plies),
    cmd.AskHint: st.builds(cmd.AskHint, one, seats, plies),
    cmd.Coach: st.builds(cmd.Coach, one, seats, st.booleans()),
    cmd.Undo: st.builds(cmd.Undo, one, plies),
    cmd.AnswerUndo: st.builds(cmd.AnswerUndo, one, plies, st.booleans()),
    cmd.Nudge: st.builds(cmd.Nudge, one, seats),
    cmd.StandIn: st.builds(cmd.StandIn, one, seats, st.none() | bots),
    cmd.Abort: st.builds(cmd.Abort, one),
    cmd.Pause: st.builds(cmd.Pause, one),
    cmd.Unpause: st.builds(cmd.Unpause, one),
    cmd.GoAway: st.builds(cmd.GoAway, one, st.sampled_from(("", "tea"))),
    cmd.Answer: st.builds(cmd.Answer, one, st.integers(1, 30), st.booleans()),
    cmd.Resign: st.builds(cmd.Resign, one, seats),
    cmd.Rematch: st.builds(cmd.Rematch, one),
    cmd.Say: st.builds(cmd.Say, one, st.sampled_from(("hm", "")), st.sampled_from(ChatTo)),
    cmd.Tell: st.builds(cmd.Tell, one, members, st.sampled_from(("psst", ""))),
    cmd.React: st.builds(cmd.React, one, st.sampled_from(Reaction)),
    cmd.Start: st.builds(cmd.Start, one),
    cmd.Configure: st.builds(
        cmd.Configure,
        one,
        st.sampled_from((RequestedSettings(**ROOM), RequestedSettings(**ROOM | {"seats": 4}))),
    ),
    cmd.SeatBot: st.builds(cmd.SeatBot, one, bots, maybe_a_seat),
    cmd.Fill: st.builds(cmd.Fill, one, bots),
    cmd.Unseat: st.builds(cmd.Unseat, one, seats),
    cmd.Kick: st.builds(cmd.Kick, one, members),
    cmd.Unbar: st.builds(cmd.Unbar, one, members),
    cmd.Mute: st.builds(cmd.Mute, one, members),
    cmd.Unmute: st.builds(cmd.Unmute, one, members),
    cmd.HandOver: st.builds(cmd.HandOver, one, members),
}
"""Commands of each kind, sensible and not; seat and ply are put right when a game is on."""


class Step(NamedTuple):
    """A command of one person, with its deliveries before the one that is answered."""

    name: str
    command: cmd.AnyMemberCommand
    deliveries: list[Delivery]


deliveries = st.lists(st.sampled_from(Delivery), max_size=3)
steps = st.builds(Step, st.sampled_from(NAMES), st.one_of(list(COMMANDS.values())), deliveries)
often = st.sampled_from((cmd.Fill(1, "greedy"), cmd.Start(1), cmd.Play(1, 0, "h0", 0)))
game_steps = st.builds(Step, st.sampled_from(NAMES), often, deliveries)


class Person:
    """A client that sends each command until it is answered, and records the answers."""

    def __init__(self, place: Lobby, room: str, name: str) -> None:
        self.name = name
        self.answers: dict[int, list[Message]] = {}
        self._asked: dict[int, cmd.AnyMemberCommand] = {}
        self._place = place
        self._room = room
        self._ids = count(1)
        self._talk: Talk | None = None
        self._seen: tuple[int, str] | None = None

    async def join(self) -> bool:
        """Join the room, or return to it; False if barred."""
        talk = await self._place.call(self.name)
        back = {} if self._seen is None else dict(zip(("after", "log"), self._seen, strict=True))
        answer = await talk.ask("join_room", id=next(self._ids), room=self._room, **back)
        if answer["type"] == "done":
            self._talk = talk
            return True
        await talk.hang_up()  # without a room there is nothing to ask
        return False

    async def close(self) -> None:
        """Close the connection, if it has one."""
        if self._talk is not None:
            await self._talk.hang_up()

    async def ask(self, command: cmd.AnyMemberCommand, deliveries: list[Delivery]) -> None:
        """Send `command` with a new id in these ways, and once more so that it is answered."""
        command = replace(command, id=next(self._ids))
        self._asked[command.id] = command
        self.answers[command.id] = []
        for delivery in (*deliveries, Delivery.ANSWERED):
            await self._send(command, delivery)

    async def ask_again(self) -> None:
        """Send once more all commands that the server certainly remembers."""
        for command in list(self._asked.values())[-8:]:
            await self._send(command, Delivery.ANSWERED)

    async def _send(self, command: cmd.AnyMemberCommand, delivery: Delivery) -> None:
        if self._talk is None and not await self.join():
            return
        talk = self._talk
        assert talk is not None
        times = 2 if delivery is Delivery.TWICE else 1
        for _ in range(times):
            await talk.say(_kind(command), **_fields(command))
        if delivery in (Delivery.CUT_BEFORE, Delivery.CUT_AFTER):
            if delivery is Delivery.CUT_AFTER:
                await (await talk.connection.ping())  # what it was sent before is done by then
            self._cut(talk)
            return
        for _ in range(times):
            self.answers[command.id].append(await talk.answer(command.id))

    def _cut(self, talk: Talk) -> None:
        if talk.room is not None:
            self._seen = talk.room.seq, talk.room.log
        talk.cut()
        self._talk = None

    def check(self, entries: list[ev.Entry]) -> None:
        """Check that every id has one effect at most, and one answer from the first `done` on."""
        kept = [entry for entry in entries if entry.member == self.name and entry.command_id]
        assert all(times == 1 for times in Counter(it.command_id for it in kept).values())
        led_to = {entry.command_id: entry.last_seq for entry in kept}
        for id, answers in self.answers.items():
            seqs = [answer.get("seq") for answer in answers]
            if any(seqs):
                first = next(index for index, seq in enumerate(seqs) if seq is not None)
                assert set(seqs[first:]) == {led_to.get(id)}, (self._asked[id], answers)


def _kind(command: cmd.AnyMemberCommand) -> str:
    return str(command.__struct_config__.tag)


def _fields(command: cmd.AnyMemberCommand) -> dict[str, Any]:
    fields = asdict(command)
    if isinstance(command, cmd.Configure):
        fields["settings"] = {**ROOM, "seats": command.settings.seats}
    return fields


def for_current_position(
    place: Lobby, room: str, command: cmd.AnyMemberCommand
) -> cmd.AnyMemberCommand:
    """Return `command` for the seat to move and the current position."""
    now = place.room(room)
    state = now.running
    if state is None or state.to_move is None:
        return command
    match command:
        case cmd.Play() | cmd.AskHint():
            return replace(command, seat=state.to_move, ply=state.ply)
        case cmd.Undo() | cmd.AnswerUndo():
            ply = now.ply if now.undo is None else now.undo.ply
            return replace(command, ply=ply - now.ply_offset)  # of a client without takebacks
        case cmd.Resign() | cmd.Nudge() | cmd.StandIn() | cmd.Coach():
            return replace(command, seat=state.to_move)
        case cmd.Answer() if isinstance(now.request, StandInRequest | AbortRequest):
            return replace(command, since=now.request.since)
        case _:
            return command


class SharedServer:
    """A server for all examples, each of which has a room of its own."""

    def __init__(self, runner: asyncio.Runner, place: Lobby, log: ReadableLog) -> None:
        self.place = place
        self.log = log
        self._runner = runner
        self._numbers = count(1)

    def next_room(self) -> str:
        return f"room {next(self._numbers)}"

    def run(self, example: Coroutine[Any, Any, None]) -> None:
        self._runner.run(example)


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedServer]:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()

        async def start() -> SharedServer:
            log = ReadableLog()
            place = await stack.enter_async_context(
                lobby(
                    storage=memory_storage(log),
                    bot_s=0.1,
                    bot_workers=1,
                    **UNLIMITED,
                )
            )
            return SharedServer(runner, place, log)

        yield runner.run(start())
        runner.run(stack.aclose())


async def play_history(shared: SharedServer, history: list[Step]) -> None:
    """Play `history` in a room of its own, and check the answers and the log at the end."""
    room, place = shared.next_room(), shared.place
    maker = await place.call("Eve")
    await maker.do("create_room", token=f"token of {room}", room=room, settings=ROOM, watch=True)
    people = {name: Person(place, room, name) for name in NAMES}
    assert await people["Ada"].join()
    await maker.do("hand_over", member="Ada")
    await maker.hang_up()
    for step in history:
        command = for_current_position(place, room, step.command)
        await people[step.name].ask(command, step.deliveries)
    for person in people.values():
        await person.ask_again()
        person.check(shared.log.entries_of(room))
    for person in people.values():
        await person.close()
    place.clock.advance(300)


def test_every_kind_of_command_takes_part() -> None:
    assert set(COMMANDS) == set(message_kinds(cmd.AnyMemberCommand))


LEFT_AND_BARRED = [
    Step("Bob", cmd.Leave(1), []),
    Step("Bob", cmd.Fill(1, "greedy"), [Delivery.CUT_BEFORE]),
    Step("Ada", cmd.Kick(1, "Bob"), []),
    Step("Bob", cmd.Leave(1), [Delivery.CUT_BEFORE]),
]


@seed(SEED)
@example(history=LEFT_AND_BARRED)
@given(history=st.lists(steps | game_steps, min_size=5, max_size=30))
@settings(max_examples=25)
def test_whatever_is_cut_sent_again_or_sent_twice(
    shared: SharedServer, history: list[Step]
) -> None:
    shared.run(play_history(shared, history))


@pytest.mark.long
@seed(SEED)
@given(history=st.lists(steps | game_steps, min_size=5, max_size=60))
@settings(max_examples=3_000)
def test_whatever_is_cut_in_many_histories(shared: SharedServer, history: list[Step]) -> None:
    shared.run(play_history(shared, history))


# Making a room


async def make_once(shared: SharedServer, made: list[Delivery]) -> None:
    """Request a room with one token in these ways, until it is answered."""
    token = f"token of {shared.next_room()}"
    answers: list[Message] = []
    codes: set[str] = set()
    for delivery in (*made, Delivery.ANSWERED):
        talk = await shared.place.call("Ada")
        times = 2 if delivery is Delivery.TWICE else 1
        for _ in range(times):
            await talk.say("create_room", id=1, token=token, settings=ROOM)
        if delivery is Delivery.CUT_AFTER:
            await (await talk.connection.ping())
        if delivery in (Delivery.ANSWERED, Delivery.TWICE):
            answers += [await talk.answer(1) for _ in range(times)]
            codes |= {it["room"]["room"] for it in talk.heard if it["type"] == "in_room"}
        talk.cut()
    # A repeat over the same connection comes from a member of the room.
    assert {answer.get("code", "done") for answer in answers} <= {"done", "in_a_room"}
    assert len(codes) == 1


@seed(SEED)
@given(made=st.lists(st.sampled_from(Delivery), max_size=4))
@settings(max_examples=settings().max_examples // 2)
def test_a_room_is_made_once(shared: SharedServer, made: list[Delivery]) -> None:
    shared.run(make_once(shared, made))
