"""Menus: lists to choose from, which may change while they are shown, with a current item.

Pure values; `chooser` shows them and handles the keys. The current item stays the same when the
list changes, wherever it moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from boxroom_client.screen.dialog import DialogLayout, Hint, visible_range
from boxroom_client.screen.keys.labels import arrows
from boxroom_client.screen.text.rows import Row
from boxroom_client.screen.text.tables import GAP, column_widths
from boxroom_client.screen.themes.symbols import UNICODE, Symbols
from boxroom_common.phrases import say

T = TypeVar("T")

_MOST_NUMBERED = 9
"""With more items, a digit could be the first of two."""


@dataclass(frozen=True, slots=True)
class Item(Generic[T]):
    """A line of the list."""

    key: str
    """Identifies the item when the list has changed."""
    columns: tuple[str, ...]
    value: T
    """The result if it is chosen."""
    remark: str = ""
    """Shown while it is the current item."""
    obstacle: str = ""
    """Reason why it can't be chosen; empty if it can."""
    is_fallback: bool = False
    """Whether it is current only until other items come, unless the person moved to it."""


@dataclass(frozen=True, slots=True)
class Menu(Generic[T]):
    """The items to choose from, and the texts around them."""

    title: str
    items: tuple[Item[T], ...] = ()
    headings: tuple[str, ...] = ()
    """Above the columns of the items."""
    introduction: tuple[str, ...] = ()
    banner: str = ""
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooserState(Generic[T]):
    """A menu with its current item, at first the first one."""

    menu: Menu[T]
    index: int = 0
    """Below the number of items, or 0 if there are none."""
    has_moved: bool = False
    symbols: Symbols = UNICODE

    @property
    def current(self) -> Item[T] | None:
        """The item that Enter chooses; None if there are none."""
        return self.menu.items[self.index] if self.menu.items else None

    def showing(self, menu: Menu[T]) -> "ChooserState[T]":
        """Return it with another menu, on the same item.

        If that is gone it stays, with an obstacle, until the person moves: what Enter chooses
        never changes by itself.
        """
        current = self.current
        keys = [item.key for item in menu.items]
        if current is None or (current.is_fallback and not self.has_moved):
            return replace(self, menu=menu, index=0)
        if current.key in keys:
            return replace(self, menu=menu, index=keys.index(current.key))
        gone = replace(current, obstacle=current.obstacle or say("terminal.lobby.gone"))
        items = (*menu.items[: self.index], gone, *menu.items[self.index :])
        return replace(self, menu=replace(menu, items=items), index=items.index(gone))

    def moved_to(self, index: int) -> "ChooserState[T]":
        """Return it on the item with that index, or on the nearest one."""
        last = len(self.menu.items) - 1
        return replace(self, index=max(0, min(index, last)), has_moved=True)

    def moved(self, by: int) -> "ChooserState[T]":
        """Return it so many items further down."""
        return self.moved_to(self.index + by)

    # Drawing

    def rows(self, columns: int, lines: int) -> list[Row]:
        """Return all rows of a terminal of that size."""
        return self._layout().rows(columns, lines, self._body)

    def visible(self, columns: int, lines: int) -> range:
        """Return the indices of the visible items in a terminal of that size."""
        place = self._layout().body_place(columns, lines)
        return self._window(len(place))

    def index_at(self, y: int, columns: int, lines: int) -> int | None:
        """Return the index of the item on that line of a terminal of that size, if any."""
        place = self._layout().body_place(columns, lines)
        seen = self._window(len(place))
        number = y - place.start - self._heading_lines()
        return seen[number] if 0 <= number < len(seen) else None

    def _layout(self) -> DialogLayout:
        menu, current = self.menu, self.current
        obstacle = current.obstacle if current is not None else ""
        remark = current.remark if current is not None else ""
        return DialogLayout(
            menu.title,
            menu.introduction,
            menu.banner,
            obstacle or remark,
            bool(obstacle),
            (*menu.hints, *self._move_hints()),
            self.symbols,
        )

    def _move_hints(self) -> Sequence[Hint]:
        between = (arrows(ascii_only=self.symbols.ascii_only), say("terminal.dialog.move"))
        return [between] if len(self.menu.items) > 1 else []

    def _heading_lines(self) -> int:
        return 1 if self.menu.headings and self.menu.items else 0

    def _window(self, lines: int) -> range:
        count, place = len(self.menu.items), lines - self._heading_lines()
        if count > place:
            place -= 1  # for the line with the count
        return visible_range(count, self.index, max(0, place))

    def _body(self, columns: int, lines: int) -> list[Row]:
        rows = self._table(columns, self._window(lines))
        count = len(self.menu.items)
        if len(self._window(lines)) < count:
            rows.append(
                [
                    (
                        "class:rule",
                        f"    {say('terminal.replay.at', number=self.index + 1, last=count)}",
                    )
                ]
            )
        return rows

    def _table(self, columns: int, seen: range) -> list[Row]:
        """Return the headings and the items that are `seen`."""
        head = [self.menu.headings] if self._heading_lines() else []
        texts = [
            tuple(self.symbols.text(text) for text in line)
            for line in (*head, *(item.columns for item in self.menu.items))
        ]
        margin = 5 if self._is_numbered else 3
        widths = column_widths(texts, columns - margin)

        def cells(line: Sequence[str], style: str) -> Row:
            row: Row = []
            for text, width in zip(line, widths, strict=False):
                gap = " " * GAP if row else ""
                row += [(style, gap), *self.symbols.fitted([(style, text)], width, style)]
            return row

        rows = [[("", " " * margin), *cells(line, "class:rule")] for line in texts[: len(head)]]
        for index in seen:
            is_current = index == self.index
            style = "class:list.current" if is_current else "class:list"
            mark = f" {self.symbols.turn if is_current else ' '} {self._number(index)}"
            line = texts[len(head) + index]
            rows.append(self.symbols.fitted([(style, mark), *cells(line, style)], columns, style))
        return rows

    @property
    def _is_numbered(self) -> bool:
        return len(self.menu.items) <= _MOST_NUMBERED

    def _number(self, index: int) -> str:
        """Return the digit that chooses the item, and a gap; a dash if it can't be chosen."""
        if not self._is_numbered:
            return ""
        return "- " if self.menu.items[index].obstacle else f"{index + 1} "

    def index_of_digit(self, digit: int) -> int | None:
        """Return the index of the item that `digit`, from 1, chooses."""
        is_there = self._is_numbered and 1 <= digit <= len(self.menu.items)
        return digit - 1 if is_there else None
