"""The messages of the protocol for agents, and the names that it has for lines.

Who sends what::

    to the agent     start, to each player; action, for every line that is drawn; end
    from the agent   action, with nothing but a location and an orientation, when it is its turn:
                     after a start as player 1, and after an action with it as nextplayer

Some servers leave out the last action, others give its fields to the end. Players are 1 and 2, and
a winner 0 is a draw. Lines are named by the dot from which they go to the right (`h`) or down
(`v`)::

    (0, 0) ─h─ (0, 1) ─h─
       v          v             location: [row, column], from the top left
    (1, 0) ─h─ (1, 1) ─h─
"""

from typing import Annotated, Literal

from msgspec import DecodeError, Meta, Struct, json

from boxroom_engine.games.dots import Grid
from boxroom_engine.games.protocol import Move

Player = Literal[1, 2]
"""A player's number; player 1 begins."""

Orientation = Literal["h", "v"]
"""Whether a line is horizontal or vertical."""

GameName = str | int
"""What a server calls a game."""

Count = Annotated[int, Meta(ge=0)]
Location = tuple[Count, Count]
"""The row and the column of a line's upper or left dot, from 0."""


class NoMessage(ValueError):
    """Somebody sent what isn't a message of the protocol; `str(error)` says why."""


class NoLine(ValueError):
    """The board doesn't have such a line."""


class Start(Struct, frozen=True, tag_field="type", tag="start"):
    """A game begins, and whoever is told of it plays as `player`."""

    player: Player
    timelimit: Annotated[float, Meta(gt=0)]
    """Seconds for each answer."""
    grid: tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]]
    """Rows and columns of boxes."""
    game: GameName


class Answer(Struct, frozen=True, tag_field="type", tag="action"):
    """The line that an agent wants to draw."""

    location: Location
    orientation: Orientation


class Action(Struct, frozen=True, tag_field="type", tag="action", omit_defaults=True):
    """`player` has drawn a line, and `nextplayer` is to move."""

    location: Location
    orientation: Orientation
    game: GameName
    player: int | None = None
    nextplayer: int | None = None
    score: tuple[int, int] | None = None
    """The boxes of player 1 and of player 2."""


class End(Struct, frozen=True, tag_field="type", tag="end", omit_defaults=True):
    """The game is over; the fields of the last action, if there was one, come with it."""

    game: GameName
    winner: int | None = None
    """0 is a draw."""
    player: int | None = None
    nextplayer: int | None = None
    score: tuple[int, int] | None = None
    location: Location | None = None
    orientation: Orientation | None = None


News = Start | Action | End
"""What an agent is told."""

_news = json.Decoder(News)
_answer = json.Decoder(Answer)


def encode(message: News | Answer) -> str:
    """The message as JSON."""
    return json.encode(message).decode()


def decode_news(text: str | bytes) -> News:
    """What an agent is told by `text`.

    Raises:
        NoMessage: nothing.
    """
    try:
        news: News = _news.decode(text)
        return news
    except (DecodeError, UnicodeError) as error:
        raise NoMessage(str(error)) from error


def decode_answer(text: str | bytes) -> Answer:
    """What an agent answers with `text`.

    Raises:
        NoMessage: nothing.
    """
    try:
        return _answer.decode(text)
    except (DecodeError, UnicodeError) as error:
        raise NoMessage(str(error)) from error


def line_of(grid: Grid, move: Move) -> tuple[Location, Orientation]:
    """The protocol's name of the edge `move`."""
    if move < grid.horizontals:
        row, column = divmod(move, grid.cols)
        return (row, column), "h"
    row, column = divmod(move - grid.horizontals, grid.cols + 1)
    return (row, column), "v"


def edge_of(grid: Grid, location: Location, orientation: Orientation) -> Move:
    """The edge that the protocol names so; the inverse of `line_of`.

    Raises:
        NoLine: the board doesn't have it.
    """
    is_vertical = orientation == "v"
    rows, columns = (grid.rows, grid.cols + 1) if is_vertical else (grid.rows + 1, grid.cols)
    row, column = location
    if row >= rows or column >= columns:
        raise NoLine(
            f"{orientation} at {list(location)} isn't on a board of {grid.rows}×{grid.cols}:"
            f" rows go from 0 to {rows - 1} there, and columns to {columns - 1}"
        )
    return Move(grid.horizontals * is_vertical + row * columns + column)
