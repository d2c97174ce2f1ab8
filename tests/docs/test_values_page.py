"""The table of docs/reference/values.md is what the solver finds, and a plain search if it can."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.engine.games.dots.retrograde import margins_of

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.dots.solve.max_n import MaxNSolver
from boxroom_engine.games.dots.solve.solver import kernel, solver_for

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "values.md"

MOST_FREE = 40
"""Free edges of the largest boards of the page."""


class Entry(NamedTuple):
    """A cell of a table: a board, and its value as the page writes it."""

    game: Dots
    value: str

    def __str__(self) -> str:
        return f"{self.game.rows}x{self.game.cols}-{self.game.border}"


def entries(table: str, players: int) -> Iterator[Entry]:
    """Return the cells of a table of the page."""
    page = PAGE.read_text(encoding="utf-8")
    rest = page[page.index(f"<!-- {table} -->") :]
    rows_of_table = re.findall(r"\| (\d)×(\d) \|(.*)\|", rest[: rest.index("<!-- end -->")])
    for rows, cols, cells in rows_of_table:
        for border, cell in zip(Border, cells.split("|"), strict=True):
            if value := cell.strip():
                yield Entry(Dots(int(rows), int(cols), border, players), value)


TWO = list(entries("values", players=2))
THREE = list(entries("three", players=3))


def margin(value: int) -> str:
    """Return a margin as the page writes it: "+2", "0", "−3"."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def up_to(most_free: int, *, quick: int, of: list[Entry] = TWO) -> list[object]:
    """Return the entries for up to `most_free` free edges; those above `quick` take long."""
    return [
        pytest.param(entry, marks=[pytest.mark.long] if entry.game.longest > quick else [])
        for entry in of
        if entry.game.longest <= most_free
    ]


@pytest.mark.skipif(kernel() is None, reason="there is no kernel")
@pytest.mark.parametrize("entry", up_to(MOST_FREE, quick=31), ids=str)
def test_the_solver_finds_it(entry: Entry) -> None:
    game = entry.game
    solver = solver_for(game.rows, game.cols, 1 << 30 if game.longest > 31 else 1 << 24)
    assert margin(solver.solve(game.grid.start, moves=False).value) == entry.value


@pytest.mark.parametrize("entry", up_to(24, quick=16), ids=str)
def test_retrograde_analysis_finds_it(entry: Entry) -> None:
    assert margin(margins_of(entry.game.grid).margins[-1]) == entry.value


@pytest.mark.parametrize("entry", up_to(24, quick=15, of=THREE), ids=str)
def test_it_is_what_three_get(entry: Entry) -> None:
    game = entry.game
    value = MaxNSolver(game.rows, game.cols, game.seats).solve(game.initial()).value
    assert ", ".join(map(str, value)) == entry.value


def test_all_boards_for_two_are_there() -> None:
    sizes = [(rows, cols) for rows in range(1, 6) for cols in range(rows, 6)]
    left_out = {(1, 1, Border.FULL)}  # has no free line
    boards = {(*size, border) for size in sizes for border in Border} - left_out
    games = {Dots(*board, seats=2) for board in boards}
    assert {entry.game for entry in TWO} == {g for g in games if g.longest <= MOST_FREE}
