"""The theme of a position: the one idea that finds its best moves, in words that people know.

Puzzles are sorted by it, and so are the mistakes of a player: the theme of a mistake is that of the
better moves in its position.
"""

from collections.abc import Sequence
from enum import StrEnum

from boxroom_engine.games.dots.rules.state import Position
from boxroom_engine.games.dots.theory.captures import neutral
from boxroom_engine.games.dots.theory.control import control, double_dealing_moves, is_loony
from boxroom_engine.games.dots.theory.facts import (
    Declines,
    Leaves,
    Opens,
    Takes,
    Waits,
    facts_of,
    seats_in_play,
)
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move

FEW_SAFE = 6
"""With so many safe lines or fewer, they are the last ones: people can count them."""


class Theme(StrEnum):
    """Idea behind the best moves of a position; the phrases `puzzle.theme.<theme>` name it."""

    LAST_SAFE = "last_safe"
    """Draw the right one of the last safe lines."""
    MAKE_CHAIN = "make_chain"
    """Draw a safe line that makes a long chain, and so leaves it to the other to open one."""
    GIVE = "give"
    """Give boxes away although there are safe lines."""
    COUNT = "count"
    """Count the boxes that each move gives away, and what comes after."""
    NO_CHOICE = "no_choice"
    """Give a chain of two by its middle line, so that the other can't decline it."""
    LEAVE_TWO = "leave_two"
    """Leave the last two boxes of a chain, and the move with them."""
    LEAVE_FOUR = "leave_four"
    """Leave the last four boxes of a loop, and the move with them."""
    TAKE_ALL = "take_all"
    """Take everything although the last boxes could be left."""


def theme_of(position: Position, best: Sequence[Move]) -> Theme | None:
    """Return the theme that all `best` moves share; None if they share none.

    `position` isn't over. Control is a matter between two, so there is none with more in play.
    """
    if seats_in_play(position) != 2:
        return None
    themes = {_theme(position, move, best) for move in best}
    return themes.pop() if len(themes) == 1 else None


def _theme(position: Position, move: Move, best: Sequence[Move]) -> Theme | None:
    match facts_of(position, move):
        case (Takes(),):
            return Theme.TAKE_ALL if double_dealing_moves(position) else None
        case (Declines(boxes),):
            return Theme.LEAVE_TWO if boxes == 2 else Theme.LEAVE_FOUR
        case (Leaves(), *_) | (_, Leaves(), *_):
            return None
        case (Opens(had_neutral=True), *_):
            return Theme.GIVE
        case (Opens(length=length), *_):
            without_choice = len(best) == 1 and not is_loony(position.play(move))
            return Theme.NO_CHOICE if length == 2 and without_choice else Theme.COUNT
        case (Waits(),):
            return _of_safe(position, move)
        case _:
            return None


def _of_safe(position: Position, move: Move) -> Theme | None:
    after = position.play(move)
    makes_chain = len(parts_of(after).long_chains) > len(parts_of(position).long_chains)
    if makes_chain and control(after) == position.to_move:
        return Theme.MAKE_CHAIN
    return Theme.LAST_SAFE if len(neutral(position)) <= FEW_SAFE else None
