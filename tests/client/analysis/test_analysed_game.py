"""Unjudged moves, and better moves than the costly ones."""

import pytest
from tests.client.analysis.games import OF_THREE, analysed, exactly, from_ply, large

from boxroom_client.analysis.analysed_game import Unjudged
from boxroom_engine.games.dots.theory.facts import facts_of


@pytest.mark.parametrize(
    ("is_whole", "why"), [(True, Unjudged.TOO_EARLY), (False, Unjudged.INTERRUPTED)]
)
def test_unjudged_moves_are_grouped_in_runs(is_whole: bool, why: Unjudged) -> None:
    game = analysed(OF_THREE, lambda game: from_ply(4, exactly(game)), is_whole=is_whole)
    runs = [(why, [move.number for move in run]) for why, run in game.unjudged()]
    assert runs == [(Unjudged.MANY_SEATS, [1, 2]), (why, [4])]


def test_advice_is_the_first_best_move_that_does_something_else() -> None:
    game = large()
    for move in game.judged.moves:
        if move.is_costly:
            advice = game.advice(move)
            assert advice in move.better
            done = facts_of(move.before, move.move)
            others = [each for each in move.better if facts_of(move.before, each) != done]
            assert advice == (others or move.better)[0]
