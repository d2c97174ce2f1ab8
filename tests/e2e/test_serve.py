"""Lines of `boxroom serve` in a terminal and in a pipe."""

import signal
import subprocess

from tests.e2e.terminal import CTRL_C, LIMIT_S, PROGRAM, Terminal

from boxroom_common.qr_codes import qr_lines

LINK = "https://play.example.org/"
ARGUMENTS = ("serve", "--memory", "--host", "127.0.0.1", "--port", "0", "--no-announce")
PUBLIC = (*ARGUMENTS, "--public-url", LINK)


def test_a_terminal_shows_the_qr_code_black_on_white() -> None:
    with Terminal(*PUBLIC) as terminal:
        terminal.wait_for("Ctrl-C stops the server.")
        shown = [line.rstrip() for line in terminal.screen.display]
        code = [line.rstrip() for line in qr_lines(LINK)]
        start = shown.index(code[2])
        assert shown[start - 2 : start + len(code) - 2] == code
        assert shown[start - 3].strip() == LINK
        row = terminal.screen.buffer[start]
        assert {(row[x].fg, row[x].bg) for x in range(len(qr_lines(LINK)[0]))} == {
            ("000000", "ffffff")
        }
        assert row[len(qr_lines(LINK)[0])].bg == "default"
        terminal.press(CTRL_C)
        assert terminal.wait_for_end() == 0


def test_a_narrow_terminal_gets_the_link_and_a_sentence() -> None:
    with Terminal(*PUBLIC, columns=30) as terminal:
        terminal.wait_for("Ctrl-C stops the server.")
        shown = "".join(terminal.screen.display)
        assert f"  {LINK}" in shown
        assert "columns; here are 30." in shown
        assert "█" not in shown


def test_a_pipe_gets_the_links_only() -> None:
    with subprocess.Popen([*PROGRAM, *PUBLIC], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        lines: list[str] = []
        while not lines or lines[-1] != "Ctrl-C stops the server.":
            lines.append(server.stdout.readline().rstrip("\n"))
            assert lines[-1]
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=LIMIT_S)
    assert lines[2:] == [
        "In a browser, with nothing to install, they open:",
        f"  {LINK}",
        "Ctrl-C stops the server.",
    ]
