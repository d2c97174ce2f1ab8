"""Intents: the possible meanings of a typed line, as values. `execute` carries them out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from boxroom_client.shell.next_game import NextGame
from boxroom_engine.games.drawing import Size
from boxroom_engine.games.protocol import OptionValue
from boxroom_engine.room.commands import AnyMemberCommand


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play a move. The room decides whether it is legal."""

    text: str
    """A move of the board, as its game formats it."""


@dataclass(frozen=True, slots=True)
class RequestHint:
    """Ask for a good move in the position at that time."""


@dataclass(frozen=True, slots=True)
class RequestUndo:
    """Take one's last move back, or agree if another player asks for that."""


@dataclass(frozen=True, slots=True)
class RequestStandIn:
    """Let a bot play for a player who thinks for long, or agree if another one asks for that."""

    seat: int
    bot: str | None


@dataclass(frozen=True, slots=True)
class RequestPause:
    """Pause the game, ask the others for that, or agree to it."""


@dataclass(frozen=True, slots=True)
class RequestAbort:
    """End the game without a winner, or agree if another player asks for that."""


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """Agree to what a player asks for, or decline it."""

    agree: bool


@dataclass(frozen=True, slots=True)
class SendCommand:
    """Send a command to the room. The connection fills in the command's id."""

    command: AnyMemberCommand
    note: str = ""
    """Shown when it is done, in case the person meant something else."""


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Change settings of the room by name; the others stay as they are when it is done.

    A line that was typed before may still be on its way, and change others.
    """

    changes: Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class StartNextGame:
    """Set up the next game, as far as the room accepts it, and start it."""

    planned: NextGame
    """The next game of the room when the person said what is wanted; the difference counts."""
    wanted: NextGame


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """Start the game on the board again, with all moves before that number.

    None: before the move that the last review showed.
    """

    number: int | None


@dataclass(frozen=True, slots=True)
class Help:
    """Explain one command, or list them all."""

    command: str | None


@dataclass(frozen=True, slots=True)
class Explain:
    """Explain one of the field's words, or list them all."""

    word: str | None


@dataclass(frozen=True, slots=True)
class ReviewGame:
    """Show where the game that is over was lost."""

    every: bool = False
    """True to tell all costly moves, False for the few that mattered most."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Show the best moves of a position, and what one of its moves costs.

    None: the position that is looked at, and the move that was played there.
    """

    number: int | None = None
    """Number of the move before which the position is."""
    move: str | None = None
    every: bool = False
    """True to tell the cost of each legal move."""


class Viewable(Enum):
    """Information that can be shown without a command to the room."""

    BOARD = "board"
    FREE_MOVES = "free-moves"
    SETTINGS = "settings"
    MEMBERS = "members"
    POWERS = "powers"
    ROOMS = "rooms"
    RECORD = "record"
    TABLE = "table"
    INVITATION = "invitation"
    QR_CODE = "qr-code"
    OTHER_DEVICE = "other-device"


@dataclass(frozen=True, slots=True)
class Show:
    """Show some information."""

    what: Viewable


@dataclass(frozen=True, slots=True)
class ShowBox:
    """Say what is around a box."""

    text: str
    """Its number, or its row and column, as the game reads them."""


@dataclass(frozen=True, slots=True)
class ShowNumbers:
    """Show or hide the names of moves on the board; None: toggle."""

    on: bool | None


@dataclass(frozen=True, slots=True)
class Resize:
    """Draw the board in this size; None: the largest that fits."""

    size: Size | None


@dataclass(frozen=True, slots=True)
class Save:
    """Write the game's record to a file; None: one named after room and game."""

    path: str | None


@dataclass(frozen=True, slots=True)
class SaveTable:
    """Write the table of the room's games to a file, as JSON if its name says so."""

    path: str


@dataclass(frozen=True, slots=True)
class Ignore:
    """Don't show what a person says; None: list those who are ignored."""

    name: str | None


@dataclass(frozen=True, slots=True)
class StopIgnoring:
    """Show again what a person says."""

    name: str


@dataclass(frozen=True, slots=True)
class Clear:
    """Clear the screen of what was said and done so far."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Take another name."""

    name: str


@dataclass(frozen=True, slots=True)
class GoToRoom:
    """Go to another room of the server; stay in this one if that isn't possible."""

    room: str
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the room."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The line is invalid; the sentence says how to correct it."""

    sentence: str


class Switch(Enum):
    """A feature of the full screen that can be on or off."""

    CONFIRM = "confirm"
    MOUSE = "mouse"
    BELL = "bell"
    JOINS = "joins"


@dataclass(frozen=True, slots=True)
class Toggle:
    """Turn a feature of the full screen on or off; None: toggle."""

    switch: Switch
    on: bool | None


@dataclass(frozen=True, slots=True)
class UseTheme:
    """Show the full screen in that theme; None: list the themes."""

    name: str | None


DisplayChange = ShowNumbers | Resize | Toggle | UseTheme
"""A change to how this person's shell shows things; the room doesn't know it."""

Intent = (
    Nothing
    | PlayMove
    | RequestHint
    | RequestUndo
    | RequestStandIn
    | RequestAbort
    | RequestPause
    | AnswerRequest
    | SendCommand
    | ChangeSettings
    | StartNextGame
    | PlayAgain
    | Help
    | Explain
    | ReviewGame
    | Judge
    | Show
    | ShowBox
    | DisplayChange
    | Save
    | SaveTable
    | Ignore
    | StopIgnoring
    | Clear
    | Rename
    | GoToRoom
    | Quit
    | Mistake
)
