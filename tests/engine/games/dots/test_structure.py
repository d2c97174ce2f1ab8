"""What there is to take and to give away, against a count box by box with sets."""

from collections.abc import Set

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxroom_engine.games.dots import Border, Dots, Grid, Position
from boxroom_engine.games.dots.structure import (
    captures_after,
    completed_by,
    neutral,
    sacrifices,
    takeable,
)
from boxroom_engine.games.protocol import Move


def three_sided(grid: Grid, drawn: Set[int]) -> list[int]:
    return [box for box, around in enumerate(grid.edges_of) if len(drawn & set(around)) == 3]


def complete(grid: Grid, drawn: Set[int]) -> int:
    return sum(drawn >= set(around) for around in grid.edges_of)


def taken_in_a_row(grid: Grid, drawn: Set[int]) -> int:
    """Take one box after another, looking for each at the whole board."""
    now = set(drawn)
    while boxes := three_sided(grid, now):
        now.update(grid.edges_of[boxes[0]])
    return complete(grid, now) - complete(grid, drawn)


def drawn_in(position: Position) -> frozenset[int]:
    return frozenset(e for e in range(position.game.grid.edges) if position.edges >> e & 1)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions in which a game was played at random up to some move."""
    rows, cols, border = draw(
        st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from(Border)).filter(
            lambda board: board != (1, 1, Border.FULL)
        )
    )
    position = Dots(rows, cols, border, 2).initial()
    rng = draw(st.randoms(use_true_random=False))
    order = list(position.legal_moves())
    rng.shuffle(order)
    for move in order[: draw(st.integers(0, len(order)))]:
        position = position.play(move)
    return position


@st.composite
def still_positions(draw: st.DrawFn) -> Position:
    """Positions in which nothing can be taken any more."""
    position = draw(positions())
    while edges := takeable(position):
        position = position.play(edges[0])
    return position


@settings(deadline=None)
@given(positions())
def test_takeable_edges_complete_a_box(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    gains = {
        move: complete(grid, drawn | {move}) - complete(grid, drawn)
        for move in position.legal_moves()
    }
    assert takeable(position) == tuple(move for move, gain in gains.items() if gain)
    assert {move: completed_by(grid, position.edges, move) for move in gains} == gains


@settings(deadline=None)
@given(positions())
def test_neutral_edges_leave_no_box_beside_them_with_three_sides(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    assert neutral(position) == tuple(
        move
        for move in position.legal_moves()
        if not {box for box, _ in grid.boxes_beside[move]} & {*three_sided(grid, drawn | {move})}
    )


@settings(deadline=None)
@given(still_positions())
def test_neutral_edges_are_those_that_give_nothing_away(position: Position) -> None:
    costs = sacrifices(position)
    assert neutral(position) == tuple(move for move, cost in costs.items() if cost == 0)


@settings(deadline=None)
@given(positions())
def test_captures_after_any_edge(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    for move in position.legal_moves():
        naive = taken_in_a_row(grid, drawn | {move})
        assert captures_after(grid, position.edges, move) == naive


def drawn_but(rows: int, cols: int, undrawn: str) -> Position:
    """The board with everything drawn but the edges named."""
    position = Dots(rows, cols, Border.NONE, 2).initial()
    for move in position.legal_moves():
        if position.game.format_move(move) not in undrawn.split():
            position = position.play(move)
    return position


# From the joint, box 1, a chain of three leads back to it and a chain of one to the side of the
# board. When the first is opened the joint and the other chain can be taken too.
DIPPER = drawn_but(2, 3, "v1 h3 v5 h4 v2 v3")


@settings(deadline=None)
@given(still_positions())
@example(DIPPER)
def test_sacrifices_are_the_captures_after_each_edge(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    naive = {move: taken_in_a_row(grid, drawn | {move}) for move in position.legal_moves()}
    assert sacrifices(position) == naive
    assert list(sacrifices(position)) == list(naive)


@pytest.mark.parametrize(
    ("position", "costs"),
    [
        pytest.param(
            drawn_but(1, 3, "v0 v1 v2 v3"),
            dict.fromkeys(["v0", "v1", "v2", "v3"], 3),
            id="a chain of three, open at both ends",
        ),
        pytest.param(
            drawn_but(2, 2, "v1 h2 h3 v4"),
            dict.fromkeys(["v1", "h2", "h3", "v4"], 4),
            id="a loop of four",
        ),
        pytest.param(
            drawn_but(1, 3, "v0 v1 h1 v2 v3"),
            {"h1": 0, "v0": 1, "v1": 1, "v2": 1, "v3": 1},
            id="two chains of one at a joint, with a neutral edge",
        ),
        pytest.param(
            DIPPER,
            {"v1": 5, "h3": 5, "v5": 5, "h4": 5, "v2": 1, "v3": 1},
            id="a dipper",
        ),
    ],
)
def test_what_a_sacrifice_gives_away(position: Position, costs: dict[str, int]) -> None:
    found = {position.game.format_move(move): cost for move, cost in sacrifices(position).items()}
    assert found == costs


def test_when_the_board_is_full_there_is_nothing() -> None:
    position = Dots(1, 1, Border.NONE, 2).initial()
    for move in range(4):
        position = position.play(Move(move))
    assert (takeable(position), neutral(position), sacrifices(position)) == ((), (), {})
