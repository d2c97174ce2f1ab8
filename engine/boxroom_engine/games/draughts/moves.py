"""Moves of draughts on sets of squares: quiet moves and captures, without names and numbers.

A capture ends only when no other piece can be taken with the same piece. Captured pieces stay on
the board until it has ended: none can be jumped twice, and none can be landed on. The square on
which it began is free. A man that passes the last row in the middle of a capture stays a man.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
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

    Captures of the same pieces between the same squares are one move, with the least path.
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


def captured_along(
    board: Board, rules: RuleSet, side: Side, path: Sequence[Squares]
) -> Squares | None:
    """Return what a piece takes that lands on the squares of `path`; None if it can't."""
    capturing, captured = _capturing(board, rules, side, path[0]), 0
    for at, end in pairwise(path):
        over = dict(capturing.jumps(at)).get(end, 0)
        if not over & ~captured:
            return None
        captured |= over
    return captured


def _captures(board: Board, rules: RuleSet, side: Side) -> list[Step]:
    empty = board.all & ~(side.men | side.kings | side.others)
    kings = side.kings
    if not rules.kings_fly:
        kings = _that_jump(kings, side.others, empty, _every_way(board))
    men_ways = _ways_of_capturing_men(board, rules, side)
    starts = _that_jump(side.men, side.others, empty, men_ways) | kings
    return [
        step
        for start in bits_of(starts)
        for step in _capturing(board, rules, side, start).from_square(start)
    ]


def _capturing(board: Board, rules: RuleSet, side: Side, start: Squares) -> "_Capturing":
    """Return the board as the piece on `start` sees it."""
    empty = board.all & ~(side.men | side.kings | side.others) | start
    if start & side.kings:
        return _Capturing(side.others, empty, _every_way(board), rules.kings_fly)
    return _Capturing(side.others, empty, _ways_of_capturing_men(board, rules, side), flies=False)


def _ways_of_capturing_men(board: Board, rules: RuleSet, side: Side) -> Sequence[int]:
    return _every_way(board) if rules.men_capture_backwards else _forward(board, side)


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

    def from_square(self, start: Squares) -> list[Step]:
        """Return all captures from `start`.

        What can follow depends on the square and on what is captured, not on the path to there. So
        of all paths to one end only the least goes on: a king can have very many.
        """
        found: list[Step] = []
        jumps: dict[Squares, list[tuple[Squares, Squares]]] = {}
        paths: dict[tuple[Squares, Squares], tuple[Squares, ...]] = {(start, 0): (start,)}
        while paths:
            longer: dict[tuple[Squares, Squares], tuple[Squares, ...]] = {}
            for (at, captured), path in paths.items():
                is_end = True
                if at not in jumps:
                    jumps[at] = list(self.jumps(at))
                for target, over in jumps[at]:
                    if over & captured:
                        continue
                    is_end = False
                    after, further = (target, captured | over), (*path, target)
                    known = longer.get(after)
                    if known is None or further < known:
                        longer[after] = further
                if is_end and captured:
                    found.append(Step(path, captured))
            paths = longer
        return found

    def jumps(self, at: Squares) -> Iterator[tuple[Squares, Squares]]:
        """Yield each square to land on next, and the piece jumped on the way there, if it may be.

        Captured pieces stay where they are, so this depends on nothing else.
        """
        for by in self.ways:
            over = self._next_piece(at, by) & self.others
            target = _shift(over, by) & self.empty
            while target:
                yield target, over
                target = _shift(target, by) & self.empty if self.flies else 0

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
