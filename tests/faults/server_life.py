"""The life of a server on a recorded disk, in stages that a kill may end.

A client chats in one room of it. Every line that was answered, and every copy whose command has
succeeded, must be there afterwards.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple, Self

from tests.conftest import GOLDEN
from tests.faults.recorded_disk import RecordedDisk
from tests.faults.server_process import LIMIT_S, NO_LIMITS, Ended, ServerProcess, free_port
from tests.faults.stored_content import Content, content_of
from tests.server.talk import ONE_BOX, Talk, say_hello
from websockets.asyncio.client import connect

from boxroom_engine.room.room import CHAT_TAIL
from boxroom_server.storage.room_log import fold_log
from boxroom_server.storage.sqlite.folder import DataFolder
from boxroom_server.storage.sqlite.wal import log_of

ROOM = "cave"

LONG_LINE = 3900
"""Characters of a line that takes three pages of a commit."""

OLD = GOLDEN / "written_before" / "killed"


class Kept(NamedTuple):
    """Lines of chat that were acknowledged, in a data folder or a backup."""

    since: int
    """Size of the record of the disk when that was known."""
    place: Path
    lines: tuple[str, ...]


@asynccontextmanager
async def talking(port: int, name: str) -> AsyncIterator[Talk]:
    """A client that has said hello."""
    url = f"ws://127.0.0.1:{port}"
    async with connect(url, compression=None, max_queue=None) as connection:
        talk = Talk(connection, name)
        await say_hello(talk)
        yield talk


class Life:
    """A server on `disk`, and the commands of its operator; a context manager that ends it.

    The methods up to `restore` are the stages. They raise `Ended`, or an error of the connection,
    if a process is killed.
    """

    def __init__(self, disk: RecordedDisk, log: Path) -> None:
        self._disk = disk
        self._log = log  # of the servers' standard error
        self._folder = disk.root / "home" / "data"  # of the server that was started last
        self._backup = disk.root / "backup.db"
        self._old = disk.root / "old"  # a data folder that was written before
        self._server = self._server_in(self._folder)
        self._kept: list[Kept] = []
        self._asked: list[str] = []  # all lines, also those without an answer

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def kill(self) -> None:
        """Kill the server, if it runs."""
        with self._disk.between_changes():
            await self._server.end()

    def _server_in(self, folder: Path) -> ServerProcess:
        flags = (*NO_LIMITS, "--chat-chars", str(LONG_LINE), "--data", str(folder))
        return ServerProcess(free_port(), self._log, *flags, environment=self._disk.environment)

    async def open(self) -> None:
        """Start the server."""
        await self._server.start()

    async def open_after_kill(self) -> None:
        """Kill the server, if it runs, and start it again."""
        await self.kill()
        await self.open()

    async def upgrade(self) -> None:
        """Kill the server, and start one in a folder that was written before."""
        await self.kill()
        self._disk.put(OLD, self._old)
        self._folder, self._server = self._old, self._server_in(self._old)
        await self.open()

    async def say(self, lines: int = 5, chars: int = 0) -> None:
        """Say lines of at least so many characters in the room, which is made if need be."""
        async with talking(self._server.port, "Zoe") as zoe:
            made = await zoe.ask("create_room", token="token of Zoe", room=ROOM, settings=ONE_BOX)
            if made["type"] == "refused":
                await zoe.do("join_room", room=ROOM)
            for _ in range(lines):
                self._asked.append(f"line {len(self._asked)} ".ljust(chars, "x").strip())
                await zoe.do("say", text=self._asked[-1])
                self._keep(self._folder, (*self._lines_in(self._folder), self._asked[-1]))

    async def say_much(self) -> None:
        """Say so much that SQLite makes a checkpoint."""
        await self.say(320, LONG_LINE)

    async def idle(self) -> None:
        """Wait until the server has compacted its commits, and emptied the log."""
        log = log_of(DataFolder(self._folder).database)
        async with asyncio.timeout(LIMIT_S), talking(self._server.port, "Yan") as yan:
            while _size(log):
                await yan.ask("ping")
                await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Stop the server."""
        if await self._server.stop() != 0:
            raise Ended(self._server.logged_errors())

    async def back_up(self) -> None:
        """Copy what the server has into a file, in place of the last one."""
        self._backup.unlink(missing_ok=True)
        self._kept = [it for it in self._kept if it.place != self._backup]
        lines = self._lines_in(self._folder)
        await self._run("backup", str(self._backup), "--data", str(self._folder))
        self._keep(self._backup, lines)

    async def restore(self) -> None:
        """Copy the backup into a new data folder, which is the server's from now on."""
        self._folder = self._disk.root / "restored" / "data"
        self._server = self._server_in(self._folder)
        await self._run("backup", f"sqlite:{self._folder}", "--data", str(self._backup))
        self._keep(self._folder, self._lines_in(self._backup))

    async def _run(self, *words: str) -> None:
        """Run a command of `boxroom`."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "boxroom_client", *words),
            env={**os.environ, **self._disk.environment},
            stdout=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(LIMIT_S):
            await process.communicate()
        if process.returncode == -signal.SIGKILL:
            raise Ended(" ".join(words))
        assert process.returncode == 0

    def _keep(self, place: Path, lines: Sequence[str]) -> None:
        self._kept.append(Kept(self._disk.recorded_bytes, place, tuple(lines)))

    def _lines_in(self, place: Path) -> tuple[str, ...]:
        """Return the lines that were acknowledged there."""
        return next((it.lines for it in reversed(self._kept) if it.place == place), ())

    # What must be there

    async def check(self, root: Path, since: int | None = None) -> None:
        """Check that servers start on the disk at `root`, with all that was acknowledged.

        With `since` only what was acknowledged until then is due.
        """
        due = {it.place: it.lines for it in self._kept if since is None or it.since <= since}
        for place in {it.place for it in self._kept} | {self._folder, self._backup}:
            path = root / place.relative_to(self._disk.root)
            assert place not in due or place == self._backup or _is_used(path)
            content = await self._content(path)
            if content is None:
                assert place not in due, f"{place} is lost"
            else:
                self._check_chat(_chat_in(content), due.get(place, ()))
                assert place != self._old or content.has_all_of(await self._old_content())

    async def _content(self, path: Path) -> Content | None:
        """Start a server's storage in a folder or on a backup; return its content, if it exists."""
        folder = _data_folder(path)
        return None if folder is None else await content_of(folder)

    async def _old_content(self) -> Content:
        return await content_of(_copied(OLD.iterdir(), self._log.with_name("expected")))

    def _check_chat(self, chat: Sequence[str], due: Sequence[str]) -> None:
        assert [line for line in self._asked if line in chat] == chat, "another order"
        expected = list(due[-CHAT_TAIL // 2 :])
        assert [line for line in chat if line in expected] == expected


Stage = Callable[[Life], Coroutine[None, None, None]]


def _is_used(folder: Path) -> bool:
    """Return whether a lost database would be missed."""
    return (folder / "used").exists()


def _size(path: Path) -> int:
    return path.stat().st_size


def _data_folder(path: Path) -> Path | None:
    """Return the data folder at `path`, or a new one with the backup there; None for neither."""
    if path.is_file():
        return _copied([path], path.with_name("opened"))
    return path if path.exists() else None


def _copied(files: Iterable[Path], folder: Path) -> Path:
    """Copy the files of a data folder into `folder`, which is made anew, and return it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder / file.name.replace("backup.db", "boxroom.db"))
    return folder


def _chat_in(content: Content) -> list[str]:
    """Return the last lines of the room."""
    if ROOM not in content.rooms:
        return []
    found = content.rooms[ROOM]
    assert found is not None, "the room is damaged"
    record, stored = found
    room, _ = fold_log(stored, record)
    return [line.text for line in room.chat]
