"""The worksheet's functions: its own examples, and an author's code beside them."""

import doctest
import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.games.errors import FormatError, GameIsOver, IllegalMove, MoveOutOfRange
from boxroom_lab.lessons import noughts
from boxroom_lab.lessons.noughts import (
    EMPTY,
    Rows,
    State,
    moves,
    perfect_game,
    play,
    print_state,
    score,
    score_end,
)

WON_BY_BOTH = (("o", "o", "o"), ("x", "x", "x"), (" ", " ", " "))


def state_of(text: str) -> State:
    """Return the state with these rows, in which a point is a free cell."""
    return tuple(tuple(row.replace(".", " ")) for row in text.split())


def test_the_examples_in_the_module_are_right() -> None:
    assert doctest.testmod(noughts).failed == 0
    assert doctest.testmod(noughts).attempted == 3


def test_a_star_brings_the_worksheets_names_and_no_others() -> None:
    names: dict[str, object] = {}
    exec("from boxroom_lab.lessons.noughts import *", names)
    functions = {"moves", "perfect_game", "play", "print_state", "score", "score_end"}
    assert names.keys() - {"__builtins__"} == {"EMPTY", "State", *functions}


class TestPrintState:
    @pytest.mark.parametrize(
        ("state", "printed"),
        [
            (EMPTY, " | | \n | | \n | | \n\n"),
            (state_of("oxx .xo ox."), "o|x|x\n |x|o\no|x| \n\n"),
            (WON_BY_BOTH, "o|o|o\nx|x|x\n | | \n\n"),
        ],
    )
    def test_an_empty_line_follows_the_rows(
        self, state: State, printed: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        print_state(state)
        assert capsys.readouterr().out == printed

    def test_lists_will_do(self, capsys: pytest.CaptureFixture[str]) -> None:
        print_state([list(row) for row in EMPTY])
        assert capsys.readouterr().out == " | | \n | | \n | | \n\n"


SCORED = {
    "... ... ...": None,
    "o.o xxx ...": 1,
    "oxx .xo ox.": 1,
    "oxx .xo xo.": 1,
    "oxx .xo ooo": -1,
    "ox. ox. o.x": -1,
    ".xo .ox o.x": -1,
    "oxo xxo oox": 0,
}
"""States, whether or not a game can reach them, and their scores; None: it isn't over."""


@each("text, value", SCORED.items())
def test_scores_of_ends(text: str, value: int | None) -> None:
    found = score_end(state_of(text))
    assert found == value
    assert found is None or type(found) is int


class TestPlay:
    def test_a_game(self) -> None:
        state = EMPTY
        game = ((1, 1), (1, 2), (0, 2), (2, 0), (0, 1), (0, 0), (2, 1))
        for number, (row, col) in enumerate(game):
            before = state
            state = play(state, row, col, "xo"[number % 2])
            assert before[row][col] == " "
            assert type(state) is tuple
            assert {type(cells) for cells in state} == {tuple}
        assert state == state_of("oxx .xo ox.")
        assert score_end(state) == 1

    def test_a_space_takes_a_mark_back(self) -> None:
        """An author's own minimax undoes its moves with it."""
        state = state_of("x.. .o. ...")
        assert play(play(state, 2, 2, "x"), 2, 2, " ") == state

    def test_what_cannot_be_played(self) -> None:
        state = state_of("x.. .o. ...")
        with pytest.raises(
            IllegalMove, match=r"row 1, column 1 is taken; free: \(0, 1\), \(0, 2\), "
        ):
            play(state, 1, 1, "x")
        with pytest.raises(MoveOutOfRange, match="rows and columns are 0 to 2, not 3 and 0"):
            play(state, 3, 0, "x")
        with pytest.raises(MoveOutOfRange):
            play(state, 0, -1, " ")
        with pytest.raises(FormatError, match="'x' and 'o', not 'z'"):
            play(state, 0, 1, "z")
        with pytest.raises(GameIsOver):
            play(state_of("oxx .xo ox."), 1, 0, "o")


class TestMoves:
    @each(
        "text, free",
        [
            ("... ... ...", [(row, col) for row in range(3) for col in range(3)]),
            ("o.o xxx ...", [(0, 1), (2, 0), (2, 1), (2, 2)]),  # also after a win
            ("oxo xxo oox", []),
        ],
    )
    def test_all_free_cells_in_order(self, text: str, free: list[tuple[int, int]]) -> None:
        assert moves(state_of(text)) == free


@cache
def plain_score(state: State, player: str) -> int:
    """Return what minimax finds, written as an author of the worksheet would write it."""
    ended = score_end(state)
    if ended is not None:
        return ended
    other = "o" if player == "x" else "x"
    scores = [plain_score(play(state, *move, player), other) for move in moves(state)]
    return max(scores) if player == "x" else min(scores)


class TestScore:
    @each(
        "text, player, value",
        [
            ("... ... ...", "x", 0),
            ("... .xo ...", "x", 1),
            ("x.. .xo ...", "o", 1),
            ("o.. x.. o..", "o", -1),
        ],
    )
    def test_values(self, text: str, player: str, value: int) -> None:
        found, move = score(state_of(text), player)
        assert (found, type(found)) == (value, int)
        assert move in moves(state_of(text))

    @each("text, value", [("oxx .xo ox.", 1), ("oxo xxo oox", 0)])
    def test_after_the_end_there_is_no_move(self, text: str, value: int) -> None:
        assert score(state_of(text), "o") == (value, None)

    @given(st.integers(0, 2**32), st.integers(3, 8), st.sampled_from("xo"))
    def test_it_is_what_plain_minimax_finds(self, seed: int, marks: int, player: str) -> None:
        rng, state, mark = random.Random(seed), EMPTY, "x"
        for _ in range(marks):
            if score_end(state) is not None:
                break
            state = play(state, *rng.choice(moves(state)), mark)
            mark = "o" if mark == "x" else "x"
        found, move = score(state, player)
        assert found == plain_score(state, player)
        if move is not None:
            other = "o" if player == "x" else "x"
            first = next(
                each
                for each in moves(state)
                if plain_score(play(state, *each, player), other) == found
            )
            assert move == first


class TestPerfectGame:
    def test_o_begins_and_it_is_a_draw(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert perfect_game(EMPTY, "o") == 0
        printed = capsys.readouterr().out.split("\n\n")
        assert [text.replace("|", "").replace(" ", ".").replace("\n", " ") for text in printed] == [
            "... ... ...",
            "o.. ... ...",
            "o.. .x. ...",
            "oo. .x. ...",
            "oox .x. ...",
            "oox .x. o..",
            "oox xx. o..",
            "oox xxo o..",
            "oox xxo ox.",
            "oox xxo oxo",
            "",
        ]

    def test_a_game_that_is_over_is_printed_alone(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert perfect_game(state_of("oxx .xo ox."), "o") == 1
        assert capsys.readouterr().out == "o|x|x\n |x|o\no|x| \n\n"


class TestWhatIsNoState:
    @each(
        "state",
        [(), EMPTY[:2], ((" ",) * 4,) * 4, (("y", " ", " "), *EMPTY[1:]), ((None,) * 3,) * 3],
    )
    def test_it_is_refused_with_a_sentence(self, state: Rows) -> None:
        for use in (print_state, score_end, moves):
            with pytest.raises(FormatError, match="a board is three lines"):
                use(state)

    def test_what_both_have_won_has_no_score(self) -> None:
        with pytest.raises(FormatError, match="two seats have three in a row"):
            score_end(WON_BY_BOTH)

    def test_a_player_that_isnt_there(self) -> None:
        with pytest.raises(FormatError, match="'x' and 'o', not 'X'"):
            score(EMPTY, "X")
