"""The bar."""

import io

import pytest

from boxroom_client.arena.progress import Progress, progress_line


class Screen(io.StringIO):
    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.mark.parametrize(
    ("done", "faults", "passed_s", "line"),
    [
        (0, 0, 0.0, f"[>{' ' * 29}] 0 of 400 games"),
        (100, 0, 35.0, f"[=======>{' ' * 22}] 100 of 400 games, 1:45 left"),
        (399, 1, 399.0, f"[{'=' * 29}>] 399 of 400 games, 0:01 left, 1 fault"),
        (400, 12, 400.0, f"[{'=' * 30}] 400 of 400 games, 12 faults"),
    ],
)
def test_what_it_says(done: int, faults: int, passed_s: float, line: str) -> None:
    assert progress_line(done, 400, faults, passed_s) == line


def test_it_is_written_over_not_more_often_than_eyes_see_and_removed_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    screen, clock = Screen(is_terminal=True), Clock()
    progress = Progress(10, screen, clock)
    for done in range(11):
        progress.show(done, 0)
        clock.now_s += 0.0625
    lines = screen.getvalue().split("\r\x1b[K")
    assert lines[0] == ""
    assert ["0 of 10" in lines[1], "2 of 10" in lines[2], "10 of 10" in lines[-1]] == [True] * 3
    assert len(lines) == 7
    assert all(len(line) < 50 for line in lines)
    progress.clear()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_elsewhere_than_on_a_terminal_there_is_none() -> None:
    screen = Screen(is_terminal=False)
    progress = Progress(10, screen, Clock())
    progress.show(0, 0)
    progress.clear()
    assert screen.getvalue() == ""
