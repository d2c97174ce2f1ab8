"""Positions as FEN."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.draughts import Draughts
from boxroom_engine.games.draughts.fen import format_fen, parse_fen
from boxroom_engine.games.errors import FormatError

ENGLISH, INTERNATIONAL = Draughts("english", "usual"), Draughts("international", "usual")


def test_the_first_position() -> None:
    assert format_fen(ENGLISH.initial()) == (
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    )
    assert parse_fen("B:W21-32:B1-12.", ENGLISH) == ENGLISH.initial()
    assert parse_fen("W:B1-20:W31-50", INTERNATIONAL) == INTERNATIONAL.initial()


@given(st.sampled_from([ENGLISH, INTERNATIONAL]), st.integers(0, 1_000))
def test_reading_is_the_inverse_of_writing(game: Draughts, seed: int) -> None:
    rng, state = random.Random(seed), game.initial()
    while not state.is_over:
        read = parse_fen(format_fen(state), game)
        assert (read.pieces, read.turn) == (state.pieces, state.turn)
        assert read.steps == state.steps
        state = state.play(rng.choice(state.legal_moves()))


@each(
    "text, why",
    [
        ("", "a FEN is such as"),
        ("W:W1:W2", "a FEN is such as"),
        ("G:W1:B2", "a FEN is such as"),
        ("W:W33:B2", "squares in a FEN are 1 to 32, with K for a king, not '33'"),
        ("W:Wx:B2", "not 'x'"),
        ("W:W9-4:B2", "not '9-4'"),
        ("W:W7:B7", "two pieces stand on one square"),
        ("W:W7,K7:B8", "two pieces stand on one square"),
        ("W:W1:B8", "the men of seat 1 are kings on the last row"),
        ("W:W13-25:B8", "at most 12 pieces"),
    ],
)
def test_what_is_no_position_is_refused(text: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        parse_fen(text, ENGLISH)
