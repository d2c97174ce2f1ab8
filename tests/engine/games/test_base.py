"""Bases of games: the parts that follow from the rest, in the smallest game."""

import sys

import pytest
from tests.cases import each

from boxroom_engine.games.protocol import GameKind, Seat, State
from boxroom_engine.games.registry import KINDS, make_game

GAME = make_game("subtract-square", {"start": 5}, 2)


def after(*moves: str) -> State:
    state = GAME.initial()
    for move in moves:
        state = state.play(GAME.parse_move(move))
    return state


def test_options_are_the_attributes_of_their_names() -> None:
    assert GAME.options == {"start": 5}
    assert GAME.kind.make(GAME.options, 2) == GAME


def test_work_and_rules_are_those_of_most_games() -> None:
    assert (GAME.work, GAME.rules) == (GAME.longest, GAME.kind.rules)


@each("seat, worth", [(0, -1.0), (1, 1.0)])
def test_a_finished_game_is_worth_its_result(seat: int, worth: float) -> None:
    assert after("4").evaluate(Seat(seat)) == 0.0
    over = after("4", "1")
    assert over.is_over
    assert over.evaluate(Seat(seat)) == worth
    assert over.taken == ()


def test_positions_with_the_same_key_are_equal() -> None:
    one, other = after("1", "1", "1"), after("1", "1", "1")
    assert one == other
    assert hash(one) == hash(other)
    assert one != after("1")


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_bases_add_no_memory_to_a_position(kind: GameKind) -> None:
    """A base without slots would give each position a dictionary."""
    state = kind.make({}, 2).initial()
    assert not hasattr(state, "__dict__")
    assert sys.getsizeof(state) < 200
