"""Number of positions in the game tree of Dots and Boxes 2×2, whole and merged.

It prints the levels of the tree in a table, whose sums stand in docs/research/bots.md, and the
value of the game. The student's program for 2×2 began with two first moves instead of twelve, and
from there on merged positions with the same edges, scores and turn. It takes a second.

    python benchmarks/game_tree.py
"""

from collections.abc import Callable, Iterable, Iterator

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.rules.symmetry import Symmetry
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.search.iterative import IterativeMinimax
from boxroom_engine.search.levels import levels
from boxroom_engine.search.memo import Memo

GAME = Dots(2, 2, Border.NONE, 2)
STUDENTS_FIRST_MOVES = ("h0", "v1")

Canonical = Callable[[int], int]
"""Function from a set of edges to the one that stands for all its symmetric images."""

AS_THEY_LIE = Symmetry(GAME.grid, turned=False, same_sides=False).canonical
TURNED = Symmetry(GAME.grid, same_sides=False).canonical
TURNED_AND_SIDES = Symmetry(GAME.grid).canonical


def orders() -> list[int]:
    """Return the number of orders of that many moves: the tree without anything merged."""
    return [level.orders for level in levels([GAME.initial()], lambda state: state.key)]


def edges(canonical: Canonical) -> list[int]:
    """Return the number of sets of that many edges."""

    def same(state: State) -> int:
        return canonical(_undrawn(state))

    return [level.positions for level in levels([GAME.initial()], same)]


def positions(canonical: Canonical, first_moves: tuple[str, ...] = ()) -> list[int]:
    """Return the number of positions (edges, scores, seat to move), after some first moves only."""

    def same(state: State) -> tuple[int, tuple[int, ...], Seat | None]:
        return canonical(_undrawn(state)), state.scores, state.to_move

    start = GAME.initial()
    starts = [start.play(GAME.parse_move(move)) for move in first_moves] or [start]
    return [level.positions for level in levels(starts, same)]


def _undrawn(state: State) -> int:
    assert isinstance(state, Position)
    return GAME.grid.all_drawn & ~state.edges


def columns() -> Iterator[tuple[str, list[int]]]:
    """Return the columns of the table with their heads, from no edge drawn to all."""
    yield "edges drawn", list(range(GAME.longest + 1))
    yield "orders of moves", orders()
    yield "positions", positions(AS_THEY_LIE)
    yield "of two first moves", [0, *positions(AS_THEY_LIE, STUDENTS_FIRST_MOVES)]
    yield "turned", positions(TURNED)
    yield "and sides", positions(TURNED_AND_SIDES)
    yield "edges alone", edges(AS_THEY_LIE)
    yield "edges, turned", edges(TURNED)
    yield "and sides", edges(TURNED_AND_SIDES)


def table() -> Iterator[str]:
    """Return the lines of the table, with the sums of all columns but the first."""
    heads, counts = zip(*columns(), strict=True)
    yield line(heads)
    yield line("---:" for _ in heads)
    for row in zip(*counts, strict=True):
        yield line(f"{number:,}" for number in row)
    yield line(["in all", *(f"{sum(column):,}" for column in counts[1:])])


def line(cells: Iterable[str]) -> str:
    """Return a line of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Count, solve and print."""
    print("\n".join(table()))
    search = IterativeMinimax(memo=Memo())
    margin = search.value(GAME.initial(), Seat(0))
    print(
        f"\nWho begins wins by {margin:g}. To know that, {search.positions} positions are searched."
    )


if __name__ == "__main__":
    main()
