"""The socket over which a server is cared for: who may open it, and how long they may take.

The file has mode 0600. Where the system tells who is at the other end (Linux), that has to be
the server's own user, or root. Nobody there can keep the server from its work: a line is short,
has to come within `PATIENCE_S`, and so do those who read the answers.
"""

import asyncio
import logging
import os
import socket
import stat
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from boxroom_server.admin.caretaker import Caretaker
from boxroom_server.admin.messages import MISREAD, MOST_BYTES, Answer, NotDone, line_of, wish_from

logger = logging.getLogger(__name__)

PATIENCE_S = 10.0
"""How long a line may take to come, and an answer to be read."""

MOST_AT_ONCE = 16
"""Connections at once; others are told to come back."""


class SocketTaken(Exception):
    """There can be no such socket; the reason is a sentence for people."""


@asynccontextmanager
async def admin_served(
    path: Path,
    caretaker: Caretaker,
    drain: Callable[[], None],
    *,
    patience_s: float = PATIENCE_S,
) -> AsyncIterator[None]:
    """Answer at the socket `path` while the context lasts; then there is no such file.

    Raises:
        SocketTaken: another server answers there, it is something else, or can't be made.
    """
    with _bound(path) as listening:
        service = _Service(caretaker, drain, patience_s)
        server = await asyncio.start_unix_server(service.converse, sock=listening, limit=MOST_BYTES)
        try:
            yield
        finally:
            server.close()
            service.end()


@contextmanager
def _bound(path: Path) -> Iterator[socket.socket]:
    """A socket that only this user may connect to, in place of one that nobody listens to."""
    _clear(path)
    listening = socket.socket(socket.AF_UNIX)
    others_not = os.umask(0o177)
    try:
        listening.bind(str(path))
        listening.listen()
    except OSError as error:
        listening.close()
        raise SocketTaken(f"{path} can't be a socket: {error}") from error
    finally:
        os.umask(others_not)
    own = path.stat().st_ino
    try:
        yield listening
    finally:
        with suppress(FileNotFoundError):
            if path.stat().st_ino == own:
                path.unlink()


def _clear(path: Path) -> None:
    """Remove the socket of a server that is gone."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise SocketTaken(f"{path} is there already, and is no socket")
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))
    except FileNotFoundError:
        return
    except ConnectionRefusedError:
        path.unlink()
        return
    except OSError as error:
        raise SocketTaken(f"{path} can't be used: {error}") from error
    raise SocketTaken(f"another server answers at {path}")


class _Service:
    def __init__(self, caretaker: Caretaker, drain: Callable[[], None], patience_s: float) -> None:
        self._caretaker = caretaker
        self._drain = drain
        self._patience_s = patience_s
        self._open: set[asyncio.StreamWriter] = set()

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection line by line, until it ends or takes too long."""
        self._open.add(writer)
        try:
            reason = self._why_not(writer)
            while (line := await self._line_from(reader)) is not None:
                if reason is not None:
                    writer.write(line_of(NotDone(reason)))
                    return
                writer.write(line_of(await self._answer_to(line)))
                async with asyncio.timeout(self._patience_s):
                    await writer.drain()
        except asyncio.LimitOverrunError:
            writer.write(line_of(NotDone(f"a line has at most {MOST_BYTES:,} bytes")))
        except (OSError, TimeoutError) as error:
            logger.info("an admin connection ends: %r", error)
            writer.transport.abort()
        except Exception:
            logger.exception("an admin connection failed")
        finally:
            self._open.discard(writer)
            writer.close()

    def end(self) -> None:
        """Close the connections that there are, behind what they were sent."""
        for writer in self._open:
            writer.close()

    def _why_not(self, writer: asyncio.StreamWriter) -> str | None:
        if len(self._open) > MOST_AT_ONCE:
            return f"{MOST_AT_ONCE} others are here already: come back later"
        uid = _user_at(writer.get_extra_info("socket"))
        if uid not in (None, 0, os.geteuid()):
            return "only the server's own user may do that"
        return None

    async def _line_from(self, reader: asyncio.StreamReader) -> bytes | None:
        """The next line, or None at the end."""
        try:
            async with asyncio.timeout(self._patience_s):
                return await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return None

    async def _answer_to(self, line: bytes) -> Answer:
        try:
            wish = wish_from(line)
        except MISREAD as error:
            return NotDone(f"that isn't understood: {str(error)[:200]}")
        return await self._caretaker.do(wish, self._drain)


def _user_at(connection: socket.socket) -> int | None:
    """The user at the other end, where the system tells."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, uid, _ = struct.unpack("3i", told)
    return int(uid)
