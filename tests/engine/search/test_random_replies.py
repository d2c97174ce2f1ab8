"""The choice among equally good moves, compared with the definition and by exact chances."""

from collections.abc import Hashable, Sequence

import pytest
from hypothesis import given
from tests.cases import each
from tests.engine.search.made_up import Tree, trees

from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.games.registry import kind_of
from boxroom_engine.search import random_replies
from boxroom_engine.search.iterative import IterativeMinimax
from boxroom_engine.search.memo import Memo
from boxroom_engine.search.minimax import best_valued_moves
from boxroom_engine.search.random_replies import most_promising_moves

OPENINGS = [
    ("stonehenge", {"size": 1}, ""),
    ("stonehenge", {"size": 2}, "D"),
    ("stonehenge", {"size": 2}, "A"),
    ("noughts", {}, "4"),
    ("noughts", {}, "0 4 8"),
    ("subtract-square", {"start": 20}, ""),
    ("subtract-square", {"start": 34}, ""),
    ("dots", {"rows": 1, "cols": 2}, ""),
]


def after(kind: str, options: dict[str, int | str], moves: str) -> State:
    state = kind_of(kind).make(options, 2).initial()
    for move in moves.split():
        state = state.play(state.game.parse_move(move))
    return state


def chosen(state: State) -> Sequence[Move]:
    search = IterativeMinimax(memo=Memo())
    return most_promising_moves(state, search.values_of_moves(state), search.value)


def expected(state: State, seat: Seat) -> float:
    """Return the expected score by its definition."""
    search, known = IterativeMinimax(memo=Memo()), dict[Hashable, float]()

    def score(state: State) -> float:
        if state.to_move is None:
            return state.evaluate(seat)
        if state.key not in known:
            is_own = state.to_move == seat
            moves = best_valued_moves(search.values_of_moves(state)) if is_own else None
            scores = [score(state.play(move)) for move in moves or state.legal_moves()]
            known[state.key] = max(scores) if is_own else sum(scores) / len(scores)
        return known[state.key]

    return score(state)


@each("kind, options, moves", OPENINGS)
def test_the_moves_have_the_greatest_expected_score_of_the_best(
    kind: str, options: dict[str, int | str], moves: str
) -> None:
    state = after(kind, options, moves)
    assert state.to_move is not None
    values = IterativeMinimax(memo=Memo()).values_of_moves(state)
    best = best_valued_moves(values)
    scores = {move: round(expected(state.play(move), state.to_move), 9) for move in best}
    if values[best[0]] == 1 and state.game.kind.only_the_win_counts:
        assert chosen(state) == best
    else:
        assert list(chosen(state)) == list(best_valued_moves(scores))


@given(trees(seats=2) | trees(seats=3))
def test_no_move_is_worse_than_another(tree: Tree) -> None:
    if tree.to_move is None:
        return
    search = IterativeMinimax()
    values = search.values_of_moves(tree)
    moves = most_promising_moves(tree, values, search.value)
    assert moves
    assert set(moves) <= set(best_valued_moves(values))


def test_a_lost_stonehenge_is_won_against_random_replies_as_often_as_can_be() -> None:
    start = after("stonehenge", {"size": 2}, "")
    second = Seat(1)

    def share(state: State) -> float:
        if state.to_move is None:
            return float(state.evaluate(second) == 1)
        if state.to_move == second:
            return min(share(state.play(move)) for move in chosen(state))
        shares = [share(state.play(move)) for move in state.legal_moves()]
        return sum(shares) / len(shares)

    assert share(start) == pytest.approx(0.695, abs=0.001)


def test_what_can_be_seen_in_few_positions_decides_where_there_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(random_replies, "MOST_POSITIONS", 32)
    state = after("noughts", {}, "4")
    assert set(chosen(state)) <= {0, 2, 6, 8}  # in a corner: other moves lose


def test_a_stop_leaves_all_best_moves() -> None:
    state = after("stonehenge", {"size": 2}, "A")
    search = IterativeMinimax(memo=Memo())
    values = search.values_of_moves(state)
    moves = most_promising_moves(state, values, search.value, stop=lambda: True)
    assert moves == best_valued_moves(values)
    assert len(moves) > len(chosen(state))
