"""Presses and their clicks: a tap does something only to the control on which the finger landed."""

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import DESKTOP, LIMIT_MS, serving, visitor
from tests.web.far_server import far_server
from tests.web.fingers import alone, board_place, double_tap, tokens
from tests.web.rooms import create_room

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)


async def test_the_tap_that_asks_a_question_doesnt_answer_it(browser: Browser) -> None:
    async with alone(browser, 1, 1) as ada:
        await ada.page.evaluate(
            "boxroom.dispatch({ type: 'change_settings', changes: { confirms: true } })"
        )
        for across, down in ((0.5, 0.12), (0.5, 0.88), (0.12, 0.5), (0.88, 0.5)):
            await ada.touch(await board_place(ada, across, down))
            await expect(ada.page.locator("dialog")).to_be_visible()
            await ada.page.locator("dialog").get_by_role("button", name="No").tap()
            await expect(ada.page.locator("dialog")).to_be_hidden()
        assert await tokens(ada) == []


@pytest.mark.parametrize("round_trip_s", [0.0, 0.3])
async def test_a_double_click_starts_one_game_and_complains_of_nothing(
    browser: Browser, round_trip_s: float
) -> None:
    async with (
        serving() as server,
        far_server(server.port, round_trip_s) as far,
        visitor(browser, server, through=far.port, viewport=DESKTOP, has_touch=False) as ada,
    ):
        await ada.come_in("Ada")
        await create_room(ada, rows=2, cols=2, seats=1)
        await ada.page.get_by_role("button", name="Start the game", exact=True).dblclick()
        await ada.page.locator(".board.can-move").wait_for()
        await ada.page.wait_for_function("() => boxroom.state.asked.length === 0")
        assert await ada.page.locator(".toasts p").count() == 0
        assert await tokens(ada) == []


async def test_the_second_press_of_a_button_meets_nothing_that_has_come_there(
    browser: Browser,
) -> None:
    pressed = """() => {
      const [button, board] = ['button', 'div'].map((name) => document.createElement(name));
      document.body.append(button, board);
      const heard = [];
      board.addEventListener('pointerdown', (event) => heard.push(event.clientX));
      const press = (target, clientX) =>
        target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, clientX }));
      press(button, 100);
      press(board, 101);
      press(button, 100);
      press(board, 150);
      press(board, 151);
      return heard;
    }"""
    async with alone(browser, 2, 2) as ada:
        assert await ada.page.evaluate(pressed) == [150, 151]


async def test_a_question_stays_open_at_a_double_tap(browser: Browser) -> None:
    """Its second tap meets the question, or the page behind that."""
    async with alone(browser, 3, 3) as ada:
        await ada.page.locator(".rarely summary").click()
        box = await ada.page.get_by_role("button", name="Give up").bounding_box()
        assert box is not None
        await double_tap(ada, (box["x"] + 20, box["y"] + 20), "dialog[open]")


async def test_a_dialog_stays_open_when_a_press_in_it_ends_outside(browser: Browser) -> None:
    async with alone(browser, 1, 1, viewport=DESKTOP, has_touch=False) as ada:
        await ada.press("Invite")
        dialog, mouse = ada.page.locator("dialog"), ada.page.mouse
        await dialog.locator("p").hover()
        await mouse.down()
        await mouse.move(20, 400)
        await mouse.up()
        await expect(dialog).to_be_visible()
        await mouse.click(20, 400)
        await expect(dialog).to_be_hidden()


async def test_a_button_doesnt_become_that_of_somebody_else_while_it_is_pressed(
    browser: Browser,
) -> None:
    """Bob leaves while Ada presses the button that makes him the host; Cem stays."""
    async with (
        serving() as server,
        visitor(browser, server, viewport=DESKTOP, has_touch=False) as ada,
    ):
        await ada.come_in("Ada")
        path = f"/#{await create_room(ada, seats=1)}"
        async with (
            visitor(browser, server, path=path) as bob,
            visitor(browser, server, path=path) as cem,
        ):
            for guest, name in ((bob, "Bob"), (cem, "Cem")):
                await guest.come_in(name)
                await ada.wait_for(f"{name} comes in.")
            await ada.press("Players")
            hand_over = ada.page.locator("dialog").get_by_role("button", name="Make host")
            await hand_over.first.hover()
            await ada.page.mouse.down()
            await bob.page.evaluate("boxroom.link.leave()")
            await expect(hand_over).to_have_count(1)
            await hand_over.hover()
            await ada.page.mouse.up()
            await ada.page.evaluate("boxroom.link.request({ type: 'list_rooms' })")
            assert await ada.page.evaluate("boxroom.state.picture.host") == "Ada"


RINGS = """() => [...document.querySelectorAll('*')].filter((each) =>
  each.matches(':focus') && getComputedStyle(each).outlineStyle !== 'none').map((it) => it.tagName)
"""
"""The elements with an outline around them because they have the focus."""


async def test_a_tap_leaves_no_ring_and_the_keyboard_shows_its_focus(browser: Browser) -> None:
    async with alone(browser, 3, 3) as ada:
        for place in (await board_place(ada, 0.5, 0.99), await ada.place_of("h4")):
            await ada.touch(place)
            assert await ada.page.evaluate(RINGS) == []
        await ada.page.locator(".rarely summary").tap()
        for name in ("Players", "Settings", "Give up"):
            await ada.page.get_by_role("button", name=name).tap()
            await expect(ada.page.locator("dialog")).to_be_visible()
            assert await ada.page.evaluate(RINGS) == []
            await ada.page.locator("dialog button").first.tap()
            assert await ada.page.evaluate(RINGS) == []
        await ada.page.keyboard.press("Tab")
        assert await ada.page.locator(":focus-visible").count() == 1
