"""Recorded games for the tests of their analysis."""

from collections.abc import Callable
from functools import cache

from tests.engine.games.dots.recorded_games import JUDGED_FROM_PLY, LARGE, exactly

from boxroom_engine.games.abilities import Judge, Judgement, Outlook
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.protocol import Move
from boxroom_engine.games.record import Record
from boxroom_engine.review.review import Reviewing
from boxroom_lab.analysis.analysed_game import AnalysedGame


class From:
    """A judge that can't tell the worth of positions before `ply`."""

    def __init__(self, ply: int, judge: Judge) -> None:
        self._ply = ply
        self._judge = judge

    def __call__(self, position: Position) -> Judgement | None:
        return self._judge(position) if position.ply >= self._ply else None

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        return self._judge.best_moves(position)

    def outlook(self, position: Position, move: Move) -> Outlook:
        return self._judge.outlook(position, move)


class About:
    """A judge that judges exactly, then adds half a box and marks it as an estimate."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def __call__(self, position: Position) -> Judgement | None:
        known = self._judge(position)
        return known and Judgement(known.value + 0.5, False, known.best_moves)

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        return self._judge.best_moves(position)

    def outlook(self, position: Position, move: Move) -> Outlook:
        return Outlook((move,))


def analysed(
    record: str, judge_of: Callable[[Dots], Judge] = exactly, *, is_whole: bool = True
) -> AnalysedGame:
    played = Record.parse(record)
    assert isinstance(played.game, Dots)
    positions = [each for each in played.positions() if isinstance(each, Position)]
    reviewing = Reviewing(positions, judge_of(played.game))
    list(reviewing.findings())
    findings = {each.number: each for each in reviewing.result().findings}
    return AnalysedGame(played.game, played.players, reviewing.judged, findings, 5.0, is_whole)


@cache
def large() -> AnalysedGame:
    """Return `LARGE`, judged from `JUDGED_FROM_PLY` on."""
    return analysed(LARGE, lambda game: From(JUDGED_FROM_PLY, exactly(game)))
