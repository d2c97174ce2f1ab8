"""The report of an analysed game as text."""

from collections.abc import Callable

import pytest
from tests.cases import each
from tests.engine.games.dots.recorded_games import OF_THREE, SMALL, exactly
from tests.lab.analysis.games import About, From, analysed, large

from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.report import TextLayout, loss_text, report

Golden = Callable[[str, str], None]


@pytest.fixture
def golden_folder() -> str:
    return "analysis"


def text(game: AnalysedGame, *, columns: int = 80, every_move: bool = False) -> str:
    return "\n".join(report(game, TextLayout(columns), every_move=every_move)) + "\n"


def test_a_game_of_two(golden: Golden) -> None:
    golden("large", text(large()))


def test_every_move(golden: Golden) -> None:
    golden("small_every_move", text(analysed(SMALL), every_move=True))


def test_two_that_are_left_of_three(golden: Golden) -> None:
    golden("of_three", text(analysed(OF_THREE), every_move=True))


def test_on_a_narrow_page_the_text_begins_below_the_move(golden: Golden) -> None:
    golden("narrow", text(analysed(SMALL), columns=36, every_move=True))


def test_estimates_are_marked(golden: Golden) -> None:
    golden("estimates", text(analysed(SMALL, lambda game: About(exactly(game)))))


@each("columns", [8, 20, 40, 79, 100])
def test_lines_are_broken_at_the_edge_of_the_page_but_not_within_what_was_played(
    columns: int,
) -> None:
    played = "32  ● Ada  v10  −8"
    lines = text(large(), columns=columns).splitlines()
    assert max(map(len, lines)) <= max(columns, len(played))


def test_loss_of_a_move() -> None:
    moves = analysed(SMALL).judged.moves
    assert [loss_text(move) for move in moves] == ["−1", "0", "0", "−1", "0", "0", "0"]
    guessed = analysed(SMALL, lambda game: About(exactly(game))).judged.moves
    assert loss_text(guessed[0]) == "about −1.5"
    late = analysed(SMALL, lambda game: From(3, exactly(game))).judged.moves
    assert [loss_text(move) for move in late[:4]] == ["?", "?", "?", "−1"]


class TestWhatIsntKnown:
    def test_moves_that_are_too_early(self) -> None:
        late = analysed(SMALL, lambda game: From(3, exactly(game)))
        assert (
            "Moves 1 to 3 are too early to judge in 5 s a position; give more time with\n--time."
            in text(late)
        )

    def test_one_move_that_is_too_early(self) -> None:
        late = analysed(SMALL, lambda game: From(1, exactly(game)))
        assert "Move 1 is too early to judge" in text(late)

    def test_an_interruption(self) -> None:
        game = analysed(SMALL, lambda game: From(3, exactly(game)), is_whole=False)
        assert "Moves 1 to 3 are not judged: it was interrupted." in text(game)

    def test_nothing_at_all(self) -> None:
        game = analysed(SMALL, lambda game: From(99, exactly(game)))
        assert text(game) == (
            "The game is over: Ada 1, Bob 1.\n"
            "Moves 1 to 7 are too early to judge in 5 s a position; give more time with\n"
            "--time.\n"
        )


def test_a_game_that_isnt_over() -> None:
    game = analysed("dots rows=1 cols=2 border=none | Ada, Bob | h0")
    assert text(game).startswith("The game isn't over: Ada 0, Bob 0.\n")


def test_a_game_without_a_mistake() -> None:
    game = analysed("dots rows=1 cols=1 border=none | Ada, Bob | h0 h1 v0 v1")
    assert (
        "\nAll moves:\n1  ● Ada  h0  0  is safe: nobody can take a box after it (neutral)\n"
        in text(game, every_move=True)
    )
    assert text(game) == (
        "The game is over: Ada 0, Bob 1.\n"
        "\n"
        "● Ada lost nothing in 2 judged moves.\n"
        "■ Bob lost nothing in 2 judged moves.\n"
    )


def test_among_three_the_players_own_boxes_count_and_the_report_says_so() -> None:
    game = analysed("dots rows=1 cols=2 border=none | Ada, Bob, Cem | v2 h3 v0 h0 h2 v1 h1")
    assert "Among more than two players there is no best play against all others." in text(game)
    assert "The moves that lost boxes:\n" in text(game)
    assert "● Ada lost 1 box in 2 judged moves, with v2 in move 1." in text(game)
    assert "▲ Cem lost nothing in 3 judged moves." in text(game)
    assert "The game turned" not in text(game)


def test_of_a_single_player_it_says_that_nothing_can_be_lost() -> None:
    game = analysed("dots rows=1 cols=1 border=none | Ada | h0 h1 v0 v1")
    assert "A single player gets every box" in text(game)
    assert "● Ada lost nothing in 4 judged moves." in text(game)


def test_a_single_player_gives_nothing_away() -> None:
    game = analysed("dots rows=1 cols=2 border=none | Ada | h0 h1 h2 v0 v1 h3 v2")
    assert text(game, every_move=True).split("\n\n")[1] == (
        "All moves:\n"
        "1  ● Ada  h0  0  takes nothing\n"
        "2  ● Ada  h1  0  takes nothing\n"
        "3  ● Ada  h2  0  takes nothing\n"
        "4  ● Ada  v0  0  takes nothing\n"
        "5  ● Ada  v1  0  takes a box\n"
        "6  ● Ada  h3  0  takes nothing\n"
        "7  ● Ada  v2  0  takes a box"
    )
