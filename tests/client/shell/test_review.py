"""Reviews of games in a thread: they find the same, and can be stopped."""

from tests.engine.games.dots.recorded_games import SMALL, exactly, positions_of

from boxroom_client.shell.review import BackgroundReview
from boxroom_engine.review.review import Reviewing
from boxroom_engine.stopping import StopToken


async def test_it_finds_what_a_review_in_the_foreground_finds() -> None:
    positions = positions_of(SMALL)
    foreground = Reviewing(positions, exactly(positions[0].game))
    expected = list(foreground.findings())
    assert expected
    background = BackgroundReview(positions, StopToken())
    assert [finding async for finding in background.findings()] == expected
    assert background.result() == foreground.result()


async def test_a_review_that_is_stopped_has_what_was_found_by_then() -> None:
    stop = StopToken()
    review = BackgroundReview(positions_of(SMALL), stop)
    found = []
    async for finding in review.findings():
        found.append(finding)
        stop.set()
    assert len(found) == 1
    assert review.result().first_judged > 1
    assert review.result().decisive([0, 1]) == found[0]
