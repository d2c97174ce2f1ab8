"""Seats, moves, and the turn order that most games share.

Seats move in ascending order and begin again with the first; seats that withdrew are skipped.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NewType

from boxroom_engine.games.errors import GameIsOver, IllegalMove, NotYourTurn
from boxroom_engine.phrases import phrase

Seat = NewType("Seat", int)
"""A place in the order of play, from 0."""

Move = NewType("Move", int)
"""An action number, from 0; `Game.format_move` gives its text."""


def seat_after(seat: Seat, seats: int, withdrawn: AbstractSet[Seat]) -> Seat:
    """Return the next of `seats` seats that hasn't withdrawn, or `seat` if no other is left."""
    after = Seat((seat + 1) % seats)
    while after in withdrawn:
        after = Seat((after + 1) % seats)
    return after


def withdraw(
    seat: Seat, seats: int, to_move: Seat | None, withdrawn: frozenset[Seat]
) -> tuple[frozenset[Seat], Seat | None]:
    """Return the seats withdrawn and the seat to move after `seat` withdrew.

    If `seat` was to move, the next seat is; see `ends_game`.

    Raises:
        GameIsOver: the game is over already.
        IllegalMove: there is no such seat, or it has withdrawn before.
    """
    if to_move is None:
        raise GameIsOver(phrase("move.over.withdraw"))
    _check_seat_stayed(seat, seats, withdrawn)
    out = withdrawn | {seat}
    if ends_game(len(out), seats):
        return out, None
    return out, seat_after(seat, seats, out) if seat == to_move else to_move


def ends_game(withdrawn: int, seats: int) -> bool:
    """Whether so many of `seats` seats that withdrew end the game: all but one, or the only one."""
    return withdrawn >= max(1, seats - 1)


def check_can_move(
    seat: Seat, seats: int, to_move: Seat | None, withdrawn: AbstractSet[Seat]
) -> None:
    """Check that `seat` could be to move in place of `to_move`.

    Raises:
        GameIsOver: the game is over.
        IllegalMove: there is no such seat, or it has withdrawn.
    """
    if to_move is None:
        raise GameIsOver(phrase("move.over.turn"))
    _check_seat_stayed(seat, seats, withdrawn)


def _check_seat_stayed(seat: Seat, seats: int, withdrawn: AbstractSet[Seat]) -> None:
    if not 0 <= seat < seats:
        raise IllegalMove(phrase("move.no_seat", seat=seat, last=seats - 1))
    if seat in withdrawn:
        raise IllegalMove(phrase("move.withdrawn", seat=seat))


def check_turn(to_move: Seat | None, seat: Seat, names: Sequence[str] | None = None) -> None:
    """Check that it is the turn of `seat`; the error uses `names`, one for each seat, if given.

    Raises:
        GameIsOver: no seat is to move any more.
        NotYourTurn: another seat is to move.
    """
    if to_move is None:
        raise GameIsOver(phrase("move.over"))
    if to_move != seat:
        raise NotYourTurn(
            phrase("move.turn", name=names[to_move])
            if names
            else phrase("move.turn.seat", seat=to_move)
        )
