"""Clients that write down everything they ask and are told, for the judge in `history`.

A `Witness` is a thin client of the tests' own, which shares nothing with the real one but the
messages; a `RealWitness` is the real client, listened to. Both play, talk and err at random,
and come back whenever they are cut off.
"""

import asyncio
import math
import random
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

from msgspec.structs import replace
from tests.faults.history import Account, Answered, Told
from tests.server.talk import secret_of
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from boxroom_client.link.backoff import Backoff
from boxroom_client.link.connection import Join, RoomConnection
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.updates import EnteredRoom, EventApplied, SessionEnded
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Phase, RequestedSettings, Room, Settings
from boxroom_engine.room.view import Snapshot, restore, snapshot
from boxroom_engine.wire import messages as wire
from boxroom_engine.wire.codec import decode_from_server, encode

CUT_OFF = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)
"""What may end a connection or an attempt at one, in a run in which everything breaks."""

IN_FLIGHT = 3
"""Commands that a witness has unanswered at most."""


def impatient(rng: random.Random) -> Backoff:
    """Patience that soon tries again, and never gives up before the run does.

    No line holds for long here, which the client otherwise takes for one long loss.
    """
    return Backoff(first_s=0.02, most_s=0.2, give_up_s=math.inf, rng=rng)


class Whims:
    """What one member wants to do next, at random, some of it against the rules."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self._name = name
        self._rng = rng
        self._lines = 0

    def next_command(self, room: Room) -> cmd.AnyMemberCommand:
        """A move if there is one to make, now and then an illegal one, or else a line of chat."""
        if room.host == self._name and room.phase is not Phase.PLAYING:
            return cmd.Start(1)
        state = room.running
        if state is None or state.to_move is None or self._rng.random() < 0.2:
            return self._line()
        mine = room.seats[state.to_move].member == self._name
        if not mine and self._rng.random() < 0.7:
            return self._line()
        # Out of turn, or of an edge that may be drawn already: the server refuses that.
        position = state if self._rng.random() < 0.8 else state.game.initial()
        moves = position.legal_moves()
        move = state.game.format_move(self._rng.choice(moves))
        return cmd.Play(1, state.to_move, move, state.ply, room.game_number)

    def _line(self) -> cmd.Say:
        self._lines += 1
        # Every line is another one: so one that is said twice shows.
        text = "" if self._rng.random() < 0.1 else f"{self._name} says {self._lines}"
        return cmd.Say(1, text)


class Witness:
    """A client of the tests' own: one member in one room, over as many sockets as it takes."""

    def __init__(
        self,
        name: str,
        room: str,
        port: int,
        rng: random.Random,
        heard: Callable[[], None],
        *,
        made_with: Settings | None = None,
    ) -> None:
        self._name = name
        self._code = room
        self._port = port
        self._rng = rng
        self._heard = heard
        self._made_with = made_with
        self._whims = Whims(name, rng)
        self._room: Room | None = None
        self._next_id = 1
        self._unanswered: dict[int, cmd.AnyMemberCommand] = {}
        self._asked: list[cmd.AnyMemberCommand] = []
        self._answers: list[Answered] = []
        self._told: list[list[Told]] = []
        self._is_silent = False
        self._shown: list[Snapshot] = []

    @property
    def began(self) -> Snapshot | None:
        """The first snapshot that it was shown."""
        return self._shown[0] if self._shown else None

    @property
    def seq(self) -> int:
        """Of the last event that it knows of."""
        return 0 if self._room is None else self._room.seq

    @property
    def has_open_questions(self) -> bool:
        """Whether something is unanswered."""
        return bool(self._unanswered)

    def fall_silent(self) -> None:
        """Ask nothing more; what is unanswered still has to be answered."""
        self._is_silent = True

    def account(self) -> Account:
        """All that there is to say."""
        told = tuple(tuple(stretch) for stretch in self._told)
        asked, answers = tuple(self._asked), tuple(self._answers)
        return Account(self._name, asked, answers, told, tuple(self._shown))

    async def live(self) -> None:
        """Be in the room, until cancelled."""
        patience = impatient(self._rng)
        attempts = 0
        while True:
            with suppress(*CUT_OFF):
                async with connect(
                    f"ws://127.0.0.1:{self._port}", compression=None, close_timeout=0.1
                ) as connection:
                    await self._come_in(connection)
                    attempts = 0
                    await self._talk(connection)
            await patience.sleep(patience.delay_s(attempts))
            attempts += 1

    async def _come_in(self, connection: ClientConnection) -> None:
        await _send(connection, wire.Hello(1, self._name, secret_of(self._name)))
        welcome = await _receive(connection)
        assert isinstance(welcome, wire.Welcome), welcome
        request = self._request_to_enter()
        await _send(connection, request)
        while not isinstance(message := await _receive(connection), wire.Done):
            assert not isinstance(message, wire.Refused), message
            self._take(message)
        assert message.id == request.id

    def _request_to_enter(self) -> wire.CreateRoom | wire.JoinRoom:
        request_id = self._take_id()
        if self._room is not None:
            room = self._room
            return wire.JoinRoom(request_id, self._code, after=room.seq, log=room.log)
        if self._made_with is None:
            return wire.JoinRoom(request_id, self._code)
        settings = RequestedSettings.of(self._made_with)
        return wire.CreateRoom(request_id, f"token of {self._name}", settings, self._code)

    async def _talk(self, connection: ClientConnection) -> None:
        for command in self._unanswered.values():
            await _send(connection, command)
        while True:
            while not self._is_silent and len(self._unanswered) < IN_FLIGHT:
                assert self._room is not None
                command = replace(self._whims.next_command(self._room), id=self._take_id())
                self._asked.append(command)
                self._unanswered[command.id] = command
                await _send(connection, command)
            self._take(await _receive(connection))

    def _take(self, message: wire.ServerMessage) -> None:
        match message:
            case wire.InRoom():
                self._shown.append(message.room)
                self._room = restore(message.room)
                self._told.append([])
                self._next_id = max(self._next_id, message.last_id + 1)
            case wire.Resumed():
                self._next_id = max(self._next_id, message.last_id + 1)
            case wire.Events():
                for seq, event in enumerate(message.events, message.seq):
                    assert self._room is not None
                    self._told[-1].append(Told(seq, event))
                    self._room = evolve(self._room, event)
            case wire.Done() | wire.Refused():
                self._take_answer(message)
            case _:
                pass

    def _take_answer(self, answer: wire.Done | wire.Refused) -> None:
        assert answer.id in {command.id for command in self._asked}, answer
        self._answers.append(Answered(answer.id, answer))
        self._unanswered.pop(answer.id, None)
        self._heard()

    def _take_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1


class RealWitness:
    """The real client, and what it tells a shell."""

    def __init__(
        self, name: str, room: str, port: int, rng: random.Random, heard: Callable[[], None]
    ) -> None:
        self._connection = RoomConnection(
            Address("127.0.0.1", port),
            Identity(name, secret_of(name)),
            Join(room),
            backoff=impatient(rng),
        )
        self._name = name
        self._heard = heard
        self._whims = Whims(name, rng)
        self._asked: list[cmd.AnyMemberCommand] = []
        self._answers: list[Answered] = []
        self._told: list[list[Told]] = []
        self._shown: list[Snapshot] = []
        self._asking = 0
        self._is_silent = False

    @property
    def seq(self) -> int:
        """Of the last event that it knows of."""
        return 0 if self._connection.room is None else self._connection.room.seq

    @property
    def has_open_questions(self) -> bool:
        """Whether something is unanswered."""
        return self._asking > 0

    def fall_silent(self) -> None:
        """Ask nothing more; what is unanswered still has to be answered."""
        self._is_silent = True

    def account(self) -> Account:
        """All that there is to say."""
        told = tuple(tuple(stretch) for stretch in self._told)
        asked, answers = tuple(self._asked), tuple(self._answers)
        return Account(self._name, asked, answers, told, tuple(self._shown))

    async def live(self) -> None:
        """Be in the room, until cancelled."""
        async with AsyncExitStack() as stack:
            await self._come_in(stack)
            async with asyncio.TaskGroup() as together:
                together.create_task(self._listen())
                for _ in range(IN_FLIGHT):
                    together.create_task(self._talk())

    async def _come_in(self, stack: AsyncExitStack) -> None:
        """Try until it has; to have been shown the room isn't enough, the line may break then."""
        while True:
            with suppress(Unreachable):
                await stack.enter_async_context(self._connection)
                return

    async def _listen(self) -> None:
        async for happening in self._connection.updates():
            match happening:
                case EnteredRoom(room, _, audience):
                    self._told.append([])
                    self._shown.append(snapshot(room, audience))
                case EventApplied(seq, event):
                    self._told[-1].append(Told(seq, event))
                case SessionEnded(code, message):
                    raise AssertionError(f"{self._name} is out for good: {code}, {message}")
                case _:
                    pass

    async def _talk(self) -> None:
        while not self._is_silent:
            room = self._connection.room
            assert room is not None
            command = self._whims.next_command(room)
            self._asking += 1
            answer = await self._connection.ask(command)
            self._asking -= 1
            self._asked.append(replace(command, id=answer.id))
            self._answers.append(Answered(answer.id, answer))
            self._heard()
            await asyncio.sleep(0)  # without a connection every answer is there at once


async def _send(connection: ClientConnection, message: wire.ClientMessage) -> None:
    await connection.send(encode(message), text=True)


async def _receive(connection: ClientConnection) -> wire.ServerMessage:
    return decode_from_server(await connection.recv(decode=False))
