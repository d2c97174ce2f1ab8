"""The abilities of every registered game agree with its rules."""

import random
from collections.abc import Iterator

import pytest

from boxroom_engine.games.protocol import GameKind, Seat, State
from boxroom_engine.games.registry import KINDS

each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def positions(kind: GameKind) -> Iterator[State]:
    """Positions of some games at random that aren't over."""
    rng = random.Random(1)
    for _ in range(5):
        state = kind.make({}, 2).initial()
        while not state.is_over:
            yield state
            state = state.play(rng.choice(state.legal_moves()))


@each_kind
def test_captures_are_counted_as_the_rules_take_them(kind: GameKind) -> None:
    captures = kind.abilities.captures
    if captures is None:
        return
    for state in positions(kind):
        after = {move: state.play(move) for move in state.legal_moves()}
        taken = {move: len(then.taken) for move, then in after.items() if then.taken}
        assert captures.takes(state) == taken
        if not taken:
            gives = {move: bool(captures.takes(then)) for move, then in after.items()}
            assert list(captures.quiet(state)) == [move for move in gives if not gives[move]]
            given = captures.sacrifices(state)
            assert {move: bool(given[move]) for move in given} == gives


@each_kind
def test_expectations_are_less_certain_than_results(kind: GameKind) -> None:
    expected = kind.abilities.expectation
    if expected is not None:
        for state in positions(kind):
            assert all(-1 < expected(state, seat) < 1 for seat in map(Seat, range(2)))
