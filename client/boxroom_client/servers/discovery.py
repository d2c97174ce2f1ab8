"""Finding servers that announce themselves on the local network.

`Discovery` is a list that grows and shrinks while it is shown; `find_servers` is that list
after some time. Everything in an announcement comes from strangers: it is cleaned, and
bounded, and what makes no sense is left out.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from zeroconf import (
    DNSQuestionType,
    Error,
    InterfaceChoice,
    IPVersion,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from boxroom_client.servers.address import Address
from boxroom_client.servers.nearness import IPInterface, nearest, own_interfaces
from boxroom_engine.room.text import clean, fold
from boxroom_engine.wire.announcement import SERVICE_TYPE, protocol_in
from boxroom_engine.wire.messages import PROTOCOL

MOST_SERVERS = 100
"""More are not listed: nobody reads so many, and each that is announced takes memory."""

NAME_CHARS = 40
"""Characters in the name of a server; what is longer is cut."""

_RESOLVE_MS = 3000


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that can be found without being told its address."""

    name: str
    """What it calls itself, on one line; two may be called the same."""
    address: Address
    protocol: int

    @property
    def hindrance(self) -> str | None:
        """Why this client can't join it, or None if it can."""
        if self.protocol == PROTOCOL:
            return None
        older = "it is older than" if self.protocol < PROTOCOL else "it is newer than"
        return f"{older} this program (its protocol is {self.protocol}, and {PROTOCOL} here)"


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search led to: servers in the order in which to list them."""

    servers: tuple[FoundServer, ...]
    trouble: str | None = None
    """Why the network can't be searched, if it can't."""


async def find_servers(*, patience_s: float, interfaces: Sequence[str] | None = None) -> Findings:
    """The servers that answer within `patience_s` seconds; see `Discovery`.

    It takes all that time, if the network can be searched: there may always be one more.
    """
    async with Discovery(interfaces) as discovery:
        if discovery.trouble is None:
            await asyncio.sleep(patience_s)
        return Findings(discovery.servers, discovery.trouble)


class Discovery:
    """Keeps a list of the servers on the local network, as a context manager.

    `interfaces` are this machine's addresses on the networks to search (default: all networks).
    `most` is how many servers are listed. Where multicast isn't possible the list stays empty,
    and `trouble` says why.
    """

    def __init__(
        self, interfaces: Sequence[str] | None = None, *, most: int = MOST_SERVERS
    ) -> None:
        self._most = most
        self._interfaces = InterfaceChoice.All if interfaces is None else list(interfaces)
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._found: dict[str, FoundServer] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self.servers: tuple[FoundServer, ...] = ()
        """Those that are there now, by name; each address stands there once."""
        self.trouble: str | None = None
        """Why the network can't be searched, if it can't."""

    async def changed(self) -> None:
        """Wait until `servers` is different from what it was when this last returned."""
        await self._changed.wait()
        self._changed.clear()

    async def __aenter__(self) -> Self:
        try:
            self._zeroconf = AsyncZeroconf(self._interfaces)
            await self._zeroconf.zeroconf.async_wait_for_start()
        except RuntimeError:  # the library's, in words for programmers
            self.trouble = "there is no IPv4 network here"
            return self
        except (OSError, Error) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            self.trouble = reason or str(error) or repr(error)
            return self
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf,
            SERVICE_TYPE,
            [self._heard],
            # Answers to everybody: one for us alone is lost where several programs on this
            # machine listen, as it is handed to any one of them.
            question_type=DNSQuestionType.QM,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._resolving.values():
            task.cancel()
        await asyncio.gather(*self._resolving.values(), return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    def _heard(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """The browser heard that the service `name` has come, changed or gone."""
        key = name.lower()
        if state_change is ServiceStateChange.Removed:
            self._forget(key)
            return
        is_known = key in self._found or key in self._resolving
        if not is_known and len(self._found) + len(self._resolving) >= self._most:
            return
        try:
            service = AsyncServiceInfo(service_type, name)
        except Error:
            return  # nothing can have that name
        if service.load_from_cache(zeroconf):
            self._know(key, service)
        elif key not in self._resolving:
            task = asyncio.get_running_loop().create_task(self._resolve(zeroconf, key, service))
            self._resolving[key] = task
            task.add_done_callback(lambda ended: self._resolved(key, ended))

    async def _resolve(self, zeroconf: Zeroconf, key: str, service: AsyncServiceInfo) -> None:
        if await service.async_request(zeroconf, _RESOLVE_MS, DNSQuestionType.QM):
            self._know(key, service)

    def _resolved(self, key: str, ended: asyncio.Task[None]) -> None:
        if self._resolving.get(key) is ended:
            del self._resolving[key]

    def _know(self, key: str, service: AsyncServiceInfo) -> None:
        server = read_announcement(service, own_interfaces())
        if server is None:
            self._found.pop(key, None)
        else:
            self._found[key] = server
        self._list()

    def _forget(self, key: str) -> None:
        if key in self._resolving:
            self._resolving.pop(key).cancel()
        self._found.pop(key, None)
        self._list()

    def _list(self) -> None:
        by_address = {server.address: server for server in self._found.values()}
        servers = tuple(
            sorted(by_address.values(), key=lambda one: (fold(one.name), str(one.address)))
        )
        if servers != self.servers:
            self.servers = servers
            self._changed.set()


def read_announcement(service: AsyncServiceInfo, own: Sequence[IPInterface]) -> FoundServer | None:
    """The server that `service` announces to a machine with the interfaces `own`.

    None if nobody can join it: there is no address, no port or no protocol.
    """
    host = nearest(service.parsed_addresses(IPVersion.All), own)
    protocol = protocol_in(service.properties)
    if host is None or protocol is None or not service.port:
        return None
    address = Address(host, service.port)
    name = clean(clean(service.get_name())[:NAME_CHARS])
    return FoundServer(name or str(address), address, protocol)
