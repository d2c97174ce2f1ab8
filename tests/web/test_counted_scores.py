"""Scores that count up where things may move."""

import pytest
from playwright.async_api import Browser
from tests.web.browser import serving, visitor
from tests.web.rooms import create_room

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOWN_FROM_ON = """async (scores) => {
  const place = document.querySelector('.score');
  const shown = [];
  new MutationObserver(() => shown.push(Number(place.textContent)))
    .observe(place, { childList: true });
  const { state } = boxroom;
  for (const score of scores) {
    boxroom.state = { ...state, picture: { ...state.picture, scores: [score, 0] } };
    boxroom.show();
    while (shown.at(-1) !== score) await new Promise(requestAnimationFrame);
  }
  return shown;
}"""
"""All that the place of a score shows while it becomes one after the other of some."""


@pytest.mark.parametrize(
    ("motion", "scores", "shown"),
    [
        ("no-preference", [3, 1, 2], [1, 2, 3, 1, 2]),
        ("no-preference", [20], [3, 6, 9, 12, 15, 18, 20]),
        ("reduce", [3, 1, 20], [3, 1, 20]),
    ],
)
async def test_scores_count_up_unless_nothing_may_move(
    browser: Browser, motion: str, scores: list[int], shown: list[int]
) -> None:
    async with serving() as server, visitor(browser, server, reduced_motion=motion) as ada:
        await ada.come_in("Ada")
        await create_room(ada, opponent="random")
        await ada.page.locator(".board.can-move").wait_for()
        assert await ada.page.evaluate(SHOWN_FROM_ON, scores) == shown
