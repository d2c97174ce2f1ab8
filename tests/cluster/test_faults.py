"""A cluster on machines of its own, in which everything fails: processes, network, disks, clocks.

Recording clients in two rooms play and chat at random, as on one server, and faults of all kinds
are drawn from one seed: some happen while the members of each room are at one server, and some
while they come over to it. After each fault they meet again. Between two rounds of faults
`tests.faults.history` checks what the clients have recorded, and they begin anew in other rooms.
"""

import asyncio
import os
import random
import statistics
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.faults import FAULTS, Fault, Meanwhile, drawn
from tests.faults.recorded_rooms import (
    BOARD,
    Progress,
    RecordedRoom,
    check_rooms,
    recorded_room,
)
from tests.faults.recording_clients import RealClient, ThinClient

LARGE_BOARD = replace(BOARD, options={"rows": 20, "cols": 20})

ROOMS = ("attic", "cellar")

PAUSE_S = 0.1
"""Time between two commands of a member: what is tried is faults, not load."""

ROUND = 10
"""Faults between two checks of what the members have recorded."""

SHORT = 3
"""Faults of the short form."""

LONG = int(os.environ.get("BOXROOM_FAULTS", "1000"))
"""Faults of the long form."""

MEDIAN_S, WORST_S, BACK_S = 2.5, 5.0, 5.0
"""Times after SIGKILL of a process: until all members' commands are accepted, and until those of a
killed server are back."""

TOGETHER_S = 30.0
"""Time after a fault until the members of each room are at one server."""

SCATTERED_S = 4.0
"""Longest wait until the first member comes over that is at another server than the others."""


class Run:
    """A cluster, its members in their rooms, and the times that faults took."""

    def __init__(self, cluster: Cluster, rng: random.Random, pause_s: float) -> None:
        self.waits_s: defaultdict[str, list[float]] = defaultdict(list)
        """Times until all members' commands were accepted again, by kind of fault."""
        self.back_s: list[float] = []
        """Times until members of a killed server were back in their rooms."""
        self.together_s: defaultdict[str, list[float]] = defaultdict(list)
        """Times from when all processes ran again until the members of rooms were together."""
        self._cluster = cluster
        self._rng = rng
        self._pause_s = pause_s
        self._progress = Progress()
        self._clients: list[ThinClient | RealClient] = []

    @asynccontextmanager
    async def rooms(self, number: int) -> AsyncIterator[None]:
        """Rooms of round `number`, which are checked in the end."""
        async with AsyncExitStack() as stack:
            rooms = [await self._room(stack, f"{name} {number}") for name in ROOMS]
            self._clients = [client for room in rooms for client in room.clients]
            self._cluster.lines[:] = [line for room in rooms for line in room.proxies]
            yield
            await check_rooms(rooms, self._cluster.proxy.path, self._progress)

    async def _room(self, stack: AsyncExitStack, code: str) -> RecordedRoom:
        room = recorded_room(
            code,
            self._cluster.proxy.path,
            random.Random(self._rng.random()),
            self._progress,
            settings=LARGE_BOARD,
            allowances=lambda rng: iter(()),  # what cuts connections is a fault
            pause_s=self._pause_s,
        )
        return await stack.enter_async_context(room)

    async def _scatter(self) -> bool:
        """Have members come to several servers, and wait until one of them comes over to others.

        Return False if none does, as by chance they are at one server.
        """
        members = len(self._clients)
        goal = sum(line.connections for line in self._cluster.lines) + members + 1
        for line in self._cluster.lines:
            line.cut()
        with suppress(TimeoutError):
            async with asyncio.timeout(SCATTERED_S):
                await self._progress.until(
                    lambda: sum(line.connections for line in self._cluster.lines) >= goal
                )
                return True
        return False

    async def _until_together(self) -> None:
        """Wait until the members of each room are connected to one server, as all say."""
        async with asyncio.timeout(TOGETHER_S):
            await self._progress.until(lambda: all(map(_is_together, self._clients)))
            while await self._cluster.rooms_split():  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    async def fail(self, kind: str, fault: Fault) -> None:
        """Let a fault happen, while the members go on; they and all processes recover from it."""
        comes_over = self._rng.random() < 0.5 and await self._scatter()
        loop = asyncio.get_running_loop()
        entered_s = loop.time()
        async with fault.happens(self._cluster, self._rng):
            began_s = loop.time()
            meanwhile = ", while members come over" if comes_over else ""
            print(f"{began_s:.1f} s: {kind}{meanwhile}", flush=True)
            match fault.meanwhile:
                case Meanwhile.GOES_ON:
                    await self._until_accepted()
                    self.waits_s[kind].append(loop.time() - began_s)
                case Meanwhile.REFUSES:
                    await self._cluster.proxy.until_ready(is_ready=False)
                case Meanwhile.UNKNOWN:
                    pass
            await asyncio.sleep(max(0.0, began_s + fault.lasts_s - loop.time()))
            ended_s = loop.time()
        recovered_s = loop.time()
        await self._until_accepted()
        if fault.meanwhile is not Meanwhile.GOES_ON:
            self.waits_s[kind].append(loop.time() - ended_s)
        if kind == "killed server":
            came_in_s = (client.came_in_s - entered_s for client in self._clients)
            self.back_s.extend(back_s for back_s in came_in_s if back_s > 0)
        await self._until_together()
        self.together_s[kind].append(loop.time() - recovered_s)
        await self._cluster.until_healthy()

    async def _until_accepted(self) -> None:
        """Wait until a command of every member is accepted that it sends from now on."""
        waiting = {client: client.next_id for client in self._clients}

        def all_accepted() -> bool:
            for client in [it for it, id in waiting.items() if it.accepted_id >= id]:
                del waiting[client]
            return not waiting

        try:
            await self._progress.until(all_accepted)
        except TimeoutError:
            print(*(f"no command accepted: {client}" for client in waiting), sep="\n")
            raise

    def check_times(self) -> None:
        """Check that the members went on soon after SIGKILL of any process."""
        for kind, waits_s in self.waits_s.items():
            if FAULTS[kind].is_kill:
                assert statistics.median(waits_s) <= MEDIAN_S, kind
                assert max(waits_s) <= WORST_S, kind
        assert max(self.back_s) <= BACK_S

    def print_times(self) -> None:
        """Print the times and numbers of faults by kind."""
        for kind, waits_s in sorted(self.waits_s.items()):
            together = _summary(self.together_s[kind])
            print(f"{kind}: {_summary(waits_s)}; together again {together}")
        print(f"back: {_summary(self.back_s)}")


def _summary(times_s: Sequence[float]) -> str:
    if not times_s:
        return "never"
    median_s, worst_s = statistics.median(times_s), max(times_s)
    return f"{len(times_s)} times, median {median_s:.1f} s, worst {worst_s:.1f} s"


def _is_together(client: ThinClient | RealClient) -> bool:
    """Return whether all members whom `client` knows to be connected are at one server."""
    assert client.room is not None
    return len({it.node for it in client.room.members.values() if it.connected}) == 1


async def run_faults(folder: Path, seed: int, number: int, pause_s: float = PAUSE_S) -> Run:
    """Draw that many faults, after which nothing is lost, doubled, reordered or unanswered."""
    rng = random.Random(seed)
    async with cluster(folder) as made:
        run, faults, begun = Run(made, rng, pause_s), drawn(rng, number), 0
        try:
            while some := list(islice(faults, ROUND)):
                begun += 1
                async with run.rooms(begun):
                    for kind, fault in some:
                        await run.fail(kind, fault)
        finally:
            run.print_times()
        errors = made.logged_errors()
        assert "Traceback" not in errors, errors
    return run


async def test_a_few_faults_lose_and_double_nothing(tmp_path: Path, seed: int) -> None:
    await run_faults(tmp_path, seed, SHORT, pause_s=2 * PAUSE_S)


@pytest.mark.long
async def test_a_thousand_faults_lose_and_double_nothing(tmp_path: Path, seed: int) -> None:
    run = await run_faults(tmp_path, seed, LONG)
    run.check_times()
