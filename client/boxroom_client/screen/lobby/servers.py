"""The screen that lists the servers on this network, to choose one or to type an address."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Protocol

from boxroom_client.screen.forms.fields import Text
from boxroom_client.screen.forms.single_field import SingleField, ask
from boxroom_client.screen.lobby.chooser import Chooser, ExtraKey
from boxroom_client.screen.lobby.menu import Item, Menu
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.servers.address import Address, Destination
from boxroom_client.servers.discovery import FoundServer
from boxroom_client.servers.localhost import local_server, with_local_server
from boxroom_client.servers.reachability import own_interfaces
from boxroom_client.shell.output.wording import sentence
from boxroom_common.phrases import say
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_engine.wire.urls import UrlError

FindHere = Callable[[], Awaitable[FoundServer | None]]


class ServerDiscovery(Protocol):
    """The part of a started `Discovery` that the list uses."""

    @property
    def servers(self) -> Sequence[FoundServer]:
        """The servers that are found now."""

    @property
    def error(self) -> str | None:
        """Reason why the network can't be searched; None if it can."""

    async def changed(self) -> None:
        """Wait until `servers` has changed."""


class ManualEntry(Enum):
    """The choice to type an address instead of choosing a server."""

    ADDRESS = "\n"


async def choose_server(
    discovery: ServerDiscovery,
    *,
    look: ScreenLook,
    find_here: FindHere = local_server,
) -> Destination | None:
    """Return the chosen server, or what a typed link leads to; None if the person cancels.

    `find_here` searches this machine while the list is shown.

    Raises:
        Interrupted: Ctrl-C.
    """
    server_list = _ServerList(discovery, find_here)
    while True:
        chosen = await server_list.choose(look)
        if not isinstance(chosen, ManualEntry):
            return None if chosen is None else Destination(chosen)
        text = await ask(say("terminal.servers.title"), address_formats(), ADDRESS_FIELD, look=look)
        if text is not None:
            return Destination.parse(text)


class _ServerList:
    """Keeps the list of servers up to date while it is shown."""

    def __init__(self, discovery: ServerDiscovery, find_here: FindHere) -> None:
        self._discovery = discovery
        self._find_here = find_here
        self._here: FoundServer | None = None  # the server on this machine, once found

    async def choose(self, look: ScreenLook) -> Address | ManualEntry | None:
        """Return the choice; None if the person leaves."""
        chooser: Chooser[Address | ManualEntry] = Chooser(
            self.menu(),
            [ExtraKey("a", lambda: chooser.leave(ManualEntry.ADDRESS))],
            look=look,
        )
        return await chooser.run(self._follow(chooser))

    def menu(self) -> Menu[Address | ManualEntry]:
        """Return the menu of the servers that are found now."""
        servers = self._discovery.servers
        if self._here is not None:
            servers = with_local_server(servers, self._here, own_interfaces())
        return servers_menu(servers, self._discovery.error)

    async def _follow(self, chooser: Chooser[Address | ManualEntry]) -> None:
        """Keep the menu in `chooser` up to date."""

        async def search_here() -> None:
            self._here = self._here or await self._find_here()
            chooser.show(self.menu())

        async def follow_discovery() -> None:
            while True:
                await self._discovery.changed()
                chooser.show(self.menu())

        await asyncio.gather(search_here(), follow_discovery())


def servers_menu(
    servers: Sequence[FoundServer], trouble: str | None = None
) -> Menu[Address | ManualEntry]:
    """Return the menu of `servers`, with an item for another address."""
    if trouble is not None:
        introduction = say("terminal.servers.no_search", why=sentence(trouble))
    else:
        introduction = say("terminal.servers.found" if servers else "terminal.servers.looking")
    return Menu(
        say("terminal.servers.title"),
        (*(_server(server) for server in servers), _manual_entry()),
        (say("terminal.servers.server"), say("terminal.servers.address")) if servers else (),
        (introduction,),
        hints=(
            ("Enter", say("terminal.dialog.goes_there")),
            ("Esc", say("terminal.dialog.leaves")),
            ("a", say("terminal.servers.other.hint")),
        ),
    )


def _server(server: FoundServer) -> Item[Address | ManualEntry]:
    address = str(server.address)
    hindrance = server.incompatibility
    return Item(
        address,
        (server.name, address),
        server.address,
        obstacle=say("terminal.servers.obstacle", why=sentence(hindrance, capital=False))
        if hindrance
        else "",
    )


def _manual_entry() -> Item[Address | ManualEntry]:
    return Item(
        ManualEntry.ADDRESS.value,
        (say("terminal.servers.other"),),
        ManualEntry.ADDRESS,
        say("terminal.servers.other.help"),
        is_fallback=True,
    )


def _mistake_in_address(text: str) -> str:
    try:
        Destination.parse(text)
    except UrlError as error:
        return str(error) if text.strip() else say("terminal.servers.type_address")
    return ""


def address_formats() -> tuple[str, ...]:
    """Return the paragraphs about what can be typed."""
    return say("terminal.servers.forms"), say("terminal.servers.example", port=DEFAULT_PORT)


ADDRESS_FIELD = SingleField(
    "terminal.servers.address", Text(), _mistake_in_address, "terminal.dialog.goes_there"
)
