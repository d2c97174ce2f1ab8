"""A run as the reports see it, made here."""

from dataclasses import replace

from tests.engine.arena.games import Lambda, result_of

from boxroom_client.arena.outcome import Outcome
from boxroom_engine.arena.contest import Contest
from boxroom_engine.arena.course import Result, Times
from boxroom_engine.arena.summary import summed_up
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.protocol import State
from boxroom_engine.games.registry import make_game


def lost(state: State) -> object:
    raise RuntimeError("lost \x1b[31m my\nway")


BY_NAME: dict[str, Bot] = {**BOTS, "lost": Lambda(lost)}


def outcome(*bots: str, games: int = 20, seats: int = 2, stop_after: int | None = None) -> Outcome:
    """A whole run, or its first games, in which everybody has thought for 2 ms a move."""
    game = make_game("dots", {"rows": 3, "cols": 3}, seats)
    contest = Contest(game, bots, games, plies=3, limit_s=0.2, seed=1)
    courses = list(contest.courses())[:stop_after]
    results = [_result(contest, index) for index in range(len(courses))]
    return Outcome(contest, summed_up(len(bots), results), 2, 83.4, "1.2.3")


def _result(contest: Contest, index: int) -> Result:
    course = list(contest.courses())[index]
    bots = [BY_NAME[contest.bots[each]] for each in course.match.contenders]
    opening = [contest.game.parse_move(token) for token in course.tokens]
    played = result_of(contest.game, bots, course.match, opening, contest.task(course).seed)
    times = tuple(
        Times(each.moves, each.moves * 0.002, 0.004 if each.moves else 0.0, late=0)
        for each in played.times
    )
    return replace(played, times=times)
