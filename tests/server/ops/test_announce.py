"""A server announces itself by real multicast, on the loopback interface."""

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

LIMIT_S = 20.0


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


class Told(asyncio.Queue[str]):
    """What the server tells of its announcement."""

    async def sentence(self) -> str:
        async with asyncio.timeout(LIMIT_S):
            return await self.get()


def announcing(
    told: Told, name: str, *, port: int = 4000, interfaces: list[str] | None = None
) -> AbstractAsyncContextManager[None]:
    return announced(
        port,
        name=name,
        version="1.2",
        addresses=["127.0.0.1", "fd00::2"],
        interfaces=interfaces or LOOPBACK,
        tell=told.put_nowait,
    )


class Ear:
    """Hears which services come and go."""

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
async def listening() -> AsyncIterator[Ear]:
    async with AsyncZeroconf(LOOPBACK) as zeroconf:
        ear = Ear(zeroconf)
        async with AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, [ear.hear]):
            yield ear


@needs_multicast
async def test_the_network_hears_of_a_server_and_of_its_end() -> None:
    name, told = own_name(), Told()
    async with listening() as ear:
        async with announcing(told, name):
            assert await told.sentence() == (
                f"Announced on the local network as {name}: boxroom join finds it."
            )
            await ear.until(name, ServiceStateChange.Added)
            service = AsyncServiceInfo(SERVICE_TYPE, f"{name}.{SERVICE_TYPE}")
            assert await service.async_request(ear.zeroconf, LIMIT_S * 1000)
            assert service.port == 4000
            assert service.parsed_addresses() == ["127.0.0.1", "fd00::2"]
            assert service.properties[b"version"] == b"1.2"
            assert protocol_in(service.properties) == PROTOCOL
        await ear.until(name, ServiceStateChange.Removed)
    assert told.empty()


@needs_multicast
async def test_a_name_that_is_taken_gets_a_number() -> None:
    name, told = own_name(), Told()
    async with announcing(told, name):
        await told.sentence()
        async with announcing(told, name, port=4001):
            assert f" as {name}-2: " in await told.sentence()


@needs_multicast
@pytest.mark.parametrize("wished", ["a.b", "\x1b[31mred\u202e", "ŝ" * 60, ".", ""])
async def test_any_name_becomes_one_that_can_be_announced(wished: str) -> None:
    told = Told()
    async with announcing(told, wished):
        assert (await told.sentence()).startswith("Announced on the local network as ")


@needs_multicast
async def test_a_server_that_stops_at_once_doesnt_wait() -> None:
    told = Told()
    async with listening():
        async with announcing(told, own_name()):
            pass
        assert told.empty()


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # the library's, when it fails
async def test_where_it_cant_be_announced_a_sentence_says_so() -> None:
    told = Told()
    async with announcing(told, own_name(), interfaces=["203.0.113.7"]):  # nobody's address
        assert (await told.sentence()).startswith("Not announced on the local network: ")


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
    told = Told()
    async with announcing(told, own_name()):
        assert await told.sentence() == f"Not announced on the local network: {reason}."


class Library:
    """A library that does what the test wants when a server is announced, and when it goes."""

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
    monkeypatch.setattr(announce, "AsyncZeroconf", Library(refuses="not running"))
    told = Told()
    async with announcing(told, own_name()):
        assert await told.sentence() == "Not announced on the local network: not running."


async def test_a_stop_never_hangs_on_the_goodbye(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(announce, "AsyncZeroconf", Library(hangs=True))
    monkeypatch.setattr(announce, "GOODBYE_S", 0.01)
    told = Told()
    async with asyncio.timeout(LIMIT_S), announcing(told, own_name()):
        assert (await told.sentence()).startswith("Announced ")
    assert "may outlive" in caplog.text


def failing(error: Exception) -> Callable[[object], AsyncZeroconf]:
    def fail(interfaces: object) -> AsyncZeroconf:
        raise error

    return fail


def test_a_private_server_is_made_without_what_could_announce_it() -> None:
    code = "import sys, boxroom_server.server; sys.exit('zeroconf' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
