"""What a server has counted, in the text format of Prometheus.

It takes 25 ms to load, so it is imported when somebody asks for the first time.
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

from boxroom_server.ops.metrics import Histogram, Metrics, Standing


def exposition(metrics: Metrics, standing: Standing) -> bytes:
    """Both of them and what is known of the process, as UTF-8 text, version 0.0.4."""
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    registry.register(_Counted(metrics, standing))
    return generate_latest(registry)


class _Counted(Collector):
    def __init__(self, metrics: Metrics, standing: Standing) -> None:
        self._metrics = metrics
        self._standing = standing

    def collect(self) -> Iterator[Metric]:
        """See `prometheus_client.registry.Collector`."""
        yield from _standing(self._standing)
        yield from _counters(self._metrics)
        yield from _histograms(self._metrics)


def _standing(now: Standing) -> Iterator[Metric]:
    yield InfoMetricFamily("boxroom", "The program.", {"version": now.version})
    gauges = {
        "boxroom_start_time_seconds": ("When the server was started.", now.started_ms / 1000),
        "boxroom_ready": ("1 if /readyz is answered with 200, else 0.", now.is_ready),
        "boxroom_connections": ("Conversations that are going on.", now.connections),
        "boxroom_unread_bytes": ("Bytes that wait for their readers.", now.unread_bytes),
        "boxroom_rooms": ("Rooms that are awake.", now.rooms),
        "boxroom_rooms_playing": ("Rooms in which a game is on.", now.rooms_playing),
        "boxroom_members": ("Members of all rooms, present or not.", now.members),
        "boxroom_bot_moves_waiting": ("Moves that wait for a bot's turn.", now.moves_waiting),
    }
    for name, (text, value) in gauges.items():
        yield GaugeMetricFamily(name, text, value)


def _counters(counted: Metrics) -> Iterator[Metric]:
    yield CounterMetricFamily("boxroom_connections_opened", "Conversations begun.", counted.opened)
    yield CounterMetricFamily("boxroom_commands", "Commands in rooms.", counted.commands)
    labelled = (
        ("boxroom_connections_turned_away", "Connections not let in.", "status", counted.turned),
        ("boxroom_connections_closed", "Conversations ended.", "code", counted.closes),
        ("boxroom_refusals", "Requests and commands refused.", "code", counted.refusals),
        ("boxroom_moves", "Moves, by who chose them.", "by", counted.moves),
        ("boxroom_bot_failures", "Moves that bots owed.", "bot", counted.bot_failures),
    )
    for name, text, label, counts in labelled:
        family = CounterMetricFamily(name, text, labels=[label])
        for key, count in sorted(counts.items()):
            family.add_metric([str(key)], count)
        yield family


def _histograms(counted: Metrics) -> Iterator[Metric]:
    plain = (
        ("boxroom_commit_seconds", "Time of a commit to the disk.", counted.commits.seconds),
        ("boxroom_commit_entries", "Entries in a commit.", counted.commits.entries),
        ("boxroom_broadcast_seconds", "From a command to its events sent.", counted.broadcast),
        ("boxroom_loop_lag_seconds", "How late the event loop is.", counted.lag),
    )
    for name, text, histogram in plain:
        family = HistogramMetricFamily(name, text, labels=[])
        family.add_metric([], _buckets(histogram), histogram.total)
        yield family
    thinking = HistogramMetricFamily(
        "boxroom_bot_thinking_seconds", "How long bots thought.", labels=["bot"]
    )
    for bot, histogram in sorted(counted.thinking.items()):
        thinking.add_metric([bot], _buckets(histogram), histogram.total)
    yield thinking


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    """How many values there are up to each bound, and up to infinity."""
    bounds = [*map(floatToGoString, histogram.bounds), "+Inf"]
    return list(zip(bounds, accumulate(histogram.counts), strict=True))
