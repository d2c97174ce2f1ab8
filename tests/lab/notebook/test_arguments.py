"""Robots as arguments, and errors in the words of a call."""

import signal
from functools import partial
from threading import Thread
from typing import Any

import pytest
from tests.cases import each

from boxroom_common.exits import Failure, UsageError
from boxroom_engine.games.protocol import State
from boxroom_engine.stopping import SearchStopped
from boxroom_lab.notebook.arguments import NotebookError, contenders, explained, interruptible


def first(state: State) -> int:
    return 0


def another() -> Any:
    def first(state: State) -> int:
        return 1

    return first


def greedy(state: State) -> int:
    return 2


def test_every_function_has_a_name_of_its_own() -> None:
    other = another()
    names, functions = contenders([first, "greedy", first, other, greedy, "mine.py:robot"])
    assert names == ("first", "greedy", "first", "first (2)", "greedy (2)", "mine.py")
    assert list(functions) == ["first", "first (2)", "greedy (2)"]
    assert [str(each) for each in functions.values()] == list(functions)


def test_what_has_no_name_has_that_of_its_type() -> None:
    names, _ = contenders([partial(first), lambda state: 0])
    assert names == ("partial", "<lambda>")


@each(
    "robots, why",
    [
        (first, r"arena takes a list of robots, such as \[my_robot, 'greedy'\]"),
        ("greedy", "arena takes a list of robots"),
        (["greed"], "greed"),
        ([first, 3], "int is no robot: a robot is a function, not int"),
    ],
)
def test_other_things_are_refused(robots: Any, why: str) -> None:
    with pytest.raises(NotebookError, match=why), explained():
        contenders(robots)


@each(
    "error, said",
    [
        (UsageError("--games is 1 to 100, not 0"), "games is 1 to 100, not 0"),
        (
            Failure("That's wrong. --password PASSWORD gives it."),
            "That's wrong. password gives it.",
        ),
        (UsageError("--time is a number above 0"), "time_s is a number above 0"),
        (Failure("name one with --server ADDRESS"), "name one with server"),
    ],
)
def test_errors_of_commands_name_keywords(error: Exception, said: str) -> None:
    with pytest.raises(NotebookError) as raised, explained():
        raise error
    assert str(raised.value) == said


def test_a_signal_within_the_program_is_no_error_of_the_call() -> None:
    with pytest.raises(SearchStopped), explained():
        raise SearchStopped


def test_an_interrupt_is_noticed_and_the_handler_put_back() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with interruptible() as is_interrupted:
        assert signal.getsignal(signal.SIGTERM) is before[1]
        assert not is_interrupted()
        signal.raise_signal(signal.SIGINT)
        assert is_interrupted()
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_another_thread_cant_be_interrupted() -> None:
    found: list[bool] = []

    def run() -> None:
        with interruptible() as is_interrupted:
            found.append(is_interrupted())

    thread = Thread(target=run)
    thread.start()
    thread.join()
    assert found == [False]
