"""Games of the arena for tests: played here, without processes."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from boxroom_engine.arena.course import Course, Result
from boxroom_engine.arena.playing import Terms, Turn, play
from boxroom_engine.arena.schedule import Match
from boxroom_engine.bots.options import WithoutOptions
from boxroom_engine.bots.protocol import Bot, Limit
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.protocol import Game, GameKind, Move, State


class Lambda(WithoutOptions):
    """A bot that plays as a function says."""

    name = "lambda"
    strength = 0
    description = "does what it is told"

    def __init__(self, chooses: Callable[[State], object]) -> None:
        self.chooses = chooses

    def supports(self, kind: GameKind) -> bool:
        return True

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        return self.chooses(state)  # type: ignore[return-value]


TIMELESS: dict[str, Bot] = {
    name: bot for name, bot in BOTS.items() if "time" not in (option.name for option in bot.options)
}
"""The bots whose moves don't depend on what the clock says, by name."""

FIRST = Lambda(lambda state: state.legal_moves()[0])
LAST = Lambda(lambda state: state.legal_moves()[-1])


class Watcher:
    """Writes down what happens."""

    def __init__(self) -> None:
        self.seen: list[float | Turn] = []

    def thinks(self, now_s: float) -> None:
        self.seen.append(now_s)

    def moved(self, turn: Turn) -> None:
        self.seen.append(turn)


def ticking(step_s: float = 0.0) -> Callable[[], float]:
    """A clock on which every look takes so long."""
    ticks: Iterator[int] = count()
    return lambda: next(ticks) * step_s


def result_of(
    game: Game,
    bots: Sequence[Bot],
    match: Match | None = None,
    opening: Sequence[Move] = (),
    seed: str = "1",
) -> Result:
    """A whole game, played on after faults as long as there are two."""
    match = match or Match(1, 0, 0, tuple(range(game.seats)))
    course = Course.begun(match, game.initial(), opening, limit_s=1.0)
    while not course.state.is_over:
        course.follow(play(course.state, bots, Terms(1.0, ticking()), seed, Watcher()))
    return course.result()
