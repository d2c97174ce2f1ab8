"""Runs for the tests of reports, played without worker processes."""

from dataclasses import replace

from tests.engine.arena.games import Lambda, result_of

from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.running_game import Result, Times
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game
from boxroom_lab.arena.run import ArenaRun


def lost(state: State) -> object:
    raise RuntimeError("lost \x1b[31m my\nway")


BY_NAME: dict[str, Bot] = {**BOTS, "lost": Lambda(lost)}


def arena_run(
    *bots: str, games: int = 20, seats: int = 2, stop_after: int | None = None
) -> ArenaRun:
    """Return a run, or its first games, in which every bot takes 2 ms a move."""
    game = make_game("dots", {"rows": 3, "cols": 3}, seats)
    contest = Contest(game, bots, games, plies=3, limit_s=0.2, seed=1)
    running_games = list(contest.games_to_play())[:stop_after]
    results = [_result(contest, index) for index in range(len(running_games))]
    return replace(ArenaRun.of(contest, results, 2, 83.4), version="1.2.3")


def _result(contest: Contest, index: int) -> Result:
    running_game = list(contest.games_to_play())[index]
    bots = [BY_NAME[contest.bots[each]] for each in running_game.match.contenders]
    opening = [contest.game.parse_move(token) for token in running_game.tokens]
    played = result_of(
        contest.game, bots, running_game.match, opening, contest.task(running_game).seed
    )
    times = tuple(
        Times(each.moves, each.moves * 0.002, 0.004 if each.moves else 0.0, late=0)
        for each in played.times
    )
    return replace(played, times=times)
