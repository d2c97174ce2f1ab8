"""Pages that lose their connection: to a network, by sleep, to another tab, with the server."""

import os
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.client.cutting_proxy import cutting_proxy
from tests.faults.server_process import ServerProcess, free_port
from tests.web.browser import Visitor, serving, visitor
from tests.web.rooms import create_room, saving, table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def check_lines(guest: Visitor, *lines: str) -> None:
    """Wait until these lines are drawn, and check that the server refused nothing."""
    drawn = "lines => boxroom.state.picture.tokens.join(' ') === lines"
    await guest.page.wait_for_function(drawn, arg=" ".join(lines))
    assert await guest.page.locator(".toasts p").count() == 0


async def test_a_reload_comes_back_into_the_seat(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await bob.page.reload()
        await bob.wait_for("Your turn")
        await bob.play("h1")
        await ada.wait_for("Bob plays h1.")


SILENT = """
  const Plain = WebSocket;
  const heard = new Promise((resolve) => { window.listen = resolve; });
  window.WebSocket = class extends Plain {
    constructor(url) { super(url); }
    set onopen(greet) { super.onopen = async (event) => { await heard; greet(event); }; }
  };
"""
"""Has connections greet the server only after a call of `listen`, and not in the handshake."""


async def test_a_reload_shows_the_last_known_board_at_once_and_sends_what_is_drawn_there(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await bob.page.add_init_script(SILENT)
        await bob.page.reload()
        await bob.wait_for("You see the room as you saw it last.")
        await bob.page.locator('.drawn[data-name="h0"]').wait_for(state="attached")
        await bob.play("h1")
        await bob.page.locator('.pending[data-name="h1"]').wait_for(state="attached")
        await bob.page.evaluate("listen()")
        await ada.wait_for("Bob plays h1.")
        await check_lines(bob, "h0", "h1")
        await expect(bob.page.get_by_text("as you saw it last")).to_have_count(0)


async def test_a_line_on_the_last_known_board_is_taken_back_where_the_game_has_gone_on(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.page.add_init_script(SILENT)
        await ada.page.reload()
        await ada.play("v0")
        await ada.page.locator('.pending[data-name="v0"]').wait_for(state="attached")
        async with visitor(browser, server, storage_state=await ada.context.storage_state()) as her:
            await her.play("h0")
            await bob.play("h1")
            await her.wait_for("Bob plays h1.")
        await ada.page.evaluate("listen()")
        await ada.page.locator('.drawn[data-name="h1"]').wait_for(state="attached")
        await ada.page.locator(".toasts p").wait_for()
        assert await ada.page.locator(".pending").count() == 0
        tokens = await ada.page.evaluate("boxroom.state.picture.tokens")
        assert tokens == ["h0", "h1"]


async def test_a_second_tab_takes_over_and_the_first_can_take_back(browser: Browser) -> None:
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        table(browser, server, through=proxy.address.port) as (ada, bob),
    ):
        await ada.play("h0")
        second = await bob.context.new_page()
        await second.goto(bob.page.url)
        await expect(second.get_by_text("Your turn")).to_be_visible()
        await bob.wait_for("You are playing in another tab")
        proxy.cut()
        await Visitor(second, bob.context).play("h1")
        await ada.play("h2")
        await expect(second.get_by_text("Your turn")).to_be_visible()
        assert await bob.page.get_by_text("You are playing in another tab").is_visible()
        await bob.press("Play here")
        await bob.wait_for("Your turn")
        await expect(second.get_by_text("You are playing in another tab")).to_be_visible()
        await bob.play("h3")
        await ada.wait_for("Bob plays h3.")


async def test_a_move_that_is_tapped_without_a_connection_is_played_once(browser: Browser) -> None:
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        table(browser, server, through=proxy.address.port) as (ada, bob),
    ):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        proxy.close()
        await bob.wait_for("No connection.")
        await bob.tap("h1")
        proxy.open()
        await ada.play("h2")
        await check_lines(bob, "h0", "h1", "h2")
        bob.forgive_failures()


async def test_a_move_whose_answer_is_lost_is_played_once(browser: Browser) -> None:
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        table(browser, server, through=proxy.address.port) as (ada, bob),
    ):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        proxy.mute()
        await bob.tap("h1")
        await ada.play("h2")
        await check_lines(bob, "h0")
        proxy.cut()
        proxy.open()
        await check_lines(bob, "h0", "h1", "h2")
        await bob.play("h3")
        await check_lines(ada, "h0", "h1", "h2", "h3")
        bob.forgive_failures()


async def test_typing_goes_on_while_the_connection_is_lost_and_back(browser: Browser) -> None:
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        table(browser, server, through=proxy.address.port) as (ada, bob),
    ):
        await bob.page.locator(".composer input").focus()
        await bob.page.keyboard.type("good ")
        proxy.close()
        await bob.wait_for("No connection.")
        await bob.page.keyboard.type("luck, ")
        proxy.open()
        await expect(bob.page.get_by_text("No connection.")).to_have_count(0)
        await bob.page.keyboard.type("Ada")
        await bob.page.keyboard.press("Enter")
        await ada.wait_for("good luck, Ada")
        bob.forgive_failures()


WAKING = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))


async def test_a_page_whose_timers_stand_still_comes_back_as_it_wakes(browser: Browser) -> None:
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        visitor(browser, server, through=proxy.address.port) as ada,
    ):
        await ada.page.clock.install()
        await ada.page.reload()
        await ada.come_in("Ada")
        await create_room(ada)
        await ada.page.clock.pause_at(await ada.page.evaluate("Date.now() + 1000"))
        for target, event in WAKING:
            print(event)
            proxy.cut()
            await ada.wait_for("No connection.")
            await ada.page.evaluate(f"{target}.dispatchEvent(new Event('{event}'))")
            await ada.page.clock.run_for(1)
            await expect(ada.page.get_by_text("No connection.")).to_have_count(0)


async def test_a_network_that_is_lost_is_noticed_soon(browser: Browser) -> None:
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        table(browser, server, through=proxy.address.port) as (ada, bob),
    ):
        await ada.play("h0")
        status = bob.page.locator(".status")
        await bob.page.clock.install()
        await bob.page.reload()
        await expect(status).to_contain_text("Your turn")
        await bob.page.clock.pause_at(await bob.page.evaluate("Date.now() + 1000"))
        proxy.mute()
        await bob.page.evaluate("window.dispatchEvent(new Event('offline'))")
        await bob.page.clock.run_for(2_000)
        await bob.wait_for("No connection.")
        await expect(status).to_contain_text("No connection.")
        bob.forgive_failures()


@contextmanager
def asleep(processes: set[int]) -> Iterator[None]:
    """Let processes get no processor."""
    try:
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


async def renderers(browser: Browser) -> set[int]:
    """Return the ids of the processes that run the pages of a browser."""
    session = await browser.new_browser_cdp_session()
    found = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return {each["id"] for each in found["processInfo"] if each["type"] == "renderer"}


async def test_a_page_that_sleeps_misses_nothing(browser: Browser) -> None:
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        visitor(browser, server) as ada,
    ):
        await ada.come_in("Ada")
        code = await create_room(ada, seats=3)
        await ada.page.get_by_label("Seat a bot").first.select_option("random")
        others = await renderers(browser)
        async with visitor(browser, server, path=f"/#{code}", through=proxy.address.port) as bob:
            await bob.come_in("Bob")
            await ada.press("Start the game")
            await bob.wait_for("Ada is to move")
            with asleep(await renderers(browser) - others):
                proxy.cut()
                await ada.play("h0")
                await ada.wait_for("Bob is to move")
            await bob.wait_for("Your turn")
            await check_lines(bob, *await ada.page.evaluate("boxroom.state.picture.tokens"))
            await bob.play(await bob.page.evaluate("[...boxroom.board.board.drawing.free][0]"))
            await ada.wait_for("Your turn")
        bob.forgive_failures()


async def test_a_server_that_restarts_is_found_again(browser: Browser, tmp_path: Path) -> None:
    first = AsyncExitStack()
    server = await first.enter_async_context(saving(tmp_path))
    port = server.port
    async with table(browser, server) as (ada, bob):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await first.aclose()
        await bob.wait_for("No connection.")
        async with saving(tmp_path, port=port):
            await bob.play("h1")
            await ada.page.locator('[data-name="h1"].drawn').wait_for(state="attached")
        for guest in (ada, bob):
            guest.forgive_failures()


async def test_a_killed_server_is_back_with_every_move(browser: Browser, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"), "--pace-s", "0")
    async with (
        ServerProcess(free_port(), tmp_path / "log", *data) as server,
        table(browser, server) as (ada, bob),
    ):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await server.kill()
        for guest in (ada, bob):
            await guest.wait_for("No connection.")
        await bob.tap("h1")
        await server.start()
        await ada.play("h2")
        await check_lines(bob, "h0", "h1", "h2")
        ada.forgive_failures()
        bob.forgive_failures()


async def test_a_page_asks_for_its_room_in_the_handshake(browser: Browser) -> None:
    sent: list[str] = []
    async with serving() as server, table(browser, server) as (ada, _):
        ada.page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda text: sent.append(str(text))),
        )
        await ada.page.reload()
        await ada.page.locator("#app:not(:has(.banner)) .board").wait_for()
    assert not any("hello" in text or "join_room" in text for text in sent), sent
