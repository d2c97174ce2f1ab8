"""Greedy against the flow chart as a beginner would program it, and what comes of it."""

import random
from collections.abc import Set

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.clocks import no_limit

from boxroom_engine.bots.greedy import GreedyBot
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.registry import make_game
from boxroom_engine.stopping import Limit

GREEDY = GreedyBot()


def choose(state: State, seed: int = 0) -> str:
    return state.game.format_move(GREEDY.choose(state, no_limit(), random.Random(seed)))


def choices(state: State) -> set[str]:
    """Every move that greedy makes here for one seed or another."""
    return {choose(state, seed) for seed in range(60)}


def played(game: Dots, moves: str) -> Position:
    state = game.initial()
    for name in moves.split():
        state = state.play(game.parse_move(name))
    return state


class FlowChart:
    """The flow chart on one position, with sets of edges, scanning the board at each step."""

    def __init__(self, position: Position) -> None:
        grid = position.game.grid
        self.boxes = [frozenset(around) for around in grid.edges_of]
        self.free = position.legal_moves()
        self.drawn = frozenset(range(grid.edges)) - frozenset(self.free)

    def complete(self, drawn: Set[int]) -> int:
        return sum(box <= drawn for box in self.boxes)

    def gain(self, edge: int) -> int:
        return self.complete(self.drawn | {edge}) - self.complete(self.drawn)

    def gives_away(self, edge: int) -> int:
        """How many boxes in a row there are for the next player."""
        drawn = self.drawn | {edge}
        before = self.complete(drawn)
        while open_box := next((box for box in self.boxes if len(box - drawn) == 1), None):
            drawn |= open_box
        return self.complete(drawn) - before

    def moves(self) -> set[int]:
        if most := max(map(self.gain, self.free)):
            return {edge for edge in self.free if self.gain(edge) == most}
        given = {edge: self.gives_away(edge) for edge in self.free}
        return {edge for edge in self.free if given[edge] == min(given.values())}


@st.composite
def dots(draw: st.DrawFn) -> Dots:
    rows, cols, border = draw(
        st.tuples(st.integers(1, 4), st.integers(1, 4), st.sampled_from(Border)).filter(
            lambda board: board != (1, 1, Border.FULL)
        )
    )
    return Dots(rows, cols, border, draw(st.integers(2, 5)))


class TestDots:
    @given(dots(), st.integers(0, 2**32), st.sampled_from([0.0, 0.2, 1.0]))
    def test_every_move_of_a_game_follows_the_flow_chart(
        self, game: Dots, seed: int, noise: float
    ) -> None:
        """`noise` is how often a move at random comes between, to get to odd positions."""
        rng, state = random.Random(seed), game.initial()
        while not state.is_over:
            move = GREEDY.choose(state, no_limit(), rng)
            assert move in FlowChart(state).moves()
            state = state.play(rng.choice(state.legal_moves()) if rng.random() < noise else move)

    @given(dots(), st.integers(0, 2**32))
    def test_who_follows_it_gives_no_box_away_while_there_is_a_neutral_edge(
        self, game: Dots, seed: int
    ) -> None:
        rng, state = random.Random(seed), game.initial()
        while not state.is_over:
            chart = FlowChart(state)
            move = GREEDY.choose(state, no_limit(), rng)
            is_neutral = {edge: not chart.gives_away(edge) for edge in chart.free}
            assert chart.gain(move) or is_neutral[move] or not any(is_neutral.values())
            state = state.play(move)

    def test_takes_two_boxes_before_one(self) -> None:
        # Box 3 can be taken by itself, boxes 0 and 1 with one edge.
        state = played(Dots(1, 4, Border.NONE, 2), "h0 h1 h3 h4 h5 h7 v0 v2 v4")
        assert choices(state) == {"v1"}

    def test_all_equal_moves_come_up(self) -> None:
        assert choices(played(Dots(1, 2, Border.NONE, 2), "h0 h2")) == {"h1", "h3", "v2"}

    def test_sacrifices_the_shortest_chain(self) -> None:
        # The upper row is a chain of three, v0 to v3; two boxes of the lower row are one of two.
        state = played(Dots(2, 3, Border.NONE, 3), "h0 h1 h2 h3 h4 h5 h6 h8 v6 v7")
        assert choices(state) == {"v4", "v5", "h7"}

    def test_goes_on_playing_for_those_who_stayed(self) -> None:
        state = played(Dots(1, 1, Border.NONE, 3), "h0 h1 v0").withdraw(Seat(0))
        assert choose(state) == "v1"


def wins(one: Bot, other: Bot, games: int) -> int:
    """How many of so many games on 5×5 boxes `one` wins, beginning every other one."""
    won = 0
    for seed in range(games):
        rng, seat = random.Random(seed), Seat(seed % 2)
        state = Dots(5, 5, Border.NONE, 2).initial()
        while not state.is_over:
            bot = one if state.to_move == seat else other
            state = state.play(bot.choose(state, no_limit(), rng))
        assert state.outcome is not None
        won += state.outcome.winners == (seat,)
    return won


def test_it_beats_random_nearly_always() -> None:
    assert wins(GREEDY, UniformBot(), 100) >= 98


class TestNoughts:
    """A game that greedy has no chart for: it sees what the next move wins or loses."""

    @each("seats", [2, 3])
    def test_wins_at_once(self, seats: int) -> None:
        cells = {2: "00.11....", 3: "00.11.22."}[seats]
        state = make_game("noughts", {}, seats).parse_position(f"{cells}/0/-")
        assert choices(state) == {"2"}

    def test_blocks(self) -> None:
        state = make_game("noughts", {}, 2).parse_position("0..11...0/0/-")
        assert choices(state) == {"5"}

    def test_blocks_the_next_player_of_three(self) -> None:
        state = make_game("noughts", {}, 3).parse_position("00..1.2../2/-")
        assert choices(state) == {"2"}

    def test_plays_on_where_it_can_block_only_one_of_two(self) -> None:
        state = make_game("noughts", {}, 2).parse_position("0.0.1.011/1/-")
        assert choices(state) == {"1"}
        state = make_game("noughts", {}, 2).parse_position("0.0.1.0.1/1/-")
        assert choices(state) == {"1", "3", "5", "7"}

    def test_without_time_it_still_wins_at_once(self) -> None:
        game = make_game("noughts", {}, 2)
        no_time = Limit(0, lambda: 0.0)
        winning = game.parse_position("00.11..../0/-")
        assert GREEDY.choose(winning, no_time, random.Random(0)) == 2
        blocking = game.parse_position("0..11...0/0/-")
        chosen = {GREEDY.choose(blocking, no_time, random.Random(seed)) for seed in range(60)}
        assert chosen == set(blocking.legal_moves())
