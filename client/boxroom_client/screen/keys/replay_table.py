"""The table of keys of the replay: source of bindings, footer, help and docs/reference/keys.md."""

from dataclasses import dataclass
from enum import Enum, auto


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
    shown: tuple[str, ...]
    """Labels of the keys; the footer has the first."""
    help: str
    """Effect, in a few words after "Space …"."""
    hint: str = ""
    """A word for the footer; empty if it isn't shown there."""


REPLAY_KEYS = (
    ReplayKey(
        ReplayAction.NEXT, ("right", "l", "space"), ("→", "l", "Space"), "goes on by a move", "next"
    ),
    ReplayKey(ReplayAction.PREVIOUS, ("left", "h"), ("←", "h"), "goes back by a move"),
    ReplayKey(ReplayAction.PLAY, ("p",), ("p",), "plays by itself, or pauses", "play"),
    ReplayKey(ReplayAction.FASTER, ("+", "="), ("+",), "plays faster"),
    ReplayKey(ReplayAction.SLOWER, ("-",), ("-",), "plays slower"),
    ReplayKey(ReplayAction.TEN_ON, ("pagedown",), ("PgDn",), "goes on by ten moves"),
    ReplayKey(ReplayAction.TEN_BACK, ("pageup",), ("PgUp",), "goes back by ten moves"),
    ReplayKey(ReplayAction.FIRST, ("home",), ("Home",), "goes to the beginning"),
    ReplayKey(ReplayAction.LAST, ("end",), ("End",), "goes to the end"),
    ReplayKey(ReplayAction.NEXT_TAKING, ("n",), ("n",), "goes on to a move that took something"),
    ReplayKey(
        ReplayAction.PREVIOUS_TAKING, ("N",), ("N",), "goes back to a move that took something"
    ),
    ReplayKey(
        ReplayAction.DIGIT, tuple("0123456789"), ("0 to 9",), "types the number of a move to go to"
    ),
    ReplayKey(ReplayAction.GO, ("enter",), ("Enter",), "goes to that move"),
    ReplayKey(ReplayAction.ASK, ("g",), ("g",), "asks for the number of a move, or goes to it"),
    ReplayKey(ReplayAction.ERASE, ("backspace",), ("Backspace",), "deletes a digit"),
    ReplayKey(ReplayAction.UP, ("up", "s-up", "k"), ("↑", "k"), "scrolls a large board up"),
    ReplayKey(ReplayAction.DOWN, ("down", "s-down", "j"), ("↓", "j"), "scrolls it down"),
    ReplayKey(ReplayAction.LEFT, ("s-left", "H"), ("Shift-←", "H"), "scrolls it to the left"),
    ReplayKey(ReplayAction.RIGHT, ("s-right", "L"), ("Shift-→", "L"), "scrolls it to the right"),
    ReplayKey(ReplayAction.HELP, ("f1", "?"), ("F1", "?"), "shows the help, or closes it", "help"),
    ReplayKey(
        ReplayAction.NAMES, ("f2",), ("F2",), "shows or hides the names of the moves", "names"
    ),
    ReplayKey(ReplayAction.SIZE, ("f3",), ("F3",), "draws the board in another size", "size"),
    ReplayKey(ReplayAction.LEAVE, ("q", "escape", "f10"), ("q", "Esc", "F10"), "leaves", "leave"),
    ReplayKey(ReplayAction.INTERRUPT, ("c-c",), ("Ctrl-C",), "leaves, too"),
)
"""All keys, in the order in which the help lists them."""


def footer_hints() -> list[tuple[str, str]]:
    """Return the labels and words for the footer."""
    return [(key.shown[0], key.hint) for key in REPLAY_KEYS if key.hint]
