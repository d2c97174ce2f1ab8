"""Event-loop lag, with a clock that the test moves and times that it makes up."""

import pytest
from tests.server.manual_clock import ManualClock

from boxroom_server.ops.loop_lag import PERIOD_S, WARNING_S, LagMeter
from boxroom_server.ops.metrics import Metrics


class Loop:
    """A meter on a fake loop whose lag the test sets."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.now_s = 100.0
        self.lag = Metrics().lag
        self.meter = LagMeter(self.clock, lambda: self.now_s, self.lag)

    def turn(self, late_s: float) -> None:
        """Make the next measurement late."""
        self.now_s += PERIOD_S + late_s
        self.clock.advance(PERIOD_S)


def test_each_look_is_counted_by_how_late_it_came() -> None:
    loop = Loop()
    loop.meter.start()
    loop.turn(late_s=0.25)
    loop.turn(late_s=0.5)
    assert loop.lag.total == 0.75
    assert sum(loop.lag.counts) == 2


def test_what_comes_too_early_is_not_late() -> None:
    loop = Loop()
    loop.meter.start()
    loop.turn(late_s=-0.25)
    assert loop.lag.total == 0
    assert sum(loop.lag.counts) == 1


def test_an_operator_is_told_of_a_loop_that_was_held_up(caplog: pytest.LogCaptureFixture) -> None:
    loop = Loop()
    loop.meter.start()
    loop.turn(late_s=WARNING_S / 2)
    assert not caplog.records
    loop.turn(late_s=WARNING_S)
    (record,) = caplog.records
    assert record.message == "the event loop was held up"
    assert record.__dict__["fields"] == {"seconds": WARNING_S}


def test_nothing_is_left_behind_when_it_stops() -> None:
    loop = Loop()
    loop.meter.stop()
    loop.meter.start()
    loop.turn(late_s=0)
    loop.meter.stop()
    assert loop.clock.waiting == 0
