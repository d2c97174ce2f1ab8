"""The one table of keys: bindings, footer, help and docs/keys.md are made from it."""

from dataclasses import dataclass
from enum import Enum, auto


class Action(Enum):
    """What a key does."""

    HELP = auto()
    NUMBERS = auto()
    SIZE = auto()
    AGAIN = auto()
    LEAVE = auto()
    LEFT = auto()
    DOWN = auto()
    UP = auto()
    RIGHT = auto()
    NEXT = auto()
    PREVIOUS = auto()
    PLAY = auto()
    FOCUS = auto()
    COMPLETE = auto()
    OLDER = auto()
    NEWER = auto()
    NEWEST = auto()
    INTERRUPT = auto()


class Where(Enum):
    """When a key does it."""

    ANYWHERE = "at any time"
    NO_TEXT = "while the line is empty, or on the board"
    TEXT = "while there is text in the line"
    BOARD = "on the board"


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of the table."""

    action: Action
    keys: tuple[str, ...]
    """As prompt_toolkit calls them."""
    shown: str
    """What stands on them."""
    help: str
    """What they do, in a few words after "Enter …": "plays at the cursor"."""
    where: Where = Where.ANYWHERE
    hint: str = ""
    """For the footer; empty if it isn't shown there."""


KEYS = (
    Key(
        Action.LEFT,
        ("left",),
        "←",
        "moves the cursor to the left",
        Where.NO_TEXT,
    ),
    Key(Action.DOWN, ("down",), "↓", "moves the cursor down", Where.NO_TEXT),
    Key(Action.UP, ("up",), "↑", "moves the cursor up", Where.NO_TEXT),
    Key(Action.RIGHT, ("right",), "→", "moves the cursor to the right", Where.NO_TEXT),
    Key(Action.NEXT, ("tab",), "Tab", "goes to the next free place", Where.NO_TEXT),
    Key(Action.PREVIOUS, ("s-tab",), "Shift-Tab", "goes to the one before", Where.NO_TEXT),
    Key(Action.PLAY, ("enter",), "Enter", "plays at the cursor", Where.NO_TEXT),
    Key(Action.LEFT, ("h",), "h", "moves the cursor to the left", Where.BOARD),
    Key(Action.DOWN, ("j",), "j", "moves the cursor down", Where.BOARD),
    Key(Action.UP, ("k",), "k", "moves the cursor up", Where.BOARD),
    Key(Action.RIGHT, ("l",), "l", "moves the cursor to the right", Where.BOARD),
    Key(Action.PLAY, ("space",), "Space", "plays at the cursor", Where.BOARD),
    Key(Action.COMPLETE, ("tab",), "Tab", "completes a command", Where.TEXT),
    Key(Action.FOCUS, ("escape",), "Esc", "goes to the board, or back to the line"),
    Key(Action.HELP, ("f1",), "F1", "shows the help, or closes it", hint="help"),
    Key(Action.NUMBERS, ("f2",), "F2", "shows or hides the names of free places", hint="names"),
    Key(Action.SIZE, ("f3",), "F3", "draws the board in another size", hint="size"),
    Key(Action.AGAIN, ("f5",), "F5", "starts the game, or asks for a rematch"),
    Key(Action.OLDER, ("pageup",), "PgUp", "shows older lines", hint="older"),
    Key(Action.NEWER, ("pagedown",), "PgDn", "shows newer lines"),
    Key(Action.NEWEST, ("c-end",), "Ctrl-End", "shows the newest line"),
    Key(Action.LEAVE, ("f10",), "F10", "leaves, after a question", hint="leave"),
    Key(Action.LEAVE, ("c-d",), "Ctrl-D", "leaves, after a question", Where.NO_TEXT),
    Key(Action.INTERRUPT, ("c-c",), "Ctrl-C", "clears the line; a second one leaves"),
)
"""All keys of the game's screen, in the order in which the help lists them."""


def shown(action: Action) -> str:
    """What stands on the first key for `action`."""
    return next(key.shown for key in KEYS if key.action is action)
