"""The levels: the bots that they mix, by the size of the board."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from tests.cases import each

from boxroom_engine.bots.levels import (
    BEGINNER,
    CHILD,
    EASY,
    HARD,
    LEVELS,
    MEDIUM,
    LevelBot,
    game_class,
)
from boxroom_engine.bots.person import Person
from boxroom_engine.bots.registry import BOTS, bots_for
from boxroom_engine.games.dots import Dots
from boxroom_engine.games.dots.theory.captures import takeable
from boxroom_engine.games.protocol import Game
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.stopping import Limit

UNLIMITED = Limit(60, lambda: 0.0)


def dots(rows: int, cols: int) -> Game:
    return make_game("dots", {"rows": rows, "cols": cols}, 2)


@each(
    "game, name",
    [
        (dots(1, 1), "small"),
        (dots(4, 4), "small"),
        (dots(2, 9), "medium"),
        (dots(6, 6), "medium"),
        (dots(6, 7), "large"),
        (make_game("stonehenge", {"size": 2}, 2), "stonehenge"),
    ],
)
def test_boards_have_three_sizes(game: Game, name: str) -> None:
    assert game_class(game) == name


def test_every_game_has_all_levels_in_their_order() -> None:
    for kind in KINDS.values():
        assert [bot for bot in bots_for(kind) if bot in LEVELS] == [*LEVELS]
    assert [name for name in BOTS if name in LEVELS] == [*LEVELS]


def test_a_level_plays_by_the_errors_for_the_size_of_the_board() -> None:
    for game in (dots(2, 2), dots(5, 5), dots(8, 8), make_game("stonehenge", {"size": 2}, 2)):
        person = _person(BEGINNER, game)
        for seed in range(20):
            move = BEGINNER.choose(game.initial(), UNLIMITED, random.Random(seed))
            assert move == person.choose(game.initial(), UNLIMITED, random.Random(seed))


def _person(level: LevelBot, game: Game) -> Person:
    by_class = {"small": level.small, "medium": level.medium, "large": level.large}
    return by_class.get(game_class(game), level.other_games)


def test_a_beginner_overlooks_as_many_boxes_as_its_chance_says() -> None:
    game = make_game("dots", {"rows": 2, "cols": 2}, 2)
    state = game.initial()
    for text in ("h0", "v0", "h2"):
        state = state.play(game.parse_move(text))
    (box,) = takeable(state)  # type: ignore[arg-type]
    rng = random.Random(1)
    taken = Counter(BEGINNER.choose(state, UNLIMITED, rng) == box for _ in range(1000))
    assert taken[False] / 1000 == pytest.approx(BEGINNER.small.overlooks, abs=0.05)


def test_a_higher_level_overlooks_no_more_than_a_lower_one_on_the_same_board() -> None:
    for lower, higher in pairwise((CHILD, BEGINNER, EASY, MEDIUM, HARD)):
        for game in (dots(3, 3), dots(5, 5), dots(8, 8)):
            less, more = _person(higher, game), _person(lower, game)
            assert less.overlooks <= more.overlooks
            assert less.breaks_off <= more.breaks_off
            assert less.careless <= more.careless
            assert less.miscounts <= more.miscounts


def test_each_level_beats_the_one_below_it() -> None:
    assert isinstance(dots(3, 3), Dots)
    for below, above in pairwise((CHILD, BEGINNER, EASY, MEDIUM, HARD)):
        assert _points(above, below) > 24, above.name


def _points(one: LevelBot, other: LevelBot) -> float:
    """Return the points of `one` in 40 games on 3×3, half of which it begins."""
    points = 0.0
    for number in range(40):
        rng = random.Random(number)
        state = dots(3, 3).initial()
        players = (one, other) if number % 2 else (other, one)
        while state.to_move is not None:
            state = state.play(players[state.to_move].choose(state, UNLIMITED, rng))
        assert state.outcome is not None
        winners = [players[seat] for seat in state.outcome.winners]
        points += winners.count(one) / len(winners)
    return points
