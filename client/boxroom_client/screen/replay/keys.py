"""The one table of keys for recorded games: bindings, footer, help and docs/keys.md are from it."""

from dataclasses import dataclass
from enum import Enum, auto


class Does(Enum):
    """What a key does."""

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
    """An entry of the table."""

    does: Does
    keys: tuple[str, ...]
    """As prompt_toolkit calls them."""
    shown: tuple[str, ...]
    """What stands on them; the footer has the first."""
    help: str
    """What they do, in a few words after "Space …"."""
    hint: str = ""
    """For the footer; empty if it isn't shown there."""


REPLAY_KEYS = (
    ReplayKey(Does.NEXT, ("right", "l", "space"), ("→", "l", "Space"), "goes on by a move", "next"),
    ReplayKey(Does.PREVIOUS, ("left", "h"), ("←", "h"), "goes back by a move"),
    ReplayKey(Does.PLAY, ("p",), ("p",), "plays by itself, or pauses", "play"),
    ReplayKey(Does.FASTER, ("+", "="), ("+",), "plays faster"),
    ReplayKey(Does.SLOWER, ("-",), ("-",), "plays slower"),
    ReplayKey(Does.TEN_ON, ("pagedown",), ("PgDn",), "goes on by ten moves"),
    ReplayKey(Does.TEN_BACK, ("pageup",), ("PgUp",), "goes back by ten moves"),
    ReplayKey(Does.FIRST, ("home",), ("Home",), "goes to the beginning"),
    ReplayKey(Does.LAST, ("end",), ("End",), "goes to the end"),
    ReplayKey(Does.NEXT_TAKING, ("n",), ("n",), "goes on to a move that took something"),
    ReplayKey(Does.PREVIOUS_TAKING, ("N",), ("N",), "goes back to a move that took something"),
    ReplayKey(Does.DIGIT, tuple("0123456789"), ("0 to 9",), "types the number of a move to go to"),
    ReplayKey(Does.GO, ("enter",), ("Enter",), "goes there"),
    ReplayKey(Does.ASK, ("g",), ("g",), "asks for such a number, or goes there"),
    ReplayKey(Does.ERASE, ("backspace",), ("Backspace",), "takes a digit away"),
    ReplayKey(Does.UP, ("up", "k"), ("↑", "k"), "shows what is above of a large board"),
    ReplayKey(Does.DOWN, ("down", "j"), ("↓", "j"), "shows what is below"),
    ReplayKey(Does.LEFT, ("s-left", "H"), ("Shift-←", "H"), "shows what is to the left"),
    ReplayKey(Does.RIGHT, ("s-right", "L"), ("Shift-→", "L"), "shows what is to the right"),
    ReplayKey(Does.HELP, ("f1", "?"), ("F1", "?"), "shows the help, or closes it", "help"),
    ReplayKey(Does.NAMES, ("f2",), ("F2",), "shows or hides the names of free places", "names"),
    ReplayKey(Does.SIZE, ("f3",), ("F3",), "draws the board in another size", "size"),
    ReplayKey(Does.LEAVE, ("q", "escape", "f10"), ("q", "Esc", "F10"), "leaves", "leave"),
    ReplayKey(Does.INTERRUPT, ("c-c",), ("Ctrl-C",), "leaves, too"),
)
"""All keys, in the order in which the help lists them."""


def hints() -> list[tuple[str, str]]:
    """What the footer says of the most important of them."""
    return [(key.shown[0], key.hint) for key in REPLAY_KEYS if key.hint]
