"""A process that runs one robot or bot and answers requests for moves, each in limited time.

What a robot prints goes to standard error in cleaned lines, so that it doesn't mix with the
command's output; or it is discarded, but not what goes to standard error anyway.
"""

import random
import time
from threading import Lock
from traceback import format_exception_only
from typing import Any, NamedTuple, Self

from boxroom_common.child_processes import (
    SPAWN,
    Connection,
    follow_parent,
    main_module_hidden,
    terminal_signals_blocked,
)
from boxroom_common.kernel.use import use_when_built
from boxroom_engine.arena.playing import BotFailed, FaultKind
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, Move, State
from boxroom_engine.games.registry import load_abilities
from boxroom_engine.robots.referee import BadAnswer, RobotMistake
from boxroom_engine.stopping import Limit
from boxroom_lab.robots.file import (
    Player,
    RobotLoadError,
    RobotLoadTimeout,
    check_plays,
    player_of,
)
from boxroom_lab.robots.output import OutputRelay, clean_lines, redirect_output

LOAD_S = 10.0
"""Time limit for starting the process and running the robot's file."""

GRACE_S = 0.5
"""An answer later than its limit by more than this doesn't count; the arena allows the same."""


class RobotFailed(BotFailed):
    """A robot that returned no legal move; the sentence is for its author."""


class _Mistake(NamedTuple):
    """The answer of the process if there is no move."""

    kind: FaultKind
    sentence: str


class RobotProcess:
    """The process of the robot or bot `player` (see `player_of`), started when first needed.

    Leaving the context ends it. With `game`, a player that can't play it isn't loaded; with
    `is_silent`, its output is discarded.
    """

    def __init__(
        self,
        player: Player,
        game: Game | None = None,
        *,
        is_silent: bool = False,
        load_s: float = LOAD_S,
    ) -> None:
        self._player = player
        self._game = game
        self._is_silent = is_silent
        self._load_s = load_s
        # None before it starts, and after it has been ended.
        self._running: _Running | None = None
        self._ending = Lock()  # held while one of several threads takes it to end it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def load(self) -> None:
        """Start the process and load the robot in it, unless it runs already.

        Raises:
            RobotLoadError: there is no robot, it can't play the game, or it takes too long to load.
        """
        if self._running is not None:
            return
        running = _Running(self._player, self._game, is_silent=self._is_silent)
        self._running = running
        try:
            load_error = running.load_error(self._load_s)
        except (TimeoutError, EOFError, OSError) as error:
            self.end()
            advice = ": keep only definitions at the file's top level"
            rest = advice if isinstance(self._player, str) else ""
            if isinstance(error, TimeoutError):
                raise RobotLoadTimeout(
                    f"{self._player} takes more than {self._load_s:g} s to load{rest}"
                ) from None
            raise RobotLoadError(f"{self._player} ended its process{rest}") from None
        if load_error is not None:
            self.end()
            raise RobotLoadError(clean_lines(load_error))

    def choose(self, state: State, limit_s: float) -> Move:
        """Return the legal move that the robot answers in `state`.

        A robot that is late or dies loses its process; the next request starts a new one.

        Raises:
            RobotFailed: its answer isn't a legal move or is late, or it can't be loaded.
        """
        try:
            self.load()
        except RobotLoadError as error:
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
            raise RobotFailed(answer.kind, clean_lines(answer.sentence))
        return Move(answer)

    def end(self) -> None:
        """Kill the process, if it runs; a thread that waits for it then gets an error."""
        with self._ending:
            running, self._running = self._running, None
        if running is not None:
            running.kill()


class _Running:
    """A running process and the pipe to it."""

    def __init__(self, player: Player, game: Game | None, *, is_silent: bool) -> None:
        self._connection, theirs = SPAWN.Pipe()
        self._output = OutputRelay()
        work = (theirs, self._output.writer, player, game, is_silent)
        self._process = SPAWN.Process(target=_serve, args=work, daemon=True)
        with terminal_signals_blocked(), main_module_hidden():
            self._process.start()
        theirs.close()
        self._output.start()

    def load_error(self, timeout_s: float) -> str | None:
        """Wait until the robot is loaded, and return an error if it can't be."""
        error: str | None = self._receive(timeout_s)
        return error

    def ask(self, state: State, limit_s: float) -> int | _Mistake:
        self._connection.send((state, limit_s))
        answer: int | _Mistake = self._receive(limit_s + GRACE_S)
        return answer

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._output.wait()
        self._connection.close()

    def _receive(self, timeout_s: float) -> Any:
        if not self._connection.poll(timeout_s):
            raise TimeoutError
        return self._connection.recv()


# Code that runs in the process


def _serve(
    connection: Connection, output: Connection, player: Player, game: Game | None, is_silent: bool
) -> None:
    """Load the robot, send an error or None, and then answer requests for moves."""
    redirect_output(output, is_silent=is_silent)
    follow_parent()
    use_when_built()
    load_abilities()
    try:
        robot = player_of(player)
        if game is not None:
            check_plays(robot, game)
    except (RobotLoadError, OptionError) as error:
        connection.send(str(error))
        return
    connection.send(None)
    try:
        while True:
            connection.send(_answer(robot, *connection.recv()))
    except (EOFError, OSError):  # the parent has closed the pipe
        return


def _answer(robot: Bot, state: State, limit_s: float) -> int | _Mistake:
    """Return the number of a move, or a mistake: no other object is pickled."""
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
