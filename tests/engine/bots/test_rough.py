"""Rough: it leaves the others the worst guess; the guesses of every game are within bounds."""

import random

import pytest
from tests.cases import each
from tests.engine.bots.test_greedy import played, wins
from tests.engine.clocks import no_limit, ticking
from tests.engine.games.test_conformance import every_playout, positions, some_positions

from boxroom_engine.bots.careless import CarelessBot
from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.rough import RoughBot
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.protocol import Game, Move, OptionValue, Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.rough import rough_outcomes
from boxroom_engine.stopping import Limit

ROUGH = RoughBot()


def choices(state: State, limit: Limit | None = None) -> set[str]:
    """Every move that rough makes here for one seed or another."""
    limit = limit or no_limit()
    moves = {ROUGH.choose(state, limit, random.Random(seed)) for seed in range(40)}
    return set(map(state.game.format_move, moves))


def unlimited(state: State, rng: random.Random) -> Move:
    return ROUGH.choose(state, no_limit(), rng)


@every_playout
def test_the_guesses_of_every_game_are_within_bounds(game: Game, seed: int) -> None:
    """Before the end only the next two moves make one certain."""
    for state in some_positions(game, seed):
        guesses = rough_outcomes(state)
        assert len(guesses) == game.seats
        assert all(-1 <= guess <= 1 for guess in guesses)
        stayed = [g for seat, g in enumerate(guesses) if seat not in state.withdrawn]
        if not game.kind.only_the_win_counts and not state.is_over:
            assert all(-1 < guess < 1 for guess in stayed)
        if state.outcome is not None and len(state.outcome.winners) == 1:
            assert guesses[state.outcome.winners[0]] == 1
            assert guesses.count(-1) == game.seats - 1
        if 1 in guesses and not state.is_over:
            assert is_decided(state)
        if game.seats == 2:
            assert guesses[0] == pytest.approx(-guesses[1])


def is_decided(state: State) -> bool:
    """Whether the seat to move wins at once, or the next one after each of its moves."""
    after = [state.play(move) for move in state.legal_moves()]
    if any(won_by(each, state.to_move) for each in after):
        return True
    return all(
        any(won_by(each.play(move), each.to_move) for move in each.legal_moves())
        or (each.is_over and not won_by(each, state.to_move))
        for each in after
    )


def won_by(state: State, seat: Seat | None) -> bool:
    return state.outcome is not None and state.outcome.winners == (seat,)


SIZES: list[tuple[str, dict[str, OptionValue]]] = [
    ("dots", {"rows": 5, "cols": 5}),
    ("noughts", {"dims": "4,4,4", "line": 4}),
    ("stonehenge", {"size": 5}),
    ("subtract-square", {"start": 1000}),
    ("draughts", {"rules": "international"}),
]


class TestCost:
    def test_a_guess_looks_at_few_positions(self) -> None:
        """It asks whether to stop at most once for each move, and for each line of captures."""
        for name, options in SIZES:
            game = make_game(name, options, 2)
            for state in positions(game, seed=0):
                looked_at = 0

                def count() -> bool:
                    nonlocal looked_at
                    looked_at += 1
                    return False

                rough_outcomes(state, count)
                assert looked_at <= 100 + len(state.legal_moves())


HORIZONTALS = " ".join(f"h{number}" for number in range(12))
"""All of them on 2×4, which leaves a chain of four in each row."""


class TestDots:
    def test_it_keeps_control_of_an_endgame(self) -> None:
        """Two chains of four, one of them opened: to take all of it would cost the other one."""
        state = played(Dots(2, 4, Border.NONE, 2), f"{HORIZONTALS} v0")
        assert state.to_move == 1
        rng = random.Random(1)
        while not state.is_over:
            state = state.play(unlimited(state, rng))
        assert state.scores == (2, 6)

    def test_it_gives_away_a_short_chain(self) -> None:
        """Of two boxes, as v2 halves the first row; the second row is a chain of four."""
        state = played(Dots(2, 4, Border.NONE, 3), f"{HORIZONTALS} v2")
        assert choices(state) <= {"v0", "v1", "v3", "v4"}

    def test_of_three_it_takes_what_the_next_would_take(self) -> None:
        state = played(Dots(1, 2, Border.NONE, 3), "h0 h2 v0")
        assert choices(state) == {"v1"}


class TestOtherGames:
    @each(
        "name, text, moves",
        [
            ("noughts", "00.11..../0/-", {"2"}),  # it wins
            ("noughts", "0..11...0/0/-", {"5"}),  # the other would win
            ("subtract-square", "9/0/0/-", {"9", "4"}),  # 5 is lost for the other
            ("subtract-square", "6/0/0/-", {"1", "4"}),  # both leave nothing but squares
            ("subtract-square", "8/0/0/-", {"1"}),  # 7 is no win at once; 4 is one
        ],
    )
    def test_it_wins_at_once_or_leaves_no_win(self, name: str, text: str, moves: set[str]) -> None:
        assert choices(make_game(name, {}, 2).parse_position(text)) == moves

    def test_of_three_it_looks_at_the_opponent_that_stands_best(self) -> None:
        """Cell 2 stops seat 1, and no other move does."""
        state = make_game("noughts", {}, 3).parse_position("11..2..../0/-")
        assert choices(state) == {"2"}


def test_it_beats_greedy() -> None:
    assert wins(ROUGH, GreedyBot(), 10) >= 6


@pytest.mark.long
def test_it_beats_the_bots_that_look_no_further_than_the_next_move() -> None:
    assert wins(ROUGH, CarelessBot(), 40) >= 26
    assert wins(ROUGH, GreedyBot(), 40) >= 24


def test_without_time_for_all_moves_it_plays_one_of_those_that_it_has_looked_at() -> None:
    state = make_game("noughts", {"dims": "12,12", "line": 5}, 2).initial()
    clock = ticking(0.25)
    assert ROUGH.choose(state, Limit(20.0, clock), random.Random(0)) in state.legal_moves()
    assert 10 < clock() < 20
