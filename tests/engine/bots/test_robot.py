"""Robots as bots: which form they have, what they are asked, and what their authors are told."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.clocks import no_limit

from boxroom_engine import robots
from boxroom_engine.bots.robot import NoRobot, Robot
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.robots import Board, Line, make_random_move
from boxroom_engine.robots.referee import BadAnswer, RobotRaised

TWO_BOXES = Dots(1, 2, Border.NONE, 2)
SQUARE = Dots(2, 2, Border.NONE, 2)


def choose(robot: Robot, state: State) -> Move:
    return robot.choose(state, no_limit(), random.Random(1))


def first_free(state: State) -> int:
    return state.legal_moves()[0]


# Which form it has


def by_name(board):  # type: ignore[no-untyped-def]
    return make_random_move(board)


def by_annotation(position: Board) -> list[Line]:
    return make_random_move(position)


def by_text(position: "Board") -> list[Line]:
    return make_random_move(position)


def by_long_text(position: "robots.Board") -> list[Line]:
    return make_random_move(position)


@each("function", [by_name, by_annotation, by_text, by_long_text])
def test_what_takes_a_board_is_classic(function: Callable[[Board], list[Line]]) -> None:
    robot = Robot("mine", function)
    assert robot.is_classic
    assert [name for name, kind in KINDS.items() if robot.supports(kind)] == ["dots"]


@each("function", [first_free, lambda anything: 0])
def test_anything_else_is_modern_and_plays_every_game(function: Callable[[State], int]) -> None:
    robot = Robot("mine", function)
    assert not robot.is_classic
    for kind in KINDS.values():
        assert robot.supports(kind)
        robot.check_plays(kind.make({}, 2))


@each(
    "thing, why",
    [
        (lambda: 0, "one argument"),
        (lambda one, other: 0, "one argument"),
        (7, "a robot is a function, not int"),
    ],
)
def test_what_cant_be_called_with_a_position_is_no_robot(
    thing: Callable[[object], object], why: str
) -> None:
    with pytest.raises(NoRobot, match=why):
        Robot("mine", thing)


@each("rows, cols, seats", [(2, 3, 2), (2, 2, 3)])
def test_a_classic_robot_plays_on_squares_for_two(rows: int, cols: int, seats: int) -> None:
    robot = Robot("mine", by_name)
    robot.check_plays(SQUARE)
    with pytest.raises(OptionError, match="plays on square boards, for two"):
        robot.check_plays(Dots(rows, cols, Border.NONE, seats))
    with pytest.raises(OptionError, match="doesn't play noughts"):
        robot.check_plays(make_game("noughts", {}, 2))


# What it is asked


@given(st.integers(1, 4), st.integers())
def test_a_classic_robot_is_asked_once_a_turn(size: int, seed: int) -> None:
    rng, state = random.Random(seed), Dots(size, size, Border.NONE, 2).initial()
    asked: list[Board] = []

    def robot(board: Board) -> list[Line]:
        asked.append(board)
        return make_random_move(board, rng)

    bot, turns, before = Robot("mine", robot), 0, None
    while state.to_move is not None:
        turns += state.to_move != before
        before = state.to_move
        state = state.play(choose(bot, state))
    assert len(asked) == turns


def test_the_rest_of_a_turn_is_forgotten_when_the_game_goes_on_elsewhere() -> None:
    answers = iter([[(0, 0, 1, 0), (0, 1, 0, 2)], [(1, 1, 2, 1)]])

    def robot(board: Board) -> list[Line]:
        return next(answers)

    bot = Robot("mine", robot)
    three_sides = [SQUARE.parse_move(edge) for edge in ("h2", "v3", "v4")]
    state = SQUARE.initial()
    for move in three_sides:
        state = state.play(move)
    assert SQUARE.format_move(choose(bot, state)) == "h4"
    elsewhere = SQUARE.initial()
    assert SQUARE.format_move(choose(bot, elsewhere)) == "h3"


def test_a_modern_robot_answers_numbers_and_texts() -> None:
    assert choose(Robot("mine", first_free), TWO_BOXES.initial()) == 0
    assert choose(Robot("mine", lambda state: "v2"), TWO_BOXES.initial()) == 6
    noughts = make_game("noughts", {}, 2)
    assert choose(Robot("mine", lambda state: "1,1"), noughts.initial()) == 4


# What its author is told


@each(
    "function, sentence",
    [
        (lambda board: None, "in Board(size=2, lines=[], red_boxes=[], blue_boxes=[]) the robot"),
        (lambda board: [], "the robot answered []: a turn has at least one line"),
        (lambda state: None, "the robot answered None: a move is a number or a text such as 'h0'"),
    ],
)
def test_wrong_answers_are_refused_with_the_rule(
    function: Callable[[object], object], sentence: str
) -> None:
    with pytest.raises(BadAnswer) as error:
        choose(Robot("mine", function), SQUARE.initial())
    assert sentence in str(error.value)


def test_an_exception_is_told_with_the_position_and_the_line() -> None:
    def robot(state: State) -> int:
        raise ValueError("no line is left")

    with pytest.raises(RobotRaised) as error:
        choose(Robot("mine", robot), SQUARE.initial())
    assert error.value.position == SQUARE.format_position(SQUARE.initial())
    line = robot.__code__.co_firstlineno + 1
    assert str(error.value) == (
        f"in {error.value.position} the robot raised ValueError:"
        f" no line is left ({__file__}, line {line})"
    )
