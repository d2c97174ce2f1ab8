"""Margin by which the first player wins, on every board that can be solved, with every border.

It prints the table of docs/reference/values.md. Boards with more free edges than `--most-free` are
left out: up to 32, all of them take a few seconds together; those of 40 take some minutes and 1 GB.

    python benchmarks/values.py --most-free 40
"""

import argparse
from collections.abc import Iterator

from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.dots.solve.solver import solver_for

BOARDS = [(rows, cols) for rows in range(1, 6) for cols in range(rows, 6)]
LEFT_OUT = {(1, 1, Border.FULL)}  # has no free edge
TABLE_BYTES = 1 << 30


def row_of(rows: int, cols: int, most_free: int) -> str:
    """Return the line of the table for one size, or nothing if it is too large to be solved."""
    cells = [cell_of(rows, cols, border, most_free) for border in Border]
    return f"| {rows}×{cols} | {' | '.join(cells)} |" if any(cells) else ""


def cell_of(rows: int, cols: int, border: Border, most_free: int) -> str:
    """Return the value of a board as the table writes it, or nothing if it can't be solved."""
    if (rows, cols, border) in LEFT_OUT:
        return ""
    game = Dots(rows, cols, border, 2)
    if game.longest > most_free:
        return ""
    solver = solver_for(rows, cols, TABLE_BYTES if game.longest > 31 else 1 << 24)
    value = solver.solve(game.grid.start, moves=False).value
    return f"{value:+d}".replace("-", "−") if value else "0"


def table(most_free: int) -> Iterator[str]:
    """Return the lines of the table."""
    yield "| board | none | half | full |"
    yield "| --- | --- | --- | --- |"
    yield from filter(None, (row_of(*board, most_free) for board in BOARDS))


def main() -> None:
    """Solve and print."""
    parser = argparse.ArgumentParser(description="What the player who begins wins by.")
    parser.add_argument("--most-free", type=int, default=32, help="free edges (default: 32)")
    args = parser.parse_args()
    for line in table(args.most_free):
        print(line, flush=True)


if __name__ == "__main__":
    main()
