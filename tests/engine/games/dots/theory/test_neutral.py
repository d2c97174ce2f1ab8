"""The longest run of neutral moves, against a search through all of them."""

import random

import pytest
from hypothesis import given
from tests.cases import each
from tests.engine.games.dots.boards import (
    LARGER,
    SMALL,
    critical_position,
    every_position,
    name_of,
    positions,
)

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.captures import is_critical, neutral
from boxroom_engine.games.dots.theory.neutral import longest_neutral_run


def check_every_position(game: Dots) -> None:
    longest: dict[int, int] = {}
    for position in every_position(game):
        longest[position.edges] = max(
            (1 + longest[position.edges | 1 << edge] for edge in neutral(position)), default=0
        )
        assert len(longest_neutral_run(position)) == longest[position.edges]


@pytest.mark.parametrize("game", SMALL, ids=name_of)
def test_no_run_is_longer(game: Dots) -> None:
    check_every_position(game)


@pytest.mark.long
@pytest.mark.parametrize("game", LARGER, ids=name_of)
def test_no_run_is_longer_on_larger_boards(game: Dots) -> None:
    check_every_position(game)


@given(positions(8))
def test_the_run_can_be_played_in_any_order(position: Position) -> None:
    for edges in (longest_neutral_run(position), longest_neutral_run(position)[::-1]):
        after = position
        for edge in edges:
            assert edge in neutral(after)
            after = after.play(edge)
        assert not neutral(after)


@each("border", Border)
def test_runs_chosen_at_random_are_no_longer(border: Border) -> None:
    game, rng = Dots(8, 8, border, 2), random.Random(5)
    most = len(longest_neutral_run(game.initial()))
    for _ in range(20):
        end = critical_position(game, rng)
        assert is_critical(end)
        assert end.ply <= most


@pytest.mark.parametrize(
    ("game", "most"),
    [
        (Dots(1, 1, Border.NONE, 2), 2),
        (Dots(2, 2, Border.NONE, 2), 8),
        (Dots(2, 2, Border.FULL, 2), 0),
        (Dots(5, 5, Border.NONE, 2), 34),
        (Dots(1, 9, Border.FULL, 2), 0),
    ],
    ids=lambda value: name_of(value) if isinstance(value, Dots) else str(value),
)
def test_the_longest_run_from_an_empty_board(game: Dots, most: int) -> None:
    assert len(longest_neutral_run(game.initial())) == most
