"""The first view in a real browser: how many taps each way into a game takes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import (
    DESKTOP,
    LIMIT_MS,
    PHONE,
    TABLET,
    Visitor,
    serving,
    visitor,
)
from tests.web.rooms import play_record
from tests.web.scenes import WON

from boxroom_common.qr_codes import qr_modules
from boxroom_engine.games.record import Record
from boxroom_server.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)

TOO_NARROW = """
() => [...document.querySelectorAll('main button, main .chips label')]
  .map((it) => [it.textContent || it.ariaLabel, it.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44).map(([text]) => text)
"""
"""The buttons and choices that are too small for a finger."""

DARK_MODULES = """
() => {
  const code = document.querySelector('.qr-code');
  const path = code.querySelector('path');
  const size = code.viewBox.baseVal.width;
  const at = (x, y) => path.isPointInFill(new DOMPoint(x + 0.5, y + 0.5)) ? 1 : 0;
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => at(x, y)));
}
"""
"""The modules of the code on the screen: 1 is dark, 0 is light."""


async def tap(guest: Visitor, name: str) -> None:
    """Touch the button with exactly this name."""
    await guest.page.get_by_role("button", name=name, exact=True).tap()


async def begin(guest: Visitor) -> None:
    """Begin the game of two at one device, with the name that the page suggests."""
    await guest.page.get_by_role("dialog").get_by_role("button", name="Play").tap()


async def test_two_taps_lead_to_the_first_line_against_the_computer(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await tap(ada, "Play")
        await ada.page.locator(".board.can-move").wait_for()
        await ada.tap("h0")
        await ada.wait_for("Ada plays h0.")


async def test_level_and_size_are_a_tap_each_and_the_size_is_kept(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        for choice in ("3 × 3", "Easy"):
            await ada.page.get_by_label(choice).tap()
            await expect(ada.page.get_by_label(choice)).to_be_checked()
        await expect(ada.page.locator('[data-board="computer"] .line')).to_have_count(24)
        await ada.page.reload()
        await expect(ada.page.get_by_label("3 × 3")).to_be_checked()
        await ada.page.get_by_label("Easy").tap()
        await tap(ada, "Play")
        await ada.page.locator(".board.can-move").wait_for()
        seats = await ada.page.evaluate("boxroom.state.picture.seats.map((seat) => seat.bot)")
        assert seats == [None, "easy"]


@dataclass
class Finger(Visitor):
    """A person at a phone, who plays by touch alone."""

    taps: int = 0

    async def tap_on(self, selector: str) -> None:
        """Touch the first of such elements."""
        self.taps += 1
        await self.page.locator(selector).first.tap()

    async def play(self, move: str) -> None:
        """Touch a line, once it is this player's turn."""
        self.taps += 1
        await self.page.locator(".board.can-move").wait_for()
        await self.tap(move)


@asynccontextmanager
async def finger(browser: Browser, server: Server, **more: Any) -> AsyncIterator[Finger]:
    """Open the page at a phone."""
    async with visitor(browser, server, **more) as guest:
        yield Finger(guest.page, guest.context, guest.complaints)


async def test_a_code_leads_two_phones_through_their_first_game_to_the_rematch(
    browser: Browser,
) -> None:
    async with serving() as server, finger(browser, server) as ada:
        await ada.page.get_by_label("Your name").fill("Ada")
        for way in ("form .primary", ".size label:has-text('3 × 3')", "text=Invite a friend"):
            await ada.tap_on(way)
        await ada.page.locator(".qr-code path").wait_for()
        link = await ada.page.locator(".invitation input").input_value()
        assert await ada.page.evaluate(DARK_MODULES) == qr_modules(link)
        box = await ada.page.locator(".qr-code").bounding_box()
        assert box is not None
        assert box["width"] >= 160
        assert box["y"] + box["height"] <= PHONE["height"]
        path = f"/#{link.partition('#')[2]}"
        async with finger(browser, server, path=path, locale="de-DE") as bob:
            await bob.page.get_by_label("Dein Name").fill("Bob")
            await bob.tap_on("form .primary")
            await bob.wait_for("am Zug")
            assert (ada.taps, bob.taps) == (3, 1)
            await play_record(WON, ada, bob)
            assert ada.taps + bob.taps == 4 + len(Record.parse(WON).tokens)
            await ada.wait_for("You won by 3 boxes!")
            await bob.wait_for("Ada hat gewonnen; du hast 3 von 9.")
            for player in (bob, ada):
                await expect(player.page.locator("button.primary:visible")).to_have_count(1)
                await player.tap_on(".ending .primary")
            await bob.play("h0")
            await ada.wait_for("Bob plays h0.")


async def test_two_at_one_device_pass_it_on(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await tap(ada, "Two on this device")
        name = ada.page.get_by_label("Who plays with you?")
        await expect(name).to_have_value("Player 2")
        await name.fill("Eve")
        await begin(ada)
        await ada.wait_for("Your turn, Ada")
        await ada.tap("h0")
        await ada.wait_for("Eve is next: pass it on")
        await ada.tap("h1")
        await ada.wait_for("Ada is next: pass it on")
        await tap(ada, "Leave")
        await ada.page.get_by_role("dialog").get_by_role("button", name="Leave").tap()
        await ada.wait_for("I have a code")
        await ada.page.reload()
        await tap(ada, "Two on this device")
        await expect(name).to_have_value("Eve")


async def test_running_games_are_shown_as_they_are_and_watched_by_a_tap(browser: Browser) -> None:
    async with (
        serving() as server,
        visitor(browser, server) as ada,
        visitor(browser, server, viewport=TABLET) as bob,
    ):
        await bob.come_in("Bob")
        await bob.wait_for("Nobody is playing right now.")
        await ada.come_in("Ada")
        await tap(ada, "Two on this device")
        await begin(ada)
        board = bob.page.locator(".games-shown .small-board")
        for number, line in enumerate(("h0", "h5", "v0"), start=1):
            await ada.play(line)
            await expect(board.locator(".line.drawn")).to_have_count(number)
        await bob.page.locator(".games-shown button").tap()
        await bob.wait_for("You are watching.")


async def test_a_name_is_asked_for_once(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await ada.page.locator(".way button.primary:enabled").first.wait_for()
        await ada.page.reload()
        await ada.page.locator(".way button.primary:enabled").first.wait_for()
        await expect(ada.page.get_by_label("Your name")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_everything_fits_and_can_be_touched(browser: Browser, locale: str) -> None:
    more: dict[str, Any] = {"locale": locale}
    async with serving() as server, visitor(browser, server, **more) as ada:
        await ada.page.locator("#name").fill("Ada")
        await ada.page.locator("form button.primary").tap()
        page = ada.page
        for size in (PHONE, TABLET, DESKTOP):
            await page.set_viewport_size(size)
            for text_size in ("100%", "200%"):
                await page.evaluate(
                    "size => { document.documentElement.style.fontSize = size; }", text_size
                )
                await page.locator(".way button.primary:enabled").first.wait_for()
                assert await page.evaluate(TOO_NARROW) == []
                cut = "() => document.querySelector('main').scrollWidth - innerWidth"
                assert await page.evaluate(cut) <= 0
