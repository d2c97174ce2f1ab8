"""Origins, and slow readers: those that stop or have too much to read are aborted.

The kernel's buffers are too large to test slow readers over a socket, so a fake connection reports
how much waits; test_slow_readers has real ones.
"""

from types import SimpleNamespace
from typing import cast

import pytest
from tests.server.manual_clock import ManualClock
from websockets.asyncio.server import ServerConnection

from boxroom_server.net.connections import Connections, is_allowed_origin
from boxroom_server.options import Options, parse_origins
from boxroom_server.tasks import Tasks

ONE_LOOP = True
UNREAD_BYTES = 1000
ALLOWED = parse_origins("https://example.org, http://localhost:8000")


class Reader(SimpleNamespace):
    """A fake connection and its transport, controlled by the test."""

    def __init__(self) -> None:
        super().__init__(paused=True, waiting_bytes=500, is_aborted=False, transport=self)

    def get_write_buffer_size(self) -> int:
        waiting_bytes: int = self.waiting_bytes
        return waiting_bytes

    def is_closing(self) -> bool:
        is_aborted: bool = self.is_aborted
        return is_aborted

    def abort(self) -> None:
        self.is_aborted = True


def paused_reader() -> tuple[ManualClock, Reader]:
    clock, reader = ManualClock(), Reader()
    options = Options(unread_bytes=UNREAD_BYTES, drain_s=5.0)
    Connections(options, clock, Tasks()).watch_slow_reader(cast("ServerConnection", reader))
    return clock, reader


def test_who_reads_nothing_is_aborted_when_the_time_is_over() -> None:
    clock, reader = paused_reader()
    clock.advance(4.9)
    assert not reader.is_aborted
    clock.advance(0.1)
    assert reader.is_aborted


def test_who_reads_slowly_is_borne_with_and_cut_when_it_stops() -> None:
    clock, reader = paused_reader()
    for waiting_bytes in (400, 450, 300):
        reader.waiting_bytes = waiting_bytes
        clock.advance(5)
        assert not reader.is_aborted
    clock.advance(5)
    assert reader.is_aborted


def test_who_has_caught_up_is_not_looked_at_again() -> None:
    clock, reader = paused_reader()
    reader.paused = False
    clock.advance(5)
    assert not reader.is_aborted
    assert not clock.waiting


def test_however_it_moves_no_more_than_the_limit_waits_for_long() -> None:
    clock, reader = paused_reader()
    reader.waiting_bytes = UNREAD_BYTES + 1
    clock.advance(5)
    assert reader.is_aborted


def test_a_connection_that_is_gone_is_left_alone() -> None:
    clock, reader = paused_reader()
    reader.is_aborted = True
    clock.advance(5)
    assert not clock.waiting


@pytest.mark.parametrize(
    ("sent", "is_allowed"),
    [
        ([], True),
        (["https://example.org"], True),
        (["HTTPS://Example.org"], True),
        (["http://localhost:8000"], True),
        (["http://example.org"], False),
        (["https://example.org:8443"], False),
        (["https://example.org.evil.example"], False),
        (["https://evil.example"], False),
        (["null"], False),
        ([""], False),
        (["https://example.org", "https://evil.example"], False),
    ],
)
def test_no_browser_or_a_page_that_is_allowed(sent: list[str], is_allowed: bool) -> None:
    assert is_allowed_origin(sent, ALLOWED) is is_allowed


def test_without_a_list_no_page_is_allowed() -> None:
    assert is_allowed_origin([], parse_origins(""))
    assert not is_allowed_origin(["https://example.org"], parse_origins(""))
