"""Unjudged moves, and better moves than the costly ones."""

from tests.cases import each
from tests.engine.games.dots.recorded_games import OF_THREE, exactly
from tests.lab.analysis.games import From, analysed

from boxroom_lab.analysis.analysed_game import Unjudged


@each("is_whole, why", [(True, Unjudged.TOO_EARLY), (False, Unjudged.INTERRUPTED)])
def test_unjudged_moves_are_grouped_in_runs(is_whole: bool, why: Unjudged) -> None:
    game = analysed(OF_THREE, lambda game: From(4, exactly(game)), is_whole=is_whole)
    runs = [(why, [move.number for move in run]) for why, run in game.unjudged()]
    assert runs == [(why, [1, 2, 4])]
