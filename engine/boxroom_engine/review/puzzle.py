"""Puzzles of Dots and Boxes: positions in which only one idea wins, each as a line of text.

A line names the board, the position, the best moves, their theme and a grade::

    3x3 7d9e2f/01c,002/0/- v3 leave_two 2

Terminal, page and tests read the same lines. Each ten of them are the puzzles of a day.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.errors import FormatError, GameError
from boxroom_engine.games.protocol import Move
from boxroom_engine.games.registry import make_game

GRADES = (1, 2, 3)
"""From puzzles that beginners solve to those that only strong players do."""

MOST_FREE = 18
"""A puzzle has at most so many free lines, so that the page can search it to the end."""

PER_DAY = 10
"""The puzzles of a day."""

_ONE_OF_THREE = frozenset({Theme.LEAVE_TWO, Theme.LEAVE_FOUR, Theme.TAKE_ALL})


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which only the `best` moves win, for the seat to move."""

    position: Position
    best: tuple[Move, ...]
    """One move, or the lines of one chain or loop that are as good."""
    theme: Theme
    grade: int

    @classmethod
    def parse(cls, line: str) -> Self:
        """Return the puzzle of a line.

        Raises:
            FormatError: it is no such line.
        """
        try:
            board, text, best, theme, grade = line.split()
            rows, cols = map(int, board.split("x"))
            game = make_game("dots", {"rows": rows, "cols": cols}, seats=2)
            position = game.parse_position(text)
            moves = tuple(map(game.parse_move, best.split(",")))
            named = Theme(theme), int(grade)
        except (ValueError, GameError) as error:
            raise FormatError(f"no puzzle: {line!r}") from error
        assert isinstance(position, Position)
        return cls(position, moves, *named)

    def format(self) -> str:
        """Return the line of the puzzle."""
        best = ",".join(map(self.position.game.format_move, self.best))
        return f"{board_text(self.position)} {best} {self.theme} {self.grade}"

    @property
    def name(self) -> str:
        """The text by which results name it: its position is no other's."""
        return self.position.game.format_position(self.position)


def board_text(position: Position) -> str:
    """Return the board and the position as text, with which the line of a puzzle begins."""
    game = position.game
    return f"{game.rows}x{game.cols} {game.format_position(position)}"


def with_theme(puzzles: Iterable[Puzzle], theme: Theme) -> Iterator[Puzzle]:
    """Yield the puzzles for practising `theme`.

    To take all is mixed with leaving some: a player who always leaves the last ones has learnt
    nothing.
    """
    themes = _ONE_OF_THREE if theme in _ONE_OF_THREE else {theme}
    return (puzzle for puzzle in puzzles if puzzle.theme in themes)


def of_the_day(puzzles: Sequence[Puzzle], day: date) -> Sequence[Puzzle]:
    """Return the puzzles of `day`, the easiest first: the same for everybody.

    All come up before one comes up again.
    """
    days = -(-len(puzzles) // PER_DAY)
    first = PER_DAY * ((day - date(1970, 1, 1)).days % days)
    return puzzles[first : first + PER_DAY]
