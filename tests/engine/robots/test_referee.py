"""Answers of robots: the valid ones, and the errors for all others."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.registry import make_game
from boxroom_engine.robots import make_random_move
from boxroom_engine.robots.geometry import board_of
from boxroom_engine.robots.referee import BadAnswer, check_move, check_turn

ONE_BOX = Dots(1, 1, Border.NONE, 2)


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError


@given(st.integers(1, 4), st.integers())
def test_the_turns_of_a_classic_robot_make_a_game(size: int, seed: int) -> None:
    rng, position = random.Random(seed), Dots(size, size, Border.NONE, 2).initial()
    while not position.is_over:
        seat = position.to_move
        for move in check_turn(position, make_random_move(board_of(position), rng)):
            assert position.to_move == seat
            position = position.play(move)
        assert position.to_move != seat


@each(
    "answer, rule",
    [
        (None, "a turn is a list of lines, and that is None, as of a function without return"),
        ((0, 0, 0, 1), "a turn is a list of lines, and that is tuple"),
        ([], "a turn has at least one line, and 4 are free"),
        ([(0, 0, 0, 2)], "a line goes from a dot to the next on the right or above"),
    ],
)
def test_the_author_of_a_classic_robot_sees_board_answer_and_rule(
    answer: object, rule: str
) -> None:
    with pytest.raises(BadAnswer) as error:
        check_turn(ONE_BOX.initial(), answer)
    assert error.value.position == "Board(size=1, lines=[], red_boxes=[], blue_boxes=[])"
    assert error.value.answer == repr(answer)
    assert rule in error.value.rule
    assert str(error.value) == (
        f"in {error.value.position} the robot answered {answer!r}: {error.value.rule}"
    )


def test_a_modern_robot_answers_a_number_or_a_text() -> None:
    state = ONE_BOX.initial()
    assert check_move(state, 2) == 2
    assert check_move(state, "v0") == 2
    noughts = make_game("noughts", {}, 2).initial()
    assert check_move(noughts, "1,1") == 4


@each(
    "answer, rule",
    [
        (None, "a move is a number or a text such as 'h0', and that is None"),
        (True, "and that is bool"),
        (1.0, "and that is float"),
        (99, "line 99 is not on a 1×1 board"),
        ("h7", "h7"),
        ("left", "left"),
    ],
)
def test_the_author_of_a_modern_robot_sees_position_answer_and_rule(
    answer: object, rule: str
) -> None:
    state = ONE_BOX.initial()
    with pytest.raises(BadAnswer) as error:
        check_move(state, answer)
    assert error.value.position == ONE_BOX.format_position(state)
    assert error.value.answer == repr(answer)
    assert rule in error.value.rule


def test_a_move_that_was_made_already_isnt_one_more() -> None:
    state = ONE_BOX.initial().play(ONE_BOX.parse_move("h0"))
    with pytest.raises(BadAnswer, match="h0 is already drawn; h1 is still free"):
        check_move(state, "h0")


def test_long_and_strange_answers_are_shown_as_far_as_they_can_be() -> None:
    with pytest.raises(BadAnswer) as error:
        check_move(ONE_BOX.initial(), ["x"] * 1000)
    assert len(error.value.answer) == 200
    with pytest.raises(BadAnswer, match="something whose repr raises RuntimeError"):
        check_move(ONE_BOX.initial(), Unspeakable())
