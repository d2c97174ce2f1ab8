"""Moves and positions as text, both ways, and what is said about mistakes."""

import pytest
from tests.cases import each

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.errors import FormatError, MalformedMove, MoveOutOfRange
from boxroom_engine.games.protocol import Seat

FOUR_BY_FIVE = Dots(4, 5, Border.NONE, 2)


class TestMoves:
    @each("text", ["v12", "V12", " v12", "v12\t", "v012", "V0000000000000012"])
    def test_case_spaces_and_zeros_do_not_matter(self, text: str) -> None:
        assert FOUR_BY_FIVE.parse_move(text) == 25 + 12

    @each(
        "text, sentence",
        [
            ("h25", "h25 is not on a 4×5 board: h0 to h24"),
            ("h31", "h31 is not on a 4×5 board: h0 to h24"),
            ("V24", "v24 is not on a 4×5 board: v0 to v23"),
            ("h0099", "h99 is not on a 4×5 board: h0 to h24"),
            ("h" + "9" * 21, "h99999999999999… is not on a 4×5 board: h0 to h24"),
            ("v" + "9" * 9999, "v99999999999999… is not on a 4×5 board: v0 to v23"),
        ],
    )
    def test_out_of_range(self, text: str, sentence: str) -> None:
        with pytest.raises(MoveOutOfRange) as caught:
            FOUR_BY_FIVE.parse_move(text)
        assert str(caught.value) == sentence
        assert caught.value.code == "out_of_range"

    @each("text", ["", "h", "3", "hh3", "h3x", "h-1", "h+1", "h1.0", "h٣", "h²", "ħ3", "h3 v4"])
    def test_malformed(self, text: str) -> None:
        with pytest.raises(MalformedMove) as caught:
            FOUR_BY_FIVE.parse_move(text)
        right = "is no move: type h or v and a number, h0 to h24 or v0 to v23"
        assert str(caught.value) == f"{text!r} {right}"
        assert caught.value.code == "malformed_move"

    def test_a_long_mistake_is_not_repeated_whole(self) -> None:
        with pytest.raises(MalformedMove, match=r"^'h0h0h0h0h0h0h0h…' is no move"):
            FOUR_BY_FIVE.parse_move("h0" * 999)

    @each("text", ["h 3", "H3", "H  003 ", "h3,", " h3.", "h3 ;", "h3..."])
    def test_one_move_beyond_doubt(self, text: str) -> None:
        assert FOUR_BY_FIVE.looks_like_move(text)
        assert FOUR_BY_FIVE.format_move(FOUR_BY_FIVE.parse_move(text)) == "h3"

    @each(
        "text",
        [
            *("3", "12.", "3h", "h", "V", "h-1", "h+1", "h3x", "hh3", "h2o", "h3!", "h3?", "h3/v4"),
            *("h3 v4", "h3,v4", "h 3 v 4", "3 4", "h3 4", "h v", "h3 h3"),
            *("h3 was mean", "H 3 is mine", "h3, sorry", "v0 or h2?", "v2.0 is out"),
        ],
    )
    def test_what_looks_like_moves_and_isnt_one(self, text: str) -> None:
        assert FOUR_BY_FIVE.looks_like_move(text)
        with pytest.raises(MalformedMove):
            FOUR_BY_FIVE.parse_move(text)

    @each(
        "text",
        [
            *("hi", "very nice", "", "3 more boxes for me", "hello h3", "h--1", "h٣"),
            *("3?", "10!", "1st", "...", ",", "v for vendetta", "have 3", "hm, h3", "h2o is water"),
        ],
    )
    def test_chat(self, text: str) -> None:
        assert not FOUR_BY_FIVE.looks_like_move(text)

    def test_how_to_move_is_about_this_board(self) -> None:
        assert str(FOUR_BY_FIVE.how_to_move) == (
            "To draw a line, type its name: h0 to h24 are the horizontal lines and v0 to v23 the"
            " vertical ones, counted from 0, row by row from the top left. The box in the top left"
            " corner has h0 above, h5 below, v0 on its left and v1 on its right."
        )


class TestPositions:
    game = Dots(1, 2, Border.NONE, 3)

    def test_an_example(self) -> None:
        state = self.game.initial()
        assert self.game.format_position(state) == "00/0,0,0/0/-"
        for name in "h0", "h2", "v0", "v1":
            state = state.play(self.game.parse_move(name))
        state = state.withdraw(Seat(2))
        assert self.game.format_position(state) == "35/1,0,0/0/2"
        assert self.game.format_position(state.withdraw(Seat(0))) == "35/1,0,0/-/0,2"

    def test_who_drew_the_edges_is_not_in_it(self) -> None:
        state = self.game.parse_position("35/1,0,0/0/2")
        assert state.drawn_by == (0, 0, 0)
        assert state.last is None
        assert state.taken == ()

    @each(
        "text, sentence",
        [
            ("", "a position has 4 parts, edges/boxes/to move/withdrawn, not 1"),
            ("00/0,0,0/0/-/", "a position has 4 parts, edges/boxes/to move/withdrawn, not 5"),
            ("00/0,0/0/-", "there are 3 seats, so 3 sets of boxes, not 2"),
            ("000/0,0,0/0/-", "7 edges take 2 hexadecimal digits, not 3"),
            ("00/0,00,0/0/-", "2 boxes take 1 hexadecimal digits, not 2"),
            ("0F/0,0,0/0/-", "edges are hexadecimal digits, 0 to 9 and a to f, not '0F'"),
            ("+f/0,0,0/0/-", "edges are hexadecimal digits, 0 to 9 and a to f, not '+f'"),
            ("0٣/0,0,0/0/-", "edges are hexadecimal digits, 0 to 9 and a to f, not '0٣'"),
            ("80/0,0,0/0/-", "the board has edges 0 to 6, not 7"),
            ("00/4,0,0/0/-", "the board has boxes 0 to 1, not 2"),
            ("35/0,0,0/0/-", "box 0 is complete, but no seat owns it"),
            ("34/1,0,0/0/-", "box 0 is owned, but not all of its sides are drawn"),
            ("35/1,1,0/0/-", "box 0 is owned by two seats"),
            ("00/0,0,0/3/-", "seats are 0 to 2, not '3'"),
            ("00/0,0,0//-", "seats are 0 to 2, not ''"),
            ("00/0,0,0/00/-", "seats are 0 to 2, not '00'"),
            ("00/0,0,0/0/3", "seats are 0 to 2, not '3'"),
            ("00/0,0,0/0/", "seats are 0 to 2, not ''"),
            ("00/0,0,0/0/2,1", "seats withdrawn stand in ascending order, each once, not 2,1"),
            ("00/0,0,0/0/1,1", "seats withdrawn stand in ascending order, each once, not 1,1"),
            ("00/0,0,0/-/0,1,2", "not all seats can withdraw: the last one left ends the game"),
            ("00/0,0,0/0/0", "seat 0 has withdrawn, so it can't be to move"),
            ("00/0,0,0/-/1", "the game isn't over, so a seat must be to move, not '-'"),
            ("7f/3,0,0/0/-", "the game is over, so '-' is to move, not seat 0"),
            ("00/0,0,0/0/1,2", "the game is over, so '-' is to move, not seat 0"),
        ],
    )
    def test_mistakes(self, text: str, sentence: str) -> None:
        with pytest.raises(FormatError) as caught:
            self.game.parse_position(text)
        assert str(caught.value) == sentence
        assert caught.value.code == "bad_format"

    def test_the_border_must_be_drawn(self) -> None:
        with pytest.raises(FormatError, match=r"^the border is half, so h2 must be drawn$"):
            Dots(1, 2, Border.HALF, 2).parse_position("00/0,0/0/-")
