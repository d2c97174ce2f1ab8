"""The puzzles that come with the program: how many there are, and that each is one.

Two searches solve them that share no code: the solver of the game, and a table of all sets of free
lines, filled from the end.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from boxroom_common.puzzles import FILE, all_puzzles
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.dots.theory.theme import Theme, theme_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.review.puzzle import GRADES, MOST_FREE, Puzzle

LEAST_GAP = 4
"""Margin of two boxes: the player has two less, and the other two more."""

Margins = dict[Move, int]
"""The margin to come after each legal move, for its player."""


def margins_by_solver(puzzle: Puzzle) -> Margins:
    position, found = puzzle.position, Margins()
    solver = solver_for(position.game.rows, position.game.cols, 1 << 22)
    for move in position.legal_moves():
        after = position.play(move)
        value = 0 if after.is_over else solver.solve(after.edges, moves=False).value
        again = bool(after.taken)
        found[move] = len(after.taken) + (value if again else -value)
    return found


def margins_by_table(puzzle: Puzzle) -> Margins:
    """Return the margins by the value of every set of lines that are still free."""
    position, free = puzzle.position, puzzle.position.legal_moves()
    boxes = [
        sum(1 << free.index(edge) for edge in edges if edge in free)
        for edges in map(set, position.game.grid.edges_of)
    ]
    beside = [[box for box in boxes if box >> n & 1] for n in range(len(free))]
    all_sets = np.arange(1 << len(free), dtype=np.int32)
    sizes = np.bitwise_count(all_sets)
    values = np.zeros(len(all_sets), dtype=np.int8)

    def margin(sets: Any, n: int) -> Any:
        """Return the margin by drawing the line `n` in each of these sets."""
        taken = sum((box & sets == 1 << n).astype(np.int8) for box in beside[n])
        rest = values[sets & ~(1 << n)]
        return np.where(taken, taken + rest, -rest)

    for size in range(1, len(free) + 1):
        of_size = all_sets[sizes == size]
        values[of_size] = -len(boxes)
        for n in range(len(free)):
            sets = of_size[of_size >> n & 1 == 1]
            values[sets] = np.maximum(values[sets], margin(sets, n))
    return {move: int(margin(all_sets[-1:], n)[0]) for n, move in enumerate(free)}


def check(puzzle: Puzzle, margins: Margins) -> None:
    position = puzzle.position
    assert position.to_move is not None
    lead = position.scores[position.to_move] - position.scores[1 - position.to_move]
    best = max(margins.values())
    others = [margin for move, margin in margins.items() if move not in puzzle.best]
    assert {margins[move] for move in puzzle.best} == {best}
    assert lead + best > 0
    assert max(others) <= min(-lead, best - LEAST_GAP)


def test_there_are_enough_of_each_theme_and_grade() -> None:
    puzzles = all_puzzles()
    assert len(puzzles) >= 300
    assert min(Counter(puzzle.theme for puzzle in puzzles)[theme] for theme in Theme) >= 30
    assert {puzzle.grade for puzzle in puzzles} == {*GRADES}
    for theme in Theme:
        of_grade = Counter(puzzle.grade for puzzle in puzzles if puzzle.theme == theme)
        assert sum(count >= 5 for count in of_grade.values()) >= 2
    assert len({puzzle.position.key for puzzle in puzzles}) == len(puzzles)


def test_each_line_is_written_as_it_is_read_and_short() -> None:
    lines = FILE.read_text(encoding="ascii").splitlines()
    assert [puzzle.format() for puzzle in all_puzzles()] == lines
    assert max(map(len, lines)) <= 80


def test_each_puzzle_is_one_idea_of_its_theme() -> None:
    for puzzle in all_puzzles():
        strings = parts_of(puzzle.position).strings
        assert theme_of(puzzle.position, puzzle.best) == puzzle.theme
        assert len(puzzle.position.legal_moves()) <= MOST_FREE
        assert len(puzzle.best) == 1 or any({*puzzle.best} <= {*each.edges} for each in strings)


def test_only_the_best_moves_win_by_the_solver() -> None:
    for puzzle in all_puzzles():
        check(puzzle, margins_by_solver(puzzle))


def test_only_the_best_moves_win_by_the_table() -> None:
    for puzzle in all_puzzles()[::20]:
        check(puzzle, margins_by_table(puzzle))


@pytest.mark.long
def test_only_the_best_moves_of_all_win_by_the_table() -> None:
    for puzzle in all_puzzles():
        check(puzzle, margins_by_table(puzzle))
