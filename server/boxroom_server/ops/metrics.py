"""What a server counts of itself: plain numbers, since a move takes some 25 µs in all.

How they are told to whoever asks is for `exposition` to say. What can be looked up at that
moment, such as how many rooms there are, isn't counted but stands in a `Standing`.
"""

import logging
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from boxroom_engine.bots.registry import BOTS
from boxroom_engine.room.events import MoveSource
from boxroom_server.net.admission import TURNED
from boxroom_server.net.close_codes import LABELS
from boxroom_server.ops.logs import fields

logger = logging.getLogger(__name__)

# fmt: off
SECONDS = (
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)
# fmt: on
"""Bounds for times: from what a move takes at rest to what nobody would wait for."""

ENTRIES = tuple(float(2**power) for power in range(11))
"""Bounds for the number of entries in a commit."""

SLOW_COMMIT_S = 1.0
"""Everybody in the rooms concerned has waited that long for a move: an operator wants to know."""


class Histogram:
    """How many of the values that were observed lie between which bounds, and their sum.

    `bounds` grow. `counts` has one number more than they are: `counts[i]` are the values up to
    and with `bounds[i]` but above the bound before it, and the last one those above all bounds.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count `value`. Only one thread at a time may do this."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


def _seconds() -> Histogram:
    return Histogram(SECONDS)


@dataclass(slots=True)
class Commits:
    """What a log on a disk has done: how long its commits took, and how much was in each."""

    seconds: Histogram = field(default_factory=_seconds)
    entries: Histogram = field(default_factory=lambda: Histogram(ENTRIES))

    def observe(self, took_s: float, entries: int) -> None:
        """Count a commit of `entries`, from any thread, as long as it is always the same one."""
        self.seconds.observe(took_s)
        self.entries.observe(entries)
        if took_s >= SLOW_COMMIT_S:
            logger.warning("a commit was slow", extra=fields(seconds=took_s, entries=entries))


@dataclass(slots=True)
class Metrics:
    """Everything that one server counts; whoever has something to count is given it.

    Keys are from sets that we know, so that no client can make one up, and most are there from
    the start, so that a first time shows as a growth.
    """

    now_s: Callable[[], float] = perf_counter
    """The time by which durations are measured."""
    opened: int = 0
    """Conversations begun."""
    turned: Counter[int] = field(default_factory=lambda: Counter(dict.fromkeys(TURNED, 0)))
    """Connections that weren't let in, by the HTTP status that told them so."""
    closes: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(LABELS, 0)))
    """Conversations that have ended, by `closing.label`."""
    commands: int = 0
    """Commands in rooms, whatever came of them."""
    refusals: Counter[str] = field(default_factory=Counter)
    """By code."""
    moves: dict[MoveSource, int] = field(default_factory=lambda: dict.fromkeys(MoveSource, 0))
    commits: Commits = field(default_factory=Commits)
    broadcast: Histogram = field(default_factory=_seconds)
    """From reading an accepted command until its events are with all transports."""
    thinking: defaultdict[str, Histogram] = field(
        default_factory=lambda: defaultdict(_seconds, {bot: _seconds() for bot in BOTS})
    )
    """How long bots thought, by the kind of bot, without waiting for their turn to think."""
    bot_failures: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(BOTS, 0)))
    """Moves that bots owed, by the kind of bot."""
    lag: Histogram = field(default_factory=_seconds)
    """By how much the event loop came too late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a server stands at one moment."""

    version: str
    started_ms: int
    is_ready: bool
    connections: int
    unread_bytes: int
    """What waits in the server for readers of all connections."""
    rooms: int
    rooms_playing: int
    members: int
    moves_waiting: int
    """Moves asked of bots that wait for their turn to think."""
