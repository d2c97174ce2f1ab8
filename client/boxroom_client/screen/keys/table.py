"""The table of keys in a game: source of bindings, footer, help and docs/reference/keys.md."""

from dataclasses import dataclass
from enum import Enum, auto


class KeyAction(Enum):
    """An action of a key."""

    HELP = auto()
    NUMBERS = auto()
    SIZE = auto()
    AGAIN = auto()
    NEXT_GAME = auto()
    REVIEW = auto()
    QR_CODE = auto()
    LEAVE = auto()
    LEFT = auto()
    DOWN = auto()
    UP = auto()
    RIGHT = auto()
    RECALL = auto()
    RECALL_NEWER = auto()
    NEXT = auto()
    PREVIOUS = auto()
    PLAY = auto()
    FOCUS = auto()
    COMPLETE = auto()
    LAST_MOVE = auto()
    SCROLL_LEFT = auto()
    SCROLL_DOWN = auto()
    SCROLL_UP = auto()
    SCROLL_RIGHT = auto()
    OLDER = auto()
    NEWER = auto()
    NEWEST = auto()
    INTERRUPT = auto()


class When(Enum):
    """The condition under which a key works."""

    ANYWHERE = "at any time"
    NO_TEXT = "while the line is empty, or on the board"
    CHOOSING = "the same, at your turn or once a cursor is on the board"
    LINE = "in the line, unless up and down move the cursor"
    TEXT = "while there is text in the line"
    BOARD = "on the board"


@dataclass(frozen=True, slots=True)
class Key:
    """An action with its keys."""

    action: KeyAction
    keys: tuple[str, ...]
    """Names of the keys in prompt_toolkit."""
    shown: str
    """Label of the keys."""
    help: str
    """Effect, in a few words after "Enter …": "plays at the cursor"."""
    when: When = When.ANYWHERE
    hint: str = ""
    """A word for the footer; empty if it isn't shown there."""


KEYS = (
    Key(
        KeyAction.LEFT,
        ("left",),
        "←",
        "moves the cursor to the left",
        When.NO_TEXT,
    ),
    Key(KeyAction.DOWN, ("down",), "↓", "moves the cursor down", When.CHOOSING),
    Key(KeyAction.UP, ("up",), "↑", "moves the cursor up", When.CHOOSING),
    Key(KeyAction.RECALL, ("up",), "↑", "recalls the line that you typed before", When.LINE),
    Key(KeyAction.RECALL_NEWER, ("down",), "↓", "goes back to newer lines", When.LINE),
    Key(KeyAction.RIGHT, ("right",), "→", "moves the cursor to the right", When.NO_TEXT),
    Key(
        KeyAction.NEXT, ("tab",), "Tab", "moves the cursor to the next possible move", When.NO_TEXT
    ),
    Key(
        KeyAction.PREVIOUS,
        ("s-tab",),
        "Shift-Tab",
        "moves the cursor to the one before",
        When.NO_TEXT,
    ),
    Key(
        KeyAction.PLAY,
        ("enter",),
        "Enter",
        "plays at the cursor; before your turn, keeps that move for it",
        When.NO_TEXT,
    ),
    Key(KeyAction.LEFT, ("h",), "h", "moves the cursor to the left", When.BOARD),
    Key(KeyAction.DOWN, ("j",), "j", "moves the cursor down", When.BOARD),
    Key(KeyAction.UP, ("k",), "k", "moves the cursor up", When.BOARD),
    Key(KeyAction.RIGHT, ("l",), "l", "moves the cursor to the right", When.BOARD),
    Key(KeyAction.PLAY, ("space",), "Space", "plays at the cursor", When.BOARD),
    Key(KeyAction.COMPLETE, ("tab",), "Tab", "completes a command, or a name", When.TEXT),
    Key(
        KeyAction.FOCUS,
        ("escape",),
        "Esc",
        "leaves a review; drops the move kept for your turn; else goes to the board, or back to the"
        " line",
    ),
    Key(KeyAction.HELP, ("f1",), "F1", "shows the help, or closes it", hint="help"),
    Key(KeyAction.NUMBERS, ("f2",), "F2", "shows or hides the names of the moves", hint="names"),
    Key(KeyAction.SIZE, ("f3",), "F3", "draws the board in another size", hint="size"),
    Key(KeyAction.LAST_MOVE, ("f4",), "F4", "goes to the last move"),
    Key(KeyAction.AGAIN, ("f5",), "F5", "starts the game, or asks for a rematch"),
    Key(KeyAction.NEXT_GAME, ("f6",), "F6", "sets up the next game: opponent, size, who begins"),
    Key(KeyAction.REVIEW, ("f7",), "F7", "shows where a game that is over was lost"),
    Key(KeyAction.QR_CODE, ("f8",), "F8", "shows this room's QR code for phones, or closes it"),
    Key(KeyAction.RECALL, ("c-p",), "Ctrl-P", "recalls the line that you typed before"),
    Key(KeyAction.RECALL_NEWER, ("c-n",), "Ctrl-N", "goes back to newer lines"),
    Key(KeyAction.SCROLL_UP, ("s-up",), "Shift-↑", "scrolls a large board up"),
    Key(KeyAction.SCROLL_DOWN, ("s-down",), "Shift-↓", "scrolls it down"),
    Key(KeyAction.SCROLL_LEFT, ("s-left",), "Shift-←", "scrolls it to the left"),
    Key(KeyAction.SCROLL_RIGHT, ("s-right",), "Shift-→", "scrolls it to the right"),
    Key(KeyAction.OLDER, ("pageup",), "PgUp", "shows older lines", hint="older"),
    Key(KeyAction.NEWER, ("pagedown",), "PgDn", "shows newer lines"),
    Key(KeyAction.NEWEST, ("c-end",), "Ctrl-End", "shows the newest line"),
    Key(KeyAction.LEAVE, ("f10",), "F10", "leaves, after a question", hint="leave"),
    Key(KeyAction.LEAVE, ("c-d",), "Ctrl-D", "leaves, after a question", When.NO_TEXT),
    Key(KeyAction.INTERRUPT, ("c-c",), "Ctrl-C", "clears the line; a second one leaves"),
)
"""All keys of the game's screen, in the order in which the help lists them."""


def action_of(label: str) -> KeyAction | None:
    """Return the action of the key with that label that works at any time, if there is one."""
    anywhere = (key for key in KEYS if key.when is When.ANYWHERE)
    return next((key.action for key in anywhere if key.shown == label), None)


def label_of(action: KeyAction) -> str:
    """Return the label of the first key for `action`."""
    return next(key.shown for key in KEYS if key.action is action)
