"""The judge by search, held against the whole tree of small games."""

import random
import time
from collections.abc import Hashable

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.review.judged_games import judged

from boxroom_engine.games.abilities import Judgement
from boxroom_engine.games.protocol import Game, Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.games.registry import make_game
from boxroom_engine.review.judging import JudgedMove, JudgePosition
from boxroom_engine.search.judge import SearchJudge
from boxroom_engine.stopping import StopToken

SMALL = (
    make_game("noughts", {}, 2),
    make_game("subtract-square", {"start": 12}, 2),
    make_game("stonehenge", {"size": 1}, 2),
)


def searching(limit_s: float = 60) -> SearchJudge:
    return SearchJudge(limit_s, StopToken(), time.monotonic)


def searched_moves(states: list[State], judge: JudgePosition) -> list[JudgedMove]:
    return [move for move in judged(states, judge).moves if move.judgement is not None]


_results: dict[Hashable, float] = {}


def result(state: State) -> float:
    """Return the result with best play for the seat to move, by the plainest minimax."""
    if state.key not in _results:
        _results[state.key] = _computed(state)
    return _results[state.key]


def _computed(state: State) -> float:
    assert state.to_move is not None
    values = []
    for move in state.legal_moves():
        after = state.play(move)
        ended = after.to_move is None
        values.append(after.evaluate(state.to_move) if ended else -result(after))
    return max(values)


def random_game(game: Game, rng: random.Random) -> list[State]:
    states: list[State] = [game.initial()]
    while not states[-1].is_over:
        states.append(states[-1].play(rng.choice(states[-1].legal_moves())))
    return states


@settings(max_examples=settings().max_examples // 2)
@given(st.sampled_from(SMALL), st.integers(0, 1000))
def test_a_loss_is_that_of_the_whole_tree(game: Game, seed: int) -> None:
    states = random_game(game, random.Random(seed))[-6:]
    for number, move in enumerate(searched_moves(states, searching()), 1):
        before, after = states[move.number - 1], states[move.number]
        assert (move.number, move.exact) == (number, True)
        assert move.value == result(before)
        assert before.play(move.move) == after
        kept = -result(after) if after.to_move is not None else after.evaluate(move.seat)
        assert move.kept == kept
        assert move.lost == result(before) - kept >= 0
        assert move.judgement is not None
        best = before.play(move.judgement.best_moves[0])
        assert result(before) == (
            best.evaluate(move.seat) if best.to_move is None else -result(best)
        )


@settings(max_examples=settings().max_examples // 2)
@given(st.sampled_from(SMALL), st.integers(0, 1000))
def test_the_line_after_a_move_loses_nothing(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    states = random_game(game, rng)
    before = states[-min(7, len(states))]
    assert before.to_move is not None
    move = rng.choice(before.legal_moves())
    line = searching().outlook(before, move).line
    assert line[0] == move
    after = before.play(move)
    worth = -result(after) if after.to_move is not None else after.evaluate(before.to_move)
    for reply in line[1:]:
        after = after.play(reply)
    assert after.is_over
    assert after.evaluate(before.to_move) == worth


def test_a_withdrawal_is_no_move_and_ends_the_game() -> None:
    states = list(Record.parse("noughts | Ada, Bob | 4 0 ~0").positions())
    moves = searched_moves(states, searching())
    assert [(move.number, move.seat, move.lost) for move in moves] == [
        (1, Seat(0), 0.0),
        (2, Seat(1), 0.0),
    ]


def test_an_interrupted_analysis_has_the_last_moves() -> None:
    states = random_game(SMALL[0], random.Random(1))
    searcher, left = searching(), 3

    def search(state: State) -> Judgement | None:
        nonlocal left
        left -= 1
        return searcher(state) if left >= 0 else None

    moves = searched_moves(states, search)
    assert [move.number for move in moves] == [len(states) - 3 + at for at in range(3)]


def test_a_time_limit_that_is_too_short_still_looks_one_move_ahead() -> None:
    states = list(Record.parse("draughts | Ada, Bob | 11-15 23-19 8-11").positions())
    moves = searched_moves(states, searching(1e-9))
    assert len(moves) == 3
    assert all(not move.exact and move.value is not None and -1 < move.value < 1 for move in moves)


def test_a_move_is_reported_by_its_own_name() -> None:
    record = Record.parse(
        "draughts | Ada, Bob | 9-13 23-19 10-15 19x10 7x14 22-18 14x23 27x18 6-10 26-23 13-17"
        " 21x14x7"
    )
    moves = searched_moves(list(record.positions()), searching(0.01))
    assert record.game.format_move(moves[-1].move) == "21x7"
