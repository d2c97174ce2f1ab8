"""max^n, against games played to their end by the rules, and against exact play for two."""

import random
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.dots.boards import position_at
from tests.engine.games.dots.max_n_oracle import (
    BOARDS,
    Boxes,
    best_by_the_rules,
    by_the_rules,
    unfinished,
)

from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.max_n import MaxNSolver
from boxroom_engine.games.dots.solve.python_solver import PythonSolver
from boxroom_engine.games.protocol import Seat
from boxroom_engine.stopping import Stop


def solve(position: Position) -> Solved[tuple[int, ...]]:
    game = position.game
    return MaxNSolver(game.rows, game.cols, game.seats - len(position.withdrawn)).solve(position)


@given(unfinished(st.integers(2, 6), most_undrawn=5))
def test_it_finds_what_the_rules_lead_to(position: Position) -> None:
    """And a seat that withdrew gets nothing and is passed over."""
    solved = solve(position)
    assert solved.exact
    assert solved.value == by_the_rules(position)
    assert solved.best_moves == best_by_the_rules(position)
    assert all(solved.value[seat] == 0 for seat in position.withdrawn)


@given(unfinished(st.integers(3, 5), most_undrawn=9))
def test_the_boxes_that_are_left_are_shared_out(position: Position) -> None:
    solved = solve(position)
    assert sum(solved.value) == position.game.grid.boxes - sum(position.scores)
    assert min(solved.value) >= 0


@given(unfinished(st.just(2), most_undrawn=9))
def test_for_two_it_says_what_exact_play_does(position: Position) -> None:
    game, mover = position.game, position.to_move
    assert mover is not None
    solved = solve(position)
    margin = PythonSolver(game.rows, game.cols, 1 << 20).solve(position.edges)
    assert solved.value[mover] - solved.value[1 - mover] == margin.value
    assert solved.best_moves == margin.best_moves


@each(
    "rows, cols, border, players, value",
    [
        (1, 1, Border.NONE, 3, (1, 0, 0)),
        (2, 2, Border.NONE, 2, (3, 1)),
        (2, 2, Border.NONE, 3, (1, 2, 1)),
        (2, 3, Border.NONE, 3, (2, 2, 2)),
        (3, 3, Border.FULL, 3, (3, 6, 0)),
    ],
)
def test_values_from_the_empty_board(
    rows: int, cols: int, border: Border, players: int, value: Boxes
) -> None:
    solved = solve(Dots(rows, cols, border, players).initial())
    assert (solved.value, solved.exact) == (value, True)


@pytest.mark.long
@each("seats", [3, 4, 5])
def test_it_finds_what_the_rules_lead_to_in_many_positions(seats: int) -> None:
    rng = random.Random(seats)
    games = [Dots(rows, cols, border, seats) for rows, cols in BOARDS[1:] for border in Border]
    solvers = {game: MaxNSolver(game.rows, game.cols, seats) for game in games}
    for number in range(2_000):
        game = games[number % len(games)]
        position = game.initial()
        order = list(position.legal_moves())
        rng.shuffle(order)
        for move in order[rng.randint(1, 7) :]:
            position = position.play(move)
        solved = solvers[game].solve(position)
        assert solved.value == by_the_rules(position)
        assert solved.best_moves == best_by_the_rules(position)
    by_the_rules.cache_clear()


def undrawn(rows: int, cols: int, seats: int, names: str) -> Position:
    """The position in which only the edges of `names` are left, with seat 0 to move."""
    game = Dots(rows, cols, Border.NONE, seats)
    left = sum(1 << game.parse_move(name) for name in names.split())
    return position_at(game, game.grid.all_drawn ^ left)


def test_with_three_a_free_box_can_be_a_mistake() -> None:
    """v1 is the last side of a box, and opens no other; of two players each may take such a box.

    Here it leads to as many boxes as the best moves, but leaves more to one of the others.
    """
    edges = "h1 h2 h4 h5 h6 h7 h8 v1 v5 v9 v11"
    two, three = undrawn(3, 3, 2, edges), undrawn(3, 3, 3, edges)
    free = two.game.parse_move("v1")
    assert free in solve(two).best_moves
    assert [three.game.format_move(move) for move in solve(three).best_moves] == ["h1", "h4"]
    assert solve(three).value == (4, 3, 2)
    assert solve(three.play(free)).value == (3, 1, 4)


def test_what_was_learnt_is_kept() -> None:
    solver, game = MaxNSolver(2, 2, 3), Dots(2, 2, Border.NONE, 3)
    first = solver.solve(game.initial())
    again = solver.solve(game.initial())
    assert (again.value, again.best_moves) == (first.value, first.best_moves)
    assert first.nodes > 0 == again.nodes


def test_a_stopped_search_says_what_it_knows_and_can_go_on() -> None:
    position = Dots(2, 2, Border.NONE, 3).initial()
    asked = count()
    value = MaxNSolver(2, 2, 3).solve(position, stop=lambda: next(asked) < 0).value
    all_asked = next(asked)
    some_moves = 0
    for patience in [*range(0, all_asked, 100), *range(all_asked - 10, all_asked)]:
        solver = MaxNSolver(2, 2, 3)
        stopped = solver.solve(position, stop=asked_more_than(patience))
        bounds = zip(stopped.least, value, stopped.most, strict=True)
        assert not stopped.exact
        assert all(least <= boxes <= most for least, boxes, most in bounds)
        assert solver.solve(position).value == value
        some_moves += bool(stopped.best_moves)
    assert some_moves


def asked_more_than(times: int) -> Stop:
    asked = count(1)
    return lambda: next(asked) > times


def test_a_table_that_is_too_small_ends_the_search() -> None:
    position = Dots(2, 2, Border.NONE, 3).initial()
    solved = MaxNSolver(2, 2, 3, table_bytes=10_000).solve(position)
    assert (solved.exact, solved.best_moves) == (False, ())
    assert (solved.least, solved.most) == ((0, 0, 0), (4, 4, 4))


def test_a_large_board_is_stopped_like_any_other() -> None:
    position = Dots(20, 20, Border.NONE, 3).initial()
    solved = MaxNSolver(20, 20, 3).solve(position, stop=asked_more_than(20))
    assert (solved.exact, solved.nodes) == (False, 1)


def test_a_single_player_gets_the_rest_by_any_move() -> None:
    game = Dots(30, 30, Border.NONE, 1)
    position = game.initial()
    for name in ("h0", "v0", "v1", "h30"):  # the first box
        position = position.play(game.parse_move(name))
    solved = MaxNSolver(30, 30, 1).solve(position)
    assert (solved.value, solved.exact) == ((899,), True)
    assert solved.best_moves == position.legal_moves()


def test_there_must_be_something_to_solve_for_those_who_play() -> None:
    game = Dots(1, 1, Border.NONE, 3)
    with pytest.raises(ValueError, match="the game is over"):
        MaxNSolver(1, 1, 3).solve(position_at(game, game.grid.all_drawn))
    with pytest.raises(ValueError, match="2 seats are in play, not 3"):
        MaxNSolver(1, 1, 3).solve(game.initial().withdraw(Seat(1)))
