"""Judgement of one position: its value, its best moves, and the cost of a move that is asked about.

A review goes through a whole game; this answers for a single position of one, with the same facts.
"""

from dataclasses import replace as instead

import msgspec
from msgspec.structs import replace

from boxroom_engine.games.abilities import Judge
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.review.judging import JudgedGame, judgement_of
from boxroom_engine.review.review import Finding, LineEffects, effect_of


class JudgedPosition(msgspec.Struct, frozen=True, omit_defaults=True):
    """The worth of a position to the seat to move, and the cost of one of its moves."""

    seat: int
    """Seat to move."""
    value: float
    """As in `Judgement`."""
    exact: bool
    """True if `value` is known, and no estimate."""
    best: tuple[str, ...]
    """Moves that keep the value; there may be more if to find all takes too long."""
    line: tuple[str, ...]
    """Best play from the first of them on, that move included, as far as it is known."""
    line_effects: LineEffects = LineEffects()
    move: str | None = None
    """Move that was asked about; None: only the position was."""
    lost: float | None = None
    """Its loss of margin, 0 for a best move; None as well if that isn't known."""
    finding: Finding | None = None
    """The move compared with a better one; None if it loses nothing to speak of."""


def judged_position(
    position: State, ply: int, move: Move | None, judge: Judge
) -> JudgedPosition | None:
    """Return what `judge` knows of `position`, which isn't over; None if it can't tell.

    `ply` is the number of moves and withdrawals before it. `move` must be legal, or None.
    """
    # A judge goes backwards through a game, so the later position comes first.
    judgement_after = None if move is None else judgement_of(position.play(move), judge)
    judgement = judgement_of(position, judge)
    if judgement is None:
        return None
    best_moves = judge.best_moves(position) or judgement.best_moves
    line = judge.outlook(position, best_moves[0]).line
    assert position.to_move is not None, "it isn't over"
    judged = JudgedPosition(
        position.to_move,
        judgement.value,
        judgement.exact,
        tuple(map(position.game.format_move, best_moves)),
        tuple(map(position.game.format_move, line)),
        LineEffects.of(position, line),
    )
    if move is None:
        return judged
    known = instead(judgement, best_moves=best_moves), judgement_after
    return _with_move(judged, JudgedGame((position, position.play(move)), known, ply), judge)


def _with_move(position: JudgedPosition, game: JudgedGame, judge: Judge) -> JudgedPosition:
    """Return `position` with the cost of the one move of `game`."""
    (played,) = game.moves
    text = played.before.game.format_move(played.move)
    if not played.is_costly:
        return replace(position, move=text, lost=played.lost)
    finding = Finding.of(played, judge)
    # Who is named as behind is told of no last turn of the game: other moves aren't looked at.
    finding = replace(finding, effect=effect_of(finding, game, played.seat))
    return replace(position, move=text, lost=played.lost, finding=finding)
