"""A run as one object for programs. docs/bots.md describes it; keys stay what they are."""

from typing import Any

from boxroom_client.arena.outcome import Outcome
from boxroom_engine.arena.rating import Rating
from boxroom_engine.arena.summary import Blame, Estimate, Meeting, Score, Standing

FORMAT = 1
"""Grows when a key that there is comes to mean something else."""


def as_json(outcome: Outcome) -> dict[str, Any]:
    """The whole run, made of what JSON has."""
    contest, summary = outcome.contest, outcome.summary
    return {
        "format": FORMAT,
        "boxroom": outcome.version,
        "game": contest.game.kind.name,
        "options": dict(contest.game.options),
        "seats": contest.game.seats,
        "time_s": contest.limit_s,
        "opening_plies": contest.plies,
        "seed": contest.seed,
        "games": summary.games,
        "games_planned": contest.total,
        "interrupted": not outcome.is_whole,
        "jobs": outcome.jobs,
        "seconds": round(outcome.seconds, 3),
        "bots": [
            _bot(contest.names[number], contest.bots[number], standing)
            for number, standing in enumerate(summary.standings)
        ],
        "pairs": [_pair(contest.names, meeting) for meeting in summary.meetings],
        "faults": [_fault(contest.names, blame) for blame in summary.faults],
    }


def _bot(name: str, bot: str, standing: Standing) -> dict[str, Any]:
    times = standing.times
    return {
        "name": name,
        "bot": bot,
        **_score(standing.score),
        **_rating(standing.rating),
        **_margin(standing.margin),
        "moves": times.moves,
        "mean_s": None if times.mean_s is None else round(times.mean_s, 6),
        "longest_s": round(times.longest_s, 6),
        "late": times.late,
        "faults": {kind.value: number for kind, number in standing.faults.items()},
    }


def _pair(names: tuple[str, ...], meeting: Meeting) -> dict[str, Any]:
    return {
        "name": names[meeting.one],
        "against": names[meeting.other],
        **_score(meeting.score),
        **_rating(meeting.rating),
        **_margin(meeting.margin),
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


def _fault(names: tuple[str, ...], blame: Blame) -> dict[str, Any]:
    fault = blame.fault
    return {
        "game": blame.number,
        "name": names[blame.contender],
        "seat": fault.seat,
        "ply": fault.ply,
        "kind": fault.kind.value,
        "detail": fault.detail,
    }


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, 3)
