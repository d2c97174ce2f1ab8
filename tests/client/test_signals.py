"""Signals that stop a computation early."""

import signal

import pytest
from tests.cases import each

from boxroom_client.signals import StopSignals
from boxroom_common.exits import Exit


@each(
    "number, code",
    [
        (signal.SIGINT, Exit.INTERRUPTED),
        (signal.SIGTERM, Exit.TERMINATED),
        (signal.SIGHUP, Exit.HUNG_UP),
    ],
)
def test_a_signal_is_remembered(number: signal.Signals, code: Exit) -> None:
    before = signal.getsignal(number)
    with StopSignals() as stop_signals:
        assert not stop_signals.received()
        signal.raise_signal(number)
        assert stop_signals.received()
        signal.raise_signal(signal.SIGTERM)
    assert stop_signals.exit_code is code
    assert signal.getsignal(number) is before


def test_who_cant_wait_presses_ctrl_c_twice() -> None:
    with StopSignals():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
