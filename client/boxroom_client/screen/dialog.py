"""The layout of dialogs (lists and forms): title, introduction, body, remark, and hints on keys.

The body comes first: a low terminal shows fewer lines of the introduction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.panes import bars
from boxroom_client.screen.text.rows import Row, wrapped
from boxroom_client.screen.themes.symbols import UNICODE, Symbols

Hint = tuple[str, str]
"""A key, and its effect in a word or two."""

_LEAST_BODY = 5
_LINES_FOR_REMARKS = 8
"""A remark has one line for so many of the terminal, so that the body never moves."""


@dataclass(frozen=True, slots=True)
class DialogLayout:
    """The parts of a dialog around its body."""

    title: str
    introduction: tuple[str, ...] = ()
    """Paragraphs."""
    banner: str = ""
    """An urgent notice; empty: none."""
    remark: str = ""
    """A remark about the current line of the body."""
    is_mistake: bool = False
    """Whether the remark is about a mistake."""
    hints: tuple[Hint, ...] = ()
    """The most important ones first."""
    symbols: Symbols = UNICODE

    def rows(
        self, columns: int, lines: int, body: Callable[[int, int], Sequence[Row]]
    ) -> list[Row]:
        """Return all rows of a terminal of that size, around `body` drawn for its own size."""
        if _is_too_small(columns, lines):
            return bars.too_small(columns, lines)
        place = self.body_place(columns, lines)
        head = [*self._fixed_head(columns), *self._words(columns)][: place.start]
        drawn = [*body(columns, len(place))][: len(place)]
        drawn += [[] for _ in range(len(place) - len(drawn))]
        foot = self._foot(columns, lines)
        return [self.symbols.fitted(row, columns) for row in (*head, *drawn, *foot)]

    def body_place(self, columns: int, lines: int) -> range:
        """Return the lines of the body in a terminal of that size; none if it is too small."""
        if _is_too_small(columns, lines):
            return range(0)
        top = len(self._fixed_head(columns))
        bottom = lines - len(self._foot(columns, lines))
        words = len(self._words(columns))
        return range(min(top + words, max(top, bottom - _LEAST_BODY)), bottom)

    def _fixed_head(self, columns: int) -> list[Row]:
        title: Row = [("class:title", f" {self.symbols.text(self.title)}")]
        head = [
            self.symbols.fitted(title, columns, "class:title"),
            *bars.rule(columns, 1, symbols=self.symbols),
        ]
        return [*head, *bars.block(self.banner, columns, 2, "class:banner", self.symbols)]

    def _words(self, columns: int) -> list[Row]:
        """Return the introduction with an empty line."""
        rows: list[Row] = [
            [("", f" {line}")]
            for text in self.introduction
            for line in wrapped(self.symbols.text(text), columns - 2)
        ]
        return [*rows, []]

    def _foot(self, columns: int, lines: int) -> list[Row]:
        most = max(2, lines // _LINES_FOR_REMARKS)
        style = "class:log.mistake" if self.is_mistake else "class:log.notice"
        remark = [*bars.block(self.remark, columns, most, style, self.symbols)]
        empty: list[Row] = [[] for _ in range(most - len(remark))]
        return [*empty, *remark, bars.footer(self.hints, columns, symbols=self.symbols)]


def _is_too_small(columns: int, lines: int) -> bool:
    return columns < LEAST_COLUMNS or lines < LEAST_LINES


def visible_range(count: int, current: int, most: int) -> range:
    """Return the indices of the at most `most` visible items of `count`, around `current`."""
    shown = min(count, most)
    first = max(0, min(current - shown // 2, count - shown))
    return range(first, first + shown)
