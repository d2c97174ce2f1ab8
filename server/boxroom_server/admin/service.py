"""The Unix socket for `boxroom admin`: permissions, limits, and time limits.

The file has mode 0600. If the system knows the user at the other end (Linux), that must be the
server's own user, or root. A peer can't hold up the server: a line is short, has to arrive within
`TIMEOUT_S`, and its answer has to be read within `TIMEOUT_S`.
"""

import asyncio
import logging
import os
import socket
import stat
import struct
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from boxroom_common.system import unix_socket, user_id
from boxroom_engine.errors import BoxroomError
from boxroom_server.admin.commands import AdminCommands
from boxroom_server.admin.messages import (
    DECODE_ERRORS,
    MAX_LINE_BYTES,
    Answer,
    Refused,
    decode_request,
    encode,
    reason_of,
)

logger = logging.getLogger(__name__)

TIMEOUT_S = 10.0
"""How long a line may take to arrive, and an answer to be read."""

MAX_CONNECTIONS = 16
"""Connections at the same time; others are refused."""


class SocketUnavailable(BoxroomError):
    """The socket can't be made; the reason is a sentence for people."""


@asynccontextmanager
async def serve_admin(
    path: Path,
    commands: AdminCommands,
    drain: Callable[[], None],
    *,
    timeout_s: float = TIMEOUT_S,
) -> AsyncIterator[None]:
    """Answer requests at the socket `path` while the context lasts; then remove the file.

    Raises:
        SocketUnavailable: another server answers there, the file isn't a socket, or the socket
            can't be made.
        NoUnixSockets: this system has none.
    """
    with _listening_socket(path) as listening:
        if sys.platform == "win32":
            raise AssertionError("it has no Unix sockets")
        service = _Service(commands, drain, timeout_s)
        server = await asyncio.start_unix_server(
            service.handle_connection, sock=listening, limit=MAX_LINE_BYTES
        )
        try:
            yield
        finally:
            server.close()
            service.close()


@contextmanager
def _listening_socket(path: Path) -> Iterator[socket.socket]:
    """Listen at `path`, where only this user may connect; a stale socket is replaced."""
    _remove_stale_socket(path)
    listening = unix_socket()
    umask = os.umask(0o177)
    try:
        listening.bind(str(path))
        listening.listen()
    except OSError as error:
        listening.close()
        raise SocketUnavailable(f"{path} can't be a socket: {reason_of(error)}") from error
    finally:
        os.umask(umask)
    inode = path.stat().st_ino
    try:
        yield listening
    finally:
        with suppress(FileNotFoundError):
            if path.stat().st_ino == inode:
                path.unlink()


def _remove_stale_socket(path: Path) -> None:
    """Remove the socket of a server that has ended."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise SocketUnavailable(f"{path} is there already, and is no socket")
        with unix_socket() as probe:
            probe.connect(str(path))
    except FileNotFoundError:
        return
    except ConnectionRefusedError:
        path.unlink()
        return
    except OSError as error:
        raise SocketUnavailable(f"{path} can't be used: {reason_of(error)}") from error
    raise SocketUnavailable(f"another server answers at {path}")


class _Service:
    def __init__(
        self, commands: AdminCommands, drain: Callable[[], None], timeout_s: float
    ) -> None:
        self._commands = commands
        self._drain = drain
        self._timeout_s = timeout_s
        self._open: set[asyncio.StreamWriter] = set()  # one for each connection

    async def handle_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the lines of one connection, until it ends or takes too long."""
        self._open.add(writer)
        try:
            reason = self._refusal(writer)
            while (line := await self._read_line(reader)) is not None:
                if reason is not None:
                    writer.write(encode(Refused(reason)))
                    return
                writer.write(encode(await self._answer(line)))
                async with asyncio.timeout(self._timeout_s):
                    await writer.drain()
        except asyncio.LimitOverrunError:
            writer.write(encode(Refused(f"a line has at most {MAX_LINE_BYTES:,} bytes")))
        except (OSError, TimeoutError) as error:
            logger.info("an admin connection ends: %r", error)
            writer.transport.abort()
        except Exception:
            logger.exception("an admin connection failed")
        finally:
            self._open.discard(writer)
            writer.close()

    def close(self) -> None:
        """Close the connections once their answers are sent."""
        for writer in self._open:
            writer.close()

    def _refusal(self, writer: asyncio.StreamWriter) -> str | None:
        if len(self._open) > MAX_CONNECTIONS:
            return f"{MAX_CONNECTIONS} others are connected already: try again later"
        uid = _peer_uid(writer.get_extra_info("socket"))
        if uid not in (None, 0, user_id()):
            return "only the server's own user may do that"
        return None

    async def _read_line(self, reader: asyncio.StreamReader) -> bytes | None:
        """Return the next line, or None at the end."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return None

    async def _answer(self, line: bytes) -> Answer:
        try:
            request = decode_request(line)
        except DECODE_ERRORS as error:
            return Refused(f"that isn't understood: {str(error)[:200]}")
        return await self._commands.execute(request, self._drain)


def _peer_uid(connection: socket.socket) -> int | None:
    """Return the user id at the other end; None if the system can't tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    credentials = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
    )
    _, uid, _ = struct.unpack("3i", credentials)
    return int(uid)
