"""Games that clients play on a server of `measured_servers`, as fast as it goes or at a given rate.

The same scripted games are played on all servers. A move is one message to the server, and one to
each member of the room.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from raw_websocket import RawWebSocket, connect

from boxroom_engine.games.registry import make_game

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Load:
    """Games that are played in `rooms` of `members` players and `spectators` each."""

    rooms: int
    members: int
    size: int
    """Boxes on each side of the boards."""
    moves: int
    """Moves of each game."""
    spectators: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a script: its player, and the message."""

    member: int
    message: bytes


def script(load: Load, seed: int) -> list[Step]:
    """Return the messages that the players of a random game send."""
    game = make_game("dots", {"rows": load.size, "cols": load.size}, load.members)
    state = game.initial()
    moves = list(state.legal_moves())
    random.Random(seed).shuffle(moves)
    steps = []
    for move in moves[: load.moves]:
        assert state.to_move is not None
        play = {
            "type": "play",
            "id": state.ply + 10,  # above the ids of joining and starting
            "seat": state.to_move,
            "move": game.format_move(move),
            "ply": state.ply,
        }
        steps.append(Step(state.to_move, json.dumps(play, separators=(",", ":")).encode()))
        state = state.play(move)
    return steps


class RoomLoad:
    """The members of one room: each sends its steps when it has received the step before.

    `due_s` says when a step is due, in seconds from the start; it is sent then at the earliest.
    """

    def __init__(
        self,
        members: list[RawWebSocket],
        steps: list[Step],
        is_move: bytes,
        due_s: Callable[[int], float] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._members = members
        self._steps = steps
        self._is_move = is_move
        self._due_s = due_s
        self._began_s = 0.0  # time of the start
        self._is_stopped = False
        self._sent_s = [0.0] * len(steps)  # time when each step was due, or else sent
        self._arrived = [0] * len(steps)  # for each step the members that have received it
        self.deliveries = 0  # moves received, by all members
        self.latencies_s: list[float] = []  # from then until the last member has received it
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for number, member in enumerate(members):
            member.on_message = self._receiver(number)

    def start(self) -> None:
        """Send the first step when it is due."""
        self._began_s = time.perf_counter()
        self._send_when_due(0)

    def close(self) -> None:
        """Send no more steps, and cut all connections."""
        self._is_stopped = True
        for member in self._members:
            member.close()

    def _send_when_due(self, step: int) -> None:
        now_s = time.perf_counter()
        due_s = now_s if self._due_s is None else self._began_s + self._due_s(step)
        self._sent_s[step] = due_s
        if due_s > now_s:
            self._loop.call_later(due_s - now_s, self._send, step)
        else:
            self._send(step)

    def _send(self, step: int) -> None:
        if not self._is_stopped:
            self._members[self._steps[step].member].send(self._steps[step].message)

    def _receiver(self, number: int) -> Callable[[bytes], None]:
        received = 0
        steps, is_move, arrived = self._steps, self._is_move, self._arrived
        everyone = len(self._members)

        def on_message(message: bytes) -> None:
            nonlocal received
            if is_move not in message:
                if b'"refused"' in message:
                    self.ended.set_exception(RuntimeError(message.decode()))
                return
            step = received
            received += 1
            self.deliveries += 1
            arrived[step] += 1
            if arrived[step] == everyone:
                self.latencies_s.append(time.perf_counter() - self._sent_s[step])
                if received == len(steps):
                    self.ended.set_result(None)
            if received < len(steps) and steps[received].member == number:
                self._send_when_due(received)

        return on_message


async def enter_bare(port: int, load: Load, number: int) -> list[RawWebSocket]:
    """Return the members of a new room of the bare server."""
    members = [await connect(port) for _ in range(load.members + load.spectators)]
    for member in members:
        member.send(f"room {number}".encode())
    return members


async def enter_boxroom(
    port: int, load: Load, number: int, known_s: float = 0.0
) -> list[RawWebSocket]:
    """Return the members of a new room of Boxroom, the players first, with the game started.

    After `known_s` all servers of a cluster know the room, and send others to that of its creator.
    """
    members = []
    settings = {"options": {"rows": load.size, "cols": load.size}, "seats": load.members}
    for seat in range(load.members + load.spectators):
        member = await connect(port)
        name = f"p{number} {seat}"
        is_spectator = seat >= load.members
        hello = {"type": "hello", "protocol": 1, "name": name, "secret": "s" * 16}
        hello["knows"] = ["elsewhere"] if known_s else []
        await ask(member, hello)
        if seat == 0:
            create = {"type": "create_room", "token": f"token {number:08}", "room": f"r{number}"}
            await ask(member, {**create, "id": 1, "settings": settings})
            await asyncio.sleep(known_s)
        else:
            join = {"type": "join_room", "id": 1, "room": f"r{number}", "watch": is_spectator}
            if at := await ask(member, join):
                member.close()
                member = await connect(port, path=f"/?at={at}")
                await ask(member, hello)
                await ask(member, join)
        members.append(member)
    await ask(members[0], {"type": "start", "id": 2})
    return members


async def ask(member: RawWebSocket, message: dict[str, object]) -> str:
    """Send a message and wait until it is answered.

    Return the name of the server of a cluster to which it has to be sent instead; "" if to none.
    """
    answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def on_message(raw: bytes) -> None:
        answer = json.loads(raw)
        if answer["type"] == "refused":
            answered.set_exception(RuntimeError(raw.decode()))
        elif answer["type"] in ("welcome", "done", "elsewhere"):
            answered.set_result(answer.get("at", ""))

    member.on_message = on_message
    member.send(json.dumps(message).encode())
    return await answered


class ServerProcess:
    """A server of `measured_servers` in a process of its own, which the command `runner` runs.

    With `core` all of its threads run on that processor.
    """

    def __init__(self, name: str, runner: Sequence[str] = (), core: int | None = None) -> None:
        self._process = subprocess.Popen(
            [*runner, sys.executable, str(HERE / "measured_servers.py"), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if core is not None:
            os.sched_setaffinity(self._process.pid, [core])  # before it starts threads
        self.port = int(self._line())
        self.pid = self._process.pid

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def cpu_s(self) -> float:
        """Return the CPU seconds that it has used so far."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._line())

    def resident_bytes(self) -> int:
        """Return the memory that it holds now; on Linux only."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()


async def enter(name: str, port: int, load: Load, number: int) -> list[RawWebSocket]:
    """Return the members of a new room of the server `name`."""
    is_boxroom = name in ("memory", "boxroom")
    return await (enter_boxroom if is_boxroom else enter_bare)(port, load, number)


def move_mark(name: str) -> bytes:
    """Return bytes that are in messages with a move, and in no others, of the server `name`."""
    return b'"played"' if name in ("memory", "boxroom") else b'"play"'
