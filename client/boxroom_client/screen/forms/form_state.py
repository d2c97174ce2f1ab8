"""A form to be filled in: fields one below the other, and where among them somebody is.

A pure value; `filling` shows it and takes the keys. Which fields there are may depend on what
stands in others, but only in those above.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from boxroom_client.screen.forms.fields import Field, Text, Typing, Words
from boxroom_client.screen.sheet import Hint, Sheet, window
from boxroom_client.screen.text.styled import Row, clipped_text, text_width
from boxroom_client.screen.themes.signs import Signs, signs
from boxroom_client.shell.output.wording import sentence

Values = Mapping[str, str]
"""What was entered, by the names of fields; a field that nobody changed needn't be there."""

Ask = Callable[[Values], tuple[Field, ...]]
"""The fields, at least one, with what stands in them and what is wrong with it."""

MOVES = ("up", "down", "tab", "s-tab", "pageup", "pagedown")
"""The keys, as prompt_toolkit calls them, that lead to other fields."""
_EDGE = 3
"""Cells before a label: the mark of the current line, and that of a mistake."""
_LEFT, _RIGHT = " < ", " > "
_BLANK = " " * len(_LEFT), " " * len(_RIGHT)
_MOST_TEXT = 40
"""Cells that a text is given at most; a longer one moves along."""
_LEAST_NOTE = 16
"""Cells in which a few words about a field are of use."""


@dataclass(frozen=True, slots=True)
class FormState:
    """A form, and where in it somebody is."""

    title: str
    ask: Ask
    done: str
    """What Enter does: "starts"."""
    introduction: tuple[str, ...] = ()
    values: Values = field(default_factory=dict)
    index: int = 0
    typing: Typing | None = None
    """In the current field; None until something is done to it."""
    was_tried: bool = False
    """Whether Enter was refused, and nothing changed since."""
    ascii_only: bool = False

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields as they are now."""
        return self.ask(self.values)

    @property
    def current(self) -> Field:
        """The field that keys go to."""
        return self.fields[self.index]

    @property
    def is_right(self) -> bool:
        """Whether there is no mistake."""
        return not any(each.mistake for each in self.fields)

    def typed(self, key: str) -> "FormState":
        """After `key`: a character, a text that is pasted, or a key as prompt_toolkit calls it."""
        match key:
            case "up":
                return self.moved_to(self.index - 1)
            case "down":
                return self.moved_to(self.index + 1)
            case "tab":
                return self.moved_to((self.index + 1) % len(self.fields))
            case "s-tab":
                return self.moved_to((self.index - 1) % len(self.fields))
            case "pageup":
                return self.moved_to(0)
            case "pagedown":
                return self.moved_to(len(self.fields) - 1)
            case _:
                current = self.current
                typing = (self.typing or Typing.into(current.value)).typed(key, current.kind)
                values = {**self.values, current.name: typing.value}
                return replace(self, values=values, typing=typing, was_tried=False)

    def moved_to(self, index: int) -> "FormState":
        """In the field with that index, or in the one at that end."""
        last = len(self.fields) - 1
        return replace(self, index=max(0, min(index, last)), typing=None)

    def refused(self) -> "FormState":
        """After Enter where there is a mistake: in the first field that has one."""
        index, wrong = next(pair for pair in enumerate(self.fields) if pair[1].mistake)
        # A text is put right rather than typed anew.
        typing = replace(Typing.into(wrong.value), is_new=not isinstance(wrong.kind, Text))
        return replace(self, index=index, typing=typing, was_tried=True)

    # What is seen

    def rows(self, columns: int, lines: int) -> list[Row]:
        """All of a terminal of that size."""
        return self._sheet(columns).rows(columns, lines, self._body)

    def seen(self, columns: int, lines: int) -> range:
        """Which fields are seen in a terminal of that size."""
        return self._window(len(self._sheet(columns).body_place(columns, lines)))

    def index_at(self, y: int, columns: int, lines: int) -> int | None:
        """Which field is on that line of a terminal of that size."""
        number = y - self._sheet(columns).body_place(columns, lines).start
        seen = self.seen(columns, lines)
        return seen[number] if 0 <= number < len(seen) else None

    def cursor_at(self, columns: int, lines: int) -> tuple[int, int] | None:
        """Where one types: the character in its row, and the row; None where one doesn't."""
        seen, current = self.seen(columns, lines), self.current
        if isinstance(current.kind, Words) or not seen:
            return None
        typing = self.typing or Typing.into(current.value)
        widths = self._widths(columns)
        before, _ = _around(typing, widths.value, signs(ascii_only=self.ascii_only))
        x = len(self._label(self.index, widths.label)) + len(_LEFT) + len(before)
        return x, self._sheet(columns).body_place(columns, lines).start + self.index - seen.start

    def _window(self, lines: int) -> range:
        return window(len(self.fields), self.index, lines)

    def _sheet(self, columns: int) -> Sheet:
        remark, is_mistake = self._remark(columns)
        return Sheet(
            self.title,
            self.introduction,
            remark=remark,
            is_mistake=is_mistake,
            hints=tuple(self._hints()),
            ascii_only=self.ascii_only,
        )

    def _remark(self, columns: int) -> tuple[str, bool]:
        """What is wrong or else what the field means, if that can't be read at the field."""
        sign, widths = signs(ascii_only=self.ascii_only), self._widths(columns)
        for each in (self.current, *self.fields):
            if self._is_told(each):
                is_read = text_width(sign.text(each.mistake)) <= widths.note
                where = "" if each.name == self.current.name else f"{each.label.strip()}: "
                told = sentence(each.mistake, capital=not where)
                return ("" if is_read else where + told), True
        is_read = text_width(sign.text(self.current.help)) <= widths.note
        return ("" if is_read else sentence(self.current.help)), False

    def _is_told(self, each: Field) -> bool:
        """Whether the mistake in a field is shown: not before a word is finished."""
        is_unfinished = isinstance(each.kind, Text) and each.name == self.current.name
        return bool(each.mistake) and (self.was_tried or not is_unfinished)

    def _hints(self) -> Sequence[Hint]:
        arrows = "Left/Right" if self.ascii_only else "←→"
        between = "Up/Down" if self.ascii_only else "↑↓"
        steps = [] if isinstance(self.current.kind, Text) else [(arrows, "change")]
        moves = [(between, "move")] if len(self.fields) > 1 else []
        return [("Enter", self.done), ("Esc", "leaves"), *moves, *steps]

    def _body(self, columns: int, lines: int) -> list[Row]:
        widths = self._widths(columns)
        return [self._row(index, widths) for index in self._window(lines)]

    def _row(self, index: int, widths: "_Widths") -> Row:
        each, sign = self.fields[index], signs(ascii_only=self.ascii_only)
        is_current = index == self.index
        style = "class:list.current" if is_current else "class:list"
        row: Row = [
            (style, self._label(index, widths.label)),
            *self._value(each, widths, is_current),
        ]
        if not widths.note:
            return row
        if self._is_told(each):
            return [*row, ("class:log.mistake", sign.text(each.mistake))]
        return [*row, ("class:suggestion", sign.text(each.help))]

    def _label(self, index: int, columns: int) -> str:
        """What stands before a value, with the marks of the current line and of mistakes."""
        each, sign = self.fields[index], signs(ascii_only=self.ascii_only)
        here = sign.turn if index == self.index else " "
        wrong = "!" if self._is_told(each) else " "
        label = clipped_text(sign.text(each.label), columns, sign.more)
        return f" {here}{wrong}{label}{' ' * (columns - text_width(label))}"

    def _value(self, each: Field, widths: "_Widths", is_current: bool) -> Row:
        """What stands in a field; what Left and Right change is between arrows."""
        sign = signs(ascii_only=self.ascii_only)
        if is_current and not isinstance(each.kind, Words):
            shown = "".join(_around(self.typing or Typing.into(each.value), widths.value, sign))
        else:
            shown = clipped_text(sign.text(each.shown), widths.value, sign.more)
        gap = " " * (widths.value - text_width(shown))
        left, right = (_LEFT, _RIGHT) if is_current and not isinstance(each.kind, Text) else _BLANK
        style = "class:input" if is_current else "class:list"
        return [("class:key", left), (style, shown), ("class:key", right + gap + " ")]

    def _widths(self, columns: int) -> "_Widths":
        sign, fields = signs(ascii_only=self.ascii_only), self.fields
        label = min(max(text_width(sign.text(each.label)) for each in fields), columns // 3)
        place = columns - _EDGE - label - len(_LEFT) - len(_RIGHT) - 1
        value = max(_wanted(each, sign) for each in fields)
        note = place - value
        return _Widths(label, min(value, place), note if note >= _LEAST_NOTE else 0)


@dataclass(frozen=True, slots=True)
class _Widths:
    """Cells of the parts of a line."""

    label: int
    value: int
    note: int
    """For a few words behind the value; 0 if there is no place for any."""


def _wanted(each: Field, sign: Signs) -> int:
    """The cells that a value needs, and may come to need while it is typed."""
    if isinstance(each.kind, Text):
        return min(each.kind.most_chars, _MOST_TEXT) + 1
    return text_width(sign.text(each.shown)) + 1


def _around(typing: Typing, columns: int, sign: Signs) -> tuple[str, str]:
    """What is seen of a value before and behind the cursor, which is always seen."""
    before, after = (sign.text(half) for half in typing.halves)
    while text_width(before) >= columns:
        before = before[1:]
    return before, clipped_text(after, columns - text_width(before), "")
