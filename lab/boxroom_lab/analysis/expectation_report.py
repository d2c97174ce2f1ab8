"""The report of a game that was analysed by search, as text."""

from collections.abc import Iterator, Sequence

from boxroom_client.text_width import column_widths, left_aligned, wrap
from boxroom_engine.games.marks import glyph
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.review.judging import COSTLY_RESULT, JudgedMove, Losses, losses
from boxroom_lab.analysis.analysed_game import AnalysedGame
from boxroom_lab.analysis.report import TextLayout


def report(
    analysed: AnalysedGame, layout: TextLayout, *, every_move: bool = False
) -> Iterator[str]:
    """Yield all lines: the costly moves, or all of them, and the losses of both players.

    With `every_move` all moves are listed.
    """
    players, last, limit_s = analysed.players, analysed.last, analysed.limit_s
    moves = searched_moves(analysed)
    if moves and moves[0].number > 1:
        yield from wrap(f"Moves before {moves[0].number} are not judged.", layout.columns)
    shown = [move for move in moves if every_move or move.is_costly]
    least = f"the moves that lost {_percent(COSTLY_RESULT)} of a win or more"
    heading = "all moves" if every_move else least
    if shown:
        text = (
            f"What a player could expect before and after {heading}, by a search of {limit_s:g} s:"
        )
        yield from wrap(text, layout.columns)
        yield from _table(players, last, shown, layout)
        yield ""
    for seat, name in enumerate(players):
        lost = _losses(analysed, losses(analysed.judged, Seat(seat)))
        yield from wrap(f"{_mark(last, seat, layout)} {name} {lost}", layout.columns)


def _table(
    players: Sequence[str], last: State, moves: Sequence[JudgedMove], layout: TextLayout
) -> Iterator[str]:
    rows = [
        (
            str(move.number),
            f"{_mark(last, move.seat, layout)} {players[move.seat]}",
            last.game.format_move(move.move),
            _change(move),
            f"better: {last.game.format_move(best_move(move))}" if move.lost else "",
        )
        for move in moves
    ]
    widths = list(column_widths(rows))
    for number, player, name, change, better in rows:
        cells = (number.rjust(widths[0]), left_aligned(player, widths[1]), name.ljust(widths[2]))
        yield "  ".join((*cells, change.ljust(widths[3]), better)).rstrip()


def searched_moves(analysed: AnalysedGame) -> list[JudgedMove]:
    """Return the moves that were searched, the last ones of the game."""
    return [move for move in analysed.judged.moves if move.judgement is not None]


def best_move(move: JudgedMove) -> Move:
    """Return the best move that the search has found, perhaps this one."""
    assert move.judgement is not None
    return move.judgement.best_moves[0]


def _change(move: JudgedMove) -> str:
    """Return the expectations around a move: `won -> lost`, `62 % -> 48 %`."""
    assert move.value is not None
    assert move.kept is not None
    if move.exact:
        return f"{_result(move.value)} -> {_result(move.kept)}"
    return f"{_percent(1 + move.value)} -> {_percent(1 + move.kept)}"


def _result(value: float) -> str:
    return "draw" if not value else "won" if value > 0 else "lost"


def _percent(points: float) -> str:
    """Return 0 to 2 points, of which a win is 2 and a draw 1, as a part of a win."""
    return f"{50 * points:.0f} %"


def _losses(analysed: AnalysedGame, of_seat: Losses) -> str:
    judged = f"{of_seat.judged} judged move{'s' * (of_seat.judged != 1)}"
    if of_seat.worst is None:
        return f"lost nothing in {judged}."
    worst = f"{analysed.name(of_seat.worst)} in move {of_seat.worst.number}"
    most = _percent(of_seat.worst.lost or 0.0)
    if of_seat.costly == 1:
        return f"lost {most} of a win in {judged}, with {worst}."
    return f"lost something with {of_seat.costly} of {judged}, most with {worst} ({most})."


def _mark(last: State, seat: int, layout: TextLayout) -> str:
    marks = last.game.kind.marks
    return marks[seat] if marks else glyph(seat, ascii_only=layout.ascii_only)
