"""One meaning of best play for three and more: solve, tree, analysis and bots agree.

The reference plays every game to its end by the rules (`max_n_oracle`).
"""

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games.dots.max_n_oracle import best_by_the_rules, by_the_rules, unfinished

from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.abilities import Solved
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.judge import TimedJudge
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.search.exact import ExactSearch
from boxroom_engine.search.max_n import MaxNSearch
from boxroom_engine.stopping import Limit, StopToken
from boxroom_lab.gametree.effort import Effort
from boxroom_lab.gametree.graph import apart, build_graph
from boxroom_lab.gametree.solve import solve

SMALL_BOARDS = [
    (1, 1, Border.NONE),
    (1, 1, Border.HALF),
    pytest.param(1, 2, Border.NONE, marks=pytest.mark.long),
    (1, 2, Border.HALF),
    (1, 2, Border.FULL),
    (1, 3, Border.FULL),
    (2, 2, Border.FULL),
]


def every_position(game: Dots) -> Iterator[Position]:
    """Every position that a game may come to, with up to one seat withdrawn, once."""
    found = {game.initial()}
    left = [*found]
    while left:
        position = left.pop()
        if position.to_move is None:
            continue
        yield position
        after = {position.play(move) for move in position.legal_moves()}
        if not position.withdrawn:
            after |= {position.withdraw(Seat(seat)) for seat in range(game.seats)}
        left += after - found
        found |= after


def check_values(position: Position) -> None:
    """Check that solve, tree and analysis have the values and the best moves of the reference."""
    boxes, best = by_the_rules(position), best_by_the_rules(position)
    mover = position.to_move
    assert mover is not None
    is_for_two = position.game.seats - len(position.withdrawn) == 2
    solved = solve(position, Effort(memory_mib=1))
    judge = TimedJudge(position.game, math.inf, StopToken(), lambda: 0.0, 1 << 20)
    judgement = judge(position)
    assert judgement is not None
    assert solved.exact
    assert solved.best_moves == best
    assert (judge.best_moves(position) or judgement.best_moves) == best
    assert solved.value == (2 * boxes[mover] - sum(boxes) if is_for_two else boxes)
    assert judgement.value == (solved.value if is_for_two else boxes[mover])
    check_tree(position, best)
    if not is_for_two:
        final = tuple(map(sum, zip(position.scores, boxes, strict=True)))
        assert (
            ExactSearch(position, 1 << 20).search(StopToken()).value
            == MaxNSearch().scores(position)
            == final
        )


def searched(position: Position) -> Solved[Any]:
    """Return what the search of any game finds."""
    return ExactSearch(position, 1 << 24).search(StopToken())


def check_tree(position: Position, best: tuple[Move, ...]) -> None:
    search, names = MaxNSearch(), [position.game.format_move(move) for move in best]
    graph = build_graph(position, 1, search.scores, apart, most_positions=100)
    assert [edge.moves for edge in graph.root.edges if edge.is_best] == [(name,) for name in names]
    assert searched(position).best_moves == best


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(("rows", "cols", "border"), SMALL_BOARDS)
def test_values_on_small_boards(rows: int, cols: int, border: Border, seats: int) -> None:
    for position in every_position(Dots(rows, cols, border, seats)):
        check_values(position)


@given(unfinished(st.integers(3, 4), most_undrawn=6))
def test_values_near_the_end(position: Position) -> None:
    check_values(position)


@given(
    unfinished(st.integers(3, 4), most_undrawn=5), st.sampled_from(["minimax", "expert", "mcts"])
)
def test_bots_play_the_best_moves_and_so_does_a_hint(position: Position, name: str) -> None:
    """A hint is a move of the strongest bot, `expert`."""
    limit = Limit(math.inf, lambda: 0.0)
    move = bot_of(name).choose(position, limit, random.Random(0))
    assert move in best_by_the_rules(position)
