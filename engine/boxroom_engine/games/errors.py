"""Errors about games, moves, and their texts.

::

    GameError                 base of all; has a `code`
    ├── FormatError           a position or record can't be read
    ├── OptionError           a game can't be made with these options
    ├── NoSuchBox             the text names no box of the board
    └── MoveError             a move can't be played
        ├── MalformedMove     the text is no move of this game, on any board
        ├── MoveOutOfRange    a move, but not on this board
        ├── IllegalMove       on this board, but not now (for example already drawn)
        │   └── AmbiguousMove now it would be one of several moves
        ├── NotYourTurn       another seat is to move
        └── GameIsOver        no seat is to move any more

Players read all but a `FormatError`, and so each sentence says what would be right. The keys of
their phrases are `move.<variant>` and `option.<variant>`; those of one game are
`move.<game>.<variant>` and `option.<game>.<variant>`.
"""

from typing import ClassVar

from boxroom_engine.errors import BoxroomError
from boxroom_engine.phrases import LocalizedError


class GameError(BoxroomError, ValueError):
    """Base of the errors about games; `code` is stable, `str(error)` is for people."""

    code: ClassVar[str] = "game_error"


class FormatError(GameError):
    """A position or a record can't be read; its sentence is English, for files and commands."""

    code = "bad_format"


class OptionError(LocalizedError, GameError):
    """A game can't be made with these options or this number of seats."""

    code = "bad_option"


class NoSuchBox(LocalizedError, GameError):
    """The text names no box of the board."""

    code = "no_such_box"


class MoveError(LocalizedError, GameError):
    """A move can't be played."""

    code = "bad_move"


class MalformedMove(MoveError):
    """The text isn't a move of this game on any board."""

    code = "malformed_move"


class MoveOutOfRange(MoveError):
    """The move is well formed, but this board doesn't have it."""

    code = "out_of_range"


class IllegalMove(MoveError):
    """The board has the move, but it can't be played in this position."""

    code = "illegal_move"


class AmbiguousMove(IllegalMove):
    """Several legal moves have the name."""

    code = "ambiguous_move"


class NotYourTurn(MoveError):
    """Another seat is to move."""

    code = "not_your_turn"


class GameIsOver(MoveError):
    """The game is over, so no seat is to move."""

    code = "game_over"
