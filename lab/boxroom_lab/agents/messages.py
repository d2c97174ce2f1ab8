"""The messages of the protocol for agents, and its names for lines.

Directions::

    to the agent     start, to each player; action, for every drawn line; end
    from the agent   action, with only a location and an orientation, when it is its turn:
                     after a start as player 1, and after an action with it as nextplayer

Some servers leave out the last action, others add its fields to the end. Players are 1 and 2, and
a winner 0 is a draw. Lines are named by the dot from which they go to the right (`h`) or down
(`v`)::

    (0, 0) ─h─ (0, 1) ─h─
       v          v             location: [row, column], from the top left
    (1, 0) ─h─ (1, 1) ─h─
"""

from typing import Annotated, Literal

from msgspec import DecodeError, Meta, Struct, json

from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.dots import Grid
from boxroom_engine.games.protocol import Move

Player = Literal[1, 2]
"""A player's number; player 1 begins."""

Orientation = Literal["h", "v"]
"""Horizontal or vertical."""

GameName = str | int
"""A server's identifier of a game."""

Count = Annotated[int, Meta(ge=0)]
Location = tuple[Count, Count]
"""The row and the column of a line's upper or left dot, from 0."""


class InvalidMessage(BoxroomError, ValueError):
    """A text that isn't a message of the protocol; `str(error)` has the reason."""


class NoSuchLine(BoxroomError, ValueError):
    """A line that the board doesn't have."""


class StartMessage(Struct, frozen=True, tag_field="type", tag="start"):
    """Start of a game, which the receiver plays as `player`."""

    player: Player
    timelimit: Annotated[float, Meta(gt=0)]
    """Time limit of each answer, in seconds."""
    grid: tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]]
    """Rows and columns of boxes."""
    game: GameName


class AnswerMessage(Struct, frozen=True, tag_field="type", tag="action"):
    """The line that an agent draws."""

    location: Location
    orientation: Orientation


class ActionMessage(Struct, frozen=True, tag_field="type", tag="action", omit_defaults=True):
    """A line that `player` has drawn; `nextplayer` is to move."""

    location: Location
    orientation: Orientation
    game: GameName
    player: int | None = None
    nextplayer: int | None = None
    score: tuple[int, int] | None = None
    """The boxes of player 1 and of player 2."""


class EndMessage(Struct, frozen=True, tag_field="type", tag="end", omit_defaults=True):
    """End of a game, with the fields of its last action if there was one."""

    game: GameName
    winner: int | None = None
    """Player number; 0 is a draw, None unknown."""
    player: int | None = None
    nextplayer: int | None = None
    score: tuple[int, int] | None = None
    location: Location | None = None
    orientation: Orientation | None = None


GameMessage = StartMessage | ActionMessage | EndMessage
"""A message to an agent."""

_game_message = json.Decoder(GameMessage)
_answer = json.Decoder(AnswerMessage)


def encode(message: GameMessage | AnswerMessage) -> str:
    """Encode a message as JSON."""
    return json.encode(message).decode()


def decode_game_message(text: str | bytes) -> GameMessage:
    """Decode a message to an agent.

    Raises:
        InvalidMessage: it isn't one.
    """
    try:
        message: GameMessage = _game_message.decode(text)
        return message
    except (DecodeError, UnicodeError) as error:
        raise InvalidMessage(str(error)) from error


def decode_answer(text: str | bytes) -> AnswerMessage:
    """Decode an agent's answer.

    Raises:
        InvalidMessage: it isn't one.
    """
    try:
        return _answer.decode(text)
    except (DecodeError, UnicodeError) as error:
        raise InvalidMessage(str(error)) from error


def line_of(grid: Grid, move: Move) -> tuple[Location, Orientation]:
    """Return the protocol's name of the edge `move`."""
    if move < grid.horizontals:
        row, column = divmod(move, grid.cols)
        return (row, column), "h"
    row, column = divmod(move - grid.horizontals, grid.cols + 1)
    return (row, column), "v"


def move_of(grid: Grid, location: Location, orientation: Orientation) -> Move:
    """Return the edge of a line in the protocol's form; the inverse of `line_of`.

    Raises:
        NoSuchLine: the board doesn't have it.
    """
    is_vertical = orientation == "v"
    rows, columns = (grid.rows, grid.cols + 1) if is_vertical else (grid.rows + 1, grid.cols)
    row, column = location
    if row >= rows or column >= columns:
        raise NoSuchLine(
            f"{orientation} at {list(location)} isn't on a board of {grid.rows}×{grid.cols}:"
            f" rows go from 0 to {rows - 1} there, and columns to {columns - 1}"
        )
    return Move(grid.horizontals * is_vertical + row * columns + column)
