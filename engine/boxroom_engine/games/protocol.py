"""The protocol of a game: its kind, the game with its options, its positions and its outcome.

Rooms, bots, records and client shells use games only through it. A new game is one module that
implements it and one line in `registry`.

- `GameKind` is the entry in the registry: a name, the options, a factory, and its `Abilities`.
- `Game` is a game with its options and number of seats chosen; it owns the notation.
- `State` is one position, an immutable value; playing a move returns another one.
- `Outcome` is the result of a game.

Moves are integers (*action numbers*, as in OpenSpiel), so that bots and search need no types of
their own; only shells, records and messages use their text. A move can have several names, each
with a number of its own, as `22x15x8` and `22x8` in draughts: `play` takes any of them,
`legal_moves` has one of each move. Seats are counted from 0.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, Self

from boxroom_engine.games.drawing import Drawing, Look
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.geometry import Geometry
from boxroom_engine.games.marks import Mark
from boxroom_engine.games.options import Option, OptionValue
from boxroom_engine.games.turn_order import Move, Seat
from boxroom_engine.phrases import Phrase, phrase

if TYPE_CHECKING:  # it takes long to import, and clients of a server need no abilities
    from boxroom_engine.games.abilities import Abilities

__all__ = ["Game", "GameKind", "Move", "Option", "OptionValue", "Outcome", "Seat", "State"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game: one winner, several joint winners, or none (a draw)."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


class State(Protocol):
    """One position of one game: immutable, hashable, and equal if all later play is the same."""

    @property
    def game(self) -> "Game":
        """The game to which the position belongs."""

    @property
    def key(self) -> Hashable:
        """Key for search tables: positions with the same key have the same value.

        The position itself is a valid key. Search is faster if more positions share a key, such as
        positions that are symmetric or whose differences no longer count.
        """

    @property
    def ply(self) -> int:
        """Number of moves and withdrawals so far; it identifies a position within a game."""

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, or None when the game is over."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Points so far, one number for each seat."""

    @property
    def withdrawn(self) -> frozenset[Seat]:
        """The seats that withdrew: they keep their points, are skipped and can't win."""

    @property
    def taken(self) -> tuple[int, ...]:
        """Numbers of the things that the last move won, such as boxes in Dots and Boxes."""

    @property
    def movable(self) -> tuple[int, ...]:
        """Numbers of the things from which a move can begin, such as squares with men.

        It is empty if no piece can move, and in games without pieces.
        """

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""

    def legal_moves(self) -> Sequence[Move]:
        """Return every legal move once, in ascending order; none when the game is over."""

    def play(self, move: Move) -> Self:
        """Return the position after `move` by the seat to move.

        Raises:
            MoveOutOfRange: the board doesn't have this move.
            IllegalMove: the move can't be played now, or it isn't clear which one is meant.
            GameIsOver: no seat is to move.
        """

    def withdraw(self, seat: Seat) -> Self:
        """Return the position after `seat` withdrew, which may end the game.

        It ends when only one seat of several stays, or none of one.

        Raises:
            IllegalMove: there is no such seat, or it has withdrawn before.
            GameIsOver: the game is over already.
        """

    def with_to_move(self, seat: Seat) -> Self:
        """Return the position with `seat` to move, even if no game can reach it.

        Nothing else changes, except `ply` in a game that derives the seat to move from it, and the
        legal moves in one whose seats have pieces of their own.

        Raises:
            IllegalMove: there is no such seat, it has withdrawn, or the game would be over.
            GameIsOver: the game is over.
        """

    def evaluate(self, seat: Seat) -> float:
        """Return the value for `seat`, exact at the end: points ahead of the best other seat.

        With three or more in play, in a game with a `prize`: how many prizes the seat itself gets.
        """

    def draw(self, look: Look) -> Drawing:
        """Return the position as text, with the move that each part of it stands for."""

    def _repr_svg_(self) -> str:
        """Return the position and its score as SVG; notebooks call this method."""


class Game(Protocol):
    """A game with its options chosen: immutable and hashable."""

    @property
    def kind(self) -> "GameKind":
        """The registry's entry that made this game."""

    @property
    def seats(self) -> int:
        """The number of players."""

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """All options by name, with the values that make this game again."""

    @property
    def longest(self) -> int:
        """The greatest number of moves in one game."""

    @property
    def work(self) -> int:
        """Number of things that the rules look at, such as lines or paths: at least `longest`.

        What a move, a new board and its tables cost grows with it. It is counted without them.
        """

    @property
    def rules(self) -> Phrase:
        """The rules in two or three sentences, for new players who know the options."""

    @property
    def how_to_move(self) -> Phrase:
        """One or two sentences that tell a new player how to enter a move."""

    def geometry(self) -> Geometry:
        """Return the shapes of the board, from which any position can be drawn without the rules.

        Its size, and the work of making it, grow no faster than `work`.
        """

    def initial(self) -> State:
        """Return the position before the first move."""

    def looks_like_move(self, text: str) -> bool:
        """Whether `text` is a move or might be meant as one; other text is chat.

        `boxroom_engine.games.notation` has the rule.
        """

    def parse_move(self, text: str) -> Move:
        """Return the move that `text` names, in either case; the inverse of `format_move`.

        Raises:
            MalformedMove: `text` is no move of this game.
            MoveOutOfRange: this board doesn't have the move.
        """

    def format_move(self, move: Move) -> str:
        """Return the text that people type for `move`."""

    def parse_position(self, text: str) -> State:
        """Return the position that `text` describes; the inverse of `format_position`.

        Raises:
            FormatError: `text` describes no position of this game.
        """

    def format_position(self, state: State) -> str:
        """Return `state` as one line without spaces."""

    def _repr_svg_(self) -> str:
        """Return the board before the first move as SVG; notebooks call this method."""


@dataclass(frozen=True, slots=True)
class GameKind:
    """An entry of the registry: a game before its options are chosen."""

    name: str
    options: tuple[Option, ...]
    fewest_seats: int
    most_seats: int | None
    """None: any number."""
    build: Callable[[Mapping[str, OptionValue], int], Game]
    prize: tuple[str, str] | None = None
    """Singular and plural of what moves can win, such as boxes; None if they win nothing. The
    phrase `prize_<singular>` counts them."""
    marks: str = ""
    """One ASCII character for each possible seat if the game has marks of its own, such as x and o;
    empty if it shows the players' glyphs."""
    only_the_win_counts: bool = False
    """Whether a finished game is worth 1, 0 or -1 for each seat, however much it won by."""
    moves_to_search: Callable[[State], Sequence[Move]] | None = None
    """Returns legal moves with a best one among them, likely ones first; the game mustn't be over.

    A game can offer it to make exact search faster: forced moves alone where there are any, else
    all moves. Best means by minimax for the seat to move: if more than two are in play, whether all
    others play for themselves or against one seat together.
    """

    is_unsettled: Callable[[State], bool] | None = None
    """Returns whether the next move can overturn the evaluation, as a capture does.

    A game can offer it, so that a search evaluates no such position and looks further. The game
    mustn't be over.
    """

    reviewed_seats: tuple[int, ...] = ()
    """Numbers of seats with which a finished game can be reviewed; the game has a judge then."""
    uses_kernel: bool = False
    """Whether its positions are solved by the kernel in C++, which has to be built."""
    size: Callable[[Game], str] | None = None
    """Returns a word for the size of the board, if levels of bots depend on it."""
    abilities_module: str | None = None
    """Name of the module in which `ABILITIES` stands. It is imported when it is first asked for:
    theory and solvers take long to import, and stand above the rules."""

    @property
    def abilities(self) -> "Abilities[Any]":
        """All that can be done with the game besides playing it."""
        return _abilities_in(self.abilities_module)

    def make(self, options: Mapping[str, OptionValue], seats: int) -> Game:
        """Return the game with `options` (the rest by default) for `seats` players.

        Raises:
            OptionError: an unknown option, a value out of bounds, or a wrong number of seats.
        """
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                raise OptionError(self._no_option(name, list(known)))
        self._check_seats(seats)
        chosen = {
            name: option.parse(options.get(name, option.default)) for name, option in known.items()
        }
        return self.build(chosen, seats)

    @property
    def named(self) -> Phrase:
        """Its title, for lists and as a part of sentences."""
        return phrase(f"title.{self.name}")

    @property
    def rules(self) -> Phrase:
        """The rules in two or three sentences, for new players, whatever the options are."""
        return phrase(f"rules.{self.name}")

    def mark(self, seat: Seat, number: int) -> Mark:
        """Return the mark of `seat`, whose player has the glyph `number`."""
        return Mark(number, self.marks[seat] if self.marks else None)

    def _no_option(self, name: str, known: Sequence[str]) -> Phrase:
        if not known:
            return phrase("option.none", game=self.named, name=repr(name))
        return phrase("option.unknown", game=self.named, name=repr(name), names=known)

    def _check_seats(self, seats: int) -> None:
        if seats < self.fewest_seats:
            raise OptionError(
                phrase("option.few_seats", game=self.named, n=self.fewest_seats, seats=seats)
            )
        if self.most_seats is not None and seats > self.most_seats:
            raise OptionError(
                phrase("option.many_seats", game=self.named, n=self.most_seats, seats=seats)
            )


@cache
def _abilities_in(module: str | None) -> "Abilities[Any]":
    from boxroom_engine.games.abilities import Abilities

    if module is None:
        return Abilities()
    found = import_module(module).ABILITIES
    assert isinstance(found, Abilities)
    return found


def listed_moves(state: State) -> tuple[str, ...]:
    """Return the texts of the legal moves, in ascending order, in games with pieces that move.

    None are listed in other games: there each part of the board that is still free is a move.
    """
    return tuple(map(state.game.format_move, state.legal_moves())) if state.movable else ()
