"""Real etcd: members in processes of their own, which can be killed, stopped and started again."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Self

import pytest
from tests.faults.server_process import free_port

LIMIT_S = 30.0
"""Longest wait for a member to start."""


class EtcdMember:
    """One member of a cluster, with a folder of its own; a context manager."""

    def __init__(
        self,
        name: str,
        folder: Path,
        client_port: int,
        peer_port: int,
        *,
        host: str = "127.0.0.1",
        scheme: str = "http",
        flags: Sequence[str] = (),
        within: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.endpoint = f"{host}:{client_port}"
        """Address for clients."""
        self.peer_url = f"http://{host}:{peer_port}"
        self.peers: Sequence[EtcdMember] = (self,)
        """All members of its cluster."""
        self._state = "new"  # "existing" if it joins a cluster that is running
        self._folder = folder
        self._url = f"{scheme}://{self.endpoint}"  # for clients
        self._flags = flags
        self._within = within  # command that runs another one on a machine of the test
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Id of the running process."""
        assert self._process is not None
        return self._process.pid

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    async def start(self) -> None:
        """Start it, without waiting for the others."""
        program = shutil.which("etcd")
        assert program is not None
        with (self._folder / f"{self.name}.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._within,
                program,
                f"--name={self.name}",
                f"--data-dir={self._folder / self.name}",
                f"--listen-client-urls={self._url}",
                f"--advertise-client-urls={self._url}",
                f"--listen-peer-urls={self.peer_url}",
                f"--initial-advertise-peer-urls={self.peer_url}",
                "--initial-cluster=" + ",".join(f"{it.name}={it.peer_url}" for it in self.peers),
                f"--initial-cluster-state={self._state}",
                *self._flags,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    async def kill(self) -> None:
        """End it with SIGKILL."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def wipe(self) -> None:
        """Delete all that it has saved, so that it joins the others as a new member."""
        await asyncio.to_thread(shutil.rmtree, self._folder / self.name)
        self._state = "existing"


async def ctl(
    endpoints: str, *words: str, within: Sequence[str] = (), given: bytes | None = None
) -> str:
    """Run etcdctl, perhaps on a machine of the test, and return what it prints.

    It reads `given` from standard input.

    Raises:
        AssertionError: it has failed.
    """
    process = await asyncio.create_subprocess_exec(
        *within,
        "etcdctl",
        f"--endpoints={endpoints}",
        *words,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={"ETCDCTL_API": "3", "PATH": "/usr/bin:/bin"},
    )
    text, _ = await process.communicate(given)
    assert process.returncode == 0, text.decode()
    return text.decode()


async def until_healthy(endpoints: str, *flags: str, within: Sequence[str] = ()) -> None:
    """Wait until all members answer; `flags` are those of etcdctl."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            try:
                await ctl(endpoints, *flags, "endpoint", "health", within=within)
                return
            except AssertionError:
                await asyncio.sleep(0.05)


def need_etcd() -> None:
    """Skip the test where etcd isn't installed."""
    if shutil.which("etcd") is None or shutil.which("etcdctl") is None:
        pytest.skip("missing here: etcd and etcdctl, Debian's etcd-server and etcd-client")


@asynccontextmanager
async def etcd_cluster(folder: Path, size: int, *flags: str) -> AsyncIterator[list[EtcdMember]]:
    """Run a cluster of `size` members, which all answer, while the context lasts."""
    need_etcd()
    members = [
        EtcdMember(f"etcd{number}", folder, free_port(), free_port(), flags=flags)
        for number in range(size)
    ]
    async with AsyncExitStack() as stack:
        for member in members:
            member.peers = members
            stack.push_async_exit(member)
            await member.start()
        await until_healthy(",".join(member.endpoint for member in members))
        yield members
