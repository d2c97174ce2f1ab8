"""`boxroom solve`: values and best moves, in words and as JSON."""

import json
import os
import pty
import re
import resource
import sys
from typing import Any

import pytest
from tests.cases import each

from boxroom_client.main import main
from boxroom_engine.games.registry import make_game
from boxroom_lab.gametree.effort import Effort
from boxroom_lab.gametree.solve import solve as solve_position

FOUR_BY_FOUR = ["noughts", "--dims", "4,4", "--line", "4"]
"""A game that takes a minute to solve."""


def solve(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return the object that `--json` prints."""
    assert main(["solve", "--json", *arguments]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


@each(
    "rows, cols, value",
    [(1, 1, -1), (1, 2, 0), (1, 3, -1), (1, 4, 0), (1, 5, -1), (2, 2, 2), (2, 3, -2), (3, 2, -2)],
)
def test_values_from_the_empty_board(
    capsys: pytest.CaptureFixture[str], rows: int, cols: int, value: int
) -> None:
    answer = solve(capsys, "--rows", str(rows), "--cols", str(cols))
    assert (answer["value"], answer["exact"], answer["to_move"]) == (value, True, 0)
    assert answer["game"] == "dots"
    assert answer["options"] == {"rows": rows, "cols": cols, "border": "none"}
    assert list(answer)[-3:] == ["best_moves", "nodes", "seconds"]
    assert answer["nodes"] >= 0
    assert answer["seconds"] >= 0


def test_moves_lead_to_the_position_and_captures_keep_the_turn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = solve(capsys, "--rows", "1", "--cols", "2", "--moves", "h0 h2 v0")
    assert (answer["to_move"], answer["value"], answer["best_moves"]) == (1, 2, ["v1"])
    answer = solve(capsys, "--rows", "1", "--cols", "2", "--moves", "h0 h2 v0 v1")
    assert answer["to_move"] == 1


def test_a_single_player_gets_all_boxes(capsys: pytest.CaptureFixture[str]) -> None:
    answer = solve(capsys, "--rows", "9", "--cols", "9", "--players", "1")
    assert (answer["value"], answer["exact"]) == ([81], True)
    assert main(["solve", "--rows", "1", "--cols", "1", "--players", "1"]) == 0
    said = capsys.readouterr().out
    assert "Boxes from here on, if all play for themselves: 1 for player 1" in said


def test_borders_are_drawn_at_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    answer = solve(capsys, "--rows", "2", "--cols", "2", "--border", "full")
    assert answer["exact"]
    assert set(answer["best_moves"]) <= {"h2", "h3", "v1", "v4"}


def test_what_isnt_known_in_time_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    answer = solve(capsys, "--rows", "6", "--cols", "6", "--time", "0.05")
    assert answer["exact"] is False
    assert answer["least"] < answer["value"] < answer["most"]
    assert answer["playouts"] > 0
    assert len(answer["best_moves"]) == 1
    assert main(["solve", "--rows", "6", "--cols", "6", "--time", "0.05"]) == 0
    text = capsys.readouterr().out
    assert "before it was known exactly" in text
    assert "An estimate: about " in text
    assert " seems best, after " in text


def test_it_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--rows", "2", "--cols", "2"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("+2 for player 1, who is to move")
    assert "The 8 best moves are h0, h1, h4, h5, v0, v2, v3 and v5." in text
    assert main(["solve", "--rows", "1", "--cols", "2", "--moves", "h0 h2 v0"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("+2 for player 2")
    assert "The best move is v1." in text


def test_for_more_than_two_the_value_is_what_each_seat_gets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = ["--rows", "2", "--cols", "2", "--players", "3"]
    answer = solve(capsys, *board)
    assert (answer["value"], answer["exact"], answer["to_move"]) == ([1, 2, 1], True, 0)
    assert not {"least", "most", "playouts"} & set(answer)
    assert len(answer["best_moves"]) == 12
    # By seat, not by the player to move: player 2 takes a box and opens the other.
    answer = solve(capsys, "--rows", "1", "--cols", "2", "--players", "3", "--moves", "h0 h2 v0 h1")
    assert (answer["to_move"], answer["value"], answer["best_moves"]) == (1, [0, 1, 1], ["v1"])
    assert main(["solve", *board]) == 0
    text = capsys.readouterr().out
    assert text.startswith(
        "Boxes from here on, if all play for themselves: 1 for player 1, who is to move,"
        " 2 for player 2 and 1 for player 3.\nThe 12 best moves are h0,"
    )


def test_what_isnt_known_of_more_than_two_in_time_is_said_to_be_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = ["--rows", "4", "--cols", "4", "--players", "3", "--time", "0.05"]
    answer = solve(capsys, *board)
    assert (answer["exact"], answer["value"], len(answer["best_moves"])) == (False, None, 1)
    assert (answer["least"], answer["most"]) == ([0, 0, 0], [16, 16, 16])
    assert main(["solve", *board]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Between 0 and +16 for player 1, who is to move: the search")


def in_a_terminal(*arguments: str, until: str, key: bytes = b"") -> tuple[int, str]:
    """Run `boxroom solve` on a terminal; type `key` once it has printed `until`.

    Returns its exit code and all that the terminal has shown.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "boxroom_client.main", "solve", *arguments])
    shown = b""
    try:
        while part := os.read(terminal, 1 << 12):
            shown += part
            if key and until.encode() in shown:
                os.write(terminal, key)
                key = b""
    except OSError:
        pass  # Linux reports the end of a terminal as an error
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


def test_at_a_terminal_it_shows_what_is_known_and_ctrl_c_prints_it() -> None:
    board = ["--rows", "6", "--cols", "6", "--memory", "16"]
    code, shown = in_a_terminal(*board, until="the value is", key=b"\x03")
    assert code == 130
    assert "This may take hours or days; with --time there is an estimate in time." in shown
    assert "Ctrl-C ends the search and prints what is known." in shown
    assert re.search(r"1 s, [0-9,]+ positions; the value is between −36 and \+36", shown)
    assert "Between −36 and +36 for player 1" in shown


def test_interrupted_in_another_game_it_names_the_best_of_the_moves_searched() -> None:
    board = ["noughts", "--dims", "5,4", "--line", "4", "--memory", "16"]
    code, shown = in_a_terminal(*board, until="; the value is", key=b"\x03")
    assert code == 130
    assert "for player 1, who is to move: the search ended before it was known" in shown


def test_without_a_terminal_nothing_is_shown_but_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["solve", "--rows", "6", "--cols", "6", "--time", "0.05"]) == 0
    assert capsys.readouterr().err == ""


def test_a_search_takes_no_more_memory_than_it_may() -> None:
    assert Effort(memory_mib=100).memory_bytes == 100 << 20
    assert Effort(limit_s=1000, memory_mib=100).memory_bytes == 100 << 20
    # A table that the search can't fill would cost time alone.
    assert Effort(limit_s=0.5, memory_mib=4096).memory_bytes < 100 << 20
    position = make_game("dots", {"rows": 4, "cols": 5}, 2).initial()
    before = _peak_mib()
    solve_position(position, Effort(limit_s=0.3, memory_mib=8))
    assert _peak_mib() - before < 100


def _peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def test_the_time_is_that_of_the_whole_answer() -> None:
    """Tables that are too large for the time used to delay the answer by seconds."""
    position = make_game("dots", {"rows": 5, "cols": 5}, 2).initial()
    effort = Effort(limit_s=0.3)
    solve_position(position, effort)
    assert effort.elapsed_s < 1.3


class TestAnyGame:
    def test_for_two_it_is_won_drawn_or_lost(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer = solve(capsys, "noughts")
        assert (answer["game"], answer["to_move"]) == ("noughts", 0)
        assert (answer["value"], answer["exact"]) == (0, True)
        assert answer["best_moves"] == [str(cell) for cell in range(9)]
        assert not {"least", "most", "playouts"} & set(answer)

    @each(
        "moves, first, second",
        [
            ("4 1 0", "−1, a loss, for player 2, who is to move.", "The 6 best moves are 2, 3, 5"),
            ("4 1", "+1, a win, for player 1, who is to move.", "The 6 best moves are 0, 2, 3"),
            ("4", "0, a draw, for player 2, who is to move.", "The 4 best moves are 0, 2, 6"),
        ],
    )
    def test_it_is_told_in_words(
        self, capsys: pytest.CaptureFixture[str], moves: str, first: str, second: str
    ) -> None:
        assert main(["solve", "noughts", "--moves", moves]) == 0
        worth, best, work = capsys.readouterr().out.splitlines()
        assert worth == first
        assert best.startswith(second)
        assert work.endswith(" s.")

    def test_the_first_player_wins_three_by_three_by_three_in_the_centre(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Plain minimax doesn't end within hours; forced moves leave some hundred positions."""
        answer = solve(capsys, "noughts", "--dims", "3,3,3", "--line", "3")
        assert (answer["value"], answer["best_moves"]) == (1, ["13"])
        assert answer["nodes"] < 1000

    def test_a_position_that_no_game_leads_to(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The worksheet's position: two noughts and a cross, and a nought is to move."""
        answer = solve(capsys, "noughts", "--position", "1..0..1../1/-")
        assert (answer["to_move"], answer["value"]) == (1, 1)

    def test_who_is_to_move_can_be_said_beside_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Both win if it is their turn; players count from 1, as in words, and seats from 0."""
        position = ["noughts", "--position", "11.00..../0/-", "--to-move"]
        for player, best in ("1", ["2", "5"]), ("2", ["2"]):
            answer = solve(capsys, *position, player)
            assert (answer["to_move"], answer["value"]) == (int(player) - 1, 1)
            assert answer["best_moves"] == best

    @each(
        "game, moves, player",
        [
            (["dots", "--rows", "1", "--cols", "2"], "h0 h2 v0", "1"),
            (["noughts"], "4", "1"),
            (["noughts"], "", "o"),
            (["noughts", "--players", "3"], "0 3", "2"),
            (["stonehenge", "--size", "1"], "", "2"),
            (["subtract-square", "--start", "5"], "1 1", "2"),
        ],
    )
    def test_in_every_game_and_after_moves(
        self, capsys: pytest.CaptureFixture[str], game: list[str], moves: str, player: str
    ) -> None:
        answer = solve(capsys, *game, "--moves", moves, "--to-move", player)
        assert (answer["to_move"], answer["exact"]) == ({"1": 0, "2": 1, "o": 1}[player], True)

    def test_for_more_it_is_what_each_ends_with(self, capsys: pytest.CaptureFixture[str]) -> None:
        game = ["noughts", "--players", "3", "--moves", "0 3 4 1 5 8"]
        assert solve(capsys, *game)["value"] == [1, -1, -1]
        assert main(["solve", *game]) == 0
        assert capsys.readouterr().out.startswith(
            "The scores at the end, if all play for themselves: +1 for player 1, who is to move, −1"
            " for player 2 and −1 for player 3.\nThe best move is 2.\n"
        )

    def test_in_too_short_a_time_there_is_an_estimate(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Two milliseconds are too few for hundreds of thousands of positions."""
        answer = solve(capsys, *FOUR_BY_FOUR, "--time", "0.002")
        assert answer["exact"] is False
        assert answer["most"] is None
        assert {"least", "playouts"} < answer.keys()
        answer = solve(capsys, "noughts", "--players", "3", "--time", "0.002")
        assert (answer["exact"], answer["value"]) == (False, None)

    def test_the_estimate_is_told_as_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["solve", *FOUR_BY_FOUR, "--time", "0.004"]) == 0
        first, *rest, _ = capsys.readouterr().out.splitlines()
        assert first.endswith(": the search ended before it was known exactly.")
        assert all(line.startswith("An estimate: about ") for line in rest)


@each(
    "arguments, code, words",
    [
        (["--moves", "h0 h0"], 2, "move 2 of --moves can't be played: h0 is already drawn"),
        (["--moves", "x"], 2, "move 1 of --moves can't be played"),
        (["--rows", "0"], 2, "rows"),
        (["--time", "0"], 2, "--time is a number of seconds above 0"),
        (["--memory", "0"], 2, "--memory is a number of MiB, 1 to 1048576, not 0"),
        (["noughts", "--players", "1"], 2, "at least 2"),
        (["noughts", "--position", "x"], 2, "--position can't be read: a position is 9 cells"),
        (["--position", "x", "--moves", "h0"], 2, "not allowed with argument"),
        (["--rows", "1", "--cols", "1", "--moves", "h0 h1 v0 v1"], 1, "the game is over"),
        (["--rows", "1", "--cols", "1", "--moves", "h0 h1 v0 v1", "--to-move", "1"], 1, "over"),
        (["--to-move", "0"], 2, "--to-move is a player, 1 to 2, not 0"),
        (["--to-move", "3"], 2, "--to-move is a player, 1 to 2, not 3"),
        (["--to-move", "Ada"], 2, "--to-move is a player, 1 to 2, not Ada"),
        (["noughts", "--to-move", "a"], 2, "--to-move is a player, 1 to 2, or its mark, x, o, not"),
        (
            ["noughts", "--players", "3", "--position", "........./0/1", "--to-move", "2"],
            2,
            "--to-move can't be 2: that player has withdrawn",
        ),
    ],
)
def test_mistakes_are_told(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    assert main(["solve", *arguments]) == code
    assert words in capsys.readouterr().err
