"""The way of a person from one browser to another, by a link that works once."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from tests.server.log_capture import captured_log
from tests.server.manual_clock import ManualClock
from tests.web.axe import check_with_axe
from tests.web.browser import LIMIT_MS, Visitor, serving, visitor

from boxroom_client.link.connection import Create, RoomConnection
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room.room import Settings
from boxroom_engine.wire.links import PageUrl
from boxroom_server.ops.logs import SERVER_LOGGER, LineFormatter
from boxroom_server.options import Options
from boxroom_server.server import Server, serve
from boxroom_server.storage.memory.room_log import MemoryLog
from boxroom_server.storage.memory.storage import MemoryLedger
from boxroom_server.storage.offers import MemoryOffers, Offer
from boxroom_server.storage.room_log import CannotSave
from boxroom_server.storage.storage import Storage

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)

USED = "This link was used already, or is older than five minutes."


@asynccontextmanager
async def player(
    browser: Browser, server: Server, name: str, path: str = "/", **more: Any
) -> AsyncIterator[Visitor]:
    """A person who has given a name."""
    async with visitor(browser, server, path=path, **more) as guest:
        await guest.come_in(name)
        await guest.page.wait_for_function("() => boxroom.state.isOnline")
        yield guest


@asynccontextmanager
async def phone(browser: Browser, server: Server, link: str) -> AsyncIterator[Visitor]:
    """A fresh browser, at a link that brings an identity."""
    async with visitor(browser, server, path=f"/#{link.partition('#')[2]}") as guest:
        yield guest


async def open_room(guest: Visitor) -> str:
    """Create a room, and return its code."""
    await guest.press("New room")
    await guest.press("Create the room")
    await guest.wait_for("1 seat is empty")
    return str(await guest.page.evaluate("boxroom.state.picture.room"))


async def is_called(guest: Visitor, name: str) -> None:
    """Wait until the server has let the guest in under this name."""
    await guest.page.wait_for_function("name => boxroom.state.you === name", arg=name)


async def link_of(guest: Visitor) -> str:
    """Have the page make the link to another device."""
    await guest.press("Settings")
    await guest.press("Use this name on another device")
    await guest.press("Make the link")
    link: str = await guest.page.get_by_label("Link for the other device").input_value()
    await guest.press("Close")
    return link


async def secret_in(guest: Visitor) -> str:
    """Return the secret that the browser keeps."""
    kept = "JSON.parse(localStorage.getItem('boxroom.identity.here')).secret"
    return str(await guest.page.evaluate(kept))


async def addresses(guest: Visitor) -> list[str]:
    """Return the addresses in the history of the browser's tab, and the page's own."""
    session = await guest.context.new_cdp_session(guest.page)
    history = await session.send("Page.getNavigationHistory")
    await session.detach()
    shown = [str(entry["url"]) for entry in history["entries"]]
    return [*shown, guest.page.url, str(await guest.page.evaluate("location.href"))]


async def test_a_game_goes_on_at_another_phone(browser: Browser) -> None:
    async with serving() as server, player(browser, server, "Ada") as ada:
        code = await open_room(ada)
        async with player(browser, server, "Bob", f"/#{code}") as bob:
            await ada.wait_for("All seats are taken.")
            await ada.press("Start the game")
            await ada.play("h0")
            await bob.wait_for("Your turn")
            link = await link_of(bob)
            async with phone(browser, server, link) as other:
                await other.press("Use the name here")
                await other.wait_for("Your turn")
                await bob.wait_for("Another device has your name now")
                await bob.press("Close")
                await bob.wait_for("You are playing in another tab or on another device now.")
                await other.play("h1")
                await ada.wait_for("Bob plays h1.")
                await bob.press("Play here")
                await other.wait_for("You are playing in another tab or on another device now.")
                await ada.play("h2")
                await bob.play("h3")
                await ada.wait_for("Bob plays h3.")
                assert await secret_in(bob) == await secret_in(other)
                assert await ada.page.evaluate("boxroom.state.picture.members.length") == 2


class FailingOffers(MemoryOffers):
    """Offers of which one can't be taken at first, as when etcd has lost its majority."""

    failures = 1

    async def take(self, code: str, now_ms: int) -> Offer | None:
        if self.failures:
            self.failures -= 1
            raise CannotSave("etcd doesn't answer")
        return await super().take(code, now_ms)


async def test_a_link_that_cannot_be_used_now_can_be_used_later(browser: Browser) -> None:
    storage = Storage(MemoryLog(), MemoryLedger(), offers=FailingOffers())
    async with serving(storage) as server, player(browser, server, "Ada") as ada:
        link = await link_of(ada)
        async with phone(browser, server, link) as other:
            await other.press("Use the name here")
            await other.wait_for("that code can't be used now: etcd doesn't answer")
            await other.press("Use the name here")
            await other.page.wait_for_function("() => boxroom.state.isOnline")
            assert await secret_in(other) == await secret_in(ada)


async def test_a_person_at_a_terminal_goes_on_at_a_phone(browser: Browser) -> None:
    async with serving() as server:
        page, ada = PageUrl("127.0.0.1", server.port), Identity.make("Ada")
        den = Create(Settings(), room="den")
        async with RoomConnection(Address(page.host, page.port), ada, den) as terminal:
            pad, code = await terminal.offer_identity()
            link = page.for_identity(pad, code, "den", watch=False)
            async with phone(browser, server, link) as other:
                await other.press("Use the name here")
                await other.wait_for("1 seat is empty")
                assert await other.page.evaluate("boxroom.state.picture.host === boxroom.state.you")
                assert await secret_in(other) == ada.secret


async def test_a_spectator_goes_on_watching(browser: Browser) -> None:
    async with serving() as server, player(browser, server, "Ada") as ada:
        await open_room(ada)
        async with player(browser, server, "Cleo") as cleo:
            await cleo.page.locator(".rooms").get_by_role("button", name="Watch").click()
            await cleo.page.wait_for_function("() => boxroom.link?.audience === 'spectator'")
            async with phone(browser, server, await link_of(cleo)) as other:
                await other.press("Use the name here")
                await other.page.wait_for_function("() => boxroom.link?.audience === 'spectator'")


async def test_no_address_and_no_log_has_the_secret_or_the_link(browser: Browser) -> None:
    with captured_log(LineFormatter(), SERVER_LOGGER, "websockets.server") as log:
        async with serving() as server, player(browser, server, "Bob") as bob:
            asked: list[str] = []
            bob.page.on("request", lambda request: asked.append(request.url))
            link = await link_of(bob)
            pad, code = re.findall(r"#identity=([\w-]{64})\.([0-9a-f]{32})$", link)[0]
            async with phone(browser, server, link) as other:
                other.page.on("request", lambda request: asked.append(request.url))
                await other.wait_for("This link brings a name from another device")
                assert not any("identity" in url for url in await addresses(other))
                await other.press("Use the name here")
                await other.wait_for("I have a code")
                await other.page.reload()
                await other.wait_for("I have a code")
                await is_called(other, "Bob")
                secret = await secret_in(other)
                seen = [*await addresses(other), *await addresses(bob), *asked, link]
                kept = await other.page.evaluate("JSON.stringify({...localStorage})")
    assert any(url.endswith("/main.js") for url in asked)
    assert "greeted" in log.getvalue()
    for text in (*seen, log.getvalue()):
        assert secret not in text
    for text in (*seen[:-1], log.getvalue(), kept):
        assert pad not in text
        assert code not in text


async def test_a_link_works_once(browser: Browser) -> None:
    async with serving() as server, player(browser, server, "Bob") as bob:
        link = await link_of(bob)
        async with phone(browser, server, link) as first, phone(browser, server, link) as second:
            await first.press("Use the name here")
            await first.wait_for("I have a code")
            await second.press("Use the name here")
            await second.wait_for(USED)
            await second.press("Go on without it")
            await second.come_in("Bob")
            await second.wait_for("Bob belongs to somebody here: take another name.")
            await second.come_in("Dan")
            await second.wait_for("I have a code")


async def test_a_link_works_for_five_minutes(browser: Browser) -> None:
    clock = ManualClock()
    async with (
        serve(Options(host="127.0.0.1", port=0), clock=clock) as server,
        player(browser, server, "Bob") as bob,
    ):
        link = await link_of(bob)
        clock.advance(300.0)
        async with phone(browser, server, link) as other:
            await other.press("Use the name here")
            await other.wait_for(USED)


async def test_the_old_device_shows_a_link_as_long_as_it_works(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as bob:
        await bob.page.clock.install()
        await bob.page.reload()
        await bob.come_in("Bob")
        await bob.page.wait_for_function("() => boxroom.state.isOnline")
        await bob.press("Settings")
        await bob.press("Use this name on another device")
        await bob.press("Make the link")
        await expect(bob.page.get_by_label("Link for the other device")).to_be_visible()
        await bob.page.clock.fast_forward("05:00")
        await bob.page.get_by_role("button", name="Make the link").wait_for()


@pytest.mark.parametrize("fragment", ["identity=", "identity=half.a-link", "identity=%FF&room=den"])
async def test_a_damaged_link_says_so(browser: Browser, fragment: str) -> None:
    async with serving() as server, visitor(browser, server, path=f"/#{fragment}") as guest:
        await guest.wait_for("This link is damaged.")
        assert not any("identity" in url for url in await addresses(guest))
        await guest.press("Go on without it")
        await guest.come_in("Ada")
        await guest.wait_for("I have a code")


async def test_a_person_is_replaced_only_after_a_question(browser: Browser) -> None:
    async with (
        serving() as server,
        player(browser, server, "Ada") as ada,
        player(browser, server, "Bob") as bob,
    ):
        secret = await secret_in(ada)
        for answer, name in (("No", "Ada"), ("Become Bob", "Bob")):
            await ada.page.goto(await link_of(bob))  # in the tab that is open
            await ada.wait_for("This link brings a name from another device")
            assert not any("identity" in url for url in await addresses(ada))
            await ada.press("Use the name here")
            await ada.wait_for("You are Ada in this browser. Become Bob?")
            await ada.press(answer)
            await ada.wait_for("I have a code")
            await bob.wait_for("Another device has your name now")
            await bob.press("Close")
            await ada.page.wait_for_function("() => boxroom.state.isOnline")
            await is_called(ada, name)
            assert (await secret_in(ada) == secret) is (name == "Ada")
        await ada.page.reload()
        await ada.wait_for("I have a code")
        await is_called(ada, "Bob")


async def test_a_link_for_oneself_changes_nothing(browser: Browser) -> None:
    async with serving() as server, player(browser, server, "Bob") as bob:
        secret = await secret_in(bob)
        await bob.page.goto(await link_of(bob))
        await bob.press("Use the name here")
        await bob.wait_for("I have a code")
        await bob.page.wait_for_function("() => boxroom.state.isOnline")
        assert await secret_in(bob) == secret


async def test_another_tab_stays_who_it_is_and_changes_nothing(browser: Browser) -> None:
    async with (
        serving() as server,
        player(browser, server, "Ada") as ada,
        player(browser, server, "Bob") as bob,
    ):
        second = await ada.context.new_page()
        await second.goto(await link_of(bob))
        await second.get_by_role("button", name="Use the name here").click()
        await second.get_by_role("button", name="Become Bob").click()
        await second.get_by_text("I have a code").wait_for()
        await ada.page.evaluate(
            "boxroom.dispatch({ type: 'greet', name: 'Ada' })"
        )  # as after a lost connection
        await ada.page.wait_for_function("() => boxroom.link.isOnline")
        await is_called(ada, "Ada")
        assert await secret_in(ada) == await secret_in(bob)


async def test_a_lost_connection_leaves_the_link_to_another_attempt(browser: Browser) -> None:
    async with (
        serving() as server,
        player(browser, server, "Bob") as bob,
        phone(browser, server, await link_of(bob)) as other,
    ):
        await other.context.set_offline(True)
        await other.press("Use the name here")
        await other.wait_for("No connection to the server. Try again.")
        other.complaints.clear()  # Chromium's own, about that
        await other.context.set_offline(False)
        await other.press("Use the name here")
        await other.wait_for("I have a code")


# A browser that has forgotten


async def test_a_cleared_browser_says_why_the_name_is_taken(browser: Browser) -> None:
    async with serving() as server, player(browser, server, "Bob") as bob:
        await bob.page.evaluate("localStorage.clear()")
        await bob.page.reload()
        await bob.wait_for("Your name belongs to this browser.")
        await bob.come_in("Bob")
        await bob.wait_for("this is another browser, or its data was cleared")


async def test_a_browser_that_keeps_nothing_says_so_and_can_pass_the_name_on(
    browser: Browser,
) -> None:
    async with serving() as server, visitor(browser, server) as bob:
        await bob.context.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
        )
        await bob.page.reload()
        await bob.wait_for("This browser keeps nothing for this page")
        await bob.come_in("Bob")
        await bob.page.wait_for_function("() => boxroom.state.isOnline")
        async with phone(browser, server, await link_of(bob)) as other:
            await other.press("Use the name here")
            await other.wait_for("I have a code")
            await is_called(other, "Bob")


async def test_everybody_can_use_it(browser: Browser) -> None:
    async with (
        serving() as server,
        visitor(browser, server, locale="de-AT", bypass_csp=True) as bob,
    ):
        await bob.page.get_by_label("Dein Name").fill("Bob")
        await bob.press("Hereinkommen")
        await bob.press("Einstellungen")
        await bob.press("Diesen Namen an einem anderen Gerät benutzen")
        await bob.press("Link machen")
        link = await bob.page.get_by_label("Link für das andere Gerät").input_value()
        await check_with_axe(bob.page)
        path = f"/#{link.partition('#')[2]}"
        async with visitor(browser, server, path=path, locale="de-AT", bypass_csp=True) as other:
            await other.wait_for("Dieser Link bringt einen Namen")
            await check_with_axe(other.page)
