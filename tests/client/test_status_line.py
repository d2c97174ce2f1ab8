"""The status line of a terminal."""

import pytest
from tests.client.screens import Clock, Screen

from boxroom_client.status_line import StatusLine


def test_it_is_written_over_not_more_often_than_eyes_see_and_removed_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    screen, clock = Screen(is_terminal=True), Clock()
    line = StatusLine(screen, clock)
    for number in range(6):
        line.show(f"{number} of a long line")
        clock.now_s += 0.0625
    assert screen.getvalue().split("\r\x1b[K") == ["", "0 of a long", "2 of a long", "4 of a long"]
    line.clear()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_elsewhere_than_on_a_terminal_there_is_none() -> None:
    screen = Screen(is_terminal=False)
    line = StatusLine(screen, Clock())
    line.show("nobody sees this")
    line.clear()
    assert screen.getvalue() == ""
