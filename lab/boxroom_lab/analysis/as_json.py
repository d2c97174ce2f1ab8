"""The JSON object of an analysed game, whose stable keys docs/reference/analysis.md describes."""

from typing import Any

import msgspec

from boxroom_common.json_output import format_name, player_of
from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.review.judging import JudgedMove, losses
from boxroom_engine.review.review import Finding, facts_for
from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.expectation_report import best_move, searched_moves

FORMAT = format_name("analysis", 3)


def as_json(analysed: AnalysedGame) -> dict[str, Any]:
    """Return the whole game as JSON types."""
    game, last = analysed.game, analysed.last
    return {
        "format": FORMAT,
        "game": game.kind.name,
        "options": dict(game.options),
        "players": list(analysed.players),
        "over": last.is_over,
        "scores": list(last.scores),
        **_winners(last),
        "time_s": analysed.limit_s,
        "interrupted": not analysed.is_whole,
        **(_margins(analysed) if analysed.has_margin else _results(analysed)),
    }


def _winners(last: State) -> dict[str, Any]:
    winners = None if last.outcome is None else list(last.outcome.winners)
    return {
        "winners": winners,
        "winning_players": None if winners is None else list(map(player_of, winners)),
    }


def _margins(analysed: AnalysedGame) -> dict[str, Any]:
    turning_point = analysed.judged.turning_point
    return {
        "margins": list(analysed.judged.margins()),
        "moves": [_move(analysed, move) for move in analysed.judged.moves],
        "losses": [_losses(analysed, Seat(seat)) for seat in range(analysed.game.seats)],
        "turning_point": None if turning_point is None else turning_point.number,
    }


def _results(analysed: AnalysedGame) -> dict[str, Any]:
    """Return the moves that were searched, where only the win counts."""
    moves = (
        {
            "number": move.number,
            "seat": move.seat,
            "player": player_of(move.seat),
            "move": analysed.name(move),
            "best_move": analysed.game.format_move(best_move(move)),
            "exact": move.exact,
            "before": move.value,
            "after": move.kept,
            "lost": move.lost,
        }
        for move in searched_moves(analysed)
    )
    return {"moves": list(moves)}


def _move(analysed: AnalysedGame, move: JudgedMove) -> dict[str, Any]:
    best = () if move.judgement is None else move.judgement.best_moves
    return {
        "number": move.number,
        "seat": move.seat,
        "player": player_of(move.seat),
        "move": analysed.name(move),
        "facts": [msgspec.to_builtins(fact) for fact in facts_for(move).of(move.before, move.move)],
        "exact": move.exact,
        "value": move.value,
        "kept": move.kept,
        "lost": move.lost,
        "best_moves": [analysed.game.format_move(each) for each in best],
        "finding": _plain(analysed.findings.get(move.number)),
    }


def _plain(finding: Finding | None) -> dict[str, Any] | None:
    """Return a finding as the protocol has it."""
    plain: dict[str, Any] | None = msgspec.json.decode(msgspec.json.encode(finding))
    return plain


def _losses(analysed: AnalysedGame, seat: Seat) -> dict[str, Any]:
    of_seat = losses(analysed.judged, seat)
    return {
        "judged": of_seat.judged,
        "costly": of_seat.costly,
        "lost": of_seat.lost,
        "exact": of_seat.exact,
        "worst": None if of_seat.worst is None else of_seat.worst.number,
    }
