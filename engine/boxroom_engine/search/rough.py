"""Rough outcomes: cheap guesses of the result of a game, from one or two moves ahead.

A guess is a number for a seat, from 1, won, to -1, lost:

- At the end of the game it is the result; a draw and a win together with others are 0.
- In a game in which only the win counts (`GameKind.only_the_win_counts`) it is 1 for the seat to
  move if one of its moves wins at once, and -1 if after each of its moves another seat can do so.
- Otherwise it is an estimate, above -1 and below 1: how likely the seat seems to win. That is
  the game's `Abilities.expectation`, or its evaluation if it has none. Where the next move can
  overturn it, as a capture does, it is made after the captures (see `GameKind.is_unsettled`).

A seat that has withdrawn can't win: its guess is -1.

To look no further than this costs little, so a guess tells more than chance and less than minimax.
"""

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.search.minimax import backed_up_value
from boxroom_engine.search.pruned import moves_to_search
from boxroom_engine.stopping import SearchStopped, Stop, never

_MOST = 0.999
"""Greatest estimate: less than a win."""


def rough_outcome(state: State, seat: Seat) -> float:
    """Return the guess for `seat`."""
    return rough_outcomes(state)[seat]


def rough_outcomes(state: State, stop: Stop = never) -> tuple[float, ...]:
    """Return the guess for each seat.

    Raises:
        SearchStopped: the stop condition was met.
    """
    seats = [Seat(seat) for seat in range(state.game.seats)]
    if not state.is_over:
        winner = _winner_soon(state, stop) if state.game.kind.only_the_win_counts else None
        if winner is not None:
            return tuple(1.0 if seat == winner else -1.0 for seat in seats)
    return tuple(-1.0 if seat in state.withdrawn else _guess(state, seat, stop) for seat in seats)


def _winner_soon(state: State, stop: Stop) -> Seat | None:
    """Return the seat that wins at once, or after every move of the seat to move; else None."""
    if _wins_at_once(state, stop):
        return state.to_move
    winners: set[Seat | None] = set()
    for move in moves_to_search(state):
        after = state.play(move)
        is_won = after.to_move != state.to_move and _wins_at_once(after, stop)
        winners.add(after.to_move if is_won else _only_winner(after))
        if None in winners:
            return None
    return winners.pop() if len(winners) == 1 else None


def _wins_at_once(state: State, stop: Stop) -> bool:
    """Whether the seat to move, if there is one, has a move that wins."""
    if stop():
        raise SearchStopped
    seat = state.to_move
    if seat is None:
        return False
    return any(_only_winner(state.play(move)) == seat for move in moves_to_search(state))


def _only_winner(state: State) -> Seat | None:
    """Return the winner of a game that is over, if there is just one."""
    outcome = state.outcome
    return outcome.winners[0] if outcome is not None and len(outcome.winners) == 1 else None


def _guess(state: State, seat: Seat, stop: Stop) -> float:
    """Return the result for `seat` of a game that is over, else an estimate."""
    outcome = state.outcome
    if outcome is None:
        return max(-_MOST, min(_MOST, _settled(state, seat, stop)))
    if outcome.winners == (seat,):
        return 1.0
    return 0.0 if not outcome.winners or seat in outcome.winners else -1.0


def _settled(state: State, seat: Seat, stop: Stop) -> float:
    """Return the estimate after the captures, if there are any, else that of the position."""
    if stop():
        raise SearchStopped
    is_unsettled = state.game.kind.is_unsettled
    if is_unsettled is None or not is_unsettled(state):
        expectation = state.game.kind.abilities.expectation
        return state.evaluate(seat) if expectation is None else expectation(state, seat)
    after = (state.play(move) for move in state.legal_moves())
    values = (
        _guess(each, seat, stop) if each.is_over else _settled(each, seat, stop) for each in after
    )
    return backed_up_value(state, seat, values)
