"""`boxroom replay` as users start it."""

import os
import signal

from tests.e2e.piped import boxroom
from tests.e2e.terminal import CTRL_C, Terminal

GAME = "dots rows=1 cols=2 border=none | Ada, Bob | h0 h1 h2 h3 v0 v2 v1"
END = "\x1b[F"


def test_in_a_terminal_one_goes_through_a_game() -> None:
    with Terminal("replay", GAME, lines=24) as terminal:
        terminal.wait_for("move 0 of 7")
        terminal.press("l")
        terminal.wait_for("1. Ada plays h0.")
        terminal.press(END)
        terminal.wait_for("game over: Ada wins")
        terminal.press("q")
        assert terminal.wait_for_end() == 0


def test_ctrl_c_and_signals_end_it() -> None:
    with Terminal("replay", GAME, "--to", "3", "--ascii", lines=24) as terminal:
        terminal.wait_for("move 3 of 7")
        terminal.press(CTRL_C)
        assert terminal.wait_for_end() == 130
    with Terminal("replay", GAME, lines=24) as terminal:
        terminal.wait_for("move 0 of 7")
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.wait_for_end() == 143


def test_it_is_printed_where_that_is_wanted_and_through_pipes() -> None:
    with Terminal("replay", GAME, "--plain", lines=24) as terminal:
        terminal.wait_for("Ada won with 2 boxes.")
        assert terminal.wait_for_end() == 0
    printed = boxroom("replay", "-", typed=GAME)
    assert printed.returncode == 0
    assert "7. Ada takes 2 boxes (v1)." in printed.stdout
