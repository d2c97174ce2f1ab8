"""Subtract Square: from a heap of counters two players take 1, 4, 9 … in turn.

Any square number can be taken that isn't more than what is left; who can't move loses. A move
is typed as the number that is taken, and its action number is that of the square, from 0: 1 is
0, 4 is 1, 9 is 2.

A position as text is what is left, how many moves and withdrawals there were, the seat to move
and the seats withdrawn: `11/1/1/-`. As there are two players, the second part already tells
whose turn it is, and who made the last move.

Source: Solomon W. Golomb, "A Mathematical Investigation of Games of 'Take-Away'" (Journal of
Combinatorial Theory 1, 1966); the heaps that lose are https://oeis.org/A030193.
"""

import re
from collections.abc import Hashable, Mapping
from math import isqrt

import msgspec

from boxroom_engine.games import turns
from boxroom_engine.games.drawing import Drawing, Ink, Look, Size, Span
from boxroom_engine.games.errors import (
    FormatError,
    GameIsOver,
    IllegalMove,
    MalformedMove,
    MoveOutOfRange,
)
from boxroom_engine.games.notation import (
    check_to_move,
    format_to_move,
    format_withdrawn,
    parse_to_move,
    parse_withdrawn,
    shorten,
)
from boxroom_engine.games.picture import picture_of_game, picture_of_state
from boxroom_engine.games.protocol import (
    GameKind,
    Move,
    Option,
    OptionValue,
    Outcome,
    Seat,
    State,
)

SEATS = 2

_START = Option("start", "counters in the heap at the start", default=20, least=1, most=1000)
"""A thousand counters can still be drawn, and searched one after the other."""

_DIGITS = re.compile("[0-9]+")
_MOST_DIGITS = 9  # no heap has more, and int() refuses or is slow on thousands
_ATTEMPT = re.compile(r"[+-]?[0-9]\S*")
_COUNT = re.compile("0|[1-9][0-9]{0,3}")


class TooFewLeft(IllegalMove):
    """The square is more than what is left."""

    code = "too_few_left"


def square(move: Move) -> int:
    """How many counters `move` takes."""
    return (move + 1) ** 2


class SubtractSquare(msgspec.Struct, frozen=True):
    """Subtract Square from a heap of `start` counters."""

    start: int

    @property
    def kind(self) -> GameKind:
        """The registry's entry that made this game."""
        return KIND

    @property
    def seats(self) -> int:
        """Always two: among more, "who can't move loses" doesn't say who wins."""
        return SEATS

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The heap at the start, as `KIND.make` takes it."""
        return {_START.name: self.start}

    @property
    def longest(self) -> int:
        """As many moves as counters, if they are taken one by one."""
        return self.start

    @property
    def how_to_move(self) -> str:
        """What somebody needs to know who has never entered a move."""
        return (
            "To take counters, type how many: 1, 4, 9 or any other square number that isn't more"
            " than what is left. The counter that bears the number goes, with all after it."
        )

    def initial(self) -> "Position":
        """The whole heap, seat 0 to move."""
        return Position(self, self.start)

    def looks_like_move(self, text: str) -> bool:
        """Whether a person who types `text` means a move: "4", but also "-1" or "5"."""
        return _ATTEMPT.fullmatch(text.strip()) is not None

    def parse_move(self, text: str) -> Move:
        """The move that takes as many counters as `text` says.

        Raises:
            MalformedMove: it isn't the number of a square.
            MoveOutOfRange: it is, but there were never so many counters.
        """
        text = text.strip()
        digits = text.lstrip("0")
        if _DIGITS.fullmatch(digits) is None:
            raise _no_square(text)
        if len(digits) > _MOST_DIGITS or int(digits) > self.start:
            raise MoveOutOfRange(f"{shorten(text)} is too many: the heap had {self.start}")
        root = isqrt(int(digits))
        if root * root != int(digits):
            raise _no_square(text)
        return Move(root - 1)

    def format_move(self, move: Move) -> str:
        """How many counters it takes."""
        return str(square(move))

    def parse_position(self, text: str) -> "Position":
        """The position that `text` describes.

        Raises:
            FormatError: it isn't written as the module says, or contradicts itself.
        """
        parts = text.split("/")
        if len(parts) != 4:
            raise FormatError("a position is left/moves so far/to move/withdrawn, such as 11/1/1/-")
        left, ply = _parse_count(parts[0], self.start), _parse_count(parts[1], self.longest + 1)
        withdrawn = parse_withdrawn(parts[3], SEATS)
        if withdrawn and not left:
            raise FormatError("nobody can withdraw when nothing is left: the game is over")
        position, to_move = Position(self, left, ply, withdrawn), parse_to_move(parts[2], SEATS)
        check_to_move(to_move, withdrawn, is_over=position.is_over)
        if to_move != position.to_move:
            raise FormatError(f"after {ply} moves it is the turn of seat {ply % SEATS}")
        return position

    def format_position(self, state: State) -> str:
        """One line without spaces that describes `state`, which must be one of this game."""
        assert isinstance(state, Position)
        assert state.game == self
        seats = f"{format_to_move(state.to_move)}/{format_withdrawn(state.withdrawn)}"
        return f"{state.left}/{state.ply}/{seats}"

    _repr_svg_ = picture_of_game


class Position(msgspec.Struct, frozen=True, eq=False):
    """One position, made by `SubtractSquare.initial` and `parse_position`, `play`, `withdraw`."""

    game: SubtractSquare
    left: int
    """The counters that are left."""
    ply: int = 0
    """How many moves and withdrawals led here. Only whether it is even bears on play, so equal
    positions can differ in it."""
    withdrawn: frozenset[Seat] = frozenset()
    """The seat that gave up, if one did."""
    last: Move | None = None
    """The last move, if known. For the eye only."""

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Position) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct without `eq` brings its own, which asks for identity

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> Hashable:
        """The heap and whose turn it is: how many moves that took makes no difference."""
        return self.game, self.left, self.ply % SEATS, self.withdrawn

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, or None when the game is over."""
        return None if self.is_over else Seat(self.ply % SEATS)

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for the seat that took the last counter, 0 for the other."""
        last_mover = (self.ply - 1) % SEATS
        return tuple(int(not self.left and seat == last_mover) for seat in range(SEATS))

    @property
    def taken(self) -> tuple[int, ...]:
        """Nothing: counters are no points."""
        return ()

    @property
    def is_over(self) -> bool:
        """Whether nothing is left, or somebody gave up."""
        return not self.left or bool(self.withdrawn)

    @property
    def outcome(self) -> Outcome | None:
        """Who took the last counter wins, or who didn't give up."""
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
        """Every square that is left, ascending; none when the game is over."""
        return () if self.is_over else tuple(map(Move, range(isqrt(self.left))))

    def play(self, move: Move) -> "Position":
        """The position after the seat to move took the square `move`.

        Raises:
            GameIsOver: nobody is to move.
            MoveOutOfRange: there were never so many counters.
            TooFewLeft: there were, but some are gone.
        """
        if self.is_over:
            raise GameIsOver("the game is over: no more moves can be played")
        if not 0 <= move < isqrt(self.game.start):
            raise MoveOutOfRange(f"there is no move {move} with {self.game.start} counters")
        if square(move) > self.left:
            can = ", ".join(str(square(each)) for each in self.legal_moves())
            raise TooFewLeft(f"{square(move)} can't be taken, {self.left} are left; you can: {can}")
        return Position(self.game, self.left - square(move), self.ply + 1, last=move)

    def withdraw(self, seat: Seat) -> "Position":
        """The position after `seat` gave up, on its own turn or another's.

        Raises:
            GameIsOver: there is nothing left to give up.
            IllegalMove: there is no such seat.
        """
        withdrawn, _ = turns.withdraw(seat, SEATS, self.to_move, self.withdrawn)
        return Position(self.game, self.left, self.ply + 1, withdrawn, self.last)

    def with_to_move(self, seat: Seat) -> "Position":
        """The position with `seat` to move: after one move less, or one before the first.

        Raises:
            GameIsOver: nobody can be to move any more.
            IllegalMove: there is no such seat.
        """
        turns.check_can_move(seat, SEATS, self.to_move, self.withdrawn)
        if seat == self.to_move:
            return self
        ply = self.ply - 1 if self.ply else 1
        return Position(self.game, self.left, ply)  # who made the last move went by the ply, too

    def evaluate(self, seat: Seat) -> float:
        """1 for a win, -1 for a loss, else 0."""
        outcome = self.outcome
        if outcome is None:
            return 0.0
        return 1.0 if seat in outcome.winners else -1.0

    def draw(self, look: Look) -> Drawing:
        """The heap in rows of ten; a counter from which on can be taken bears the square."""
        numbers = range(1, self.game.start + 1)
        width = _WIDTHS[look.size] + len(str(isqrt(self.game.start) ** 2))
        counters = [self._counter(number, width, look) for number in numbers]
        rows = [tuple(counters[at : at + _ROW]) for at in range(0, len(counters), _ROW)]
        if look.size is Size.LARGE:
            rows = [line for row in rows for line in (row, ())]
        return Drawing((*rows, (Span(f"{self.left} left", Ink.DOT),)))

    _repr_svg_ = picture_of_state

    def _counter(self, number: int, width: int, look: Look) -> Span:
        """The counter with this `number` from the start, from 1, or its place."""
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
"""Counters in a row: people count by tens."""

_WIDTHS = {Size.COMPACT: 1, Size.NORMAL: 2, Size.LARGE: 4}
"""The columns of a counter, beyond those of the largest number."""


def _no_square(text: str) -> MalformedMove:
    return MalformedMove(f"{shorten(text)!r} is no square number: take one, such as 1, 4 or 9")


def _parse_count(text: str, most: int) -> int:
    if _COUNT.fullmatch(text) is None or int(text) > most:
        raise FormatError(f"{shorten(text)!r} is no number from 0 to {most}")
    return int(text)


def _build(options: Mapping[str, OptionValue], seats: int) -> SubtractSquare:
    return SubtractSquare(int(options[_START.name]))


KIND = GameKind(
    name="subtract-square",
    title="Subtract Square",
    rules="Take a square number of counters on each turn: 1, 4, 9 and so on. Who can't, loses.",
    options=(_START,),
    fewest_seats=SEATS,
    most_seats=SEATS,
    build=_build,
)
"""Subtract Square in the registry."""
