"""The assignment's program: two strategies play a game, and its states are printed.

::

    python -m boxroom_lab.lessons.stonehenge.game_interface
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from boxroom_lab.lessons.stonehenge.games import StonehengeGame, SubtractSquareGame
from boxroom_lab.lessons.stonehenge.strategies import (
    interactive_strategy,
    iterative_minimax_strategy,
    recursive_minimax_strategy,
    rough_outcome_strategy,
)
from boxroom_lab.lessons.stonehenge.superclasses import PLAYERS, Game

Strategy = Callable[[Any], Any]
"""A function that returns a move for the current player of a game."""

playable_games: dict[str, Callable[[bool], Game]] = {
    "s": SubtractSquareGame,
    "h": StonehengeGame,
}
"""The games by what is typed to choose them."""

usable_strategies: dict[str, Strategy] = {
    "i": interactive_strategy,
    "ro": rough_outcome_strategy,
    "mr": recursive_minimax_strategy,
    "mi": iterative_minimax_strategy,
}
"""The strategies by what is typed to choose them."""

Chosen = TypeVar("Chosen")


class GameInterface:
    """A game between two strategies; the person at the keyboard says who begins.

    Args:
        game: called with whether player 1 begins; returns the game.
        p1_strategy: player 1's.
        p2_strategy: player 2's.
    """

    def __init__(
        self, game: Callable[[bool], Game], p1_strategy: Strategy, p2_strategy: Strategy
    ) -> None:
        answer = input("Type y if player 1 is to make the first move: ")
        self.game = game(answer.strip().lower() == "y")
        self.p1_strategy = p1_strategy
        self.p2_strategy = p2_strategy

    def play(self) -> None:
        """Play the game to its end; a strategy is asked again after a move that can't be made."""
        game = self.game
        print(f"{game.get_instructions()}\n{game.current_state}")
        while not game.is_over(game.current_state):
            state, player = game.current_state, game.current_state.get_current_player_name()
            print("These moves can be made:", *state.get_possible_moves(), sep="\n")
            strategy = self.p1_strategy if player == PLAYERS[0] else self.p2_strategy
            move = strategy(game)
            while not state.is_valid_move(move):
                move = strategy(game)
            game.current_state = state.make_move(move)
            print(f"{player} made the move {move}. This is the state now:\n{game.current_state}")
        print(self._result())

    def _result(self) -> str:
        for number, player in enumerate(PLAYERS, 1):
            if self.game.is_winner(player):
                return f"Player {number} is the winner!"
        return "It's a tie!"


def main() -> None:
    """Ask for a game and two strategies, and play."""
    game = _chosen("Select the game", playable_games)
    first = _chosen("Select the strategy of player 1", usable_strategies)
    second = _chosen("Select the strategy of player 2", usable_strategies)
    GameInterface(game, first, second).play()


def _chosen(request: str, choices: Mapping[str, Chosen]) -> Chosen:
    """Ask until the answer is one of `choices`."""
    names = ", ".join(f"{key}: {getattr(each, '__name__', '')}" for key, each in choices.items())
    while True:
        answer = input(f"{request} ({names}): ").strip()
        if answer in choices:
            return choices[answer]


if __name__ == "__main__":
    main()
