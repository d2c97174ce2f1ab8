"""The classes and strategies of the Stonehenge assignment, under its names.

Players are `'p1'` and `'p2'`, a move is the capital letter of a cell, and a state never changes.
A strategy is a function that takes a game and returns a move for its current player.

>>> game = StonehengeGame(True, 2)
>>> game.current_state = game.current_state.make_move(game.str_to_move('A'))
>>> game.current_state.get_current_player_name()
'p2'
>>> iterative_minimax_strategy(game) in game.current_state.get_possible_moves()
True

Source: assignment 2 of CSC148 (University of Toronto, 2018).
"""

from dataclasses import dataclass
from typing import ClassVar

from boxroom_engine.games.drawing import Look
from boxroom_engine.games.errors import MoveError, OptionError
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.stonehenge import KIND, Position, Stonehenge
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import MinimaxSearch, best_valued_moves
from boxroom_engine.search.pruned import PrunedMinimax
from boxroom_engine.search.recursive import RecursiveMinimax
from boxroom_engine.search.rough import rough_outcome

__all__ = [
    "StonehengeGame",
    "StonehengeState",
    "interactive_strategy",
    "iterative_minimax_strategy",
    "recursive_minimax_strategy",
    "rough_outcome_strategy",
]

_PLAYERS = ("p1", "p2")
"""Names of the players, by their seats."""

_LOOK = Look(tuple(KIND.marks), ascii_only=True)


@dataclass(frozen=True, slots=True)
class StonehengeState:
    """A state of the game; `str` draws it as the assignment does, and equal states are equal."""

    position: Position

    WIN: ClassVar[int] = 1
    LOSE: ClassVar[int] = -1
    DRAW: ClassVar[int] = 0

    def __str__(self) -> str:
        return self.position.draw(_LOOK).plain()

    def __repr__(self) -> str:
        return f"{self}\nIt is the turn of {self.get_current_player_name()}."

    @property
    def p1_turn(self) -> bool:
        """Whether the current player is player 1."""
        return self._seat == 0

    @property
    def _seat(self) -> Seat:
        """The seat to move or, when the game is over, the one that would be: the loser."""
        outcome = self.position.outcome
        if outcome is not None:
            return Seat(1 - outcome.winners[0])
        assert self.position.to_move is not None
        return self.position.to_move

    def get_possible_moves(self) -> list[str]:
        """Return the letters of all cells that can be claimed; none when the game is over."""
        return list(map(self.position.game.format_move, self.position.legal_moves()))

    def get_current_player_name(self) -> str:
        """Return `'p1'` or `'p2'`: the player to move, or after the end the loser."""
        return _PLAYERS[self._seat]

    def make_move(self, move: str) -> "StonehengeState":
        """Return the state after the current player claimed a cell.

        Raises:
            MoveError: there is no such cell, it is claimed already, or the game is over.
        """
        return StonehengeState(self.position.play(self.position.game.parse_move(move)))

    def is_valid_move(self, move: str) -> bool:
        """Whether `move` can be made."""
        return move in self.get_possible_moves()

    def rough_outcome(self) -> float:
        """Return a guess of the result for the current player: 1 is won, -1 lost.

        `boxroom_engine.search.rough` says how it is made.
        """
        return rough_outcome(self.position, self._seat)


class StonehengeGame:
    """A game of Stonehenge; its `current_state` is for the caller to replace, move by move.

    Args:
        p1_starts: whether player 1 makes the first move.
        side_length: the number of cells in the last row, 1 to 5; by default a question at the
            keyboard asks for it.

    Raises:
        OptionError: `side_length` is none.
    """

    def __init__(self, p1_starts: bool, side_length: int | None = None) -> None:
        self._game = _ask_for_game() if side_length is None else _game_of(str(side_length))
        # The state of the game now.
        self.current_state = StonehengeState(
            self._game.initial().with_to_move(Seat(0 if p1_starts else 1))
        )

    def get_instructions(self) -> str:
        """Return the rules, and how to make a move."""
        return f"{self._game.rules} {self._game.how_to_move}"

    def is_over(self, state: StonehengeState) -> bool:
        """Whether the game is over in `state`."""
        return state.position.is_over

    def is_winner(self, player: str) -> bool:
        """Whether `player`, `'p1'` or `'p2'`, has won.

        Raises:
            ValueError: there is no such player.
        """
        if player not in _PLAYERS:
            raise ValueError(f"the players are p1 and p2, not {player!r}")
        outcome = self.current_state.position.outcome
        return outcome is not None and _PLAYERS.index(player) in outcome.winners

    def str_to_move(self, string: str) -> str:
        """Return the move that `string` means, in either case; other text as an invalid move."""
        try:
            return self._game.format_move(self._game.parse_move(string))
        except MoveError:
            return string


def recursive_minimax_strategy(game: StonehengeGame) -> str:
    """Return a move with the highest guaranteed score, by recursion."""
    return _best_move(game, RecursiveMinimax(memo=Memo()))


def iterative_minimax_strategy(game: StonehengeGame) -> str:
    """Return a move with the highest guaranteed score, with a stack instead of recursion.

    It leaves out moves that can't change the score, so it is much faster on large boards.
    """
    return _best_move(game, PrunedMinimax(memo=Memo()))


def rough_outcome_strategy(game: StonehengeGame) -> str:
    """Return a move that leaves the opponent the lowest rough outcome."""
    state = game.current_state
    return min(_moves(game), key=lambda move: state.make_move(move).rough_outcome())


def interactive_strategy(game: StonehengeGame) -> str:
    """Return the move that a person types."""
    return game.str_to_move(input("Enter a move: "))


def _best_move(game: StonehengeGame, search: MinimaxSearch) -> str:
    _moves(game)
    position = game.current_state.position
    best, *_ = best_valued_moves(search.values_of_moves(position))
    return position.game.format_move(best)


def _moves(game: StonehengeGame) -> list[str]:
    """Return the possible moves; there must be one."""
    moves = game.current_state.get_possible_moves()
    if not moves:
        raise ValueError("the game is over: there is no move")
    return moves


def _ask_for_game() -> Stonehenge:
    """Ask for the side length until it is one."""
    while True:
        try:
            return _game_of(input("Enter the side length of the board: "))
        except OptionError as error:
            print(f"{error}.")


def _game_of(side_length: str) -> Stonehenge:
    game = KIND.make({"size": side_length.strip()}, seats=2)
    assert isinstance(game, Stonehenge)
    return game
