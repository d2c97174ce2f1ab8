"""Back, Forward and addresses that are changed by hand, in a real browser."""

from random import Random

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import LIMIT_MS, Visitor, serving, visitor
from tests.web.fingers import alone, tokens
from tests.web.rooms import create_room, table

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)


async def depth_is(guest: Visitor, depth: int) -> None:
    """Wait until the browser is at the entry for so many views over the lobby."""
    await guest.page.wait_for_function("depth => history.state?.depth === depth", arg=depth)


async def in_room(guest: Visitor, room: str) -> None:
    """Wait until the guest is in a room, and the address says so."""
    await guest.page.wait_for_function(
        "room => boxroom.state.picture?.room === room && location.hash === `#${room}`", arg=room
    )


async def test_back_closes_a_dialog_and_asks_before_it_leaves_a_game(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        dialog = bob.page.locator("dialog")
        await bob.press("Settings")
        await depth_is(bob, 2)
        await bob.page.go_back()
        await expect(dialog).to_be_hidden()
        await depth_is(bob, 1)
        for _ in range(2):
            await bob.page.go_back()
            await expect(dialog).to_contain_text("Leave the game that is on?")
            await bob.press("No")
            await expect(dialog).to_be_hidden()
            await depth_is(bob, 1)
        await ada.play("h0")
        await bob.play("h1")
        await ada.wait_for("Bob plays h1.")
        await bob.page.go_back()
        await dialog.get_by_role("button", name="Leave").tap()
        await bob.wait_for("I have a code")
        await depth_is(bob, 0)
        await expect(dialog).to_be_hidden()
        assert await bob.page.evaluate("location.hash") == ""


async def test_back_closes_the_magnifier_and_stays_in_the_game(browser: Browser) -> None:
    async with alone(browser, 12, 12) as ada:
        magnifier = ada.page.locator(".magnifier")
        for _ in range(2):
            await ada.touch(await ada.place_of("h20"))
            await expect(magnifier).to_be_visible()
            await depth_is(ada, 2)
            await ada.page.go_back()
            await expect(magnifier).to_be_hidden()
            await depth_is(ada, 1)
        await expect(ada.page.locator("dialog")).to_be_hidden()
        await ada.touch(await ada.place_of("h20"))
        await depth_is(ada, 2)
        await ada.press("Cancel")
        await depth_is(ada, 1)
        assert await tokens(ada) == []


async def test_back_in_the_lobby_leaves_the_page(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server, path="/favicon.ico") as ada:
        before = ada.page.url
        await ada.page.goto(f"http://127.0.0.1:{server.port}/")
        await ada.come_in("Ada")
        await create_room(ada)
        await ada.press("Leave")
        await ada.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await ada.press("New room")
        await depth_is(ada, 1)
        await ada.page.go_back()
        await ada.wait_for("I have a code")
        await depth_is(ada, 0)
        await ada.page.go_back()
        await ada.page.wait_for_url(before)


async def test_forward_comes_back_into_the_room(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        room = await create_room(ada)
        await ada.page.go_back()
        await ada.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await depth_is(ada, 0)
        await ada.page.go_forward()
        await in_room(ada, room)
        await depth_is(ada, 1)


async def test_a_reload_keeps_the_way_back(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        room = await create_room(ada)
        await ada.press("Players")
        await depth_is(ada, 2)
        await ada.page.reload()
        await in_room(ada, room)
        await depth_is(ada, 1)
        await ada.page.go_back()
        await expect(ada.page.locator("dialog")).to_contain_text(f"Leave the room {room}?")


async def test_an_address_that_is_changed_leads_to_the_other_room(browser: Browser) -> None:
    async with (
        serving() as server,
        visitor(browser, server) as ada,
        visitor(browser, server) as bob,
    ):
        await ada.come_in("Ada")
        await bob.come_in("Bob")
        own, other = await create_room(ada, seats=1), await create_room(bob)
        await ada.press("Start the game")
        await ada.wait_for("Your turn")
        dialog = ada.page.locator("dialog")
        await ada.page.goto(f"http://127.0.0.1:{server.port}/#{other}")
        await ada.press("No")
        await expect(dialog).to_be_hidden()
        await in_room(ada, own)
        await ada.page.goto(f"http://127.0.0.1:{server.port}/#{other}")
        await dialog.get_by_role("button", name="Leave").tap()
        await in_room(ada, other)
        await bob.wait_for("Ada sits down in seat 2.")


async def test_a_link_of_5000_characters_is_refused_in_words(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server, path=f"/#{'x' * 5_000}") as ada:
        await ada.wait_for("This link leads to no room.")
        await ada.come_in("Ada")
        await ada.wait_for("Nobody is playing right now.")
        assert await ada.page.evaluate("location.hash") == ""


IS_SETTLED = """() => {
  const { picture, form, dialog, isEntering } = boxroom.state;
  const depth = [picture, form, dialog].filter((each) => each !== null).length;
  const address = picture ? `#${picture.room}` : '';
  return !isEntering && history.state?.depth === depth && location.hash === address;
}"""
"""A function that checks that the browser is at the entry of what the page shows."""

STEPS = {
    "settings": "boxroom.dispatch({ type: 'open_dialog', dialog: { kind: 'settings' } })",
    "close": "boxroom.dispatch({ type: 'close_dialog' })",
    "yes": "boxroom.dispatch({ type: 'answer_yes' })",
    "form": "boxroom.dispatch({ type: 'open_form' })",
    "close form": "boxroom.dispatch({ type: 'close_form' })",
    "join": "boxroom.dispatch({ type: 'join', room: 'one' })",
    "leave": "boxroom.dispatch({ type: 'leave' })",
    "one": "location.hash = '#one'",
    "two": "location.hash = '#two'",
    "back": "history.state?.depth && history.back()",
    "forward": "history.forward()",
}


@pytest.mark.parametrize("seed", range(3))
async def test_history_and_page_agree_after_whatever_happens(browser: Browser, seed: int) -> None:
    steps = Random(seed).choices([*STEPS], k=120)
    async with serving() as server, visitor(browser, server) as bob:
        await bob.come_in("Bob")
        for room in ("one", "two"):
            await bob.page.wait_for_function("() => boxroom.state.isOnline")
            settings = "room => boxroom.link.enter({ type: 'create_room', settings: {}, room })"
            await bob.page.evaluate(settings, room)
            await bob.page.evaluate("boxroom.link.leave()")
        async with visitor(browser, server) as ada:
            await ada.come_in("Ada")
            await ada.wait_for("I have a code")
            for number, step in enumerate(steps):
                await ada.page.evaluate(STEPS[step])
                if number % 3 == 0:
                    await ada.page.wait_for_function(IS_SETTLED)
            await ada.page.wait_for_function(IS_SETTLED)
