"""The cursor: arrow keys and Tab on the open moves of a board."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.client.screen.boards import (
    NUMBERS,
    dots,
    drawings,
    midgame,
    noughts,
    positions,
)

from boxroom_client.screen.board.cursor import (
    Cell,
    Cursor,
    Direction,
    MoveCells,
    cursor_on,
    cycle,
    move_cells,
    step,
)
from boxroom_client.shell.output.painting import look_for
from boxroom_engine.games.drawing import Drawing, Size
from boxroom_engine.games.protocol import Move, State

large_boards = positions(st.integers(1, 40), st.integers(1, 60))
directions = st.sampled_from(Direction)
LEFT, RIGHT, UP, DOWN = Direction


def drawn(state: State, size: Size = Size.NORMAL, *, names: bool = True) -> MoveCells:
    look = look_for(state.game.kind, NUMBERS, ascii_only=False, names=names)
    return move_cells(state.draw(replace(look, size=size)))


def walk(state: State, start: str, *steps: Direction, size: Size = Size.NORMAL) -> list[str]:
    """Return the names of the moves to which the steps lead from `start`."""
    cells = drawn(state, size)
    cursor = cursor_on(cells, state.game.parse_move(start))
    names = []
    for direction in steps:
        cursor = step(cells, cursor, direction)
        assert cursor is not None
        names.append(state.game.format_move(cursor.move))
    return names


@settings(max_examples=25)
@given(drawings(large_boards))
def test_places_are_where_the_drawing_has_them(drawing: Drawing) -> None:
    cells = move_cells(drawing)
    moves = {span.move for row in drawing.rows for span in row} - {None}
    assert set(cells.by_move) == set(cells.in_order) == moves
    for move in list(cells.by_move)[:: max(1, len(moves) // 10)]:
        place = cells.by_move[move]
        assert drawing.move_at(*place) == move
        assert cursor_on(cells, move) == Cursor(move, place, place)
    assert cursor_on(cells, Move(100_000)) is None


# Steps


@settings(max_examples=25)
@given(drawings(large_boards), st.lists(directions, max_size=12), st.integers(0, 10_000))
def test_a_step_goes_its_way_or_nowhere(
    drawing: Drawing, steps: list[Direction], start: int
) -> None:
    cells = move_cells(drawing)
    assume(cells.by_move)
    moves = list(cells.by_move)
    cursor = cursor_on(cells, moves[start % len(moves)])
    for direction in steps:
        assert cursor is not None
        before, cursor = cursor, step(cells, cursor, direction)
        assert cursor is not None
        assert cursor.cell == cells.by_move[cursor.move]
        dx, dy = direction.value
        way = (cursor.cell.x - before.cell.x) * dx + (cursor.cell.y - before.cell.y) * dy
        assert way > 0 or cursor.move == before.move
        if cursor.move == before.move:
            assert not any(
                (x - before.cell.x) * dx + (y - before.cell.y) * dy > 0
                for x, y in cells.by_move.values()
            )


@given(drawings(positions(st.integers(1, 9), st.integers(1, 40))))
def test_arrows_alone_lead_from_corner_to_corner(drawing: Drawing) -> None:
    """Every move at the margin of the board is a few presses away, in every position."""
    cells = move_cells(drawing)
    assume(cells.by_move)
    cursor = step(cells, None, RIGHT)
    for direction in Direction:
        dx, dy = direction.value
        for _ in range(len(cells.by_move)):
            assert cursor is not None
            before, cursor = cursor, step(cells, cursor, direction)
            if cursor is None or before.move == cursor.move:
                break
        assert cursor is not None
        furthest = max(x * dx + y * dy for x, y in cells.by_move.values())
        assert cursor.cell.x * dx + cursor.cell.y * dy == furthest


@settings(max_examples=40)
@given(st.integers(2, 7), st.integers(2, 7), st.sampled_from(Size), st.booleans())
def test_sideways_goes_along_the_line_and_back(
    rows: int, cols: int, size: Size, names: bool
) -> None:
    cells = drawn(midgame(dots(rows, cols), 0), size, names=names)
    lines: dict[int, list[Move]] = {}
    for move in cells.in_order:
        lines.setdefault(cells.by_move[move].y, []).append(move)
    for line in lines.values():
        for left, right in pairwise(line):
            there = step(cells, cursor_on(cells, left), RIGHT)
            back = step(cells, cursor_on(cells, right), LEFT)
            assert there is not None
            assert back is not None
            assert (there.move, back.move) == (right, left)


@settings(max_examples=40)
@given(st.integers(2, 7), st.integers(2, 7), st.sampled_from(Size), st.booleans())
def test_down_goes_to_each_line_in_its_column_and_up_goes_back(
    rows: int, cols: int, size: Size, names: bool
) -> None:
    cells = drawn(midgame(dots(rows, cols), 0), size, names=names)
    lines = sorted({place.y for place in cells.by_move.values()})
    for col in range(cols):
        cursor = cursor_on(cells, Move(col))
        assert cursor is not None
        visited = [cursor]
        for _ in lines[1:]:
            cursor = step(cells, cursor, DOWN)
            assert cursor is not None
            visited.append(cursor)
        assert [one.cell.y for one in visited] == lines
        assert [one.move for one in visited[::2]] == [
            Move(row * cols + col) for row in range(rows + 1)
        ]
        assert step(cells, cursor, DOWN) == cursor
        for one in reversed(visited[:-1]):
            cursor = step(cells, cursor, UP)
            assert cursor is not None
            assert cursor.move == one.move


def test_steps_on_a_grid() -> None:
    empty = midgame(dots(3, 3), 0)
    for size in Size:
        steps = walk(empty, "h1", DOWN, DOWN, DOWN, RIGHT, UP, LEFT, LEFT, LEFT, size=size)
        assert steps == ["v1", "h4", "v5", "v6", "h4", "h3", "v0", "v0"]


def test_steps_skip_what_is_taken() -> None:
    state = midgame(dots(3, 3), 0)
    for name in ("h4", "v5", "v6"):
        state = state.play(state.game.parse_move(name))
    assert walk(state, "h3", RIGHT, LEFT) == ["h5", "h3"]
    assert walk(state, "h1", DOWN, DOWN) == ["v1", "h3"]


def test_ahead_comes_before_aside() -> None:
    """With few moves left, Right doesn't go to one below that is a little to the right."""
    state = midgame(dots(4, 9), 0)
    left = {state.game.parse_move(name) for name in ("h0", "v1", "v11", "h6")}
    for move in set(state.legal_moves()) - left:
        state = state.play(move)
    assert walk(state, "h0", RIGHT, LEFT, DOWN, DOWN, DOWN) == ["h6", "h0", "v1", "v11", "v11"]


def test_steps_in_noughts() -> None:
    assert walk(midgame(noughts(), 0), "4", LEFT, UP, RIGHT, RIGHT, DOWN, RIGHT) == list("301255")


# Without a cursor, and where it was taken


def test_the_first_step_leads_to_the_middle() -> None:
    for size in Size:
        cursor = step(drawn(midgame(noughts(), 0), size), None, UP)
        assert cursor is not None
        assert cursor.move == 4


def test_a_taken_cursor_goes_on_from_where_it_was() -> None:
    game = dots(3, 3)
    before = midgame(game, 0)
    cursor = cursor_on(drawn(before), game.parse_move("h4"))
    cells = drawn(before.play(game.parse_move("h4")))
    stepped = [step(cells, cursor, direction) for direction in (LEFT, RIGHT, UP, DOWN)]
    assert [one and game.format_move(one.move) for one in stepped] == ["h3", "h5", "v1", "v5"]
    cycled = [cycle(cells, cursor, by) for by in (-2, -1, 1, 2)]
    assert [one and game.format_move(one.move) for one in cycled] == ["v3", "h3", "h5", "v4"]


def test_a_taken_cursor_with_nothing_ahead_goes_to_what_is_near() -> None:
    game = noughts()
    cursor = cursor_on(drawn(midgame(game, 0)), Move(2))
    stepped = step(drawn(game.initial().play(Move(2))), cursor, RIGHT)
    assert stepped is not None
    assert stepped.move in {1, 5}


def test_another_size_forgets_the_aim() -> None:
    state = midgame(dots(9, 9), 0)
    normal, large = drawn(state), drawn(state, Size.LARGE)
    cursor = step(normal, cursor_on(normal, Move(4)), DOWN)
    assert cursor is not None
    fresh = cursor_on(large, cursor.move)
    assert step(large, cursor, RIGHT) == step(large, fresh, RIGHT)
    assert step(large, cursor, UP) == step(large, fresh, UP)


def test_a_full_board_has_no_cursor() -> None:
    over = drawn(midgame(dots(2, 2), 12))
    last = Cursor(Move(0), Cell(3, 0), Cell(3, 0))
    for cursor in (None, last):
        assert step(over, cursor, LEFT) is None
        assert cycle(over, cursor, 1) is None


# Tab


@settings(max_examples=25)
@given(drawings(large_boards), st.integers(1, 7), st.booleans())
def test_tab_visits_every_place_in_reading_order(
    drawing: Drawing, by: int, is_started: bool
) -> None:
    cells = move_cells(drawing)
    assume(cells.by_move)
    cursor = cycle(cells, None, 1)
    assert cursor is not None
    seen = [cursor]
    for _ in cells.by_move:
        cursor = cycle(cells, cursor, 1)
        assert cursor is not None
        seen.append(cursor)
    assert seen[0].move == seen[-1].move
    order = [(one.cell.y, one.cell.x) for one in seen[:-1]]
    assert order == sorted(order)
    assert {one.move for one in seen} == set(cells.by_move)
    start = seen[0] if is_started else None
    there = cycle(cells, start, by)
    assert start is None or cycle(cells, there, -by) == start


def test_without_a_cursor_tab_starts_at_either_end() -> None:
    cells = drawn(midgame(noughts(), 0))
    moves = [cycle(cells, None, by) for by in (1, 2, -1, -2)]
    assert [one and one.move for one in moves] == [0, 1, 8, 7]
