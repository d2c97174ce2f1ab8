"""The background of the terminal: by COLORFGBG, and by asking a real terminal."""

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.screen.background import (
    LateAnswers,
    background_in,
    background_of,
)

PROGRAM = """
import asyncio, os
from prompt_toolkit.application.current import get_app_session
from prompt_toolkit.input.typeahead import get_typeahead
from boxroom_client.screen.background import terminal_background
print(terminal_background(os.environ))
print("".join(press.data for press in get_typeahead(get_app_session().input)))
print("END")
"""


@each(
    "value, background",
    [
        ("15;0", "dark"),
        ("0;15", "light"),
        ("0;default;15", "light"),
        ("0;7", "light"),
        ("15;8", "dark"),
        ("15;default", None),
        ("", None),
        ("0;99", None),
    ],
)
def test_by_variable(value: str, background: str | None) -> None:
    assert background_in({"COLORFGBG": value}) == background


@each(
    "colour, background",
    [
        (b"0000/0000/0000", "dark"),
        (b"ffff/ffff/ffff", "light"),
        (b"fd/f6/e3", "light"),
        (b"f/f/f/f", "light"),
        (b"1e1e/1e1e/2e2e", "dark"),
        (b"", None),
        (b"//", None),
        (b"12345/0/0", None),
    ],
)
def test_by_colour(colour: bytes, background: str | None) -> None:
    assert background_of(colour) == background


@contextmanager
def asked(answer: bytes, **environ: str) -> Iterator[list[str]]:
    """Run the program in a terminal that sends `answer` when it is asked; give its lines."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=follower,
        stdout=follower,
        env={**os.environ, "TERM": "xterm-256color", "COLORFGBG": "", **environ},
        start_new_session=True,
    )
    os.close(follower)
    received = b""
    answered = False
    guard = threading.Timer(30, process.kill)
    guard.start()
    try:
        while b"END" not in received:
            received += os.read(leader, 1024)
            if not answered and b"\x1b[c" in received:
                answered = True
                os.write(leader, answer)
        yield received.rpartition(b"\x1b[c")[2].decode().split()
    finally:
        guard.cancel()
        process.wait()
        os.close(leader)


def test_a_terminal_that_knows_it_is_believed() -> None:
    with asked(b"\x1b]11;rgb:ffff/ffff/dddd\x1b\\\x1b[?62;c", COLORFGBG="15;0") as lines:
        assert lines[0] == "light"


def test_one_that_knows_only_its_attributes_leaves_it_to_the_variable() -> None:
    with asked(b"\x1b[?6c", COLORFGBG="0;15") as lines:
        assert lines[0] == "light"


def test_one_that_says_nothing_is_not_waited_for() -> None:
    with asked(b"") as lines:
        assert lines[0] == "None"


def test_typed_keys_are_kept() -> None:
    typed = b"ab\x1b]11;rgb:0000/0000/0000\x07cd\x1b[?62;22ce"
    with asked(typed) as lines:
        assert lines[:2] == ["dark", "abcde"]


def test_a_console_that_would_show_the_question_is_not_asked() -> None:
    with asked(b"", TERM="linux") as lines:
        assert lines[0] == "None"


ANSWERS = ("\x1b]11;rgb:ffff/ffff/dddd\x1b\\", "\x1b[?62;22c", "\x1b]11;rgb:0/0/0\x07")
KEYS = ("a", "\x1b[A", "\x1bOP", "\x1b[<0;3;4M", "é")


@given(
    st.lists(st.sampled_from(KEYS)),
    st.sampled_from(ANSWERS),
    st.lists(st.sampled_from(KEYS)),
    st.integers(3),
)
def test_late_answers_are_not_keys(
    before: list[str], answer: str, after: list[str], cut: int
) -> None:
    first = "".join(before) + answer[: 3 + cut % (len(answer) - 2)]
    second = answer[3 + cut % (len(answer) - 2) :] + "".join(after)
    late = LateAnswers()
    read = late.removed_from(first) + late.removed_from(second)
    assert read == "".join(before + after)
