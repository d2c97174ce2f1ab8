"""A count of long chains by drawing all lines, as a program without a theory of strings does it."""

from boxroom_engine.games.dots import Position


def long_runs(position: Position) -> int:
    """Return how often three boxes or more are completed in a row, until all lines are drawn.

    Again and again it draws the free line with the lowest number, and then all lines that complete
    a box. Nothing may be takeable in `position`.
    """
    sides = position.game.grid.sides
    undrawn = position.game.grid.all_drawn & ~position.edges
    runs = 0
    while undrawn:
        before = _boxes_left(sides, undrawn)
        undrawn &= undrawn - 1  # without its lowest line
        while taken := next((box & undrawn for box in sides if _has_one(box & undrawn)), 0):
            undrawn &= ~taken
        runs += before - _boxes_left(sides, undrawn) >= 3
    return runs


def _has_one(lines: int) -> bool:
    return lines.bit_count() == 1


def _boxes_left(sides: tuple[int, ...], undrawn: int) -> int:
    return sum(bool(box & undrawn) for box in sides)
