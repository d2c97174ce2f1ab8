"""Taps of a finger on the board: every line can be drawn, and one tap draws one at most."""

import asyncio
from random import Random

import pytest
from playwright.async_api import Browser, expect
from tests.web.browser import DESKTOP, LIMIT_MS, Visitor
from tests.web.fingers import Place, alone, board_place, double_tap, finger, tokens

from boxroom_engine.games.dots.rules.grid import Border, grid_of, select

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)

EASY_PX = 44
"""Least distance of the middles of two lines in the magnifier."""
LEAST_PX = 24
"""Least distance of the middles of two lines where a finger chooses one: WCAG 2.5.8."""

AFTER_A_TAP = """async () => {
  const isMagnified = !document.querySelector('.magnifier').hidden;
  while (boxroom.state.playing !== null) await new Promise((go) => setTimeout(go));
  return [isMagnified, boxroom.state.picture.tokens];
}"""
"""If the magnifier is open, and the lines that are drawn once no move is on its way."""

AIM = """name => {
  const lens = document.querySelector('.lens');
  const isMagnified = !document.querySelector('.magnifier').hidden;
  const picture = isMagnified ? lens : document.querySelector('.board');
  const matrix = picture.getScreenCTM();
  const line = document.querySelector(`[data-name="${name}"]`);
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((end) => line[end].baseVal.value);
  const at = (x, y) => new DOMPoint(x, y).matrixTransform(matrix);
  const seen = picture.getBoundingClientRect();
  const isSeen = ({ x, y }) =>
    x >= seen.left && x <= seen.right && y >= seen.top && y <= seen.bottom;
  const middle = at((x1 + x2) / 2, (y1 + y2) / 2);
  return {
    isMagnified,
    place: [middle.x, middle.y],
    isWhole: [at(x1, y1), at(x2, y2)].every(isSeen),
    apartPx: matrix.a * 100 * Math.SQRT1_2,
  };
}"""
"""The place of a line on the board, or in the magnifier where that is open, and its distance from
the next ones."""


async def aim(ada: Visitor, line: str) -> tuple[Place, float, bool]:
    """Return the place to tap for a line, the distance of the next ones, and if it is magnified."""
    found = await ada.page.evaluate(AIM, line)
    assert found["isWhole"]
    x, y = found["place"]
    return (x, y), found["apartPx"], found["isMagnified"]


async def draw(ada: Visitor, line: str) -> list[str]:
    """Draw a line by one tap, or by two where a magnifier opens; return all that are drawn."""
    async with finger(ada) as send:
        for least_px in (LEAST_PX, EASY_PX):
            place, apart_px, _ = await aim(ada, line)
            await asyncio.gather(send("touchStart", place), send("touchEnd"))
            is_magnified, drawn = await ada.page.evaluate(AFTER_A_TAP)
            if not is_magnified:
                assert apart_px >= least_px
                break
        return list(drawn)


Board = tuple[int, int, list[str]]
"""Rows, columns, and the lines that are drawn on it."""


async def check_taps(browser: Browser, *boards: Board) -> None:
    """Check that taps draw each line of each board, and no other one.

    All boards are played at the same time, as most of a tap is a wait for the next frame.
    """

    async def check(rows: int, cols: int, lines: list[str]) -> None:
        async with alone(browser, rows, cols) as ada:
            for count, line in enumerate(lines, 1):
                assert await draw(ada, line) == lines[:count], f"{line} on {rows}×{cols}"

    async with asyncio.TaskGroup() as group:
        for board in boards:
            group.create_task(check(*board))


def names_of(rows: int, cols: int) -> list[str]:
    """Return the names of all lines of a board."""
    return list(grid_of(rows, cols, Border.NONE).names)


async def test_every_line_is_drawn_by_taps(browser: Browser) -> None:
    sizes = [(3, 3), (1, 10), (10, 1), (2, 10), (1, 20)]
    await check_taps(browser, *((*size, names_of(*size)) for size in sizes))


@pytest.mark.parametrize(("rows", "cols"), [(5, 11), (8, 8), (10, 10)])
async def test_every_line_of_a_larger_board_is_drawn_by_taps(
    browser: Browser, rows: int, cols: int
) -> None:
    names = names_of(rows, cols)
    await check_taps(browser, *((rows, cols, names[start::4]) for start in range(4)))


async def test_some_lines_of_other_boards_are_drawn_by_taps(browser: Browser) -> None:
    sizes = [(6, 9), (7, 7), (12, 12), (3, 30), (30, 3), (20, 20), (30, 30)]
    boards = [(*size, Random(size[0]).sample(names_of(*size), 43)) for size in sizes]
    await check_taps(browser, *boards)


@pytest.mark.long
async def test_the_lines_around_the_largest_board_are_drawn_by_taps(browser: Browser) -> None:
    grid = grid_of(30, 30, Border.FULL)
    await check_taps(browser, (30, 30, list(select(grid.names, grid.start))))


@pytest.mark.parametrize(
    ("rows", "cols", "viewport", "text"),
    [
        (5, 11, (390, 844), 100),
        (8, 8, (320, 568), 100),
        (1, 20, (320, 568), 200),
        (20, 1, (640, 360), 100),
        (20, 20, (640, 360), 200),
        (5, 5, (640, 360), 200),
    ],
)
async def test_the_lines_at_the_corners_are_drawn_at_all_sizes(
    browser: Browser, rows: int, cols: int, viewport: tuple[int, int], text: int
) -> None:
    width, height = viewport
    edges = grid_of(rows, cols, Border.NONE).names
    first_vertical = (rows + 1) * cols
    corners = [edges[number] for number in (0, first_vertical - 1, first_vertical, -1)]
    async with alone(browser, rows, cols, viewport={"width": width, "height": height}) as ada:
        await ada.page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
        for count, line in enumerate(corners, 1):
            await ada.page.locator(f'[data-name="{line}"]').scroll_into_view_if_needed()
            assert await draw(ada, line) == corners[:count]


@pytest.mark.parametrize(("rows", "cols"), [(10, 10), (5, 11)])
async def test_a_tap_low_on_the_board_opens_the_magnifier_and_no_more(
    browser: Browser, rows: int, cols: int
) -> None:
    async with alone(browser, rows, cols) as ada:
        magnifier = ada.page.locator(".magnifier")
        for down in (0.85, 0.9, 0.95, 0.99):
            await ada.touch(await board_place(ada, 0.5, down))
            await expect(magnifier).to_be_visible()
            await ada.page.get_by_role("button", name="Cancel").tap()
            await expect(magnifier).to_be_hidden()
        assert await tokens(ada) == []


async def test_what_is_under_the_finger_stays_there_in_the_magnifier(browser: Browser) -> None:
    async with alone(browser, 20, 20) as ada:
        place = await ada.place_of("h210")
        await ada.touch(place)
        there, _, is_magnified = await aim(ada, "h210")
        assert is_magnified
        assert there == pytest.approx(place, abs=1)


async def test_a_board_of_one_row_is_seen_in_all_its_height_when_it_is_zoomed(
    browser: Browser,
) -> None:
    async with alone(browser, 1, 20) as ada:
        for _ in range(5):
            await ada.press("Larger")
        assert await draw(ada, "h10") == ["h10"]
        assert await draw(ada, "h30") == ["h10", "h30"]
        assert await ada.page.locator(".magnifier").is_hidden()


async def test_a_second_finger_draws_nothing_and_opens_nothing(browser: Browser) -> None:
    for size in (3, 8):
        async with alone(browser, size, size) as ada:
            one, other = [await board_place(ada, share, 0.5) for share in (0.4, 0.6)]
            async with finger(ada) as send:
                for kind, changed in (
                    ("touchStart", [one]),
                    ("touchStart", [one, other]),
                    ("touchEnd", [other]),
                    ("touchEnd", [one]),
                ):
                    await send(kind, *changed)
                    assert await ada.page.locator(".magnifier").is_hidden()
            assert await tokens(ada) == []


async def test_a_thumb_that_rests_beside_the_board_doesnt_hold_up_another_finger(
    browser: Browser,
) -> None:
    async with alone(browser, 3, 3) as ada:
        thumb, line = (4.0, 600.0), await ada.place_of("h4")
        async with finger(ada) as send:
            await send("touchStart", thumb)
            await send("touchStart", thumb, line)
            await send("touchEnd", line)
            await ada.page.locator('.drawn[data-name="h4"]').wait_for(state="attached")
            await send("touchEnd", thumb)
        assert await tokens(ada) == ["h4"]


async def test_a_double_tap_draws_one_line(browser: Browser) -> None:
    async with alone(browser, 3, 3) as ada:
        await double_tap(ada, await ada.place_of("h4"), '.can-move:has(.drawn[data-name="h4"])')
        assert await tokens(ada) == ["h4"]


async def test_a_mouse_that_was_pressed_elsewhere_draws_nothing(browser: Browser) -> None:
    async with alone(browser, 3, 3, viewport=DESKTOP, has_touch=False) as ada:
        mouse, line = ada.page.mouse, await ada.place_of("h4")
        await mouse.move(*line)
        await mouse.down()
        await mouse.move(5, 5)
        await mouse.up()
        await mouse.down()
        await mouse.move(*line)
        await mouse.up()
        assert await tokens(ada) == []
