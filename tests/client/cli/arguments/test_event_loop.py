"""Signals to a command in its event loop: how it ends, and that it ends."""

import asyncio
import os
import signal

import pytest
from tests.cases import each

from boxroom_client.cli.arguments.event_loop import run_until_done
from boxroom_common.exits import Exit

EXIT_CODES = [
    (signal.SIGINT, Exit.INTERRUPTED),
    (signal.SIGTERM, Exit.TERMINATED),
    (signal.SIGHUP, Exit.HUNG_UP),
]


def test_a_command_that_ends_by_itself_gives_its_result() -> None:
    async def command() -> str:
        return "done"

    assert run_until_done(command()) == "done"


@each("number, exit_code", EXIT_CODES)
def test_a_signal_cancels_the_command(number: signal.Signals, exit_code: Exit) -> None:
    steps: list[str] = []

    async def command() -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            steps.append("left")

    assert run_until_done(command()) == exit_code
    assert steps == ["left"]


@each("second", [number for number, _ in EXIT_CODES])
def test_a_second_signal_cancels_the_clean_up(second: signal.Signals) -> None:
    """Not the event loop: tasks that are left end, and the exit code is that of the first."""
    steps: list[str] = []

    async def other() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            steps.append("other ended")

    async def command() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(other())
            await asyncio.sleep(0)
            os.kill(os.getpid(), signal.SIGINT)
            try:
                await asyncio.Event().wait()
            finally:
                os.kill(os.getpid(), second)
                try:
                    await asyncio.Event().wait()
                finally:
                    steps.append("clean-up cancelled")

    assert run_until_done(command()) == Exit.INTERRUPTED
    assert steps == ["clean-up cancelled", "other ended"]


def test_afterwards_signals_do_what_they_did_before() -> None:
    async def command() -> None:
        assert signal.getsignal(signal.SIGTERM) not in before

    before = [signal.getsignal(number) for number, _ in EXIT_CODES]
    run_until_done(command())
    assert [signal.getsignal(number) for number, _ in EXIT_CODES] == before


def test_a_signal_that_is_ignored_stays_so() -> None:
    """As SIGHUP is after nohup."""

    async def command() -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0)
        return "done"

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run_until_done(command()) == "done"
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_cancellation_is_no_exit_code() -> None:
    async def command() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run_until_done(command())
