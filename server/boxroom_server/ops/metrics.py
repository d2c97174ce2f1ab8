"""Counters and histograms of a server: plain numbers, since a move takes some 25 µs in all.

`prometheus` formats them. Values that can be looked up when they are asked for, such as the number
of rooms, aren't counted: they are in `ServerStatus`.
"""

import logging
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from boxroom_engine.bots.registry import BOTS
from boxroom_engine.room.events import MoveSource
from boxroom_server.net.admission import REJECTION_STATUSES
from boxroom_server.net.close_codes import LABELS
from boxroom_server.ops.logs import fields

logger = logging.getLogger(__name__)

# fmt: off
SECONDS_BOUNDS = (
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)
# fmt: on
"""Bucket bounds for times: from a move on an idle server to a wait that no player accepts."""

ENTRIES_BOUNDS = tuple(float(2**power) for power in range(11))
"""Bucket bounds for the number of entries in a commit."""

SLOW_COMMIT_S = 1.0
"""Commit time that is logged: all players concerned have waited that long for a move."""


class Histogram:
    """Counts of observed values by bucket, and their sum.

    `bounds` are ascending. `counts[i]` is the number of values up to and including `bounds[i]` and
    above the bound before it; there is one more count, of the values above all bounds.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        """Values in each bucket."""
        self.total = 0.0
        """Sum of all values."""

    def observe(self, value: float) -> None:
        """Count `value`. Only one thread at a time may call this."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


def _seconds() -> Histogram:
    return Histogram(SECONDS_BOUNDS)


@dataclass(slots=True)
class Commits:
    """Durations and sizes of the commits of a room log on disk."""

    seconds: Histogram = field(default_factory=_seconds)
    entries: Histogram = field(default_factory=lambda: Histogram(ENTRIES_BOUNDS))

    def observe(self, took_s: float, entries: int) -> None:
        """Count a commit of `entries`; always called from the same thread."""
        self.seconds.observe(took_s)
        self.entries.observe(entries)
        if took_s >= SLOW_COMMIT_S:
            logger.warning("a commit was slow", extra=fields(seconds=took_s, entries=entries))


@dataclass(slots=True)
class Metrics:
    """The counters and histograms of one server, handed to all parts that count.

    Keys are from known sets, so that no client can make one up, and most exist from the start, so
    that a first occurrence shows as an increase.
    """

    now_s: Callable[[], float] = perf_counter
    """Monotonic clock for durations."""
    opened: int = 0
    """Sessions begun."""
    rejections: Counter[int] = field(
        default_factory=lambda: Counter(dict.fromkeys(REJECTION_STATUSES, 0))
    )
    """Rejected connections by HTTP status."""
    closes: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(LABELS, 0)))
    """Sessions ended, by `close_codes.label`."""
    commands: int = 0
    """Commands in rooms, accepted or not."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Refused requests and commands, by code."""
    moves: dict[MoveSource, int] = field(default_factory=lambda: dict.fromkeys(MoveSource, 0))
    """Moves, by who chose them."""
    commits: Commits = field(default_factory=Commits)
    broadcast: Histogram = field(default_factory=_seconds)
    """Time from reading an accepted command until its events are handed to all transports."""
    thinking: defaultdict[str, Histogram] = field(
        default_factory=lambda: defaultdict(_seconds, {bot: _seconds() for bot in BOTS})
    )
    """Thinking times of bots by kind of bot, without waiting for a process."""
    bot_failures: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(BOTS, 0)))
    """Moves that bots failed to choose in time, by kind of bot."""
    lag: Histogram = field(default_factory=_seconds)
    """Event-loop lag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """State of a server at one moment."""

    version: str
    started_ms: int
    is_ready: bool
    connections: int
    unread_bytes: int
    """Bytes buffered for all connections."""
    rooms: int
    rooms_playing: int
    members: int
    rooms_split: int
    """Rooms owned here whose connected members are on several servers."""
    moves_waiting: int
    """Moves that wait for a bot process."""
