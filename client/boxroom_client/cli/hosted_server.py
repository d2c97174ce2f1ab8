"""The server of `boxroom host`, a process that doesn't depend on the command that has started it.

A folder beside the identities has three files for each port: the server's run file, the log of what
it prints, and a lock that is held while one starts. So a later command of this user finds the
server, can stop it, and can start the same one anew after it has crashed.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import msgspec

from boxroom_client.profile.identity import default_config_folder
from boxroom_client.servers.address import Address
from boxroom_client.servers.localhost import local_server
from boxroom_common.exits import Failure
from boxroom_common.file_lock import FileLock
from boxroom_common.folders import make_folder
from boxroom_common.phrases import say
from boxroom_common.run_file import RunFile, RunningServer
from boxroom_engine.phrases import Phrase, phrase
from boxroom_engine.room.decision import CommandRefused

_PROGRAM = (sys.executable, "-m", "boxroom_client")

_STOPS = "Ctrl-C stops the server."
"""Line of `boxroom serve` that doesn't hold for a process without a terminal."""

_STOP_S = 30.0
"""Longest time for a server to stop."""

_POLL_S = 0.05
"""Time between two looks at files that another process changes."""

_MOST_SOCKET_BYTES = 100
"""Longest path of a Unix socket that every system takes."""

_LINES_OF_FAILURE = 50

if sys.platform == "win32":
    _APART = subprocess.CREATE_NEW_PROCESS_GROUP  # it has no sessions
else:
    _APART = 0


class HostedServer:
    """The server of this user on `port`, whether it runs or not."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._folder = default_config_folder() / "hosted"
        self._run_path = self._folder / f"{port}.json"
        self._run_file = RunFile(self._run_path)
        self._log_path = self._folder / f"{port}.log"

    def running(self) -> RunningServer | None:
        """Return the server if it runs."""
        server = self._run_file.read()
        return server if server is not None and self._run_file.is_held() else None

    async def address(self, server: RunningServer, ca_file: str | None) -> Address:
        """Return the address of `server` for this machine, with the certificate file to trust.

        It is localhost unless the server listens elsewhere only, or with TLS.
        """
        here = Address("localhost", self.port)
        if not server.joined_at or await local_server(here) is not None:
            return here
        return replace(Address.parse(server.joined_at[-1]), ca_file=ca_file)

    # Starting

    async def start(self, options: Sequence[str], *, memory: bool, empty_s: int) -> tuple[str, ...]:
        """Start it with these `options` of `boxroom serve`; return what it has printed.

        It ends `empty_s` seconds after the last connection. If another command has started it
        meanwhile, it has printed nothing.

        Raises:
            Failure: it has ended instead, for the reason that it has printed.
        """
        return await self._start(
            (
                *("serve", "--port", str(self.port), "--download-compiler"),
                *("--stop-when-empty", str(empty_s), "--run-file", str(self._run_path.absolute())),
                *(("--memory", *self._admin_socket()) if memory else ()),
                *options,
            ),
            Path.cwd(),
            ends_if_cancelled=True,
        )

    async def revive(self) -> Phrase | None:
        """Start the same server anew if it has crashed; return a sentence about that.

        Raises:
            CommandRefused: it has saved nothing.
            Failure: it has ended again.
        """
        server = self._run_file.read()
        if server is None or self._run_file.is_held():
            return None
        if not server.saves:
            raise CommandRefused("server_lost", phrase("ended.server_lost"))
        await self._start(server.arguments, Path(server.folder), ends_if_cancelled=False)
        return phrase("notice.server_started_anew")

    def _admin_socket(self) -> tuple[str, ...]:
        """Return the option for a server without a data folder, if a socket can be made here."""
        path = str((self._folder / f"{self.port}.socket").absolute())
        is_possible = sys.platform != "win32" and len(os.fsencode(path)) <= _MOST_SOCKET_BYTES
        return ("--admin-socket", path) if is_possible else ()

    async def _start(
        self, arguments: Sequence[str], folder: Path, *, ends_if_cancelled: bool
    ) -> tuple[str, ...]:
        try:
            async with self._starting_alone():
                if self.running() is not None:
                    return ()
                crashed = self._run_file.read()
                process = self._process(arguments, folder)
                try:
                    await self._wait_until_it_runs(process, crashed)
                except asyncio.CancelledError:
                    if ends_if_cancelled:
                        process.terminate()
                        await asyncio.to_thread(process.wait)
                    raise
                return self._printed()
        except OSError as error:
            reason = error.strerror or str(error)
            raise Failure(say("terminal.host.no_start", reason=reason)) from error

    @asynccontextmanager
    async def _starting_alone(self) -> AsyncIterator[None]:
        make_folder(self._folder)
        lock_path = self._folder / f"{self.port}.lock"
        while (lock := FileLock.acquire(lock_path)) is None:  # noqa: ASYNC110 -- another process has it
            await asyncio.sleep(_POLL_S)
        try:
            yield
        finally:
            lock.release()

    def _process(self, arguments: Sequence[str], folder: Path) -> "subprocess.Popen[bytes]":
        """Start a process in a session of its own, which the end of this terminal doesn't end.

        It isn't one of asyncio, which would kill it at the end of this command, and it prints to a
        file, as a pipe would have no reader after that.
        """
        with self._log_path.open("wb") as log:
            return subprocess.Popen(  # noqa: S603 -- the user's own options, without a shell
                [*_PROGRAM, *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                creationflags=_APART,
            )

    async def _wait_until_it_runs(
        self, process: "subprocess.Popen[bytes]", crashed: RunningServer | None
    ) -> None:
        """Wait for another run file than that of the server before, which stays if this fails.

        Raises:
            Failure: `process` has ended.
        """
        while self._run_file.read() in (None, crashed):
            if process.poll() is not None:
                reason = " ".join(self._printed()).removeprefix("boxroom: ")
                raise Failure(reason or say("terminal.host.server_ended"))
            await asyncio.sleep(_POLL_S)

    def _printed(self) -> tuple[str, ...]:
        lines = self._log_path.read_text(encoding="utf-8", errors="replace").splitlines()
        return tuple(line for line in lines if line != _STOPS)[-_LINES_OF_FAILURE:]

    # Stopping

    async def stop(self) -> None:
        """Have it tell its members, and wait until it has ended.

        Raises:
            Failure: it takes too long.
        """
        server = self.running()
        if server is None:
            return
        with suppress(ProcessLookupError):
            os.kill(server.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(_STOP_S):
                while self.running() is not None:  # noqa: ASYNC110 -- it is another process
                    await asyncio.sleep(_POLL_S)
        except TimeoutError:
            raise Failure(
                say("terminal.host.does_not_stop", port=self.port, pid=server.pid)
            ) from None
        if sys.platform == "win32":  # there SIGTERM ends a process before it can tidy up
            self._run_path.unlink(missing_ok=True)

    async def names_there(self) -> tuple[str, ...] | None:
        """Return the names of all who are connected to it; None if it can't be asked."""
        server = self.running()
        if server is None or server.admin_socket is None:
            return None
        asking = await asyncio.create_subprocess_exec(
            *(*_PROGRAM, "admin", "--admin-socket", server.admin_socket, "--json", "names"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        answer, _ = await asking.communicate()  # it limits its time itself
        try:
            names = msgspec.json.decode(answer, type=_Names)
        except msgspec.MsgspecError:
            return None
        return None if names.left_out else tuple(it.name for it in names.names if it.is_here)


class _Name(msgspec.Struct):
    name: str
    is_here: bool


class _Names(msgspec.Struct):
    """The part of the answer of `boxroom admin names` that is read here."""

    names: tuple[_Name, ...]
    left_out: int
