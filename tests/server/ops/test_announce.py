"""Announcement of a server by real multicast, on the loopback interface."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Self

import pytest
from tests.loopback import LOOPBACK, hurry, needs_multicast, own_name
from zeroconf import Error, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from boxroom_engine.wire.announcement import SERVICE_TYPE, protocol_in
from boxroom_engine.wire.messages import PROTOCOL
from boxroom_server.ops import announce
from boxroom_server.ops.announce import announced

ONE_LOOP = True
LIMIT_S = 20.0


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


class Reports(asyncio.Queue[str]):
    """Sentences that the server reports about its announcement."""

    async def sentence(self) -> str:
        async with asyncio.timeout(LIMIT_S):
            return await self.get()


def announcing(
    reports: Reports, name: str, *, port: int = 4000, interfaces: list[str] | None = None
) -> AbstractAsyncContextManager[None]:
    return announced(
        port,
        name=name,
        version="1.2",
        addresses=["127.0.0.1", "fd00::2"],
        interfaces=interfaces or LOOPBACK,
        report=reports.put_nowait,
    )


class ServiceListener:
    """A listener to services that appear and disappear."""

    def __init__(self, zeroconf: AsyncZeroconf) -> None:
        self.zeroconf = zeroconf.zeroconf
        self._heard: asyncio.Queue[tuple[str, ServiceStateChange]] = asyncio.Queue()

    def hear(
        self, zeroconf: object, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        self._heard.put_nowait((name.removesuffix(f".{service_type}"), state_change))

    async def until(self, name: str, change: ServiceStateChange) -> None:
        async with asyncio.timeout(LIMIT_S):
            while await self._heard.get() != (name, change):
                pass


@asynccontextmanager
async def listening() -> AsyncIterator[ServiceListener]:
    async with AsyncZeroconf(LOOPBACK) as zeroconf:
        listener = ServiceListener(zeroconf)
        async with AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, [listener.hear]):
            yield listener


@needs_multicast
async def test_the_network_hears_of_a_server_and_of_its_end() -> None:
    name, reports = own_name(), Reports()
    async with listening() as listener:
        async with announcing(reports, name):
            assert await reports.sentence() == (
                f"Announced on the local network as {name}: boxroom join finds it."
            )
            await listener.until(name, ServiceStateChange.Added)
            service = AsyncServiceInfo(SERVICE_TYPE, f"{name}.{SERVICE_TYPE}")
            assert await service.async_request(listener.zeroconf, LIMIT_S * 1000)
            assert service.port == 4000
            assert service.parsed_addresses() == ["127.0.0.1", "fd00::2"]
            assert service.properties[b"version"] == b"1.2"
            assert protocol_in(service.properties) == PROTOCOL
        await listener.until(name, ServiceStateChange.Removed)
    assert reports.empty()


@needs_multicast
async def test_a_name_that_is_taken_gets_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    name, reports = own_name(), Reports()
    async with announcing(reports, name):
        await reports.sentence()
        # An answer ends the pause between two queries; without one, a busy machine needs the time.
        monkeypatch.setattr("zeroconf._core._CHECK_TIME", 1_000, raising=False)
        async with announcing(reports, name, port=4001):
            assert f" as {name}-2: " in await reports.sentence()


@needs_multicast
@pytest.mark.parametrize("name", ["a.b", "\x1b[31mred\u202e", "ŝ" * 60, ".", ""])
async def test_any_name_becomes_one_that_can_be_announced(name: str) -> None:
    reports = Reports()
    async with announcing(reports, name):
        assert (await reports.sentence()).startswith("Announced on the local network as ")


@needs_multicast
async def test_a_server_that_stops_at_once_doesnt_wait() -> None:
    reports = Reports()
    async with listening():
        async with announcing(reports, own_name()):
            pass
        assert reports.empty()


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # the library's, when it fails
async def test_where_it_cant_be_announced_a_sentence_says_so() -> None:
    reports = Reports()
    async with announcing(reports, own_name(), interfaces=["203.0.113.7"]):  # nobody's address
        assert (await reports.sentence()).startswith("Not announced on the local network: ")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (RuntimeError("No interfaces to listen on"), "there is no IPv4 network here"),
        (OSError(), "OSError()"),
    ],
)
async def test_a_failure_is_one_line(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announce, "AsyncZeroconf", failing(error))
    reports = Reports()
    async with announcing(reports, own_name()):
        assert await reports.sentence() == f"Not announced on the local network: {reason}."


class FakeZeroconf:
    """A fake zeroconf that fails to register, or never finishes closing."""

    def __init__(self, refuses: str = "", hangs: bool = False) -> None:
        self.refuses = refuses
        self.hangs = hangs

    def __call__(self, interfaces: object) -> Self:
        return self

    async def async_register_service(
        self, service: object, *, allow_name_change: bool
    ) -> Awaitable[None]:
        if self.refuses:
            raise Error(self.refuses)
        return asyncio.sleep(0)

    async def async_close(self) -> None:
        if self.hangs:
            await asyncio.get_running_loop().create_future()


async def test_a_refusal_of_the_library_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announce, "AsyncZeroconf", FakeZeroconf(refuses="not running"))
    reports = Reports()
    async with announcing(reports, own_name()):
        assert await reports.sentence() == "Not announced on the local network: not running."


async def test_a_stop_never_hangs_on_the_goodbye(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(announce, "AsyncZeroconf", FakeZeroconf(hangs=True))
    monkeypatch.setattr(announce, "WITHDRAW_S", 0.01)
    reports = Reports()
    async with asyncio.timeout(LIMIT_S), announcing(reports, own_name()):
        assert (await reports.sentence()).startswith("Announced ")
    assert "may outlive" in caplog.text


def failing(error: Exception) -> Callable[[object], AsyncZeroconf]:
    def fail(interfaces: object) -> AsyncZeroconf:
        raise error

    return fail


def test_a_private_server_is_made_without_what_could_announce_it() -> None:
    code = "import sys, boxroom_server.server; sys.exit('zeroconf' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
