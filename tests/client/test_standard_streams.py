"""Commands whose standard output or standard error can't be written, in a process of their own."""

import json
import os
import subprocess
import sys
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


def run(folder: Path, lines: tuple[list[str], ...], redirection: str) -> tuple[list[int], str]:
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
        capture_output=True,
        env={**os.environ, "BOXROOM_COMPILER": "none", "HOME": str(folder)},
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr  # the interpreter's last flush, too
    assert done.stdout == ""
    return [int(code) for code in (folder / "codes").read_text().split()], done.stderr


@pytest.mark.parametrize(
    ("redirection", "reason"),
    [
        ("> /dev/full", "No space left on device"),
        (">&-", "Bad file descriptor"),
        ("<&- >&-", "Bad file descriptor"),
    ],
)
def test_output_that_cannot_be_written_is_reported_in_a_line(
    tmp_path: Path, redirection: str, reason: str
) -> None:
    codes, messages = run(tmp_path, PRINTING, redirection)
    assert codes == [Exit.FAILED] * len(PRINTING)
    line = f"boxroom: can't write to standard output: {reason}"
    assert messages.splitlines() == [line] * len(PRINTING)


def test_a_reader_that_has_gone_is_no_failure(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.set_inheritable(writer, True)
    try:
        script = tmp_path / "script.py"
        script.write_text(SCRIPT)
        done = subprocess.run(
            [sys.executable, str(script), str(tmp_path / "codes"), json.dumps(PRINTING)],
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            env={**os.environ, "BOXROOM_COMPILER": "none", "HOME": str(tmp_path)},
            timeout=300,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    codes = (tmp_path / "codes").read_text().split()
    assert codes == [str(int(Exit.DONE))] * len(PRINTING)


@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-", "> /dev/full 2>&1", ">&- 2>&-"])
def test_messages_that_cannot_be_written_change_no_exit_code(
    tmp_path: Path, redirection: str
) -> None:
    codes, messages = run(tmp_path, FAILING, redirection)
    assert codes == [Exit.USAGE, Exit.USAGE, Exit.FAILED, Exit.UNREACHABLE]
    assert messages == ""
