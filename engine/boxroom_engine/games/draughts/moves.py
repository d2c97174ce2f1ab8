"""Moves of draughts on sets of squares: quiet moves and captures, without names and numbers.

A capture ends only when no other piece can be taken with the same piece. Captured pieces stay on
the board until it has ended: none can be jumped twice, and none can be landed on. The square on
which it began is free. A man that passes the last row in the middle of a capture stays a man.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from boxroom_engine.games.draughts.board import Board, Squares, bits_of
from boxroom_engine.games.draughts.rules import RuleSet


class Step(NamedTuple):
    """A whole move of one piece."""

    path: tuple[Squares, ...]
    """The square on which it starts and each on which it lands."""
    captured: Squares = 0


@dataclass(frozen=True, slots=True)
class Side:
    """The pieces of the player to move, and of the opponent."""

    men: Squares
    kings: Squares
    others: Squares
    moves_down: bool
    """Whether the player's men move down the board."""


def moves_of(board: Board, rules: RuleSet, side: Side) -> list[Step]:
    """Return all moves: only captures if there are any, and only the greatest if it must be.

    Captures of the same pieces between the same squares by different paths are all there.
    """
    captures = _captures(board, rules, side)
    if not captures:
        return list(_quiet_moves(board, rules, side))
    if not rules.takes_most:
        return captures
    most = max(step.captured.bit_count() for step in captures)
    return [step for step in captures if step.captured.bit_count() == most]


def _quiet_moves(board: Board, rules: RuleSet, side: Side) -> Iterator[Step]:
    empty = board.all & ~(side.men | side.kings | side.others)
    for by in _forward(board, side):
        for target in bits_of(_shift(side.men, by) & empty):
            yield Step((_shift(target, -by), target))
    for by in _every_way(board):
        targets = _shift(side.kings, by) & empty
        for target in bits_of(targets):
            start = _shift(target, -by)
            yield Step((start, target))
            while rules.kings_fly and (target := _shift(target, by) & empty):
                yield Step((start, target))


def _captures(board: Board, rules: RuleSet, side: Side) -> list[Step]:
    every_way = _every_way(board)
    men_ways = every_way if rules.men_capture_backwards else _forward(board, side)
    empty = board.all & ~(side.men | side.kings | side.others)
    found: list[Step] = []
    for start in bits_of(_that_jump(side.men, side.others, empty, men_ways)):
        jumping = _Capturing(side.others, empty | start, men_ways, flies=False)
        found += jumping.from_path((start,))
    kings = side.kings
    if not rules.kings_fly:
        kings = _that_jump(kings, side.others, empty, every_way)
    for start in bits_of(kings):
        jumping = _Capturing(side.others, empty | start, every_way, flies=rules.kings_fly)
        found += jumping.from_path((start,))
    return found


def _that_jump(pieces: Squares, others: Squares, empty: Squares, ways: Sequence[int]) -> Squares:
    """Return those of `pieces` that can jump over a neighbour."""
    jumping = 0
    for by in ways:
        jumping |= pieces & _shift(others & _shift(empty, -by), -by)
    return jumping


@dataclass(frozen=True, slots=True)
class _Capturing:
    """The board as a piece sees it that captures: its own square is empty."""

    others: Squares
    empty: Squares
    ways: Sequence[int]
    flies: bool

    def from_path(self, path: tuple[Squares, ...], captured: Squares = 0) -> Iterator[Step]:
        """Yield all captures that continue `path`, or the one that ends there."""
        is_end = True
        for by in self.ways:
            over = self._next_piece(path[-1], by) & self.others & ~captured
            target = _shift(over, by) & self.empty
            while target:
                is_end = False
                yield from self.from_path((*path, target), captured | over)
                target = _shift(target, by) & self.empty if self.flies else 0
        if is_end and captured:
            yield Step(path, captured)

    def _next_piece(self, at: Squares, by: int) -> Squares:
        """Return the first square this way that isn't empty, or that leads over the edge."""
        over = _shift(at, by)
        while self.flies and over & self.empty:
            over = _shift(over, by)
        return over


def _forward(board: Board, side: Side) -> tuple[int, ...]:
    left, right = board.down
    return (left, right) if side.moves_down else (-left, -right)


def _every_way(board: Board) -> tuple[int, ...]:
    left, right = board.down
    return left, right, -left, -right


def _shift(squares: Squares, by: int) -> Squares:
    """Return `squares` moved by a step; those that leave the board are on no square."""
    return squares << by if by > 0 else squares >> -by
