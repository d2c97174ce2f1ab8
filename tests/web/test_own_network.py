"""A phone on a network: plain http from another machine, so no secure context; and its failures."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.e2e.terminal import PROGRAM, Terminal
from tests.results import RESULT
from tests.web.browser import CHROMIUM, NO_BROWSER, Visitor, chromium, visitor_at
from tests.web.two_machines import HOST, TwoMachines, two_machines

from boxroom_common.qr_codes import qr_lines

pytestmark = pytest.mark.asyncio(loop_scope="session")

LINK = f"http://{HOST}:8765/"


@pytest.fixture(scope="module")
def machines() -> Iterator[TwoMachines]:
    with two_machines() as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def phone(
    machines: TwoMachines, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Browser]:
    """The browser of the phone."""
    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    script = machines.program_on_phone(CHROMIUM, tmp_path_factory.mktemp("phone"))
    async with chromium(script, is_root=True) as running:
        yield running


@pytest.fixture
def server(machines: TwoMachines) -> Iterator[Terminal]:
    """The terminal of a server on the host's machine, which listens on all its addresses."""
    arguments = ("serve", "--memory", "--no-announce", "--pace-s", "0")
    with Terminal(*arguments, command=(*machines.on_host, *PROGRAM)) as terminal:
        terminal.wait_for("Ctrl-C stops the server.")
        yield terminal


@asynccontextmanager
async def room(
    machines: TwoMachines, phone: Browser, *settings: str, flags: Sequence[str] = ()
) -> AsyncIterator[tuple[Terminal, Visitor]]:
    """Ada, the host, at a terminal, and Bob at the phone, in a room that has these settings."""
    arguments = ("join", HOST, "--create", "--room", "den", "--name", "Ada", *flags)
    with Terminal(*arguments, command=(*machines.on_host, *PROGRAM), columns=160) as ada:
        ada.wait_for("Room den:")
        for line in settings:
            ada.type(line)
        async with visitor_at(phone, f"{LINK}#den") as bob:
            await bob.come_in("Bob")
            ada.wait_for("Bob sits down")
            yield ada, bob
            bob.forgive_failures()


def wait_for_code(terminal: Terminal, link: str) -> None:
    """Wait until the terminal shows a link and its QR code."""
    terminal.wait_for(link)
    for line in qr_lines(link):
        terminal.wait_for(line.rstrip())


async def test_links_and_their_codes_lead_to_the_machines_address(
    machines: TwoMachines, phone: Browser, server: Terminal
) -> None:
    wait_for_code(server, LINK)
    async with room(machines, phone) as (ada, bob):
        ada.type("/qr")
        wait_for_code(ada, f"{LINK}#den")
        assert await bob.page.evaluate("isSecureContext") is False
        await bob.press("Invite")
        field = bob.page.get_by_role("dialog").locator("input")
        assert await field.input_value() == f"{LINK}#den"
        await bob.press("Copy")
        await bob.wait_for("Copied")


@pytest.mark.usefixtures("server")
async def test_a_phone_a_terminal_and_a_bot_play_a_game(
    machines: TwoMachines, phone: Browser
) -> None:
    settings = ("/set rows 2 cols 2 seats 3", "/bot random")
    async with room(machines, phone, *settings, flags=["--plain"]) as (ada, bob):
        ada.wait_for("All seats are taken")
        ada.type("/start")
        await bob.page.locator(".board").wait_for()
        picture = await bob.page.evaluate("boxroom.state.picture")
        while picture["phase"] == "playing":
            line = await bob.page.evaluate("[...boxroom.board.board.drawing.free][0]")
            mover = picture["seats"][picture["to_move"]]["member"]
            if mover == "Ada":
                ada.type(line)
            elif mover == "Bob":
                await bob.tap(line)
            moved = "ply => boxroom.state.picture.ply > ply && boxroom.state.picture"
            following = await bob.page.wait_for_function(moved, arg=picture["ply"])
            picture = await following.json_value()
        assert len(picture["tokens"]) == 12
        assert RESULT.search(await bob.page.locator(".status").inner_text())
        ada.wait_for("Type /rematch")


@pytest.mark.usefixtures("server")
async def test_a_phone_that_changes_its_network_comes_back(
    machines: TwoMachines, phone: Browser
) -> None:
    async with room(machines, phone) as (ada, bob):
        ada.type("/start")
        await bob.wait_for("Ada is to move")
        machines.leave_network()
        ada.type("h0")
        ada.wait_for("Ada plays h0.")
        machines.join_network()
        await bob.wait_for("Your turn")
        machines.leave_network()
        await bob.tap("h1")
        machines.join_network()
        ada.wait_for("Bob plays h1.")
        await bob.wait_for("Ada is to move")
        assert await bob.page.evaluate("boxroom.state.picture.tokens") == ["h0", "h1"]
