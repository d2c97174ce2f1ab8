"""A process in which one robot or bot is asked for one move after the other, each in limited time.

What a robot prints goes to standard error, where it can't spoil what the command prints, or
nowhere.
"""

import os
import random
import time
from multiprocessing.connection import Connection
from threading import Thread
from traceback import format_exception_only
from types import TracebackType
from typing import Any, NamedTuple, Self

from boxroom_client.robots.file import CantLoad, check_plays, player_of
from boxroom_common.child_processes import (
    SPAWN,
    discard_stdout,
    exit_with_parent,
    terminal_signals_blocked,
)
from boxroom_engine.arena.playing import BotFailed, FaultKind
from boxroom_engine.bots.protocol import Bot, Limit
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.robots.referee import BadAnswer, RobotMistake

LOAD_S = 10.0
"""How long a process may take to start and to run the robot's file."""

GRACE_S = 0.5
"""An answer that comes so much later than its limit is none; the arena allows the same."""


class RobotFailed(BotFailed):
    """The robot gave no move; the sentence is for its author."""


class _Mistake(NamedTuple):
    """What comes out of the process instead of a move."""

    kind: FaultKind
    sentence: str


class RobotProcess:
    """The robot or bot `player` (see `player_of`), which starts when it is first needed.

    A context that ends it. With `game` a player that can't play it isn't loaded; with `is_silent`
    nobody hears what it prints.
    """

    def __init__(
        self,
        player: str,
        game: Game | None = None,
        *,
        is_silent: bool = False,
        load_s: float = LOAD_S,
    ) -> None:
        self._player = player
        self._game = game
        self._is_silent = is_silent
        self._load_s = load_s
        self._running: _Running | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def load(self) -> None:
        """Start the process and run the file in it, unless that is done.

        Raises:
            CantLoad: there is no robot, it can't play the game, or it takes too long to load.
        """
        if self._running is not None:
            return
        self._running = _Running(self._player, self._game, is_silent=self._is_silent)
        try:
            wrong = self._running.mistake(self._load_s)
        except (TimeoutError, EOFError, OSError) as error:
            self.end()
            ended = f"takes more than {self._load_s:g} s to load"
            if not isinstance(error, TimeoutError):
                ended = "ended its process"
            raise CantLoad(
                f"{self._player} {ended}: move what isn't for one move out of it"
            ) from None
        if wrong is not None:
            self.end()
            raise CantLoad(wrong)

    def choose(self, state: State, limit_s: float) -> Move:
        """The legal move that the robot answers in `state`.

        After anything else its process is ended, and the next move starts a new one.

        Raises:
            RobotFailed: it answered something else, nothing within the limit, or can't be loaded.
        """
        try:
            self.load()
        except CantLoad as error:
            raise RobotFailed(FaultKind.ERROR, str(error)) from None
        assert self._running is not None
        position = state.game.format_position(state)
        try:
            answer = self._running.ask(state, limit_s)
        except TimeoutError:
            self.end()
            late = f"in {position} the robot gave no answer in {limit_s:g} s"
            raise RobotFailed(FaultKind.TIME, late) from None
        except (EOFError, OSError):
            self.end()
            died = f"in {position} the robot ended its process"
            raise RobotFailed(FaultKind.DIED, died) from None
        if isinstance(answer, _Mistake):
            raise RobotFailed(*answer)
        return Move(answer)

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._running is not None:
            self._running.kill()
            self._running = None


class _Running:
    """A process that runs."""

    def __init__(self, player: str, game: Game | None, *, is_silent: bool) -> None:
        self._connection, theirs = SPAWN.Pipe()
        work = (theirs, player, game, is_silent)
        self._process = SPAWN.Process(target=_serve, args=work, daemon=True)
        with terminal_signals_blocked():
            self._process.start()
        theirs.close()

    def mistake(self, patience_s: float) -> str | None:
        """Why there is nobody to ask, if that is so."""
        heard: str | None = self._heard(patience_s)
        return heard

    def ask(self, state: State, limit_s: float) -> int | _Mistake:
        self._connection.send((state, limit_s))
        answer: int | _Mistake = self._heard(limit_s + GRACE_S)
        return answer

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()

    def _heard(self, patience_s: float) -> Any:
        if not self._connection.poll(patience_s):
            raise TimeoutError
        return self._connection.recv()


# In the process


def _serve(connection: Connection, player: str, game: Game | None, is_silent: bool) -> None:
    """Load the robot, say what is wrong with it, if anything, and answer what is asked."""
    _print_elsewhere(is_silent=is_silent)
    Thread(target=exit_with_parent, daemon=True).start()
    try:
        robot = player_of(player)
        if game is not None:
            check_plays(robot, game)
    except (CantLoad, OptionError) as error:
        connection.send(str(error))
        return
    connection.send(None)
    try:
        while True:
            connection.send(_answer(robot, *connection.recv()))
    except (EOFError, OSError):  # nobody is there any more
        return


def _print_elsewhere(*, is_silent: bool) -> None:
    if is_silent:
        discard_stdout()
    else:
        os.dup2(2, 1)


def _answer(robot: Bot, state: State, limit_s: float) -> int | _Mistake:
    """The number of a move, or why there is none: nothing else may travel."""
    try:
        return int(robot.choose(state, Limit(limit_s, time.monotonic), random.Random()))
    except BadAnswer as error:
        return _Mistake(FaultKind.ILLEGAL, str(error))
    except (RobotMistake, OptionError) as error:
        return _Mistake(FaultKind.ERROR, str(error))
    except BaseException as error:  # such as SystemExit
        what = "".join(format_exception_only(error)).strip()
        position = state.game.format_position(state)
        return _Mistake(FaultKind.ERROR, f"in {position} the robot raised {what}")
