"""The fields of a form: choices, numbers and texts, and how keys edit them.

A value is always text, right or wrong; the form's owner says what is wrong with it.
"""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from boxroom_client.text_width import first_grapheme, last_grapheme


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words: values with their labels."""

    choices: tuple[tuple[str, str], ...]

    def shown(self, value: str) -> str:
        """Return the label of `value`."""
        return dict(self.choices).get(value, value)

    def stepped(self, value: str, by: int) -> str:
        """Return the word so many further, cyclically."""
        values = [value for value, _ in self.choices]
        index = values.index(value) if value in values else -max(by, 0)
        return values[(index + by) % len(values)]

    def beginning(self, value: str, letter: str) -> str:
        """Return the next word after `value` whose label begins with `letter`, or `value`."""
        values = [value for value, _ in self.choices]
        index = values.index(value) if value in values else -1
        for other, shown in (*self.choices[index + 1 :], *self.choices[: index + 1]):
            if shown[:1].casefold() == letter.casefold():
                return other
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, `least` to `most`."""

    least: int
    most: int
    off: str = ""
    """A word that can stand there instead, below the least number; empty: none."""
    stops: tuple[int, ...] = ()
    """The numbers that steps lead to; empty: all."""
    can_be_range: bool = False
    """True if the value may also be two numbers, as in "2-6"; steps change the second."""

    @property
    def most_chars(self) -> int:
        """Length of the longest value."""
        return len(str(self.most)) * (2 if self.can_be_range else 1) + self.can_be_range

    def stepped(self, value: str, by: int) -> str:
        """Return the next greater or smaller number, or the word; `by` is 1 or -1."""
        first, hyphen, second = value.partition("-")
        if hyphen and self.can_be_range:
            return f"{first}-{self.stepped(second, by)}"
        number = self._number(value)
        if number is None:
            is_lowest = by < 0 and bool(self.off)
            return self.off if is_lowest else str(self.stops[0] if self.stops else self.least)
        if not self.stops:
            further = number + by
        elif by > 0:
            further = next((stop for stop in self.stops if stop > number), number)
        else:
            further = next((stop for stop in reversed(self.stops) if stop < number), 0)
        if self.off and further < self.least:
            return self.off
        return str(self._limited(further))

    def _number(self, value: str) -> int | None:
        is_number = value.isascii() and value.isdigit() and len(value) <= 9
        return int(value) if is_number else None

    def _limited(self, number: int) -> int:
        return max(self.least, min(number, self.most))


@dataclass(frozen=True, slots=True)
class Text:
    """Any text of at most `most_chars` characters."""

    most_chars: int = 100
    is_hidden: bool = False
    """Whether a mark is shown instead of each character, as for passwords."""

    def shown(self, value: str) -> str:
        """Return `value` as it is shown."""
        return "*" * len(value) if self.is_hidden else value


FieldKind = Choice | Number | Text


@dataclass(frozen=True, slots=True)
class Field:
    """A line of a form."""

    name: str
    """Key of its value."""
    label: str
    kind: FieldKind
    value: str
    help: str = ""
    mistake: str = ""
    """The mistake in the value; empty: none."""

    @property
    def shown(self) -> str:
        """The value as it is shown."""
        return self.value if isinstance(self.kind, Number) else self.kind.shown(self.value)


@dataclass(frozen=True, slots=True)
class EditBuffer:
    """The text of a field while it is edited, and its cursor."""

    value: str
    cursor: int
    is_new: bool = True
    """Whether it is unchanged: the first typed character replaces it."""

    @classmethod
    def into(cls, value: str) -> "EditBuffer":
        """Return a buffer with the cursor at the end of `value`."""
        return cls(value, len(value))

    def typed(self, key: str, kind: FieldKind) -> "EditBuffer":
        """Return it after `key`: a character, pasted text, or prompt_toolkit's name of a key."""
        match kind:
            case Choice():
                return self._chosen(key, kind)
            case Number():
                return self._counted(key, kind)
            case Text():
                return self._written(key, kind)
            case _:
                assert_never(kind)

    def _chosen(self, key: str, choice: Choice) -> "EditBuffer":
        if key in _STEPS or key == " ":
            return EditBuffer.into(choice.stepped(self.value, _STEPS.get(key, 1)))
        return EditBuffer.into(choice.beginning(self.value, key)) if len(key) == 1 else self

    def _counted(self, key: str, number: Number) -> "EditBuffer":
        if key in _STEPS:
            return EditBuffer.into(number.stepped(self.value, _STEPS[key]))
        if number.off and len(key) == 1 and key.casefold() == number.off[0]:
            return EditBuffer.into(number.off)
        if key in _NAMED_KEYS:
            return self._edited(key)
        allowed = f"{string.digits}-" if number.can_be_range else string.digits
        text = "".join(char for char in key if char in allowed)
        if not text:
            return self
        is_word = self.value == number.off
        return (EditBuffer("", 0) if is_word else self)._inserted(text, number.most_chars)

    def _written(self, key: str, text: Text) -> "EditBuffer":
        if key in _NAMED_KEYS:
            return self._edited(key)
        printable = "".join(char if char.isprintable() else " " for char in key)
        return self._inserted(printable, text.most_chars)

    def _inserted(self, text: str, most_chars: int) -> "EditBuffer":
        """Return it with `text` at the cursor, as much of it as fits."""
        before, after = ("", "") if self.is_new else self.halves
        text = text[: max(0, most_chars - len(before + after))]
        return EditBuffer(before + text + after, len(before + text), is_new=False)

    def _edited(self, key: str) -> "EditBuffer":
        before, after = self.halves
        match key:
            case "left":
                moved = last_grapheme(before)
                before, after = before.removesuffix(moved), moved + after
            case "right":
                moved = first_grapheme(after)
                before, after = before + moved, after.removeprefix(moved)
            case "home" | "c-a":
                before, after = "", before + after
            case "end" | "c-e":
                before, after = before + after, ""
            case "backspace":
                before = before.removesuffix(last_grapheme(before))
            case "delete":
                after = after.removeprefix(first_grapheme(after))
            case "c-u":
                before = ""
            case "c-k":
                after = ""
            case "c-w":
                before = "".join(before.rstrip().rpartition(" ")[:2])
            case _:
                raise NotImplementedError(key)
        return EditBuffer(before + after, len(before), is_new=False)

    @property
    def halves(self) -> tuple[str, str]:
        """The value before and behind the cursor."""
        return self.value[: self.cursor], self.value[self.cursor :]


_STEPS = {"left": -1, "right": 1}
_EDITING: Sequence[str] = ("home", "end", "backspace", "delete", "c-a", "c-e", "c-u", "c-k", "c-w")
_NAMED_KEYS = frozenset((*_STEPS, *_EDITING))

FIELD_KEYS = tuple(_NAMED_KEYS)
"""Names, in prompt_toolkit, of the keys that edit a field."""
