"""A cluster on machines of its own, in which everything fails: processes, network, disks, clocks.

Recording clients in two rooms play and chat at random, as on one server, and faults of all kinds
are drawn from one seed. Between two rounds of faults `tests.faults.history` checks what the
clients have recorded, and they begin anew in other rooms.
"""

import asyncio
import os
import random
import statistics
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.faults import FAULTS, Fault, Meanwhile, drawn
from tests.faults.recorded_rooms import BOARD, Progress, RecordedRoom, check_rooms
from tests.faults.recording_clients import ThinClient

LARGE_BOARD = replace(BOARD, options={"rows": 20, "cols": 20})

ROOMS = ("attic", "cellar")

MEMBERS = ("Host", "Guest", "Watcher")

PAUSE_S = 0.05
"""Time between two commands of a member: what is tried is faults, not load."""

ROUND = 10
"""Faults between two checks of what the members have recorded."""

SHORT = 4
"""Faults of the short form."""

LONG = int(os.environ.get("BOXROOM_FAULTS", "1000"))
"""Faults of the long form."""

MEDIAN_S, WORST_S, BACK_S = 2.5, 5.0, 5.0
"""Times after SIGKILL of a process: until all members' commands are accepted, and until those of a
killed server are back."""


class Run:
    """A cluster, its members in their rooms, and the times that faults took."""

    def __init__(self, cluster: Cluster, rng: random.Random, pause_s: float) -> None:
        self.waits_s: defaultdict[str, list[float]] = defaultdict(list)
        """Times until all members' commands were accepted again, by kind of fault."""
        self.back_s: list[float] = []
        """Times until members of a killed server were back in their rooms."""
        self._cluster = cluster
        self._rng = rng
        self._pause_s = pause_s
        self._progress = Progress()
        self._clients: list[ThinClient] = []

    @asynccontextmanager
    async def rooms(self, number: int) -> AsyncIterator[None]:
        """Rooms of round `number`, which are checked in the end."""
        async with AsyncExitStack() as stack:
            rooms = [await self._room(stack, f"{name} {number}") for name in ROOMS]
            yield
            await self._progress.until(self._is_together)
            await check_rooms(rooms, self._cluster.proxy.path, self._progress)
        self._clients.clear()

    async def _room(self, stack: AsyncExitStack, code: str) -> RecordedRoom:
        clients = tuple(self._client(name, code) for name in MEMBERS)
        for client in clients:
            await stack.enter_async_context(self._progress.running(client))
        self._clients.extend(clients)
        return RecordedRoom(code, clients)

    def _client(self, name: str, code: str) -> ThinClient:
        return ThinClient(
            f"{name} of {code}",
            code,
            self._cluster.proxy.path,
            random.Random(self._rng.random()),
            self._progress.count_answer,
            settings=LARGE_BOARD if name == MEMBERS[0] else None,
            pause_s=self._pause_s,
        )

    def _is_together(self) -> bool:
        """Return whether the members of each room are connected to one server."""
        return all(len(client.nodes) == 1 for client in self._clients)

    async def fail(self, kind: str, fault: Fault) -> None:
        """Let a fault happen, while the members go on; they and all processes recover from it."""
        loop = asyncio.get_running_loop()
        entered_s = loop.time()
        async with fault.happens(self._cluster, self._rng):
            began_s = loop.time()
            print(f"{began_s:.1f} s: {kind}", flush=True)
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
        await self._until_accepted()
        if fault.meanwhile is not Meanwhile.GOES_ON:
            self.waits_s[kind].append(loop.time() - ended_s)
        if kind == "killed server":
            came_in_s = (client.came_in_s - entered_s for client in self._clients)
            self.back_s.extend(back_s for back_s in came_in_s if back_s > 0)
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
            median_s, worst_s = statistics.median(waits_s), max(waits_s)
            print(f"{kind}: {len(waits_s)}, median {median_s:.1f} s, worst {worst_s:.1f} s")
        if self.back_s:
            median_s, worst_s = statistics.median(self.back_s), max(self.back_s)
            print(f"{len(self.back_s)} times back: median {median_s:.1f} s, worst {worst_s:.1f} s")


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
    await run_faults(tmp_path, seed, SHORT, pause_s=4 * PAUSE_S)


@pytest.mark.long
async def test_a_thousand_faults_lose_and_double_nothing(tmp_path: Path, seed: int) -> None:
    run = await run_faults(tmp_path, seed, LONG)
    run.check_times()
