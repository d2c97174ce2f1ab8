"""A game between bots, from any position to its end or to the first fault.

A bot that is too slow, plays what can't be played, or fails has lost its game. What a bot must
not be trusted with, such as to come back at all, is for the process to hold that runs this:
it follows what happens through a `Watch`.
"""

import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from traceback import format_exception_only
from typing import NamedTuple, Protocol

from boxroom_engine.bots.protocol import Bot, Limit
from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.protocol import Move, Seat, State

GRACE_S = 0.5
"""A move that comes so much later than its limit is none; a server allows the same."""

_MOST_ANSWER_CHARS = 200
_MOST_DETAIL_CHARS = 2_000
"""A large board and the rule that was broken there fit in."""


class FaultKind(StrEnum):
    """What a bot can do wrong."""

    TIME = "time"
    ILLEGAL = "illegal"
    ERROR = "error"
    DIED = "died"


class BotFailed(Exception):
    """A bot that is asked in another process says itself what went wrong, in a sentence."""

    def __init__(self, kind: FaultKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a seat lost its game before the end."""

    seat: Seat
    ply: int
    kind: FaultKind
    detail: str


class Turn(NamedTuple):  # what a process sends most of
    """A move that a bot made, and how long it thought."""

    seat: Seat
    move: Move
    seconds: float


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of a game: moves up to its end, or up to a fault, of the seat to move then."""

    turns: tuple[Turn, ...]
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What bots play under."""

    limit_s: float
    """The time for a move."""
    clock: Callable[[], float]
    """In seconds; it never goes back."""


class Watch(Protocol):
    """Somebody who follows a game from outside."""

    def thinks(self, now_s: float) -> None:
        """The seat to move begins to think."""

    def moved(self, turn: Turn) -> None:
        """It has moved."""


def play(state: State, bots: Sequence[Bot], terms: Terms, seed: str, watch: Watch) -> Leg:
    """Let `bots`, one a seat, play on from `state`.

    Each move is chosen with randomness of its own, made of `seed` and the ply, so that a game
    which is resumed in the middle goes on as it would have.
    """
    turns: list[Turn] = []
    while state.to_move is not None:
        seat = state.to_move
        began_s = terms.clock()
        watch.thinks(began_s)
        try:
            rng = random.Random(f"{seed} {state.ply}")
            answer = bots[seat].choose(state, Limit(terms.limit_s, terms.clock), rng)
        except BotFailed as error:
            fault = Fault(seat, state.ply, error.kind, str(error)[:_MOST_DETAIL_CHARS])
            return Leg(tuple(turns), fault)
        except BaseException as error:  # whatever a bot raises, even SystemExit, is its fault
            return _ends(turns, state, FaultKind.ERROR, _said(error))
        seconds = terms.clock() - began_s
        if seconds > terms.limit_s + GRACE_S:
            return _ends(turns, state, FaultKind.TIME, too_long(seconds, terms.limit_s))
        try:
            move = Move(operator.index(answer))
            state = state.play(move)
        except (MoveError, TypeError) as error:
            return _ends(turns, state, FaultKind.ILLEGAL, f"{_shown(answer)}: {_said(error)}")
        turns.append(Turn(seat, move, seconds))
        watch.moved(turns[-1])
    return Leg(tuple(turns), None)


def fault_of(state: State, kind: FaultKind, detail: str) -> Fault:
    """A fault of the seat to move in `state`, which isn't over.

    Where nothing was answered, the position is all that there is to look at, and is told too.
    """
    assert state.to_move is not None
    if kind in (FaultKind.TIME, FaultKind.DIED):
        detail = f"{detail}, in {state.game.format_position(state)}"
    return Fault(state.to_move, state.ply, kind, detail[:_MOST_DETAIL_CHARS])


def too_long(seconds: float, limit_s: float) -> str:
    """What a fault in time says."""
    return f"thought for {seconds:.1f} s, with a limit of {limit_s:g} s"


def _ends(turns: Sequence[Turn], state: State, kind: FaultKind, detail: str) -> Leg:
    return Leg(tuple(turns), fault_of(state, kind, detail))


def _shown(answer: object) -> str:
    """What was answered instead of a move, which may be anything at all."""
    try:
        return repr(answer)[:_MOST_ANSWER_CHARS]
    except BaseException:
        return "something unspeakable"


def _said(error: BaseException) -> str:
    return "".join(format_exception_only(error)).strip()
