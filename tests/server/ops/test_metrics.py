"""Counters and histograms: compared with a naive reference, and with keys from the start."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.bots.registry import BOTS
from boxroom_engine.room.events import MoveSource
from boxroom_server.net.close_codes import LABELS
from boxroom_server.ops.metrics import (
    ENTRIES_BOUNDS,
    SECONDS_BOUNDS,
    SLOW_COMMIT_S,
    Commits,
    Histogram,
    Metrics,
)

values = st.floats(min_value=0, max_value=100) | st.sampled_from(SECONDS_BOUNDS)


@given(st.lists(values))
def test_each_value_is_counted_at_the_first_bound_that_is_not_below_it(seen: list[float]) -> None:
    histogram = Histogram(SECONDS_BOUNDS)
    for value in seen:
        histogram.observe(value)
    below = [sum(value <= bound for value in seen) for bound in SECONDS_BOUNDS]
    assert [sum(histogram.counts[: at + 1]) for at in range(len(SECONDS_BOUNDS))] == below
    assert sum(histogram.counts) == len(seen)
    assert histogram.total == pytest.approx(sum(seen))


@each("bounds", [SECONDS_BOUNDS, ENTRIES_BOUNDS])
def test_bounds_grow(bounds: tuple[float, ...]) -> None:
    assert list(bounds) == sorted(set(bounds))


def test_a_commit_is_counted_by_its_time_and_its_size() -> None:
    commits = Commits()
    commits.observe(0.004, 3)
    assert commits.seconds.total == 0.004
    assert commits.entries.total == 3
    assert commits.entries.counts[ENTRIES_BOUNDS.index(4)] == 1


def test_a_slow_commit_is_logged_and_no_other(caplog: pytest.LogCaptureFixture) -> None:
    commits = Commits()
    commits.observe(SLOW_COMMIT_S - 0.1, 1)
    assert not caplog.records
    commits.observe(SLOW_COMMIT_S, 7)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.__dict__["fields"] == {"seconds": SLOW_COMMIT_S, "entries": 7}


def test_known_keys_start_at_zero() -> None:
    metrics = Metrics()
    assert metrics.moves == dict.fromkeys(MoveSource, 0)
    assert metrics.bot_failures == dict.fromkeys(BOTS, 0)
    assert metrics.closes == dict.fromkeys(LABELS, 0)
    assert list(metrics.thinking) == list(BOTS)


def test_servers_share_nothing() -> None:
    one, other = Metrics(), Metrics()
    one.moves[MoveSource.BOT] += 1
    one.lag.observe(1.0)
    one.commits.observe(0.1, 1)
    assert not any(other.moves.values())
    assert not any(other.lag.counts + other.commits.seconds.counts)
