"""A game in memory that two processes share."""

import random
from multiprocessing.heap import Heap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.arena.playing import TimedMove
from boxroom_engine.games.protocol import Game
from boxroom_engine.games.registry import make_game
from boxroom_lab.arena.shared_game import SharedGame, _Memory

GAMES = [make_game("dots", {"rows": 2, "cols": 2}, 3), make_game("noughts", {}, 2)]


@given(st.sampled_from(GAMES), st.integers(0, 99), st.integers(0, 12))
def test_one_side_reads_what_the_other_writes(game: Game, seed: int, most_moves: int) -> None:
    writes = SharedGame.of(game)
    reads = SharedGame(_Memory(writes._memory.size, writes._memory.descriptor))
    writes.close()
    rng, start = random.Random(seed), game.initial()
    state, moves = start, list[TimedMove]()
    while not state.is_over and len(moves) < most_moves:
        writes.started_thinking(100.0 + len(moves))
        assert reads.since_s == 100.0 + len(moves)
        assert state.to_move is not None
        moves.append(TimedMove(state.to_move, rng.choice(state.legal_moves()), rng.random()))
        state = state.play(moves[-1].move)
        writes.moved(moves[-1])
        assert reads.since_s is None
    assert list(reads.moves(start)) == moves
    writes.clear()
    assert list(reads.moves(start)) == []


def test_it_needs_no_shared_memory_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = ["/nowhere"]  # as /dev/shm is in some containers
    monkeypatch.setattr("multiprocessing.heap.Arena._dir_candidates", missing)
    monkeypatch.setattr("multiprocessing.heap.BufferWrapper._heap", Heap())
    shared_game = SharedGame.of(GAMES[0])
    shared_game.started_thinking(1.0)
    assert shared_game.since_s == 1.0
    shared_game.close()


def test_in_a_cleared_game_no_seat_thinks() -> None:
    shared_game = SharedGame.of(GAMES[0])
    shared_game.started_thinking(5.0)
    shared_game.clear()
    assert shared_game.since_s is None
