"""The state of a form: fields one below the other, their values, and the current field.

A pure value; `form_screen` shows it and handles the keys. The set of fields may depend on
values, but only on those of fields above.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from boxroom_client.screen.dialog import DialogLayout, Hint, visible_range
from boxroom_client.screen.forms.fields import Choice, EditBuffer, Field, Text
from boxroom_client.screen.keys.labels import arrows
from boxroom_client.screen.text.rows import Row, clipped_text
from boxroom_client.screen.themes.symbols import UNICODE, Symbols
from boxroom_client.shell.output.wording import sentence
from boxroom_client.text_width import first_grapheme, text_width
from boxroom_common.phrases import say

Values = Mapping[str, str]
"""The entered values by the names of fields; an unchanged field may be missing."""

MakeFields = Callable[[Values], tuple[Field, ...]]
"""Makes the fields, at least one, with their values and mistakes."""

MOVES = ("up", "down", "tab", "s-tab", "pageup", "pagedown")
"""Names, in prompt_toolkit, of the keys that lead to other fields."""
_MARGIN = 3
"""Cells before a label: for the marks of the current line and of a mistake."""
_LEFT, _RIGHT = " < ", " > "
_BLANK = " " * len(_LEFT), " " * len(_RIGHT)
_MOST_TEXT = 40
"""Most cells of a text; a longer one is scrolled."""
_LEAST_NOTE = 16
"""Least cells for a useful note about a field."""


@dataclass(frozen=True, slots=True)
class FormState:
    """A form and its current field."""

    title: str
    make_fields: MakeFields
    done: str
    """The effect of Enter: "starts"."""
    introduction: tuple[str, ...] = ()
    values: Values = field(default_factory=dict)
    index: int = 0
    typing: EditBuffer | None = None
    """Text and cursor of the current field; None until it is edited."""
    was_tried: bool = False
    """Whether Enter was refused, and nothing has changed since."""
    symbols: Symbols = UNICODE

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields as they are now."""
        return self.make_fields(self.values)

    @property
    def current(self) -> Field:
        """The field that keys edit."""
        return self.fields[self.index]

    @property
    def is_valid(self) -> bool:
        """Whether there is no mistake."""
        return not any(each.mistake for each in self.fields)

    def typed(self, key: str) -> "FormState":
        """Return it after `key`: a character, pasted text, or prompt_toolkit's name of a key."""
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
                typing = (self.typing or EditBuffer.into(current.value)).typed(key, current.kind)
                values = {**self.values, current.name: typing.value}
                return replace(self, values=values, typing=typing, was_tried=False)

    def moved_to(self, index: int) -> "FormState":
        """Return it in the field with that index, or in the nearest one."""
        last = len(self.fields) - 1
        return replace(self, index=max(0, min(index, last)), typing=None)

    def refused(self) -> "FormState":
        """Return it after a refused Enter, in the first field with a mistake."""
        index, wrong = next(pair for pair in enumerate(self.fields) if pair[1].mistake)
        # A text is corrected rather than typed anew.
        typing = replace(EditBuffer.into(wrong.value), is_new=not isinstance(wrong.kind, Text))
        return replace(self, index=index, typing=typing, was_tried=True)

    # Drawing

    def rows(self, columns: int, lines: int) -> list[Row]:
        """Return all rows of a terminal of that size."""
        return self._layout(columns).rows(columns, lines, self._body)

    def visible(self, columns: int, lines: int) -> range:
        """Return the indices of the visible fields in a terminal of that size."""
        return self._window(len(self._layout(columns).body_place(columns, lines)))

    def index_at(self, y: int, columns: int, lines: int) -> int | None:
        """Return the index of the field on that line of a terminal of that size, if any."""
        number = y - self._layout(columns).body_place(columns, lines).start
        seen = self.visible(columns, lines)
        return seen[number] if 0 <= number < len(seen) else None

    def cursor_at(self, columns: int, lines: int) -> tuple[int, int] | None:
        """Return the cursor as the character in its row, and the row; None if there is none."""
        seen, current = self.visible(columns, lines), self.current
        if isinstance(current.kind, Choice) or not seen:
            return None
        widths = self._widths(columns)
        before, _ = _around(self._shown_typing, widths.value, self.symbols)
        x = len(self._label(self.index, widths.label)) + len(_LEFT) + len(before)
        return x, self._layout(columns).body_place(columns, lines).start + self.index - seen.start

    @property
    def _shown_typing(self) -> EditBuffer:
        """Text and cursor of the current field, as they are shown."""
        typing, kind = self.typing or EditBuffer.into(self.current.value), self.current.kind
        return replace(typing, value=kind.shown(typing.value)) if isinstance(kind, Text) else typing

    def _window(self, lines: int) -> range:
        return visible_range(len(self.fields), self.index, lines)

    def _layout(self, columns: int) -> DialogLayout:
        remark, is_mistake = self._remark(columns)
        return DialogLayout(
            self.title,
            self.introduction,
            remark=remark,
            is_mistake=is_mistake,
            hints=tuple(self._hints()),
            symbols=self.symbols,
        )

    def _remark(self, columns: int) -> tuple[str, bool]:
        """Return the first mistake, or else the help of the field, unless its note shows that."""
        symbols, widths = self.symbols, self._widths(columns)
        for each in (self.current, *self.fields):
            if self._is_mistake_shown(each):
                is_read = text_width(symbols.text(each.mistake)) <= widths.note
                where = "" if each.name == self.current.name else f"{each.label.strip()}: "
                text = sentence(each.mistake, capital=not where)
                return ("" if is_read else where + text), True
        is_read = text_width(symbols.text(self.current.help)) <= widths.note
        return ("" if is_read else sentence(self.current.help)), False

    def _is_mistake_shown(self, each: Field) -> bool:
        """Whether the mistake in a field is shown: not while its text is being typed."""
        is_unfinished = isinstance(each.kind, Text) and each.name == self.current.name
        return bool(each.mistake) and (self.was_tried or not is_unfinished)

    def _hints(self) -> Sequence[Hint]:
        ascii_only = self.symbols.ascii_only
        change = (arrows(ascii_only=ascii_only, across=True), say("terminal.dialog.change"))
        steps = [] if isinstance(self.current.kind, Text) else [change]
        between = (arrows(ascii_only=ascii_only), say("terminal.dialog.move"))
        moves = [between] if len(self.fields) > 1 else []
        return [("Enter", self.done), ("Esc", say("terminal.dialog.leaves")), *moves, *steps]

    def _body(self, columns: int, lines: int) -> list[Row]:
        widths = self._widths(columns)
        return [self._row(index, widths) for index in self._window(lines)]

    def _row(self, index: int, widths: "_Widths") -> Row:
        each, symbols = self.fields[index], self.symbols
        is_current = index == self.index
        style = "class:list.current" if is_current else "class:list"
        row: Row = [
            (style, self._label(index, widths.label)),
            *self._value(each, widths, is_current),
        ]
        if not widths.note:
            return row
        if self._is_mistake_shown(each):
            return [*row, ("class:log.mistake", symbols.text(each.mistake))]
        return [*row, ("class:suggestion", symbols.text(each.help))]

    def _label(self, index: int, columns: int) -> str:
        """Return the label with the marks of the current line and of a mistake."""
        each, symbols = self.fields[index], self.symbols
        here = symbols.turn if index == self.index else " "
        wrong = "!" if self._is_mistake_shown(each) else " "
        label = clipped_text(symbols.text(each.label), columns, symbols.more)
        return f" {here}{wrong}{label}{' ' * (columns - text_width(label))}"

    def _value(self, each: Field, widths: "_Widths", is_current: bool) -> Row:
        """Return the value of a field, between arrows if Left and Right change it."""
        if is_current and not isinstance(each.kind, Choice):
            shown = "".join(_around(self._shown_typing, widths.value, self.symbols))
        else:
            shown = clipped_text(self.symbols.text(each.shown), widths.value, self.symbols.more)
        gap = " " * (widths.value - text_width(shown))
        left, right = (_LEFT, _RIGHT) if is_current and not isinstance(each.kind, Text) else _BLANK
        style = "class:input" if is_current else "class:list"
        return [("class:key", left), (style, shown), ("class:key", right + gap + " ")]

    def _widths(self, columns: int) -> "_Widths":
        symbols, fields = self.symbols, self.fields
        label = min(max(text_width(symbols.text(each.label)) for each in fields), columns // 3)
        place = columns - _MARGIN - label - len(_LEFT) - len(_RIGHT) - 1
        value = max(_wanted(each, symbols) for each in fields)
        note = place - value
        return _Widths(label, min(value, place), note if note >= _LEAST_NOTE else 0)


@dataclass(frozen=True, slots=True)
class _Widths:
    """Cells of the parts of a line."""

    label: int
    value: int
    note: int
    """For a note behind the value; 0 if it doesn't fit."""


def _wanted(each: Field, symbols: Symbols) -> int:
    """Return the cells that a value needs, also while it is typed."""
    if isinstance(each.kind, Text):
        return min(each.kind.most_chars, _MOST_TEXT) + 1
    return text_width(symbols.text(each.shown)) + 1


def _around(typing: EditBuffer, columns: int, symbols: Symbols) -> tuple[str, str]:
    """Return the visible text before and behind the cursor, which is always visible."""
    before, after = (symbols.text(half) for half in typing.halves)
    while text_width(before) >= columns:
        before = before.removeprefix(first_grapheme(before))
    return before, clipped_text(after, columns - text_width(before), "")
