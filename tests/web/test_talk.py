"""Talking on the page: who reads a line, reactions, nudges, names, and people who aren't heard."""

import pytest
from playwright.async_api import Browser, expect
from tests.server.manual_clock import ManualClock
from tests.web.browser import DESKTOP, Visitor, serving, visitor
from tests.web.rooms import create_room, table

from boxroom_server.options import Options
from boxroom_server.server import serve

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def say(who: Visitor, text: str, to: str = "to all") -> None:
    """Type a line, and choose its readers."""
    await who.page.get_by_label("Who reads it").select_option(label=to)
    await who.page.locator(".composer input[name=text]").fill(text)
    await who.press("Send")


async def test_a_line_is_for_all_or_for_one_person(browser: Browser) -> None:
    async with (
        serving() as server,
        table(browser, server) as (ada, bob),
        visitor(browser, server, viewport=DESKTOP) as cleo,
    ):
        await cleo.come_in("Cleo")
        code = await ada.page.evaluate("boxroom.state.picture.room")
        await cleo.page.evaluate(f"location.hash = '#{code}'")
        await ada.wait_for("Cleo comes in.")
        await say(ada, "psst, Bob", "privately to Bob")
        await say(ada, "hello, all")
        await bob.wait_for("psst, Bob")
        private = bob.page.locator(".journal p.private")
        await expect(private).to_contain_text("Ada (privately to you)")
        await cleo.wait_for("hello, all")
        await expect(cleo.page.locator(".journal")).not_to_contain_text("psst")


async def test_a_reaction_is_seen_for_a_moment_and_scrolls_no_chat_away(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        lines = await bob.page.locator(".journal p").count()
        await ada.page.get_by_role("button", name="Good game!").click()
        await expect(bob.page.locator(".toasts")).to_contain_text("Ada: Good game!")
        assert await bob.page.locator(".journal p").count() == lines


async def test_a_player_who_thinks_for_long_is_nudged(browser: Browser) -> None:
    clock = ManualClock()
    options = Options(host="127.0.0.1", port=0, pace_s=0.0)
    async with serve(options, clock=clock) as server, table(browser, server) as (ada, bob):
        await expect(bob.page.get_by_role("button", name="Nudge Ada")).to_have_count(0)
        clock.advance(11)
        await say(bob, "are you there?")
        await bob.press("Nudge Ada")
        await expect(ada.page.locator(".toasts")).to_contain_text(
            "Bob nudges you: it is your turn!"
        )
        await bob.press("Nudge Ada")
        await bob.wait_for("give Ada a moment")


async def test_a_name_can_be_changed_in_the_lobby(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await ada.press("Settings")
        await ada.page.get_by_label("Another name").fill("Anna")
        await ada.page.get_by_role("dialog").get_by_role("button", name="OK").click()
        await ada.wait_for("Ada is now called Anna.")
        await expect(ada.page.locator(".who")).to_have_text("Anna")
        await create_room(ada)
        assert await ada.page.evaluate("boxroom.state.picture.seats[0].name") == "Anna"


async def test_gone_for_a_moment_ignored_and_under_another_name(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server, viewport=DESKTOP) as ada:
        await ada.come_in("Ada")
        await ada.press("New room")
        await ada.press("Create the room")
        await ada.page.locator(".room").wait_for()
        code = await ada.page.evaluate("boxroom.state.picture.room")
        async with visitor(browser, server, path=f"/#{code}") as bob:
            await bob.come_in("Bob")
            await ada.wait_for("Bob comes in.")
            await bob.press("Gone for a moment")
            await ada.wait_for("back soon")
            await bob.press("I am back")
            await ada.wait_for("Bob is back at the game.")
            await ada.page.get_by_role("button", name="Ignore").click()
            await say(bob, "can you hear me?")
            await bob.page.get_by_label("Another name").fill("Bert")
            await bob.page.locator("form.further").get_by_role("button", name="OK").click()
            await ada.wait_for("Bob is now called Bert.")
            await say(bob, "and now?")
            await bob.wait_for("and now?")
            await say(ada, "hm")
            await ada.wait_for("hm")
            journal = ada.page.locator(".journal")
            await expect(journal).not_to_contain_text("and now?")
            await expect(ada.page.locator(".seats")).to_contain_text("Bert (ignored)")
            await ada.press("Clear the chat")
            await expect(journal.locator("p")).to_have_count(0)
            await bob.page.reload()
            await bob.page.locator(".room").wait_for()
            assert await bob.page.evaluate("boxroom.state.you") == "Bert"


async def test_messages_that_come_out_of_sight_are_counted_and_shown(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        journal = bob.page.locator(".journal")
        for number in range(8):
            await say(ada, f"line {number}")
            await journal.get_by_text(f"line {number}").wait_for(state="attached")
        await journal.evaluate("it => it.scrollTo(0, 0)")
        await bob.page.wait_for_function("() => !boxroom.state.isReading")
        await say(ada, "one more")
        await bob.press("1 new message ↓")
        newest = journal.get_by_text("one more")
        await expect(newest).to_be_in_viewport()
        await expect(bob.page.locator(".unread")).to_have_count(0)
        assert not (await bob.page.title()).startswith("(")


async def test_the_newest_message_stays_in_sight_where_the_chat_gets_lower(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        for number in range(8):
            await say(ada, f"line {number}")
        newest = bob.page.locator(".journal").get_by_text("line 7")
        for height in (740, 640, 900, 640):
            await bob.page.set_viewport_size({"width": 360, "height": height})
            await expect(newest).to_be_in_viewport(ratio=1)
