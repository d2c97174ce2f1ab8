"""The work of a bot process: it does one job at a time, with a lower priority than the server.

It is imported without asyncio, metrics or anything else of the server, so that a process starts
quickly.
"""

import os
import sys
from contextlib import suppress
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from traceback import format_exception_only

from boxroom_common.child_processes import Connection, follow_parent
from boxroom_common.kernel.use import use_when_built
from boxroom_engine.games.registry import load_abilities
from boxroom_server.bots.jobs import BotFailed, Job

NICENESS = 12
"""Steps of setpriority(2) by which its priority is lower than the server's.

It gets a fifteenth of a core that is contended. With 10, players' moves still wait for bots now
and then; with 19, the maximum, the answers of bots on a busy machine come too late.
"""

_AUTOGROUP = Path("/proc/self/autogroup")
"""Linux's file with the priority of a session, see sched(7)."""

MAX_REASON_CHARS = 500
"""Longest reason of a failure that a process reports."""


def serve_jobs(connection: Connection) -> None:
    """Do jobs until the server closes the connection."""
    follow_parent()
    use_when_built()
    load_abilities()
    _give_way()  # after the imports, as a move may wait for the start
    try:
        connection.send("ready")
        while True:
            connection.send_bytes(_pickled_result(*connection.recv()))
    except (EOFError, OSError):
        return


def _give_way() -> None:
    """Lower the priority of this process, and of its session.

    Linux divides the processor among sessions before it looks at the priorities of processes
    (sched(7), autogroup): a bot in the server's session would use up the server's share. So it gets
    a session of its own, with a low priority as well. Windows has neither of the two.
    """
    if sys.platform == "win32":
        return
    os.setsid()
    with suppress(OSError):  # a filter of system calls may refuse it: a bot plays nevertheless
        os.nice(NICENESS)
    with suppress(OSError):  # the file exists on Linux only, and not always
        _AUTOGROUP.write_text(str(NICENESS))


def _pickled_result(job: Job[object], limit_s: float) -> memoryview:
    """Return the pickled result of `job`, or the reason why there is none, also of SystemExit."""
    try:
        return ForkingPickler.dumps(job(limit_s))
    except BaseException as error:
        reason = "".join(format_exception_only(error)).strip()[:MAX_REASON_CHARS]
        return ForkingPickler.dumps(BotFailed(reason))
