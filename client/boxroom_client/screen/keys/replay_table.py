"""The table of keys of the replay: source of bindings, footer, help and the site's page of keys."""

from dataclasses import dataclass
from enum import Enum, auto

from boxroom_client.screen.keys.labels import label_on_keyboard
from boxroom_common.phrases import say


class ReplayAction(Enum):
    """An action of a key."""

    NEXT = auto()
    PREVIOUS = auto()
    NEXT_TAKING = auto()
    PREVIOUS_TAKING = auto()
    TEN_ON = auto()
    TEN_BACK = auto()
    FIRST = auto()
    LAST = auto()
    PLAY = auto()
    FASTER = auto()
    SLOWER = auto()
    DIGIT = auto()
    GO = auto()
    ASK = auto()
    ERASE = auto()
    LEFT = auto()
    DOWN = auto()
    UP = auto()
    RIGHT = auto()
    HELP = auto()
    NAMES = auto()
    SIZE = auto()
    LEAVE = auto()
    INTERRUPT = auto()


@dataclass(frozen=True, slots=True)
class ReplayKey:
    """An action with its keys."""

    action: ReplayAction
    keys: tuple[str, ...]
    """Names of the keys in prompt_toolkit."""
    labels: tuple[str, ...]
    """Labels of the keys on an English keyboard; the footer has the first."""
    is_in_footer: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        """Labels of the keys on a keyboard of the language."""
        return tuple(map(label_on_keyboard, self.labels))

    @property
    def help(self) -> str:
        """Effect, in a few words after "Space …"."""
        return say(f"terminal.replay_key.{self.action.name.lower()}")

    @property
    def hint(self) -> str:
        """A word for the footer."""
        return say(f"terminal.replay_key.{self.action.name.lower()}.hint")


REPLAY_KEYS = (
    ReplayKey(ReplayAction.NEXT, ("right", "l", "space"), ("→", "l", "Space"), is_in_footer=True),
    ReplayKey(ReplayAction.PREVIOUS, ("left", "h"), ("←", "h")),
    ReplayKey(ReplayAction.PLAY, ("p",), ("p",), is_in_footer=True),
    ReplayKey(ReplayAction.FASTER, ("+", "="), ("+",)),
    ReplayKey(ReplayAction.SLOWER, ("-",), ("-",)),
    ReplayKey(ReplayAction.TEN_ON, ("pagedown",), ("PgDn",)),
    ReplayKey(ReplayAction.TEN_BACK, ("pageup",), ("PgUp",)),
    ReplayKey(ReplayAction.FIRST, ("home",), ("Home",)),
    ReplayKey(ReplayAction.LAST, ("end",), ("End",)),
    ReplayKey(ReplayAction.NEXT_TAKING, ("n",), ("n",)),
    ReplayKey(ReplayAction.PREVIOUS_TAKING, ("N",), ("N",)),
    ReplayKey(ReplayAction.DIGIT, tuple("0123456789"), ("0 to 9",)),
    ReplayKey(ReplayAction.GO, ("enter",), ("Enter",)),
    ReplayKey(ReplayAction.ASK, ("g",), ("g",)),
    ReplayKey(ReplayAction.ERASE, ("backspace",), ("Backspace",)),
    ReplayKey(ReplayAction.UP, ("up", "s-up", "k"), ("↑", "k")),
    ReplayKey(ReplayAction.DOWN, ("down", "s-down", "j"), ("↓", "j")),
    ReplayKey(ReplayAction.LEFT, ("s-left", "H"), ("Shift-←", "H")),
    ReplayKey(ReplayAction.RIGHT, ("s-right", "L"), ("Shift-→", "L")),
    ReplayKey(ReplayAction.HELP, ("f1", "?"), ("F1", "?"), is_in_footer=True),
    ReplayKey(ReplayAction.NAMES, ("f2",), ("F2",), is_in_footer=True),
    ReplayKey(ReplayAction.SIZE, ("f3",), ("F3",), is_in_footer=True),
    ReplayKey(ReplayAction.LEAVE, ("q", "escape", "f10"), ("q", "Esc", "F10"), is_in_footer=True),
    ReplayKey(ReplayAction.INTERRUPT, ("c-c",), ("Ctrl-C",)),
)
"""All keys, in the order in which the help lists them."""


def footer_hints() -> list[tuple[str, str]]:
    """Return the labels and words for the footer."""
    return [(key.shown[0], key.hint) for key in REPLAY_KEYS if key.is_in_footer]
