"""Levels of trees, against unmerged trees, books, and the student's own program."""

import math
from collections.abc import Iterator
from itertools import permutations

from hypothesis import given
from tests.engine.search.made_up import Tree, trees

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.iterative import IterativeMinimax
from boxroom_engine.search.levels import Level, levels
from boxroom_engine.search.memo import Memo

TWO_BY_TWO = Dots(2, 2, Border.NONE, 2)

Sides = tuple[int, ...]


def edges_scores_and_turn(state: State) -> tuple[int, tuple[int, ...], Seat | None]:
    assert isinstance(state, Position)
    return state.edges, state.scores, state.to_move


def edges_alone(state: State) -> int:
    assert isinstance(state, Position)
    return state.edges


@given(trees(2))
def test_every_level_of_any_tree(tree: Tree) -> None:
    expected, level = [], [tree]
    while level:
        expected.append(Level(len(level), len(set(level))))
        level = [after for each in level for after in each.after]
    assert list(levels([tree], lambda state: state.key)) == expected


def test_every_order_of_the_edges_is_counted_and_every_position_found() -> None:
    """All 5,040 games on 1×2, played one by one."""
    start = Dots(1, 2, Border.NONE, 2).initial()
    reached: list[list[State]] = [[] for _ in range(8)]
    for order in permutations(range(7)):
        state = start
        reached[0].append(state)
        for depth, edge in enumerate(order, 1):
            state = state.play(Move(edge))
            reached[depth].append(state)
    found = list(levels([start], edges_scores_and_turn))
    assert [level.positions for level in found] == [
        len(set(map(edges_scores_and_turn, states))) for states in reached
    ]
    assert [level.orders for level in found] == [math.perm(7, depth) for depth in range(8)]


def test_sets_of_edges_are_binomial_coefficients() -> None:
    found = list(levels([TWO_BY_TWO.initial()], edges_alone))
    assert [level.positions for level in found] == [math.comb(12, depth) for depth in range(13)]
    assert [level.orders for level in found] == [math.perm(12, depth) for depth in range(13)]


def test_noughts_and_crosses_is_as_large_as_books_say() -> None:
    """5,478 positions, 765 that differ, and 255,168 games."""
    start = make_game("noughts", {}, 2).initial()
    as_they_lie = list(levels([start], start.game.format_position))
    turned = list(levels([start], lambda state: state.key))
    assert sum(level.positions for level in as_they_lie) == 5_478
    assert [level.positions for level in turned] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    orders = [level.orders for level in turned]
    assert orders == [level.orders for level in as_they_lie]
    over = [orders[depth] - orders[depth + 1] // (9 - depth) for depth in range(9)]
    assert sum(over) + orders[9] == 255_168


def test_a_search_with_a_memo_looks_at_the_same_positions() -> None:
    """The search is depth-first, and doesn't count the ends."""
    start = TWO_BY_TWO.initial()
    search = IterativeMinimax(memo=Memo())
    assert search.value(start, Seat(0)) == 2
    *before, ends = levels([start], lambda state: state.key)
    assert search.positions == sum(level.positions for level in before)
    assert ends == Level(math.factorial(12), 5)  # 4–0, 3–1, 2–2, 1–3, 0–4


def students_levels() -> Iterator[int]:
    """Return the sizes of the lists of 2x2 Minimax, from its two first moves on.

    A leaf is defined as there: horizontals, verticals, the seat to move, and both scores.
    """

    def boxes(h: Sides, v: Sides) -> int:
        return sum(h[n] & h[n + 2] & v[n + n // 2] & v[n + n // 2 + 1] for n in range(4))

    def drawn(sides: Sides, n: int) -> Sides:
        return (*sides[:n], 1, *sides[n + 1 :])

    none = (0,) * 6
    leaves = {(drawn(none, 0), none, 1, 0, 0), (none, drawn(none, 1), 1, 0, 0)}
    while leaves:
        yield len(leaves)
        before, leaves = leaves, set()
        for h, v, player, first, second in before:
            moves = [(drawn(h, n), v) for n in range(6) if not h[n]]
            moves += [(h, drawn(v, n)) for n in range(6) if not v[n]]
            for sides in moves:
                if won := boxes(*sides) - boxes(h, v):
                    scores = (first, second + won) if player else (first + won, second)
                    leaves.add((*sides, player, *scores))
                else:
                    leaves.add((*sides, 1 - player, first, second))


def test_the_tree_of_the_students_program() -> None:
    start = TWO_BY_TWO.initial()
    first_moves = [start.play(TWO_BY_TWO.parse_move(name)) for name in ("h0", "v1")]
    found = [level.positions for level in levels(first_moves, edges_scores_and_turn)]
    *leaves, ends = students_levels()
    assert found == [*leaves, 5]
    assert ends == 8  # its leaves name a seat to move after the end, too
