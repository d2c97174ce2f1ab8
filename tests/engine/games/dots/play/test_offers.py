"""Offers against plain search: whether taking is free, and what declining is worth."""

import pytest
from tests.engine.games.dots.boards import (
    SMALL,
    drawn_but,
    every_position,
    name_of,
    position_at,
)
from tests.engine.games.dots.oracle import margin, margin_by

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.play.offers import offer_in
from boxroom_engine.games.dots.theory.captures import after_taking_all, takeable


@pytest.mark.parametrize("game", SMALL, ids=name_of)
def test_one_of_the_two_ways_is_best_in_every_position(game: Dots) -> None:
    """To take is best where nothing can be declined, and else if it is said to be worth it."""
    grid = game.grid
    for position in every_position(game):
        offer = offer_in(position)
        if offer is None:
            assert not takeable(position)
            continue
        undrawn = grid.all_drawn ^ position.edges
        value = margin(grid, undrawn)
        rest = margin(grid, grid.all_drawn ^ after_taking_all(position).edges)
        assert offer.value(rest) == value
        assert offer.take in takeable(position)
        is_taking_best = margin_by(grid, undrawn, offer.take) == value
        if offer.decline is None:
            assert is_taking_best
        else:
            assert offer.is_worth_taking(rest) == is_taking_best
            assert is_taking_best or margin_by(grid, undrawn, offer.decline) == value


def names(position: Position) -> tuple[str | None, str | None]:
    """The moves that take and decline."""
    offer = offer_in(position)
    assert offer is not None
    grid = position.game.grid
    return grid.names[offer.take], None if offer.decline is None else grid.names[offer.decline]


def test_a_chain_is_taken_down_to_two_boxes() -> None:
    assert names(drawn_but(1, 3, "v1 v2 v3")) == ("v1", None)
    assert names(drawn_but(1, 3, "v2 v3")) == ("v2", "v3")


def test_a_loop_is_taken_down_to_four_boxes() -> None:
    assert names(drawn_but(2, 3, "h3 v1 v2 v5 v6"))[1] is None
    assert names(drawn_but(2, 2, "h2 v1 v4")) == ("v1", "h2")


def test_a_pair_is_taken_with_one_edge() -> None:
    assert names(drawn_but(1, 2, "v1")) == ("v1", None)


def test_all_is_taken_of_others_before_something_is_declined() -> None:
    # Two strings of two: v1 v2 can be declined, and v5 v6 is taken.
    two_rows = drawn_but(2, 3, "v1 v0 v5 v4")
    offer = offer_in(two_rows)
    assert offer is not None
    assert (offer.boxes, offer.declined, offer.decline) == (4, 2, None)


def test_what_remains_begins_with_the_same_seat() -> None:
    position = position_at(Dots(1, 6, Border.FULL, 2), Dots(1, 6, Border.FULL, 2).grid.start)
    opened = position.play(position.legal_moves()[2])
    rest = after_taking_all(opened)
    assert rest.is_over
    assert rest.scores == (0, 6)
