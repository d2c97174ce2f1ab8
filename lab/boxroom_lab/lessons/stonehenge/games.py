"""Stonehenge and Subtract Square as the assignment's classes, on the games of this engine.

In Stonehenge a move is the capital letter of a cell, in Subtract Square the number to subtract.
"""

from collections.abc import Callable
from typing import TypeVar

from boxroom_engine.games import stonehenge, subtract_square
from boxroom_engine.games.drawing import Look
from boxroom_engine.games.errors import MoveError, OptionError
from boxroom_engine.games.protocol import Seat
from boxroom_engine.phrases import phrase
from boxroom_engine.search.rough import rough_outcome
from boxroom_lab.lessons.stonehenge.superclasses import PLAYERS, Game, GameState

_LOOK = Look(tuple(stonehenge.KIND.marks), ascii_only=True)

_MOST_DIGITS = 9  # int() refuses or is slow on thousands

Answer = TypeVar("Answer")


class StonehengeState(GameState):
    """A state of Stonehenge; `str` draws it as the assignment does, and equal states are equal."""

    def __init__(self, position: stonehenge.Position) -> None:
        super().__init__(_seat_of(position) == 0)
        self.position = position

    def __str__(self) -> str:
        return self.position.draw(_LOOK).plain()

    def __repr__(self) -> str:
        return f"{self}\nIt is the turn of {self.get_current_player_name()}."

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StonehengeState):
            return self.position == other.position
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.position)

    def get_possible_moves(self) -> list[str]:
        """Return the letters of all cells that can be claimed; none when the game is over."""
        return list(map(self.position.game.format_move, self.position.legal_moves()))

    def make_move(self, move: str) -> "StonehengeState":
        """Return the state after the current player claimed a cell.

        Raises:
            MoveError: there is no such cell, it is claimed already, or the game is over.
        """
        return StonehengeState(self.position.play(self.position.game.parse_move(move)))

    def rough_outcome(self) -> float:
        """Return a guess of the result for the current player: 1 is won, -1 lost.

        `boxroom_engine.search.rough` says how it is made.
        """
        return rough_outcome(self.position, _seat_of(self.position))


class SubtractSquareState(GameState):
    """A state of Subtract Square; equal states are equal.

    Args:
        is_p1_turn: whether it is player 1's turn.
        current_total: the number to subtract from, 0 or more.
    """

    def __init__(self, is_p1_turn: bool, current_total: int) -> None:
        super().__init__(is_p1_turn)
        self.current_total = current_total

    def __str__(self) -> str:
        return f"Current total: {self.current_total}"

    def __repr__(self) -> str:
        return f"P1's Turn: {self.p1_turn} - Total: {self.current_total}"

    def __eq__(self, other: object) -> bool:
        return (
            repr(self) == repr(other) if isinstance(other, SubtractSquareState) else NotImplemented
        )

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def _position(self) -> subtract_square.Position:
        game = subtract_square.SubtractSquare(self.current_total)
        return subtract_square.Position(game, self.current_total, 0 if self.p1_turn else 1)

    def get_possible_moves(self) -> list[int]:
        """Return all squares that can be subtracted, ascending."""
        return list(map(subtract_square.square, self._position.legal_moves()))

    def make_move(self, move: int | str) -> "SubtractSquareState":
        """Return the state after the current player subtracted `move`.

        Raises:
            MoveError: it is no square, or greater than what is left.
        """
        position = self._position
        after = position.play(position.game.parse_move(str(move)))
        return SubtractSquareState(not self.p1_turn, after.left)

    def rough_outcome(self) -> float:
        """Return the result for the current player if it shows in two moves, else 0."""
        return rough_outcome(self._position, Seat(0 if self.p1_turn else 1))


class _LastMoveWins(Game):
    """A game that is won by who makes the last move."""

    def is_winner(self, player: str) -> bool:
        """Return True if `player`, `'p1'` or `'p2'`, has won.

        Raises:
            ValueError: there is no such player.
        """
        if player not in PLAYERS:
            raise ValueError(f"the players are p1 and p2, not {player!r}")
        state = self.current_state
        return self.is_over(state) and state.get_current_player_name() != player


class StonehengeGame(_LastMoveWins):
    """A game of Stonehenge.

    Args:
        p1_starts: whether player 1 makes the first move.
        side_length: the number of cells in the last row, 1 to 5; by default a question at the
            keyboard asks for it.

    Raises:
        OptionError: `side_length` is none.
    """

    current_state: StonehengeState

    def __init__(self, p1_starts: bool, side_length: int | None = None) -> None:
        question = "Enter the side length of the board: "
        self._game = (
            _asked(question, _stonehenge) if side_length is None else _stonehenge(str(side_length))
        )
        start = self._game.initial().with_to_move(Seat(0 if p1_starts else 1))
        self.current_state = StonehengeState(start)

    def get_instructions(self) -> str:
        """Return the rules, and how to make a move."""
        return f"{self._game.rules} {self._game.how_to_move}"

    def is_over(self, state: StonehengeState) -> bool:
        return state.position.is_over

    def str_to_move(self, string: str) -> str:
        """Return the move that `string` means, in either case; other text as an invalid move."""
        try:
            return self._game.format_move(self._game.parse_move(string))
        except MoveError:
            return string


class SubtractSquareGame(_LastMoveWins):
    """A game of Subtract Square.

    Args:
        p1_starts: whether player 1 makes the first move.
        total: the number to subtract from, 0 or more; by default a question at the keyboard asks
            for it.

    Raises:
        OptionError: `total` is none.
    """

    current_state: SubtractSquareState

    def __init__(self, p1_starts: bool, total: int | None = None) -> None:
        question = "Enter the number to subtract from: "
        chosen = _asked(question, _total) if total is None else _total(str(total))
        self.current_state = SubtractSquareState(p1_starts, chosen)

    def get_instructions(self) -> str:
        return (
            "Players take turns to subtract a square number from what is left. The player who"
            " leaves 0 wins."
        )

    def is_over(self, state: SubtractSquareState) -> bool:
        """Whether nothing is left in `state`."""
        return state.current_total == 0

    def str_to_move(self, string: str) -> int:
        """Return the number in `string`, or -1, which is no move, if there is none."""
        try:
            return _total(string)
        except OptionError:
            return -1


def _seat_of(position: stonehenge.Position) -> Seat:
    """Return the seat to move or, when the game is over, the one that would be: the loser."""
    if position.outcome is not None:
        return Seat(1 - position.outcome.winners[0])
    assert position.to_move is not None
    return position.to_move


def _asked(question: str, parse: Callable[[str], Answer]) -> Answer:
    """Ask until the answer can be parsed."""
    while True:
        try:
            return parse(input(question))
        except OptionError as error:
            print(f"{error}.")


def _stonehenge(side_length: str) -> stonehenge.Stonehenge:
    game = stonehenge.KIND.make({"size": side_length.strip()}, seats=2)
    assert isinstance(game, stonehenge.Stonehenge)
    return game


def _total(text: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
        raise OptionError(phrase("option.digits", n=_MOST_DIGITS))
    return int(digits)
