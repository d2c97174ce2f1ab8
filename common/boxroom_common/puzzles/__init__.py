"""The puzzles that come with the program: lines of text, which the page reads, too.

`scripts/write_puzzles.py` writes them; `boxroom_engine.review.puzzle` says what a line means.
"""

from functools import cache
from pathlib import Path

from boxroom_engine.review.puzzle import Puzzle

FILE = Path(__file__).parent / "dots.txt"


@cache
def all_puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles, those of a theme together."""
    return tuple(map(Puzzle.parse, FILE.read_text(encoding="ascii").splitlines()))
