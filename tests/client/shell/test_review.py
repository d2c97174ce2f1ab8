"""Reviews of games of two: their findings from the end to the beginning, and where they stop."""

from tests.client.analysis.games import JUDGED_FROM_PLY, LARGE, SMALL

from boxroom_client.shell.review import Finding, GameReview
from boxroom_engine.games.dots import Position
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.record import Record

ADA, BOB = Seat(0), Seat(1)


def positions_of(record: str, *, from_ply: int = 0) -> list[Position]:
    states = list(Record.parse(record).positions())
    return [state for state in states[from_ply:] if isinstance(state, Position)]


async def findings(review: GameReview) -> list[Finding]:
    return [finding async for finding in review.findings()]


def names(found: list[Finding]) -> list[tuple[int, str]]:
    return [(each.move.number, each.move.before.game.format_move(each.move.move)) for each in found]


async def test_costly_moves_are_found_from_the_end() -> None:
    review = GameReview(positions_of(SMALL), (ADA, BOB), lambda: False)
    found = await findings(review)
    numbers = [each.move.number for each in found]
    assert numbers
    assert numbers == sorted(numbers, reverse=True)
    assert all(each.move.is_costly and each.better in each.move.better for each in found)
    assert review.first_judged == 1


async def test_only_the_moves_of_those_seats_are_told() -> None:
    for seat in ADA, BOB:
        found = await findings(GameReview(positions_of(SMALL), (seat,), lambda: False))
        assert {each.move.seat for each in found} <= {seat}


async def test_the_move_that_turned_the_game_decides_it() -> None:
    """It counts moves from where its positions begin."""
    review = GameReview(positions_of(LARGE, from_ply=JUDGED_FROM_PLY), (ADA,), lambda: False)
    found = await findings(review)
    decisive = review.decisive()
    assert decisive is not None
    assert names([decisive]) == [(32 - JUDGED_FROM_PLY, "v10")]
    assert decisive.move.lost == 16
    assert decisive in found
    text = decisive.sentence("You lost the game with")
    assert text.startswith("You lost the game with v10, move 7: it gives away 3 boxes (opens a")
    assert "h24 was better: it gives away a box (a handout)." in text


async def test_a_review_that_is_stopped_has_what_was_found_by_then() -> None:
    stopped = False
    review = GameReview(positions_of(SMALL), (ADA, BOB), lambda: stopped)
    found = []
    async for finding in review.findings():
        found.append(finding)
        stopped = True
    assert len(found) == 1
    assert review.first_judged > 1
    assert review.decisive() == found[0]
