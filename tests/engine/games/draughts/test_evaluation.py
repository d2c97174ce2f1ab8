"""Evaluation of positions of draughts: each part, and what is expected of them together."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.draughts.positions import position

from boxroom_engine.games.draughts import KIND, Draughts, Position
from boxroom_engine.games.draughts.evaluation import (
    WEIGHTS,
    EvaluationParts,
    expected,
    material,
    parts_of,
)
from boxroom_engine.games.protocol import Seat


def test_the_first_position_is_even() -> None:
    state = Draughts("english", "usual").initial()
    assert parts_of(state, Seat(0)) == EvaluationParts(0, 0, 0, 0, 0)
    assert expected(state, Seat(0)) == 0


def test_each_part_is_a_difference() -> None:
    state = position("english", ((1, 10), (32, 25, 24)), ((18,), ()))
    parts = parts_of(state, Seat(0))
    assert (parts.men, parts.kings) == (-1, 1)
    assert parts.back_rank == 0  # the men on 1 and on 32
    assert parts.mobility == (2 + 2 + 4) - (2 + 2 + 2)
    assert parts.tempo == pytest.approx(((0 + 2) - (0 + 1 + 2)) / 6)


@each("rules", WEIGHTS)
def test_men_and_kings_are_worth_something(rules: str) -> None:
    assert WEIGHTS[rules].kings > WEIGHTS[rules].men > 0
    pieces = ((6, 7), (26,)) if rules == "english" else ((40, 41), (10,))
    assert expected(position(rules, pieces), Seat(0)) > 0.1


@given(st.sampled_from(["english", "international"]), st.integers(0, 1_000))
def test_the_expectation_is_between_a_loss_and_a_win(rules: str, seed: int) -> None:
    rng, state = random.Random(seed), Draughts(rules, "usual").initial()
    while not state.is_over:
        assert -1 < expected(state, Seat(0)) == -expected(state, Seat(1)) < 1
        assert -1 <= material(state, Seat(0)) == -material(state, Seat(1)) <= 1
        state = state.play(rng.choice(state.legal_moves()))


def test_a_position_with_a_capture_is_unsettled() -> None:
    assert KIND.is_unsettled is not None
    unsettled, settled = position("english", ((1,), (6,))), position("english", ((1,), (10,)))
    assert isinstance(settled, Position)
    assert KIND.is_unsettled(unsettled)
    assert not KIND.is_unsettled(settled)
