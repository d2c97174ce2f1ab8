"""The assignment's games, solved by the assignment's two forms of minimax."""

from functools import cache
from math import isqrt

import pytest
from tests.engine.search.test_minimax import negamax

from boxroom_engine.games.registry import make_game
from boxroom_engine.search.iterative import IterativeMinimax
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import MinimaxSearch, best_valued_moves
from boxroom_engine.search.recursive import RecursiveMinimax

every_form = pytest.mark.parametrize("form", [RecursiveMinimax, IterativeMinimax])


@cache
def is_won(left: int) -> bool:
    """Whether the player to move wins Subtract Square: some square leaves a losing heap."""
    return any(not is_won(left - root**2) for root in range(1, isqrt(left) + 1))


@every_form
class TestSubtractSquare:
    def test_the_winning_moves_up_to_a_hundred(self, form: type[MinimaxSearch]) -> None:
        for start in range(1, 101):
            game = make_game("subtract-square", {"start": start}, 2)
            values = form(memo=Memo()).values_of_moves(game.initial())
            squares = [root**2 for root in range(1, isqrt(start) + 1)]
            winning = [str(square) for square in squares if not is_won(start - square)]
            assert [game.format_move(m) for m, value in values.items() if value == 1] == winning
            assert set(values.values()) <= {1, -1}

    def test_the_assignments_example(self, form: type[MinimaxSearch]) -> None:
        """From six take one or four; the search finds that without a memo, too."""
        game = make_game("subtract-square", {"start": 6}, 2)
        values = form().values_of_moves(game.initial())
        assert [game.format_move(move) for move in best_valued_moves(values)] == ["1", "4"]


@every_form
class TestStonehenge:
    @pytest.mark.parametrize("has_memo", [False, True], ids=["plain", "memo"])
    def test_the_winning_moves_of_size_two(self, form: type[MinimaxSearch], has_memo: bool) -> None:
        state = make_game("stonehenge", {"size": 2}, 2).initial()
        assert state.to_move is not None
        values = form(memo=Memo() if has_memo else None).values_of_moves(state)
        assert values == {
            move: negamax(state.play(move), state.to_move) for move in state.legal_moves()
        }

    @pytest.mark.long
    def test_the_winning_moves_of_size_three(self, form: type[MinimaxSearch]) -> None:
        """The first player wins with any cell."""
        game = make_game("stonehenge", {"size": 3}, 2)
        values = form(memo=Memo()).values_of_moves(game.initial())
        assert values == dict.fromkeys(game.initial().legal_moves(), 1)

    def test_of_size_three_some_moves_later(self, form: type[MinimaxSearch]) -> None:
        game = make_game("stonehenge", {"size": 3}, 2)
        state = game.initial()
        for cell in "FCHAK":
            state = state.play(game.parse_move(cell))
        assert state.to_move is not None
        assert form(memo=Memo()).values_of_moves(state) == {
            move: negamax(state.play(move), state.to_move) for move in state.legal_moves()
        }
