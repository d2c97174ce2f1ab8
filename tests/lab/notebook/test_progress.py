"""The bar below a cell."""

from typing import Any

from tests.client.screens import Clock

from boxroom_lab.arena.progress import Progress
from boxroom_lab.notebook.progress import CellProgress, ProgressBar, progress_for


class Cell:
    """The output below a cell: IPython's `display`, and the handle that it returns."""

    def __init__(self) -> None:
        self.shown: list[Any] = []

    def __call__(self, bar: ProgressBar, *, display_id: bool) -> "Cell":
        assert display_id
        self.shown.append(bar)
        return self

    def update(self, bar: ProgressBar) -> None:
        self.shown.append(bar)


def test_it_changes_now_and_then_and_stays_with_the_last_numbers() -> None:
    clock, cell = Clock(), Cell()
    progress = CellProgress(4, cell, clock)
    assert repr(cell.shown[0]) == f"[>{' ' * 29}] 0 of 4 games"
    clock.now_s += 1
    progress.show(1, 0)
    progress.show(2, 0)
    progress.show(3, 1)
    assert len(cell.shown) == 2
    progress.clear()
    progress.clear()
    assert len(cell.shown) == 3
    assert cell.shown[-1]._repr_html_() == (
        '<label><progress value="3" max="4"></progress> 3 of 4 games, 0:00 left, 1 fault</label>'
    )


def test_outside_of_a_notebook_it_is_a_line_of_the_terminal() -> None:
    assert isinstance(progress_for(3), Progress)
