"""The lessons that come with the program: TOML files, which the page reads, too.

`boxroom_engine.review.lesson` says what a file contains. A test plays every step.
"""

from functools import cache
from pathlib import Path

from boxroom_engine.review.lesson import Lesson

NAMES = (
    "first_game",
    "safe_lines",
    "smallest_gift",
    "chains",
    "leave_two",
    "leave_four",
    "who_opens_first",
    "give_to_win",
    "where_the_rule_fails",
)
"""Names of the lessons, in their order: a word is explained before another lesson uses it."""

_FOLDER = Path(__file__).parent


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """Return the lessons in their order."""
    texts = ((_FOLDER / f"{name}.toml").read_text("utf-8") for name in NAMES)
    return tuple(map(Lesson.parse, NAMES, texts))
