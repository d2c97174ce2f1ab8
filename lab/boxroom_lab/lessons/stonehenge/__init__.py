"""The classes, strategies and interface of the Stonehenge assignment, under its names.

Players are `'p1'` and `'p2'`, and a state never changes. A strategy is a function that takes a game
and returns a move for its current player, also for games that others have written.

- `superclasses`: the superclasses of games and states, and what a strategy asks of them.
- `games`: Stonehenge and Subtract Square.
- `strategies`: minimax in two forms, the rough outcome, and a person at the keyboard.
- `game_interface`: a game from the first move to the last, at the keyboard.

>>> game = StonehengeGame(True, 2)
>>> game.current_state = game.current_state.make_move(game.str_to_move('A'))
>>> game.current_state.get_current_player_name()
'p2'
>>> iterative_minimax_strategy(game) in game.current_state.get_possible_moves()
True

Source: assignment 2 of CSC148 (University of Toronto, 2018).
"""

from boxroom_lab.lessons.stonehenge.game_interface import (
    GameInterface,
    playable_games,
    usable_strategies,
)
from boxroom_lab.lessons.stonehenge.games import (
    StonehengeGame,
    StonehengeState,
    SubtractSquareGame,
    SubtractSquareState,
)
from boxroom_lab.lessons.stonehenge.strategies import (
    interactive_strategy,
    iterative_minimax_strategy,
    recursive_minimax_strategy,
    rough_outcome_strategy,
)
from boxroom_lab.lessons.stonehenge.superclasses import Game, GameState

__all__ = [
    "Game",
    "GameInterface",
    "GameState",
    "StonehengeGame",
    "StonehengeState",
    "SubtractSquareGame",
    "SubtractSquareState",
    "interactive_strategy",
    "iterative_minimax_strategy",
    "playable_games",
    "recursive_minimax_strategy",
    "rough_outcome_strategy",
    "usable_strategies",
]
