"""Run files of servers, held by contexts of one process, and by a process that is killed."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boxroom_common.run_file import RunFile, RunFileInUse, RunningServer

SERVER = RunningServer(
    pid=7,
    joined_at=("192.0.2.7", "localhost"),
    admin_socket=None,
    saves=True,
    arguments=("serve", "--port", "8765"),
    folder="/games",
)

HOLDER = """
import sys
from pathlib import Path
from boxroom_common.run_file import RunFile, RunningServer
with RunFile(Path(sys.argv[1])).written(RunningServer(7, (), None, False, (), "")):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "8765.json"


def test_it_describes_a_server_as_long_as_that_runs(path: Path) -> None:
    run_file = RunFile(path)
    assert (run_file.read(), run_file.is_held()) == (None, False)
    with RunFile(path).written(SERVER):
        assert (run_file.read(), run_file.is_held()) == (SERVER, True)
    assert (run_file.read(), run_file.is_held()) == (None, False)


def test_a_second_server_doesnt_take_it(path: Path) -> None:
    with RunFile(path).written(SERVER):
        with pytest.raises(RunFileInUse), RunFile(path).written(SERVER):
            pass
        assert RunFile(path).read() == SERVER


def test_a_server_that_was_killed_leaves_it_behind_and_another_can_take_it(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert RunFile(path).is_held()
        holder.send_signal(signal.SIGKILL)
    left = RunFile(path).read()
    assert left is not None
    assert not RunFile(path).is_held()
    with RunFile(path).written(SERVER):
        assert RunFile(path).read() == SERVER


@pytest.mark.parametrize("content", ["", "{}", "[" * 10_000, "\xff"])
def test_a_file_that_is_none_describes_no_server(path: Path, content: str) -> None:
    path.write_text(content, encoding="latin-1")
    assert RunFile(path).read() is None
