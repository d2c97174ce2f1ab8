"""The server of `boxroom host`, as a command that comes later finds it; tests/e2e host rooms."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from boxroom_client.cli import hosted_server
from boxroom_client.cli.hosted_server import HostedServer
from boxroom_common.exits import Failure
from boxroom_common.run_file import RunFile, RunningServer

DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); input()"
"""Program that SIGTERM doesn't end."""


def test_a_server_that_does_not_stop_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(hosted_server, "_STOP_S", 0.1)
    (tmp_path / "hosted").mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", DEAF], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        described = RunningServer(process.pid, (), None, True, (), str(tmp_path))
        with RunFile(tmp_path / "hosted" / "9000.json").written(described):
            with pytest.raises(Failure, match=f"port 9000, process {process.pid}, doesn't stop"):
                asyncio.run(HostedServer(9000).stop())
            assert HostedServer(9000).running() == described
        process.communicate(b"\n")
    assert HostedServer(9000).running() is None
