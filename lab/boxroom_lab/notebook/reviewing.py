"""`review`: the losses of the moves in a recorded game."""

from boxroom_client.signals import watched
from boxroom_engine.games.record import Record
from boxroom_engine.review.judging import JudgedGame
from boxroom_engine.review.review import Reviewing
from boxroom_engine.stopping import StopToken
from boxroom_lab.cli.analyse import check_seats, judge_of, limit_of
from boxroom_lab.notebook.arguments import explained, interruptible


def review(record: Record | str, *, time_s: float | None = None) -> JudgedGame:
    """Return a recorded game with a judgement of each position, and so the loss of each move.

    `moves` has the moves with `lost`, in boxes where the game counts them and else as a part of a
    win, `exact` and `better`; `turning_point` is the last move that changed who would win.
    Positions are judged from the last one on; those that would take too long have no judgement, and
    the moves there no loss. An interrupt (Ctrl-C, a notebook's stop button) ends the review with
    what is known by then.

    Args:
        record: the game, or the line of text that describes it, as in docs/reference/games.md.
        time_s: seconds for each position at most; None: 2.5 in Dots and Boxes, 1 in other games.

    Raises:
        Error: the text is no record, a move is illegal, the game can't be judged for so many
            players, or the time is out of its bounds.
    """
    with explained():
        game = Record.parse(record) if isinstance(record, str) else record
        check_seats(game.game)
        limit_s, stop = limit_of(game.game, time_s), StopToken()
        judge = judge_of(game.game, limit_s, stop)
        reviewing = Reviewing(list(game.positions()), judge, game.opening)
    with interruptible() as is_interrupted:
        watched(lambda: list(reviewing.findings()), stop, is_interrupted)
    return reviewing.judged
