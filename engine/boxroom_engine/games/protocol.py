"""What a game is to the rest of Boxroom.

A room, a bot, a record and a client shell know games by these few verbs only. A new game is
one module that offers them and one line in `registry`.

- `GameKind` is the entry in the registry: a name, the options it takes, how to make a game.
- `Game` is a game with its options and number of seats chosen; it owns the notation.
- `State` is one position, an immutable value; playing gives another one.
- `Outcome` is how a game ended.

Moves are small integers (an *action number*, as in OpenSpiel), so that bots and search need
no types of their own; text belongs to the edges of the program. Seats are counted from 0.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NewType, Protocol, Self

from boxroom_engine.games.drawing import Drawing, Look
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.marks import Mark

Seat = NewType("Seat", int)
"""A place in the order of play, from 0."""

Move = NewType("Move", int)
"""An action number, from 0; `Game.format_move` gives its text."""

OptionValue = int | str
"""What an option can be: a number, or one of a few words."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: one winner, several joint winners, or none (a draw)."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


class State(Protocol):
    """One position of one game. Immutable, hashable; equal when play can't tell them apart."""

    @property
    def game(self) -> "Game":
        """The game that this is a position of."""

    @property
    def key(self) -> Hashable:
        """Equal for positions of a game that are worth the same to every seat.

        The position itself does. Search goes the faster the more positions share a key: those that
        symmetry makes the same, or that differ in nothing that still counts.
        """

    @property
    def ply(self) -> int:
        """How many moves and withdrawals led here; it names the position a move answers."""

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, or None when the game is over."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Points so far, one number a seat."""

    @property
    def withdrawn(self) -> frozenset[Seat]:
        """The seats that gave up: they keep their points, are skipped and can't win."""

    @property
    def taken(self) -> tuple[int, ...]:
        """What the last move won, by the game's own numbers (boxes in Dots and Boxes)."""

    @property
    def is_over(self) -> bool:
        """Whether nobody can move any more."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def legal_moves(self) -> Sequence[Move]:
        """Every move that `play` takes, in ascending order; empty when the game is over."""

    def play(self, move: Move) -> Self:
        """The position after `move` by the seat to move.

        Raises:
            MoveOutOfRange: the board doesn't have this move.
            IllegalMove: it can't be played now.
            GameIsOver: nobody is to move.
        """

    def withdraw(self, seat: Seat) -> Self:
        """The position after `seat` gave up; the last seat left ends the game.

        Raises:
            IllegalMove: there is no such seat, or it has withdrawn before.
            GameIsOver: there is nothing left to give up.
        """

    def with_to_move(self, seat: Seat) -> Self:
        """The position with `seat` to move, also if no game leads there.

        All else stays as it is, but for `ply` where a game tells by it whose turn it is.

        Raises:
            IllegalMove: there is no such seat, or it has withdrawn.
            GameIsOver: nobody can be to move any more.
        """

    def evaluate(self, seat: Seat) -> float:
        """How good this is for `seat`, in points ahead of the best other; exact at the end."""

    def draw(self, look: Look) -> Drawing:
        """The position as text, with the move that each place stands for."""

    def _repr_svg_(self) -> str:
        """The position and its score as an SVG picture, under the name by which notebooks ask."""


class Game(Protocol):
    """A game with its options chosen. Immutable and hashable."""

    @property
    def kind(self) -> "GameKind":
        """The registry's entry that made this game."""

    @property
    def seats(self) -> int:
        """The number of players."""

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The options that make this game again, all of them, by name."""

    @property
    def longest(self) -> int:
        """The greatest number of moves that one game can take: the size of the board."""

    @property
    def how_to_move(self) -> str:
        """One or two sentences for somebody who has never entered a move of this game."""

    def initial(self) -> State:
        """The position before the first move."""

    def looks_like_move(self, text: str) -> bool:
        """Whether a person who types `text` means a move; other text is chat."""

    def parse_move(self, text: str) -> Move:
        """The move that `text` names, in either case; the inverse of `format_move`.

        Raises:
            MalformedMove: `text` is no move of this game.
            MoveOutOfRange: this board doesn't have the move.
        """

    def format_move(self, move: Move) -> str:
        """The text that people type for `move`."""

    def parse_position(self, text: str) -> State:
        """The position that `text` describes; the inverse of `format_position`.

        Raises:
            FormatError: `text` describes no position of this game.
        """

    def format_position(self, state: State) -> str:
        """One line without spaces that describes `state`."""

    def _repr_svg_(self) -> str:
        """The board before the first move as an SVG picture, for notebooks."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen about a game.

    A number lies in `least..most`; a word is one of `choices`.
    """

    name: str
    help: str
    default: OptionValue
    least: int = 0
    most: int = 1_000_000
    choices: tuple[str, ...] = ()

    def parse(self, value: OptionValue) -> OptionValue:
        """`value`, typed or as text, as this option wants it.

        Raises:
            OptionError: it isn't a number, is out of bounds, or isn't one of the choices.
        """
        if self.choices:
            if value in self.choices:
                return value
            raise OptionError(f"{self.name} is one of {', '.join(self.choices)}, not {value!r}")
        if isinstance(self.default, str):
            return str(value)
        return self._parse_number(value)

    def _parse_number(self, value: OptionValue) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise OptionError(f"{self.name} is a whole number of at least {self.least}")
        number = int(text)
        if not self.least <= number <= self.most:
            raise OptionError(f"{self.name} must be {self.least} to {self.most}, not {number}")
        return number


@dataclass(frozen=True, slots=True)
class GameKind:
    """A game as the registry knows it, before its options are chosen."""

    name: str
    title: str
    rules: str
    """The rules in two or three sentences, for somebody who has never played."""
    options: tuple[Option, ...]
    fewest_seats: int
    most_seats: int | None
    build: Callable[[Mapping[str, OptionValue], int], Game]
    prize: tuple[str, str] | None = None
    """What a move can take, in the singular and the plural; None where nothing is taken."""
    marks: str = ""
    """An ASCII character for every seat that there can be, if the game has marks of its own, such
    as x and o. Else it is empty, and players are known by the glyphs that go with them."""

    def make(self, options: Mapping[str, OptionValue], seats: int) -> Game:
        """The game with `options` (the rest by default) for `seats` players.

        Raises:
            OptionError: an unknown option, a value out of bounds, or a wrong number of seats.
        """
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                names = ", ".join(known) or "no options"
                raise OptionError(f"{self.title} has no option {name!r}; it has {names}")
        self._check_seats(seats)
        chosen = {
            name: option.parse(options.get(name, option.default)) for name, option in known.items()
        }
        return self.build(chosen, seats)

    def mark(self, seat: Seat, number: int) -> Mark:
        """What stands for `seat`, on the board and beside it, if its player has glyph `number`."""
        return Mark(number, self.marks[seat] if self.marks else None)

    def _check_seats(self, seats: int) -> None:
        if seats < self.fewest_seats:
            raise OptionError(f"{self.title} needs at least {self.fewest_seats} seats, not {seats}")
        if self.most_seats is not None and seats > self.most_seats:
            raise OptionError(f"{self.title} has at most {self.most_seats} seats, not {seats}")
