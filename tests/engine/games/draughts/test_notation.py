"""Names of moves: as text, as numbers, and what each means in a position."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.draughts.positions import names, play, position

from boxroom_engine.games.draughts import Draughts
from boxroom_engine.games.draughts.notation import Name, decode, encode, parse_name
from boxroom_engine.games.errors import AmbiguousMove, IllegalMove, MalformedMove, MoveOutOfRange
from boxroom_engine.games.protocol import Move

ENGLISH, INTERNATIONAL = Draughts("english", "usual"), Draughts("international", "usual")


@given(st.integers(0, 400))
def test_text_and_number_are_inverse_to_reading_them(seed: int) -> None:
    rng, state = random.Random(seed), INTERNATIONAL.initial()
    board, rules = INTERNATIONAL.board, INTERNATIONAL.differences
    while not state.is_over:
        move = rng.choice(state.legal_moves())
        name = decode(move, board, rules)
        assert encode(name, board) == move
        assert parse_name(str(name), board, rules) == name
        state = state.play(move)


@given(st.integers(-5, 10**8))
def test_a_number_is_that_of_one_name_or_of_none(number: int) -> None:
    try:
        name = decode(Move(number), ENGLISH.board, ENGLISH.differences)
    except MoveOutOfRange:
        return
    assert encode(name, ENGLISH.board) == number
    assert parse_name(str(name), ENGLISH.board, ENGLISH.differences) == name


def test_spaces_and_capitals_do_not_matter() -> None:
    for text in "22x15x8", " 22 X 15 x 8. ":
        read = parse_name(text, ENGLISH.board, ENGLISH.differences)
        assert read == Name((22, 15, 8), is_capture=True)


@each("text", ["11", "11-", "11-15-18", "x", "11:15", "1234-5", "11 15", "-3"])
def test_what_has_not_the_form_of_a_name_is_malformed(text: str) -> None:
    with pytest.raises(MalformedMove, match="is no move: type two squares"):
        ENGLISH.parse_move(text)


@each(
    "text, why",
    [
        ("33-28", "there is no square 33 here: squares are 1 to 32"),
        ("0-5", "there is no square 0"),
        ("11-14", "11 and 14 aren't on one diagonal"),
        ("1-10", "no piece moves as far as from 1 to 10"),
        ("22x15x11", "between 15 and 11 there is no square"),
        ("1x10x28", "no piece moves as far as from 10 to 28"),
        ("x".join(["1", "10"] * 30), "no capture lands on 60 squares"),
    ],
)
def test_names_that_no_move_on_the_board_has_are_out_of_range(text: str, why: str) -> None:
    with pytest.raises(MoveOutOfRange, match=why):
        ENGLISH.parse_move(text)


def test_flying_kings_move_further() -> None:
    assert INTERNATIONAL.format_move(INTERNATIONAL.parse_move("5-46")) == "5-46"


def test_the_ends_of_a_capture_are_enough_and_every_square_is_right_too() -> None:
    state = position("english", ((1,), (6, 15)))
    assert names(state) == ["1x19"]
    assert play(state, "1x19") == play(state, "1x10x19")


def test_captures_of_other_pieces_between_the_same_squares_need_all_squares() -> None:
    state = position("english", men=((2,), (6, 7, 14, 15)))
    assert names(state) == ["2x9x18", "2x11x18"]
    with pytest.raises(AmbiguousMove, match="2x18 can be several captures: type 2x9x18 or 2x11x18"):
        play(state, "2x18")
    assert play(state, "2x9x18").taken == (5, 13)
    assert play(state, "2x11x18").taken == (6, 14)


def test_paths_that_capture_the_same_pieces_are_one_move() -> None:
    state = position("english", kings=((2,), (6, 7, 14, 15)))
    assert names(state) == ["2x2"]
    assert play(state, "2x2") == play(state, "2x9x18x11x2") == play(state, "2x11x18x9x2")


def test_refusals_say_what_is_possible() -> None:
    start = ENGLISH.initial()
    for text, why in [
        ("17-14", "no piece of yours stands on 17"),
        ("9-6", "the piece on 9 can't play 9-6: it can play 9-13 or 9-14"),
        ("1-6", "the piece on 1 can't play 1-6: it has no move now"),
    ]:
        with pytest.raises(IllegalMove) as caught:
            play(start, text)
        assert str(caught.value) == why
    with pytest.raises(IllegalMove, match="15-19 isn't possible: you have to capture: 15x22"):
        play(start, "11-15", "22-18", "15-19")
