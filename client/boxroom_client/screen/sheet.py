"""What the screens before a game have in common: a title, some words, a body, a remark, hints.

The body comes first: in a low terminal the introduction gives way to it, line by line.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.panes import edges
from boxroom_client.screen.text.styled import Row, wrapped
from boxroom_client.screen.themes.signs import Signs, signs

Hint = tuple[str, str]
"""A key, and what it does in a word or two."""

_LEAST_BODY = 5
_LINES_FOR_REMARKS = 8
"""For so many lines of the terminal a remark gets one, so that the body stays where it is."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything but the body."""

    title: str
    introduction: tuple[str, ...] = ()
    """Each begins a line."""
    banner: str = ""
    """What must not be overlooked; empty: nothing."""
    remark: str = ""
    """What there is to say about the place in the body where the person is."""
    is_mistake: bool = False
    """Whether the remark says what is wrong."""
    hints: tuple[Hint, ...] = ()
    """Those that are most needed first."""
    ascii_only: bool = False

    def rows(
        self, columns: int, lines: int, body: Callable[[int, int], Sequence[Row]]
    ) -> list[Row]:
        """All rows of a terminal of that size, around `body` for the size that it gets."""
        if _is_too_small(columns, lines):
            return edges.too_small(columns, lines)
        sign = signs(ascii_only=self.ascii_only)
        place = self.body_place(columns, lines)
        head = [*self._fixed_head(columns), *self._words(columns)][: place.start]
        drawn = [*body(columns, len(place))][: len(place)]
        drawn += [[] for _ in range(len(place) - len(drawn))]
        foot = self._foot(columns, lines)
        return [sign.fitted(row, columns) for row in (*head, *drawn, *foot)]

    def body_place(self, columns: int, lines: int) -> range:
        """The lines of a terminal of that size that the body is on; none if it is too small."""
        if _is_too_small(columns, lines):
            return range(0)
        top = len(self._fixed_head(columns))
        bottom = lines - len(self._foot(columns, lines))
        words = len(self._words(columns))
        return range(min(top + words, max(top, bottom - _LEAST_BODY)), bottom)

    def _fixed_head(self, columns: int) -> list[Row]:
        sign = signs(ascii_only=self.ascii_only)
        title: Row = [("class:title", f" {sign.text(self.title)}")]
        head = [
            sign.fitted(title, columns, "class:title"),
            *edges.rule(columns, 1, ascii_only=self.ascii_only),
        ]
        return [*head, *_block(self.banner, columns, 2, "class:banner", sign)]

    def _words(self, columns: int) -> list[Row]:
        """The introduction, with a line to breathe after it."""
        sign = signs(ascii_only=self.ascii_only)
        rows: list[Row] = [
            [("", f" {line}")]
            for text in self.introduction
            for line in wrapped(sign.text(text), columns - 2)
        ]
        return [*rows, []]

    def _foot(self, columns: int, lines: int) -> list[Row]:
        sign = signs(ascii_only=self.ascii_only)
        most = max(2, lines // _LINES_FOR_REMARKS)
        style = "class:log.mistake" if self.is_mistake else "class:log.notice"
        remark = [*_block(self.remark, columns, most, style, sign)]
        empty: list[Row] = [[] for _ in range(most - len(remark))]
        return [*empty, *remark, edges.footer(self.hints, columns, ascii_only=self.ascii_only)]


def _is_too_small(columns: int, lines: int) -> bool:
    return columns < LEAST_COLUMNS or lines < LEAST_LINES


def _block(text: str, columns: int, most: int, style: str, sign: Signs) -> Iterator[Row]:
    """`text` in at most so many rows; what is left over is cut from the last one."""
    if not text:
        return
    first, *rest = wrapped(sign.text(text), columns - 2)
    for line in (first, *rest)[: most - 1]:
        yield sign.fitted([(style, f" {line}")], columns, style)
    if len(rest) >= most - 1:
        last = " ".join((first, *rest)[most - 1 :])
        yield sign.fitted([(style, f" {last}")], columns, style)


def window(count: int, current: int, most: int) -> range:
    """Which of `count` things are seen where there is place for `most`: `current` is."""
    shown = min(count, most)
    first = max(0, min(current - shown // 2, count - shown))
    return range(first, first + shown)
