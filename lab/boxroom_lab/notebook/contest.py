"""`arena`: games between robots, with their ratings as a table."""

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.running_game import Result, VoidGame
from boxroom_engine.games.protocol import OptionValue
from boxroom_engine.games.registry import DEFAULT, kind_of
from boxroom_lab.arena.run import ArenaRun, play_games
from boxroom_lab.arena.workers import Workers, WorkerStartError
from boxroom_lab.cli.arena import check_player, contest_of, jobs_for
from boxroom_lab.notebook.arguments import (
    NotebookError,
    RobotArgument,
    contenders,
    explained,
    interruptible,
)
from boxroom_lab.notebook.progress import progress_for
from boxroom_lab.notebook.table import ArenaTable
from boxroom_lab.robots.isolated_robot import load_arena_player
from boxroom_lab.robots.pickled_function import PickledFunction


def arena(
    robots: Iterable[RobotArgument],
    *,
    games: int = 100,
    game: str = DEFAULT.name,
    seats: int = 2,
    time_s: float = 0.2,
    opening: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    **options: OptionValue,
) -> ArenaTable:
    """Let robots play each other, and return their results, which a notebook shows as tables.

    An interrupt (Ctrl-C, a notebook's stop button) ends it with the games so far.

    Args:
        robots: two or more functions, names of bots, or names of robots in files; ratings are
            counted from the first one.
        games: games of each pair, or of each group with more seats.
        game: one of those in docs/reference/games.md.
        seats: how many play together.
        time_s: the limit for a move.
        opening: random quiet moves that all games begin with; None: an eighth of the board.
        seed: the same seed, the same games, as far as robots don't use other randomness.
        jobs: games at once; None: one for each core.
        **options: the options of the game, such as `rows=5, cols=5`.

    Raises:
        Error: an argument is wrong, or a robot can't be loaded.
    """
    with explained():
        names, functions = contenders(robots)
        made = kind_of(game).make(options, seats)
        contest = contest_of(made, names, games=games, opening=opening, limit_s=time_s, seed=seed)
        for name in dict.fromkeys(names):
            check_player(functions.get(name, name), made)
        at_once = jobs_for(jobs, contest.total)
    began_s = time.monotonic()
    played = list(_played(contest, at_once, functions))
    seconds = time.monotonic() - began_s
    return ArenaTable(ArenaRun.of(contest, played, at_once, seconds))


def _played(
    contest: Contest, jobs: int, functions: Mapping[str, PickledFunction]
) -> Iterator[Result | VoidGame]:
    progress, faults = progress_for(contest.total), 0
    find = partial(load_arena_player, functions=functions)
    try:
        with interruptible() as stop, Workers(jobs, contest, find) as workers:
            for done, result in enumerate(play_games(contest, workers, stop), 1):
                faults += len(result.faults)
                progress.show(done, faults)
                yield result.without_record()
    except WorkerStartError as error:
        raise NotebookError(str(error)) from None
    finally:
        progress.clear()
