"""A bot's name with its options, as people type it and as rooms, records and tables show it.

::

    greedy                      a bot as it is
    chain:max_ply=8             with an option
    expert:time=0.3,depth=12    with several

This is about the text alone; which bots and options there are is the registry's to know.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from boxroom_engine.bots.options import Value
from boxroom_engine.phrases import LocalizedError, phrase

MOST_CHARS = 60
"""The longest name with options: it travels with every seat, and stands in records."""

MOST_CHARS_SHOWN = 32
"""The number of characters of a wrong text that messages quote."""


class BotNameError(LocalizedError, ValueError):
    """The name of a bot or its options are wrong; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class BotName:
    """A parsed name; the values are still text."""

    bot: str
    options: Mapping[str, str]

    @classmethod
    def parse(cls, text: str) -> "BotName":
        """The parts of `text`.

        Raises:
            BotNameError: it isn't written as the module says, or too long.
        """
        bot, colon, rest = text.partition(":")
        if len(text) > MOST_CHARS and colon:
            raise BotNameError(phrase("bot.too_long", n=MOST_CHARS, length=len(text)))
        options: dict[str, str] = {}
        for part in rest.split(",") if colon else ():
            name, equals, value = part.partition("=")
            if not (name and equals and value):
                raise BotNameError(phrase("bot.form", text=repr(part[:MOST_CHARS_SHOWN])))
            if name in options:
                raise BotNameError(phrase("bot.twice", name=name, bot=bot[:MOST_CHARS_SHOWN]))
            options[name] = value
        return cls(bot, options)


def written(bot: str, options: Mapping[str, Value]) -> str:
    """The text for `bot` with `options`; the inverse of `BotName.parse`."""
    values = (f"{name}={_value(value)}" for name, value in options.items())
    return f"{bot}:{','.join(values)}" if options else bot


def split_names(text: str) -> tuple[str, ...]:
    """The names in a list with commas: what has an `=` but no colon belongs to the one before."""
    names: list[str] = []
    for part in filter(None, text.split(",")):
        if names and ":" in names[-1] and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return tuple(names)


def _value(value: Value) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
