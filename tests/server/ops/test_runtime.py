"""The process that a server runs in. Limits can't be raised again, so each test has its own."""

import subprocess
import sys

import pytest

ONE_LOOP = True

SCRIPT = """
import resource, sys
from boxroom_server.ops import runtime
soft, hard, most = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(runtime.allow_connections(most), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


REFUSED = """
import resource
from boxroom_server.ops import runtime
def refuse(*_):
    raise ValueError("current limit exceeds maximum limit")
resource.getrlimit = lambda _: (256, resource.RLIM_INFINITY)
resource.setrlimit = refuse
print(runtime.allow_connections(1000))
"""


def told_by(script: str, *arguments: object) -> str:
    """What a program in a process of its own prints."""
    ran = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return ran.stdout.strip()


@pytest.mark.parametrize(
    ("soft", "hard", "most", "told"),
    [
        (300, 1000, 500, "True 700 1000"),
        (300, 1000, 50, "True 300 1000"),
        (300, 1000, 800, "True 1000 1000"),
        (300, 1000, 801, "False 1000 1000"),
    ],
)
def test_as_many_files_may_be_open_as_connections_need_and_the_system_allows(
    soft: int, hard: int, most: int, told: str
) -> None:
    assert told_by(SCRIPT, soft, hard, most) == told


def test_what_the_system_refuses_without_having_said_so_is_not_allowed() -> None:
    assert told_by(REFUSED) == "False"
