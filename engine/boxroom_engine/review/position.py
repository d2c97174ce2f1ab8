"""Judgement of one position: its value, its best moves, and the cost of one move or of all.

A review goes through a whole game; this answers for a single position of one, with the same facts.
"""

from dataclasses import replace as instead

import msgspec
from msgspec.structs import replace

from boxroom_engine.games.abilities import Judge, Judgement
from boxroom_engine.games.protocol import Move, State
from boxroom_engine.review.judging import JudgedGame, JudgedMove, judgement_of
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
    losses: dict[str, float] = {}
    """If all moves were asked about: the loss of margin by each for which it is known exactly."""


def judged_position(
    position: State, ply: int, move: Move | None, judge: Judge, *, all_moves: bool = False
) -> JudgedPosition | None:
    """Return what `judge` knows of `position`, which isn't over; None if it can't tell.

    `ply` is the number of moves and withdrawals before it. `move` must be legal, or None. With
    `all_moves` the loss of each legal move is told, as far as `judge` has the time.
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
    judgement = instead(judgement, best_moves=best_moves)
    if move is not None:
        known = judgement, judgement_after
        game = JudgedGame((position, position.play(move)), known, ply)
        judged = _with_move(judged, game, judge)
    return replace(judged, losses=_losses(position, judgement, judge)) if all_moves else judged


def _losses(position: State, judgement: Judgement, judge: Judge) -> dict[str, float]:
    """Return the losses of all moves that `judge` knows exactly; it has judged the position."""
    losses = {}
    for move in position.legal_moves() if judgement.exact else ():
        after = position.play(move)
        played = JudgedMove(
            position.ply + 1, move, position, after, judgement, judgement_of(after, judge)
        )
        if played.exact and played.lost is not None:
            losses[position.game.format_move(move)] = played.lost
    return losses


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
