"""Twelve states of the page for pictures of it, each at the browser of a person who sees it.

They are the same each time: the rooms' codes and the bots' moves come from one seed, the address
has a fixed port, since QR codes contain it, and nothing moves.
"""

from collections.abc import AsyncIterator, Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from playwright.async_api import Browser, ViewportSize
from tests.web.browser import PHONE, TABLET, Visitor, visitor
from tests.web.rooms import create_room, play_record, table

from boxroom_server.options import Options
from boxroom_server.server import Server, serve

PORT = 18_765
SEED = 48

SIZES: Mapping[str, ViewportSize] = MappingProxyType(
    {"phone": PHONE, "tablet": TABLET, "wide": {"width": 1440, "height": 900}}
)

OPEN = (
    "dots rows=5 cols=5 border=none | Ada, Bob | "
    "v24 h24 v19 v29 h27 h2 h17 v7 v6 v2 h25 v14 v5 h19 v26 h6 h18 h9 h13 v21 h28 h15 "
    "h16 h3 h8 v17 v0 v12 v11 h0 h26 v1 h1 h5 h10 v13 h11 v8 v4 h4 v3 h7 h29"
)
"""A game that isn't over: Ada leads by 6 to 3, and is to move."""

WON = (
    "dots rows=3 cols=3 border=none | Ada, Bob | "
    "h7 v7 v6 h6 v4 v3 v1 v10 h1 v0 h2 v11 v8 v2 h4 h5 h8 h11 v5 h3 h9 h0 v9 h10"
)
"""A game that Ada wins by 6 to 3."""

LARGE = "h45 v50 h52 v55 h61 v44 h38"
"""Lines in the middle of a board of 10×10."""

NOBODY_THINKS_FOR_LONG = "boxroom.link.serverNow = () => 0"
"""Stops the server's time on a page, which would show how long a player has been thinking."""


class Scene(NamedTuple):
    """A state of the page, and the sizes of screens on which it looks different."""

    name: str
    person: Visitor
    sizes: tuple[str, ...] = tuple(SIZES)


async def scenes(browser: Browser) -> AsyncIterator[Scene]:
    """Bring the page into one state after the other; a picture is taken before the next one."""
    options = Options(host="127.0.0.1", port=PORT, pace_s=0.0)
    for stage in (_invitation, _game, _ended, _large, _of_eight):
        async with serve(options, rng=Random(SEED)) as server:
            async for scene in stage(browser, server):
                page = scene.person.page
                await page.locator(".toasts p").first.wait_for(state="detached")
                await page.evaluate("document.activeElement.blur()")
                yield scene


async def _invitation(browser: Browser, server: Server) -> AsyncIterator[Scene]:
    async with visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await ada.press("Invite a friend")
        await ada.page.locator(".qr-code path").wait_for()
        yield Scene("lobby", ada)


async def _game(browser: Browser, server: Server) -> AsyncIterator[Scene]:
    """A game that goes on, for both, for who comes to watch, and after its connection is lost."""
    async with table(browser, server, rows=5, cols=5) as (ada, bob):
        for player in (ada, bob):
            await player.page.evaluate(NOBODY_THINKS_FOR_LONG)
        await play_record(OPEN, ada, bob)
        yield Scene("my turn", ada)
        yield Scene("their turn", bob)
        async with visitor(browser, server, viewport=TABLET) as cleo:
            await cleo.come_in("Cleo")
            await cleo.page.evaluate(NOBODY_THINKS_FOR_LONG)
            await cleo.page.locator(".games-shown .box.seat-0").first.wait_for()
            yield Scene("first screen", cleo)
            await cleo.page.locator(".games-shown button").tap()
            await cleo.wait_for("You are watching.")
            yield Scene("spectator", cleo)
        for player, text in ((ada, "That chain is mine!"), (bob, "We will see …")):
            await say(player, text)
            for reader in (ada, bob):
                await reader.wait_for(text)
        yield Scene("chat open", ada)
        await bob.context.set_offline(True)
        await bob.wait_for("No connection.")
        yield Scene("offline", bob)
        await bob.context.set_offline(False)
        bob.forgive_failures()


async def _ended(browser: Browser, server: Server) -> AsyncIterator[Scene]:
    """A game that is over, for both, and the review by who lost."""
    async with table(browser, server, rows=3, cols=3) as (ada, bob):
        await play_record(WON, ada, bob)
        for name, person in (("ending won", ada), ("ending lost", bob)):
            await person.page.get_by_role("button", name="Rematch").wait_for()
            yield Scene(name, person)
        await bob.press("Where was it lost?")
        await bob.page.locator(".finding").wait_for()
        yield Scene("review", bob)


async def _large(browser: Browser, server: Server) -> AsyncIterator[Scene]:
    """A board that a phone shows through a magnifier."""
    async with visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await create_room(ada, rows=10, cols=10, seats=1)
        await ada.press("Start the game")
        for line in LARGE.split():
            await ada.play(line)
        await ada.page.locator(".board.can-move").wait_for()
        yield Scene("large board", ada, ("tablet", "wide"))
        await ada.page.set_viewport_size(PHONE)
        await ada.tap("v55")
        await ada.page.locator(".magnifier").wait_for()
        yield Scene("large board", ada, ("phone",))


async def _of_eight(browser: Browser, server: Server) -> AsyncIterator[Scene]:
    """A game against seven bots, two moves in."""
    async with visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await create_room(ada, rows=6, cols=6, seats=8, opponent="random")
        for line in ("h0", "v41"):
            await ada.play(line)
        await ada.page.locator(".board.can-move").wait_for()
        yield Scene("eight players", ada)


async def say(player: Visitor, text: str) -> None:
    """Have a player write a line of chat."""
    field = player.page.locator(".composer input[name=text]")
    await field.fill(text)
    await field.press("Enter")
