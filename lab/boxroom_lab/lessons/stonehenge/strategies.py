"""The assignment's strategies, for every game with its methods.

Minimax is that of `boxroom_engine.search`. It searches positions of this engine, so each state of
the game is shown to it as one.
"""

from collections.abc import Hashable
from copy import copy
from typing import Any, cast

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.stonehenge import KIND
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import MinimaxSearch, best_valued_moves
from boxroom_engine.search.pruned import PrunedMinimax
from boxroom_engine.search.recursive import RecursiveMinimax
from boxroom_lab.lessons.stonehenge.superclasses import PLAYERS, Game


def recursive_minimax_strategy(game: Game) -> Any:
    """Return a move with the highest guaranteed score, by recursion."""
    return _best_move(game, RecursiveMinimax(memo=Memo()))


def iterative_minimax_strategy(game: Game) -> Any:
    """Return a move with the highest guaranteed score, with a stack instead of recursion.

    It leaves out moves that can't change the score, so it is much faster on large boards.
    """
    return _best_move(game, PrunedMinimax(memo=Memo()))


def rough_outcome_strategy(game: Game) -> Any:
    """Return a move that leaves the opponent the lowest rough outcome."""
    state = game.current_state
    return min(_moves(game), key=lambda move: state.make_move(move).rough_outcome())


def interactive_strategy(game: Game) -> Any:
    """Return the move that a person types."""
    return game.str_to_move(input("Enter a move: "))


class _Rules:
    """The part of a `games.protocol.Game` that a search uses; a copy of the assignment's game."""

    kind = KIND  # only the win counts, and there are no forced moves
    seats = len(PLAYERS)

    def __init__(self, game: Game) -> None:
        self._game = copy(game)

    def is_over(self, state: Any) -> bool:
        self._game.current_state = state
        return bool(self._game.is_over(state))

    def winner(self, state: Any) -> Seat | None:
        self._game.current_state = state
        won = (seat for seat, player in enumerate(PLAYERS) if self._game.is_winner(player))
        return next(map(Seat, won), None)


class _Position:
    """The part of a `games.protocol.State` that a search uses; a move is the index of one."""

    def __init__(self, rules: _Rules, state: Any) -> None:
        self.game = rules
        self._state = state
        self._moves = [] if rules.is_over(state) else list(state.get_possible_moves())
        self.to_move = Seat(PLAYERS.index(state.get_current_player_name())) if self._moves else None

    @property
    def key(self) -> Hashable:
        """The state, or its `repr`: by the assignment, equal ones have the same."""
        kind: Any = type(self._state)
        if kind.__eq__ is not object.__eq__ and kind.__hash__ is not None:
            return cast(Hashable, self._state)
        if kind.__repr__ is not object.__repr__:
            return repr(self._state), self.to_move
        return self  # each is one of its own

    def legal_moves(self) -> list[Move]:
        return list(map(Move, range(len(self._moves))))

    def play(self, move: Move) -> "_Position":
        return _Position(self.game, self._state.make_move(self._moves[move]))

    def evaluate(self, seat: Seat) -> float:
        winner = self.game.winner(self._state)
        return 0.0 if winner is None else 1.0 if winner == seat else -1.0


def _best_move(game: Game, search: MinimaxSearch) -> Any:
    moves = _moves(game)
    position = _Position(_Rules(game), game.current_state)
    best, *_ = best_valued_moves(search.values_of_moves(cast(State, position)))
    return moves[best]


def _moves(game: Game) -> list[Any]:
    """Return the possible moves; there must be one."""
    moves = list(game.current_state.get_possible_moves())
    if not moves or game.is_over(game.current_state):
        raise ValueError("the game is over: there is no move")
    return moves
