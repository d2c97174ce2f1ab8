"""A game between bots, from any position to its end or to the first fault.

A bot that is too slow, plays an illegal move or raises an exception loses its game. This code
can't stop a bot that never returns; the process that runs it can be killed from outside, where a
`GameObserver` has reported the moves so far.
"""

import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from traceback import format_exception_only
from typing import NamedTuple, Protocol

from boxroom_engine.bots.protocol import Bot
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, Seat, State
from boxroom_engine.stopping import Limit

GRACE_S = 0.5
"""A move that is later than its limit by more than this doesn't count; servers allow the same."""

_MOST_ANSWER_CHARS = 200
_MOST_DETAIL_CHARS = 2_000
"""Enough for a large board and the rule that was broken there."""


class FaultKind(StrEnum):
    """A kind of fault."""

    TIME = "time"
    ILLEGAL = "illegal"
    ERROR = "error"
    DIED = "died"


class BotFailed(BoxroomError):
    """A failure that a bot in a process of its own reports, with its kind and a sentence."""

    def __init__(self, kind: FaultKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault by which a seat lost its game before the end."""

    seat: Seat
    ply: int
    kind: FaultKind
    detail: str


class TimedMove(NamedTuple):  # a tuple, because processes send many of them
    """A move of a bot, and its thinking time."""

    seat: Seat
    move: Move
    seconds: float


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive moves of a game, up to its end or to a fault of a seat, or of none."""

    moves: tuple[TimedMove, ...]
    fault: Fault | None
    """Fault that ends it; None at the end of the game, and with `void`."""
    void: str | None = None
    """The reason why no seat is to blame that the game can't go on, so that it doesn't count."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time limit, and the clock that measures it."""

    limit_s: float
    """Time limit of a move."""
    clock: Callable[[], float]
    """A monotonic clock, in seconds."""


class GameObserver(Protocol):
    """A receiver of a game's events while it is played."""

    def started_thinking(self, now_s: float) -> None:
        """Note that the seat to move starts to think."""

    def moved(self, timed: TimedMove) -> None:
        """Note that it has moved."""


def play(
    state: State, bots: Sequence[Bot], time_control: TimeControl, seed: str, observer: GameObserver
) -> Segment:
    """Let `bots`, one for each seat, continue the game from `state`.

    Each move has a random generator of its own, seeded by `seed` and the ply, so that a game which
    is resumed in the middle continues as it would have.
    """
    moves: list[TimedMove] = []
    while state.to_move is not None:
        seat = state.to_move
        began_s = time_control.clock()
        observer.started_thinking(began_s)
        try:
            rng = random.Random(f"{seed} {state.ply}")
            answer = bots[seat].choose(state, Limit(time_control.limit_s, time_control.clock), rng)
        except BotFailed as error:
            fault = Fault(seat, state.ply, error.kind, str(error)[:_MOST_DETAIL_CHARS])
            return Segment(tuple(moves), fault)
        except BaseException as error:  # a bot may raise anything, even SystemExit
            return _ended_by(moves, state, FaultKind.ERROR, _error_text(error))
        seconds = time_control.clock() - began_s
        if seconds > time_control.limit_s + GRACE_S:
            return _ended_by(
                moves, state, FaultKind.TIME, time_fault_text(seconds, time_control.limit_s)
            )
        try:
            move = Move(operator.index(answer))
            state = state.play(move)
        except (MoveError, TypeError) as error:
            return _ended_by(
                moves, state, FaultKind.ILLEGAL, f"{_answer_text(answer)}: {_error_text(error)}"
            )
        moves.append(TimedMove(seat, move, seconds))
        observer.moved(moves[-1])
    return Segment(tuple(moves), None)


def fault_of(state: State, kind: FaultKind, detail: str) -> Fault:
    """Return a fault of the seat to move in `state`, which isn't over.

    If the bot gave no answer, the detail includes the position.
    """
    assert state.to_move is not None
    if kind in (FaultKind.TIME, FaultKind.DIED):
        detail = f"{detail}, in {state.game.format_position(state)}"
    return Fault(state.to_move, state.ply, kind, detail[:_MOST_DETAIL_CHARS])


def time_fault_text(seconds: float, limit_s: float) -> str:
    """Return the detail of a time fault."""
    return f"thought for {seconds:.1f} s, with a limit of {limit_s:g} s"


def _ended_by(moves: Sequence[TimedMove], state: State, kind: FaultKind, detail: str) -> Segment:
    return Segment(tuple(moves), fault_of(state, kind, detail))


def _answer_text(answer: object) -> str:
    """Return an answer that isn't a move, and may be any object, as text."""
    try:
        return repr(answer)[:_MOST_ANSWER_CHARS]
    except BaseException:
        return "something unspeakable"


def _error_text(error: BaseException) -> str:
    return "".join(format_exception_only(error)).strip()
