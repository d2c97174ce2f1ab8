"""The screen that lists servers."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.cases import each
from tests.client.screen.looks import LOOK, plain
from tests.client.screen.playing import a_terminal

from boxroom_client.screen.forms.single_field import question
from boxroom_client.screen.lobby.menu import ChooserState
from boxroom_client.screen.lobby.servers import (
    ADDRESS_FIELD,
    address_formats,
    choose_server,
    servers_menu,
)
from boxroom_client.screen.themes.symbols import ASCII, UNICODE, Symbols
from boxroom_client.servers.address import Address, Destination
from boxroom_client.servers.discovery import FoundServer
from boxroom_engine.wire.messages import PROTOCOL

DOWN, ENTER, ESC = "\x1b[B", "\r", "\x1b"

DEN = FoundServer("Ada's den", Address("192.168.1.5"), PROTOCOL)
ATTIC = FoundServer("attic", Address("192.168.1.6", 9000), PROTOCOL)
OLD = FoundServer("museum", Address("192.168.1.7"), PROTOCOL - 1)
HERE = FoundServer("Boxroom on this machine", Address("localhost"), PROTOCOL)


class Network:
    """A discovery that finds servers when the test says so."""

    def __init__(self, *servers: FoundServer, trouble: str | None = None) -> None:
        self.servers: Sequence[FoundServer] = servers
        self.error = trouble
        self._changed = asyncio.Event()

    def becomes(self, *servers: FoundServer) -> None:
        self.servers = servers
        self._changed.set()

    async def changed(self) -> None:
        await self._changed.wait()
        self._changed.clear()

    async def choose(
        self, here: FoundServer | None = None, *, symbols: Symbols = UNICODE
    ) -> Destination | None:
        async def find_here() -> FoundServer | None:
            return here

        look = replace(LOOK, symbols=symbols)
        return await choose_server(self, look=look, find_here=find_here)


@each(
    "keys, address",
    [
        (ENTER, DEN.address),
        (DOWN + ENTER, ATTIC.address),
        ("2", ATTIC.address),
        (ESC, None),
        ("a" + "example.org:99" + ENTER, Address("example.org", 99)),
        (DOWN * 5 + ENTER + "wss://example.org" + ENTER, Address("example.org", 443, secure=True)),
        ("a" + ENTER + "foo:" + ENTER + "7" + ENTER, Address("foo", 7)),
        (DOWN * 2 + ENTER + "3" + "q", None),
    ],
)
async def test_a_key_or_two_lead_to_a_server(keys: str, address: Address | None) -> None:
    with a_terminal() as terminal:
        terminal.type(keys)
        chosen = await Network(DEN, ATTIC, OLD).choose()
        assert chosen == (None if address is None else Destination(address))


async def test_a_link_that_is_typed_leads_to_its_room() -> None:
    with a_terminal() as terminal:
        terminal.type("ahttp://192.168.1.5:8765/#kiwa" + ENTER)
        assert await Network(DEN).choose() == Destination(DEN.address, "kiwa")


async def test_who_leaves_the_address_is_back_in_the_list() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Network(DEN).choose())
        await terminal.sees("▶ 1 Ada's den")
        terminal.type("a")
        await terminal.sees("▶ Address")
        terminal.type("foo:" + ENTER)
        await terminal.sees("isn't a port")
        terminal.type(ESC)
        await terminal.sees("▶ 1 Ada's den")
        terminal.type(ENTER)
        assert await task == Destination(DEN.address)


async def test_the_first_server_that_is_found_needs_only_enter() -> None:
    network = Network()
    with a_terminal() as terminal:
        task = asyncio.create_task(network.choose())
        await terminal.sees("Looking for servers on this network", "▶ 1 another address…")
        network.becomes(DEN)
        await terminal.sees("▶ 1 Ada's den")
        network.becomes(ATTIC, DEN)
        await terminal.sees("▶ 2 Ada's den")
        terminal.type(ENTER)
        assert await task == Destination(DEN.address)


async def test_a_server_on_this_machine_comes_first() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Network(DEN).choose(HERE))
        await terminal.sees("1 Boxroom on this machine", "▶ 2 Ada's den")
        terminal.type("1")
        assert await task == Destination(HERE.address)


async def test_a_network_that_cant_be_searched_says_why() -> None:
    with a_terminal() as terminal:
        task = asyncio.create_task(Network(trouble="no such device").choose(symbols=ASCII))
        await terminal.sees("can't be searched for servers: No such device.", "> 1 another")
        assert terminal.seen.isascii()
        terminal.type(ESC)
        assert await task is None


def test_the_list_of_servers(golden: Callable[[str, str], None]) -> None:
    found = ChooserState(servers_menu((DEN, ATTIC, OLD)))
    address = question("Boxroom: servers", address_formats(), ADDRESS_FIELD)
    looks = [
        found.rows(80, 16),
        found.moved(2).rows(40, 12),
        ChooserState(servers_menu(()), symbols=ASCII).rows(60, 12),
        address.rows(80, 12),
        address.typed("foo:").refused().rows(80, 12),
        address.refused().rows(40, 12),
    ]
    golden("servers", "=\n".join(map(plain, looks)))
