"""Thinking about whole positions: whose boxes count, and what moves come of it."""

import random

from hypothesis import given
from tests.cases import each
from tests.engine.bots.tables import table_positions
from tests.engine.games.dots.boards import drawn_but

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.estimates import MoveEstimate, estimate_moves, scores_in_play
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.solve.solver import solver_for
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.stopping import StopToken


def thoughts(position: Position, playouts: int = 60) -> list[MoveEstimate]:
    return estimate_moves(position, StopToken(), random.Random(1), playouts)


def name(position: Position, thought: MoveEstimate) -> str:
    return position.game.format_move(thought.move)


@given(table_positions(most_sides=4))
def test_all_thoughts_are_of_legal_moves(position: Position) -> None:
    found = thoughts(position, playouts=20)
    assert found
    moves = [thought.move for thought in found]
    assert set(moves) <= set(position.legal_moves())
    assert len(set(moves)) == len(moves)
    assert all(0 <= thought.share <= 1 for thought in found)


@given(table_positions(most_sides=4))
def test_on_offers_there_is_nothing_else_to_think_about(position: Position) -> None:
    offer = offer_in(position)
    if offer is not None:
        moves = {thought.move for thought in thoughts(position, playouts=20)}
        assert moves <= {offer.take, offer.decline}
        assert offer.decline is not None or moves == {offer.take}


def test_a_chain_is_taken_or_declined() -> None:
    """Two boxes are on offer beside a chain of five."""
    position = drawn_but(2, 5, "v4 v5 v6 v7 v8 v9 v10 v11")
    decline, take = thoughts(position)
    assert (name(position, decline), decline.margin) == ("v5", 5 - 2)
    assert (name(position, take), take.margin) == ("v4", 2 - 5)


def test_what_is_free_to_take_counts_as_taken() -> None:
    """Three boxes of that chain: the first is taken in any case."""
    position = drawn_but(2, 5, "v3 v4 v5 v6 v7 v8 v9 v10 v11")
    (thought,) = thoughts(position)
    assert (name(position, thought), thought.margin) == ("v3", 1 - 2 + 5)


@each("own, share", [(2, 1.0), (1, 0.5), (0, 0.0)])
def test_the_last_boxes_settle_who_wins(own: int, share: float) -> None:
    """Of four boxes one is left, and `own` of the others are the mover's."""
    game = Dots(1, 4, Border.NONE, 2)
    last = game.parse_move("v0")
    mine = 0b1110 & ~((1 << 4 - own) - 1)
    position = Position.of(
        game, game.grid.all_drawn & ~(1 << last), (mine, 0b1110 ^ mine), (0, 0), Seat(0)
    )
    assert position.scores == (own, 3 - own)
    assert thoughts(position) == [MoveEstimate(last, 0, share, 1.0)]


class TestPreference:
    def test_what_was_tried_most_comes_first(self) -> None:
        found = thoughts(Dots(3, 3, Border.NONE, 3).initial(), playouts=100)
        visits = [thought.visits for thought in found]
        assert visits == sorted(visits, reverse=True)
        assert sum(visits) == 100

    def test_a_certain_win_is_before_everything_and_a_certain_loss_behind(self) -> None:
        lost, tried, seldom, won = (
            MoveEstimate(Move(move), visits, share, 0.0)
            for move, (visits, share) in enumerate([(90, 0.0), (30, 0.4), (2, 0.5), (1, 1.0)])
        )
        by_preference = sorted([lost, tried, seldom, won], key=lambda t: t.preference)
        assert by_preference == [lost, seldom, tried, won]

    def test_of_certain_losses_tried_as_often_the_smallest(self) -> None:
        small, great = (MoveEstimate(Move(0), 1, 0.0, margin) for margin in (-1.0, -2.0))
        assert small.preference > great.preference


def test_the_same_seed_gives_the_same_of_what_has_learnt_the_same() -> None:
    def thought_of(seed: int) -> list[MoveEstimate]:
        position, solver = Dots(2, 3, Border.NONE, 2).initial(), solver_for(2, 3)
        return estimate_moves(position, StopToken(), random.Random(seed), 30, solver)

    assert thought_of(1) == thought_of(1) != thought_of(2)


def test_it_ends_when_told_to_stop() -> None:
    found = estimate_moves(
        Dots(3, 3, Border.NONE, 3).initial(), StopToken(lambda: 0.0), random.Random(1)
    )
    assert 1 <= sum(thought.visits for thought in found) <= 16


class TestScores:
    @given(table_positions())
    def test_of_all_in_play_from_the_seat_to_move(self, position: Position) -> None:
        scores = scores_in_play(position)
        assert position.to_move is not None
        assert scores[0] == position.scores[position.to_move]
        assert len(scores) == position.game.seats - len(position.withdrawn) >= 2

    def test_in_turn_order_without_who_withdrew(self) -> None:
        game = Dots(2, 5, Border.NONE, 4)
        boxes_of = (0b1, 0b110, 0b111000, 0b1111000000)
        drawn_by = (0, 0, 0, 0)
        position = Position.of(game, game.grid.start, boxes_of, drawn_by, Seat(2))
        assert scores_in_play(position) == (3, 4, 1, 2)
        assert scores_in_play(position.withdraw(Seat(0))) == (3, 4, 2)
