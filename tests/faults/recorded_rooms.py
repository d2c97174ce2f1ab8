"""Rooms in which recording clients play over bad connections, checked in the end."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.client.cutting_proxy import Allowance, CuttingProxy, cutting_proxy
from tests.faults.history import ClientHistory, History, violations
from tests.faults.recording_clients import RealClient, ThinClient

from boxroom_engine.room.room import OnDrop, Settings
from boxroom_engine.room.view import Snapshot
from boxroom_engine.wire.parts import ELSEWHERE

LIMIT_S = 60.0
"""Longest wait for an answer, or until all clients know the end of the log."""

BOARD = Settings(options={"rows": 3, "cols": 3}, on_drop=OnDrop.WAIT, takebacks=100)


class Progress:
    """The tasks in which clients run, and the number of answers that they got."""

    def __init__(self) -> None:
        self._answers = 0  # that all clients got
        self._changed = asyncio.Event()  # set by every answer, and by a timer
        self._tasks: set[asyncio.Task[None]] = set()  # one for each running client

    @asynccontextmanager
    async def running(self, client: ThinClient | RealClient) -> AsyncIterator[None]:
        """Run `client` during the context, which begins when it has joined its room."""
        task = asyncio.create_task(client.run())
        self._tasks.add(task)
        try:
            await self.until(lambda: client.seq > 0)
            yield
        finally:
            self._tasks.discard(task)
            task.cancel()
            await asyncio.wait([task])

    def count_answer(self) -> None:
        """Count an answer that a client got."""
        self._answers += 1
        self._changed.set()

    async def wait_for_answers(self, answers: int) -> None:
        """Wait until clients have got that many more answers."""
        goal = self._answers + answers
        await self.until(lambda: self._answers >= goal)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds()`; it is asked after every answer, and every 50 ms."""
        async with asyncio.timeout(LIMIT_S):
            while not holds():
                for task in self._tasks:
                    if task.done():
                        task.result()  # a client never ends by itself, but by an error
                self._changed.clear()
                asyncio.get_running_loop().call_later(0.05, self._changed.set)
                await self._changed.wait()


def flaky(rng: random.Random) -> Iterator[Allowance]:
    """Yield allowances: some connections last long, others not even for the handshake."""
    while True:
        up, down = Allowance(up=rng.randrange(4_000)), Allowance(down=rng.randrange(10_000))
        yield rng.choice([Allowance(), up, up, up, down, down, down])


def delays(rng: random.Random) -> Callable[[], float]:
    """Return a function that draws delays in seconds: mostly none, now and then a short room."""
    return lambda: rng.random() * 0.02 if rng.random() < 0.05 else 0.0


@dataclass(frozen=True)
class RecordedRoom:
    """A room, its clients, and the proxies between them and the server."""

    code: str
    clients: tuple[ThinClient | RealClient, ...]
    proxies: tuple[CuttingProxy, ...] = ()

    def stop_asking(self) -> None:
        """Have the clients send no more commands, and the proxies cut no more connections."""
        for proxy in self.proxies:
            proxy.hold()
        for client in self.clients:
            client.stop_asking()

    @property
    def is_answered(self) -> bool:
        """Whether every command has its answer."""
        return not any(client.has_pending_commands for client in self.clients)

    def knows(self, seq: int) -> bool:
        """Whether all clients have received event number `seq`."""
        return all(client.seq >= seq for client in self.clients)

    def history(self, ended: Snapshot) -> History:
        """Return what all clients recorded up to `ended`."""
        host = self.clients[0]
        assert isinstance(host, ThinClient)
        assert host.first_snapshot is not None
        clients = (_until(ended.seq, client.history()) for client in self.clients)
        return History(host.first_snapshot, ended, tuple(clients))


def _until(seq: int, client: ClientHistory) -> ClientHistory:
    """Return what `client` recorded up to `seq`: a stranger who looks at the end joins later."""
    events = (tuple(it for it in stretch if it.seq <= seq) for stretch in client.events)
    snapshots = (seen for seen in client.snapshots if seen.seq <= seq)
    return replace(client, events=tuple(events), snapshots=tuple(snapshots))


@asynccontextmanager
async def recorded_room(
    code: str,
    server: int | Path,
    rng: random.Random,
    progress: Progress,
    *,
    settings: Settings = BOARD,
    allowances: Callable[[random.Random], Iterator[Allowance]] = flaky,
    pause_s: float = 0.0,
) -> AsyncIterator[RecordedRoom]:
    """A room with two players and two spectators, one of each with the real client."""
    async with AsyncExitStack() as stack:
        rngs = [random.Random(rng.random()) for _ in range(4)]
        proxies = [
            await stack.enter_async_context(cutting_proxy(server, allowances(each), delays(each)))
            for each in rngs
        ]

        def place(
            name: str, number: int
        ) -> tuple[str, str, int, random.Random, Callable[[], None]]:
            port = proxies[number].address.port
            return f"{name} of {code}", code, port, rngs[number], progress.count_answer

        host = ThinClient(*place("Host", 0), settings=settings, pause_s=pause_s)
        others = (
            RealClient(*place("Guest", 1), pause_s=pause_s),
            ThinClient(*place("Watcher", 2), knows=(ELSEWHERE,), pause_s=pause_s),
            RealClient(*place("Onlooker", 3), pause_s=pause_s),
        )
        for client in (host, *others):
            await stack.enter_async_context(progress.running(client))
        yield RecordedRoom(code, (host, *others), tuple(proxies))


async def last_snapshot(room: RecordedRoom, server: int | Path, progress: Progress) -> Snapshot:
    """Return the room as a stranger sees it who joins now, when all clients know as much."""
    stranger = ThinClient(
        f"Stranger in {room.code}", room.code, server, random.Random(1), lambda: None
    )
    stranger.stop_asking()
    async with progress.running(stranger):
        ended = stranger.first_snapshot
        assert ended is not None
        await progress.until(lambda: room.knows(ended.seq))
        return ended


@asynccontextmanager
async def recorded_rooms(
    rooms: Sequence[str], port: int, rng: random.Random
) -> AsyncIterator[Progress]:
    """Rooms of the server at `port`; at the end of the context their histories are checked."""
    progress = Progress()
    async with AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(
                recorded_room(code, port, random.Random(rng.random()), progress)
            )
            for code in rooms
        ]
        yield progress
        await check_rooms(opened, port, progress)


async def check_rooms(
    rooms: Sequence[RecordedRoom], server: int | Path, progress: Progress
) -> None:
    """Wait until all commands in `rooms` are answered, and check the histories."""
    for room in rooms:
        room.stop_asking()
    await progress.until(lambda: all(room.is_answered for room in rooms))
    for room in rooms:
        history = room.history(await last_snapshot(room, server, progress))
        print(f"{_size(history)}, {sum(it.used_up for it in room.proxies)} cuts")
        found = violations(history)
        assert not found, "\n".join(map(str, found))


def _size(history: History) -> str:
    clients = history.clients
    answers = sum(len(client.answers) for client in clients)
    stretches = sum(len(client.events) for client in clients)
    return f"{history.ended.seq} events, {answers} answers, {stretches} stretches of events"
