"""The expectation in Dots and Boxes: exact in endgames, else what is on offer and a forecast."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.engine.bots.tables import table_positions
from tests.engine.bots.test_greedy import played
from tests.engine.games.dots.boards import endgame_position

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import after_taking_all, neutral
from boxroom_engine.games.dots.theory.expectation import expected
from boxroom_engine.games.protocol import Seat
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.recursive import RecursiveMinimax


def boxes_ahead(position: Position, seat: int) -> float:
    grid = position.game.grid
    return expected(position, Seat(seat)) * (1 + grid.rows * grid.cols)


@given(st.integers(0, 2**32), st.sampled_from([(2, 2), (1, 3), (2, 3)]))
def test_for_two_an_endgame_is_worth_what_minimax_says(seed: int, size: tuple[int, int]) -> None:
    position = endgame_position(Dots(*size, Border.NONE, 2), random.Random(seed))
    for seat in (Seat(0), Seat(1)):
        value = RecursiveMinimax(memo=Memo()).value(position, seat)
        assert boxes_ahead(position, seat) == pytest.approx(value)


@given(table_positions())
def test_with_neutral_moves_left_it_is_the_lead_with_what_is_on_offer(position: Position) -> None:
    after = after_taking_all(position)
    assume(neutral(after))
    scores = list(after.scores)
    for seat in range(position.game.seats):
        others = {s for s in range(position.game.seats) if s not in position.withdrawn} - {seat}
        ahead = scores[seat] - max(scores[other] for other in others)
        assert boxes_ahead(position, seat) == pytest.approx(ahead)


@given(table_positions())
def test_it_is_between_won_and_lost(position: Position) -> None:
    for seat in range(position.game.seats):
        assert -1 < expected(position, Seat(seat)) < 1
    if position.game.seats == 2:
        assert expected(position, Seat(0)) == pytest.approx(-expected(position, Seat(1)))


def test_of_three_the_next_one_gets_the_chain_that_must_be_opened() -> None:
    position = played(Dots(1, 3, Border.NONE, 3), "h0 h1 h2 h3 h4 h5")
    assert [boxes_ahead(position, seat) for seat in range(3)] == pytest.approx([-3, 3, -3])


def test_a_player_alone_has_what_is_taken_and_on_offer() -> None:
    position = played(Dots(1, 3, Border.NONE, 1), "h0 h1 h2 h3 h4 h5")
    assert boxes_ahead(position, 0) == 0
    assert boxes_ahead(position.play(position.game.parse_move("v0")), 0) == 3
