"""The health check of a container, against real servers."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.certificates import Authority
from tests.faults.server_process import free_port
from tests.server.talk import lobby

from boxroom_server.ops.health_check import is_healthy

ONE_LOOP = True


@pytest.mark.parametrize("has_tls", [False, True])
async def test_a_server_is_healthy_with_tls_and_without(has_tls: bool, tmp_path: Path) -> None:
    options: dict[str, Any] = Authority(tmp_path).issue("example.org").options if has_tls else {}
    async with lobby(**options) as place:
        assert await asyncio.to_thread(is_healthy, place.server.port)


async def test_nobody_and_another_program_are_not() -> None:
    assert not await asyncio.to_thread(is_healthy, free_port())

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as other:
        assert not await asyncio.to_thread(is_healthy, other.sockets[0].getsockname()[1])


def test_a_server_that_hangs_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxroom_server.ops.health_check.ANSWER_S", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        assert not is_healthy(hanging.getsockname()[1])
