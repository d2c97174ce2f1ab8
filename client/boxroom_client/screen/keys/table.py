"""The table of keys in a game: source of bindings, footer, help and the site's page of keys."""

from dataclasses import dataclass
from enum import Enum, auto

from boxroom_client.screen.keys.labels import label_on_keyboard
from boxroom_common.phrases import say


class KeyAction(Enum):
    """An action of a key."""

    HELP = auto()
    NUMBERS = auto()
    SIZE = auto()
    AGAIN = auto()
    HOST = auto()
    REVIEW = auto()
    QR_CODE = auto()
    TABLE = auto()
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
    REVIEW_BACK = auto()
    REVIEW_ON = auto()
    REVIEW_FIRST = auto()
    REVIEW_LAST = auto()
    REVIEW_NEXT = auto()
    REVIEW_PREVIOUS = auto()
    REVIEW_BETTER = auto()
    REVIEW_PLAYED = auto()
    JUDGE = auto()


class When(Enum):
    """The condition under which a key works."""

    ANYWHERE = auto()
    NO_TEXT = auto()
    CHOOSING = auto()
    LINE = auto()
    TEXT = auto()
    BOARD = auto()
    REVIEW = auto()

    @property
    def title(self) -> str:
        """The condition in words, above the keys."""
        return say(f"terminal.key_when.{self.name.lower()}")


@dataclass(frozen=True, slots=True)
class Key:
    """An action with its keys."""

    action: KeyAction
    keys: tuple[str, ...]
    """Names of the keys in prompt_toolkit."""
    label: str
    """Label of the keys on an English keyboard."""
    when: When = When.ANYWHERE
    is_in_footer: bool = False

    @property
    def shown(self) -> str:
        """Label of the keys on a keyboard of the language."""
        return label_on_keyboard(self.label)

    @property
    def help(self) -> str:
        """Effect, in a few words after "Enter …": "plays at the cursor"."""
        return say(f"terminal.key.{self.action.name.lower()}")

    @property
    def hint(self) -> str:
        """A word for the footer."""
        return say(f"terminal.key.{self.action.name.lower()}.hint")


KEYS = (
    Key(
        KeyAction.LEFT,
        ("left",),
        "←",
        When.NO_TEXT,
    ),
    Key(KeyAction.DOWN, ("down",), "↓", When.CHOOSING),
    Key(KeyAction.UP, ("up",), "↑", When.CHOOSING),
    Key(KeyAction.RECALL, ("up",), "↑", When.LINE),
    Key(KeyAction.RECALL_NEWER, ("down",), "↓", When.LINE),
    Key(KeyAction.RIGHT, ("right",), "→", When.NO_TEXT),
    Key(KeyAction.NEXT, ("tab",), "Tab", When.NO_TEXT),
    Key(
        KeyAction.PREVIOUS,
        ("s-tab",),
        "Shift-Tab",
        When.NO_TEXT,
    ),
    Key(
        KeyAction.PLAY,
        ("enter",),
        "Enter",
        When.NO_TEXT,
    ),
    Key(KeyAction.LEFT, ("h",), "h", When.BOARD),
    Key(KeyAction.DOWN, ("j",), "j", When.BOARD),
    Key(KeyAction.UP, ("k",), "k", When.BOARD),
    Key(KeyAction.RIGHT, ("l",), "l", When.BOARD),
    Key(KeyAction.PLAY, ("space",), "Space", When.BOARD),
    Key(KeyAction.COMPLETE, ("tab",), "Tab", When.TEXT),
    Key(
        KeyAction.FOCUS,
        ("escape",),
        "Esc",
    ),
    Key(KeyAction.HELP, ("f1",), "F1", is_in_footer=True),
    Key(KeyAction.NUMBERS, ("f2",), "F2", is_in_footer=True),
    Key(KeyAction.SIZE, ("f3",), "F3", is_in_footer=True),
    Key(KeyAction.LAST_MOVE, ("f4",), "F4"),
    Key(KeyAction.AGAIN, ("f5",), "F5"),
    Key(KeyAction.HOST, ("f6",), "F6"),
    Key(KeyAction.REVIEW, ("f7",), "F7"),
    Key(KeyAction.QR_CODE, ("f8",), "F8"),
    Key(KeyAction.TABLE, ("f9",), "F9"),
    Key(KeyAction.RECALL, ("c-p",), "Ctrl-P"),
    Key(KeyAction.RECALL_NEWER, ("c-n",), "Ctrl-N"),
    Key(KeyAction.SCROLL_UP, ("s-up",), "Shift-↑"),
    Key(KeyAction.SCROLL_DOWN, ("s-down",), "Shift-↓"),
    Key(KeyAction.SCROLL_LEFT, ("s-left",), "Shift-←"),
    Key(KeyAction.SCROLL_RIGHT, ("s-right",), "Shift-→"),
    Key(KeyAction.OLDER, ("pageup",), "PgUp", is_in_footer=True),
    Key(KeyAction.NEWER, ("pagedown",), "PgDn"),
    Key(KeyAction.NEWEST, ("c-end",), "Ctrl-End"),
    Key(KeyAction.LEAVE, ("f10",), "F10", is_in_footer=True),
    Key(KeyAction.LEAVE, ("c-d",), "Ctrl-D", When.NO_TEXT),
    Key(KeyAction.INTERRUPT, ("c-c",), "Ctrl-C"),
    Key(KeyAction.REVIEW_BACK, ("left",), "←", When.REVIEW),
    Key(KeyAction.REVIEW_ON, ("right",), "→", When.REVIEW),
    Key(KeyAction.REVIEW_FIRST, ("home",), "Home", When.REVIEW),
    Key(KeyAction.REVIEW_LAST, ("end",), "End", When.REVIEW),
    Key(KeyAction.REVIEW_NEXT, ("tab",), "Tab", When.REVIEW),
    Key(KeyAction.REVIEW_PREVIOUS, ("s-tab",), "Shift-Tab", When.REVIEW),
    Key(KeyAction.REVIEW_BETTER, ("up",), "↑", When.REVIEW),
    Key(KeyAction.REVIEW_PLAYED, ("down",), "↓", When.REVIEW),
    Key(KeyAction.JUDGE, ("enter",), "Enter", When.REVIEW),
)
"""All keys of the game's screen, in the order in which the help lists them."""


def action_of(label: str) -> KeyAction | None:
    """Return the action of the key with that label that works at any time, if there is one."""
    anywhere = (key for key in KEYS if key.when is When.ANYWHERE)
    return next((key.action for key in anywhere if key.shown == label), None)


def label_of(action: KeyAction) -> str:
    """Return the label of the first key for `action`."""
    return next(key.shown for key in KEYS if key.action is action)
