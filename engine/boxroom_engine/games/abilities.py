"""Abilities of a game: all that can be done with it besides playing it by its rules.

Bots, arena, server and clients ask for what they need, and say so where a game hasn't it. A game
names the module of its abilities in its kind (`GameKind.abilities_module`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from boxroom_engine.games.turn_order import Move, Seat
from boxroom_engine.phrases import Phrase
from boxroom_engine.stopping import Limit, StopToken

JsonFact = dict[str, bool | int | str | None]
"""A fact about a move as a JSON object, which names its kind as `fact`."""

StateT = TypeVar("StateT")
"""The positions of one game, to whose abilities no others are given."""

ValueT = TypeVar("ValueT")
"""Value of a position: one number for the seat to move, or one for each seat."""


@dataclass(frozen=True, slots=True)
class CaptureTheory(Generic[StateT]):
    """The things that moves take, and those that they give to the next player.

    All moves ascend.
    """

    takes: Callable[[StateT], Mapping[Move, int]]
    """Returns the number of things that each move takes, for those that take any."""
    at_hand: Callable[[StateT], Collection[Move]]
    """Returns those of `takes` that go on where things were taken before: the eye is there."""
    quiet: Callable[[StateT], Sequence[Move]]
    """Returns the moves that take nothing and give nothing away."""
    sacrifices: Callable[[StateT], Mapping[Move, int]]
    """Returns the number of things that each move lets the next player take in a row.

    It is only right where nothing can be taken.
    """


class BoxSide(Enum):
    """Side of a box."""

    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class BoxSides:
    """A box, with the move that draws each of its sides."""

    number: int
    """As people count boxes: from 1, row by row from the top."""
    row: int
    """From 1 at the top."""
    column: int
    """From 1 at the left."""
    owner: Seat | None
    free: Mapping[BoxSide, Move]
    """The sides that aren't drawn."""
    drawn: Mapping[BoxSide, Move]


@dataclass(frozen=True, slots=True)
class PerfectMoves(Generic[StateT]):
    """Moves that no other is better than, as far as they were found in time."""

    moves: Sequence[Move]
    margin: Callable[[StateT, Seat], float] | None = None
    """Returns the lead of a seat at the end by perfect play, with which the moves can be told
    apart by what they make of replies that are mistakes; raises `SearchStopped` without time."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Worth of a position to the seat to move."""

    value: float
    """The margin to come: a whole number if `exact`, else an expectation. In a game in which only
    the win counts it is the expected result: 1 for a win, 0 for a draw, -1 for a loss."""
    exact: bool
    best_moves: tuple[Move, ...]
    """Moves that keep the value if `exact`, else that seem to; ascending. There may be more."""
    shares: tuple[int, ...] | None = None
    """Unless two are in play: the things to come of each seat if all play for their own."""


@dataclass(frozen=True, slots=True)
class Solved(Generic[ValueT]):
    """Bounds of one position's value, and best moves, by a search that may have been stopped.

    The value is one number if two are in play: what the seat to move can guarantee. Otherwise it
    is a tuple, with one number for each seat if all play for themselves.
    """

    least: ValueT
    """The value is at least this, each number of it."""
    most: ValueT
    """The value is at most this, each number of it."""
    best_moves: tuple[Move, ...]
    """Moves with which the seat to move gets `least` or more, ascending: all of them if `exact` and
    they were asked for, else one or more, or none as long as `least` goes without saying."""
    nodes: int
    """Number of positions searched."""
    exact: bool
    """Whether everything that was asked for is known: the search wasn't stopped."""

    @property
    def value(self) -> ValueT:
        """The value, which must be known: `least` and `most` are the same."""
        assert self.least == self.most, "the search was stopped before it knew the value"
        return self.least


@dataclass(frozen=True, slots=True)
class EstimatedMove:
    """A move that seems best by playouts."""

    move: Move
    value: float | None
    """Expected value for the seat to move, counted as exact values are; None unless two play."""
    playouts: int


class PositionSolver(Protocol):
    """Exact search of one position, and an estimate where that takes too long.

    What a search learns, the next one remembers.
    """

    def search(self, stop: StopToken) -> Solved[Any]:
        """Return what is known of the value at the end, or once `stop` is met."""

    def estimate(self, stop: StopToken, rng: Random) -> EstimatedMove | None:
        """Return an estimate by the playouts that fit in; None if there was no time for any."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Best play by all from a move on, as far as a judge knows."""

    line: tuple[Move, ...]
    """The move, and best moves after it, as far as they were found in time."""
    facts: tuple[Any, ...] = ()
    """Facts about it; each can be made a `JsonFact`."""


class Judge(Protocol):
    """Judge of positions in which a seat is to move, from the end of a game to its beginning."""

    def __call__(self, position: Any, /) -> Judgement | None:
        """Return the worth of a position; None: it can't tell."""

    def best_moves(self, position: Any, /) -> tuple[Move, ...]:
        """Return all best moves of a position that it has judged; none if that takes too long."""

    def outlook(self, position: Any, move: Move, /) -> Outlook:
        """Return what a legal move of a position that it has judged leads to."""


class JudgeMaker(Protocol):
    """Function that makes a judge."""

    def __call__(
        self,
        game: Any,
        limit_s: float,
        stop: StopToken,
        clock: Callable[[], float],
        most_table_bytes: int = ...,
    ) -> Judge:
        """Return a judge for the positions of one game.

        It returns None for a position that takes longer than `limit_s`, for all earlier ones, and
        once `stop` is met. `clock` returns seconds; `most_table_bytes` limits its memory.
        """


def _no_facts(*about: object) -> tuple[()]:
    return ()


def _no_contrast(*facts: object) -> tuple[tuple[()], tuple[()]]:
    return (), ()


def _nothing_given(facts: object) -> int:
    return 0


def _no_words(*about: object) -> None:
    return None


Facts = tuple[Any, ...]
"""Facts about one move, each of which can be made a `JsonFact`."""


@dataclass(frozen=True, slots=True)
class MoveFacts(Generic[StateT]):
    """Facts about moves, by which a review explains them; by default there are none."""

    of: Callable[[StateT, Move], Facts] = _no_facts
    """Returns all facts about what a legal move does at once."""
    given: Callable[[Facts], int] = _nothing_given
    """Returns how much the next player can take because of a move with these facts."""
    contrast: Callable[[Facts, Facts], tuple[Facts, Facts]] = _no_contrast
    """Returns those facts about a costly move and a better one that tell them apart."""
    read: Callable[[Iterable[JsonFact]], Iterable[Any]] = _no_facts
    """Returns the facts that JSON objects stand for, without those that the game doesn't know."""
    effect: Callable[[Iterable[Any]], Phrase | None] = _no_words
    """Returns the effect of a move, as a phrase that follows its name or "it"."""
    outlook: Callable[[Iterable[Any], str | None], Phrase | None] = _no_words
    """Returns what best play leads to, as a clause about the player of that name, or the reader."""
    theme: Callable[[StateT, Sequence[Move]], str | None] = _no_words
    """Returns the name of the one idea that finds these best moves; None if there is none."""


@dataclass(frozen=True, slots=True)
class Abilities(Generic[StateT]):
    """All that can be done with a game besides playing it by its rules; None: it can't be done.

    Positions mustn't be over.
    """

    captures: CaptureTheory[StateT] | None = None
    box: Callable[[StateT, str], BoxSides] | None = None
    """Returns the box that a text names; raises `NoSuchBox` if it names none of this board."""
    expectation: Callable[[StateT, Seat], float] | None = None
    """Returns how likely a seat seems to win, above -1 and below 1, by more than `evaluate`."""
    long_chain_move: Callable[[StateT, int, Limit, Random], Move] | None = None
    """Returns a move by the long chain rule, while two seats are in play.

    The number is that of the quiet moves that it looks ahead.
    """
    perfect_moves: Callable[[StateT, Limit], PerfectMoves[StateT]] | None = None
    """Returns perfect moves by the game's own solver, while two seats are in play."""
    best_move: Callable[[StateT, float, Limit, Random], Move] | None = None
    """Returns the best move that is found in a mean number of seconds, for two seats or more."""
    solver: Callable[[StateT, int], PositionSolver] | None = None
    """Makes the game's own solver of a position, which takes about so many bytes of memory.

    Values count the things to come that moves take (`GameKind.prize`): for two in play those of the
    seat to move less those of the other.
    """
    judge: JudgeMaker | None = None
    """Makes an exact judge of recorded games."""
    facts: MoveFacts[StateT] = field(default_factory=MoveFacts)
    reason: Callable[[StateT, Move], Phrase] | None = None
    """Returns a clause about a legal move that says what speaks for it, such as `takes a box`."""
    glossary: tuple[str, ...] = ()
    """The words of the game's theory in English. The phrases `word.<word>` and `meaning.<word>` are
    each word, and what it means, in any language."""
    worksheet: Callable[[StateT], str | None] | None = None
    """Returns a position as a worksheet of some school prints it; None if it has another board."""
