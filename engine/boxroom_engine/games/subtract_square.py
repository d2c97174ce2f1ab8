"""Subtract Square: two players take turns to take 1, 4, 9 … counters from a heap.

A player may take any square number of counters that the heap still has; a player who can't move
loses. The text of a move is that number, and its action number is the index of the square: 1 is
0, 4 is 1, 9 is 2.

A position as text is the number of counters left, the number of moves and withdrawals so far, the
seat to move and the seats withdrawn: `11/1/1/-`. As there are two players, the second part already
determines the seat to move, and the seat that made the last move.

Source: Solomon W. Golomb, "A Mathematical Investigation of Games of 'Take-Away'" (Journal of
Combinatorial Theory 1, 1966); https://oeis.org/A030193 lists the lost heaps.
"""

import re
from collections.abc import Hashable, Mapping
from math import isqrt

import msgspec

from boxroom_engine.games import turn_order
from boxroom_engine.games.base import EqualByIdentity, GameBase
from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    IllegalMove,
    MalformedMove,
    MoveOutOfRange,
)
from boxroom_engine.games.geometry import UNIT, Geometry, Heap, HeapMove, circle
from boxroom_engine.games.notation import (
    check_to_move,
    format_to_move,
    format_withdrawn,
    has_only,
    parse_to_move,
    parse_withdrawn,
    shorten,
    without_stop,
)
from boxroom_engine.games.protocol import (
    GameKind,
    Move,
    Option,
    OptionValue,
    Outcome,
    Seat,
    State,
)
from boxroom_engine.phrases import Phrase, phrase

SEATS = 2

_START = Option("game.subtract-square.start", default=20, least=1, most=1000)
"""A heap of 1000 can still be drawn and searched."""

_DIGITS = re.compile("[0-9]+")
_MOST_DIGITS = 9  # no heap has more, and int() refuses or is slow on thousands
_PIECE = re.compile(r"[+-]?[0-9]\S*")
_COUNT = re.compile("0|[1-9][0-9]{0,3}")


class TooFewLeft(IllegalMove):
    """The square is greater than the number of counters left."""

    code = "too_few_left"


def square(move: Move) -> int:
    """Return the number of counters that `move` takes."""
    return (move + 1) ** 2


class SubtractSquare(GameBase, msgspec.Struct, frozen=True):
    """Subtract Square from a heap of `start` counters."""

    start: int

    @property
    def kind(self) -> GameKind:
        return KIND

    @property
    def seats(self) -> int:
        """Always two: with more, "a player who can't move loses" wouldn't determine a winner."""
        return SEATS

    @property
    def longest(self) -> int:
        """Number of counters: the players may take them one by one."""
        return self.start

    @property
    def how_to_move(self) -> Phrase:
        """Sentences that tell a new player how to enter a move."""
        return phrase("how_to_move.subtract-square")

    def geometry(self) -> Geometry:
        """Return a heap with its counters in rows of ten, or in longer ones if there are many."""
        columns = _ROW if self.start <= _MANY else _LONG_ROW
        counters = (
            circle((UNIT // 2 + UNIT * col, UNIT // 2 + UNIT * row), _RADIUS)
            for row, col in (divmod(number, columns) for number in range(self.start))
        )
        squares = map(square, map(Move, range(isqrt(self.start))))
        moves = tuple(HeapMove(str(takes), takes) for takes in squares)
        return Geometry.around((), margin=UNIT // 2, heap=Heap(tuple(counters), moves))

    def initial(self) -> "Position":
        return Position(self, self.start)

    def looks_like_move(self, text: str) -> bool:
        """Whether `text` is or might be meant as a move: "4", but also "-1", "5" or "4 9"."""
        return has_only(_PIECE, text)

    def parse_move(self, text: str) -> Move:
        text = text.strip()
        digits = without_stop(text).lstrip("0")
        if _DIGITS.fullmatch(digits) is None:
            raise _no_square(text)
        if len(digits) > _MOST_DIGITS or int(digits) > self.start:
            raise MoveOutOfRange(
                phrase("move.subtract-square.too_many", move=shorten(text), start=self.start)
            )
        root = isqrt(int(digits))
        if root * root != int(digits):
            raise _no_square(text)
        return Move(root - 1)

    def format_move(self, move: Move) -> str:
        return str(square(move))

    def parse_position(self, text: str) -> "Position":
        parts = text.split("/")
        if len(parts) != 4:
            raise FormatError("a position is left/moves so far/to move/withdrawn, such as 11/1/1/-")
        left, ply = _parse_count(parts[0], self.start), _parse_count(parts[1], self.longest + 1)
        withdrawn = parse_withdrawn(parts[3], SEATS)
        if withdrawn and not left:
            raise FormatError("no seat can withdraw when nothing is left: the game is over")
        position, to_move = Position(self, left, ply, withdrawn), parse_to_move(parts[2], SEATS)
        check_to_move(to_move, withdrawn, is_over=position.is_over)
        if to_move != position.to_move:
            raise FormatError(f"after {ply} moves it is the turn of seat {ply % SEATS}")
        return position

    def format_position(self, state: State) -> str:
        assert isinstance(state, Position)
        assert state.game == self
        seats = f"{format_to_move(state.to_move)}/{format_withdrawn(state.withdrawn)}"
        return f"{state.left}/{state.ply}/{seats}"


class Position(EqualByIdentity, msgspec.Struct, frozen=True, eq=False):
    """One position, made by `SubtractSquare.initial` and `parse_position`, `play`, `withdraw`."""

    game: SubtractSquare
    left: int
    """Number of counters left."""
    ply: int = 0
    """Number of moves and withdrawals so far. Only its parity affects play, so equal positions can
    differ in it."""
    withdrawn: frozenset[Seat] = frozenset()
    """The seat that withdrew, if any."""
    last: Move | None = None
    """The last move, if known; only drawings use it."""

    @property
    def key(self) -> Hashable:
        """The heap, the seat to move and the seats withdrawn, without the number of moves."""
        return self.game, self.left, self.ply % SEATS, self.withdrawn

    @property
    def to_move(self) -> Seat | None:
        return None if self.is_over else Seat(self.ply % SEATS)

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for the seat that took the last counter, 0 for the other."""
        last_mover = (self.ply - 1) % SEATS
        return tuple(int(not self.left and seat == last_mover) for seat in range(SEATS))

    @property
    def is_over(self) -> bool:
        return not self.left or bool(self.withdrawn)

    @property
    def outcome(self) -> Outcome | None:
        """The winner is the seat that took the last counter, or the one that didn't withdraw."""
        if not self.is_over:
            return None
        scores = self.scores
        winners = (
            Seat(seat)
            for seat in range(SEATS)
            if scores[seat] or (self.withdrawn and seat not in self.withdrawn)
        )
        return Outcome(scores, tuple(winners))

    def legal_moves(self) -> tuple[Move, ...]:
        return () if self.is_over else tuple(map(Move, range(isqrt(self.left))))

    def play(self, move: Move) -> "Position":
        if self.is_over:
            raise GameIsOver(phrase("move.over"))
        if not 0 <= move < isqrt(self.game.start):
            raise MoveOutOfRange(
                phrase("move.subtract-square.number", move=move, start=self.game.start)
            )
        if square(move) > self.left:
            can = ", ".join(str(square(each)) for each in self.legal_moves())
            raise TooFewLeft(
                phrase(
                    "move.subtract-square.too_few_left",
                    move=square(move),
                    left=self.left,
                    moves=can,
                )
            )
        return Position(self.game, self.left - square(move), self.ply + 1, last=move)

    def withdraw(self, seat: Seat) -> "Position":
        withdrawn, _ = turn_order.withdraw(seat, SEATS, self.to_move, self.withdrawn)
        return Position(self.game, self.left, self.ply + 1, withdrawn, self.last)

    def with_to_move(self, seat: Seat) -> "Position":
        """Return the position with a ply that fits: one less, or 1 before the first move."""
        turn_order.check_can_move(seat, SEATS, self.to_move, self.withdrawn)
        if seat == self.to_move:
            return self
        ply = self.ply - 1 if self.ply else 1
        return Position(self.game, self.left, ply)  # without `last`, as the ply tells its mover

    def draw(self, look: Look) -> Drawing:
        """Return the heap in rows of ten; the first counter of each legal move shows its square."""
        numbers = range(1, self.game.start + 1)
        digits = len(str(isqrt(self.game.start) ** 2))
        width = _WIDTHS[look.size] + max(digits, look.widest_mark)
        counters = [self._counter(number, width, look) for number in numbers]
        rows = [tuple(counters[at : at + _ROW]) for at in range(0, len(counters), _ROW)]
        if look.size is Size.LARGE:
            rows = [line for row in rows for line in (row, ())]
        return Drawing((*rows, (Span(str(phrase("counters_left", count=self.left)), Ink.DOT),)))

    def _counter(self, number: int, width: int, look: Look) -> Span:
        """Return the counter with this `number` from the start (from 1), or its empty place."""
        if number <= self.left:
            return self._counter_left(self.left - number + 1, width, look)
        is_fresh = self.last is not None and number <= self.left + square(self.last)
        if not is_fresh:
            return Span("".center(width), Ink.GAP)
        mover = Seat((self.ply - len(self.withdrawn) - 1) % SEATS)
        return Span(look.marks[mover].center(width), Ink.DRAWN, mover, fresh=True)

    def _counter_left(self, from_end: int, width: int, look: Look) -> Span:
        root = isqrt(from_end)
        if self.is_over or root * root != from_end:
            return Span(("o" if look.ascii_only else "○").center(width), Ink.DOT)
        if look.numbers:
            return Span(str(from_end).center(width), Ink.NUMBER, move=Move(root - 1))
        return Span(("." if look.ascii_only else "·").center(width), Ink.OPEN, move=Move(root - 1))


_ROW = 10
"""Counters in a row; ten are easy to count."""

_MANY = 100
"""Counters that make a picture as high as it is wide."""

_LONG_ROW = 14
"""Counters that phones can just show beside each other, large enough for a finger."""

_RADIUS = 42
"""Radius of a counter, which leaves a gap to the next one."""

_WIDTHS = {Size.COMPACT: 1, Size.NORMAL: 2, Size.LARGE: 4}
"""Columns of a counter, in addition to those of the largest number."""


def _no_square(text: str) -> MalformedMove:
    return MalformedMove(phrase("move.subtract-square.malformed", text=repr(shorten(text))))


def _parse_count(text: str, most: int) -> int:
    if _COUNT.fullmatch(text) is None or int(text) > most:
        raise FormatError(f"{shorten(text)!r} is no number from 0 to {most}")
    return int(text)


def _build(options: Mapping[str, OptionValue], seats: int) -> SubtractSquare:
    return SubtractSquare(int(options[_START.name]))


KIND = GameKind(
    name="subtract-square",
    options=(_START,),
    fewest_seats=SEATS,
    most_seats=SEATS,
    build=_build,
    only_the_win_counts=True,
)
"""Subtract Square in the registry."""
