"""Notation of seats in the positions of all games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.notation import (
    check_to_move,
    format_to_move,
    format_withdrawn,
    parse_to_move,
    parse_withdrawn,
    shorten,
)
from boxroom_engine.games.protocol import Seat

NONE_WITHDRAWN: frozenset[Seat] = frozenset()
seats = st.integers(0, 4).map(Seat)


@given(st.none() | seats)
def test_the_seat_to_move_reads_as_it_was_written(seat: Seat | None) -> None:
    assert parse_to_move(format_to_move(seat), 5) == seat


@given(st.frozensets(seats, max_size=4))
def test_the_seats_withdrawn_read_as_they_were_written(withdrawn: frozenset[Seat]) -> None:
    assert parse_withdrawn(format_withdrawn(withdrawn), 5) == withdrawn


@each("text", ["", "3", "01", "+1", "-1", "٣", " 1", "9" * 5000])
def test_no_seat(text: str) -> None:
    with pytest.raises(FormatError, match=r"^seats are 0 to 2, not '"):
        parse_to_move(text, 3)


@each(
    "text, sentence",
    [
        ("0,", "seats are 0 to 2, not ''"),
        ("1,0", "seats withdrawn stand in ascending order, each once, not 1,0"),
        ("1,1", "seats withdrawn stand in ascending order, each once, not 1,1"),
        ("0,1,2", "not all seats can withdraw: the last one left ends the game"),
    ],
)
def test_those_who_can_not_have_withdrawn(text: str, sentence: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_withdrawn(text, 3)
    assert str(caught.value) == sentence


def test_a_single_player_can_have_withdrawn() -> None:
    assert parse_withdrawn("0", 1) == {Seat(0)}


def test_a_seat_is_to_move_until_the_game_is_over() -> None:
    check_to_move(Seat(1), frozenset({Seat(0)}), is_over=False)
    check_to_move(None, NONE_WITHDRAWN, is_over=True)
    with pytest.raises(FormatError, match="the game is over, so '-' is to move, not seat 1"):
        check_to_move(Seat(1), NONE_WITHDRAWN, is_over=True)
    with pytest.raises(FormatError, match="a seat must be to move, not '-'"):
        check_to_move(None, NONE_WITHDRAWN, is_over=False)
    with pytest.raises(FormatError, match="seat 1 has withdrawn, so it can't be to move"):
        check_to_move(Seat(1), frozenset({Seat(1)}), is_over=False)


def test_long_texts_are_quoted_in_part() -> None:
    assert shorten("x" * 16) == "x" * 16
    assert shorten("x" * 17) == "x" * 15 + "…"
