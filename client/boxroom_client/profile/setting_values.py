"""What the values of settings mean, however they were written, and how they are shown.

Those who read raise ValueError with a sentence that says what would be right. They take what
TOML has: text, numbers, true and false; flags and variables are text.
"""

from collections.abc import Mapping

from boxroom_client.profile.identity import NAME_CHARS
from boxroom_client.servers.address import Address
from boxroom_client.shell.table import mistake_in_name
from boxroom_engine.games.drawing import Size
from boxroom_engine.room.text import clean_name
from boxroom_engine.wording import listed

AUTO = "auto"

SIZES: Mapping[str, Size | None] = {
    "S": Size.COMPACT,
    "M": Size.NORMAL,
    "L": Size.LARGE,
    AUTO: None,
}
"""The sizes of boards by the names that people give them; None is what fits."""

_SWITCH = {
    **dict.fromkeys(("yes", "on", "true", "1"), True),
    **dict.fromkeys(("no", "off", "false", "0"), False),
}


def text(value: object) -> str:
    """Text with something in it."""
    if not isinstance(value, str):
        raise ValueError("it has to be text, in quotation marks")
    if not value.strip():
        raise ValueError("it can't be empty")
    return value.strip()


def text_or_none(value: object) -> str | None:
    """Text; None if it is empty."""
    return None if value == "" else text(value)


def name(value: object) -> str | None:
    """The name of a person; None if it is empty."""
    if value == "":
        return None
    written = text(value)
    if (mistake := mistake_in_name(written, ())) is not None:
        raise ValueError(mistake)
    return clean_name(written, NAME_CHARS)


def address(value: object) -> Address | None:
    """The address of a server; None if it is empty."""
    return None if value == "" else Address.parse(text(value))


def size(value: object) -> Size | None:
    """One of `SIZES`, in any case."""
    wanted = text(value).lower()
    for known, meant in SIZES.items():
        if known.lower() == wanted:
            return meant
    raise ValueError(f"{value!r} isn't a size; there are {listed(SIZES)}")


def switch(value: object) -> bool:
    """Yes or no, in many words."""
    word = str(value).lower() if isinstance(value, str | int) else ""
    if word not in _SWITCH:
        raise ValueError("it has to be yes or no (or on, off, true, false, 1, 0)")
    return _SWITCH[word]


def switch_or_auto(value: object) -> bool | None:
    """Yes, no, or auto (None)."""
    if isinstance(value, str) and value.lower() == AUTO:
        return None
    try:
        return switch(value)
    except ValueError:
        raise ValueError("it has to be yes, no or auto (or on, off, true, false, 1, 0)") from None


def shown(value: str | Address | None) -> str:
    """The inverse of `text`, `text_or_none`, `name` and `address`."""
    return "" if value is None else str(value)


def shown_size(value: Size | None) -> str:
    """The inverse of `size`."""
    return next(known for known, meant in SIZES.items() if meant is value)


def shown_switch(value: bool | None) -> str:
    """The inverse of `switch` and of `switch_or_auto`."""
    return AUTO if value is None else "yes" if value else "no"
