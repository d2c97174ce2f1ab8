"""Recorded games for the tests of their analysis."""

from collections.abc import Callable
from functools import cache

from boxroom_client.analysis.analysed_game import AnalysedGame
from boxroom_client.shell.judge import TimedJudge
from boxroom_engine.games.dots import Dots, Position
from boxroom_engine.games.dots.theory.judging import Judge, Judgement, judged
from boxroom_engine.games.record import Record
from boxroom_engine.search.stopping import never

SMALL = "dots rows=1 cols=2 border=none | Ada, Bob | h0 h2 v0 h1 v1 h3 v2"
"""Ada should begin in the middle; with h1 Bob leaves a box."""

LARGE = (
    "dots rows=5 cols=5 border=none | Ada, Bob | "
    "h25 v1 h1 h10 h22 h11 h29 v9 h15 h12 v0 h16 v4 h27 h9 h17 v7 v28 h14 v19 v23 h23 v17 h2 "
    "h13 h18 h3 v25 h26 h4 v5 v10 h8 v3 v11 h24 v29 v21 v22 v20 h21 h19 v16 v26 v27 h28 v15 "
    "v14 v13 v12 v24 h20 v18 h0 h5 v6 h6 v2 h7 v8"
)
"""Ada was winning, but opened the wrong chain; then both take boxes that they should decline."""

OF_THREE = "dots rows=2 cols=2 border=none | Ada, Bob, Cem | h0 h2 ~1 v0 h1 v1"
"""A game of three, of whom two are left when Bob has given up."""

JUDGED_FROM_PLY = 25
"""Ply from which `LARGE` is solved within seconds, also by the solver in Python."""


def exactly(game: Dots) -> Judge:
    return TimedJudge(game, 60.0, never)


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
