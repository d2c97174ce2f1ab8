"""scripts/installer.py says what pip and uv are waiting for, and why they have failed."""

import io
import os
import sys

import pytest
from scripts.installer import InstallerError, WaitingLine, reason, run_installer
from tests.cases import each

PIP = "Getting page https://me:secret@index.test/simple/websockets/\n"
UV = "DEBUG No cache entry\nDEBUG Sending fresh GET request for: https://index.test/simple/segno/\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@each(
    "output, url",
    [
        (PIP, "https://index.test/simple/websockets/"),
        (UV, "https://index.test/simple/segno/"),
        ("  Downloading websockets-17.0.whl (1 kB)\n", "websockets-17.0.whl"),
        (PIP + UV, "https://index.test/simple/segno/"),
    ],
)
def test_names_the_last_request_without_its_password(output: str, url: str) -> None:
    out = io.StringIO()
    waiting = WaitingLine("pip", out, 0)
    waiting.read(output, 10)
    waiting.show(13.5)
    assert out.getvalue() == f"  waiting for {url}, 3 s\n"


def test_pip_installs_after_its_last_request() -> None:
    out = io.StringIO()
    waiting = WaitingLine("pip", out, 0)
    waiting.read(PIP + "Installing collected packages: websockets\n", 0)
    waiting.show(2)
    assert out.getvalue() == "  waiting for the installation, 2 s\n"


def test_without_a_terminal_reports_when_the_wait_has_doubled() -> None:
    out = io.StringIO()
    waiting = WaitingLine("pip", out, 0)
    for now_s in range(17):
        waiting.show(now_s)
    assert out.getvalue() == "".join(f"  waiting for pip, {n} s\n" for n in (2, 4, 8, 16))


def test_a_terminal_shows_each_second_on_one_line() -> None:
    out = Terminal()
    waiting = WaitingLine("pip", out, 0)
    for now_s in (0, 1, 2, 2.5, 3):
        waiting.show(now_s)
    waiting.close()
    assert out.getvalue() == "".join(
        f"\r\x1b[K{text}" for text in ("  waiting for pip, 2 s", "  waiting for pip, 3 s", "")
    )


@each(
    "output, told",
    [
        (
            PIP + "Could not fetch URL https://index.test/simple/websockets/: connection error: "
            "Read timed out. (read timeout=5) - skipping\nERROR: No matching distribution\n",
            "no answer from https://index.test/simple/websockets/.",
        ),
        (
            UV + "error: Failed to fetch: `https://index.test/simple/segno/`\n",
            "no answer from https://index.test/simple/segno/.",
        ),
        (
            UV + "error: Failed to install: segno-1.6.whl\n"
            "  Caused by: No space left on device (os error 28)\n",
            "no space is left on the disk.",
        ),
        (
            PIP + "  error: subprocess-exited-with-error\n"
            "ERROR: No matching distribution found for segno>=99\n",
            "No matching distribution found for segno>=99",
        ),
        ("nothing\n", ""),
    ],
)
def test_reason_of_a_failure(output: str, told: str) -> None:
    assert reason(output) == told


def test_a_failure_without_a_reason_shows_all_output() -> None:
    read, write = os.pipe()
    program = "import sys; print('broken in some way'); sys.exit(3)"
    with pytest.raises(InstallerError, match="broken in some way"):
        run_installer([sys.executable, "-c", program], os.environ, write)
    os.close(read)
    os.close(write)
