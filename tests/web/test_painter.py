"""Boards of all games in a real browser, played by touch, mouse and keys."""

import re
import time

import pytest
from playwright.async_api import Browser, expect
from tests.web.painted_page import after, painted_page, recorded

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAMES = ("dots", "noughts", "stonehenge", "subtract-square")


@pytest.mark.parametrize("name", GAMES)
async def test_a_game_is_played_to_its_end_by_taps_on_the_middles(
    browser: Browser, name: str
) -> None:
    geometry, game = recorded(name)
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        for ply, move in enumerate(game["tokens"]):
            await painted.show(after(game, ply))
            selector = f'[aria-label="{move}, free"]'
            if geometry.get("heap"):
                selector = f'.counter:has(> text:text-is("{move}"))'
            await painted.tap(selector)
            assert (await painted.moves())[ply:] == [move]
        await painted.show(after(game, len(game["tokens"])))
        assert await painted.page.locator(".playable").count() == 0
        assert await painted.page.locator(".recent, .taken").count() > 0


async def test_men_are_moved_by_taps_on_their_start_and_their_end(browser: Browser) -> None:
    geometry, game = recorded("draughts")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        for ply, move in enumerate(game["tokens"]):
            await painted.show(after(game, ply))
            start, *_, end = re.split("[-x]", move)
            names = [f'[aria-label^="{start}, "]', f'[aria-label="{end}, free"]']
            await painted.tap(names[0])
            assert await painted.page.locator(".chosen").count() == 1
            ends = await painted.page.locator('.free[aria-disabled="false"]').count()
            assert ends == sum(
                legal.startswith((f"{start}-", f"{start}x")) for legal in game["legal"][ply]
            )
            await painted.tap(names[1])
            assert (await painted.moves())[ply:] == [move]
        await painted.show(after(game, len(game["tokens"])))
        assert await painted.page.locator(".playable").count() == 0
        assert await painted.page.locator(".glyph", has_text="[").count() > 0


async def test_a_man_stays_chosen_while_people_chat_and_can_be_let_go(browser: Browser) -> None:
    geometry, game = recorded("draughts")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        keyboard, chosen = painted.page.keyboard, painted.page.locator(".chosen")
        await keyboard.press("Tab")
        await keyboard.press("ArrowLeft")
        await keyboard.press("Enter")
        assert await chosen.get_attribute("aria-pressed") == "true"
        await painted.show(after(game, 0) | {"chat": [{}]})
        assert await chosen.count() == 1
        await keyboard.press("Enter")
        assert await chosen.count() == 0
        await keyboard.press("Enter")
        await painted.show(after(game, 2))  # the game went on
        assert await chosen.count() == 0
        assert await painted.moves() == []


async def test_a_finger_slides_to_another_shape_and_plays_when_it_lifts(browser: Browser) -> None:
    geometry, game = recorded("dots")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        first = await painted.middle_of('[aria-label="h0, free"]')
        other = await painted.middle_of('[aria-label="h1, free"]')
        await painted.touch("touchStart", first)
        await expect(painted.previews).to_have_count(1)
        assert await painted.moves() == []
        await painted.touch("touchMove", other)
        await painted.touch("touchEnd")
        assert await painted.moves() == ["h1"]


async def test_the_shape_that_was_shown_is_played_though_the_board_moves(browser: Browser) -> None:
    geometry, game = recorded("noughts")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        await painted.touch("touchStart", await painted.middle_of('[aria-label="0, free"]'))
        await painted.page.evaluate("document.querySelector('main').style.marginTop = '-60px'")
        await painted.touch("touchEnd")
        assert await painted.moves() == ["0"]


async def test_a_double_tap_plays_one_move(browser: Browser) -> None:
    geometry, game = recorded("noughts")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        x, y = await painted.middle_of('[aria-label="0, free"]')
        now_s = time.time()
        for at_s, played in ((now_s, ["0"]), (now_s + 0.2, ["0"]), (now_s + 1, ["0", "1"])):
            await painted.touch("touchStart", (x + 8, y), at_s=at_s)
            await painted.touch("touchEnd", at_s=at_s + 0.05)
            assert await painted.moves() == played
            await painted.show({**after(game, 2), "tokens": ["0", "5"]})  # it is my turn again


async def test_no_move_is_played_that_was_cancelled_or_slid_off_the_board(browser: Browser) -> None:
    geometry, game = recorded("noughts")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        cell = await painted.middle_of('[aria-label="0, free"]')
        await painted.touch("touchStart", cell)
        await expect(painted.previews).to_have_count(1)
        await painted.touch("touchCancel")
        await expect(painted.previews).to_have_count(0)
        await painted.touch("touchStart", cell)
        await painted.touch("touchMove", (cell[0], 700))
        await expect(painted.previews).to_have_count(0)
        await painted.touch("touchEnd")
        await painted.touch("touchStart", cell)
        await painted.touch("touchStart", cell, (cell[0] + 90, cell[1]))  # two fingers zoom
        await expect(painted.previews).to_have_count(0)
        await painted.touch("touchEnd")
        assert await painted.moves() == []


async def test_one_move_is_played_until_the_next_picture(browser: Browser) -> None:
    geometry, game = recorded("noughts")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        for move in ("0", "1"):
            await painted.page.touchscreen.tap(
                *await painted.middle_of(f'[aria-label="{move}, free"]')
            )
        assert await painted.moves() == ["0"]
        assert await painted.pending() == 1
        await painted.show(after(game, 0))  # the server refused it
        assert await painted.pending() == 0
        await painted.page.touchscreen.tap(*await painted.middle_of('[aria-label="1, free"]'))
        assert await painted.moves() == ["0", "1"]


async def test_nothing_is_played_out_of_turn(browser: Browser) -> None:
    geometry, game = recorded("stonehenge")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0), can_move=False)
        assert await painted.page.locator(".playable").count() == 0
        await painted.page.touchscreen.tap(*await painted.middle_of('[aria-label="A, free"]'))
        await painted.page.keyboard.press("Tab")
        await painted.page.keyboard.press("Enter")
        assert await painted.moves() == []


async def test_keys_alone_are_enough(browser: Browser) -> None:
    geometry, game = recorded("noughts")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 1))
        keyboard, focused = painted.page.keyboard, painted.page.locator(":focus")
        await keyboard.press("Tab")
        assert await focused.get_attribute("aria-label") == "0, free"
        for key, label in [
            ("ArrowRight", "1, free"),
            ("ArrowDown", "4, 1 (Ada)"),
            ("ArrowDown", "7, free"),
            ("ArrowDown", "7, free"),
            ("End", "17, free"),
            ("Home", "0, free"),
        ]:
            await keyboard.press(key)
            assert await focused.get_attribute("aria-label") == label
        assert await painted.page.locator('svg [tabindex="0"]').count() == 1
        await keyboard.press("ArrowRight")
        await keyboard.press("Shift+Tab")
        await keyboard.press("Tab")
        assert await focused.get_attribute("aria-label") == "1, free"
        await keyboard.press("ArrowDown")
        await keyboard.press("Enter")  # on a cell that is marked
        assert await painted.moves() == []
        await keyboard.press("ArrowUp")
        await keyboard.press("Space")
        assert await painted.moves() == ["1"]


async def test_a_heap_has_buttons_that_show_what_they_take(browser: Browser) -> None:
    geometry, game = recorded("subtract-square")
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        page = painted.page
        assert await page.locator(".painter-left").text_content() == "11 left"
        await page.keyboard.press("Tab")
        await page.keyboard.press("Tab")
        assert await page.locator(":focus").get_attribute("aria-label") == "take 4"
        await expect(painted.previews).to_have_count(4)
        await page.keyboard.press("Enter")
        assert await painted.moves() == ["4"]
        picture = after(game, 0) | {"tokens": ["4"], "movers": [0], "to_move": 1}
        await painted.show(picture)
        assert await page.locator(".painter-left").text_content() == "7 left"
        assert await page.locator(".counter.taken.seat-0").count() == 4
        nine = page.get_by_role("button", name="take 9")
        assert await nine.get_attribute("aria-disabled") == "true"
        await nine.click(force=True)
        assert await painted.moves() == ["4"]


SIZES = ((360, 740), (1280, 800), (740, 360))


@pytest.mark.parametrize("name", GAMES)
async def test_a_board_fits_the_window(browser: Browser, name: str) -> None:
    geometry, game = recorded(name)
    async with painted_page(browser) as painted:
        await painted.make(geometry)
        await painted.show(after(game, 0))
        for width, height in SIZES:
            await painted.page.set_viewport_size({"width": width, "height": height})
            box = await painted.page.locator(".board").bounding_box()
            assert box is not None
            assert box["width"] <= width
            assert box["height"] <= height
            assert await painted.page.evaluate("document.documentElement.scrollWidth") <= width


async def test_small_shapes_are_magnified_for_a_finger(browser: Browser) -> None:
    geometry, game = recorded("stonehenge")
    async with painted_page(browser) as painted:
        await painted.page.set_viewport_size({"width": 160, "height": 740})
        await painted.make(geometry)
        await painted.show(after(game, 0))
        place = '[aria-label="A, free"]'
        await painted.page.touchscreen.tap(*await painted.middle_of(place))
        await painted.page.locator(".magnifier", has_text="Choose the move").wait_for()
        assert await painted.moves() == []
        await painted.page.get_by_role("button", name="Cancel").tap()
        await painted.tap(place)
        assert await painted.moves() == ["A"]
        await painted.page.locator(".magnifier").wait_for(state="hidden")


WIDE = {
    "width": 1_400,
    "height": 100,
    "shapes": [
        {"kind": "circle", "points": [100 * cell + 50, 50], "radius": 40, "move": f"{cell}"}
        for cell in range(14)
    ],
}
"""A row of more cells than are always shown whole."""


async def test_a_large_board_is_zoomed_and_dragged(browser: Browser) -> None:
    _, game = recorded("noughts")
    async with painted_page(browser) as painted:
        await painted.make(WIDE)
        await painted.show(after(game, 0))
        board = painted.page.locator(".board")
        whole = await board.get_attribute("viewBox")
        await painted.page.get_by_role("button", name="Larger").click()
        zoomed = await board.get_attribute("viewBox")
        assert zoomed != whole
        x, y = await painted.middle_of(".board")
        await painted.touch("touchStart", (x, y))
        await painted.touch("touchMove", (x + 60, y))
        await painted.touch("touchEnd")
        assert await board.get_attribute("viewBox") not in (whole, zoomed)
        assert await painted.moves() == []
        await painted.page.get_by_role("button", name="Whole board").click()
        assert await board.get_attribute("viewBox") == whole
