"""Signals that end a run."""

import signal

import pytest

from boxroom_client.exits import Exit
from boxroom_client.signals import Ending


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, Exit.INTERRUPTED),
        (signal.SIGTERM, Exit.TERMINATED),
        (signal.SIGHUP, Exit.HUNG_UP),
    ],
)
def test_a_signal_is_remembered(number: signal.Signals, code: Exit) -> None:
    before = signal.getsignal(number)
    with Ending() as ending:
        assert not ending.is_near()
        signal.raise_signal(number)
        assert ending.is_near()
        signal.raise_signal(signal.SIGTERM)
    assert ending.exit is code
    assert signal.getsignal(number) is before


def test_who_cant_wait_presses_ctrl_c_twice() -> None:
    with Ending():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
