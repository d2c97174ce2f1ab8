"""Captures and sacrifices, against a count box by box with sets."""

from collections.abc import Set

import pytest
from hypothesis import example, given
from tests.engine.games.dots.boards import (
    drawn_but,
    drawn_in,
    positions,
    still_positions,
    three_sided,
)

from boxroom_engine.games.dots import Border, Dots, Grid, Position
from boxroom_engine.games.dots.theory.captures import (
    after_taking_all,
    at_hand,
    captures,
    captures_after,
    completed_by,
    degrees,
    is_critical,
    neutral,
    on_offer,
    sacrifices,
    takeable,
)
from boxroom_engine.games.protocol import Move


def complete(grid: Grid, drawn: Set[int]) -> int:
    return sum(drawn >= set(around) for around in grid.edges_of)


def taken_in_a_row(grid: Grid, drawn: Set[int]) -> int:
    """Take one box after another, looking for each at the whole board."""
    now = set(drawn)
    while boxes := three_sided(grid, now):
        now.update(grid.edges_of[boxes[0]])
    return complete(grid, now) - complete(grid, drawn)


@given(positions())
def test_degrees_count_the_sides_that_are_not_drawn(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    assert degrees(position) == tuple(len({*around} - drawn) for around in grid.edges_of)
    assert on_offer(position) == tuple(three_sided(grid, drawn))


@given(positions())
def test_takeable_edges_complete_a_box(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    gains = {
        move: complete(grid, drawn | {move}) - complete(grid, drawn)
        for move in position.legal_moves()
    }
    assert takeable(position) == tuple(move for move, gain in gains.items() if gain)
    assert {move: completed_by(grid, position.edges, move) for move in gains} == gains


@given(positions())
def test_neutral_edges_neither_complete_a_box_nor_leave_one_with_three_sides(
    position: Position,
) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    assert neutral(position) == tuple(
        move
        for move in position.legal_moves()
        if complete(grid, drawn | {move}) == complete(grid, drawn)
        if not {box for box, _ in grid.boxes_beside[move]} & {*three_sided(grid, drawn | {move})}
    )


@given(positions())
def test_at_hand_is_what_can_be_taken_beside_a_complete_box(position: Position) -> None:
    grid = position.game.grid
    left = degrees(position)
    expected = {
        edge
        for edge in takeable(position)
        for box, _ in grid.boxes_beside[edge]
        if left[box] == 1
        for side in grid.edges_of[box]
        if any(left[other] == 0 for other, _ in grid.boxes_beside[side])
    }
    assert set(at_hand(position)) == expected


@given(positions())
def test_a_position_is_critical_when_every_move_gives_boxes_away(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    gives = [taken_in_a_row(grid, drawn | {move}) > 0 for move in position.legal_moves()]
    nothing_to_take = taken_in_a_row(grid, drawn) == 0
    assert is_critical(position) == (bool(gives) and nothing_to_take and all(gives))


@given(positions())
def test_captures_can_be_taken_in_their_order_and_leave_nothing_to_take(
    position: Position,
) -> None:
    to_take = captures(position)
    assert len(to_take) == taken_in_a_row(position.game.grid, drawn_in(position))
    while to_take:
        assert to_take[0] in on_offer(position)
        sides = position.game.grid.sides[to_take[0]] & ~position.edges
        position = position.play(Move(sides.bit_length() - 1))
        assert set(position.taken) == set(to_take[: len(position.taken)])
        to_take = to_take[len(position.taken) :]
    assert takeable(position) == ()


@given(still_positions())
def test_neutral_edges_are_those_that_give_nothing_away(position: Position) -> None:
    costs = sacrifices(position)
    assert neutral(position) == tuple(move for move, cost in costs.items() if cost == 0)


@given(positions())
def test_captures_after_any_edge(position: Position) -> None:
    grid, drawn = position.game.grid, drawn_in(position)
    for move in position.legal_moves():
        naive = taken_in_a_row(grid, drawn | {move})
        assert captures_after(grid, position.edges, move) == naive


# From the joint, box 1, a chain of three leads back to it and a chain of one to the side of the
# board. When the first is opened the joint and the other chain can be taken too.
DIPPER = drawn_but(2, 3, "v1 h3 v5 h4 v2 v3")


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
    assert (takeable(position), neutral(position), captures(position)) == ((), (), ())
    assert sacrifices(position) == {}
    assert not is_critical(position)


@given(positions())
def test_after_taking_all_the_seat_to_move_has_what_was_on_offer(position: Position) -> None:
    after = after_taking_all(position)
    assert drawn_in(after) >= drawn_in(position)
    assert takeable(after) == ()
    assert sum(after.scores) == sum(position.scores) + len(captures(position))
    if position.to_move is not None:
        gained = after.scores[position.to_move] - position.scores[position.to_move]
        assert gained == len(captures(position))
