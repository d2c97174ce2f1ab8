"""Games of the arena for tests, played without worker processes."""

import random
from collections.abc import Callable, Sequence

from tests.engine.clocks import ticking

from boxroom_engine.arena.playing import TimeControl, TimedMove, play
from boxroom_engine.arena.running_game import Result, RunningGame
from boxroom_engine.arena.schedule import Match
from boxroom_engine.bots.protocol import Bot, BotBase
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.protocol import Game, GameKind, Move, State
from boxroom_engine.stopping import Limit


class Lambda(BotBase):
    """A bot that plays the moves that a function returns."""

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
"""The bots whose moves don't depend on the clock, by name."""

FIRST = Lambda(lambda state: state.legal_moves()[0])
LAST = Lambda(lambda state: state.legal_moves()[-1])


class RecordingObserver:
    """An observer that records all events."""

    def __init__(self) -> None:
        # Start times and moves, in order.
        self.seen: list[float | TimedMove] = []

    def started_thinking(self, now_s: float) -> None:
        self.seen.append(now_s)

    def moved(self, timed: TimedMove) -> None:
        self.seen.append(timed)


def result_of(
    game: Game,
    bots: Sequence[Bot],
    match: Match | None = None,
    opening: Sequence[Move] = (),
    seed: str = "1",
) -> Result:
    """Play a whole game; after a fault the others go on."""
    match = match or Match(1, 0, 0, tuple(range(game.seats)))
    game_played = RunningGame.after_opening(match, game.initial(), opening, limit_s=1.0)
    while not game_played.state.is_over:
        time_control = TimeControl(1.0, ticking())
        game_played.add(play(game_played.state, bots, time_control, seed, RecordingObserver()))
    return game_played.result()
