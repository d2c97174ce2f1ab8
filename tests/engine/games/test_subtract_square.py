"""Subtract Square: the rules, the notation and the drawing."""

import re
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.drawing import Ink, Look, Size
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    MalformedMove,
    MoveOutOfRange,
    OptionError,
)
from boxroom_engine.games.protocol import Outcome, Seat
from boxroom_engine.games.subtract_square import KIND, Position, SubtractSquare, TooFewLeft

TWENTY = SubtractSquare(20)

LOSING = [2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57, 62, 65, 67, 72, 85, 95]
"""Heaps up to 100 that the player to move loses: https://oeis.org/A030193."""


def played(game: SubtractSquare, *taken: int) -> Position:
    state = game.initial()
    for number in taken:
        state = state.play(game.parse_move(str(number)))
    return state


def squares(state: Position) -> list[int]:
    """Return the numbers of counters that can be taken."""
    return [int(state.game.format_move(move)) for move in state.legal_moves()]


class TestRules:
    @given(st.integers(1, 1000))
    def test_every_square_that_is_left_can_be_taken(self, start: int) -> None:
        state = SubtractSquare(start).initial()
        expected = [root * root for root in range(1, 40) if root * root <= start]
        assert squares(state) == expected
        lefts = [state.play(move).left for move in state.legal_moves()]
        assert lefts == [start - number for number in expected]

    @each("taken, winner", [((16, 4), 1), ((16, 1, 1, 1, 1), 0)])
    def test_who_can_not_move_loses(self, taken: tuple[int, ...], winner: int) -> None:
        state = played(TWENTY, *taken)
        scores = tuple(int(seat == winner) for seat in range(2))
        assert state.outcome == Outcome(scores, (Seat(winner),))
        assert state.evaluate(Seat(winner)) == 1
        assert state.evaluate(Seat(1 - winner)) == -1

    @given(left=st.integers(1, 20), ply=st.integers(0, 21))
    def test_the_turn_can_be_the_others_however_long_it_took(self, left: int, ply: int) -> None:
        state = TWENTY.parse_position(f"{left}/{ply}/{ply % 2}/-")
        other = state.with_to_move(Seat(1 - ply % 2))
        assert (other.to_move, other.left, abs(other.ply - ply)) == (1 - ply % 2, left, 1)
        assert TWENTY.parse_position(TWENTY.format_position(other)).ply == other.ply
        assert state.with_to_move(Seat(ply % 2)).ply == ply

    def test_mistakes(self) -> None:
        state = played(TWENTY, 9)
        with pytest.raises(TooFewLeft, match=r"^16 can't be taken, 11 are left; you can: 1, 4, 9$"):
            state.play(TWENTY.parse_move("16"))
        with pytest.raises(MoveOutOfRange, match="there is no move 4 with 20 counters"):
            state.play(TWENTY.parse_move("16") + 1)  # type: ignore[arg-type]
        with pytest.raises(GameIsOver):
            state.withdraw(Seat(0)).play(TWENTY.parse_move("1"))

    def test_a_position_is_a_value_however_long_it_took(self) -> None:
        one, other = played(TWENTY, 4), played(TWENTY, 1, 1, 1, 1)
        assert one != other  # the other seat is to move
        assert other != played(SubtractSquare(21), 1, 1, 1, 1)
        later = played(TWENTY, 1, 1, 1, 1, 1)
        assert later == played(TWENTY, 4, 1).game.parse_position("15/1/1/-")
        assert hash(later) == hash(TWENTY.parse_position("15/1/1/-"))
        assert one != "16"

    def test_the_heaps_that_lose(self) -> None:
        @cache
        def wins(state: Position) -> bool:
            return any(not wins(state.play(move)) for move in state.legal_moves())

        losing = [start for start in range(1, 101) if not wins(SubtractSquare(start).initial())]
        assert losing == LOSING

    def test_the_start_has_bounds_and_the_seats_are_two(self) -> None:
        assert KIND.make({"start": "1000"}, 2) == SubtractSquare(1000)
        for start in 0, 1001:
            with pytest.raises(OptionError, match=f"start must be 1 to 1000, not {start}"):
                KIND.make({"start": start}, 2)
        with pytest.raises(OptionError, match="Subtract Square has at most 2 seats, not 3"):
            KIND.make({}, 3)


class TestMoves:
    @each("text, move", [("1", 0), (" 4 ", 1), ("009", 2), ("16", 3), ("4,", 1)])
    def test_the_number_is_typed(self, text: str, move: int) -> None:
        assert TWENTY.looks_like_move(text)
        assert TWENTY.parse_move(text) == move

    @each("text", ["25", "21", "1000000000", "9" * 9999])
    def test_out_of_range(self, text: str) -> None:
        assert TWENTY.looks_like_move(text)
        with pytest.raises(MoveOutOfRange, match=r"is too many: the heap had 20$"):
            TWENTY.parse_move(text)

    @each("text", ["5", "0", "00", "-1", "4x", "1.0", "4 9", "1, 4", "9?"])
    def test_malformed(self, text: str) -> None:
        assert TWENTY.looks_like_move(text)
        with pytest.raises(
            MalformedMove,
            match=f"'{re.escape(text)}' is no square number: take one, such as 1, 4 or 9",
        ):
            TWENTY.parse_move(text)

    @each("text", ["", "hello", "4 please", "x4", "٤", "9 is many"])
    def test_chat(self, text: str) -> None:
        assert not TWENTY.looks_like_move(text)


class TestPositions:
    def test_examples(self) -> None:
        assert TWENTY.format_position(played(TWENTY, 9)) == "11/1/1/-"
        assert TWENTY.format_position(played(TWENTY, 9).withdraw(Seat(0))) == "11/2/-/0"
        assert TWENTY.format_position(played(TWENTY, 16, 4)) == "0/2/-/-"

    @each(
        "text, sentence",
        [
            ("11/1/1", "a position is left/moves so far/to move/withdrawn, such as 11/1/1/-"),
            ("21/1/1/-", "'21' is no number from 0 to 20"),
            ("x/1/1/-", "'x' is no number from 0 to 20"),
            ("01/1/1/-", "'01' is no number from 0 to 20"),
            ("1/22/0/-", "'22' is no number from 0 to 21"),
            ("1/1/2/-", "seats are 0 to 1, not '2'"),
            ("1/1/0/-", "after 1 moves it is the turn of seat 1"),
            ("1/1/-/-", "the game isn't over, so a seat must be to move"),
            ("0/1/1/-", "the game is over, so '-' is to move, not seat 1"),
            ("0/2/-/1", "no seat can withdraw when nothing is left"),
        ],
    )
    def test_mistakes(self, text: str, sentence: str) -> None:
        with pytest.raises(FormatError, match=sentence):
            TWENTY.parse_position(text)


class TestDrawing:
    def test_golden(self, golden: Callable[[str, str], None]) -> None:
        state = played(SubtractSquare(30), 4, 9)
        looks = [
            Look(("X", "O"), size, ascii_only, numbers)
            for size in Size
            for ascii_only, numbers in ((False, True), (True, False))
        ]
        drawings = (state.draw(look).plain() for look in looks)
        golden("subtract-square-drawings", "\n\n".join(drawings) + "\n")

    def test_what_was_just_taken_bears_the_glyph_of_who_took_it(self) -> None:
        spans = [span for row in played(TWENTY, 1, 4).draw(Look(("X", "O"))).rows for span in row]
        fresh = [(span.text.strip(), span.seat) for span in spans if span.fresh]
        assert fresh == [("O", 1)] * 4
        assert {span.ink for span in spans if span.fresh} == {Ink.DRAWN}

    def test_long_glyphs_fit(self) -> None:
        drawing = played(SubtractSquare(8), 4).draw(Look(("100", "101"), Size.COMPACT))
        counters = {len(span.text) for span in drawing.rows[0]}
        assert counters == {4}
        assert [span.text.strip() for span in drawing.rows[0] if span.fresh] == ["100"] * 4

    def test_who_took_it_isnt_shown_once_the_turn_is_said_to_be_anothers(self) -> None:
        rows = played(TWENTY, 1, 4).with_to_move(Seat(1)).draw(Look(("X", "O"))).rows
        assert not any(span.fresh for row in rows for span in row)

    def test_nothing_can_be_taken_from_the_drawing_once_somebody_gave_up(self) -> None:
        rows = played(TWENTY, 4).withdraw(Seat(0)).draw(Look(("X", "O"))).rows
        assert {span.move for row in rows for span in row} == {None}
        assert [span.seat for row in rows for span in row if span.fresh] == [0] * 4
