"""The vocabulary of the robot-writing challenge, against a naive reference and our own rules."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.robots import (
    Board,
    Box,
    InvalidMove,
    Line,
    countboxes,
    get_all_lines,
    getboxes,
    getnewboxes,
    isboxfilled,
    isvalidmove,
    make_random_move,
    makemove,
)

THREE_SIDES: list[Line] = [(0, 0, 1, 0), (0, 0, 0, 1), (0, 1, 1, 1)]
"""Three lines of the box (0, 0); its right line is free."""
RIGHT: Line = (1, 0, 1, 1)
FAR: Line = (1, 1, 1, 2)

sizes = st.integers(1, 4)


def naive_boxes(size: int, lines: list[Line]) -> list[Box]:
    """Return the boxes whose four lines are drawn, by a naive method."""
    boxes = []
    for x in range(size):
        for y in range(size):
            bottom, top = (x, y, x + 1, y), (x, y + 1, x + 1, y + 1)
            left, right = (x, y, x, y + 1), (x + 1, y, x + 1, y + 1)
            if bottom in lines and top in lines and left in lines and right in lines:
                boxes.append((x, y))
    return boxes


@st.composite
def boards(draw: st.DrawFn) -> Board:
    size = draw(sizes)
    lines = draw(st.lists(st.sampled_from(get_all_lines(size)), unique=True))
    boxes = naive_boxes(size, lines)
    red = draw(st.lists(st.sampled_from(boxes), unique=True)) if boxes else []
    return Board(size, lines, red, [box for box in boxes if box not in red])


# The board of the challenge's page


def test_the_example_of_the_page() -> None:
    board = Board(size=2, lines=[(0, 1, 1, 1), (0, 1, 0, 2), (0, 2, 1, 2), (1, 2, 2, 2)])
    assert isvalidmove(board, [(1, 0, 1, 1)])
    after = makemove(board, [(1, 0, 1, 1)], 0)
    assert not isvalidmove(board, [(1, 1, 1, 2)])
    assert getnewboxes(board.lines, (1, 1, 1, 2)) == [(0, 1)]
    last = makemove(after, [(1, 1, 1, 2), (0, 0, 0, 1)], 1)
    assert (last.red_boxes, last.blue_boxes) == ([], [(0, 1)])
    assert repr(Board(2)) == "Board(size=2, lines=[], red_boxes=[], blue_boxes=[])"


def test_all_lines_of_a_board() -> None:
    assert get_all_lines(1) == [(0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1)]
    for size in range(1, 7):
        lines = get_all_lines(size)
        assert len(lines) == len(set(lines)) == 2 * size * (size + 1)
        assert Board(size, lines).lines == lines


@given(boards())
def test_boxes_are_where_all_four_lines_are(board: Board) -> None:
    boxes = naive_boxes(board.size, board.lines)
    assert getboxes(board) == boxes
    assert countboxes(board) == len(boxes)
    every = [(x, y) for x in range(board.size) for y in range(board.size)]
    assert [box for box in every if isboxfilled(board, box)] == boxes


@given(boards(), st.data())
def test_new_boxes_are_those_that_werent_there_before(board: Board, data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(get_all_lines(board.size)))
    before = naive_boxes(board.size, board.lines)
    after = naive_boxes(board.size, [*board.lines, line])
    assert sorted(getnewboxes(board.lines, line)) == sorted(set(after) - set(before))


# Whole games


@given(sizes, st.integers())
def test_random_moves_make_a_game_in_which_every_box_is_owned(size: int, seed: int) -> None:
    rng, board, players = random.Random(seed), Board(size), ("red", "blue")
    turns = 0
    while move := make_random_move(board, rng):
        assert isvalidmove(board, move)
        drawn, boxes = list(board.lines), countboxes(board)
        after = makemove(board, move, players[turns % 2])  # type: ignore[arg-type]
        assert board.lines == drawn
        assert countboxes(after) - boxes == sum(
            len(getnewboxes([*drawn, *move[:at]], line)) for at, line in enumerate(move)
        )
        board, turns = after, turns + 1
    assert sorted(board.lines) == sorted(get_all_lines(size))
    assert sorted([*board.red_boxes, *board.blue_boxes]) == naive_boxes(size, board.lines)
    assert isvalidmove(board, [])


def test_the_same_chance_gives_the_same_move() -> None:
    board = Board(3, THREE_SIDES)
    moves = [make_random_move(board, random.Random(7)) for _ in range(2)]
    assert moves[0] == moves[1]
    assert isvalidmove(board, make_random_move(board))


# A move


def test_a_move_leaves_the_board_as_it_was_and_gives_another_one() -> None:
    board = Board(2, THREE_SIDES)
    after = makemove(board, [RIGHT, FAR], "blue")
    assert board == Board(2, THREE_SIDES)
    assert after == Board(2, [*THREE_SIDES, RIGHT, FAR], [], [(0, 0)])


def test_a_board_shares_no_lists() -> None:
    lines = list(THREE_SIDES)
    board = Board(2, lines)
    lines.append(RIGHT)
    assert board.lines == THREE_SIDES


def test_without_a_copy_the_board_itself_is_changed() -> None:
    board = Board(2, THREE_SIDES)
    assert makemove(board, [RIGHT, FAR], "red", copyboard=False) is board
    assert board == Board(2, [*THREE_SIDES, RIGHT, FAR], [(0, 0)])


def test_players_have_names_and_numbers() -> None:
    board = Board(2, THREE_SIDES)
    assert makemove(board, [RIGHT, FAR], 0) == makemove(board, [RIGHT, FAR], "red")
    assert makemove(board, [RIGHT, FAR], 1) == makemove(board, [RIGHT, FAR], "blue")
    with pytest.raises(ValueError, match="players are 'red'"):
        makemove(board, [RIGHT, FAR], "green")  # type: ignore[arg-type]


def test_unchecked_a_move_may_be_a_part_of_a_turn_but_of_free_lines() -> None:
    board = Board(2, THREE_SIDES)
    assert makemove(board, [RIGHT], "red", checkmove=False).red_boxes == [(0, 0)]
    with pytest.raises(ValueError, match="drawn already"):
        makemove(board, THREE_SIDES[:1], "red", checkmove=False)


def test_one_line_can_complete_two_boxes() -> None:
    others = [line for line in get_all_lines(2) if line != RIGHT]
    assert makemove(Board(2, others), [RIGHT], 0).red_boxes == [(0, 0), (1, 0)]


@each(
    "move, rule",
    [
        ([], "a turn has at least one line, and 9 are free"),
        ([(0, 0, 1, 0)], "the line (0, 0, 1, 0) is drawn already"),
        ([FAR, FAR], "completes no box, so the turn ends with it: leave out the rest"),
        ([RIGHT], "completes the box (0, 0), so the turn goes on: add one"),
        ([RIGHT, RIGHT], "the line (1, 0, 1, 1) is drawn already"),
        ([(1, 0, 1, 2)], "from a dot to the next on the right or above, not (1, 0, 1, 2)"),
        ([(1, 0, 2, 1)], "from a dot to the next on the right or above, not (1, 0, 2, 1)"),
        ([(1, 1, 1, 0)], "write (1, 0, 1, 1), not (1, 1, 1, 0)"),
        ([(2, 1, 1, 1)], "write (1, 1, 2, 1), not (2, 1, 1, 1)"),
        ([(2, 2, 3, 2)], "isn't on the board: its dots go from (0, 0) to (2, 2)"),
        ([(-1, 0, 0, 0)], "isn't on the board"),
        ([(0, 0, 1)], "four whole numbers (i, j, r, s), not (0, 0, 1)"),
        ([(0.0, 0, 1, 0)], "four whole numbers (i, j, r, s), not (0.0, 0, 1, 0)"),
        ([[0, 0, 1, 0]], "four whole numbers (i, j, r, s), not [0, 0, 1, 0]"),
        (["h0"], "four whole numbers (i, j, r, s), not 'h0'"),
    ],
)
def test_a_move_that_breaks_a_rule_is_an_error_that_names_it(move: list[Line], rule: str) -> None:
    board = Board(2, THREE_SIDES)
    assert not isvalidmove(board, move)
    with pytest.raises(InvalidMove) as error:
        makemove(board, move, "red", copyboard=False)
    assert rule in str(error.value)
    assert board == Board(2, THREE_SIDES)


def test_new_boxes_are_asked_of_lines_only() -> None:
    with pytest.raises(ValueError, match="a line goes from a dot to the next"):
        getnewboxes([], (0, 0, 2, 0))


@each(
    "board, reason",
    [
        ((0, []), "at least one box"),
        ((2, [RIGHT, RIGHT]), "drawn already"),
        ((2, [(0, 0, 0, 2)]), "to the next"),
        ((2, [(0, 3, 1, 3)]), "isn't on the board"),
        ((2, THREE_SIDES, [(0, 0)]), "its lines aren't all drawn"),
        ((2, [*THREE_SIDES, RIGHT], [(0, 0)], [(0, 0)]), "owned twice"),
    ],
)
def test_there_is_no_board_that_cant_be(board: tuple[int, list[Line]], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Board(*board)
