"""Best play for two after a move: one line of it, and the opening that all best lines show.

A *best line* is a way to the end of the game in which no move costs its player a box. There may be
thousands, because neutral moves can be played in any order, so one of them proves little: it may
be chance who opens the first long chain in it. Only what all of them show had to happen.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from boxroom_engine.games.abilities import Outlook
from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import takeable
from boxroom_engine.games.dots.theory.facts import FirstOpened, Gets, Shape
from boxroom_engine.games.dots.theory.strings import Chain, Loop, parts_of
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.stopping import SearchStopped

MOST_POSITIONS = 300
"""The positions of best lines that are looked at, at most, to learn what all of them show."""

BestMoves = Callable[[Position], Sequence[Move]]
"""Returns all best moves of a position that isn't over; raises `SearchStopped` without time."""


class LongOpening(NamedTuple):
    """A move that opens a long chain or a loop, and so gives it to the other player."""

    by: Seat
    shape: Shape
    boxes: int


def best_play(position: Position, move: Move, margin: float, best_moves: BestMoves) -> Outlook:
    """Return best play from `move` on, by two seats in play, as far as `best_moves` has time.

    Args:
        move: legal in `position`.
        margin: the value of the position after it, to the seat to move there.
        best_moves: finds best moves.
    """
    line = tuple(_line(position, move, best_moves))
    gets = _gets(position, move, margin)
    opened = _opened_later(position, line, best_moves)
    return Outlook(line, (gets,) if opened is None else (opened, gets))


def _opened_later(
    position: Position, line: tuple[Move, ...], best_moves: BestMoves
) -> FirstOpened | None:
    """Return the opening that all best lines show, else the one in `line`.

    None if there is none, or if the first move is one itself.
    """
    move = line[0]
    if _long_opening(position, move) is not None:
        return None
    try:
        openings = first_openings(position, move, best_moves) or frozenset()
    except SearchStopped:
        openings = frozenset()
    assert position.to_move is not None
    return _shown_by_all(openings, position.to_move) or _shown_by(position, line)


def _shown_by(position: Position, line: tuple[Move, ...]) -> FirstOpened | None:
    mover = position.to_move
    for move in line:
        opening = _long_opening(position, move)
        if opening is not None:
            return FirstOpened(opening.by == mover, opening.shape, opening.boxes, always=False)
        position = position.play(move)
    return None


def first_openings(
    position: Position, move: Move, best_moves: BestMoves
) -> frozenset[LongOpening | None] | None:
    """Return the first opening in each best line from `move` on; None for a line without one.

    If they differ in who opens, these are some of them. None if there are too many lines to look
    at.

    Raises:
        SearchStopped: by `best_moves`.
    """
    found: set[LongOpening | None] = set()
    # Edges and the seat to move: many orders of moves lead to one position.
    seen: set[tuple[int, Seat | None]] = set()
    waiting: list[tuple[Position, Sequence[Move]]] = [(position, (move,))]
    while waiting:
        before, moves = waiting.pop()
        for each in moves:
            opening = _long_opening(before, each)
            after = before.play(each)
            if opening is not None or after.is_over:
                found.add(opening)
                if len({None if opened is None else opened.by for opened in found}) > 1:
                    return frozenset(found)
            elif (after.edges, after.to_move) not in seen:
                if len(seen) == MOST_POSITIONS:
                    return None
                seen.add((after.edges, after.to_move))
                waiting.append((after, best_moves(after)))
    return frozenset(found)


def _line(position: Position, move: Move, best_moves: BestMoves) -> Iterator[Move]:
    """Yield `move` and best moves after it: those that take boxes first, as people play."""
    yield move
    position = position.play(move)
    with suppress(SearchStopped):
        while not position.is_over:
            best = best_moves(position)
            takes = set(takeable(position))
            move = next((each for each in best if each in takes), best[0])
            yield move
            position = position.play(move)


def _long_opening(position: Position, move: Move) -> LongOpening | None:
    """Return the opening that `move` is, if it is one: those that take boxes never are."""
    parts = parts_of(position)
    long: tuple[Chain | Loop, ...] = (*parts.long_chains, *parts.loops)
    for string in long:
        if move in string.edges:
            assert position.to_move is not None
            shape = Shape.CHAIN if isinstance(string, Chain) else Shape.LOOP
            return LongOpening(position.to_move, shape, string.length)
    return None


def _shown_by_all(openings: frozenset[LongOpening | None], mover: Seat) -> FirstOpened | None:
    """Return what all of `openings` have in common; None if not even the player who opens."""
    known = [each for each in openings if each is not None]
    if len(known) < len(openings) or len({each.by for each in known}) != 1:
        return None
    shapes, lengths = {each.shape for each in known}, {each.boxes for each in known}
    return FirstOpened(
        by_mover=known[0].by == mover,
        shape=shapes.pop() if len(shapes) == 1 else None,
        boxes=lengths.pop() if len(lengths) == 1 else None,
    )


def _gets(position: Position, move: Move, margin: float) -> Gets:
    """Return the boxes of both from `move` on, which leads to `margin` for who moves next."""
    after = position.play(move)
    left = sum(1 for sides in after.game.grid.sides if sides & ~after.edges)
    to_mover, to_other = (left + int(margin)) // 2, (left - int(margin)) // 2
    if after.to_move not in (position.to_move, None):
        to_mover, to_other = to_other, to_mover
    return Gets(len(after.taken) + to_mover, to_other)
