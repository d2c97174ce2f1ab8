"""`games`, `make_game`, `bots` and `choose_move`: games, and the bots that play them."""

import random
import time

from boxroom_common.exits import UsageError
from boxroom_common.kernel.use import use_when_built
from boxroom_engine.bots.registry import bot_of, bots_for
from boxroom_engine.games import registry
from boxroom_engine.games.protocol import Game, Move, OptionValue, State
from boxroom_engine.stopping import Limit
from boxroom_lab.cli.robot import limit_from
from boxroom_lab.notebook.arguments import explained


def games() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(registry.KINDS)


def make_game(name: str = registry.DEFAULT.name, *, seats: int = 2, **options: OptionValue) -> Game:
    """Return a game, as `make_game("dots", rows=3, cols=4)`.

    Args:
        name: one of `games()`.
        seats: how many play.
        **options: values of the game's options, all of which are in `options` of the result; the
            rest have their defaults.

    Raises:
        Error: an unknown game or option, a value out of bounds, or a wrong number of seats.
    """
    return registry.make_game(name, options, seats)


def bots(game: Game) -> tuple[str, ...]:
    """Return the names of the bots that play `game`, the weakest first."""
    return bots_for(game.kind)


def choose_move(
    state: State, bot: str = "expert", *, time_s: float = 1.0, seed: int | None = None
) -> Move:
    """Return the move of a bot in a position.

    Args:
        state: a position in which a seat is to move.
        bot: the name of a bot, with its options if it has any, such as `chain:max_ply=8`.
        time_s: the limit in seconds, which a bot exceeds a little.
        seed: the same seed, the same move, if the time is enough; None: another one each time.

    Raises:
        Error: there is no such bot, it doesn't play the game, or the game is over.
    """
    with explained():
        chosen = bot_of(bot)
        if not chosen.supports(state.game.kind):
            raise UsageError(f"{bot} doesn't play {state.game.kind.named}")
        if state.is_over:
            raise UsageError("the game is over: there is no move to choose")
        limit_s = limit_from(time_s)
    use_when_built()
    return chosen.choose(state, Limit(limit_s, time.monotonic), random.Random(seed))
