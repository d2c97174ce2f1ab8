"""Metrics in the Prometheus text format.

prometheus_client takes 25 ms to import, so this module is imported at the first request.
"""

from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from boxroom_server.ops.metrics import Histogram, Metrics, ServerStatus


def metrics_text(metrics: Metrics, status: ServerStatus) -> bytes:
    """Return all metrics, with those of the process, as UTF-8 text of version 0.0.4."""
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    registry.register(_Collector(metrics, status))
    return generate_latest(registry)


class _Collector(Collector):
    def __init__(self, metrics: Metrics, status: ServerStatus) -> None:
        self._metrics = metrics
        self._status = status

    def collect(self) -> Iterator[Metric]:
        yield from _gauges(self._status)
        yield from _counters(self._metrics)
        yield from _histograms(self._metrics)


def _gauges(now: ServerStatus) -> Iterator[Metric]:
    yield InfoMetricFamily("boxroom", "The program.", {"version": now.version})
    gauges = {
        "boxroom_start_time_seconds": ("When the server was started.", now.started_ms / 1000),
        "boxroom_ready": ("1 if /readyz is answered with 200, else 0.", now.is_ready),
        "boxroom_connections": ("Sessions that are open.", now.connections),
        "boxroom_unread_bytes": ("Bytes that clients haven't read yet.", now.unread_bytes),
        "boxroom_rooms": ("Rooms that are awake.", now.rooms),
        "boxroom_rooms_playing": ("Rooms in which a game is on.", now.rooms_playing),
        "boxroom_members": ("Members of rooms that are awake, connected or not.", now.members),
        "boxroom_rooms_split": (
            "Rooms that this server owns whose connected members are on several servers.",
            now.rooms_split,
        ),
        "boxroom_bot_moves_waiting": (
            "Moves, hints and reviews that wait for a bot process.",
            now.moves_waiting,
        ),
    }
    for name, (text, value) in gauges.items():
        yield GaugeMetricFamily(name, text, value)


def _counters(counted: Metrics) -> Iterator[Metric]:
    yield CounterMetricFamily("boxroom_connections_opened", "Sessions begun.", counted.opened)
    yield CounterMetricFamily("boxroom_commands", "Commands in rooms.", counted.commands)
    labelled = (
        (
            "boxroom_connections_turned_away",
            "Connections rejected, by HTTP status.",
            "status",
            counted.rejections,
        ),
        (
            "boxroom_connections_closed",
            "Sessions ended, by the close code of the side that closed first.",
            "code",
            counted.closes,
        ),
        ("boxroom_refusals", "Requests and commands refused, by code.", "code", counted.refusals),
        (
            "boxroom_moves",
            "Moves, by who chose them: clock is a bot when the time was up.",
            "by",
            counted.moves,
        ),
        (
            "boxroom_bot_failures",
            "Moves that a bot didn't choose in time, or legally.",
            "bot",
            counted.bot_failures,
        ),
    )
    for name, text, label, counts in labelled:
        family = CounterMetricFamily(name, text, labels=[label])
        for key, count in sorted(counts.items()):
            family.add_metric([str(key)], count)
        yield family


def _histograms(counted: Metrics) -> Iterator[Metric]:
    plain = (
        ("boxroom_commit_seconds", "Duration of a commit to the disk.", counted.commits.seconds),
        (
            "boxroom_commit_entries",
            "Entries in a commit; an entry holds the events of one command.",
            counted.commits.entries,
        ),
        (
            "boxroom_broadcast_seconds",
            "Time from reading an accepted command until all connections have its events.",
            counted.broadcast,
        ),
        (
            "boxroom_loop_lag_seconds",
            "Delay of a scheduled call in the event loop, once a second.",
            counted.lag,
        ),
    )
    for name, text, histogram in plain:
        family = HistogramMetricFamily(name, text, labels=[])
        family.add_metric([], _buckets(histogram), histogram.total)
        yield family
    thinking = HistogramMetricFamily(
        "boxroom_bot_thinking_seconds",
        "Time of bots for a move, a hint or a review, without waiting.",
        labels=["bot"],
    )
    for bot, histogram in sorted(counted.thinking.items()):
        thinking.add_metric([bot], _buckets(histogram), histogram.total)
    yield thinking


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    """Return the number of values up to each bound, and up to infinity."""
    bounds = [*map(floatToGoString, histogram.bounds), "+Inf"]
    return list(zip(bounds, accumulate(histogram.counts), strict=True))
