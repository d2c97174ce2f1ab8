"""The page on a phone: nothing is cut off, covered, or out of sight."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import LIMIT_MS, PHONE, Visitor, serving, visitor
from tests.web.rooms import create_room

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)

IS_SEEN = """each => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  return [left + 1, right - 1].every((x) => each.contains(document.elementFromPoint(x, middle)));
}"""
"""A function that checks that both ends of an element are in sight, and under nothing else."""

OVERLAPS = """selector => {
  const all = [...document.querySelectorAll(selector)].map((it) => it.getBoundingClientRect());
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  return all.flatMap((a, i) => all.slice(i + 1).filter((b) => meet(a, b))).length;
}"""
"""The number of pairs of elements that lie over each other."""

TO_MOVE = """seat => {
  const { state } = boxroom;
  boxroom.state = { ...state, picture: { ...state.picture, to_move: seat } };
  boxroom.show();
}"""
"""Shows the page as it is when another seat is to move."""


async def with_bots(guest: Visitor, name: str, seats: int, **fields: Any) -> None:
    """Have a guest begin a game against bots."""
    await guest.come_in(name)
    await create_room(guest, seats=seats, opponent="random", **fields)
    await guest.page.locator(".board").wait_for()


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
async def test_the_header_of_a_host_takes_one_row(browser: Browser, locale: str) -> None:
    async with serving() as server, visitor(browser, server, locale=locale) as ada:
        await ada.page.locator("form button.primary").click()
        await ada.page.wait_for_function("() => boxroom.state.isOnline")
        await ada.page.evaluate("boxroom.link.enter({ type: 'create_room', settings: {} })")
        await ada.page.locator(".seats select").select_option("random")
        await ada.page.locator(".room header button").nth(4).wait_for()
        box = await ada.page.locator(".room header").bounding_box()
        assert box is not None
        assert box["height"] < 60
        name = ada.page.locator(".room header h1")
        await name.evaluate("it => it.firstChild.data = 'momo-mumo'")  # no code is wider
        assert await name.evaluate("it => it.scrollWidth <= it.clientWidth")


@pytest.mark.parametrize("locale", ["en-GB", "de-AT"])
async def test_all_of_a_room_is_seen_while_it_waits_plays_and_is_offline(
    browser: Browser, locale: str
) -> None:
    async with serving() as server, visitor(browser, server, locale=locale) as ada:
        await ada.page.locator("form button.primary").click()
        await ada.page.locator(".way button.primary:enabled").nth(1).click()
        await ada.page.locator(".qr-code path").wait_for()
        assert await ada.page.locator("button.primary").count() == 1
        await check_all_in_sight(ada)
        await ada.page.locator(".seats select").select_option("random")
        await ada.page.locator(".board.can-move").wait_for()
        for line in ("h0", "h3"):
            await ada.play(line)
            await ada.page.locator(".board.can-move").wait_for()
        await check_all_in_sight(ada)
        await ada.context.set_offline(True)
        await ada.page.wait_for_function("() => !boxroom.state.isOnline")
        await check_all_in_sight(ada)
        ada.forgive_failures()


async def check_all_in_sight(guest: Visitor) -> None:
    """Check that all of a room is in sight, and that fingers hit what stands in its header."""
    heights = "it => [it.scrollHeight, it.clientHeight]"
    needed, given = await guest.page.locator(".room").evaluate(heights)
    assert needed <= given
    for button in await guest.page.locator(".room header button").all():
        box = await button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


async def test_the_scores_of_three_players_are_seen_at_once(browser: Browser) -> None:
    async with serving(bot_s=20.0) as server, visitor(browser, server) as ada:
        await with_bots(ada, "Ada of a very long name", 3, rows=2, cols=2)
        for score in await ada.page.locator(".scores .score").all():
            assert await score.evaluate(IS_SEEN)
        assert await ada.page.locator(".scores").evaluate("it => it.scrollWidth <= it.clientWidth")


async def test_the_player_to_move_is_seen_among_eight_and_each_has_a_colour(
    browser: Browser,
) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await with_bots(ada, "Ada", 8, rows=3, cols=3)
        await ada.page.locator(".board.can-move").wait_for()
        marks = ada.page.locator(".scores .mark")
        colours = await marks.evaluate_all("all => all.map((it) => getComputedStyle(it).color)")
        assert len(set(colours)) == 8
        for seat in (7, 0, 4):
            await ada.page.evaluate(TO_MOVE, seat)
            mover = ada.page.locator(".scores li").nth(seat)
            await expect(mover).to_have_attribute("aria-current", "true")
            assert await mover.evaluate(IS_SEEN)


async def test_nothing_overlaps_with_text_of_twice_the_size(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await with_bots(ada, "Ada", 3)
        await ada.page.evaluate("document.documentElement.style.fontSize = '200%'")
        for part in ("header > *", ".composer > *", ".actions > *", ".scores li > *"):
            assert await ada.page.evaluate(OVERLAPS, part) == 0, part
        for button in await ada.page.locator("header button").all():
            assert await button.evaluate(IS_SEEN)


async def test_a_copied_link_says_so_over_the_dialog(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await with_bots(ada, "Ada", 2)
        await ada.press("Invite")
        await ada.page.get_by_role("dialog").get_by_role("button", name="Copy").click()
        message = ada.page.locator(".toasts p", has_text="Copied")
        await message.wait_for()
        assert await message.evaluate("it => it.matches('dialog[open] *')")


async def test_a_spectator_has_space_to_type(browser: Browser) -> None:
    for locale in ("en-GB", "de-AT"):
        async with (
            serving() as server,
            visitor(browser, server) as ada,
            visitor(browser, server, locale=locale) as cleo,
        ):
            await with_bots(ada, "Ada", 2)
            await cleo.page.locator("form button.primary").click()
            await cleo.page.locator(".games-shown button").click()
            box = await cleo.page.locator(".composer input").bounding_box()
            assert box is not None
            assert box["width"] >= 0.4 * PHONE["width"]
