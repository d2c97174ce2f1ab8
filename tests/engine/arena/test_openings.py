"""Openings: quiet, distinct, and reproducible by their seed."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.arena.openings import openings, usual_plies
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import takeable
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.games.registry import KINDS, make_game


def after(game: Game, moves: tuple[Move, ...]) -> State:
    state = game.initial()
    for move in moves:
        state = state.play(move)
    return state


def some(game: Game, plies: int, seed: int, number: int = 10) -> list[tuple[Move, ...]]:
    return list(islice(openings(game, plies, seed), number))


GAMES = st.builds(
    Dots, st.integers(1, 4), st.integers(2, 5), st.sampled_from(Border), st.integers(2, 4)
)


@given(GAMES, st.integers(0, 40), st.integers(0, 99))
def test_in_an_opening_no_box_is_taken_or_can_be(game: Dots, plies: int, seed: int) -> None:
    for moves in some(game, plies, seed):
        state = after(game, moves)
        assert isinstance(state, Position)
        assert len(moves) <= plies
        assert not state.is_over
        assert state.scores == (0,) * game.seats
        assert not takeable(state) or state == game.initial()  # a border can leave boxes open


@each("kind", KINDS)
def test_every_game_has_openings_of_the_usual_length(kind: str) -> None:
    game = make_game(kind, {}, 2)
    plies = usual_plies(game)
    assert 1 <= plies <= 12
    assert [len(moves) for moves in some(game, plies, 1)] == [plies] * 10


@each("rules", ["english", "international"])
def test_in_openings_of_draughts_nothing_can_be_captured(rules: str) -> None:
    game = make_game("draughts", {"rules": rules}, 2)
    for moves in some(game, 8, seed=2):
        state = after(game, moves)
        assert len(moves) == 8
        assert state.scores == (0, 0)
        assert not any(state.play(move).taken for move in state.legal_moves())


def test_they_lead_to_different_positions_as_long_as_there_are_any() -> None:
    game = make_game("dots", {"rows": 5, "cols": 5}, 2)
    found = some(game, 7, seed=1, number=300)
    assert len({after(game, moves) for moves in found}) == 300
    noughts = make_game("noughts", {}, 2)
    assert len({after(noughts, moves) for moves in some(noughts, 1, seed=1, number=9)}) >= 8
    assert len(some(noughts, 1, seed=1, number=50)) == 50


def test_other_games_dont_end_in_the_opening() -> None:
    noughts = make_game("noughts", {}, 2)
    for moves in some(noughts, 9, seed=3, number=50):
        assert not after(noughts, moves).is_over


@given(st.integers(0, 10**9))
def test_the_seed_makes_them(seed: int) -> None:
    game = make_game("dots", {"rows": 3, "cols": 3}, 2)
    assert some(game, 3, seed) == some(game, 3, seed)
    assert some(game, 3, seed, 5) == some(game, 3, seed, 10)[:5]
    assert some(game, 3, seed) != some(game, 3, seed + 1)


def test_no_plies_no_moves() -> None:
    assert some(make_game("dots", {}, 2), 0, 1) == [()] * 10


def test_a_board_may_have_no_quiet_move_at_all() -> None:
    assert some(Dots(1, 2, Border.FULL, 2), 5, 1) == [()] * 10


def test_the_usual_length_grows_with_the_board_but_not_for_ever() -> None:
    boards = [make_game("dots", {"rows": n, "cols": n}, 2) for n in (1, 3, 5, 10, 30)]
    assert [usual_plies(game) for game in boards] == [0, 3, 7, 12, 12]
