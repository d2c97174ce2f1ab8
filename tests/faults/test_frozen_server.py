"""A server's process that stands still for a while, as under a debugger or on a busy machine.

Clients show that it is silent, and when it goes on every command is answered, and each clock goes
on with what it had left.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from time import monotonic

import pytest
import pytest_asyncio
from tests.client.update_reader import LIMIT_S, UpdateReader
from tests.faults.server_process import NO_LIMITS, ServerProcess, free_port

from boxroom_client.link.backoff import Backoff
from boxroom_client.link.connection import Create, RoomConnection
from boxroom_client.link.updates import EventApplied, ServerResponding, ServerSilent
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Settings
from boxroom_server.clock import MOST_LATE_MS

pytestmark = pytest.mark.asyncio(loop_scope="module")

CLOCK_S = 3


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("frozen")
    kept = ("--data", str(folder / "kept"))
    async with ServerProcess(free_port(), folder / "errors", *NO_LIMITS, *kept) as server:
        yield server
        assert await server.stop() == 0


def host(server: ServerProcess, room: str, settings: Settings, silence_s: float) -> RoomConnection:
    """Return the connection of the host of a new room, who soon shows that the server is silent."""
    return RoomConnection(
        Address("127.0.0.1", server.port),
        Identity(f"Host of {room}", "the secret of a host"),
        Create(settings, room=room),
        backoff=Backoff(pulse_s=0.05, silence_s=silence_s),
    )


async def test_a_server_that_stands_still_goes_on(server: ServerProcess) -> None:
    async with host(server, "attic", Settings(), silence_s=0.5) as ada:
        reader = UpdateReader(ada)
        os.kill(server.pid, signal.SIGSTOP)
        asked = [asyncio.create_task(ada.ask(cmd.Say(1, f"line {it}"))) for it in range(3)]
        await reader.until(ServerSilent)
        assert not any(answer.done() for answer in asked)
        os.kill(server.pid, signal.SIGCONT)
        await reader.until(ServerResponding)
        async with asyncio.timeout(LIMIT_S):
            answers = await asyncio.gather(*asked)
        assert all(answer.seq for answer in answers)
        await reader.until_said("line 2")
    assert reader.said() == ["line 0", "line 1", "line 2"]


async def test_no_clock_runs_while_the_server_stands_still(server: ServerProcess) -> None:
    settings = Settings(clock_s=CLOCK_S)
    async with host(server, "cellar", settings, silence_s=CLOCK_S + 1.0) as ada:
        reader = UpdateReader(ada)
        await ada.ask(cmd.SeatBot(1, "random"))
        began_s = monotonic()
        await ada.ask(cmd.Start(2))
        os.kill(server.pid, signal.SIGSTOP)
        left_s = CLOCK_S - (monotonic() - began_s)
        await reader.until(ServerSilent)
        os.kill(server.pid, signal.SIGCONT)
        went_on_s = monotonic()
        await reader.until(EventApplied, lambda it: isinstance(it.event, ev.Played))
        assert monotonic() - went_on_s > left_s - 2 * MOST_LATE_MS / 1000
