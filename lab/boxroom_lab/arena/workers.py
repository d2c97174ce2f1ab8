"""Worker processes in which bots play, each a whole game at a time.

A bot that hangs is killed with its process, and a process that dies is replaced. The moves up to
then are in shared memory, and so is whether a bot was thinking: then the fault is its own. If none
was, if the process was ended from outside, or if the whole machine was held up while a bot exceeded
its time, the game is void. Loading a robot isn't thinking. The pools of pebble and of the
standard library put a time limit on a call. A call would then have to be a single move, and cost
several times the thinking of a simple bot.
"""

import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from typing import Self

from boxroom_common.child_processes import (
    SPAWN,
    Connection,
    discard_stdout,
    follow_parent,
    main_module_hidden,
    terminal_signals_blocked,
)
from boxroom_common.kernel.use import use_when_built
from boxroom_common.system import signals_here
from boxroom_engine.arena.contest import Contest, Task
from boxroom_engine.arena.playing import (
    GRACE_S,
    Fault,
    FaultKind,
    Segment,
    TimeControl,
    fault_of,
    play,
)
from boxroom_engine.arena.running_game import RunningGame
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.uniform import UniformBot
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.protocol import Game, Seat
from boxroom_engine.games.registry import load_abilities
from boxroom_lab.arena.shared_game import SharedGame
from boxroom_lab.robots.file import RobotLoadError, RobotLoadTimeout

FindBot = Callable[[str], Bot]
"""A function, which can be sent to a process, that returns a bot by its name with options."""

KILL_S = 0.25
"""Time after the grace until a bot that gives no answer is killed."""

END_S = 5.0
"""Time limit for an idle process to end."""

HELD_UP_S = 0.5
"""If a wait of this process takes so much longer than it should, the machine was held up, or all
processes were stopped, as Ctrl-Z does. Bots aren't blamed for that time."""

_ABSENT = UniformBot()
"""In the place of a seat that has withdrawn, which isn't asked any more."""

_CRASHES = frozenset(signals_here("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP"))
"""Signals by which code ends its own process; others come from outside."""


class WorkerStartError(BoxroomError):
    """A process that ended before it was ready to play."""


class Workers:
    """A pool of up to `jobs` processes, started when needed; leaving the context ends them."""

    def __init__(self, jobs: int, contest: Contest, find: FindBot) -> None:
        self.have_started = False
        """Whether any process was ever ready to play, so that they can start in principle."""
        self._jobs = jobs
        self._contest = contest
        self._find = find
        # Processes without a game.
        self._idle: list[_Worker] = []
        # Processes that play, by their pipe.
        self._busy: dict[Connection, _Worker] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._idle:
            worker.close()
        for worker in self._busy.values():
            worker.kill()
        for worker in self._idle:
            worker.join()

    @property
    def has_room(self) -> bool:
        """Whether one more game can be played now."""
        return len(self._busy) < self._jobs

    @property
    def is_idle(self) -> bool:
        """Whether no game is being played."""
        return not self._busy

    def start_game(self, game: RunningGame) -> None:
        """Start or continue `game` in a process; there must be room.

        Raises:
            WorkerStartError: a new process can't start, or died at once.
        """
        while self._idle:
            worker = self._idle.pop()
            if self._try_start(worker, game):
                return
            worker.kill()
        try:
            worker = _Worker(self._contest.game, self._find)
        except OSError as error:
            raise WorkerStartError(f"a process for games can't start: {error.strerror}") from None
        if not self._try_start(worker, game):
            raise worker.start_error()

    def finished_segments(self, timeout_s: float) -> Iterator[tuple[RunningGame, Segment]]:
        """Wait for up to `timeout_s`, and yield games with the segment that was played of them.

        Raises:
            WorkerStartError: a process died before it was ready, and none ever was.
        """
        until_s = time.monotonic() + timeout_s
        ready = wait(list(self._busy), timeout_s)
        if (held_up_s := time.monotonic() - until_s) > HELD_UP_S:
            for worker in self._busy.values():
                worker.note_hold_up(held_up_s)
        for connection in ready:
            assert isinstance(connection, Connection)
            yield from self._received(connection)
        now_s = time.monotonic()
        for connection, worker in list(self._busy.items()):
            if worker.hangs(now_s):
                del self._busy[connection]
                yield worker.game, worker.stop_hanging()

    def _try_start(self, worker: "_Worker", game: RunningGame) -> bool:
        """Start a game in `worker`; whether its process is alive."""
        try:
            worker.start(game, self._contest.task(game))
        except OSError:
            return False
        self._busy[worker.connection] = worker
        return True

    def _received(self, connection: Connection) -> Iterator[tuple[RunningGame, Segment]]:
        worker = self._busy[connection]
        try:
            message = connection.recv()
        except (EOFError, OSError):
            del self._busy[connection]
            if not self.have_started:
                raise worker.start_error() from None
            yield worker.game, worker.segment_at_death()
            return
        worker.is_ready = self.have_started = True
        if isinstance(message, Segment):
            del self._busy[connection]
            self._idle.append(worker)
            yield worker.game, worker.judged(message, time.monotonic())


class _Worker:
    """A process, and the game that it plays or has played."""

    game: RunningGame
    _task: Task

    def __init__(self, game: Game, find: FindBot) -> None:
        # The moves so far, written by the process.
        self._shared_game = SharedGame.of(game)
        self.connection, theirs = SPAWN.Pipe()
        self.is_ready = False
        """Whether the process has sent its first message."""
        # The start of thinking after which the machine was held up last, and for how long since.
        self._held_since_s: float | None = None
        self._held_up_s = 0.0
        # No daemon: daemons can't start processes of their own, which robots need.
        self._process = SPAWN.Process(target=_serve, args=(theirs, self._shared_game, find))
        with terminal_signals_blocked(), main_module_hidden():
            self._process.start()
        theirs.close()
        self._shared_game.close()

    def start(self, game: RunningGame, task: Task) -> None:
        self._shared_game.clear()
        self.connection.send(task)
        self.game, self._task = game, task

    def note_hold_up(self, seconds: float) -> None:
        """Note that the machine was held up for `seconds`, which a bot that thinks gets back."""
        since_s = self._shared_game.since_s
        before_s = self._held_up_s if since_s == self._held_since_s else 0.0
        self._held_since_s, self._held_up_s = since_s, before_s + seconds

    def _thinking_s(self, now_s: float) -> float | None:
        """Return how long a bot has been thinking without hold-ups; None if none is thinking."""
        since_s = self._shared_game.since_s
        if since_s is None:
            return None
        held_up_s = self._held_up_s if since_s == self._held_since_s else 0.0
        return now_s - since_s - held_up_s

    def hangs(self, now_s: float) -> bool:
        """Whether a bot has been thinking about one move for far too long."""
        thinking_s = self._thinking_s(now_s)
        return thinking_s is not None and thinking_s > self._kill_after_s

    def stop_hanging(self) -> Segment:
        """Kill the process, and return the moves with a time fault."""
        self.kill()
        if not self.hangs(time.monotonic()):
            return self._segment(None, "")  # it has just moved after all
        return self._segment(FaultKind.TIME, f"gave no answer in {self._kill_after_s:g} s")

    def judged(self, segment: Segment, now_s: float) -> Segment:
        """Return `segment`, but a void one if a bot was late because the machine was held up."""
        fault, thinking_s = segment.fault, self._thinking_s(now_s)
        if fault is None or fault.kind is not FaultKind.TIME or thinking_s is None:
            return segment
        if thinking_s > self._task.limit_s + GRACE_S:
            return segment
        return Segment((), None, "the machine was held up while a bot was thinking")

    def segment_at_death(self) -> Segment:
        """Return the moves up to the death of the process, with a fault, or a void segment."""
        if not self.is_ready:
            return Segment((), None, str(self.start_error()))
        text, code = self._exit_text(), self._process.exitcode or 0
        is_crash = code > 0 or -code in _CRASHES
        if self._shared_game.since_s is None or not is_crash:
            return Segment((), None, text)
        return self._segment(FaultKind.DIED, text)

    def start_error(self) -> WorkerStartError:
        return WorkerStartError(f"a process for games can't start: {self._exit_text()}")

    def close(self) -> None:
        """Close the pipe, so that the process ends."""
        self.connection.close()

    def join(self) -> None:
        """Wait a limited time for the process to end, then kill it."""
        self._process.join(END_S)
        self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()

    @property
    def _kill_after_s(self) -> float:
        return self._task.limit_s + GRACE_S + KILL_S

    def _segment(self, kind: FaultKind | None, detail: str) -> Segment:
        """Return the shared moves, with a fault of the seat to move after them."""
        state, moves = self._task.state, tuple(self._shared_game.moves(self._task.state))
        for timed in moves:
            state = state.play(timed.move)
        if kind is None or state.is_over:
            return Segment(moves, None)
        return Segment(moves, fault_of(state, kind, detail))

    def _exit_text(self) -> str:
        self._process.join(END_S)
        self.kill()
        code = self._process.exitcode or 0
        if code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with code {code}"


def _serve(connection: Connection, shared_game: SharedGame, find: FindBot) -> None:
    """Play the tasks that come through the pipe until it is closed; runs in the process."""
    discard_stdout()
    follow_parent()
    use_when_built()
    load_abilities()
    try:
        connection.send("ready")
        while True:
            connection.send(_played(connection.recv(), find, shared_game))
    except (EOFError, OSError):  # the parent has closed the pipe, or has died
        return


def _played(task: Task, find: FindBot, shared_game: SharedGame) -> Segment:
    """Load the bots, and let them play; a robot whose code can't be loaded loses."""
    bots: list[Bot] = []
    for seat, name in enumerate(task.bots):
        try:
            bots.append(_ABSENT if seat in task.state.withdrawn else find(name))
        except RobotLoadTimeout as error:
            return Segment((), None, str(error))
        except RobotLoadError as error:
            return Segment((), Fault(Seat(seat), task.state.ply, FaultKind.ERROR, str(error)))
        except OSError as error:  # such as too many processes
            return Segment((), None, f"{name} can't be started: {error.strerror}")
    time_control = TimeControl(task.limit_s, time.monotonic)
    return play(task.state, bots, time_control, task.seed, shared_game)
