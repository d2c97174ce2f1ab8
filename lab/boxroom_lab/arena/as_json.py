"""The JSON object of a run. docs/reference/bots.md describes its keys, whose meaning is stable."""

from typing import Any

from boxroom_common.json_output import format_name, player_of
from boxroom_engine.arena.rating import Rating
from boxroom_engine.arena.summary import ContenderStats, Estimate, GameFault, PairStats, Score
from boxroom_lab.arena.run import ArenaRun

FORMAT = format_name("arena", 2)


def as_json(run: ArenaRun) -> dict[str, Any]:
    """Return the whole run as JSON types."""
    contest, summary = run.contest, run.summary
    return {
        "format": FORMAT,
        "boxroom": run.version,
        "game": contest.game.kind.name,
        "options": dict(contest.game.options),
        "seats": contest.game.seats,
        "time_s": contest.limit_s,
        "opening_plies": contest.plies,
        "seed": contest.seed,
        "games": summary.games,
        "games_planned": contest.total,
        "interrupted": not run.is_whole,
        "jobs": run.jobs,
        "seconds": round(run.seconds, 3),
        "bots": [
            _bot(contest.names[number], contest.bots[number], stats)
            for number, stats in enumerate(summary.contender_stats)
        ],
        "pairs": [_pair(contest.names, stats) for stats in summary.pair_stats],
        "faults": [_fault(contest.names, game_fault) for game_fault in summary.faults],
        "void": [{"game": each.match.number, "reason": each.reason} for each in run.void],
    }


def _bot(name: str, bot: str, stats: ContenderStats) -> dict[str, Any]:
    times = stats.times
    return {
        "name": name,
        "bot": bot,
        **_score(stats.score),
        **_rating(stats.rating),
        **_margin(stats.margin),
        "moves": times.moves,
        "mean_s": None if times.mean_s is None else round(times.mean_s, 6),
        "longest_s": round(times.longest_s, 6),
        "late": times.late,
        "faults": {kind.value: number for kind, number in stats.faults.items()},
    }


def _pair(names: tuple[str, ...], stats: PairStats) -> dict[str, Any]:
    return {
        "name": names[stats.one],
        "against": names[stats.other],
        **_score(stats.score),
        **_rating(stats.rating),
        **_margin(stats.margin),
    }


def _score(score: Score) -> dict[str, Any]:
    return {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": None if score.share is None else round(score.share, 6),
    }


def _rating(rating: Rating | None) -> dict[str, Any]:
    if rating is None:
        return {"elo": None, "elo_low": None, "elo_high": None}
    return {
        "elo": _rounded(rating.elo),
        "elo_low": _rounded(rating.low),
        "elo_high": _rounded(rating.high),
    }


def _margin(margin: Estimate | None) -> dict[str, Any]:
    if margin is None:
        return {"margin": None, "margin_error": None}
    error = None if margin.error is None else round(margin.error, 6)
    return {"margin": round(margin.mean, 6), "margin_error": error}


def _fault(names: tuple[str, ...], game_fault: GameFault) -> dict[str, Any]:
    fault = game_fault.fault
    return {
        "game": game_fault.number,
        "name": names[game_fault.contender],
        "seat": fault.seat,
        "player": player_of(fault.seat),
        "ply": fault.ply,
        "kind": fault.kind.value,
        "detail": fault.detail,
    }


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, 3)
