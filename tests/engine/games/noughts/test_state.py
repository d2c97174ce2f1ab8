"""Noughts and crosses 3×3: the rules, moves and positions; and larger boards."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.noughts.boards import CUBE, THREE, TWO, make, played

from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    MalformedMove,
    MoveOutOfRange,
    OptionError,
)
from boxroom_engine.games.noughts import KIND, CellTaken, Noughts
from boxroom_engine.games.protocol import Move, Outcome, Seat


def has_line(places: set[tuple[int, ...]], length: int) -> bool:
    """Whether `length` of `places` are in a row; it tries each place and every direction."""
    return any(
        any(step)
        and all(
            tuple(x + n * dx for x, dx in zip(place, step, strict=True)) in places
            for n in range(length)
        )
        for place in places
        for step in product((-1, 0, 1), repeat=len(place))
    )


class TestRules:
    @each(
        "won, other",
        [
            ((0, 1, 2), (3, 4)),
            ((3, 4, 5), (0, 1)),
            ((6, 7, 8), (0, 1)),
            ((0, 3, 6), (1, 2)),
            ((1, 4, 7), (0, 2)),
            ((2, 5, 8), (0, 1)),
            ((0, 4, 8), (1, 2)),
            ((2, 4, 6), (0, 1)),
        ],
    )
    def test_three_in_a_row_win(self, won: tuple[int, ...], other: tuple[int, ...]) -> None:
        state = played(TWO, won[0], other[0], won[1], other[1])
        assert state.outcome is None
        state = state.play(Move(won[2]))
        assert state.outcome == Outcome((1, 0), (Seat(0),))
        assert [state.evaluate(Seat(seat)) for seat in range(2)] == [1, -1]
        assert state.legal_moves() == ()

    def test_a_full_board_is_a_draw(self) -> None:
        state = played(TWO, 0, 1, 2, 4, 3, 5, 7, 6, 8)
        assert state.outcome == Outcome((0, 0), ())
        assert state.evaluate(Seat(0)) == 0

    def test_the_last_cell_can_win(self) -> None:
        state = played(TWO, 0, 1, 2, 3, 4, 6, 5, 7, 8)
        assert state.outcome == Outcome((1, 0), (Seat(0),))

    def test_mistakes(self) -> None:
        state = played(TWO, 4, 0)
        with pytest.raises(
            CellTaken, match=r"^cell 4 is taken; free: 1, 2, 3, 5, 6, 7, 8$"
        ) as caught:
            state.play(Move(4))
        assert caught.value.code == "cell_taken"
        for cell in -1, 9:
            with pytest.raises(MoveOutOfRange, match=rf"^{cell} is not on a 3×3 board"):
                state.play(Move(cell))
        over = state.withdraw(Seat(0))
        with pytest.raises(GameIsOver):
            over.play(Move(1))
        with pytest.raises(GameIsOver):
            over.withdraw(Seat(1))

    def test_a_position_is_a_value(self) -> None:
        one, other = played(TWO, 0, 1, 2), played(TWO, 2, 1, 0)
        assert one == other
        assert hash(one) == hash(other)
        assert one != played(THREE, 0, 1, 2)
        assert one != "012"


class TestLargerBoards:
    def test_the_rules_say_how_many_in_a_row_win(self) -> None:
        cube = make(2, dims="4,4,4", line=4)
        assert "A row of 4 of your marks wins" in str(cube.rules)
        assert "3" not in f"{cube.rules} {cube.kind.rules}"

    def test_a_line_may_go_through_all_slices(self) -> None:
        state = played(CUBE, 0, 1, 13, 2, 26)
        assert state.outcome == Outcome((1, 0), (Seat(0),))

    def test_as_many_in_a_row_win_as_the_option_says(self) -> None:
        game = make(4, dims="6,7", line=4)
        state = played(game, 0, 7, 14, 21, 1, 8, 15, 22, 2, 9, 16, 23)
        assert not state.is_over
        assert played(game, 0, 7, 14, 21, 1, 8, 15, 22, 2, 9, 16, 23, 3).scores == (1, 0, 0, 0)

    @given(
        st.sampled_from(
            [make(2), make(3), make(2, dims="4,3", line=4), make(4, dims="3,3,3"), CUBE]
        ),
        st.data(),
    )
    def test_the_first_line_wins_and_else_the_board_gets_full(
        self, game: Noughts, data: st.DataObject
    ) -> None:
        state = game.initial()
        while not state.is_over:
            assert state.scores == (0,) * game.seats
            state = state.play(data.draw(st.sampled_from(state.legal_moves())))
        marked = [
            {place for cell, place in enumerate(game.board.places) if state.cells[cell] == seat}
            for seat in range(game.seats)
        ]
        winners = [seat for seat in range(game.seats) if has_line(marked[seat], game.line)]
        assert state.outcome is not None
        assert list(state.outcome.winners) == winners
        assert winners or None not in state.cells
        if game.seats == 2:
            assert state.evaluate(Seat(0)) == -state.evaluate(Seat(1))

    @each(
        "seats, options, sentence",
        [
            (2, {"dims": "1,3"}, "a board has at least 2 cells in each dimension"),
            (2, {"dims": "0"}, "a board has at least 2 cells in each dimension"),
            (2, {"dims": "8,8,8"}, "a board has at most 500 cells: choose smaller dims"),
            (2, {"dims": "2," * 999 + "2"}, "a board has at most 500 cells"),
            (2, {"dims": "three"}, "dims is the cells in each dimension, such as 3,3"),
            (2, {"line": 4}, "4 in a row don't fit on 3×3 cells"),
            (2, {"line": 1}, "line must be 2 to 20, not 1"),
            (4, {}, "has at most 3 seats, not 4, with 3 in a row on 3×3 cells"),
            (10, {"dims": "3,3,3"}, "has at most 9 seats, not 10, with 3 in a row on 3×3×3"),
            (11, {"dims": "9,9"}, "Noughts and Crosses has at most 10 seats, not 11"),
        ],
    )
    def test_which_there_are(
        self, seats: int, options: dict[str, int | str], sentence: str
    ) -> None:
        with pytest.raises(OptionError, match=sentence):
            KIND.make(options, seats)

    def test_a_large_board_names_some_of_its_free_cells(self) -> None:
        state = played(CUBE, 0)
        with pytest.raises(CellTaken, match=r"free: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 16 more$"):
            state.play(Move(0))


class TestMoves:
    @each("text", ["5", " 5 ", "05", "1,2", "1, 2", " 1 ,2", "01,002"])
    def test_ways_to_type_a_cell(self, text: str) -> None:
        assert TWO.looks_like_move(text)
        assert TWO.parse_move(text) == 5

    @each(
        "text, sentence",
        [
            ("9", "9 is not on a 3×3 board: cells are 0 to 8"),
            ("9" * 9999, "999999999999999… is not on a 3×3 board: cells are 0 to 8"),
            ("0,3", "0,3 is not on a 3×3 board: rows and columns are 0 to 2"),
            ("12,0", "12,0 is not on a 3×3 board: rows and columns are 0 to 2"),
        ],
    )
    def test_out_of_range(self, text: str, sentence: str) -> None:
        assert TWO.looks_like_move(text)
        with pytest.raises(MoveOutOfRange) as caught:
            TWO.parse_move(text)
        assert str(caught.value) == sentence

    @each(
        "text", ["-1", "5x", "1,", "1,2,0", "1,x", "1.2", "+3", ",1", "5?", "1 2", "4 5 6", "1,2 4"]
    )
    def test_malformed(self, text: str) -> None:
        assert TWO.looks_like_move(text)
        with pytest.raises(MalformedMove) as caught:
            TWO.parse_move(text)
        right = "is no move: type a cell, 0 to 8, or its row and column, such as 1,2"
        assert str(caught.value) == f"{text!r} {right}"

    def test_chat_that_begins_with_a_place_is_refused(self) -> None:
        assert TWO.looks_like_move("1,2 was mean")
        with pytest.raises(MalformedMove):
            TWO.parse_move("1,2 was mean")

    @each("text", ["", "hello", "x5", "2 good", "3 or 4, hm", "٣", "3 more for me"])
    def test_chat(self, text: str) -> None:
        assert not TWO.looks_like_move(text)

    def test_how_to_move(self) -> None:
        assert "1,2 is cell 5" in str(TWO.how_to_move)


class TestPositions:
    def test_an_example(self) -> None:
        assert TWO.format_position(played(TWO, 0, 2)) == "0.1....../0/-"
        assert THREE.format_position(played(THREE, 4).withdraw(Seat(1))) == "....0..../2/1"

    @each(
        "text, sentence",
        [
            ("", "a position is 9 cells/seat to move/seats withdrawn"),
            ("......../0/-", "a position is 9 cells"),
            ("x......../0/-", "a position is 9 cells"),
            ("2......../0/-", "seats are 0 to 1, not 2"),
            ("........./2/-", "seats are 0 to 1, not 2"),
            ("........./0/1", "the seat to move can't be '0': it is '-'"),
            ("........./-/-", "the seat to move can't be '-': it is a seat that hasn't"),
            ("........./-/0,1", "0,1 can't be the seats withdrawn"),
            ("........./-/1,1", "1,1 can't be the seats withdrawn"),
            ("000.11.../1/-", "the seat to move can't be '1': it is '-'"),
            ("000111.../-/-", "two seats have three in a row"),
            ("000.11.../-/0", "a seat with three in a row has won"),
        ],
    )
    def test_mistakes(self, text: str, sentence: str) -> None:
        with pytest.raises(FormatError, match=sentence):
            TWO.parse_position(text)

    def test_who_withdrew_is_not_to_move(self) -> None:
        with pytest.raises(FormatError, match="the seat to move can't be '1'"):
            THREE.parse_position("........./1/1")
