"""Whole games beside OpenSpiel's dots_and_boxes, which numbers its actions as we do."""

import random

import pyspiel
from tests.cases import each

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import Move

SIZES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (1, 6), (4, 5), (5, 4), (7, 7)]


@each("rows, cols", SIZES)
@each("seed", range(8))
def test_random_games_agree(rows: int, cols: int, seed: int) -> None:
    theirs = pyspiel.load_game(
        f"dots_and_boxes(num_rows={rows},num_cols={cols})"
    ).new_initial_state()
    ours = Dots(rows, cols, Border.NONE, 2).initial()
    rng = random.Random(seed)
    while not theirs.is_terminal():
        assert ours.to_move == theirs.current_player()
        assert list(ours.legal_moves()) == theirs.legal_actions()
        action = rng.choice(theirs.legal_actions())
        theirs.apply_action(action)
        ours = ours.play(Move(action))
    assert ours.outcome is not None
    margin = ours.scores[0] - ours.scores[1]
    assert theirs.returns() == [(margin > 0) - (margin < 0), (margin < 0) - (margin > 0)]


@each("rows, cols", SIZES)
def test_names_stand_for_the_same_lines(rows: int, cols: int) -> None:
    theirs = pyspiel.load_game(
        f"dots_and_boxes(num_rows={rows},num_cols={cols})"
    ).new_initial_state()
    game = Dots(rows, cols, Border.NONE, 2)
    for row in range(rows + 1):
        for col in range(cols):
            move = game.parse_move(f"h{row * cols + col}")
            assert theirs.action_to_string(0, move) == f"P1(h,{row},{col})"
    for row in range(rows):
        for col in range(cols + 1):
            move = game.parse_move(f"v{row * (cols + 1) + col}")
            assert theirs.action_to_string(0, move) == f"P1(v,{row},{col})"
