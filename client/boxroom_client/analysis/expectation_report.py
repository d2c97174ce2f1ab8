"""The report of a game that was analysed by search, as text and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from boxroom_client.analysis.expectation import COSTLY, SearchedMove
from boxroom_client.analysis.report import TextLayout
from boxroom_client.text_width import column_widths, left_aligned, wrap
from boxroom_engine.games.marks import glyph
from boxroom_engine.games.protocol import State

FORMAT = 1
"""Increases when an existing key of the JSON object changes its meaning."""


def report(
    players: Sequence[str],
    last: State,
    moves: Sequence[SearchedMove],
    layout: TextLayout,
    *,
    limit_s: float,
    every_move: bool,
) -> Iterator[str]:
    """Yield all lines: the costly moves, or all of them, and the losses of both players.

    Args:
        players: their names, by seat.
        last: the position after all moves.
        moves: those that were judged, the last ones of the game.
        layout: of the text.
        limit_s: time for each position.
        every_move: whether to list all of `moves`.
    """
    if moves and moves[0].number > 1:
        yield from wrap(f"Moves before {moves[0].number} are not judged.", layout.columns)
    shown = [move for move in moves if every_move or move.is_costly]
    least = f"the moves that lost {_percent(COSTLY)} of a win or more"
    heading = "all moves" if every_move else least
    if shown:
        text = (
            f"What a player could expect before and after {heading}, by a search of {limit_s:g} s:"
        )
        yield from wrap(text, layout.columns)
        yield from _table(players, last, shown, layout)
        yield ""
    for seat, name in enumerate(players):
        losses = _losses(last, [move for move in moves if move.seat == seat])
        yield from wrap(f"{_mark(last, seat, layout)} {name} {losses}", layout.columns)


def _table(
    players: Sequence[str], last: State, moves: Sequence[SearchedMove], layout: TextLayout
) -> Iterator[str]:
    rows = [
        (
            str(move.number),
            f"{_mark(last, move.seat, layout)} {players[move.seat]}",
            last.game.format_move(move.move),
            _change(move),
            f"better: {last.game.format_move(move.best)}" if move.lost else "",
        )
        for move in moves
    ]
    widths = list(column_widths(rows))
    for number, player, name, change, better in rows:
        cells = (number.rjust(widths[0]), left_aligned(player, widths[1]), name.ljust(widths[2]))
        yield "  ".join((*cells, change.ljust(widths[3]), better)).rstrip()


def _change(move: SearchedMove) -> str:
    """Return the expectations around a move: `won -> lost`, `62 % -> 48 %`."""
    if move.exact:
        return f"{_result(move.before)} -> {_result(move.after)}"
    return f"{_percent(1 + move.before)} -> {_percent(1 + move.after)}"


def _result(value: float) -> str:
    return "draw" if not value else "won" if value > 0 else "lost"


def _percent(points: float) -> str:
    """Return 0 to 2 points, of which a win is 2 and a draw 1, as a part of a win."""
    return f"{50 * points:.0f} %"


def _losses(last: State, moves: Sequence[SearchedMove]) -> str:
    costly = [move for move in moves if move.is_costly]
    judged = f"{len(moves)} judged move{'s' * (len(moves) != 1)}"
    if not costly:
        return f"lost nothing in {judged}."
    worst = max(costly, key=lambda move: move.lost)
    name = f"{last.game.format_move(worst.move)} in move {worst.number}"
    if len(costly) == 1:
        return f"lost {_percent(worst.lost)} of a win in {judged}, with {name}."
    return (
        f"lost something with {len(costly)} of {judged}, most with {name} ({_percent(worst.lost)})."
    )


def _mark(last: State, seat: int, layout: TextLayout) -> str:
    marks = last.game.kind.marks
    return marks[seat] if marks else glyph(seat, ascii_only=layout.ascii_only)


def as_json(
    players: Sequence[str],
    last: State,
    moves: Sequence[SearchedMove],
    *,
    limit_s: float,
    is_whole: bool,
) -> dict[str, Any]:
    """Return the analysis as JSON types; docs/analysis.md describes the keys, which are stable."""
    game = last.game
    return {
        "format": FORMAT,
        "game": game.kind.name,
        "options": dict(game.options),
        "players": list(players),
        "over": last.is_over,
        "scores": list(last.scores),
        "winners": None if last.outcome is None else list(last.outcome.winners),
        "time_s": limit_s,
        "interrupted": not is_whole,
        "moves": [
            {
                "number": move.number,
                "seat": move.seat,
                "move": game.format_move(move.move),
                "best_move": game.format_move(move.best),
                "exact": move.exact,
                "before": move.before,
                "after": move.after,
                "lost": move.lost,
            }
            for move in moves
        ],
    }
