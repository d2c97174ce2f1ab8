"""The board of Dots and Boxes in a real browser: what it draws, and how little it draws anew."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import Visitor, serving, visitor
from tests.web.rooms import create_room, table

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOW = """fields => boxroom.board.board.show({
  picture: { ...boxroom.state.picture, ...fields },
  canMove: false,
  marked: new Set(fields.marked),
  markOf: (seat) => ({ glyph: `${seat}`, className: `seat-${seat}` }),
})"""

CHANGED_BY = f"""async fields => {{
  const changed = new Set();
  const seen = new MutationObserver((all) => all.forEach(({{ target }}) => changed.add(target)));
  seen.observe(document.querySelector('.board-frame'), {{
    attributes: true, childList: true, subtree: true, characterData: true,
  }});
  ({SHOW})(fields);
  await null;
  seen.disconnect();
  return changed.size;
}}"""
"""Shows moves; returns the number of elements that this has changed."""


def moves(*tokens: str, taken: Any = (), marked: Any = ()) -> dict[str, Any]:
    """Return the fields of a picture in which two players have drawn these lines in turn."""
    movers = [index % 2 for index in range(len(tokens))]
    return {"tokens": tokens, "movers": movers, "taken": taken, "marked": marked}


@asynccontextmanager
async def still_board(browser: Browser, rows: int, cols: int) -> AsyncIterator[Visitor]:
    """Ada's page in a game, where nothing but the test draws the board any more."""
    async with serving() as server, table(browser, server, rows, cols) as (ada, _):
        await ada.page.locator(".board.can-move").wait_for()
        await ada.page.evaluate("() => { boxroom.show = () => {}; }")
        yield ada


async def shown(guest: Visitor, selector: str) -> list[str]:
    """Return the names of the lines that a selector finds, sorted."""
    names = await guest.page.locator(f".line{selector}").evaluate_all(
        "all => all.map((each) => each.dataset.name).sort()"
    )
    return list(names)


async def test_the_board_shows_other_moves_where_the_game_took_another_course(
    browser: Browser,
) -> None:
    async with still_board(browser, 1, 1) as ada:
        await ada.page.evaluate(SHOW, moves("h0", "h1", "v0", "v1", taken=[[3, 0]], marked=[3]))
        assert await shown(ada, ".drawn") == ["h0", "h1", "v0", "v1"]
        assert await shown(ada, ".recent") == ["v1"]
        assert await ada.page.locator(".box.recent.seat-1").count() == 1
        await ada.page.evaluate(SHOW, moves("h0", "v1", "v0", "h1", taken=[[3, 0]], marked=[2]))
        assert await shown(ada, ".seat-1") == ["h1", "v1"]
        assert await shown(ada, ".recent") == ["v0"]
        assert await ada.page.locator(".box").count() == 1
        await ada.page.evaluate(SHOW, moves("h0", "v1"))
        assert await shown(ada, ".drawn") == ["h0", "v1"]
        assert await shown(ada, ".recent") == []
        assert await ada.page.locator(".box").count() == 0
        label = await ada.page.locator('[data-name="h1"]').get_attribute("aria-label")
        assert label == "h1, free: third line of box 1,1"


async def test_a_move_changes_only_what_is_near_it(browser: Browser) -> None:
    async with still_board(browser, 30, 30) as ada:
        await ada.page.evaluate(SHOW, moves("h0", "h7", "h14", marked=[2]))
        changed = await ada.page.evaluate(
            CHANGED_BY, moves("h0", "h7", "h14", "h400", marked=[2, 3])
        )
        assert changed <= 8  # the line, and six lines around its boxes, which have other labels
        again = moves("h0", "h7", "h14", marked=[2])
        assert await ada.page.evaluate(CHANGED_BY, again) <= 8
        assert await ada.page.evaluate(CHANGED_BY, again) == 0


SEEN_LINES = """() => [...document.querySelectorAll('.board line')].filter((line) => {
  const { fill, stroke } = getComputedStyle(line);
  return [fill, stroke].some((colour) => !['none', 'rgba(0, 0, 0, 0)'].includes(colour));
}).length"""
"""Returns the number of lines that can be seen."""


async def test_a_free_line_has_no_look_of_its_own(browser: Browser) -> None:
    async with still_board(browser, 30, 30) as ada:
        await ada.page.evaluate(SHOW, moves())
        assert await ada.page.evaluate(SEEN_LINES) == 31 + 31  # across the whole board
        await ada.page.evaluate(SHOW, moves("h0", "v1", marked=[1]))
        assert await ada.page.evaluate(SEEN_LINES) == 62 + 2 + 1  # and the halo


async def test_the_magnifier_closes_when_the_turn_is_over(browser: Browser) -> None:
    async with serving() as server, table(browser, server, 10, 10) as (ada, bob):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await bob.touch(await bob.place_of("h52"))
        await bob.page.locator(".magnifier").wait_for()
        await bob.page.evaluate(SHOW, moves("h0"))
        await bob.page.locator(".magnifier").wait_for(state="hidden")


SILENT = "() => { boxroom.link.command = () => new Promise(() => {}); }"
"""Has commands stay without an answer."""


@pytest.mark.parametrize(
    ("game", "place"), [("dots", "[data-name=h4]"), ("noughts", "[data-index='0']")]
)
async def test_a_tap_shows_its_move_at_once_and_takes_no_focus(
    browser: Browser, game: str, place: str
) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        page = ada.page
        await ada.come_in("Ada")
        await create_room(ada, game=game, opponent="random")
        await page.locator(".board.can-move").wait_for()
        await page.evaluate(SILENT)
        await page.get_by_placeholder("A message or a move").focus()
        box = await page.locator(place).bounding_box()
        assert box is not None
        await page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.locator(".board:not(.can-move)").wait_for()
        await page.locator(f"{place}.pending").wait_for(state="attached")
        assert await page.evaluate("document.activeElement === document.body")
        assert await page.locator(".board [tabindex='0']").count() == 1


WIDTHS = """selector => {
  const element = document.querySelector(selector);
  const scale = document.querySelector('.board').getScreenCTM().a;
  return parseFloat(getComputedStyle(element).strokeWidth) * scale;
}"""
"""Returns the width of a stroke in CSS pixels."""


@pytest.mark.parametrize(("rows", "cols", "least_px"), [(1, 1, 6.5), (3, 3, 6.5), (30, 30, 1)])
async def test_strokes_are_as_wide_as_a_pen_on_every_board(
    browser: Browser, rows: int, cols: int, least_px: float
) -> None:
    async with still_board(browser, rows, cols) as ada:
        await ada.page.evaluate(SHOW, moves("h0", "v1", marked=[1]))
        line, halo = [await ada.page.evaluate(WIDTHS, each) for each in (".drawn", ".halo")]
        dots = await ada.page.evaluate(WIDTHS, ".dots")
        assert least_px <= line <= 7.5
        assert line < dots <= 11.5
        assert 2 * line < halo <= 20.5


async def test_strokes_keep_their_width_where_the_board_is_zoomed(browser: Browser) -> None:
    async with still_board(browser, 12, 12) as ada:
        await ada.page.evaluate(SHOW, moves("h0"))
        for _ in range(3):
            await ada.press("Larger")
        assert await ada.page.evaluate(WIDTHS, ".drawn") == pytest.approx(7, abs=0.5)


async def test_the_last_move_a_choice_the_one_on_its_way_and_the_focus_look_different(
    browser: Browser,
) -> None:
    look = """selector => {
      const { stroke, strokeWidth, strokeOpacity, strokeDasharray } =
        getComputedStyle(document.querySelector(selector));
      return JSON.stringify([stroke, strokeWidth, strokeOpacity, strokeDasharray]);
    }"""
    async with serving() as server, table(browser, server) as (ada, _):
        await ada.page.evaluate(SILENT)
        await ada.page.mouse.move(*await ada.place_of("h1"))
        seen = [await ada.page.evaluate(look, ".preview.seat-0")]
        await ada.page.mouse.click(*await ada.place_of("h1"))
        seen.append(await ada.page.evaluate(look, ".pending.seat-0"))
        await ada.page.keyboard.press("Tab")
        await ada.page.locator(".line[tabindex='0']").focus()
        seen.append(await ada.page.evaluate(look, ".line:focus-visible"))
        await ada.page.evaluate("() => { boxroom.show = () => {}; }")
        await ada.page.evaluate(SHOW, moves("h3", "h4", marked=[1]))
        seen.append(await ada.page.evaluate(look, ".recent"))
        assert len(set(seen)) == 4
        assert await ada.page.locator(".halo.seat-1").count() == 1


async def test_the_page_has_the_looks_that_the_device_wants_or_the_person(
    browser: Browser,
) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        html = ada.page.locator("html")
        await ada.come_in("Ada")
        await ada.page.emulate_media(color_scheme="dark")
        await expect(html).to_have_attribute("data-theme", "dark")
        await ada.page.emulate_media(contrast="more")
        await expect(html).to_have_attribute("data-theme", "contrast")
        await ada.page.emulate_media(contrast="no-preference", forced_colors="active")
        await expect(html).to_have_attribute("data-theme", "contrast")
        await ada.press("Settings")
        await ada.page.locator("select[name=theme]").select_option("paper")
        await expect(html).to_have_attribute("data-theme", "paper")
        await ada.page.reload()
        await expect(html).to_have_attribute("data-theme", "paper")


MOVED_BY = f"""fields => {{
  ({SHOW})(fields);
  return document.getAnimations().filter(({{ animationName }}) => animationName).length;
}}"""
"""Shows moves; returns the number of animations that this has begun."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_lines_and_boxes_appear_one_after_the_other_unless_motion_is_unwanted(
    browser: Browser, motion: Literal["no-preference", "reduce"]
) -> None:
    async with still_board(browser, 2, 2) as ada:
        await ada.page.emulate_media(reduced_motion=motion)
        await ada.page.evaluate(SHOW, moves("h0", "h2", "v0"))
        moved = await ada.page.evaluate(MOVED_BY, moves("h0", "h2", "v0", "v1", taken=[[3, 0]]))
        order = "each => each.style.getPropertyValue('--nth')"
        assert await ada.page.locator(".line.new[data-name=v1]").evaluate(order) == "0"
        assert await ada.page.locator(".box.new").evaluate(order) == "1"
        assert (moved > 0) is (motion == "no-preference")


async def test_what_stands_on_the_board_of_a_room_that_is_entered_appears_at_once(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.play("h0")
        await bob.page.locator(".line.new").wait_for(state="attached")
        await bob.page.reload()
        await bob.page.locator(".line.drawn").wait_for(state="attached")
        assert await bob.page.locator(".new").count() == 0


async def test_sounds_are_off_until_they_are_asked_for_once(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.press("Settings")
        sounds = ada.page.locator("input[name=sounds]")
        await expect(sounds).not_to_be_checked()
        await sounds.check()
        await ada.press("Close")
        await ada.play("h0")
        await bob.play("h1")
        await ada.page.locator(".board.can-move").wait_for()
        await ada.page.reload()
        await ada.press("Settings")
        await expect(sounds).to_be_checked()
