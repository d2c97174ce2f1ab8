"""Commands whose standard output or standard error can't be written, in a process of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from boxroom_client.cli.commands import COMMANDS
from boxroom_common.exits import Exit

RECORD = "docs/examples/lesson.txt"
PRINTING = (
    ["--version"],
    ["--help"],
    ["--print-completion", "bash"],
    *([name, "--help"] for name in COMMANDS),
    ["config"],
    ["config", "--path"],
    ["history"],
    ["rating"],
    ["replay", RECORD],
    ["perfect", "noughts"],
    ["tree", "subtract-square", "--start", "4", "--depth", "1"],
    ["solve", "subtract-square", "--start", "4"],
    ["play", "--local", "Ada", "Bob", "--rows", "1", "--cols", "1"],
    ["play", "noughts", "--bot", "random"],
    ["arena", "random", "greedy", "--game", "noughts", "--games", "2", "--jobs", "1"],
)
"""Command lines that print something, and succeed if they can."""

SHORT = (["--version"], ["config"], ["play", "noughts", "--bot", "random"])
"""A few of them: printed before a command is known, by one command, and while it runs."""

FAILING = (["bogus"], ["play", "--bogus"], ["replay", "nowhere"], ["join", "127.0.0.1:1"])
"""Command lines that fail for another reason."""

SCRIPT = """
import json, sys
from boxroom_client.main import main
if __name__ == "__main__":
    codes = [main(arguments) for arguments in json.loads(sys.argv[2])]
    with open(sys.argv[1], "w") as file:
        print(*codes, file=file)
"""


def run(
    folder: Path,
    lines: Sequence[list[str]],
    redirection: str = "",
    stdout: int = subprocess.PIPE,
) -> tuple[list[int], str]:
    """Run `lines` in one process, and return their exit codes and what it wrote as messages."""
    script = folder / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [
            "/bin/sh",
            "-c",
            f'"$@" {redirection}',
            "sh",
            sys.executable,
            str(script),
            str(folder / "codes"),
            json.dumps(lines),
        ],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "BOXROOM_COMPILER": "none", "HOME": str(folder)},
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr  # the interpreter's last flush, too
    assert not done.stdout
    return [int(code) for code in (folder / "codes").read_text().split()], done.stderr


@pytest.mark.parametrize(
    ("redirection", "reason", "lines"),
    [
        ("> /dev/full", "No space left on device", PRINTING),
        (">&-", "Bad file descriptor", SHORT),
        ("<&- >&-", "Bad file descriptor", SHORT),
    ],
)
def test_output_that_cannot_be_written_is_reported_in_a_line(
    tmp_path: Path, redirection: str, reason: str, lines: Sequence[list[str]]
) -> None:
    codes, messages = run(tmp_path, lines, redirection)
    assert codes == [Exit.FAILED] * len(lines)
    line = f"boxroom: can't write to standard output: {reason}"
    assert messages.splitlines() == [line] * len(lines)


def test_a_reader_that_has_gone_is_no_failure(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        codes, messages = run(tmp_path, PRINTING, stdout=writer)
    finally:
        os.close(writer)
    assert codes == [Exit.DONE] * len(PRINTING)
    assert messages == ""


@pytest.mark.parametrize("redirection", ["2> /dev/full", ">&- 2>&-"])
def test_messages_that_cannot_be_written_change_no_exit_code(
    tmp_path: Path, redirection: str
) -> None:
    codes, messages = run(tmp_path, FAILING, redirection)
    assert codes == [Exit.USAGE, Exit.USAGE, Exit.FAILED, Exit.UNREACHABLE]
    assert messages == ""


def test_a_terminal_that_is_closed_while_the_command_prints_has_hung_up() -> None:
    master, terminal = os.openpty()
    printing = (
        "from boxroom_client.standard_streams import checked_streams\n"
        "with checked_streams():\n"
        "    print('before')\n"
        "    input()\n"
        "    print('after')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", printing], stdin=subprocess.PIPE, stdout=terminal, text=True
    ) as process:
        os.close(terminal)
        with os.fdopen(master) as window:
            assert window.readline() == "before\n"
        process.communicate("\n", timeout=300)
    assert process.returncode == Exit.HUNG_UP
