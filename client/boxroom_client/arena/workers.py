"""Processes in which bots play, a whole game at a time.

A bot that hangs is killed with its process, and a process that dies is replaced; what was played
up to then is on the board, and whose turn it was is whose fault it is. The pools of pebble and
of the standard library limit a call, which then would have to be a move: several times what a
simple bot takes for one.
"""

import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from threading import Thread
from types import TracebackType
from typing import Any, Self

from boxroom_client.arena.board import Board, cells_for
from boxroom_common.child_processes import (
    SPAWN,
    discard_stdout,
    exit_with_parent,
    terminal_signals_blocked,
)
from boxroom_engine.arena.contest import Contest, Task
from boxroom_engine.arena.course import Course
from boxroom_engine.arena.playing import GRACE_S, FaultKind, Leg, Terms, fault_of, play
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.games.protocol import Game

Find = Callable[[str], Bot]
"""How a process gets a bot by its name with options: a function that it can import."""

KILL_S = 0.25
"""How long after the grace a bot is killed that doesn't answer at all."""

END_S = 5.0
"""How long a process that has nothing to do may take to end."""


class CantStart(Exception):
    """A process ended before it was ready to play."""


class Workers:
    """Up to `jobs` processes, started when they are needed; a context, in which they live."""

    def __init__(self, jobs: int, contest: Contest, find: Find) -> None:
        self._jobs = jobs
        self._contest = contest
        self._find = find
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for worker in self._idle:
            worker.dismiss()
        for worker in self._busy.values():
            worker.kill()
        for worker in self._idle:
            worker.end()

    @property
    def has_room(self) -> bool:
        """Whether one more game can be played now."""
        return len(self._busy) < self._jobs

    @property
    def is_idle(self) -> bool:
        """Whether no game is being played."""
        return not self._busy

    def give(self, course: Course) -> None:
        """Have a game played on, when there is room.

        Raises:
            CantStart: see there.
        """
        while self._idle:
            worker = self._idle.pop()
            if self._gave(worker, course):
                return
            worker.kill()
        worker = _Worker(self._contest.game, self._find)
        if not self._gave(worker, course):
            raise worker.cant_start()

    def legs(self, timeout_s: float) -> Iterator[tuple[Course, Leg]]:
        """What has been played of which game; at most so long nothing happens.

        Raises:
            CantStart: see there.
        """
        for connection in wait(list(self._busy), timeout_s):
            assert isinstance(connection, Connection)
            yield from self._heard(connection)
        now_s = time.monotonic()
        for connection, worker in list(self._busy.items()):
            if worker.hangs(now_s):
                del self._busy[connection]
                yield worker.course, worker.stopped()

    def _gave(self, worker: "_Worker", course: Course) -> bool:
        """Whether the process is there to be given a game."""
        try:
            worker.give(course, self._contest.task(course))
        except OSError:
            return False
        self._busy[worker.connection] = worker
        return True

    def _heard(self, connection: Connection) -> Iterator[tuple[Course, Leg]]:
        worker = self._busy[connection]
        try:
            heard = connection.recv()
        except (EOFError, OSError):
            del self._busy[connection]
            yield worker.course, worker.died()
            return
        worker.is_ready = True
        if isinstance(heard, Leg):
            del self._busy[connection]
            self._idle.append(worker)
            yield worker.course, heard


class _Worker:
    """A process, and the game that it plays or has played."""

    course: Course
    _task: Task

    def __init__(self, game: Game, find: Find) -> None:
        cells: Any = SPAWN.RawArray("d", cells_for(game))
        self.connection, theirs = SPAWN.Pipe()
        self.is_ready = False
        self._board = Board(cells)
        # No daemon: those may have no processes of their own, which robots need.
        self._process = SPAWN.Process(target=_serve, args=(theirs, cells, find))
        with terminal_signals_blocked():
            self._process.start()
        theirs.close()

    def give(self, course: Course, task: Task) -> None:
        self._board.clear()
        self.connection.send(task)
        self.course, self._task = course, task

    def hangs(self, now_s: float) -> bool:
        """Whether it has been thinking about one move for far too long."""
        since_s = self._board.since_s
        return since_s is not None and now_s - since_s > self._patience_s

    def stopped(self) -> Leg:
        """What it has played, once it is killed for hanging."""
        self.kill()
        if not self.hangs(time.monotonic()):
            return self._played(None, "")  # it has just moved after all
        return self._played(FaultKind.TIME, f"gave no answer in {self._patience_s:g} s")

    def died(self) -> Leg:
        """What it had played when its process died."""
        if not self.is_ready:
            raise self.cant_start()
        return self._played(FaultKind.DIED, self._ending())

    def cant_start(self) -> CantStart:
        return CantStart(f"a process for games can't start: {self._ending()}")

    def dismiss(self) -> None:
        """Let it end by itself."""
        self.connection.close()

    def end(self) -> None:
        """Wait until it has ended, but not for long."""
        self._process.join(END_S)
        self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()

    @property
    def _patience_s(self) -> float:
        return self._task.limit_s + GRACE_S + KILL_S

    def _played(self, kind: FaultKind | None, detail: str) -> Leg:
        """The moves on the board, and a fault of whoever is to move after them."""
        state, turns = self._task.state, tuple(self._board.turns(self._task.state))
        for turn in turns:
            state = state.play(turn.move)
        if kind is None or state.is_over:
            return Leg(turns, None)
        return Leg(turns, fault_of(state, kind, detail))

    def _ending(self) -> str:
        self._process.join(END_S)
        self.kill()
        code = self._process.exitcode or 0
        if code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with code {code}"


def _serve(connection: Connection, cells: Any, find: Find) -> None:
    """What a process does: play what it is given until there is no more."""
    discard_stdout()
    Thread(target=exit_with_parent, daemon=True).start()
    board = Board(cells)
    try:
        connection.send("ready")
        while True:
            task: Task = connection.recv()
            bots = [find(bot) for bot in task.bots]
            terms = Terms(task.limit_s, time.monotonic)
            connection.send(play(task.state, bots, terms, task.seed, board))
    except (EOFError, OSError):  # nobody is there any more, or wants anything
        return
