"""The progress bar of a run."""

import pytest
from tests.cases import each
from tests.client.screens import Clock, Screen

from boxroom_lab.arena.progress import Progress, progress_line


@each(
    "done, faults, passed_s, line",
    [
        (0, 0, 0.0, f"[>{' ' * 29}] 0 of 400 games"),
        (100, 0, 35.0, f"[=======>{' ' * 22}] 100 of 400 games, 1:45 left"),
        (399, 1, 399.0, f"[{'=' * 29}>] 399 of 400 games, 0:01 left, 1 fault"),
        (400, 12, 400.0, f"[{'=' * 30}] 400 of 400 games, 12 faults"),
    ],
)
def test_text_of_the_bar(done: int, faults: int, passed_s: float, line: str) -> None:
    assert progress_line(done, 400, faults, passed_s) == line


def test_it_counts_the_time_from_its_beginning_and_is_removed_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    screen, clock = Screen(is_terminal=True), Clock()
    clock.now_s = 1000.0
    progress = Progress(10, screen, clock)
    clock.now_s += 35.0
    progress.show(5, 0)
    assert "5 of 10 games, 0:35 left" in screen.getvalue()
    progress.clear()
    assert screen.getvalue().endswith("\r\x1b[K")
