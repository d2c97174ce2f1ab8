"""Parsing and formatting of the values of settings.

The parsers take what TOML has: text, numbers, true and false; flags and variables are text. They
raise ValueError with a sentence that says what would be right.
"""

from collections.abc import Mapping

from boxroom_client.profile.identity import BadName, checked_name
from boxroom_client.servers.address import Destination
from boxroom_common.phrases import LANGUAGES
from boxroom_engine.games.drawing import Size
from boxroom_engine.wording import listed

AUTO = "auto"

SIZES: Mapping[str, Size | None] = {
    "S": Size.COMPACT,
    "M": Size.NORMAL,
    "L": Size.LARGE,
    AUTO: None,
}
"""Sizes of boards by the names in settings; None is the largest that fits."""

NO_NOTIFICATION = "off"
NOTIFICATIONS = (NO_NOTIFICATION, "osc9", "osc777")
"""Kinds of desktop notifications: none, or the escape sequence that asks the terminal for one."""

_SWITCH = {
    **dict.fromkeys(("yes", "on", "true", "1"), True),
    **dict.fromkeys(("no", "off", "false", "0"), False),
}


def parse_text(value: object) -> str:
    """Parse text that isn't empty."""
    if not isinstance(value, str):
        raise ValueError("it has to be text, in quotation marks")
    if not value.strip():
        raise ValueError("it can't be empty")
    return value.strip()


def parse_text_or_none(value: object) -> str | None:
    """Parse text; None if it is empty."""
    return None if value == "" else parse_text(value)


def parse_name(value: object) -> str | None:
    """Parse the name of a player; None if it is empty."""
    if value == "":
        return None
    try:
        return checked_name(parse_text(value))
    except BadName as error:
        raise ValueError(str(error)) from None


def parse_destination(value: object) -> Destination | None:
    """Parse the address of a server, or a link to a room there; None if it is empty."""
    return None if value == "" else Destination.parse(parse_text(value))


def parse_size(value: object) -> Size | None:
    """Parse one of `SIZES`, in upper or lower case."""
    wanted = parse_text(value).lower()
    for known, meant in SIZES.items():
        if known.lower() == wanted:
            return meant
    raise ValueError(f"{value!r} isn't a size; there are {listed(SIZES)}")


def parse_notification(value: object) -> str:
    """Parse one of `NOTIFICATIONS`; TOML's false and a variable's no are off."""
    word = str(value).lower()
    if _SWITCH.get(word) is False:
        return NO_NOTIFICATION
    if word not in NOTIFICATIONS:
        raise ValueError(f"it has to be {listed(NOTIFICATIONS, 'or')}")
    return word


def parse_language(value: object) -> str | None:
    """Parse the code of a language; auto, that of the system, is None."""
    word = parse_text(value).lower()
    if word in LANGUAGES:
        return word
    if word != AUTO:
        raise ValueError(f"there is no language {value!r}; there are {listed(LANGUAGES)}")
    return None


def parse_switch(value: object) -> bool:
    """Parse yes or no, or a word for one of them."""
    word = str(value).lower() if isinstance(value, str | int) else ""
    if word not in _SWITCH:
        raise ValueError("it has to be yes or no (or on, off, true, false, 1, 0)")
    return _SWITCH[word]


def parse_switch_or_auto(value: object) -> bool | None:
    """Parse yes, no or auto, which is None."""
    if isinstance(value, str) and value.lower() == AUTO:
        return None
    try:
        return parse_switch(value)
    except ValueError:
        raise ValueError("it has to be yes, no or auto (or on, off, true, false, 1, 0)") from None


def format_text(value: str | Destination | None) -> str:
    """Format a text, a name or an address; None is empty."""
    return "" if value is None else str(value)


def format_language(value: str | None) -> str:
    """Format the code of a language, or auto."""
    return AUTO if value is None else value


def format_size(value: Size | None) -> str:
    """Format a size by its name."""
    return next(known for known, meant in SIZES.items() if meant is value)


def format_switch(value: bool | None) -> str:
    """Format yes, no or auto."""
    return AUTO if value is None else "yes" if value else "no"
