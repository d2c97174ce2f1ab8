"""A course of tasks on boards: a question, an answer, and for a wrong one its refutation. No input.

Full screen and line mode show `position` and `lines`, and call `play` and `go_on`.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum, auto

from boxroom_common.phrases import say
from boxroom_engine.games.abilities import Judge, Outlook
from boxroom_engine.games.dots.rules.state import Dots, Position
from boxroom_engine.games.protocol import Move, Seat
from boxroom_engine.stopping import StopToken

_JUDGING_S = 200.0
"""Time for a judge; where there is no kernel, a task takes a small part of it."""

Lines = tuple[str, ...]


class Stage(Enum):
    """Stage of a task."""

    ASKED = auto()
    """The person is to move."""
    REFUTED = auto()
    """A wrong answer is played out, move by move."""
    SOLVED = auto()
    OVER = auto()
    """There is no further task."""


class Course(ABC):
    """Tasks, one after the other, each of which is asked until it is solved."""

    NEXT_HINT: str
    """Key of the phrase for the way to the next task."""

    def __init__(self) -> None:
        self._judges: dict[Dots, Judge] = {}
        # Moves of the refutation that are still to be shown.
        self._rest: tuple[Move, ...] = ()
        # The moves that solve the task, and the sentence that asks for one.
        self._right: Sequence[Move] = ()
        self._task = ""
        self.asked: Position
        """The position of the task."""
        self.position: Position
        """The position that is shown."""
        self.stage: Stage
        """It says whether to `play` or to `go_on`."""
        self.lines: Lines
        """The sentences below the board."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The heading of the task."""

    @abstractmethod
    def _next(self) -> None:
        """Ask the next task, or end the course."""

    @abstractmethod
    def _answered(self, move: Move, outlook: Outlook, *, right: bool) -> Lines:
        """Return what is said of an answer, from which on best play is known."""

    @property
    def seat(self) -> Seat:
        """The seat of the person."""
        assert self.asked.to_move is not None
        return self.asked.to_move

    def move_of(self, text: str) -> Move:
        """Return the move that a typed `text` names.

        Raises:
            GameError: it names none that can be played.
        """
        move = self.asked.game.parse_move(text)
        self.asked.play(move)
        return move

    def play(self, move: Move) -> None:
        """Answer with `move`, which is legal."""
        if self.stage is not Stage.ASKED:
            return
        outlook = self._outlook(move)
        self.position = self.asked.play(move)
        is_right = move in self._right
        self.stage = Stage.SOLVED if is_right else Stage.REFUTED
        self._rest = self._refutation(outlook)
        self.lines = self._answered(move, outlook, right=is_right)
        if not is_right:
            self.lines += (say("puzzle.look"),)

    def go_on(self) -> None:
        """Show the next move of a refutation, ask again after the last, or ask the next task."""
        match self.stage:
            case Stage.REFUTED if self._rest:
                self._show_move()
            case Stage.REFUTED:
                self.ask_again()
            case Stage.SOLVED:
                self._next()
            case _:
                pass

    def ask_again(self) -> None:
        """Ask the task again, if an answer is being refuted."""
        if self.stage is Stage.REFUTED:
            self._ask(self.asked, self._right, self._task, say("puzzle.again"))

    def _ask(self, position: Position, right: Sequence[Move], task: str, *first: str) -> None:
        """Ask the task in `position`; the sentences `first` stand before its own."""
        self.asked = self.position = position
        self._right, self._task = right, task
        self.stage = Stage.ASKED
        self.lines = (*first, task)

    def _refutation(self, outlook: Outlook) -> tuple[Move, ...]:
        """Return the moves to be shown after a wrong answer."""
        return outlook.line[1:]

    def _outlook(self, move: Move) -> Outlook:
        """Return best play by both from `move` on."""
        game = self.asked.game
        if game not in self._judges:
            make = game.kind.abilities.judge
            assert make is not None
            self._judges[game] = make(game, _JUDGING_S, StopToken(), time.monotonic)
        return self._judges[game].outlook(self.asked, move)

    def _show_move(self) -> None:
        move, *rest = self._rest
        is_own = self.position.to_move == self.seat
        name = self.position.game.format_move(move)
        self.position = self.position.play(move)
        self._rest = tuple(rest)
        key = "puzzle.step.you" if is_own else "puzzle.step.other"
        said = say(key, move=name, **boxes_in(self.position, self.seat))
        self.lines = (said, say("puzzle.look" if rest else "puzzle.played_out"))


def boxes_in(position: Position, seat: Seat) -> dict[str, int]:
    """Return the boxes of `seat` and those of the other one, as phrases name them."""
    return {"own": position.scores[seat], "others": position.scores[1 - seat]}
