"""Deliveries per CPU second of the server: Boxroom beside a bare broadcast server.

Many rooms play scripted games at once. A move is one message to the server and one to each
member of the room. Boxroom decodes, checks, numbers and answers each move; the bare server
forwards it with `websockets.broadcast`. All run under uvloop at the same time, and play in turns:
ten moves of every room on one server, then on the next one. Only their own CPU time is counted, and
each ratio is that of two adjacent turns, so it is meaningful on a noisy machine too.

Without `--rate` every player moves as soon as possible, so that the server is fully loaded; with
it that many moves are made each second, and the time from sending a move to receiving it counts.

    python benchmarks/broadcast.py --rooms 200 --members 4 --size 20 --moves 800
    python benchmarks/broadcast.py --rate 1000 --moves 200 --at-once 50
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import uvloop
from raw_websocket import RawWebSocket, connect

from boxroom_engine.games.registry import make_game

HERE = Path(__file__).parent
SERVERS = ("bare", "memory", "boxroom")


@dataclass(frozen=True, slots=True)
class Load:
    """Games that are played: in `rooms` of `members` each, the first `moves` moves."""

    rooms: int
    members: int
    size: int
    moves: int
    rate: float | None = None
    """Moves a second, in all rooms together; None for as many as possible."""

    def due_s(self, room: int, step: int) -> float:
        """Return when a room makes a step, in seconds from the start."""
        return (room + step * self.rooms) / self.rate if self.rate is not None else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of one turn of one server."""

    deliveries: int
    cpu_s: float
    latencies_s: tuple[float, ...]

    @property
    def per_cpu_s(self) -> float:
        return self.deliveries / self.cpu_s


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
    """The members of one room: each sends its steps when it has seen the step before.

    `due_s` says when a step is due, in seconds from the start; then it is sent at the earliest.
    """

    def __init__(
        self,
        members: list[RawWebSocket],
        steps: list[Step],
        is_move: bytes,
        due_s: Callable[[int], float] = lambda _: 0.0,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._began_s = 0.0  # when the first step could be sent
        self._due_s = due_s
        self._members = members
        self._steps = steps
        self._is_move = is_move
        self._sent_s = [0.0] * len(steps)  # when each step was sent
        self.deliveries = 0  # moves received, by all members
        self.latencies_s: list[float] = []  # from sending a move to its player's receiving it
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for number, member in enumerate(members):
            member.on_message = self._receiver(number)

    def start(self) -> None:
        """Send the first step when it is due."""
        self._began_s = self._loop.time()
        self._send_when_due(0)

    def _send_when_due(self, step: int) -> None:
        due_s = self._began_s + self._due_s(step)
        if due_s > self._loop.time():
            self._loop.call_at(due_s, self._send, step)
        else:
            self._send(step)

    def _send(self, step: int) -> None:
        self._sent_s[step] = time.perf_counter()
        self._members[self._steps[step].member].send(self._steps[step].message)

    def _receiver(self, number: int) -> Callable[[bytes], None]:
        received = 0
        steps, is_move = self._steps, self._is_move
        everything = len(steps) * len(self._members)

        def on_message(message: bytes) -> None:
            nonlocal received
            if is_move not in message:
                if b'"refused"' in message:
                    self.ended.set_exception(RuntimeError(message.decode()))
                return
            received += 1
            self.deliveries += 1
            if steps[received - 1].member == number:
                self.latencies_s.append(time.perf_counter() - self._sent_s[received - 1])
            if received < len(steps) and steps[received].member == number:
                self._send_when_due(received)
            if self.deliveries == everything:
                self.ended.set_result(None)

        return on_message


async def enter_bare(port: int, load: Load, number: int) -> list[RawWebSocket]:
    """Return the members of a new room of the bare server."""
    members = [await connect(port) for _ in range(load.members)]
    for member in members:
        member.send(f"room {number}".encode())
    return members


async def enter_boxroom(port: int, load: Load, number: int) -> list[RawWebSocket]:
    """Return the members of a new room of Boxroom, seated, with the game started."""
    members = []
    settings = {"options": {"rows": load.size, "cols": load.size}, "seats": load.members}
    for seat in range(load.members):
        member = await connect(port)
        name = f"p{number} {seat}"
        await ask(member, {"type": "hello", "protocol": 1, "name": name, "secret": "s" * 16})
        if seat == 0:
            create = {"type": "create_room", "token": f"token {number:08}", "room": f"r{number}"}
            await ask(member, {**create, "id": 1, "settings": settings})
        else:
            await ask(member, {"type": "join_room", "id": 1, "room": f"r{number}"})
        members.append(member)
    await ask(members[0], {"type": "start", "id": 2})
    return members


async def ask(member: RawWebSocket, message: dict[str, object]) -> None:
    """Send a message and wait until it is answered."""
    answered = asyncio.get_running_loop().create_future()

    def on_message(raw: bytes) -> None:
        answer = json.loads(raw)
        if answer["type"] == "refused":
            answered.set_exception(RuntimeError(raw.decode()))
        elif answer["type"] in ("welcome", "done"):
            answered.set_result(None)

    member.on_message = on_message
    member.send(json.dumps(message).encode())
    await answered


class ServerProcess:
    """A server of `measured_servers` in a process of its own, which the command `runner` runs."""

    def __init__(self, name: str, runner: Sequence[str] = ()) -> None:
        self._process = subprocess.Popen(
            [*runner, sys.executable, str(HERE / "measured_servers.py"), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
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


class PlayedServer:
    """A server with all rooms of a load, in which play goes on turn by turn."""

    def __init__(
        self,
        process: ServerProcess,
        load: Load,
        rooms: list[list[RawWebSocket]],
        is_move: bytes,
    ) -> None:
        self.process = process
        self._load = load
        self._rooms = rooms
        self._scripts = [script(load, number) for number in range(load.rooms)]
        self._is_move = is_move

    @classmethod
    async def started(cls, name: str, load: Load, runner: Sequence[str] = ()) -> "PlayedServer":
        """Return a new server with all players seated."""
        process = ServerProcess(name, runner)
        enter = enter_bare if name == "bare" else enter_boxroom
        rooms = [await enter(process.port, load, number) for number in range(load.rooms)]
        return cls(process, load, rooms, b'"play"' if name == "bare" else b'"played"')

    async def play_turn(self, first: int, moves: int) -> Measured:
        """Play that many moves in each room, from its move number `first`."""
        turns = [
            RoomLoad(
                members,
                steps[first : first + moves],
                self._is_move,
                partial(self._load.due_s, number),
            )
            for number, (members, steps) in enumerate(zip(self._rooms, self._scripts, strict=True))
        ]
        cpu_s = self.process.cpu_s()
        for turn in turns:
            turn.start()
        await asyncio.gather(*(turn.ended for turn in turns))
        cpu_s = self.process.cpu_s() - cpu_s
        deliveries = sum(turn.deliveries for turn in turns)
        return Measured(
            deliveries, cpu_s, tuple(late for turn in turns for late in turn.latencies_s)
        )

    def stop(self) -> None:
        """End the server."""
        self.process.stop()


async def measure(load: Load, at_once: int) -> dict[str, list[Measured]]:
    """Play the load on every server, `at_once` moves of each room at a time."""
    servers = {name: await PlayedServer.started(name, load) for name in SERVERS}
    measured: dict[str, list[Measured]] = {name: [] for name in SERVERS}
    order = list(SERVERS)
    for first in range(0, load.moves, at_once):
        for name in order:
            measured[name].append(await servers[name].play_turn(first, at_once))
        order.reverse()  # in changing order: none of them always follows the same one
    for server in servers.values():
        server.stop()
    return measured


def report(measured: dict[str, list[Measured]]) -> None:
    """Print a table and the ratios."""
    print(f"{'server':10}{'deliveries':>12}{'per CPU s':>12}{'p50 ms':>9}{'p99 ms':>9}")
    for name, turns in measured.items():
        late = sorted(second for turn in turns for second in turn.latencies_s)
        print(
            f"{name:10}{sum(turn.deliveries for turn in turns):>12,}"
            f"{statistics.median(turn.per_cpu_s for turn in turns):>12,.0f}"
            f"{late[len(late) // 2] * 1000:>9.1f}{late[len(late) * 99 // 100] * 1000:>9.1f}"
        )
    for name in SERVERS[1:]:
        ratios = [
            ours.per_cpu_s / bare.per_cpu_s
            for ours, bare in zip(measured[name], measured["bare"], strict=True)
        ]
        low, median, high = statistics.quantiles(ratios, n=4)
        print(f"ratio {name} / bare: median {median:.2f}, half of {len(ratios)} turns", end="")
        print(f" between {low:.2f} and {high:.2f}")


def fdatasync_ms() -> float:
    """Return the median time in ms of 200 writes and fdatasyncs of 4 KiB on the servers' disk."""
    times_ms = []
    with tempfile.TemporaryFile() as file:
        for _ in range(200):
            os.write(file.fileno(), bytes(4096))
            began_s = time.perf_counter()
            os.fdatasync(file.fileno())
            times_ms.append((time.perf_counter() - began_s) * 1000)
    return statistics.median(times_ms)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--members", type=int, default=4)
    parser.add_argument("--size", type=int, default=20, help="boxes on each side")
    parser.add_argument("--moves", type=int, default=800, help="moves of each game")
    parser.add_argument("--at-once", type=int, default=10, help="moves of a game in one turn")
    parser.add_argument("--rate", type=float, help="moves a second (default: what there can be)")
    args = parser.parse_args()
    load = Load(args.rooms, args.members, args.size, args.moves, args.rate)
    report(await measure(load, args.at_once))
    print(f"fdatasync of 4 KiB: median {fdatasync_ms():.2f} ms")


if __name__ == "__main__":
    uvloop.run(main())
