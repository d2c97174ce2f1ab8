"""Lessons: positions with a task each, as text files with the sentences of all languages.

A file opens with the lesson's title, and the theme of the puzzles to do after it. Then come the
steps: a board, as drawn below, the task, the moves that solve it, and what to say of others. `a`
are the boxes of the learner, who is to move, and `b` those of the other player. The goal in front
of the moves says what they have in common; the lesson ends with its last sentence::

    en Leave two
    de Zwei liegen lassen
    theme leave_two

    board
    +--+--+
    |a |  |
    +--+  +
       |  |
    +--+--+
    en Take the box, or leave it?
    de Nimmst du das Kästchen?
    do take h3
    wrong en You left it.
    wrong de Du hast es liegen lassen.

    end en That is all.
    end de Das ist alles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Self

from boxroom_engine.games.dots.rules.notation import PositionFields, format_position
from boxroom_engine.games.dots.rules.state import Dots, Position
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.errors import FormatError, GameError
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.games.registry import make_game

Sentences = Mapping[str, str]
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


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A position, and a task for the seat to move."""

    position: Position
    task: Sentences
    goal: Goal
    right: tuple[Move, ...]
    wrong: Sentences
    """Sentences about all other moves; empty if the refutation says enough."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps, one after the other."""

    name: str
    title: Sentences
    theme: Theme | None
    """Theme of the puzzles in which to practise it."""
    steps: tuple[LessonStep, ...]
    end: Sentences

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        """Return the lesson that `text` contains.

        Raises:
            FormatError: it is no lesson.
        """
        head, *parts = text.split("\nboard\n")
        if not parts:
            raise FormatError(f"the lesson {name} has no steps")
        try:
            opening, ending = _entries(head), _entries(parts[-1])
            theme = opening.get("theme")
            return cls(
                name,
                _sentences(opening),
                None if theme is None else Theme(theme),
                tuple(map(_step, parts)),
                _sentences(ending, "end "),
            )
        except (ValueError, KeyError, GameError) as error:
            raise FormatError(f"the lesson {name}: {error}") from error


def _step(text: str) -> LessonStep:
    drawn = list(takewhile(_is_drawn, text.splitlines()))
    entries = _entries(text)
    position = position_of(drawn)
    goal, *right = entries["do"].split()
    moves = tuple(map(position.game.parse_move, right))
    return LessonStep(
        position, _sentences(entries), Goal(goal), moves, _sentences(entries, "wrong ")
    )


def _is_drawn(line: str) -> bool:
    return not line or line[0] in "+| "


def _entries(text: str) -> dict[str, str]:
    """Return the entries by their keys, as "en", "do" or "wrong en"."""
    entries: dict[str, str] = {}
    for line in text.splitlines():
        if not _is_drawn(line):
            key, _, value = line.partition(" ")
            if key in {"wrong", "end"}:
                language, _, value = value.partition(" ")
                key = f"{key} {language}"
            entries[key] = value
    return entries


def _sentences(entries: Mapping[str, str], prefix: str = "") -> Sentences:
    """Return the sentences under the codes of languages, which have two letters."""
    return {
        key.removeprefix(prefix): value
        for key, value in entries.items()
        if key.startswith(prefix) and len(key) == len(prefix) + 2 and key != "do"
    }


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
