"""A game in memory that two processes share."""

import random
from array import array

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.arena.board import Board, cells_for
from boxroom_engine.arena.playing import Turn
from boxroom_engine.games.protocol import Game
from boxroom_engine.games.registry import make_game

GAMES = [make_game("dots", {"rows": 2, "cols": 2}, 3), make_game("noughts", {}, 2)]


def cells(game: Game) -> "array[float]":
    return array("d", bytes(8 * cells_for(game)))


@given(st.sampled_from(GAMES), st.integers(0, 99), st.integers(0, 12))
def test_what_one_side_writes_the_other_reads(game: Game, seed: int, moves: int) -> None:
    shared = cells(game)
    writes, reads = Board(shared), Board(shared)
    rng, start = random.Random(seed), game.initial()
    state, turns = start, list[Turn]()
    while not state.is_over and len(turns) < moves:
        writes.thinks(100.0 + len(turns))
        assert reads.since_s == 100.0 + len(turns)
        assert state.to_move is not None
        turns.append(Turn(state.to_move, rng.choice(state.legal_moves()), rng.random()))
        state = state.play(turns[-1].move)
        writes.moved(turns[-1])
        assert reads.since_s is None
    assert list(reads.turns(start)) == turns
    writes.clear()
    assert list(reads.turns(start)) == []


def test_a_cleared_board_has_nobody_thinking() -> None:
    board = Board(cells(GAMES[0]))
    board.thinks(5.0)
    board.clear()
    assert board.since_s is None
