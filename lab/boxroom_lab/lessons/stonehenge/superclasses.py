"""The superclasses of the assignment's games and states; methods that are missing here are theirs.

A strategy needs no more of a game than its `current_state`, `is_over` and `is_winner`, and of a
state `get_possible_moves`, `make_move` and `get_current_player_name`, whatever its class.
"""

from typing import Any, ClassVar

PLAYERS = ("p1", "p2")
"""Names of the players."""


class GameState:
    """The state of a game at some moment; its `p1_turn` says whether it is player 1's turn."""

    WIN: ClassVar[int] = 1
    LOSE: ClassVar[int] = -1
    DRAW: ClassVar[int] = 0

    def __init__(self, is_p1_turn: bool) -> None:
        self.p1_turn = is_p1_turn

    def get_possible_moves(self) -> list[Any]:
        """Return all moves that can be made; none when the game is over."""
        raise NotImplementedError

    def make_move(self, move: Any) -> Any:
        """Return the state after the current player made `move`."""
        raise NotImplementedError

    def get_current_player_name(self) -> str:
        """Return `'p1'` or `'p2'`: the player to move, or after the end the one that would be."""
        return PLAYERS[0] if self.p1_turn else PLAYERS[1]

    def is_valid_move(self, move: Any) -> bool:
        """Whether `move` can be made."""
        return move in self.get_possible_moves()

    def rough_outcome(self) -> float:
        """Return a guess of the result for the current player: 1 is won, -1 lost."""
        raise NotImplementedError


class Game:
    """A game; its `current_state` is for the caller to replace, move by move."""

    current_state: Any

    def get_instructions(self) -> str:
        """Return the rules."""
        raise NotImplementedError

    def is_over(self, state: Any) -> bool:
        """Whether the game is over in `state`."""
        raise NotImplementedError

    def is_winner(self, player: str) -> bool:
        """Whether `player`, `'p1'` or `'p2'`, has won in the current state."""
        raise NotImplementedError

    def str_to_move(self, string: str) -> Any:
        """Return the move that `string` means; other text as an invalid move."""
        raise NotImplementedError
