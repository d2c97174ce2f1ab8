"""The search against minimax that forgets everything and leaves nothing out."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.games.dots.boards import positions

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.neutral_search import NeutralSearch, can_stay_neutral
from boxroom_engine.games.dots.theory.captures import neutral
from boxroom_engine.games.dots.theory.forecast import forecast
from boxroom_engine.games.dots.theory.neutral import longest_neutral_run
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import SearchStopped


def minimax(position: Position) -> int:
    waits = neutral(position)
    if not waits:
        return forecast(parts_of(position))
    return max(-minimax(position.play(wait)) for wait in waits)


def with_neutral_moves(game: Dots, most: int, rng: random.Random) -> Position:
    """A position to which neutral moves lead, and from which at most so many lead on."""
    position = game.initial()
    while len(longest_neutral_run(position)) > most:
        position = position.play(rng.choice(neutral(position)))
    return position


@st.composite
def waiting_positions(draw: st.DrawFn) -> Position:
    """Positions with up to four neutral moves one after the other."""
    size = st.integers(2, 5)
    game = Dots(draw(size), draw(size), draw(st.sampled_from(Border)), 2)
    return with_neutral_moves(game, draw(st.integers(0, 4)), random.Random(draw(st.integers(0))))


def search(position: Position) -> NeutralSearch:
    """The search that nothing stops."""
    return NeutralSearch(position.game.grid, lambda: False)


@given(waiting_positions())
def test_the_value_is_that_of_plain_minimax(position: Position) -> None:
    assert search(position).value(position) == minimax(position)


@given(waiting_positions(), st.randoms(use_true_random=False))
def test_the_first_best_move_of_those_given(position: Position, rng: random.Random) -> None:
    moves = list(neutral(position))
    if moves:
        rng.shuffle(moves)
        best = search(position).best(position, moves)
        values = {move: -minimax(position.play(move)) for move in moves}
        assert best == max(moves, key=values.__getitem__)


@given(positions(), st.integers(0, 30))
def test_how_long_one_can_wait(position: Position, moves: int) -> None:
    run = len(longest_neutral_run(position))
    assert can_stay_neutral(position, moves) == (run > moves)


class TestStopping:
    """On 6×6 with nine neutral moves to come, which takes two thousand positions."""

    position = with_neutral_moves(Dots(6, 6, Border.NONE, 2), 9, random.Random(0))
    moves = neutral(position)

    def test_there_is_no_value(self) -> None:
        asked = iter([False, False, True])
        with pytest.raises(SearchStopped):
            NeutralSearch(self.position.game.grid, lambda: next(asked)).value(self.position)
        assert list(asked) == []

    def test_the_best_so_far(self) -> None:
        """The longer it may search, the better is what it finds; here, beginning with the worst."""
        value = {
            move: -search(self.position).value(self.position.play(move)) for move in self.moves
        }
        worst_first = sorted(self.moves, key=value.__getitem__)
        bests = [self.stopped_after(asks, worst_first) for asks in (0, 100, 1000, 10_000)]
        assert bests[0] == worst_first[0]
        values = [value[move] for move in bests]
        assert values == sorted(values)
        assert values[0] < values[-1]

    def stopped_after(self, asks: int, moves: list[Move]) -> Move:
        stops = iter([False] * asks)
        waiting = NeutralSearch(self.position.game.grid, lambda: next(stops, True))
        return waiting.best(self.position, moves)
