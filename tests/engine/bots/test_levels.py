"""The levels: the bots that they mix, by the size of the board."""

import random
from collections import Counter

import pytest
from tests.cases import each

from boxroom_engine.bots.levels import BEGINNER, EASY, HARD, LEVELS, MEDIUM, LevelBot, game_class
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


def test_a_beginner_overlooks_as_many_boxes_as_its_share_says() -> None:
    game = make_game("dots", {"rows": 2, "cols": 2}, 2)
    state = game.initial()
    for text in ("h0", "v0", "h2"):
        state = state.play(game.parse_move(text))
    (box,) = takeable(state)  # type: ignore[arg-type]
    rng = random.Random(1)
    taken = Counter(BEGINNER.choose(state, UNLIMITED, rng) == box for _ in range(1000))
    # One of nine random moves takes the box, too.
    assert taken[False] / 1000 == pytest.approx(BEGINNER.small.share * 8 / 9, abs=0.05)


@pytest.mark.parametrize("level", [BEGINNER, EASY, MEDIUM, HARD], ids=lambda level: level.name)
def test_the_weaker_bot_plays_its_share_on_each_size(level: LevelBot) -> None:
    for mixture in (level.small, level.medium, level.large):
        assert 0 <= mixture.share < 1
        assert mixture.weaker.strength < mixture.bot.strength


def test_each_level_beats_the_one_below_it() -> None:
    assert isinstance(dots(3, 3), Dots)
    for below, above in ((BEGINNER, EASY), (EASY, MEDIUM), (MEDIUM, HARD)):
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
