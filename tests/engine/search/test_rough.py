"""Rough outcomes: what they say of the end, of the next two moves, and of captures."""

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.search.test_pruned import late_positions

from boxroom_engine.games.protocol import Game, OptionValue, Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.search.rough import rough_outcome, rough_outcomes
from boxroom_engine.stopping import SearchStopped


def position(name: str, text: str, options: dict[str, OptionValue], seats: int = 2) -> State:
    return make_game(name, options, seats).parse_position(text)


def played(game: Game, moves: str) -> State:
    state = game.initial()
    for move in moves.split():
        state = state.play(game.parse_move(move))
    return state


def only_winner(state: State) -> Seat | None:
    return state.outcome.winners[0] if state.outcome and len(state.outcome.winners) == 1 else None


def winning_moves(state: State) -> list[int]:
    return [m for m in state.legal_moves() if only_winner(state.play(m)) == state.to_move]


@given(state=late_positions())
def test_it_is_certain_when_a_move_wins_or_every_move_lets_the_other_win(state: State) -> None:
    seat = state.to_move
    assert seat is not None
    children = [state.play(move) for move in state.legal_moves()]
    guess = rough_outcome(state, seat)
    assert (guess == 1) == bool(winning_moves(state))
    is_lost = not winning_moves(state) and all(map(winning_moves, children))
    assert (guess == -1) == is_lost


class TestSubtractSquare:
    @each(
        "left, guess",
        # 2 and 5 leave only squares; 12 is lost too, but that takes more than two moves to see
        [(1, 1), (2, -1), (3, 0), (4, 1), (5, -1), (6, 0), (8, 0), (9, 1), (12, 0)],
    )
    def test_squares_win_and_what_leaves_only_squares_loses(self, left: int, guess: int) -> None:
        state = position("subtract-square", f"{left}/0/0/-", {"start": 20})
        assert rough_outcomes(state) == (guess, -guess)


class TestStonehenge:
    def test_at_the_start_nobody_is_ahead(self) -> None:
        assert rough_outcomes(make_game("stonehenge", {"size": 3}, 2).initial()) == (0, 0)

    def test_before_that_it_is_the_lead_in_ley_lines(self) -> None:
        """A has half of the first row; G, in the middle, has half of nothing."""
        state = played(make_game("stonehenge", {"size": 3}, 2), "A G")
        assert state.scores == (1, 0)
        assert rough_outcomes(state) == (1 / 12, -1 / 12)


class TestNoughts:
    def test_the_last_two_of_three_lose_to_the_one_that_follows(self) -> None:
        """Seat 1 blocks one of the two lines of seat 2, which then completes the other."""
        state = position("noughts", "2.201.0.2/1/-", {}, 3)
        assert rough_outcomes(state) == (-1, -1, 1)


class TestTheEnd:
    @each(
        "text, seats, guesses",
        [
            ("00011..../-/-", 2, (1, -1)),
            ("010011101/-/-", 2, (0, 0)),
            ("0......../-/0,2", 3, (-1, 1, -1)),
        ],
    )
    def test_it_is_the_result(self, text: str, seats: int, guesses: tuple[float, ...]) -> None:
        assert rough_outcomes(position("noughts", text, {}, seats)) == guesses

    def test_a_joint_win_is_neither_won_nor_lost(self) -> None:
        state = played(make_game("dots", {"rows": 1, "cols": 2}, 2), "h0 h2 v0 h1 v1 h3 v2")
        assert state.scores == (1, 1)
        assert rough_outcomes(state) == (0, 0)


def test_captures_come_before_the_estimate() -> None:
    """Black has to jump, and White may jump back with either of two men."""
    game = make_game("draughts", {}, 2)
    state = played(game, "11-15 22-18")
    ends = [played(game, f"11-15 22-18 15x22 {back}") for back in ("25x18", "26x17")]
    values = [end.evaluate(Seat(0)) for end in ends]
    assert rough_outcome(state, Seat(0)) == min(values)
    assert rough_outcome(state, Seat(0)) != state.evaluate(Seat(0))


def test_a_withdrawn_seat_has_lost() -> None:
    state = make_game("noughts", {}, 3).initial().withdraw(Seat(1))
    assert rough_outcome(state, Seat(1)) == -1


@given(state=late_positions(), seed=st.integers(0, 99))
def test_the_stop_condition_ends_it(state: State, seed: int) -> None:
    left = random.Random(seed).randrange(3)

    def stop() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        assert rough_outcomes(state, stop=stop) == rough_outcomes(state)
    except SearchStopped:
        assert left == -1
