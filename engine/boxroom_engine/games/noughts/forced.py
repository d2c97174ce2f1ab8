"""Moves of noughts and crosses that an exact search needs, the likeliest to win first.

A line that one move completes is completed: that wins at once. Else a line that the only other
player could complete next is blocked: anything else loses. Other moves are ordered by the lines
that they would lengthen or block.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boxroom_engine.games.noughts.board import Board
from boxroom_engine.games.protocol import Move, Seat

_OWN_MARK, _OTHER_MARK = 10, 8
"""Factors by which each mark in a line adds to the weight of its free cells."""


class OpenLine(NamedTuple):
    """A line in which one seat at most has marks."""

    owner: Seat | None
    """The seat that has; None if none has."""
    marks: int
    free: tuple[int, ...]


def moves_to_search(
    board: Board, cells: Sequence[Seat | None], seat: Seat, only_other: Seat | None
) -> Sequence[Move]:
    """Return moves of `seat` with a best one among them; see `GameKind.moves_to_search`.

    Args:
        board: the board's tables.
        cells: for each cell the seat that marked it, as in `Position.cells`; one is free at least.
        seat: the seat to move.
        only_other: the other seat, if only two are in play.
    """
    lines = list(open_lines(board, cells))
    for line in lines:
        if line.owner == seat and len(line.free) == 1:
            return (Move(line.free[0]),)
    if only_other is not None:
        threats = (line for line in lines if line.owner == only_other and len(line.free) == 1)
        blocks = {Move(line.free[0]) for line in threats}
        if blocks:
            return sorted(blocks)
    return _by_weight(lines, cells, seat)


def open_lines(board: Board, cells: Sequence[Seat | None]) -> Iterator[OpenLine]:
    """Yield the lines of `board` in which one seat at most has marks."""
    for line in board.lines:
        marks = [cells[cell] for cell in line if cells[cell] is not None]
        if len(set(marks)) <= 1:
            free = tuple(cell for cell in line if cells[cell] is None)
            yield OpenLine(marks[0] if marks else None, len(marks), free)


def _by_weight(
    lines: Sequence[OpenLine], cells: Sequence[Seat | None], seat: Seat
) -> Sequence[Move]:
    weights = {Move(cell): 0 for cell, owner in enumerate(cells) if owner is None}
    for line in lines:
        weight = (_OWN_MARK if line.owner == seat else _OTHER_MARK) ** line.marks
        for cell in line.free:
            weights[Move(cell)] += weight
    return sorted(weights, key=lambda move: -weights[move])
