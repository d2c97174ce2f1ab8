"""The way from games to advice, to puzzles, and to better games, as modelled learners go it."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from datetime import date

import pytest
from tests.engine.games.dots.recorded_games import exactly
from tests.engine.review.learner import Learner

from boxroom_common.puzzles import all_puzzles
from boxroom_engine.arena.openings import openings
from boxroom_engine.bots.registry import bot_of
from boxroom_engine.games.abilities import Judge
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.review.coaching import coached_game
from boxroom_engine.review.mistakes import MissedTheme, Mistake, Trend, missed_themes, mistakes_of
from boxroom_engine.review.progress import Progress, next_puzzle
from boxroom_engine.review.review import Reviewing
from boxroom_engine.stopping import Limit

BOARD = Dots(4, 4, Border.NONE, 2)
DRAWN = 16
"""The games begin with so many safe lines, drawn at random: what comes then is soon solved."""

OPPONENT = bot_of("beginner")
GAMES, MANY_GAMES, PUZZLES = 12, 60, 20

Games = list[tuple[Mistake, ...]]


class Career:
    """The games and the practice of a learner, as `seed` has them."""

    def __init__(self, rates: dict[Theme, float], seed: int = 0) -> None:
        self.learner = Learner(rates, random.Random(seed))
        self._rng = random.Random(seed)
        self._openings = openings(BOARD, DRAWN, seed)
        self._progress = Progress()
        self.games = Games()
        """The mistakes in each game, the newest first."""
        self._coached: list[str | None] = []

    def play(self, games: int = GAMES) -> list[MissedTheme]:
        """Play so many games, and return what is said of them."""
        for number in range(games):
            seat = Seat(number % 2)
            judge = exactly(BOARD)
            reviewing = reviewed(self._played(seat), judge)
            self.games.insert(0, mistakes_of(reviewing, seat))
            self._coached.insert(0, coached_game(reviewing, seat, judge).theme)
        return missed_themes(self.games[:games])

    def advice(self, games: int = GAMES) -> Theme:
        """Return the theme that the coach named most often at the end of the last games."""
        ((theme, _),) = Counter(filter(None, self._coached[:games])).most_common(1)
        return Theme(theme)

    def practise(self, theme: Theme, puzzles: int = PUZZLES) -> None:
        """Do puzzles of `theme`, those that the program gives."""
        for _ in range(puzzles):
            puzzle = next_puzzle(all_puzzles(), self._progress, date.min, theme)
            is_right = self.learner.practise(puzzle)
            self._progress = self._progress.after_first_try(puzzle, right=is_right)

    def _played(self, seat: Seat) -> list[Position]:
        """Return the positions of a game in `seat`."""
        positions = [BOARD.initial()]
        for move in next(self._openings):
            positions.append(positions[-1].play(move))
        while not positions[-1].is_over:
            position = positions[-1]
            own = position.to_move == seat
            choice = self.learner.choose(position) if own else self._opponents_move(position)
            positions.append(position.play(choice))
        return positions

    def _opponents_move(self, position: Position) -> Move:
        return OPPONENT.choose(position, Limit(math.inf, lambda: 0.0), self._rng)


def reviewed(positions: Sequence[Position], judge: Judge) -> Reviewing:
    """Return the review of the moves after the opening."""
    reviewing = Reviewing(positions, judge, DRAWN)
    list(reviewing.findings())
    return reviewing


def times(theme: Theme, missed: Sequence[MissedTheme]) -> int:
    return sum(each.times for each in missed if each.theme == theme)


def test_learners_are_told_of_their_own_weakness_and_after_practice_of_the_next_one() -> None:
    rates = {Theme.LAST_SAFE: 0.9, Theme.TAKE_ALL: 0.2}
    learner, unpractised = Career(rates), Career(rates)
    other = Career({Theme.LAST_SAFE: 0.2, Theme.TAKE_ALL: 0.9})
    assert other.play()[0].theme == other.advice() == Theme.TAKE_ALL

    first = learner.play()
    assert first == unpractised.play()
    assert first[0].theme == learner.advice() == Theme.LAST_SAFE
    learner.practise(learner.advice())
    then = learner.play()
    assert then[0].theme == learner.advice() == Theme.TAKE_ALL
    assert times(Theme.LAST_SAFE, then) < times(Theme.LAST_SAFE, first) / 2
    trends = {missed.theme: missed.trend for missed in missed_themes(learner.games)}
    assert trends[Theme.LAST_SAFE] is Trend.LESS
    assert unpractised.play()[0].theme == Theme.LAST_SAFE


@pytest.mark.long
@pytest.mark.parametrize("weakness", Theme)
def test_each_weakness_is_told_and_practice_helps_against_it(weakness: Theme) -> None:
    learner = Career({weakness: 0.9})
    first = learner.play(MANY_GAMES)
    assert first[0].theme == learner.advice(MANY_GAMES) == weakness
    learner.practise(learner.advice(MANY_GAMES))
    assert times(weakness, learner.play(MANY_GAMES)) < times(weakness, first) / 2
