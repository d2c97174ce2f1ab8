"""What a typed line can mean. A shell does it; nothing here knows how."""

from dataclasses import dataclass
from enum import Enum

from boxroom_engine.games.drawing import Size
from boxroom_engine.room.commands import AnyMemberCommand


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move, or what was meant as one; the rules judge it when it is played."""

    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask for a good move in the position as it is then."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the room for something. The connection fills in the command's id."""

    command: AnyMemberCommand
    note: str = ""
    """Something to add when it is done, for somebody who may have meant something else."""


@dataclass(frozen=True, slots=True)
class Help:
    """Explain one command, or list them all."""

    command: str | None


class Shown(Enum):
    """What can be looked at without asking the room."""

    BOARD = "board"
    SETTINGS = "settings"
    MEMBERS = "members"
    ROOMS = "rooms"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class Show:
    """Show how something stands."""

    what: Shown


@dataclass(frozen=True, slots=True)
class ShowNumbers:
    """Show the names of free places on the board, or don't; None: the other way round."""

    on: bool | None


@dataclass(frozen=True, slots=True)
class Resize:
    """Draw the board in this size; None: the largest that fits."""

    size: Size | None


@dataclass(frozen=True, slots=True)
class Save:
    """Write the game's record to a file; None: one with a name that tells what it is."""

    path: str | None


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """It can't be meant so; the sentence says what would be right."""

    sentence: str


class Switch(Enum):
    """What the full screen can do or leave."""

    CONFIRM = "confirm"
    MOUSE = "mouse"
    BELL = "bell"
    JOINS = "joins"


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn something of the full screen on or off; None: the other way round."""

    switch: Switch
    on: bool | None


@dataclass(frozen=True, slots=True)
class UseTheme:
    """Show the full screen in that theme; None: say which there are."""

    name: str | None


Preference = ShowNumbers | Resize | Turn | UseTheme
"""How the person likes to see things; it concerns nobody else."""

Intent = Nothing | Move | Hint | Ask | Help | Show | Preference | Save | Quit | Mistake
