"""What the log pane says: chat, what happens in the room, answers; and scrolling back in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import NamedTuple, assert_never

from boxroom_client.screen.text.styled import Fragment, Row, row_width, text_width, wrapped
from boxroom_client.screen.text.tabular import wrapped_table_line
from boxroom_client.screen.themes.signs import Signs, seat_style, signs
from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import ChatTo, Room

_KEPT = 5000
"""Entries; older ones are forgotten."""
_INDENT = 2


class Kind(Enum):
    """What an entry is; its value ends the style `class:log.…`."""

    CHAT = "chat"
    MINE = "mine"
    """One's own chat."""
    ASIDE = "aside"
    """What spectators say among themselves."""
    EVENT = "event"
    """Moves, results, seats, settings."""
    COMING = "coming"
    """Who comes and goes, and whose connection does."""
    NOTICE = "notice"
    """Of one's own connection, or of the server."""
    ANSWER = "answer"
    """What a command shows: help, settings."""
    MISTAKE = "mistake"
    """Why something can't be."""


def kind_of(event: ev.Event, me: str) -> Kind:
    """What the lines that tell `me` of `event` are."""
    match event:
        case ev.Said(to=ChatTo.SPECTATORS) | ev.Revealed():
            return Kind.ASIDE
        case ev.Said():
            return Kind.MINE if event.member == me else Kind.CHAT
        case ev.Joined() | ev.Left() | ev.Dropped() | ev.Returned() | ev.GraceOver() | ev.Woken():
            return Kind.COMING
        case ev.Started() | ev.Played() | ev.Withdrew() | ev.Ended() | ev.RematchWanted():
            return Kind.EVENT
        case ev.HintAsked():
            return Kind.EVENT
        case ev.Sat() | ev.BotSat() | ev.Vacated() | ev.StoodIn() | ev.TookBack() | ev.Rotated():
            return Kind.EVENT
        # Not a coming and going: nobody is to miss what a host does.
        case ev.Created() | ev.Configured() | ev.HostPassed() | ev.Kicked() | ev.Hidden():
            return Kind.EVENT
        case _:
            assert_never(event)


def who_did(event: ev.Event, room: Room) -> Mark | None:
    """The mark of whoever played or spoke, if they have a seat in `room`."""
    match event:
        case ev.Played() | ev.HintAsked() | ev.Withdrew():
            return room.mark(Seat(event.seat))
        case ev.Said():
            mine = room.seats_of(event.member)
            return room.mark(mine[0]) if mine else None
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log, before it is broken to fit.

    `who` is the mark of whoever did or said it. In a `verbatim` text, such as a line of
    a table, spaces mean something.
    """

    kind: Kind
    text: str
    who: Mark | None = None
    verbatim: bool = False

    def rows(self, columns: int, *, ascii_only: bool) -> list[Row]:
        """It in at most `columns` cells; all rows but the first are indented."""
        text = signs(ascii_only=ascii_only).text(self.text)
        style = f"class:log.{self.kind.value}"
        mark = self._mark(ascii_only=ascii_only)
        width = row_width(mark)
        broken = wrapped_table_line if self.verbatim else wrapped
        first, *rest = broken(text, columns - width, 0 if mark else _INDENT)
        return [
            [*mark, *self._with_name(style, first)],
            *([(style, " " * width + line)] for line in rest),
        ]

    @property
    def _is_chat(self) -> bool:
        return self.kind in {Kind.CHAT, Kind.MINE, Kind.ASIDE}

    def _mark(self, *, ascii_only: bool) -> Row:
        if self.who is None or self._is_chat:
            return []
        return [(seat_style(self.who.number), f"{self.who.text(ascii_only=ascii_only)} ")]

    def _with_name(self, style: str, line: str) -> Row:
        """The first line; in chat, with the name of whoever says it."""
        name, colon, said = line.partition(": ")  # names have no colons
        if not self._is_chat or not colon:
            return [(style, line)]
        colour = "" if self.who is None else f" {seat_style(self.who.number)}"
        return [(f"class:log.name{colour}", name), (style, f": {said}")]


class _Place(NamedTuple):
    """An entry, and one of the lines that it takes."""

    entry: int
    line: int


class _Size(NamedTuple):
    columns: int
    lines: int
    ascii_only: bool


_Line = tuple[_Place, Row]


class Journal:
    """The entries, newest last, and how far back they are scrolled.

    What is in the last row stays there, whatever comes in, unless that is the end.
    """

    def __init__(self, most: int = _KEPT) -> None:
        """Keep `most` entries."""
        self.shows_coming = True
        """Whether entries of `Kind.COMING` are shown."""
        self._most = most
        self._entries: list[Entry] = []
        self._bottom: _Place | None = None
        """What the last row shows; None: the end."""
        self._size = _Size(80, 24, ascii_only=False)

    def add(
        self, kind: Kind, text: str, who: Mark | None = None, *, verbatim: bool = False
    ) -> None:
        """Add an entry, and forget the oldest if there are too many."""
        self._entries.append(Entry(kind, text, who, verbatim))
        if len(self._entries) <= self._most:
            return
        del self._entries[0]
        if self._bottom is not None:
            entry, line = self._bottom
            self._bottom = _Place(entry - 1, line) if entry else _Place(0, 0)

    @property
    def is_at_end(self) -> bool:
        """Whether what is new is seen."""
        return self._bottom is None

    def to_end(self) -> None:
        """Scroll to the newest entry, and stay there."""
        self._bottom = None

    def scroll(self, by_lines: int) -> None:
        """Scroll back by so many lines, or on if it is less than 0, of what `rows` last gave."""
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

    def rows(self, columns: int, lines: int, *, ascii_only: bool = False) -> list[Row]:
        """`lines` rows of `columns` cells, the newest at the bottom.

        What is above and below is counted in entries, at the right end of the first and the
        last row.
        """
        self._size = _Size(columns, lines, ascii_only)
        sign = signs(ascii_only=ascii_only)
        window = self._window()
        rows = [sign.fitted(row, columns) for _, row in window]
        for at, more in self._more(window, sign):
            rows[at] = _with_more(window[at][1], more, columns, sign)
        return [*([sign.fitted([], columns)] * (lines - len(rows))), *rows]

    # The lines that are shown

    def _window(self) -> list[_Line]:
        """The lines that the pane shows, as many as there are."""
        bottom = self._bottom or _Place(len(self._entries) - 1, self._last_line(-1))
        upwards = list(islice(self._upwards(bottom), self._size.lines))
        missing = self._size.lines - len(upwards)
        return [*reversed(upwards), *islice(self._downwards(bottom), missing)]

    def _upwards(self, place: _Place) -> Iterator[_Line]:
        """The line at `place` and those before it, newest first."""
        for number in range(place.entry, -1, -1):
            rows = self._rows(number)
            last = min(place.line, len(rows) - 1) if number == place.entry else len(rows) - 1
            for line in range(last, -1, -1):
                yield _Place(number, line), rows[line]

    def _downwards(self, place: _Place) -> Iterator[_Line]:
        """The lines after `place`, oldest first."""
        for number in range(max(0, place.entry), len(self._entries)):
            rows = self._rows(number)
            # In a wider pane an entry may have fewer lines than it had.
            first = min(place.line, len(rows) - 1) + 1 if number == place.entry else 0
            for line in range(first, len(rows)):
                yield _Place(number, line), rows[line]

    def _rows(self, number: int) -> list[Row]:
        """The rows that an entry takes at the size that is shown; none if it is left out."""
        entry = self._entries[number]
        if not self._is_shown(entry):
            return []
        return entry.rows(self._size.columns, ascii_only=self._size.ascii_only)

    def _last_line(self, number: int) -> int:
        return len(self._rows(number)) - 1 if self._entries else 0

    def _is_shown(self, entry: Entry) -> bool:
        return self.shows_coming or entry.kind is not Kind.COMING

    # What is not

    def _more(self, window: list[_Line], sign: Signs) -> Iterator[tuple[int, str]]:
        """The rows that say that there is more, and what they say."""
        if not window:
            return
        first, last = window[0][0], window[-1][0]
        above = sum(map(self._is_shown, self._entries[: first.entry])) + (first.line > 0)
        below = sum(map(self._is_shown, self._entries[last.entry + 1 :]))
        below += last.line < self._last_line(last.entry)
        older = f"{sign.above} {above} more"
        newer = f"{sign.below} {below} newer {sign.dot} PgDn"
        if above and below and len(window) == 1:
            yield 0, f"{older} {newer}"
        elif above:
            yield 0, older
        if below and not (above and len(window) == 1):
            yield len(window) - 1, newer


def _with_more(row: list[Fragment], more: str, columns: int, sign: Signs) -> Row:
    """`row` with `more` at its right end; what has no place beside it is cut with a sign."""
    left = max(0, columns - text_width(more) - 1)
    return sign.fitted([*sign.fitted(row, left), ("", " "), ("class:log.more", more)], columns)
