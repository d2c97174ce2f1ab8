"""Discovery of servers that announce themselves on the local network.

`Discovery` keeps a list up to date while it is shown; `find_servers` returns that list after some
time. Announcements come from strangers: their texts are cleaned and cut, and invalid ones are
skipped.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
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
from boxroom_client.servers.reachability import IPInterface, best_address, own_interfaces
from boxroom_common.phrases import say
from boxroom_engine.room.text import clean, fold
from boxroom_engine.wire.announcement import SERVICE_TYPE, protocol_in
from boxroom_engine.wire.messages import PROTOCOL

MOST_SERVERS = 100
"""Limit of the list: each announced server takes memory."""

NAME_CHARS = 40
"""Length to which names of servers are cut."""

_RESOLVE_MS = 3000
"""Timeout for the addresses of an announced service."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that was found without knowing its address."""

    name: str
    """Name that it announces, on one line; several servers may have the same."""
    address: Address
    protocol: int

    @property
    def incompatibility(self) -> str | None:
        """Reason why this client can't join the server; None if it can."""
        if self.protocol == PROTOCOL:
            return None
        key = "terminal.servers.older" if self.protocol < PROTOCOL else "terminal.servers.newer"
        return say(key, protocol=self.protocol, here=PROTOCOL)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of a search: servers in the order of the list."""

    servers: tuple[FoundServer, ...]
    error: str | None = None
    """Reason why the network can't be searched; None if it can."""


async def find_servers(*, wait_s: float, interfaces: Sequence[str] | None = None) -> SearchResult:
    """Return the servers that answer within `wait_s` seconds; see `Discovery`.

    It always waits so long, unless the network can't be searched: another server may answer late.
    """
    async with Discovery(interfaces) as discovery:
        if discovery.error is None:
            await asyncio.sleep(wait_s)
        return SearchResult(discovery.servers, discovery.error)


class Discovery:
    """A live list of the servers on the local network, as a context manager.

    `interfaces` are this machine's addresses on the networks to search (default: all networks).
    `most` limits the list. Where multicast isn't possible the list stays empty, and `error` says
    why.
    """

    def __init__(
        self, interfaces: Sequence[str] | None = None, *, most: int = MOST_SERVERS
    ) -> None:
        self._most = most
        self._interfaces = InterfaceChoice.All if interfaces is None else list(interfaces)
        # Both None before the search begins, or where it is impossible.
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        # Servers whose address is known, by the name of their service in lower case.
        self._found: dict[str, FoundServer] = {}
        # Requests for the addresses of further services, by the same name.
        self._resolving: dict[str, asyncio.Task[None]] = {}
        # Set when `servers` changes.
        self._changed = asyncio.Event()
        self.servers: tuple[FoundServer, ...] = ()
        """The servers at present, sorted by name; no address occurs twice."""
        self.error: str | None = None
        """Reason why the network can't be searched; None if it can."""

    async def changed(self) -> None:
        """Wait until `servers` has changed since this method last returned."""
        await self._changed.wait()
        self._changed.clear()

    async def __aenter__(self) -> Self:
        try:
            self._zeroconf = AsyncZeroconf(self._interfaces)
            await self._zeroconf.zeroconf.async_wait_for_start()
        except RuntimeError:  # the library's message is for programmers
            self.error = say("terminal.servers.no_network")
            return self
        except (OSError, Error) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            self.error = reason or str(error) or repr(error)
            return self
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf,
            SERVICE_TYPE,
            [self._service_changed],
            # Ask for multicast answers: a unicast answer goes to any one of the programs that
            # listen on this machine.
            question_type=DNSQuestionType.QM,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._resolving.values():
            task.cancel()
        await asyncio.gather(*self._resolving.values(), return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    def _service_changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """Handle the browser's report that the service `name` was added, changed or removed."""
        key = name.lower()
        if state_change is ServiceStateChange.Removed:
            self._remove(key)
            return
        is_known = key in self._found or key in self._resolving
        if not is_known and len(self._found) + len(self._resolving) >= self._most:
            return
        try:
            service = AsyncServiceInfo(service_type, name)
        except Error:
            return  # the name is invalid
        if service.load_from_cache(zeroconf):
            self._add(key, service)
        elif key not in self._resolving:
            task = asyncio.get_running_loop().create_task(self._resolve(zeroconf, key, service))
            self._resolving[key] = task
            task.add_done_callback(lambda ended: self._resolved(key, ended))

    async def _resolve(self, zeroconf: Zeroconf, key: str, service: AsyncServiceInfo) -> None:
        if await service.async_request(zeroconf, _RESOLVE_MS, DNSQuestionType.QM):
            self._add(key, service)

    def _resolved(self, key: str, ended: asyncio.Task[None]) -> None:
        if self._resolving.get(key) is ended:
            del self._resolving[key]

    def _add(self, key: str, service: AsyncServiceInfo) -> None:
        server = read_announcement(service, own_interfaces())
        if server is None:
            self._found.pop(key, None)
        else:
            self._found[key] = server
        self._update_list()

    def _remove(self, key: str) -> None:
        if key in self._resolving:
            self._resolving.pop(key).cancel()
        self._found.pop(key, None)
        self._update_list()

    def _update_list(self) -> None:
        by_address = {server.address: server for server in self._found.values()}
        servers = tuple(
            sorted(by_address.values(), key=lambda one: (fold(one.name), str(one.address)))
        )
        if servers != self.servers:
            self.servers = servers
            self._changed.set()


def read_announcement(service: AsyncServiceInfo, own: Sequence[IPInterface]) -> FoundServer | None:
    """Return the server that `service` announces, for a machine with the interfaces `own`.

    None if the announcement lacks a usable address, a port or a protocol.
    """
    host = best_address(service.parsed_addresses(IPVersion.All), own)
    protocol = protocol_in(service.properties)
    if host is None or protocol is None or not service.port:
        return None
    address = Address(host, service.port)
    name = clean(clean(service.get_name())[:NAME_CHARS])
    return FoundServer(name or str(address), address, protocol)
