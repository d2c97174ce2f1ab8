"""Perft, which counts the games of a length, and random games against the naive rules.

The counts for 8×8 are those that Martin Fierz and Aart Bik published, those for 10×10 the ones on
which the programs for international draughts agree.
"""

import random

import pytest
from tests.bytecodes import counting
from tests.cases import each
from tests.engine.games.draughts.naive import NaiveBoard

from boxroom_engine.games.draughts import Draughts, Position
from boxroom_engine.games.draughts.fen import parse_fen

GAMES = 1_000
QUICK_GAMES = 20


def perft(state: Position, plies: int) -> int:
    """Return the number of games of so many moves from here on."""
    if plies == 1:
        return len(state.legal_moves())
    return sum(perft(state.play(move), plies - 1) for move in state.legal_moves())


def nodes(rules: str, plies: int) -> int:
    return perft(Draughts(rules, "usual").initial(), plies)


@each("plies, number", enumerate((7, 49, 302, 1_469, 7_361, 36_768), 1))
def test_perft_of_english_draughts(plies: int, number: int) -> None:
    assert nodes("english", plies) == number


@each("plies, number", enumerate((9, 81, 658, 4_265, 27_117), 1))
def test_perft_of_international_draughts(plies: int, number: int) -> None:
    assert nodes("international", plies) == number


@pytest.mark.long
@each(
    "rules, plies, number",
    [
        ("english", 7, 179_740),
        ("english", 8, 845_931),
        ("english", 9, 3_963_680),
        ("international", 6, 167_140),
        ("international", 7, 1_049_442),
        ("international", 8, 6_483_961),
    ],
)
def test_deep_perft(rules: str, plies: int, number: int) -> None:
    assert nodes(rules, plies) == number


def assert_agrees(state: Position, naive: NaiveBoard) -> None:
    board, player, number_of = state.game.board, str(state.turn), naive.number.__getitem__
    moves = {
        (naive.number[path[0]], naive.number[path[-1]], frozenset(map(number_of, captured)))
        for path, captured in naive.moves(player)
    }
    steps = {
        (*board.numbers(step.path[0]), *board.numbers(step.path[-1]), captured)
        for step in state.steps.values()
        for captured in [frozenset(board.numbers(step.captured))]
    }
    assert len(steps) == len(state.steps)
    assert steps == moves
    for seat in 0, 1:
        for letter, sets in ("m", state.pieces.men), ("k", state.pieces.kings):
            own = {
                naive.number[at] for at, piece in naive.pieces.items() if piece == f"{letter}{seat}"
            }
            assert own == set(board.numbers(sets[seat]))


def assert_whole_game_agrees(rules: str, size: str, seed: int) -> None:
    rng, state = random.Random(seed), Draughts(rules, size).initial()
    naive = NaiveBoard(state.game.board.size, international=rules == "international")
    while True:
        assert_agrees(state, naive)
        if state.is_over:
            return
        move = rng.choice(state.legal_moves())
        step, board = state.steps[move], state.game.board
        path = tuple(naive.cells[board.number[bit] - 1] for bit in step.path)
        captured = {naive.cells[number - 1] for number in board.numbers(step.captured)}
        assert (path, frozenset(captured)) in naive.moves(str(state.turn))
        naive.play(path, frozenset(captured))
        state = state.play(move)
        assert state.taken == tuple(sorted(naive.number[cell] - 1 for cell in captured))


@each("rules", ["english", "international"])
def test_random_games_agree_with_the_naive_rules(rules: str) -> None:
    for seed in range(QUICK_GAMES):
        assert_whole_game_agrees(rules, "usual", seed)


@each("rules", ["english", "international"])
@each("size", ["6", "8", "10", "12"])
def test_random_games_on_any_size_agree(rules: str, size: str) -> None:
    for seed in range(5):
        assert_whole_game_agrees(rules, size, seed)


@pytest.mark.long
@each("rules", ["english", "international"])
def test_a_thousand_random_games_agree_with_the_naive_rules(rules: str) -> None:
    for seed in range(GAMES):
        assert_whole_game_agrees(rules, "usual", seed)


MANY_WAYS = "W:WK11:B7-10,17,18,20,21,23,29-32,39-43"
"""A king that can come to most squares by many paths; found by hill climbing."""

MOST_BYTECODES = 400_000
"""Two milliseconds. One path after the other it would be five million."""


def test_many_paths_of_a_king_are_bounded_work() -> None:
    state = parse_fen(MANY_WAYS, Draughts("international", "10"))
    with counting() as counter:
        steps = state.steps
    assert len(steps) == 16
    assert counter.bytecodes < MOST_BYTECODES
