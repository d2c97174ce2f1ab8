"""Play for long chains, by the bot `chain`: its flow chart, and examples from the theory."""

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.bots.test_greedy import played
from tests.engine.clocks import no_limit
from tests.engine.games.dots.boards import critical_position, drawn_but, positions
from tests.engine.games.dots.play.test_neutral_search import with_neutral_moves

from boxroom_engine.bots.chain import ChainBot
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.neutral_search import NeutralSearch
from boxroom_engine.games.dots.play.offers import Offer, offer_in
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.dots.theory.captures import after_taking_all, neutral, sacrifices
from boxroom_engine.games.dots.theory.control import Handout, handouts
from boxroom_engine.games.dots.theory.endgame import best_endgame_moves, is_endgame
from boxroom_engine.games.dots.theory.neutral import longest_neutral_run
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.protocol import Move
from boxroom_engine.stopping import Limit

CHAIN = ChainBot()


def choices(position: Position, bot: ChainBot = CHAIN) -> set[Move]:
    """Every move that it makes here for one seed or another."""
    return {bot.choose(position, no_limit(), random.Random(seed)) for seed in range(30)}


def turn(position: Position) -> str:
    """The moves of its turn, by name."""
    grid, seat, names = position.game.grid, position.to_move, list[str]()
    while position.to_move == seat:
        move = CHAIN.choose(position, no_limit(), random.Random(0))
        names.append(grid.names[move])
        position = position.play(move)
    return " ".join(names)


def with_a_choice(rng: random.Random) -> tuple[Position, Offer]:
    """A position in which boxes can be declined now, and some neutral moves are left."""
    while True:
        position = with_neutral_moves(Dots(5, 5, Border.NONE, 2), 6, rng)
        if long := parts_of(position).long_chains:
            position = position.play(long[0].edges[0])
            while (offer := offer_in(position)) and offer.decline is None:
                position = position.play(offer.take)
            if offer and longest_neutral_run(after_taking_all(position)):
                return position, offer


@given(positions(), st.integers(0, 2**32))
def test_every_move_follows_the_flow_chart(position: Position, seed: int) -> None:
    if position.is_over:
        return
    move = CHAIN.choose(position, no_limit(), random.Random(seed))
    offer = offer_in(position)
    if is_endgame(position):
        assert move in best_endgame_moves(position)
    elif offer is not None:
        assert move in (offer.take, offer.decline)
    else:
        assert move in (neutral(position) or position.legal_moves())


class TestTaking:
    def test_all_but_two_of_a_long_chain_to_get_the_next_one_too(self) -> None:
        # Two rows of five boxes, each a chain; the upper one was opened at its left end.
        position = drawn_but(2, 5, "v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11")
        assert turn(position) == "v1 v2 v3 v5"

    def test_everything_if_there_is_nothing_more_to_get(self) -> None:
        assert turn(drawn_but(1, 5, "v1 v2 v3 v4 v5")) == "v1 v2 v3 v4 v5"

    def test_everything_while_the_end_is_too_far_away_to_know(self) -> None:
        # Three boxes at the left of a long board are on offer, and the right of it is empty.
        game = Dots(1, 12, Border.NONE, 2)
        position = played(game, "h0 h1 h2 h12 h13 h14 v0")
        assert turn(position).startswith("v1 v2 v3 ")

    def test_near_the_end_what_is_worth_more(self) -> None:
        rng, declined = random.Random(1), 0
        for _ in range(20):
            position, offer = with_a_choice(rng)
            rest = after_taking_all(position)
            value = NeutralSearch(position.game.grid, lambda: False).value(rest)
            better = offer.take if offer.boxes + value >= -offer.boxes - value else offer.decline
            assert choices(position) == {better}
            declined += better == offer.decline
        assert 0 < declined < 20

    def test_with_no_time_to_think_everything(self) -> None:
        rng = random.Random(1)
        for _ in range(20):
            position, offer = with_a_choice(rng)
            assert CHAIN.choose(position, Limit(0, lambda: 0.0), rng) == offer.take


class TestWaiting:
    def test_near_the_end_for_the_best_there_is(self) -> None:
        rng = random.Random(1)
        for _ in range(20):
            position = with_neutral_moves(Dots(5, 5, Border.NONE, 2), 5, rng)
            waiting = NeutralSearch(position.game.grid, lambda: False)
            values = {move: -waiting.value(position.play(move)) for move in neutral(position)}
            best = {move for move in values if values[move] == max(values.values())}
            assert choices(position) == best

    def test_before_that_with_any_neutral_move(self) -> None:
        position = with_neutral_moves(Dots(5, 5, Border.NONE, 2), 5, random.Random(2))
        run = len(longest_neutral_run(position))
        assert choices(position, ChainBot(max_ply=run - 1)) == set(neutral(position))
        assert choices(position, ChainBot(max_ply=run)) < set(neutral(position))


class TestGivingAway:
    def test_two_boxes_so_that_both_have_to_be_taken(self) -> None:
        # Boxes 0 and 1 are a chain of two, boxes 3 to 5 one of three.
        position = drawn_but(2, 3, "h0 v1 h1 v4 v5 v6 v7")
        assert [chain.length for chain in parts_of(position).chains] == [2, 3]
        assert turn(position) == "v1"

    def test_no_choice_about_two_boxes_anywhere(self) -> None:
        rng = random.Random(1)
        for _ in range(40):
            position = critical_position(Dots(6, 6, Border.NONE, 2), rng)
            if not is_endgame(position):
                move = CHAIN.choose(position, no_limit(), rng)
                assert handouts(position).get(move) is not Handout.HALF_HEARTED

    def test_with_no_time_to_think_the_smallest_gift(self) -> None:
        rng, no_time = random.Random(1), Limit(0, lambda: 0.0)
        for _ in range(20):
            position = critical_position(Dots(6, 6, Border.NONE, 2), rng)
            costs = sacrifices(position)
            if not is_endgame(position):
                assert costs[CHAIN.choose(position, no_time, rng)] == min(costs.values())

    def test_with_time_a_larger_one_if_that_leaves_more(self) -> None:
        """Of these positions with joints; the solver says how much it gets more than the least."""
        rng, solver, ahead = random.Random(1), solver_for(5, 5), 0
        no_time = Limit(0, lambda: 0.0)
        for _ in range(40):
            position = critical_position(Dots(5, 5, Border.NONE, 2), rng)
            least, best = (
                position.play(CHAIN.choose(position, limit, random.Random(0)))
                for limit in (no_time, no_limit())
            )
            ahead += solver.solve(least.edges).value - solver.solve(best.edges).value
        assert ahead > 0
