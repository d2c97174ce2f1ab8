"""Options of games: names with a number or a word, and their texts in the tables of languages."""

from dataclasses import dataclass

from boxroom_engine.games.errors import OptionError
from boxroom_engine.phrases import Phrase, phrase, verbatim

OptionValue = int | str
"""The value of an option: a number or a word."""


@dataclass(frozen=True, slots=True)
class OptionKey:
    """The key of an option in the tables of sentences: `game.dots.rows`."""

    key: str

    @property
    def name(self) -> str:
        """The last part of the key, which people type in all languages."""
        return self.key.rpartition(".")[2]

    @property
    def help(self) -> Phrase:
        """The meaning in a few words."""
        return phrase(self.key)


@dataclass(frozen=True, slots=True)
class Option(OptionKey):
    """One option of a game.

    A number lies in `least..most`; a word is one of `choices`, if there are any.
    """

    default: OptionValue
    least: int = 0
    most: int = 1_000_000
    choices: tuple[str, ...] = ()

    @property
    def label(self) -> Phrase:
        """The name in the words of a language."""
        return phrase(f"{self.key}.label")

    def in_words(self, value: OptionValue) -> Phrase:
        """Return a value in the words of a language: a number, or one of the words to choose."""
        if value not in self.choices or str(value).isdigit():
            return verbatim(str(value))
        return phrase(f"{self.key}.{value}")

    def parse(self, value: OptionValue) -> OptionValue:
        """Return `value`, a number or its text, with the type of the option.

        Raises:
            OptionError: it isn't a number, is out of bounds, or isn't one of the choices.
        """
        if self.choices:
            if value in self.choices:
                return value
            raise OptionError(
                phrase(
                    "option.choices",
                    name=self.name,
                    names=", ".join(self.choices),
                    value=repr(value),
                )
            )
        if isinstance(self.default, str):
            return str(value)
        return self._parse_number(value)

    def _parse_number(self, value: OptionValue) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise OptionError(phrase("option.whole_number", name=self.name, least=self.least))
        number = int(text)
        if not self.least <= number <= self.most:
            raise OptionError(
                phrase(
                    "option.bounds", name=self.name, least=self.least, most=self.most, value=number
                )
            )
        return number
