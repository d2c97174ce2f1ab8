"""The errors of people, one at a time: each happens as often as its chance says."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.clocks import no_limit

from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.person import Person
from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.stopping import Limit

TIMES = 600
CHANCES = st.floats(0, 1)


class LastMove(BotBase):
    """A bot whose moves no flow chart would choose."""

    name = "last move"
    strength = 0

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        return state.legal_moves()[-1]


def played(game: Game, moves: str) -> State:
    state = game.initial()
    for name in moves.split():
        state = state.play(game.parse_move(name))
    return state


def dots(rows: int, cols: int, moves: str = "") -> State:
    return played(make_game("dots", {"rows": rows, "cols": cols}, 2), moves)


def shares(person: Person, state: State) -> dict[str, float]:
    """Return the share of the times in which the person makes each move."""
    rng = random.Random(1)
    counts = Counter(
        state.game.format_move(person.choose(state, no_limit(), rng)) for _ in range(TIMES)
    )
    return {name: count / TIMES for name, count in counts.items()}


ONE_TO_TAKE = dots(2, 2, "h0 v0 h2")
"""Only v1 takes a box, and no box is complete."""

GOING_ON = dots(1, 3, "h0 h1 h2 h3 h4 h5 v0 v1")
"""The box on the left is taken, and the one beside it can be, by v2."""

LOOP_AND_CHAIN = dots(2, 3, "h0 h1 h6 h7 v0 v2 v3 v4 v6 v7")
"""Every line gives boxes away: four on the left, two on the right."""


@given(
    kind=st.sampled_from(list(KINDS)),
    errors=st.tuples(CHANCES, CHANCES, CHANCES, CHANCES, CHANCES),
    thinks=st.sampled_from([None, GreedyBot()]),
    seed=st.integers(0, 1000),
)
def test_a_person_makes_legal_moves_in_every_game(
    kind: str, errors: tuple[float, float, float, float, float], thinks: GreedyBot | None, seed: int
) -> None:
    person = Person(*errors, thinks)
    rng = random.Random(seed)
    state = make_game(kind, {}, 2).initial()
    for _ in range(30):
        if state.is_over:
            return
        move = person.choose(state, no_limit(), rng)
        assert move in state.legal_moves()
        state = state.play(move)


def test_without_errors_and_thoughts_a_person_is_greedy() -> None:
    state = dots(3, 3)
    person, greedy = random.Random(3), random.Random(3)
    while not state.is_over:
        person.setstate(greedy.getstate())
        moves = {Person().choose(state, no_limit(), random.Random(seed)) for seed in range(80)}
        move = GreedyBot().choose(state, no_limit(), greedy)
        assert move in moves
        state = state.play(move)


def test_a_box_is_overlooked_as_often_as_the_chance_says() -> None:
    assert shares(Person(overlooks=0.4), ONE_TO_TAKE)["v1"] == pytest.approx(0.6, abs=0.06)


def test_the_box_beside_one_just_taken_is_seen_but_a_child_forgets_to_go_on() -> None:
    assert shares(Person(overlooks=1.0), GOING_ON) == {"v2": 1}
    breaks_off = Person(breaks_off=0.3, careless=1.0)
    assert shares(breaks_off, GOING_ON)["v2"] == pytest.approx(0.7, abs=0.06)


def test_who_overlooks_the_only_move_makes_it_all_the_same() -> None:
    state = dots(1, 1, "h0 h1 v0")
    assert shares(Person(overlooks=1.0), state) == {"v1": 1}


def test_the_careless_draw_a_third_side_but_never_leave_a_box_that_they_see() -> None:
    state = dots(2, 2, "h0 v0")
    safe = set(shares(Person(), state))
    careless = shares(Person(careless=1.0), state)
    assert safe < set(careless)
    assert len(careless) == len(state.legal_moves())
    assert shares(Person(careless=1.0), ONE_TO_TAKE) == {"v1": 1}


def test_who_miscounts_gives_the_larger_part_away_sometimes() -> None:
    chain = {"h2", "h5", "h8"}
    assert set(shares(Person(), LOOP_AND_CHAIN)) == chain
    counted = shares(Person(miscounts=1.0), LOOP_AND_CHAIN)
    # Two seem one to three, and four seem two to six.
    assert sum(counted.get(name, 0) for name in chain) == pytest.approx(15 / 16, abs=0.03)


@each("left, move_is_thought", [(0.0, 1.0), (0.05, 0.95**12), (1.0, 0.0)])
def test_each_line_left_costs_patience(left: float, move_is_thought: float) -> None:
    state = dots(2, 2)
    last = state.game.format_move(state.legal_moves()[-1])
    tired = GreedyBot()
    thoughts = shares(Person(tires=left, thinks=LastMove()), state)
    # One of the twelve quiet moves is the same.
    expected = move_is_thought + (1 - move_is_thought) / 12
    assert thoughts.get(last, 0) == pytest.approx(expected, abs=0.06)
    assert shares(Person(tires=1.0, thinks=tired, tired=LastMove()), state) == {last: 1}


def test_who_doesnt_see_everything_doesnt_think() -> None:
    person = Person(overlooks=1.0, thinks=LastMove())
    last = ONE_TO_TAKE.game.format_move(ONE_TO_TAKE.legal_moves()[-1])
    assert shares(person, ONE_TO_TAKE).get(last, 0) < 0.5


def test_in_other_games_the_careless_see_no_reply() -> None:
    noughts = make_game("noughts", {}, 2)
    state = played(noughts, "0 8 1")
    block = "2"
    assert shares(Person(), state) == {block: 1}
    assert shares(Person(careless=1.0), state).get(block, 0) < 0.5


def test_in_other_games_a_move_is_overlooked_as_often_as_the_chance_says() -> None:
    noughts = make_game("noughts", {}, 2)
    assert shares(Person(overlooks=0.3), played(noughts, "0 8 1 7"))["2"] == pytest.approx(
        0.7, abs=0.06
    )
