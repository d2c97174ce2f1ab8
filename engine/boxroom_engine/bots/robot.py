"""A robot as a bot: a user's function, called when its seat is to move.

A robot is *classic* if its parameter is called `board`, or annotated as `Board`: it takes a
`Board` and returns the list of all lines of a turn. Any other is *modern*: it takes a `State` and
returns one move. See `boxroom_engine.robots` for both.

This is not where robots are read from files, nor what holds them to their time: a function that
never returns must be asked in a process that can be killed.
"""

import inspect
import random
from collections.abc import Callable
from traceback import extract_tb, format_exception_only
from typing import Any

from boxroom_engine.bots.protocol import BotBase
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.protocol import Game, GameKind, Move, State
from boxroom_engine.robots.board import Board
from boxroom_engine.robots.geometry import KIND_WITH_BOARD, board_of, check_has_board
from boxroom_engine.robots.referee import RobotRaised, check_move, check_turn
from boxroom_engine.stopping import Limit

RobotFunction = Callable[[Any], object]
"""A robot: a function of one argument."""


class NoRobot(BoxroomError, ValueError):
    """The object can't be a robot; the message says why."""


class Robot(BotBase):
    """A bot that plays as a function says.

    It keeps the rest of a turn that a classic robot has answered for the moves that follow. When
    the game goes on elsewhere, the rest is forgotten and the robot is asked again.

    Raises:
        NoRobot: `function` can't be called with one argument.
    """

    strength = 0

    def __init__(self, name: str, function: RobotFunction) -> None:
        self.name = name
        self.is_classic = _is_classic(function)
        """True if the function takes a `Board`."""
        self._function = function
        # The position in which the next move of `_rest` is to be played.
        self._expected: State | None = None
        # The moves left of the turn that a classic robot has answered.
        self._rest: tuple[Move, ...] = ()

    def supports(self, kind: GameKind) -> bool:
        """A modern robot any game, a classic one Dots and Boxes."""
        return kind is KIND_WITH_BOARD or not self.is_classic

    def check_plays(self, game: Game) -> None:
        """Make sure that it can play `game`.

        Raises:
            OptionError: it is classic, and there is no `Board` for that game.
        """
        if self.is_classic:
            check_has_board(game)

    def choose(self, state: State, limit: Limit, rng: random.Random) -> Move:
        """The move that the function answers, whatever the limit and the randomness are.

        Raises:
            BadAnswer: it answered something else.
            RobotRaised: it raised an exception.
            OptionError: see `check_plays`.
        """
        if not self.is_classic:
            shown = state.game.format_position(state)
            return check_move(state, self._ask(state, shown))
        if state != self._expected:
            board = board_of(state)
            self._rest = check_turn(state, self._ask(board, repr(board)))
        move, *rest = self._rest
        self._rest = tuple(rest)
        self._expected = state.play(move) if rest else None
        return move

    def _ask(self, given: object, shown: str) -> object:
        """Call the function with `given`, which error messages show as `shown`."""
        try:
            return self._function(given)
        except Exception as error:
            raise RobotRaised(shown, _described(error)) from error


def _is_classic(function: object) -> bool:
    """Whether a robot takes a `Board`.

    Raises:
        NoRobot: it takes something else than one argument.
    """
    if not callable(function):
        raise NoRobot(f"a robot is a function, not {type(function).__name__}")
    try:
        signature = inspect.signature(function)
        signature.bind(None)
    except (TypeError, ValueError):
        raise NoRobot("a robot takes one argument: a board, or a state") from None
    first = next(iter(signature.parameters.values()))
    return first.name == "board" or _means_board(first.annotation)


def _means_board(annotation: object) -> bool:
    """Whether that is `Board`, or its name where annotations are text: `robots.Board`."""
    if isinstance(annotation, str):
        return annotation.rpartition(".")[2] == Board.__name__
    return annotation is Board


def _described(error: Exception) -> str:
    """The exception and its place in the robot: `KeyError: 7 (robot.py, line 12)`."""
    what = "".join(format_exception_only(error)).strip()
    where = extract_tb(error.__traceback__)[-1]
    return f"{what} ({where.filename}, line {where.lineno})"
