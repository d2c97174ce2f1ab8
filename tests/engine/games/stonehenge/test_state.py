"""Rules and notation of Stonehenge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.games.stonehenge.pictures import PICTURES, ley_lines_in

from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    MalformedMove,
    MoveOutOfRange,
    OptionError,
)
from boxroom_engine.games.protocol import Move, Outcome, Seat
from boxroom_engine.games.stonehenge import KIND, CellClaimed, Position, Stonehenge

SMALL = Stonehenge(2)


def played(game: Stonehenge, letters: str) -> Position:
    state = game.initial()
    for letter in letters:
        state = state.play(game.parse_move(letter))
    return state


def taken(size: int, letters: str) -> list[int]:
    """Number of ley-lines of each player after `moves`, counted in the picture."""
    claimed: dict[str, int] = {}
    owner: dict[str, int] = {}
    for ply, letter in enumerate(letters):
        claimed[letter] = ply % 2
        for line in ley_lines_in(PICTURES[size]):
            own = sum(claimed.get(cell) == ply % 2 for cell in line)
            if own >= len(line) / 2:
                owner.setdefault(line, ply % 2)
    return [list(owner.values()).count(player) for player in range(2)]


class TestRules:
    @given(st.sampled_from(sorted(PICTURES)), st.data())
    def test_half_of_a_ley_line_takes_it_and_half_of_all_win(
        self, size: int, data: st.DataObject
    ) -> None:
        state, letters = Stonehenge(size).initial(), ""
        while not state.is_over:
            assert max(state.scores) < len(state.lines) / 2
            before = state.scores
            move = data.draw(st.sampled_from(state.legal_moves()))
            letters += state.game.format_move(move)
            mover, state = state.to_move, state.play(move)
            assert list(state.scores) == taken(size, letters)
            assert sum(state.scores) - sum(before) == len(state.taken)
            assert all(state.lines[line] == mover for line in state.taken)
        assert state.outcome == Outcome(state.scores, (Seat(len(letters) % 2 == 0),))
        assert max(state.scores) >= len(state.lines) / 2

    def test_an_example(self) -> None:
        state = played(SMALL, "A")
        assert state.scores == (2, 0)
        assert [SMALL.grid.lines[line].cells for line in state.taken] == [(0, 1), (0, 2)]
        state = state.play(SMALL.parse_move("B"))
        assert state.scores == (2, 1)  # half of AB isn't enough any more

    def test_the_smallest_board_is_won_with_the_first_move(self) -> None:
        for letter in "ABC":
            state = played(Stonehenge(1), letter)
            assert state.outcome == Outcome((3, 0), (Seat(0),))

    def test_mistakes(self) -> None:
        state = played(SMALL, "AB")
        with pytest.raises(
            CellClaimed, match=r"^cell A is claimed; free: C, D, E, F, G$"
        ) as caught:
            state.play(Move(0))
        assert caught.value.code == "cell_claimed"
        for cell in -1, 7:
            with pytest.raises(MoveOutOfRange, match=rf"^there is no cell {cell}: they are 0 to 6"):
                state.play(Move(cell))
        with pytest.raises(GameIsOver):
            state.withdraw(Seat(0)).play(Move(2))

    def test_equal_positions_may_have_come_about_in_different_ways(self) -> None:
        one, other = played(Stonehenge(3), "ALB"), played(Stonehenge(3), "BLA")
        assert one == other
        assert hash(one) == hash(other)
        assert one.last != other.last

    def test_who_was_first_on_a_ley_line_tells_positions_apart(self) -> None:
        assert played(SMALL, "ABDF").cells == played(SMALL, "DBAF").cells
        assert played(SMALL, "ABDF") != played(SMALL, "DBAF")

    def test_sizes_and_seats(self) -> None:
        assert KIND.make({"size": "5"}, 2) == Stonehenge(5)
        with pytest.raises(OptionError, match="size must be 1 to 5, not 6"):
            KIND.make({"size": 6}, 2)
        with pytest.raises(OptionError, match="Stonehenge has at most 2 seats, not 3"):
            KIND.make({}, 3)


class TestMoves:
    @each("text", ["C", "c", " c ", "c,", "C."])
    def test_the_letter_is_typed(self, text: str) -> None:
        assert SMALL.looks_like_move(text)
        assert SMALL.parse_move(text) == 2

    def test_out_of_range(self) -> None:
        assert SMALL.looks_like_move("h")
        with pytest.raises(MoveOutOfRange, match="there is no cell H here: cells are A to G"):
            SMALL.parse_move("h")

    @each("text", ["C D", "a, b", "a.b.c"])
    def test_more_than_one_letter_is_no_move(self, text: str) -> None:
        assert SMALL.looks_like_move(text)
        with pytest.raises(MalformedMove, match="is no move: type a letter, A to G"):
            SMALL.parse_move(text)

    @each("text", ["", "AB", "A1", "3", "ä", "hi", "@", "a good one", "I see"])
    def test_chat(self, text: str) -> None:
        assert not SMALL.looks_like_move(text)
        with pytest.raises(MalformedMove, match="is no move: type a letter, A to G"):
            SMALL.parse_move(text)


class TestPositions:
    def test_examples(self) -> None:
        assert SMALL.format_position(played(SMALL, "AD")) == "0..1.../0..0...../0/-"
        assert SMALL.format_position(played(SMALL, "A").withdraw(Seat(0))).endswith("/-/0")

    @each(
        "text, sentence",
        [
            ("", "a position has 4 parts, cells/ley-lines/to move/withdrawn, not 1"),
            ("0...../0..0...../1/-", "7 cells are each written ., 0 or 1, not '0.....'"),
            ("2....../0..0...../1/-", "7 cells are each written ., 0 or 1, not '2......'"),
            ("0....../0..0..../1/-", "9 ley-lines are each written ., 0 or 1"),
            ("0....../0......../1/-", "seat 0 has half of ley-line 3, so it isn't free"),
            ("0....../0..1...../1/-", "seat 1 hasn't half of ley-line 3, so can't have it"),
            ("0....../0..0...../-/-", "a seat must be to move, not '-'"),
            ("0....../0..0...../1/1", "the game is over, so '-' is to move, not seat 1"),
            ("0001111/000111011/-/-", "hasn't half of ley-line"),
            ("0000000/000000000/-/1", "over as soon as one seat has half of the ley-lines"),
        ],
    )
    def test_mistakes(self, text: str, sentence: str) -> None:
        with pytest.raises(FormatError, match=sentence):
            SMALL.parse_position(text)
