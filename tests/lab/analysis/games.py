"""Recorded games for the tests of their analysis."""

from collections.abc import Callable
from functools import cache

from tests.engine.games.dots.recorded_games import JUDGED_FROM_PLY, LARGE, exactly

from boxroom_engine.games.abilities import Judgement
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.record import Record
from boxroom_engine.review.judging import Judge, judged
from boxroom_lab.analysis.analysed_game import AnalysedGame


def from_ply(ply: int, judge: Judge) -> Judge:
    return lambda position: judge(position) if position.ply >= ply else None


def about(judge: Judge) -> Judge:
    """Judge exactly, then add half a box and mark it as an estimate."""

    def estimate(position: Position) -> Judgement | None:
        known = judge(position)
        return known and Judgement(known.value + 0.5, False, known.best_moves)

    return estimate


def analysed(
    record: str, judge_of: Callable[[Dots], Judge] = exactly, *, is_whole: bool = True
) -> AnalysedGame:
    played = Record.parse(record)
    assert isinstance(played.game, Dots)
    positions = [each for each in played.positions() if isinstance(each, Position)]
    game = judged(positions, judge_of(played.game))
    return AnalysedGame(played.game, played.players, game, 5.0, is_whole)


@cache
def large() -> AnalysedGame:
    """Return `LARGE`, judged from `JUDGED_FROM_PLY` on."""
    return analysed(LARGE, lambda game: from_ply(JUDGED_FROM_PLY, exactly(game)))
