"""The order of play that most games share: around the seats, past those that withdrew."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from boxroom_engine.games.errors import GameIsOver, IllegalMove, NotYourTurn
from boxroom_engine.games.protocol import Seat, State


def seat_after(seat: Seat, seats: int, withdrawn: AbstractSet[Seat]) -> Seat:
    """The next of `seats` seats that hasn't withdrawn; `seat` itself if it is the last one."""
    after = Seat((seat + 1) % seats)
    while after in withdrawn:
        after = Seat((after + 1) % seats)
    return after


def withdraw(
    seat: Seat, seats: int, to_move: Seat | None, withdrawn: frozenset[Seat]
) -> tuple[frozenset[Seat], Seat | None]:
    """Who has withdrawn and who is to move once `seat` gave up, on its turn or another's.

    The turn passes on if it was the seat's; the last seat left ends the game.

    Raises:
        GameIsOver: there is nothing left to give up.
        IllegalMove: there is no such seat, or it has withdrawn before.
    """
    if to_move is None:
        raise GameIsOver("the game is over: there is nothing left to give up")
    _check_stayed(seat, seats, withdrawn)
    out = withdrawn | {seat}
    if len(out) == seats - 1:
        return out, None
    return out, seat_after(seat, seats, out) if seat == to_move else to_move


def check_can_move(
    seat: Seat, seats: int, to_move: Seat | None, withdrawn: AbstractSet[Seat]
) -> None:
    """Make sure that `seat` can be to move where now `to_move` is.

    Raises:
        GameIsOver: nobody can.
        IllegalMove: there is no such seat, or it has withdrawn.
    """
    if to_move is None:
        raise GameIsOver("the game is over: nobody can be to move any more")
    _check_stayed(seat, seats, withdrawn)


def _check_stayed(seat: Seat, seats: int, withdrawn: AbstractSet[Seat]) -> None:
    if not 0 <= seat < seats:
        raise IllegalMove(f"there is no seat {seat}: seats are 0 to {seats - 1}")
    if seat in withdrawn:
        raise IllegalMove(f"seat {seat} has withdrawn already")


def check_turn(state: State, seat: Seat, names: Sequence[str] | None = None) -> None:
    """Make sure that `seat` is to move; `names` (one a seat) makes the sentence friendlier.

    Raises:
        GameIsOver: nobody is to move any more.
        NotYourTurn: somebody else is.
    """
    if state.to_move is None:
        raise GameIsOver("the game is over: no more moves can be played")
    if state.to_move != seat:
        turn = names[state.to_move] if names else f"seat {state.to_move}"
        raise NotYourTurn(f"it is {turn}'s turn")
