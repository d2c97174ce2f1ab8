"""Options of bots: numbers and words, as for games, and decimal numbers."""

import re
from dataclasses import dataclass

from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.options import Option, OptionKey, OptionValue
from boxroom_engine.phrases import phrase

Value = OptionValue | float
"""Value of an option of a bot."""

_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


@dataclass(frozen=True, slots=True)
class DecimalOption(OptionKey):
    """A number in `least..most` that may have a point, such as seconds."""

    default: float
    least: float = 0.0
    most: float = 1_000_000.0

    def parse(self, value: Value) -> float:
        """`value`, typed or as text, as this option wants it.

        Raises:
            OptionError: it isn't a number, or is out of bounds.
        """
        text = str(value)
        if _DECIMAL.fullmatch(text) is None:
            raise OptionError(phrase("option.number", name=self.name, example=f"{self.default:g}"))
        number = float(text)
        if not self.least <= number <= self.most:
            raise OptionError(
                phrase(
                    "option.bounds",
                    name=self.name,
                    least=f"{self.least:g}",
                    most=f"{self.most:g}",
                    value=text,
                )
            )
        return number


BotOption = Option | DecimalOption
