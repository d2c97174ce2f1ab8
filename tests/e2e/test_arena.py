"""`boxroom arena` in a terminal: a bar while it runs, and Ctrl-C, which goes to all processes."""

from tests.e2e.terminal import CTRL_C, Terminal

from boxroom_common.exits import Exit


def test_a_bar_is_shown_and_ctrl_c_ends_it_in_order() -> None:
    with Terminal("arena", "random", "greedy", "--games", "100000", columns=100) as terminal:
        terminal.wait_for("of 100000 games, ")
        terminal.wait_for(" left")
        terminal.press(CTRL_C)
        terminal.wait_for("of 100,000 games, then interrupted.")
        assert terminal.wait_for_end() == Exit.INTERRUPTED
        assert " left" not in terminal.text
        assert "Traceback" not in terminal.text
        assert "lost" in terminal.text.splitlines()[3]
        assert "process died" not in terminal.text
