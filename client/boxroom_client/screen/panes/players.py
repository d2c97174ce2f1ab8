"""The players pane: players, turn, clock and scores.

Each seat has a line if there are enough. In one or two lines the players follow one another,
and those that don't fit are counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boxroom_client.screen.text.rows import Row, row_width
from boxroom_client.screen.themes.symbols import UNICODE, Symbols, seat_style
from boxroom_client.shell.output.describe import away_note
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import called
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room.room import NUDGE_AFTER_MS, OnDrop, Phase, Room, SeatHolder

_GAP: Row = [("", "   ")]
_LOW_S = 10
"""Seconds on the clock from which on it stands out."""
_SHORT_REMARKS = ("out", "away")
"""Phrases of remarks that are shown even in a line of players."""
_ENTRY_LEAST = 5
"""Cells of the shortest entry in a line of players, with the gap behind it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """The parts of the text about one seat."""

    turn: str
    mark: Row
    name: Row
    remarks: tuple[str, ...]
    thinks: bool
    clock: Row
    score: Row


def players(
    room: Room,
    me: str,
    columns: int,
    lines: int,
    *,
    thinking: Seat | None = None,
    clock_s: int | None = None,
    server_ms: float | None = None,
    symbols: Symbols = UNICODE,
) -> list[Row]:
    """Return the seats of `room` in `lines` rows of `columns` cells.

    The seat to move and those of `me` are shown before any others. A bot thinks for the seat
    `thinking`; `clock_s` are the seconds left for the seat to move, and
    `server_ms` is the server's time, if it is known.
    """
    pane = _Pane(room, me, columns, thinking, clock_s, server_ms, symbols)
    seats = len(room.seats)
    if seats > lines and lines <= 2:
        rows = pane.flowing(lines)
    elif seats > lines:
        shown = pane.foremost(lines - 1)
        more = f" {symbols.more} {say('terminal.player.more', n=seats - len(shown))}"
        rows = [*map(pane.line, shown), [("class:players.note", more)]]
    else:
        rows = [pane.line(Seat(seat)) for seat in range(seats)]
    fitted = [symbols.fitted(row, columns) for row in rows]
    return [*fitted, *([symbols.fitted([], columns)] * (lines - len(fitted)))]


@dataclass(frozen=True, slots=True)
class _Pane:
    room: Room
    me: str
    columns: int
    thinking: Seat | None
    clock_s: int | None
    server_ms: float | None
    symbols: Symbols

    @property
    def to_move(self) -> Seat | None:
        """The seat whose turn it is."""
        return self.room.running.to_move if self.room.running is not None else None

    # Which seats

    def _by_importance(self) -> list[Seat]:
        """Return the seat to move, then those of `me`, then the others in order."""
        first = [] if self.to_move is None else [self.to_move]
        every = (Seat(seat) for seat in range(len(self.room.seats)))
        return list(dict.fromkeys([*first, *self.room.seats_of(self.me), *every]))

    def foremost(self, number: int) -> list[Seat]:
        """Return the `number` most important seats, in order of play."""
        return sorted(self._by_importance()[: max(0, number)])

    # A line for each

    def line(self, seat: Seat) -> Row:
        """Return a row for `seat`, with the score at its right end."""
        entry = self._entry(seat)
        left: Row = [("class:players.turn", entry.turn or " "), *entry.mark, ("", " "), *entry.name]
        left += self._remarks(entry.remarks)
        if entry.thinks:
            left.append(
                ("class:players.note", f" {say('terminal.player.thinks')}{self.symbols.more}")
            )
        right: Row = [*entry.clock, *([("", "  ")] if entry.clock else []), *entry.score]
        width = max(0, self.columns - row_width(right) - 1)
        return [*self.symbols.fitted(left, width), ("", " "), *right]

    # All in a line or two

    def flowing(self, lines: int) -> list[Row]:
        """Return as many of the seats as fit into `lines` rows, in order of play."""
        seats = self._by_importance()
        others = len(seats)
        seats = seats[: max(1, self.columns * lines // _ENTRY_LEAST)]
        entries = {seat: self._short(seat) for seat in seats}
        for number in range(len(seats), 1, -1):
            shown = [entries[seat] for seat in sorted(seats[:number])]
            shown[-1] = [*shown[-1], *self._more(others - number)]
            rows = _filled_up(shown, self.columns)
            if len(rows) <= lines and all(map(self._fits, rows)):
                return rows
        # A single one is cut if necessary, but not the number of the others.
        more = self._more(others - 1)
        one = self.symbols.fitted(entries[seats[0]], max(0, self.columns - row_width(more)))
        return [[*one, *more]]

    def _fits(self, row: Row) -> bool:
        return row_width(row) <= self.columns

    def _more(self, others: int) -> Row:
        return [("class:players.note", f"  {self.symbols.more} +{others}")] if others else []

    def _short(self, seat: Seat) -> Row:
        """Return the most important parts about `seat`."""
        entry = self._entry(seat)
        row: Row = [("class:players.turn", entry.turn)] if entry.turn else []
        row += [*entry.mark, ("", " "), *entry.name]
        for part in (entry.score, entry.clock):
            row += [("", " "), *part] if part else []
        return row + self._remarks(
            [known for known in entry.remarks if known in map(say, _SHORT_REMARKS)]
        )

    def _remarks(self, remarks: Sequence[str]) -> Row:
        text = self.symbols.text(", ".join(remarks))
        return [("class:players.note", f" ({text})")] if remarks else []

    # The parts about a seat

    def _entry(self, seat: Seat) -> _Entry:
        room, holder = self.room, self.room.seats[seat]
        state, bot = room.state, room.bot_to_move()
        is_out = state is not None and seat in state.withdrawn
        to_move = seat == self.to_move
        name = self._name(seat)
        style = "class:players.note" if is_out or name is None else "class:players"
        mark = room.mark(seat)
        return _Entry(
            turn=self.symbols.turn if to_move else "",
            mark=[(seat_style(mark.number), mark.text(ascii_only=self.symbols.ascii_only))],
            name=[
                (
                    "class:players.turn" if to_move else style,
                    self.symbols.text(called(name) if name else say("empty")),
                )
            ],
            remarks=(*([say("out")] if is_out else []), *self._about(seat, holder)),
            thinks=room.pause is None
            and (seat == self.thinking or (bot is not None and seat == bot[0])),
            clock=self._clock() if to_move else [],
            score=[] if state is None else [("class:players.score", f"{state.scores[seat]}")],
        )

    def _name(self, seat: Seat) -> str | None:
        """Return the player that began the game in `seat`; before the first game, its holder."""
        return self.room.players[seat] if self.room.players else self.room.seats[seat].name

    def _about(self, seat: Seat, holder: SeatHolder) -> Iterable[str]:
        """Yield remarks about the present holder of the seat."""
        if holder.is_empty:
            if self.room.players and self.room.phase is Phase.OVER:
                yield say("terminal.player.gone")
            return
        if holder.name and holder.name != self._name(seat):
            yield say("terminal.player.now", name=called(holder.name))
        if holder.member is None:
            named = holder.name is not None and holder.name.startswith(holder.bot or "")
            yield say("bot") if named else f"{say('bot')} {called(holder.bot or '')}"
            return
        if holder.member == self.me:
            yield say("you")
        if holder.member == self.room.host and self.room.phase is not Phase.PLAYING:
            yield say("host")
        if holder.member in self.room.muted:
            yield say("muted")
        if not self.room.is_connected(holder.member):
            yield self._away(holder.member, holder.bot)
        if note := away_note(self.room, holder.member):
            yield note
        if holder.bot is not None:
            yield say("terminal.player.bot_plays", bot=called(holder.bot))

    def _away(self, member: str, bot: str | None) -> str:
        """Return that a player is away, and in a game when that has consequences."""
        found, on_drop = self.room.members.get(member), self.room.settings.on_drop
        until_ms = found.grace_until_ms if found is not None else None
        is_counted = self.room.phase is Phase.PLAYING and on_drop is not OnDrop.WAIT
        if bot is not None or until_ms is None or self.server_ms is None or not is_counted:
            return say("away")
        return say(f"away_{on_drop}", time=minutes(max(0.0, until_ms - self.server_ms)))

    def _thinking(self) -> Row:
        """Return for how long another person has been thinking, once that is long."""
        state, since_ms = self.room.running, self.room.turn_since_ms
        if state is None or state.to_move is None or since_ms is None or self.server_ms is None:
            return []
        thought_ms = self.server_ms - since_ms
        holder = self.room.seats[state.to_move]
        if holder.bot or holder.member == self.me or thought_ms < NUDGE_AFTER_MS:
            return []
        return [("class:players.note", say("thinking_for", time=minutes(thought_ms)))]

    def _clock(self) -> Row:
        if self.clock_s is None:
            return self._thinking()
        style = "class:players.turn" if self.clock_s <= _LOW_S else "class:players.note"
        return [(style, _time(self.clock_s))]


def _time(seconds: int) -> str:
    """Return seconds, or minutes and seconds: `45 s`, `2:05`."""
    return f"{seconds} s" if seconds < 100 else f"{seconds // 60}:{seconds % 60:02}"


def minutes(milliseconds: float) -> str:
    """Return a time as minutes and seconds: `1:05`."""
    return "{}:{:02}".format(*divmod(int(milliseconds // 1000), 60))


def _filled_up(entries: Iterable[Row], columns: int) -> list[Row]:
    """Return `entries` in rows of `columns` cells, each as full as possible."""
    rows: list[Row] = []
    for entry in entries:
        if rows and row_width(rows[-1]) + row_width(_GAP) + row_width(entry) <= columns:
            rows[-1] = [*rows[-1], *_GAP, *entry]
        else:
            rows.append(entry)
    return rows
