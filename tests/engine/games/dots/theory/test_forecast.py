"""The forecast against the same on the board, and against the solver that knows."""

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games.dots.boards import critical_position, drawn_but, endgame_position

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.dots.theory.captures import sacrifices, takeable
from boxroom_engine.games.dots.theory.endgame import endgame_value, is_endgame
from boxroom_engine.games.dots.theory.forecast import forecast
from boxroom_engine.games.dots.theory.strings import Chain, Loop, parts_of


@st.composite
def boards(draw: st.DrawFn) -> Dots:
    size = st.integers(2, 6)
    return Dots(draw(size), draw(size), draw(st.sampled_from(Border)), 2)


def forecasts_on_the_board(position: Position) -> set[int]:
    """The possible forecasts if of several shortest strings any one is opened."""
    if is_endgame(position):
        return {endgame_value(position)}
    parts, costs = parts_of(position), sacrifices(position)
    strings: list[Chain | Loop] = [*parts.chains, *parts.loops]
    found = set()
    for string in strings:
        if costs[string.edges[0]] > min(costs.values()):
            continue
        after = position.play(string.edges[0])
        while takes := takeable(after):
            after = after.play(takes[0])
        found |= {-worth_to_other(string, rest) for rest in forecasts_on_the_board(after)}
    return found


def worth_to_other(opened: Chain | Loop, rest: int) -> int:
    """The margin of the player that takes an opened string, or declines two boxes or four."""
    take_all = opened.length + rest
    left = 2 if isinstance(opened, Chain) else 4
    is_choice = isinstance(opened, Loop) or opened.is_long
    return max(take_all, opened.length - 2 * left - rest) if is_choice else take_all


@given(boards(), st.integers(0, 2**32))
def test_the_shortest_strings_are_opened_until_no_joint_is_left(game: Dots, seed: int) -> None:
    position = critical_position(game, random.Random(seed))
    assert forecast(parts_of(position)) in forecasts_on_the_board(position)


@given(boards(), st.integers(0, 2**32))
def test_it_is_exact_without_joints(game: Dots, seed: int) -> None:
    position = endgame_position(game, random.Random(seed))
    assert forecast(parts_of(position)) == endgame_value(position)


def test_three_chains_at_a_joint_become_one() -> None:
    # Boxes 0, 2 and 3 lie around box 1, and lead to the ground. Box 0 is opened and taken; the
    # others are then a chain of three, of which the second player leaves the last two to the first
    # only if more is to come, and nothing is.
    position = drawn_but(2, 3, "v0 v1 v2 v3 h4 h7")
    assert [chain.length for chain in parts_of(position).chains] == [1, 1, 1]
    assert forecast(parts_of(position)) == -1 + 3


def test_it_is_right_mostly() -> None:
    """Of these 100 positions with joints on 5×5."""
    solver, right, seen = solver_for(5, 5), 0, 0
    rng = random.Random(1)
    while seen < 100:
        position = critical_position(Dots(5, 5, Border.NONE, 2), rng)
        parts = parts_of(position)
        if parts.joints:
            seen += 1
            right += forecast(parts) == solver.solve(position.edges, moves=False).value
    assert right >= 60
