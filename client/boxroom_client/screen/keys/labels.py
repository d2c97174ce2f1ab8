"""Labels of keys, which differ between the keyboards of languages: Ctrl and Strg."""

from boxroom_common.phrases import say

_NAMED = {
    "0 to 9": "digits",
    "Backspace": "backspace",
    "Ctrl": "ctrl",
    "End": "end",
    "Home": "home",
    "PgDn": "page_down",
    "PgUp": "page_up",
    "Shift": "shift",
    "Space": "space",
}
"""Keys with a name that isn't the same everywhere, with the end of its phrase's key."""


def label_on_keyboard(label: str) -> str:
    """Return the label of an English keyboard, such as "Shift-Tab", as the language has it."""
    parts = label.split("-")
    return "-".join(
        say(f"terminal.keyboard.{_NAMED[part]}") if part in _NAMED else part for part in parts
    )


def arrows(*, ascii_only: bool, across: bool = False) -> str:
    """Return the label of the arrow keys up and down, or of those `across`."""
    if ascii_only:
        return say("terminal.keyboard.left_right" if across else "terminal.keyboard.up_down")
    return "←→" if across else "↑↓"
