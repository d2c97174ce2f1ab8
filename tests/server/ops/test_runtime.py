"""The limit of open files. A lowered limit can't be raised, so each test has its own process."""

import subprocess
import sys

from tests.cases import each

ONE_LOOP = True

SCRIPT = """
import resource, sys
from boxroom_server.ops import runtime
soft, hard, connections = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(runtime.raise_file_limit(connections), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


REFUSED = """
import resource
from boxroom_server.ops import runtime
def refuse(*_):
    raise ValueError("current limit exceeds maximum limit")
resource.getrlimit = lambda _: (256, resource.RLIM_INFINITY)
resource.setrlimit = refuse
print(runtime.raise_file_limit(1000))
"""


def output_of(script: str, *arguments: object) -> str:
    """Run a program in a process of its own and return its output."""
    ran = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return ran.stdout.strip()


@each(
    "soft, hard, connections, output",
    [
        (300, 1000, 500, "True 700 1000"),
        (300, 1000, 50, "True 300 1000"),
        (300, 1000, 800, "True 1000 1000"),
        (300, 1000, 801, "False 1000 1000"),
    ],
)
def test_as_many_files_may_be_open_as_connections_need_and_the_system_allows(
    soft: int, hard: int, connections: int, output: str
) -> None:
    assert output_of(SCRIPT, soft, hard, connections) == output


def test_what_the_system_refuses_without_having_said_so_is_not_allowed() -> None:
    assert output_of(REFUSED) == "False"
