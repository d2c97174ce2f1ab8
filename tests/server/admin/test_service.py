"""The socket for `boxroom admin`: permissions, limits, and harmless peers."""

# ruff: noqa: ASYNC240 - nothing else runs while a test looks at a file

import asyncio
import json
import os
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.server.talk import Lobby, lobby

from boxroom_server.admin import service
from boxroom_server.admin.messages import MAX_LINE_BYTES
from boxroom_server.admin.service import SocketUnavailable, serve_admin

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def served(path: Path, timeout_s: float = 20.0) -> AsyncIterator[Lobby]:
    """Run a server with a socket for administration at `path`."""
    async with (
        lobby() as place,
        serve_admin(path, place.server.admin_commands, lambda: None, timeout_s=timeout_s),
    ):
        yield place


async def asked(path: Path, *lines: bytes) -> list[dict[str, Any]]:
    """Send `lines`, and return all answers."""
    reader, writer = await asyncio.open_unix_connection(str(path))
    for line in lines:
        writer.write(line + b"\n")
    writer.write_eof()
    answers = await reader.read()
    writer.close()
    return [json.loads(answer) for answer in answers.splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s"


async def test_every_line_is_answered_in_order(path: Path) -> None:
    async with served(path) as place:
        await place.create("Ada")
        names, rooms = await asked(path, b'{"do":"names"}', b'{"do":"list"}')
        assert [name["name"] for name in names["names"]] == ["Ada"]
        assert [room["room"] for room in rooms["rooms"]] == ["attic"]


@each(
    "line",
    [
        *(b"", b"hello", b"[]", b"{}", b'{"do":"dance"}', b'{"do":"show"}', b'{"do":"list","x":1}'),
        *(b'{"do":"show","room":""}', b'{"do":"show","room":7}', b"\xff\xfe", b"[" * 10_000),
    ],
)
async def test_what_isnt_understood_is_answered_with_a_sentence(line: bytes, path: Path) -> None:
    async with served(path):
        wrong, right = await asked(path, line, b'{"do":"bans"}')
        assert wrong["answer"] == "refused"
        assert wrong["message"].startswith("that isn't understood: ")
        assert right == {"answer": "bans", "bans": []}


async def test_ten_megabytes_are_one_sentence_and_the_end(path: Path) -> None:
    async with served(path):
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b"x" * 10_000_000)
        answer = json.loads(await reader.readline())
        assert answer["message"] == f"a line has at most {MAX_LINE_BYTES:,} bytes"
        writer.close()
        assert await asked(path, b'{"do":"bans"}')


async def test_who_says_nothing_is_let_go(path: Path) -> None:
    async with served(path, timeout_s=0.01):
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b'{"do":"li')
        assert await reader.read() == b""
        writer.close()


async def test_who_doesnt_read_is_let_go(path: Path) -> None:
    async with served(path, timeout_s=0.1):
        with socket.socket(socket.AF_UNIX) as silent:
            silent.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(silent, str(path))
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                await loop.sock_sendall(silent, b"nonsense\n" * 1_000_000)
        assert await asked(path, b'{"do":"bans"}')


async def test_there_are_only_so_many_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_CONNECTIONS", 1)
    async with served(path):
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b'{"do":"bans"}\n')
        await reader.readline()
        (turned_away,) = await asked(path, b'{"do":"bans"}')
        assert turned_away["message"] == "1 others are connected already: try again later"
        writer.close()


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="impossible here: no SO_PEERCRED")
@each("uid, gets_in", [(0, True), (4711, True), (4712, False)])
async def test_only_the_servers_own_user_and_root_get_in(
    uid: int, gets_in: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    monkeypatch.setattr(service, "_peer_uid", lambda connection: uid)
    async with served(path):
        (answer,) = await asked(path, b'{"do":"bans"}')
        assert gets_in or answer["message"] == "only the server's own user may do that"
        assert gets_in == (answer["answer"] == "bans")


async def test_the_system_tells_who_it_is() -> None:
    here, there = socket.socketpair(socket.AF_UNIX)
    with here, there:
        assert service._peer_uid(here) in (None, os.geteuid())


async def test_where_the_system_doesnt_tell_the_mode_of_the_file_has_to_do(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(socket, "SO_PEERCRED", raising=False)
    async with served(path):
        assert await asked(path, b'{"do":"bans"}')


async def test_nobody_else_may_open_the_file_which_goes_with_the_server(path: Path) -> None:
    async with served(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


async def test_what_a_dead_server_left_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    async with served(path):
        assert await asked(path, b'{"do":"bans"}')


async def test_a_server_that_lives_is_never_replaced(path: Path) -> None:
    async with served(path):
        with pytest.raises(SocketUnavailable, match="another server answers at"):
            async with served(path):
                pass
        assert await asked(path, b'{"do":"bans"}')


async def test_what_is_no_socket_is_left_alone(path: Path) -> None:
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(SocketUnavailable, match="is there already, and is no socket"):
        async with served(path):
            pass
    assert path.read_text(encoding="utf-8") == "precious"


async def test_a_socket_of_another_kind_is_left_alone(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.bind(str(path))
        with pytest.raises(SocketUnavailable, match="can't be used: "):
            async with served(path):
                pass
    assert path.exists()


@each("name", ["x" * 150, "no/such/folder"])
async def test_where_there_can_be_no_socket_a_sentence_says_so(name: str, tmp_path: Path) -> None:
    with pytest.raises(SocketUnavailable, match="can't be a socket"):
        async with served(tmp_path / name):
            pass


async def test_another_file_in_its_place_isnt_removed(path: Path) -> None:
    async with served(path):
        path.rename(path.with_name("old"))
        path.write_text("precious", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == "precious"


async def test_who_is_still_there_at_the_end_is_let_go(path: Path) -> None:
    async with served(path):
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b'{"do":"bans"}\n')
        await reader.readline()
    assert await reader.read() == b""
    writer.close()


async def test_an_internal_error_ends_one_connection_only(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(path) as place:
        monkeypatch.setattr(place.server._bans, "all", None)
        assert await asked(path, b'{"do":"bans"}') == []
        assert "an admin connection failed" in caplog.text
        assert await asked(path, b'{"do":"list"}')
