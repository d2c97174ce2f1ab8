"""The levels: the bots that they mix, by the size of the board."""

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.bots.levels import (
    BEGINNER,
    CHILD,
    EASY,
    HARD,
    LEVELS,
    MEDIUM,
    LevelBot,
    called,
    game_class,
    suggested_level,
    title_of,
)
from boxroom_engine.bots.registry import BOTS, bots_for
from boxroom_engine.games.dots import Dots
from boxroom_engine.games.dots.theory.captures import takeable
from boxroom_engine.games.protocol import Game
from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.phrases import phrase
from boxroom_engine.stopping import Limit

SUGGESTED = Path(__file__).parents[2] / "golden" / "suggested_levels.json"
"""Results, and the level that they suggest; the page reads it, too."""

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
    for game, person in (
        (dots(2, 2), BEGINNER.small),
        (dots(5, 5), BEGINNER.medium),
        (dots(8, 8), BEGINNER.large),
        (make_game("stonehenge", {"size": 2}, 2), BEGINNER.other_games),
    ):
        assert BEGINNER.person_on(game) is person
        for seed in range(20):
            move = BEGINNER.choose(game.initial(), UNLIMITED, random.Random(seed))
            assert move == person.choose(game.initial(), UNLIMITED, random.Random(seed))


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
            less, more = higher.person_on(game), lower.person_on(game)
            assert less.overlooks <= more.overlooks
            assert less.breaks_off <= more.breaks_off
            assert less.careless <= more.careless
            assert less.miscounts <= more.miscounts


def test_results_suggest_a_level() -> None:
    for case in json.loads(SUGGESTED.read_bytes()):
        results = [(level, points) for level, points in case["results"]]
        assert suggested_level(results) == case["level"], case


@given(st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from((0.0, 0.5, 1.0))), min_size=1))
def test_the_suggested_level_is_at_most_a_step_from_the_last(
    results: list[tuple[str, float]],
) -> None:
    last, points = results[-1]
    step = LEVELS.index(suggested_level(results)) - LEVELS.index(last)
    assert step in (0, {0.0: -1, 0.5: 0, 1.0: 1}[points])
    assert suggested_level(results) == suggested_level(results[-2:])


def test_levels_have_titles_and_algorithms_their_names() -> None:
    assert title_of("easy") == phrase("level.easy")
    assert title_of("greedy") == "greedy"


LEVELS_AND_OTHERS = ("easy", "child 12", "expert (bot)", "greedy 2", "easygoing", "easy going")


def test_a_level_is_called_by_its_title() -> None:
    english = ["Easy", "Child 12", "Expert (bot)", "greedy 2", "easygoing", "easy going"]
    assert [*map(called, LEVELS_AND_OTHERS)] == english


@pytest.mark.usefixtures("german")
def test_a_level_is_called_by_its_title_in_the_readers_language() -> None:
    german = ["Leicht", "Kind 12", "Experte (bot)", "greedy 2", "easygoing", "easy going"]
    assert [*map(called, LEVELS_AND_OTHERS)] == german


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
