"""The servers that are found on this network, to choose one from, or to type another address."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Protocol

from prompt_toolkit.styles import BaseStyle

from boxroom_client.screen.forms.fields import Field, Text
from boxroom_client.screen.forms.form_screen import fill
from boxroom_client.screen.forms.form_state import FormState, Values
from boxroom_client.screen.lobby.chooser import Chooser, Extra
from boxroom_client.screen.lobby.menu import Item, Menu
from boxroom_client.servers.address import Address, AddressError
from boxroom_client.servers.discovery import FoundServer
from boxroom_client.servers.localhost import local_server, with_local_server
from boxroom_client.servers.reachability import own_interfaces
from boxroom_client.shell.output.wording import sentence
from boxroom_engine.wire.ports import DEFAULT_PORT

FindHere = Callable[[], Awaitable[FoundServer | None]]

_TITLE = "Boxroom: servers"
_ADDRESS = "address"


class Discovering(Protocol):
    """What is needed of a `Discovery` that has begun."""

    @property
    def servers(self) -> Sequence[FoundServer]:
        """Those that are there now."""

    @property
    def error(self) -> str | None:
        """Why the network can't be searched, if it can't."""

    async def changed(self) -> None:
        """Wait until `servers` is different."""


class Another(Enum):
    """What is chosen by who knows better than the list."""

    ADDRESS = "another address"


async def choose_server(
    discovery: Discovering,
    *,
    style: Callable[[], BaseStyle],
    ascii_only: bool = False,
    mouse: bool = True,
    find_here: FindHere = local_server,
) -> Address | None:
    """Where the server is that somebody chooses, or None if nobody wants to go anywhere.

    `find_here` looks for one on this machine, as long as the list is shown.

    Raises:
        Interrupted: Ctrl-C.
    """
    around = _Around(discovery, find_here)
    while True:
        chosen = await around.choose(style, ascii_only=ascii_only, mouse=mouse)
        if not isinstance(chosen, Another):
            return chosen
        filled = await fill(address_blank(ascii_only=ascii_only), style=style, mouse=mouse)
        if filled is not None:
            return Address.parse(filled.values[_ADDRESS])


class _Around:
    """What servers there are around, and a list of them."""

    def __init__(self, discovery: Discovering, find_here: FindHere) -> None:
        self._discovery = discovery
        self._find_here = find_here
        self._here: FoundServer | None = None

    async def choose(
        self, style: Callable[[], BaseStyle], *, ascii_only: bool, mouse: bool
    ) -> Address | Another | None:
        """What is chosen from the list; None if somebody left."""
        chooser: Chooser[Address | Another] = Chooser(
            self.menu(),
            [Extra("a", lambda: chooser.leave(Another.ADDRESS))],
            style=style,
            ascii_only=ascii_only,
            mouse=mouse,
        )
        return await chooser.run(self._follow(chooser))

    def menu(self) -> Menu[Address | Another]:
        """The list as it is now."""
        servers = self._discovery.servers
        if self._here is not None:
            servers = with_local_server(servers, self._here, own_interfaces())
        return servers_menu(servers, self._discovery.error)

    async def _follow(self, chooser: Chooser[Address | Another]) -> None:
        """Keep the list in `chooser` up to date."""

        async def look_here() -> None:
            self._here = self._here or await self._find_here()
            chooser.show(self.menu())

        async def look_around() -> None:
            while True:
                await self._discovery.changed()
                chooser.show(self.menu())

        await asyncio.gather(look_here(), look_around())


def servers_menu(
    servers: Sequence[FoundServer], trouble: str | None = None
) -> Menu[Address | Another]:
    """What there is to choose from."""
    if trouble is not None:
        introduction = f"This network can't be searched for servers: {sentence(trouble)}"
    elif servers:
        introduction = "The servers on this machine and its network. The list grows by itself."
    else:
        introduction = "Looking for servers on this network… boxroom serve starts one."
    return Menu(
        _TITLE,
        (*(_server(server) for server in servers), _another()),
        ("Server", "Address") if servers else (),
        (introduction,),
        hints=(("Enter", "goes there"), ("Esc", "leaves"), ("a", "another address")),
    )


def _server(server: FoundServer) -> Item[Address | Another]:
    address = str(server.address)
    hindrance = server.incompatibility
    return Item(
        address,
        (server.name, address),
        server.address,
        obstacle=f"It can't be joined: {sentence(hindrance, capital=False)}" if hindrance else "",
    )


def _another() -> Item[Address | Another]:
    return Item(
        Another.ADDRESS.value,
        ("another address…",),
        Another.ADDRESS,
        "For a server that isn't found by itself, such as one on the internet.",
        is_last_resort=True,
    )


def address_blank(*, ascii_only: bool = False) -> FormState:
    """Asks for a server's address."""
    return FormState(
        _TITLE,
        _address_field,
        "goes there",
        (
            f"HOST or HOST:PORT, ws://… or wss://…; without a port it is {DEFAULT_PORT}.",
            "For example 192.168.1.5, or wss://example.org.",
        ),
        ascii_only=ascii_only,
    )


def _address_field(values: Values) -> tuple[Field, ...]:
    text = values.get(_ADDRESS, "")
    mistake = ""
    try:
        Address.parse(text)
    except AddressError as error:
        mistake = str(error) if text.strip() else "type the address of a server"
    return (Field(_ADDRESS, "Address", Text(), text, mistake=mistake),)
