"""Lessons: positions with a task each, as TOML files with the sentences of all languages.

A file opens with the lesson's title, its last sentence, and the theme of the puzzles to do after
it. Then come the steps: a board, as drawn below, the moves that solve the task, the task, and what
to say of other moves. `a` are the boxes of the learner, who is to move, and `b` those of the other
player. The goal says what the right moves have in common::

    theme = "leave_two"
    title.en = "Leave two"
    title.de = "Zwei liegen lassen"
    end.en = "That is all."
    end.de = "Das ist alles."

    [[steps]]
    board = '''
    +--+--+
    |a |  |
    +--+  +
       |  |
    +--+--+
    '''
    goal = "take"
    right = ["h3"]
    task.en = "Take the box, or leave it?"
    task.de = "Nimmst du das Kästchen?"
    wrong.en = "You left it."
    wrong.de = "Du hast es liegen lassen."
"""

import tomllib
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Self

import msgspec
from msgspec import Struct

from boxroom_engine.games.dots.rules.notation import PositionFields, format_position
from boxroom_engine.games.dots.rules.state import Dots, Position
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.errors import FormatError
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.registry import make_game

Sentences = dict[str, str]
"""A sentence in each language, by its code."""

_CELL = 3
"""Columns of a drawing from one dot to the next."""


class Goal(StrEnum):
    """Common trait of the moves that solve a step."""

    LINE = "line"
    """The lesson names them."""
    SAFE = "safe"
    """No box can be taken after them."""
    TAKE = "take"
    """They take a box."""
    LEAST = "least"
    """They give away as few boxes as possible."""
    BEST = "best"
    """No move is better."""


class LessonStep(Struct, frozen=True, dict=True):
    """A position, and a task for the seat to move."""

    board: str
    """The drawing of the position."""
    task: Sentences
    goal: Goal
    right: tuple[str, ...]
    """The moves that solve it."""
    wrong: Sentences = {}
    """Sentences about all other moves; empty if the refutation says enough."""

    @cached_property
    def position(self) -> Position:
        """The position on the board."""
        return position_of(self.board.splitlines())

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that solve it, as those of the position."""
        return tuple(map(self.position.game.parse_move, self.right))


class Lesson(Struct, frozen=True):
    """Steps, one after the other."""

    name: str
    title: Sentences
    steps: tuple[LessonStep, ...]
    end: Sentences
    theme: Theme | None = None
    """Theme of the puzzles in which to practise it."""

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        """Return the lesson that `text` contains.

        Raises:
            FormatError: it is no lesson.
        """
        try:
            return msgspec.convert({"name": name, **tomllib.loads(text)}, cls)
        except ValueError as error:
            raise FormatError(f"the lesson {name}: {error}") from error


def position_of(drawn: Sequence[str]) -> Position:
    """Return the position of a drawing, in which the owner of the boxes `a` is to move.

    Raises:
        FormatError: it is no board, or contradicts itself.
    """
    rows, cols = len(drawn) // 2, len(drawn[0]) // _CELL if drawn else 0
    lines = [line.ljust(_CELL * cols + 1) for line in drawn]
    bars = [line[_CELL * col + 1] == "-" for line in lines[::2] for col in range(cols)]
    posts = [line[_CELL * col] == "|" for line in lines[1::2] for col in range(cols + 1)]
    insides = [line[_CELL * col + 1] for line in lines[1::2] for col in range(cols)]
    game = make_game("dots", {"rows": rows, "cols": cols}, seats=2)
    assert isinstance(game, Dots)
    fields = PositionFields(
        edges=_set_of([*bars, *posts]),
        boxes_of=tuple(_set_of([owner == mark for mark in insides]) for owner in "ab"),
        to_move=Seat(0),
        withdrawn=frozenset(),
    )
    return game.parse_position(format_position(game.grid, fields))


def _set_of(members: Sequence[bool]) -> int:
    return sum(1 << number for number, is_member in enumerate(members) if is_member)
