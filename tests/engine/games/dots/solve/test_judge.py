"""The judge with a time limit."""

from itertools import count

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.judge import TimedJudge
from boxroom_engine.stopping import StopToken

SMALL = Dots(2, 2, Border.NONE, 2)
LARGE = Dots(6, 6, Border.NONE, 2)


def after(game: Dots, plies: int) -> Position:
    position = game.initial()
    for move in position.legal_moves()[:plies]:
        position = position.play(move)
    return position


def no_time() -> float:
    return 0.0


def test_it_judges_positions_that_are_solved_in_time() -> None:
    judgement = TimedJudge(SMALL, 60.0, StopToken(), no_time)(SMALL.initial())
    assert judgement is not None
    assert (judgement.value, judgement.exact) == (2.0, True)


def test_after_the_first_position_that_takes_longer_it_judges_none() -> None:
    seconds = count()
    judge = TimedJudge(LARGE, 2.0, StopToken(), lambda: float(next(seconds)))
    endgame = after(LARGE, LARGE.longest - 1)
    assert judge(endgame) is not None
    assert judge(LARGE.initial()) is None
    assert judge(endgame) is None


def test_once_stopped_it_judges_no_more_not_even_easy_positions() -> None:
    stop = StopToken()
    judge = TimedJudge(SMALL, 60.0, stop, no_time)
    assert judge(SMALL.initial()) is not None
    stop.set()
    assert judge(SMALL.initial()) is None


def test_a_single_player_gets_all_boxes_from_any_position() -> None:
    game = Dots(4, 4, Border.NONE, 1)
    judgement = TimedJudge(game, 60.0, StopToken(), no_time)(game.initial())
    assert judgement is not None
    assert (judgement.value, judgement.exact, judgement.shares) == (16.0, True, (16,))
    assert judgement.best_moves == game.initial().legal_moves()


def test_among_three_it_counts_the_boxes_that_each_gets_for_itself() -> None:
    """In a row of two boxes with three sides each the player to move takes both."""
    game = Dots(1, 2, Border.NONE, 3)
    position = game.initial()
    for name in ("h0", "h2", "h1", "h3", "v0", "v2"):
        position = position.play(game.parse_move(name))
    judgement = TimedJudge(game, 60.0, StopToken(), no_time)(position)
    assert judgement is not None
    assert position.to_move == 0
    assert judgement.shares == (2, 0, 0)
    assert (judgement.value, judgement.exact) == (2.0, True)
    assert TimedJudge(game, 60.0, StopToken(lambda: 0.0), no_time)(position) is None
