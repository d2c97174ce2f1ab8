"""CPU time of the full screen while nothing happens, as a share of one core.

A real `boxroom play` in a pseudo-terminal, with its private server, waits for a move that doesn't
come. The figure of a process that only sleeps stands beside it.

    python benchmarks/idle.py --seconds 10
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

import pexpect

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process so far (Linux: proc(5), fields utime and stime)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def measure(pid: int, seconds: float) -> float:
    """Return the share of one core that the process takes for that many seconds."""
    before = cpu_s(pid)
    time.sleep(seconds)
    return (cpu_s(pid) - before) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds: float = parser.parse_args().seconds
    arguments = ["-m", "boxroom_client", "play", "--name", "Ada", "--bot", "greedy"]
    playing = pexpect.spawn(
        sys.executable, arguments, dimensions=(24, 80), env={**os.environ, "TERM": "xterm-256color"}
    )
    playing.expect("your turn, Ada")
    playing.expect(pexpect.TIMEOUT, timeout=2)  # until the start is over
    assert playing.pid is not None
    idle = measure(playing.pid, seconds)
    playing.close(force=True)
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"]) as sleeper:
        time.sleep(1)
        asleep = measure(sleeper.pid, seconds)
        sleeper.kill()
    print(f"the full screen, idle: {idle:.2%} of a core; a process that sleeps: {asleep:.2%}")


if __name__ == "__main__":
    main()
