"""The log pane: entries for chat, events and answers, wrapped to its size, with scrolling."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from boxroom_client.screen.keys.labels import label_on_keyboard
from boxroom_client.screen.text.rows import Fragment, Row, row_width, wrapped
from boxroom_client.screen.text.tables import wrapped_table_line
from boxroom_client.screen.themes.symbols import UNICODE, Symbols, seat_style
from boxroom_client.shell.output.report import ReportKind, ReportLine
from boxroom_client.text_width import text_width
from boxroom_common.phrases import say
from boxroom_engine.games.marks import Mark

_MOST_REACTIONS = 60
"""Characters of reactions in one line; then it begins anew."""

_MOST_ENTRIES = 5000
"""Older entries are dropped."""
_INDENT = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log, before it is wrapped.

    `mark` is that of the player who acted or spoke. In a `verbatim` text, such as a line of
    a table, all spaces are kept.
    """

    kind: ReportKind
    text: str
    mark: Mark | None = None
    verbatim: bool = False

    def rows(self, columns: int, *, symbols: Symbols) -> list[Row]:
        """Return the entry in at most `columns` cells; all rows but the first are indented."""
        text = symbols.text(self.text)
        style = f"class:log.{self.kind.value}"
        mark = self._mark_row(symbols=symbols)
        width = row_width(mark)
        broken = wrapped_table_line if self.verbatim else wrapped
        first, *rest = broken(text, columns - width, 0 if mark else _INDENT)
        return [
            [*mark, *self._with_name(style, first)],
            *([(style, " " * width + line)] for line in rest),
        ]

    @property
    def _is_chat(self) -> bool:
        return self.kind in {ReportKind.CHAT, ReportKind.MINE, ReportKind.ASIDE, ReportKind.PRIVATE}

    def _mark_row(self, *, symbols: Symbols) -> Row:
        if self.mark is None or self._is_chat:
            return []
        return [(seat_style(self.mark.number), f"{self.mark.text(ascii_only=symbols.ascii_only)} ")]

    def _with_name(self, style: str, line: str) -> Row:
        """Return the first row; in chat, with the author's name in its own style."""
        name, colon, said = line.partition(": ")  # names have no colons
        if not self._is_chat or not colon or name.startswith("* "):  # what somebody does
            return [(style, line)]
        colour = "" if self.mark is None else f" {seat_style(self.mark.number)}"
        return [(f"class:log.name{colour}", name), (style, f": {said}")]


class _EntryRow(NamedTuple):
    """The index of an entry, and of one of the rows that it takes."""

    entry: int
    line: int


class _Size(NamedTuple):
    columns: int
    lines: int
    symbols: Symbols


_Line = tuple[_EntryRow, Row]


class Journal:
    """The entries, newest last, and the position to which they are scrolled.

    The last visible row stays the same when entries are added, unless it is the newest one.
    """

    def __init__(self, most: int = _MOST_ENTRIES) -> None:
        """Keep the newest `most` entries."""
        self.shows_coming = True
        """Whether entries of `ReportKind.COMING` are shown."""
        self._most = most
        self._entries: list[Entry] = []  # the oldest first
        self._bottom: _EntryRow | None = None  # the last visible row; None: the newest
        self._size = _Size(80, 24, UNICODE)  # of the pane when it was last drawn

    def add(
        self, kind: ReportKind, text: str, mark: Mark | None = None, *, verbatim: bool = False
    ) -> None:
        """Add an entry, and drop the oldest if there are too many."""
        self._entries.append(Entry(kind, text, mark, verbatim))
        if len(self._entries) <= self._most:
            return
        del self._entries[0]
        if self._bottom is not None:
            entry, line = self._bottom
            self._bottom = _EntryRow(entry - 1, line) if entry else _EntryRow(0, 0)

    def clear(self) -> None:
        """Drop all entries."""
        self._entries.clear()
        self._bottom = None

    def add_line(self, line: ReportLine) -> None:
        """Add `line` as an entry; one that begins with a space belongs to a table.

        Reactions that follow each other share an entry, as they mustn't scroll the chat away.
        """
        if line.kind is ReportKind.REACTION and self._entries:
            last = self._entries[-1]
            if last.kind is line.kind:
                together = f"{last.text} · {line.text}"
                text = together if len(together) <= _MOST_REACTIONS else line.text
                self._entries[-1] = Entry(line.kind, text, None, verbatim=False)
                return
        self.add(line.kind, line.text, line.mark, verbatim=line.text.startswith(" "))

    @property
    def is_at_end(self) -> bool:
        """Whether the newest entry is visible, and new ones will be."""
        return self._bottom is None

    def to_end(self) -> None:
        """Scroll to the newest entry, and follow new ones."""
        self._bottom = None

    def turn_page(self, back: int) -> None:
        """Scroll back by `back` pages, or forward if negative; one line of each is in the next.

        A page is what was last drawn, which is less than the pane has beside the curve of a
        review.
        """
        self.scroll(back * max(1, self._size.lines - 1))

    def scroll(self, by_lines: int) -> None:
        """Scroll back by `by_lines`, or forward if negative, at the size last drawn."""
        window = self._window()
        if not window:
            return
        bottom, _ = window[-1]
        if by_lines > 0:
            lines = list(islice(self._upwards(bottom), by_lines + self._size.lines))
            back = min(by_lines, len(lines) - self._size.lines)
            if back > 0:
                self._bottom = lines[back][0]
        elif by_lines < 0:
            lines = list(islice(self._downwards(bottom), 1 - by_lines))
            self._bottom = lines[-2][0] if len(lines) > -by_lines else None

    def rows(self, columns: int, lines: int, *, symbols: Symbols = UNICODE) -> list[Row]:
        """Return `lines` rows of `columns` cells, the newest at the bottom.

        The numbers of entries above and below are at the right end of the first and the last
        row.
        """
        self._size = _Size(columns, lines, symbols)
        window = self._window()
        rows = [symbols.fitted(row, columns) for _, row in window]
        for at, more in self._more(window, symbols):
            rows[at] = _with_more(window[at][1], more, columns, symbols)
        return [*([symbols.fitted([], columns)] * (lines - len(rows))), *rows]

    # The lines that are shown

    def _window(self) -> list[_Line]:
        """Return the visible lines; fewer than the pane has if there are no more."""
        bottom = self._bottom or _EntryRow(len(self._entries) - 1, self._last_line(-1))
        upwards = list(islice(self._upwards(bottom), self._size.lines))
        missing = self._size.lines - len(upwards)
        return [*reversed(upwards), *islice(self._downwards(bottom), missing)]

    def _upwards(self, at: _EntryRow) -> Iterator[_Line]:
        """Yield the line at `at` and those before it, newest first."""
        for number in range(at.entry, -1, -1):
            rows = self._rows(number)
            last = min(at.line, len(rows) - 1) if number == at.entry else len(rows) - 1
            for line in range(last, -1, -1):
                yield _EntryRow(number, line), rows[line]

    def _downwards(self, at: _EntryRow) -> Iterator[_Line]:
        """Yield the lines after `at`, oldest first."""
        for number in range(max(0, at.entry), len(self._entries)):
            rows = self._rows(number)
            # In a wider pane an entry may have fewer lines than it had.
            first = min(at.line, len(rows) - 1) + 1 if number == at.entry else 0
            for line in range(first, len(rows)):
                yield _EntryRow(number, line), rows[line]

    def _rows(self, number: int) -> list[Row]:
        """Return the rows of an entry at the current size; none if its kind is hidden."""
        entry = self._entries[number]
        if not self._is_shown(entry):
            return []
        return entry.rows(self._size.columns, symbols=self._size.symbols)

    def _last_line(self, number: int) -> int:
        return len(self._rows(number)) - 1 if self._entries else 0

    def _is_shown(self, entry: Entry) -> bool:
        return self.shows_coming or entry.kind is not ReportKind.COMING

    # The counts of the lines that aren't shown

    def _more(self, window: list[_Line], symbols: Symbols) -> Iterator[tuple[int, str]]:
        """Yield the index of each row that counts hidden entries, with its text."""
        if not window:
            return
        first, last = window[0][0], window[-1][0]
        above = sum(map(self._is_shown, self._entries[: first.entry])) + (first.line > 0)
        below = sum(map(self._is_shown, self._entries[last.entry + 1 :]))
        below += last.line < self._last_line(last.entry)
        older = f"{symbols.above} {say('terminal.more_lines', n=above)}"
        key = symbols.text(label_on_keyboard("PgDn"))
        newer = f"{symbols.below} {say('terminal.newer_lines', n=below)} {symbols.dot} {key}"
        if above and below and len(window) == 1:
            yield 0, f"{older} {newer}"
        elif above:
            yield 0, older
        if below and not (above and len(window) == 1):
            yield len(window) - 1, newer


def _with_more(row: list[Fragment], more: str, columns: int, symbols: Symbols) -> Row:
    """Return `row` with `more` at its right end; the row is cut if both don't fit."""
    left = max(0, columns - text_width(more) - 1)
    return symbols.fitted(
        [*symbols.fitted(row, left), ("", " "), ("class:log.more", more)], columns
    )
