"""Which readers are cut: not the slow ones, but those for whom too much waits or nothing moves.

The kernel's buffers are too generous for that to be shown over a socket, so what stands here
for a connection says itself how much waits; test_slow_readers has the real ones.
"""

from types import SimpleNamespace
from typing import cast

from tests.server.manual_clock import ManualClock
from websockets.asyncio.server import ServerConnection

from boxroom_server.net.connections import Connections
from boxroom_server.options import Options
from boxroom_server.tasks import Tasks

ONE_LOOP = True
UNREAD_BYTES = 1000


class Reader(SimpleNamespace):
    """A connection whose reader the test plays."""

    def __init__(self) -> None:
        super().__init__(paused=True, waits=500, is_cut=False, transport=self)

    def get_write_buffer_size(self) -> int:
        waits: int = self.waits
        return waits

    def is_closing(self) -> bool:
        is_cut: bool = self.is_cut
        return is_cut

    def abort(self) -> None:
        self.is_cut = True


def paused_reader() -> tuple[ManualClock, Reader]:
    clock, reader = ManualClock(), Reader()
    options = Options(unread_bytes=UNREAD_BYTES, drain_s=5.0)
    Connections(options, clock, Tasks()).paused(cast("ServerConnection", reader))
    return clock, reader


def test_who_reads_nothing_is_cut_when_the_time_is_over() -> None:
    clock, reader = paused_reader()
    clock.advance(4.9)
    assert not reader.is_cut
    clock.advance(0.1)
    assert reader.is_cut


def test_who_reads_slowly_is_borne_with_and_cut_when_it_stops() -> None:
    clock, reader = paused_reader()
    for waits in (400, 450, 300):
        reader.waits = waits
        clock.advance(5)
        assert not reader.is_cut
    clock.advance(5)
    assert reader.is_cut


def test_who_has_caught_up_is_not_looked_at_again() -> None:
    clock, reader = paused_reader()
    reader.paused = False
    clock.advance(5)
    assert not reader.is_cut
    assert not clock.waiting


def test_however_it_moves_no_more_than_the_limit_waits_for_long() -> None:
    clock, reader = paused_reader()
    reader.waits = UNREAD_BYTES + 1
    clock.advance(5)
    assert reader.is_cut


def test_a_connection_that_is_gone_is_left_alone() -> None:
    clock, reader = paused_reader()
    reader.is_cut = True
    clock.advance(5)
    assert not clock.waiting
