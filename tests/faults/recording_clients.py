"""Clients that record everything they send and receive, for the checker in `history`.

A `ThinClient` shares nothing with the real client but the messages; a `RealClient` wraps the real
one. Both play, chat and make mistakes at random, and come back whenever their connection is cut.
"""

import asyncio
import math
import random
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from msgspec.structs import replace
from tests.faults.history import ClientHistory, ReceivedAnswer, ReceivedEvent
from tests.server.talk import secret_of
from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from boxroom_client.link.backoff import Backoff
from boxroom_client.link.connection import Join, RoomConnection
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.updates import (
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    SessionEnded,
)
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Phase, RequestedSettings, Room, Settings, UndoRequest
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot
from boxroom_engine.wire import messages as wire
from boxroom_engine.wire import parts
from boxroom_engine.wire.codec import decode_from_server, encode

CUT_OFF = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)
"""Errors that may end a connection, or an attempt at one, in a run in which everything breaks."""

IN_FLIGHT = 3
"""Most commands of a client that wait for answers."""


def quick_backoff(rng: random.Random) -> Backoff:
    """Return a backoff that tries again soon, and doesn't give up before the run ends.

    No connection lasts long here, which the client otherwise takes for one long loss.
    """
    return Backoff(first_s=0.02, most_s=0.2, give_up_s=math.inf, rng=rng)


class RandomCommands:
    """Random commands of one member, some of them against the rules."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self._name = name
        self._rng = rng
        self._lines = 0  # lines of chat so far

    def next_command(self, room: Room) -> cmd.AnyMemberCommand:
        """Return a move if one is due, now and then an illegal one, or else a line of chat."""
        if room.host == self._name and room.phase is not Phase.PLAYING:
            return cmd.Start(1)
        state = room.running
        if state is None or state.to_move is None or self._rng.random() < 0.2:
            return self._line()
        if (command := self._about_requests(room)) is not None:
            return command
        mine = room.seats[state.to_move].member == self._name
        if not mine and self._rng.random() < 0.7:
            return self._line()
        # The server refuses a move out of turn, or of an edge that is drawn already.
        position = state if self._rng.random() < 0.8 else state.game.initial()
        moves = position.legal_moves()
        move = state.game.format_move(self._rng.choice(moves))
        return cmd.Play(1, state.to_move, move, room.ply, room.game_number)

    def _about_requests(self, room: Room) -> cmd.AnyMemberCommand | None:
        """Return now and then a request for a takeback or an end, and mostly an answer to one.

        A move would end the request, so that most players don't move meanwhile.
        """
        asked, draw = room.request, self._rng.random()
        if asked is None:
            if draw < 0.02:
                return cmd.Abort(1)
            return cmd.Undo(1, room.ply, room.game_number) if draw < 0.12 else None
        if self._name not in room.deciding or draw < 0.2:
            return self._line() if draw < 0.8 else None
        if isinstance(asked, UndoRequest):
            return cmd.AnswerUndo(1, asked.ply, agree=draw < 0.9, game=room.game_number)
        return cmd.Answer(1, asked.since, agree=draw < 0.9)

    def _line(self) -> cmd.Say:
        self._lines += 1
        # All lines differ, so that one that is said twice shows.
        text = "" if self._rng.random() < 0.1 else f"{self._name} says {self._lines}"
        return cmd.Say(1, text)


class ThinClient:
    """One member in one room, over as many connections as it takes, without the real client."""

    def __init__(
        self,
        name: str,
        room: str,
        server: int | Path,
        rng: random.Random,
        on_answer: Callable[[], None],
        *,
        settings: Settings | None = None,
        knows: tuple[str, ...] = parts.NAMES,
        pause_s: float = 0.0,
    ) -> None:
        self.room: Room | None = None
        """The room, folded from what was received; None before it has joined."""
        self.next_id = 1
        """Id of the next command."""
        self.accepted_id = 0
        """Id of the newest command that was accepted."""
        self.came_in_s = 0.0
        """Time of the event loop at which it last came in."""
        self._knows = knows  # parts of the protocol
        self._pause_s = pause_s  # before each command
        self._name = name
        self._code = room
        self._server = server  # a port of this machine, or a socket file
        self._rng = rng
        self._on_answer = on_answer
        self._settings = settings
        self._random_commands = RandomCommands(name, rng)
        self._pending: dict[int, cmd.AnyMemberCommand] = {}  # without an answer, by id
        self._commands: list[cmd.AnyMemberCommand] = []  # all that were sent
        self._answers: list[ReceivedAnswer] = []
        self._events: list[list[ReceivedEvent]] = []  # one list for each snapshot
        self._is_stopped = False  # whether it sends no more commands
        self._snapshots: list[Snapshot] = []
        self._at = ""  # name of the server of a cluster to which another one has sent it

    def __repr__(self) -> str:
        return f"{self._name}, after event {self.seq}, waits for {list(self._pending.values())}"

    @property
    def first_snapshot(self) -> Snapshot | None:
        """The first snapshot that it received."""
        return self._snapshots[0] if self._snapshots else None

    @property
    def seq(self) -> int:
        """Number of the last event that it knows of."""
        return 0 if self.room is None else self.room.seq

    @property
    def has_pending_commands(self) -> bool:
        """Whether a command waits for its answer."""
        return bool(self._pending)

    def stop_asking(self) -> None:
        """Send no more commands; those that were sent still have to be answered."""
        self._is_stopped = True

    def history(self) -> ClientHistory:
        """Return everything that was recorded."""
        events = tuple(tuple(stretch) for stretch in self._events)
        commands, answers = tuple(self._commands), tuple(self._answers)
        snapshots = tuple(self._snapshots)
        return ClientHistory(self._name, commands, answers, events, snapshots)

    async def run(self) -> None:
        """Stay in the room until cancelled."""
        backoff = quick_backoff(self._rng)
        attempts = 0
        while True:
            with suppress(*CUT_OFF):
                async with self._connect() as connection:
                    await self._join(connection)
                    attempts = 0
                    self.came_in_s = asyncio.get_running_loop().time()
                    await self._talk(connection)
            await backoff.sleep(backoff.delay_s(attempts))
            attempts += 1

    def _connect(self) -> connect:
        query = f"/?at={self._at}" if self._at else ""
        if isinstance(self._server, Path):
            path, uri = str(self._server), f"ws://127.0.0.1{query}"
            return unix_connect(path, uri, compression=None, close_timeout=0.1)
        uri = f"ws://127.0.0.1:{self._server}{query}"
        return connect(uri, compression=None, close_timeout=0.1)

    async def _join(self, connection: ClientConnection) -> None:
        hello = wire.Hello(1, self._name, secret_of(self._name), knows=self._knows)
        await _send(connection, hello)
        welcome = await _receive(connection)
        assert isinstance(welcome, wire.Welcome), welcome
        request = self._request_to_enter()
        await _send(connection, request)
        while not isinstance(message := await _receive(connection), wire.Done):
            if isinstance(message, wire.Refused):
                assert message.code == "cannot_save", message
                raise ConnectionAbortedError("this server can't save anything now")
            self._handle(message)
        assert message.id == request.id

    def _request_to_enter(self) -> wire.CreateRoom | wire.JoinRoom:
        request_id = self._new_id()
        if self.room is not None:
            room = self.room
            return wire.JoinRoom(request_id, self._code, after=room.seq, log=room.log)
        if self._settings is None:
            return wire.JoinRoom(request_id, self._code)
        settings = RequestedSettings.of(self._settings)
        return wire.CreateRoom(request_id, f"token of {self._name}", settings, self._code)

    async def _talk(self, connection: ClientConnection) -> None:
        for command in self._pending.values():
            await _send(connection, command)
        while True:
            while not self._is_stopped and len(self._pending) < IN_FLIGHT:
                assert self.room is not None
                await asyncio.sleep(self._pause_s)
                command = replace(self._random_commands.next_command(self.room), id=self._new_id())
                self._commands.append(command)
                self._pending[command.id] = command
                await _send(connection, command)
            self._handle(await _receive(connection))

    def _handle(self, message: wire.ServerMessage) -> None:
        match message:
            case wire.InRoom():
                self._snapshots.append(message.room)
                self.room = room_from_snapshot(message.room)
                self._events.append([])
                self.next_id = max(self.next_id, message.last_id + 1)
            case wire.Resumed():
                self.next_id = max(self.next_id, message.last_id + 1)
            case wire.Events():
                for seq, event in enumerate(message.events, message.seq):
                    assert self.room is not None
                    self._events[-1].append(ReceivedEvent(seq, event, message.at_ms))
                    self.room = evolve(self.room, event, message.at_ms)
            case wire.Done() | wire.Refused():
                self._handle_answer(message)
            case wire.Elsewhere(at=at):
                self._at = at
                raise ConnectionAbortedError("the others are at another server")
            case _:
                pass

    def _handle_answer(self, answer: wire.Done | wire.Refused) -> None:
        assert answer.id in {command.id for command in self._commands}, answer
        self._answers.append(ReceivedAnswer(answer.id, answer))
        self._pending.pop(answer.id, None)
        if isinstance(answer, wire.Done):
            self.accepted_id = max(self.accepted_id, answer.id)
        self._on_answer()

    def _new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1


class RealClient:
    """The real client, with a record of what it tells a shell."""

    def __init__(
        self,
        name: str,
        room: str,
        port: int,
        rng: random.Random,
        on_answer: Callable[[], None],
        *,
        pause_s: float = 0.0,
    ) -> None:
        self.next_id = 1
        """Number of the next command; its id is the connection's."""
        self.accepted_id = 0
        """Number of the newest command that was accepted."""
        self.came_in_s = 0.0
        """Time of the event loop at which it last came in."""
        self._connection = RoomConnection(
            Address("127.0.0.1", port),
            Identity(name, secret_of(name)),
            Join(room),
            backoff=quick_backoff(rng),
        )
        self._name = name
        self._on_answer = on_answer
        self._pause_s = IN_FLIGHT * pause_s  # after each answer
        self._random_commands = RandomCommands(name, rng)
        self._commands: list[cmd.AnyMemberCommand] = []
        self._answers: list[ReceivedAnswer] = []
        self._events: list[list[ReceivedEvent]] = []
        self._snapshots: list[Snapshot] = []
        self._asking = 0  # commands that wait for their answers
        self._is_stopped = False

    def __repr__(self) -> str:
        return f"{self._name}, after event {self.seq}, waits for {self._asking} answers"

    @property
    def room(self) -> Room | None:
        """The room as it knows it; None before it has joined."""
        return self._connection.room

    @property
    def seq(self) -> int:
        """Number of the last event that it knows of."""
        return 0 if self.room is None else self.room.seq

    @property
    def has_pending_commands(self) -> bool:
        """Whether a command waits for its answer."""
        return self._asking > 0

    def stop_asking(self) -> None:
        """Send no more commands; those that were sent still have to be answered."""
        self._is_stopped = True

    def history(self) -> ClientHistory:
        """Return everything that was recorded."""
        events = tuple(tuple(stretch) for stretch in self._events)
        commands, answers = tuple(self._commands), tuple(self._answers)
        return ClientHistory(self._name, commands, answers, events, tuple(self._snapshots))

    async def run(self) -> None:
        """Stay in the room until cancelled."""
        async with AsyncExitStack() as stack:
            await self._join(stack)
            async with asyncio.TaskGroup() as together:
                together.create_task(self._listen())
                for _ in range(IN_FLIGHT):
                    together.create_task(self._talk())

    async def _join(self, stack: AsyncExitStack) -> None:
        """Try until it has joined; the connection may break after the snapshot, too."""
        while True:
            with suppress(Unreachable):
                await stack.enter_async_context(self._connection)
                return

    async def _listen(self) -> None:
        async for happening in self._connection.updates():
            if isinstance(happening, EnteredRoom | ConnectionRestored):
                self.came_in_s = asyncio.get_running_loop().time()
            match happening:
                case EnteredRoom(room, _, audience):
                    self._events.append([])
                    self._snapshots.append(snapshot(room, audience))
                case EventApplied(seq, event, at_ms=at_ms):
                    self._events[-1].append(ReceivedEvent(seq, event, at_ms))
                case SessionEnded(code, message):
                    raise AssertionError(f"{self._name} is out for good: {code}, {message}")
                case _:
                    pass

    async def _talk(self) -> None:
        while not self._is_stopped:
            assert self.room is not None
            command = self._random_commands.next_command(self.room)
            number, self.next_id = self.next_id, self.next_id + 1
            self._asking += 1
            answer = await self._connection._session.pending.ask(command)  # refusals with their ids
            self._asking -= 1
            assert isinstance(answer, wire.Done | wire.Refused)
            self._commands.append(replace(command, id=answer.id))
            self._answers.append(ReceivedAnswer(answer.id, answer))
            if isinstance(answer, wire.Done):
                self.accepted_id = max(self.accepted_id, number)
            self._on_answer()
            await asyncio.sleep(self._pause_s)  # all answers are there at once if it has ended


async def _send(connection: ClientConnection, message: wire.ClientMessage) -> None:
    await connection.send(encode(message), text=True)


async def _receive(connection: ClientConnection) -> wire.ServerMessage:
    return decode_from_server(await connection.recv(decode=False))
