"""Solvers are kept, with what they learned, and only a few of them."""

from boxroom_engine.bots.solvers import MOST_KEPT, kept_solver


def test_a_board_has_one_solver() -> None:
    assert kept_solver(1, 2) is kept_solver(1, 2)
    assert kept_solver(1, 2) is not kept_solver(2, 1)


def test_it_keeps_what_it_has_learned() -> None:
    kept_solver.cache_clear()
    first = kept_solver(2, 3).solve(0)
    again = kept_solver(2, 3).solve(0)
    assert again.nodes < first.nodes
    assert (again.value, again.best_moves) == (first.value, first.best_moves)


def test_the_boards_that_were_asked_for_last_are_kept() -> None:
    longest_ago = kept_solver(1, 1)
    for cols in range(2, 2 + MOST_KEPT):
        kept_solver(1, cols)
    assert kept_solver(1, 1) is not longest_ago
