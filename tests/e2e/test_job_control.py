"""Signals of job control: the shell gets its terminal, and the program takes it again."""

import os
import signal
from pathlib import Path

import pytest
from tests.e2e.terminal import CTRL_C, CTRL_U, CTRL_Z, Terminal, in_a_shell

GAME = "play --name Ada --bot greedy"
RECORD = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"
ALTERNATE_SCREEN, MOUSE = 1049, 1000

SHOWN = {
    GAME: "F10 leave",
    f"{GAME} --plain": "Ada>",
    "play": "Esc leaves",
    f"replay '{RECORD}'": "F1 help",
}
programs = pytest.mark.parametrize(
    ("arguments", "seen"), SHOWN.items(), ids=["screen", "plain", "form", "replay"]
)


def child_of(terminal: Terminal) -> int:
    """Return the only child of the shell in `terminal`."""
    children = Path(f"/proc/{terminal.pid}/task/{terminal.pid}/children")
    terminal.wait_until(lambda: bool(children.read_text()), "a child")
    (child,) = children.read_text().split()
    return int(child)


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def wait_for_stop(terminal: Terminal, pid: int) -> None:
    """Wait until the program is stopped, and the shell says so and takes a command."""
    terminal.wait_until(lambda: "shell:" in terminal.text.partition("Stopped")[2], "stopped")
    terminal.wait_until(lambda: is_stopped(pid), "stopped")
    terminal.press(CTRL_U)  # forgets what the program was about to read


@programs
def test_a_program_that_was_stopped_goes_on(arguments: str, seen: str) -> None:
    with in_a_shell(arguments) as terminal:
        terminal.wait_for(seen)
        pid, modes = child_of(terminal), terminal.modes
        for stop, columns in ((CTRL_Z, 90), (signal.SIGTSTP, 80), (signal.SIGSTOP, 90)):
            if isinstance(stop, signal.Signals):
                os.kill(pid, stop)
            else:
                terminal.press(stop)
            wait_for_stop(terminal, pid)
            if stop != signal.SIGSTOP:
                assert not terminal.modes & {ALTERNATE_SCREEN, MOUSE}
            terminal.resize(columns, 30)
            terminal.type("clear; fg")
            terminal.wait_until_gone("shell:")
            terminal.wait_for(seen)
            terminal.wait_until(lambda: terminal.modes == modes, "in its modes")
        terminal.press(CTRL_C + CTRL_C)
        terminal.wait_for("shell:")
        terminal.type("clear; stty -a")
        terminal.wait_for("eof = ^D;")
        terminal.wait_for(" icanon")
        assert not terminal.modes & {ALTERNATE_SCREEN, MOUSE}


@programs
def test_a_program_in_the_background_leaves_the_terminal_alone(arguments: str, seen: str) -> None:
    with in_a_shell(arguments) as terminal:
        pid = child_of(terminal)
        for number in (signal.SIGTSTP, signal.SIGSTOP):
            terminal.wait_for(seen)
            os.kill(pid, number)
            wait_for_stop(terminal, pid)
            terminal.type("clear; bg; echo $((40 + 2))")
            terminal.wait_for("42")
            # Bash's wait would miss a program that has stopped before it waits.
            terminal.wait_until(lambda: is_stopped(pid), "stopped again")
            assert seen not in terminal.text
            if number == signal.SIGTSTP:
                terminal.type("clear; fg")
        terminal.type("clear; read -p 'Two lines'?; kill %1; wait -f %1")
        terminal.wait_for("Two lines?")
        terminal.press("first\nsecond\n")  # the second is there while the program ends
        terminal.wait_for("second: command not found")
        assert not Path(f"/proc/{pid}").exists()
        assert not terminal.modes & {ALTERNATE_SCREEN, MOUSE}


def test_a_program_that_begins_in_the_background_waits_for_the_terminal() -> None:
    with in_a_shell(f"{GAME} &") as terminal:
        pid = child_of(terminal)
        terminal.wait_until(lambda: is_stopped(pid), "stopped")
        terminal.type("clear; fg")
        terminal.wait_for("F10 leave")
        terminal.press(CTRL_C + CTRL_C)
        terminal.wait_for("shell:")


def test_a_program_without_a_shell_draws_anew() -> None:
    with Terminal(*GAME.split(), lines=24) as terminal:
        terminal.wait_for("F10 leave")
        os.kill(terminal.pid, signal.SIGSTOP)
        terminal.wait_until(lambda: is_stopped(terminal.pid), "stopped")
        terminal.screen.reset()
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.wait_for("F10 leave")
        assert terminal.modes >= {ALTERNATE_SCREEN, MOUSE}
        os.kill(terminal.pid, signal.SIGTSTP)  # nobody could let it go on, so it isn't stopped
        terminal.type("h0")
        terminal.wait_for("Ada plays h0.")
