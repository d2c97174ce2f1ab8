"""Effect of bots that think in other rooms on people: the time from a move to its answer.

Rooms of two people play scripted games at a steady pace on a real server, by turns alone and
beside rooms in which bots think about one move after the other. The time between sending a move
and reading its `done`, which comes after the event, counts. The same server process has both kinds
of rooms, as in real use.

    python benchmarks/thinking.py --rooms 50 --thinking 50 --seconds 10 --rounds 5
"""

import argparse
import asyncio
import random
import statistics
import time
from dataclasses import dataclass

import uvloop
from load import Load, ServerProcess, Step, ask, enter_boxroom, script
from raw_websocket import RawWebSocket, connect

from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.registry import KINDS

BOARD = 20
BOT_BOARD = 5


@dataclass(frozen=True, slots=True)
class Pace:
    """Pace at which people play: `rooms` in all, a move every `every_s` in each, for `seconds`."""

    rooms: int
    every_s: float
    seconds: float

    def load(self) -> Load:
        """Return it as a load; games that end before aren't used."""
        moves = int(self.seconds / self.every_s)
        game = KINDS["dots"].make({"rows": BOARD, "cols": BOARD}, 2)
        if moves > game.longest:
            raise SystemExit(f"a game has {game.longest} moves: fewer seconds, or a slower pace")
        return Load(self.rooms, members=2, size=BOARD, moves=moves)


class PeopleRoom:
    """Two people who send a move every `every_s`, whenever the one before was answered."""

    def __init__(self, members: list[RawWebSocket], steps: list[Step], every_s: float) -> None:
        self._members = members
        self._steps = steps
        self._every_s = every_s
        self._next = 0  # index of the step to send
        self._sent_s = 0.0  # when the last step was sent
        self._loop = asyncio.get_running_loop()
        self.latencies_s: list[float] = []  # from sending a move to its `done`
        self.ended: asyncio.Future[None] = self._loop.create_future()
        for member in members:
            member.on_message = self._receive

    def start(self) -> None:
        """Begin at a random time within one pace, so that rooms don't all move at once."""
        self._loop.call_later(random.uniform(0, self._every_s), self._send)

    def _send(self) -> None:
        step = self._steps[self._next]
        self._next += 1
        self._sent_s = time.perf_counter()
        self._members[step.member].send(step.message)

    def _receive(self, message: bytes) -> None:
        if b'"refused"' in message:
            self.ended.set_exception(RuntimeError(message.decode()))
        elif b'"done"' in message:
            latency_s = time.perf_counter() - self._sent_s
            self.latencies_s.append(latency_s)
            if self._next < len(self._steps):
                self._loop.call_later(max(0.0, self._every_s - latency_s), self._send)
            else:
                self.ended.set_result(None)


async def open_bot_room(port: int, number: int, bot: str) -> None:
    """Have bots play one game after the other in a room with one spectator."""
    member = await connect(port)
    name, room = f"watcher {number}", f"bots {number}"
    settings = {"options": {"rows": BOT_BOARD, "cols": BOT_BOARD}}
    await ask(member, {"type": "hello", "protocol": 1, "name": name, "secret": "s" * 16})
    create = {"type": "create_room", "token": f"token {number:08}", "room": room, "watch": True}
    await ask(member, {**create, "id": 1, "settings": settings})
    await ask(member, {"type": "fill", "id": 2, "bot": bot})
    last_id = 3

    def play_again(message: bytes) -> None:
        nonlocal last_id
        if b'"ended"' in message:
            last_id += 1
            member.send(b'{"type":"start","id":%d}' % last_id)

    await ask(member, {"type": "start", "id": last_id})
    member.on_message = play_again


async def measure(pace: Pace, thinking: int, bot: str) -> list[float]:
    """Return the times of people's moves on a new server beside `thinking` rooms of bots."""
    server = ServerProcess("boxroom")
    load = pace.load()
    rooms = []
    for number in range(pace.rooms):
        members = await enter_boxroom(server.port, load, number)
        rooms.append(PeopleRoom(members, script(load, number), pace.every_s))
    for number in range(thinking):
        await open_bot_room(server.port, number, bot)
    for room in rooms:
        room.start()
    await asyncio.gather(*(room.ended for room in rooms))
    server.stop()
    return sorted(latency_s for room in rooms for latency_s in room.latencies_s)


def percentile(latencies_s: list[float], percent: int) -> float:
    """Return that percentile of sorted times, in ms."""
    return latencies_s[len(latencies_s) * percent // 100] * 1000


def report(alone: list[list[float]], beside: list[list[float]], thinking: int, bot: str) -> None:
    """Print both, and their ratio."""
    print(f"{'':36}{'p50 ms':>9}{'p99 ms':>9}")
    for name, runs in (("alone", alone), (f"beside {thinking} rooms of {bot}", beside)):
        p50, p99 = (statistics.median(percentile(run, at) for run in runs) for at in (50, 99))
        print(f"{name:36}{p50:>9.2f}{p99:>9.2f}")
    ratios = [
        percentile(with_bots, 99) / percentile(without, 99)
        for without, with_bots in zip(alone, beside, strict=True)
    ]
    print(f"ratio of p99: median {statistics.median(ratios):.2f}", end="")
    print(f" of {', '.join(f'{ratio:.2f}' for ratio in ratios)}")


async def main() -> None:
    strongest = bots_for(KINDS["dots"])[-1]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=50, help="rooms of two people")
    parser.add_argument("--every", type=float, default=0.1, help="seconds between their moves")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long they play")
    parser.add_argument("--thinking", type=int, default=50, help="rooms of bots")
    parser.add_argument("--bot", default=strongest, help="who thinks (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="alternations")
    args = parser.parse_args()
    pace = Pace(args.rooms, args.every, args.seconds)
    alone: list[list[float]] = []
    beside: list[list[float]] = []
    for _ in range(args.rounds):
        alone.append(await measure(pace, 0, args.bot))
        beside.append(await measure(pace, args.thinking, args.bot))
    report(alone, beside, args.thinking, args.bot)


if __name__ == "__main__":
    uvloop.run(main())
